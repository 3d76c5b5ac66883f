"""Tournaments with blinds of your own: how a fast and a slow structure treat the same players.

Usage: python examples/own_blinds.py [--tournaments 2000] [--stack 1500] [--seed 1]
"""

from __future__ import annotations

import argparse

import agents
import nlhe_env
from nlhe_env import BlindSchedule

PLAYERS = ("tight-aggressive", "push-or-fold", "loose-aggressive", "old-best", "caller", "random")
LEVELS = ((10, 20), (20, 40), (50, 100, 10), (100, 200, 20), (200, 400, 40), (500, 1000, 100))
STRUCTURES = {
    "fast": BlindSchedule(LEVELS, hands_per_level=5),
    "slow": BlindSchedule(LEVELS, hands_per_level=40),
    "published": BlindSchedule.pokerstars(),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=2000)
    parser.add_argument("--stack", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    field = agents.pack([agents.make(name) for name in PLAYERS])
    for name, blinds in STRUCTURES.items():
        game = nlhe_env.Game.tournament(starting_stack=options.stack, blinds=blinds)
        results = agents.play_tournaments(
            field, game=game, seed=options.seed, count=options.tournaments
        )
        errors = results.places.std(axis=0, ddof=1) / options.tournaments**0.5
        print(f"{name}: {results.hands / options.tournaments:.0f} hands a tournament, mean places")
        for player, place, error in sorted(
            zip(PLAYERS, results.places.mean(axis=0), errors, strict=True), key=lambda row: row[1]
        ):
            print(f"  {player:17} {place:.2f} ± {1.96 * error:.2f}")


if __name__ == "__main__":
    main()
