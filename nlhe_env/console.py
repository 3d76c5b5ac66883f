"""The command ``nlhe``: one entry to the commands of nlhe_env, agents and evolve.

The package of a command is imported when the command is known, so that the overview appears at
once. Each package has the options of its commands: ``nlhe train`` is ``python -m evolve train``.
"""

from __future__ import annotations

import os
import signal
import sys

from nlhe_env.system.command_line import output_may_end
from nlhe_env.system.part_names import PART_HELP

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Play": {
        "play": (
            "agents",
            "Play in the browser, watch players play, or step through recorded hands",
        ),
        "players": ("agents", "List the players by name, or show the options of some"),
        "acpc": ("agents", "Play over the network: dealer, client, slumbot"),
    },
    "Train": {
        "train": ("evolve", "Train players, and save the run in a folder"),
        "presets": ("evolve", "List the presets by name, or show all values of some"),
        "serve": ("evolve", "Show running and finished runs in the browser"),
        "study": ("evolve", "Repeat the published experiments; also: compare, summary"),
    },
    "Measure": {
        "evaluate": (
            "evolve",
            "Compare the champion of a run, or any player, with others; also: progress, metagame,\n"
            "behaviour, exploitability, hands, table, plot",
        ),
        "league": ("evolve", "Rate players by duplicate cash games or tournaments"),
        "bench": ("agents", "Evaluate a player against fixed anchors; also: compare, verify"),
    },
    "Analyse": {
        "solve": (
            "agents",
            "Solve a heads-up hand from the flop, turn or river on; also: blueprint",
        ),
        "equity": (
            "nlhe_env",
            "Print the share of the pot that hands or ranges win; also: income-rates, tables",
        ),
        "coach": (
            "agents",
            "List a player's decisions in recorded hands, the most expensive first",
        ),
        "hands": ("nlhe_env", "Count, check and convert recorded hands"),
    },
}
"""Commands by purpose, each with its package and a line about it."""

_MAIN = {
    "nlhe_env": "nlhe_env.__main__:main",
    "agents": "agents.commands.main:main",
    "evolve": "evolve.commands.main:main",
}


def overview() -> str:
    """The help of the command itself."""
    lines = ["usage: nlhe COMMAND [OPTIONS]", "", "No-Limit Texas Hold'em: play, train, measure."]
    for title, commands in GROUPS.items():
        lines += ["", f"{title}:"]
        for name, (_, text) in commands.items():
            first, *more = text.split("\n")
            lines += [f"  {name:10}{first}", *(f"{'':12}{line}" for line in more)]
    lines += ["", "nlhe COMMAND --help shows the options of a command.", PART_HELP]
    return "\n".join(lines)


def main() -> None:
    """Runs the command that the arguments name, as the whole program."""
    # While it loads, nothing can be lost: Ctrl-C ends it there and then.
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        with output_may_end():
            print(overview(), file=sys.stdout if arguments else sys.stderr)
        sys.exit(0 if arguments else 2)
    packages = {name: found[0] for group in GROUPS.values() for name, found in group.items()}
    package = packages.get(arguments[0])
    if package is None:
        from difflib import get_close_matches

        near = get_close_matches(arguments[0], packages, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        words = f"error: there is no command {arguments[0]!r}{hint}; nlhe --help lists them"
        print(words, file=sys.stderr)
        sys.exit(2)
    from nlhe_env.system.command_line import run_command_line

    run_command_line(_MAIN[package], prog="nlhe")


if __name__ == "__main__":
    main()
