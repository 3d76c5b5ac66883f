"""Tournaments with custom blinds: the same players in a fast and a slow structure.

Usage: python examples/own_blinds.py [--tournaments 2000] [--starting-stack 1500] [--seed 1]
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
    parser.add_argument("--starting-stack", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    players = [agents.make(name) for name in PLAYERS]
    tournaments = agents.Tournaments(options.tournaments)
    for name, blinds in STRUCTURES.items():
        game = nlhe_env.Game.tournament(starting_stack=options.starting_stack, blinds=blinds)
        tally = agents.play(players, tournaments, game, seed=options.seed)
        print(f"{name}: {tally.hands / tally.count:.0f} hands a tournament, mean places")
        for i in sorted(range(len(PLAYERS)), key=lambda i: tally.scores[i]):
            place = tally.estimate(i)
            print(f"  {PLAYERS[i]:17} {place.mean:.2f} ± {place.half_width():.2f}")


if __name__ == "__main__":
    main()
