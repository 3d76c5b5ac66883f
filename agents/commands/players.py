"""``python -m agents list``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

import tyro

from agents import registry
from agents.commands.common import usage_errors
from agents.external.player_factory import MUST_BE_GIVEN

_FORMS = (
    ("FILE.py:NAME", "what a class or function in a file of yours makes"),
    ("process:COMMAND", "a program of yours, in any language; see docs/external-bots.md"),
    ("FILE.npz", "a saved player, such as the champion of a run"),
)


@dataclass(frozen=True, kw_only=True)
class ListPlayers:
    """List the players by name, with a line about each."""

    players: Annotated[
        tuple[str, ...],
        tyro.conf.Positional,
        tyro.conf.arg(metavar="[PLAYER ...]"),
    ] = ()
    """Show the options of these players instead: names, or FILE.py:NAME."""

    def run(self) -> None:
        """Prints the list."""
        if self.players:
            with usage_errors():
                for name in self.players:
                    print(_with_options(name))
            return
        compiled = registry.names(compiled=True)
        limit = registry.names_for_some_games("fixed-limit")
        nolimit = registry.names_for_some_games("no-limit")
        thinking = registry.names_that_think()
        ours = registry.names(plugins=False)
        own = ours[len(compiled) + len(limit) + len(nolimit) + len(thinking) :]
        others = registry.names()[len(ours) :]
        for title, rows in (
            ("Compiled: they can take part in whole tournaments", _rows(compiled)),
            ("Compiled, for heads-up fixed-limit", _rows(limit)),
            ("Compiled, for heads-up no-limit", _rows(nolimit)),
            ("Compiled, and taking their time", _rows(thinking)),
            ("In Python", _rows(own)),
            ("Of other packages", _rows(others)),
            ("Yours", _FORMS),
        ):
            _print_table(title, rows)
        print("Options, where a player has some: python -m agents list PLAYER")


def _rows(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, _line(name)) for name in names]


def _line(name: str) -> str:
    try:
        return registry.describe(name)
    except RuntimeError as error:
        return str(error)


def _print_table(title: str, rows: Iterable[tuple[str, str]]) -> None:
    rows = list(rows)
    if rows:
        width = max(len(name) for name, _ in rows)
        print(f"{title}:", *(f"  {name:{width}}  {line}".rstrip() for name, line in rows), sep="\n")
        print()


def _with_options(name: str) -> str:
    lines = [f"{name}: {registry.describe(name)}".rstrip(": ")]
    lines += [
        f"  {key}=..., must be given" if value is MUST_BE_GIVEN else f"  {key}={value}"
        for key, value in registry.options(name).items()
    ]
    return "\n".join(lines)
