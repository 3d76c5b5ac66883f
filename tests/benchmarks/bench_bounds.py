"""How much can be won of every built-in player: the tables of docs/results/bounds.md.

Usage: python tests/benchmarks/bench_bounds.py BETTING SECONDS TRAIN_HANDS [PLAYER ...]
[--into FILE]

Blocks are played until every local bound has taken so many CPU seconds. Responses are evolved in
TRAIN_HANDS hands, 0 for none, and then play blocks of their own. A file keeps the rows as they
come: players that have one there are passed over, so that a long run goes on where it broke off.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

import agents
from agents.bounds import LocalBestResponse, Menu
from agents.registry import names_for_some_games
from evolve import Bound, bound_by, evolve_response, parse_workers, response_config
from evolve.evaluation.bounds import (
    bound_by_best,
    joint_confidence,
    largest,
)
from nlhe_env import Game

LATE = ("preflop", "flop")
GAMES = {
    "no-limit": (
        Menu.of("fold-call"),
        Menu.of("fcpa"),
        Menu.of("fcpa", LATE),
        Menu.of("56-bets", LATE),
    ),
    "fixed-limit": (Menu.of("fcpa"), Menu.of("fcpa", LATE)),
}
ASKED = {
    **dict.fromkeys(("formula", "limit-vote", "psopti-0", "psopti-1", "psopti-2"), 60),
    **dict.fromkeys(("loki-1", "poki", "vexbot", "vexbot-nolimit", "anti-poki", "hobbybot"), 40),
    **dict.fromkeys(("loki-2", "poki-sim"), 20),
}
"""Players that take long over a hand: of how many of their hands they are asked."""
MOST_TRAINING = {
    "formula": 100_000,
    "limit-team": 100_000,
    "limit-vote": 50_000,
    "psopti-0": 100_000,
    "psopti-1": 100_000,
    "psopti-2": 100_000,
    "loki-1": 50_000,
    "poki": 50_000,
    "loki-2": 20_000,
    "poki-sim": 20_000,
    "vexbot": 20_000,
    "vexbot-nolimit": 20_000,
    "anti-poki": 20_000,
    "hobbybot": 20_000,
}
"""Hands of training at most against who plays some thousand hands a second, or fewer."""
RESPONDERS = {
    "no-limit": ("equilibrium-nolimit", "vexbot-nolimit", "pot-odds", "half-a-pro", "ashe-1.0"),
    "fixed-limit": ("equilibrium-limit", "vexbot", "pot-odds", "half-a-pro", "ashe-1.0"),
}
"""Of whom the best meets players whom nobody can train against: those that decide in Python."""
MOST_BLOCKS = {
    **dict.fromkeys(("limit-vote", "loki-1", "poki", "vexbot", "vexbot-nolimit"), 5000),
    **dict.fromkeys(("anti-poki", "hobbybot", "loki-2", "poki-sim"), 5000),
    **dict.fromkeys(("nlbot-1", "nlbot-2", "nlbot-3", "nlbot-4"), 2500),
}
"""Hands, in pairs, of the evolved response against those, at most."""
LONG = dict.fromkeys(
    (
        "random-gambler",
        "opponent-frequency",
        "ashe-1.0",
        "lstm",
        "vexbot",
        "vexbot-nolimit",
        "anti-poki",
        "hobbybot",
        "poki",
        "poki-sim",
        "nlbot-1",
        "nlbot-3",
        "nlbot-4",
    ),
    50,
)
"""Hands of a session with players that remember."""
LEFT_OUT = ("equilibrium-limit", "equilibrium-nolimit")
"""Their bounds are in docs/solving.md; given by name they are measured."""
BLOCKS = 20
MOST = 10_000


def bound(player: agents.Agent, menu: Menu, game: Game, hands: int, seconds: float) -> Bound:
    """Blocks against one response until time is up."""
    response = LocalBestResponse(menu, hands)
    tally = response([player], agents.Blocks(2), game, seed=1)  # compiled
    start = time.process_time()
    while time.process_time() - start < seconds and tally.count < MOST:
        some = agents.Blocks(max(1, BLOCKS // game.hands_limit), tally.count)
        tally += response([player], some, game, seed=1)
    return Bound.of(menu.name, tally, 1)


def blocks_of(name: str, game: Game) -> int:
    """Sessions, in pairs, that a response plays."""
    return max(2, MOST_BLOCKS.get(name, MOST) // game.hands_limit)


def best_of_ours(name: str, player: agents.Agent, game: Game) -> Bound:
    """What the best of some of our players wins."""
    responders = {other: agents.make(other) for other in RESPONDERS[game.betting]}
    with parse_workers("1") as workers:
        found = bound_by_best(
            responders, player, game, blocks=blocks_of(name, game), seed=1, workers=workers
        )
    return replace(found, by=f"`{found.by.partition(',')[0]}`")


def evolved(name: str, player: agents.Agent, game: Game, hands: int) -> Bound:
    """What a response wins that was trained against the player."""
    config = response_config(name, game, hands=hands, seed=1)
    blocks = blocks_of(name, game)
    with parse_workers("1") as workers:
        response = evolve_response(config, workers=workers)
        return bound_by(
            response, player, game, by="evolved", blocks=blocks, seed=1, workers=workers
        )


def row(name: str, game: Game, menus: tuple[Menu, ...], seconds: float, train_hands: int) -> str:
    """All bounds of a player, and what at least can be won of it, 95% for all of them together."""
    player = agents.make(name)
    asked = ASKED.get(name, 1326)
    bounds: list[Bound] = []
    if isinstance(player, agents.CompiledPlayer):
        bounds += [bound(player, menu, game, asked, seconds) for menu in menus]
    cells = [f"{found.value:,.0f} ± {found.error:,.0f}" for found in bounds] or [""] * len(menus)
    if not isinstance(player, agents.CompiledPlayer):
        bounds.append(best_of_ours(name, player, game))
        cells.append(f"{bounds[-1].value:,.0f} ± {bounds[-1].error:,.0f} ({bounds[-1].by})")
    elif train_hands:
        hands = min(train_hands, MOST_TRAINING.get(name, train_hands))
        bounds.append(evolved(name, player, game, hands))
        note = "" if hands == train_hands else f" ({hands:,})"
        cells.append(f"{bounds[-1].value:,.0f} ± {bounds[-1].error:,.0f}{note}")
    low, _ = largest(bounds).interval(joint_confidence(bounds))
    played = " ".join(f"{found.hands:,}" for found in bounds)
    print(f"{name}: hands {played}, {time.process_time():,.0f} CPU s", file=sys.stderr, flush=True)
    return f"| `{name}` | {' | '.join(cells)} | {max(low, 0.0):,.0f} |"


def usual(betting: str) -> list[str]:
    """Those who can play so, but for those whose bounds stand elsewhere."""
    names = [name for name in agents.names(plugins=False) if name not in LEFT_OUT]
    others = set(names_for_some_games()) - set(names_for_some_games(betting))
    return [name for name in names if name not in others]


def main() -> None:
    """Print a row for every player."""
    parser = argparse.ArgumentParser()
    parser.add_argument("betting", choices=GAMES)
    parser.add_argument("seconds", type=float)
    parser.add_argument("train_hands", type=int)
    parser.add_argument("players", nargs="*")
    parser.add_argument("--into", type=Path)
    args = parser.parse_args()
    done = args.into.read_text() if args.into is not None and args.into.exists() else ""
    for name in args.players or usual(args.betting):
        if f"| `{name}` |" in done:
            continue
        game = Game.cash(
            starting_stack=20_000,
            betting=args.betting,
            num_hands=LONG.get(name, 1),
            score="big_blinds",
        )
        found = row(name, game, GAMES[args.betting], args.seconds, args.train_hands)
        print(found, flush=True)
        if args.into is not None:
            with args.into.open("a") as file:
                file.write(found + "\n")


if __name__ == "__main__":
    main()
