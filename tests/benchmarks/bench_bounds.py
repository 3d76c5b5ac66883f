"""How much can be won of every built-in player: the tables of docs/results/bounds.md.

Usage: python tests/benchmarks/bench_bounds.py BETTING SECONDS TRAIN_HANDS [PLAYER ...]

Blocks are played until every bound has taken so many CPU seconds; training is the usual one.
"""

from __future__ import annotations

import sys
import time

import agents
from agents.bounds import LocalBestResponse, Menu
from evolve import Bound, bound_by, evolve_response, parse_workers, response_config
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
SLOW = {"formula": 60}
"""Hands that players are asked for who think long."""
LONG = {"opponent-frequency": 50, "lstm": 50}
"""Hands of a session with players that remember."""
BLOCKS = 20
MOST = 10_000


def bound(player: agents.Agent, menu: Menu, game: Game, hands: int, seconds: float) -> Bound:
    """Blocks against one response until time is up."""
    response = LocalBestResponse(menu, hands)
    tally = response([player], agents.Blocks(2), game, seed=1)  # compiled
    start = time.process_time()
    while time.process_time() - start < seconds and tally.count < MOST:
        tally += response([player], agents.Blocks(BLOCKS, tally.count), game, seed=1)
    return Bound.of(menu.name, tally, 1)


def main() -> None:
    """Print a row for every player."""
    betting, seconds, train_hands, *names = sys.argv[1:]
    for name in names or agents.names(compiled=True):
        game = Game.cash(
            starting_stack=20_000,
            betting=betting,
            num_hands=LONG.get(name, 1),
            score="big_blinds",
        )
        player = agents.make(name)
        cells = []
        for menu in GAMES[betting]:
            found = bound(player, menu, game, SLOW.get(name, 1326), float(seconds))
            cells.append(f"{found.value:,.0f} ± {found.error:,.0f} ({found.hands:,})")
        if int(train_hands):
            config = response_config(name, game, hands=int(train_hands), seed=1)
            with parse_workers("1") as workers:
                response = evolve_response(config, workers=workers)
                found = bound_by(
                    response, player, game, by="", blocks=MOST, seed=1, workers=workers
                )
            cells.append(f"{found.value:,.0f} ± {found.error:,.0f}")
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
