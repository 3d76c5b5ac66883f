"""How much can be won of every built-in player: the tables of docs/results/bounds.md.

Usage: python tests/benchmarks/bench_bounds.py BETTING SECONDS TRAIN_HANDS [PLAYER ...]

Blocks are played until every local bound has taken so many CPU seconds. Responses are evolved in
TRAIN_HANDS hands, 0 for none, and then play blocks of their own.
"""

from __future__ import annotations

import sys
import time

import agents
from agents.bounds import LocalBestResponse, Menu
from agents.registry import names_for_some_games
from evolve import Bound, bound_by, evolve_response, parse_workers, response_config
from evolve.evaluation.bounds import joint_confidence, largest
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
SLOW = {"formula": (60, 250_000)}
"""Players that think long: of how many hands they are asked, and hands of training at most."""
LONG = {"opponent-frequency": 50, "lstm": 50}
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
        tally += response([player], agents.Blocks(BLOCKS, tally.count), game, seed=1)
    return Bound.of(menu.name, tally, 1)


def evolved(name: str, player: agents.Agent, game: Game, hands: int) -> Bound:
    """What a response wins that was trained against the player."""
    config = response_config(name, game, hands=hands, seed=1)
    with parse_workers("1") as workers:
        response = evolve_response(config, workers=workers)
        return bound_by(response, player, game, by="evolved", blocks=MOST, seed=1, workers=workers)


def row(name: str, game: Game, menus: tuple[Menu, ...], seconds: float, train_hands: int) -> str:
    """All bounds of a player, and what at least can be won of it, 95% for all of them together."""
    asked, most_training = SLOW.get(name, (1326, train_hands))
    player = agents.make(name)
    bounds = [bound(player, menu, game, asked, seconds) for menu in menus]
    if train_hands:
        bounds.append(evolved(name, player, game, min(train_hands, most_training)))
    cells = [f"{found.value:,.0f} ± {found.error:,.0f}" for found in bounds]
    low, _ = largest(bounds).interval(joint_confidence(bounds))
    hands = " ".join(f"{found.hands:,}" for found in bounds)
    print(f"{name}: hands {hands}, {time.process_time():,.0f} CPU s", file=sys.stderr, flush=True)
    return f"| `{name}` | {' | '.join(cells)} | {max(low, 0.0):,.0f} |"


def main() -> None:
    """Print a row for every player."""
    betting, seconds, train_hands, *chosen = sys.argv[1:]
    usual = [name for name in agents.names(compiled=True) if name not in LEFT_OUT]
    if betting == "fixed-limit":
        usual += names_for_some_games("fixed-limit")
    for name in chosen or usual:
        game = Game.cash(
            starting_stack=20_000,
            betting=betting,
            num_hands=LONG.get(name, 1),
            score="big_blinds",
        )
        print(row(name, game, GAMES[betting], float(seconds), int(train_hands)), flush=True)


if __name__ == "__main__":
    main()
