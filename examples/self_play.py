"""Self-play through PettingZoo's API: one value table learns from all seats.

All players at the table use the same action values, by street, win chance in eight steps, and
whether there is a bet to call; after every hand the values of each agent's actions move towards its
result (Monte Carlo control: Sutton and Barto, "Reinforcement Learning", 2nd edition, section 5.4).
Then one agent plays greedily against players that sample actions from the mask.

Usage: python examples/self_play.py [--players 3] [--hands 20000] [--test-hands 5000] [--seed 1]
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

import nlhe_env

STREETS = ("preflop", "flop", "turn", "river")
N_STEPS = 8
WIN_CHANCE = 3  # its index among the 35 inputs

State = tuple[int, int, int]


class Values:
    """Mean result of every action in every state."""

    def __init__(self, n_actions: int, rng: np.random.Generator) -> None:
        shape = (len(STREETS), N_STEPS, 2, n_actions)
        self.means, self.visits = np.zeros(shape), np.zeros(shape, np.int64)
        self.rng = rng

    def state(self, observation: dict[str, Any], info: dict[str, Any]) -> State:
        step = min(int(N_STEPS * observation["observation"][WIN_CHANCE]), N_STEPS - 1)
        return STREETS.index(info["street"]), step, int(info["to_call"] > 0)

    def choose(self, state: State, mask: npt.NDArray[np.int8], epsilon: float) -> int:
        if self.rng.random() < epsilon:
            return int(self.rng.choice(np.flatnonzero(mask)))
        return int(np.where(mask, self.means[state], -np.inf).argmax())

    def learn(self, state: State, action: int, result: float) -> None:
        place = (*state, action)
        self.visits[place] += 1
        self.means[place] += (result - self.means[place]) / self.visits[place]


def play_hand(
    env: Any, values: Values, epsilons: dict[str, float], seed: int | None
) -> tuple[dict[str, list[tuple[State, int]]], dict[str, float]]:
    """Actions of every agent with their states, and its winnings in big blinds."""
    env.reset(seed=seed)
    done: dict[str, list[tuple[State, int]]] = defaultdict(list)
    won: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            won[agent] = reward
            env.step(None)
            continue
        state = values.state(observation, info)
        action = values.choose(state, observation["action_mask"], epsilons[agent])
        done[agent].append((state, action))
        env.step(action)
    return done, won


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--test-hands", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    env = nlhe_env.env(
        options.players,
        mode="cash",
        blinds=(10, 20),
        observation="features",
        reward="big_blinds",
        infos="full",
    )
    agents = env.possible_agents
    n_actions = env.action_space(agents[0]).n
    values = Values(n_actions, np.random.default_rng(options.seed))
    for hand in range(options.hands):
        exploring = dict.fromkeys(agents, max(0.1, 1.0 - hand / options.hands))
        done, won = play_hand(env, values, exploring, None if hand else options.seed)
        for agent, path in done.items():
            for state, action in path:
                values.learn(state, action, won[agent])

    randomly = dict.fromkeys(agents, 1.0)
    for name, epsilons in (("the learner", randomly | {agents[0]: 0.0}), ("by lot", randomly)):
        results = []
        for hand in range(options.test_hands):
            _, won = play_hand(env, values, epsilons, None if hand else options.seed + 1)
            results.append(won[agents[0]])
        error = np.std(results, ddof=1) / math.sqrt(len(results))
        print(f"{name:>12}: {np.mean(results):+z.2f} ± {1.96 * error:.2f} big blinds a hand")


if __name__ == "__main__":
    main()
