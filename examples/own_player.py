"""Write your own player and play it against the benchmark players.

The player compares its win chance, the fourth of the 35 inputs, with the pot odds.

Usage: python examples/own_player.py [--episodes 200] [--seed 1]
       nlhe play examples/own_player.py:PotOddsPlayer
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping
from typing import Any

import agents
import nlhe_env

OPPONENTS = ("random", "folder", "caller", "raiser", "old-best")  # see agents.names()


class PotOddsPlayer:
    """Calls if its win chance justifies the price, and raises the pot if it is far ahead."""

    observation = "features"  # its observation
    actions = (0.5, 1.0)  # its action encoding, at every table

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        win_chance = observation["observation"][3]
        mask = observation["action_mask"]
        pot_odds = info["to_call"] / (info["pot"] + info["to_call"])
        if win_chance > 0.75 and mask[3]:
            return 3
        if win_chance >= pot_odds or info["to_call"] == 0:
            return 1
        return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    env = nlhe_env.env(num_players=6, mode="cash", blinds=(10, 20), reward="big_blinds")
    players: dict[str, agents.Player] = {"player_0": PotOddsPlayer()}
    for i, name in enumerate(OPPONENTS, start=1):
        players[f"player_{i}"] = agents.make(name)

    winnings: dict[str, list[float]] = {agent: [] for agent in players}
    for episode in range(options.episodes):
        seed = options.seed if episode == 0 else None
        options_of_hand = {"button": episode % 6}  # every player in every position
        for agent, reward in agents.play_episode(
            env, players, seed=seed, options=options_of_hand
        ).items():
            winnings[agent].append(reward)

    print(f"{options.episodes} hands, big blinds per 100 hands:")
    for agent, rewards in winnings.items():
        error = statistics.stdev(rewards) / len(rewards) ** 0.5
        name = getattr(players[agent], "name", type(players[agent]).__name__)
        print(f"{name:>16} {100 * statistics.mean(rewards):>9.1f} ± {196 * error:.1f}")


if __name__ == "__main__":
    main()
