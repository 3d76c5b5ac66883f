"""Heads-up matches of the NLBots against benchmark players and each other, and their speed.

Usage: python tests/benchmarks/bench_nlbot.py [--matches 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Mapping
from typing import Any

import agents
import nlhe_env
from agents.external.nlbot import VERSIONS

OPPONENTS = ("random", "caller", "raiser", "call-or-raise", "old-best")


class Timed:
    """A player whose decisions are counted and timed, in CPU seconds."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self.decisions = 0
        self.seconds = 0.0

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        start = time.process_time()
        action: int = self.player.act(observation, info)
        self.seconds += time.process_time() - start
        self.decisions += 1
        return action


def share_won(first: Any, second: Any, matches: int, seed: int) -> float:
    """The share of heads-up tournaments that the first player wins; seats alternate."""
    env = nlhe_env.raw_env(2, actions="chips", reward="place")
    wins = 0
    for i in range(matches):
        seats = [first, second] if i % 2 == 0 else [second, first]
        for number, player in enumerate(seats):
            getattr(player, "player", player).begin(seed, number, i)
        rewards = agents.play_episode(
            env,
            dict(zip(env.possible_agents, seats, strict=True)),
            seed=seed if i == 0 else None,
        )
        wins += rewards[f"player_{i % 2}"] > 0
    return wins / matches


def percent(share: float, matches: int) -> str:
    error = math.sqrt(share * (1 - share) / matches)
    return f"{100 * share:.1f} +- {100 * error:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    def bot(version: int) -> agents.NLBot:
        return agents.NLBot(version, settings=VERSIONS[version], actions="chips")

    print(f"{options.matches} matches each, percent won")
    print(f"{'':>8}" + "".join(f"{name:>16}" for name in OPPONENTS) + f"{'decisions/s':>14}")
    for version in VERSIONS:
        player = Timed(bot(version))
        row = [
            percent(
                share_won(player, agents.make(name), options.matches, options.seed), options.matches
            )
            for name in OPPONENTS
        ]
        speed = player.decisions / player.seconds
        print(f"{player.player.name:>8}" + "".join(f"{x:>16}" for x in row) + f"{speed:>14,.0f}")
    print("Against each other")
    shares = {version: [0.5] for version in VERSIONS}
    for first, second in itertools.combinations(VERSIONS, 2):
        share = share_won(bot(first), bot(second), options.matches, options.seed)
        shares[first].append(share)
        shares[second].append(1 - share)
        print(f"NLBot{first} - NLBot{second} {percent(share, options.matches):>16}")
    for version, found in shares.items():
        print(f"NLBot{version} {100 * (sum(found) - 0.5) / (len(found) - 1):>8.1f} on average")


if __name__ == "__main__":
    main()
