"""A tabular learner with action masks, heads-up against a player that calls everything.

Its state has the street, its win chance in eight steps, and whether it has to call. For each state
it keeps the mean result of hands after every action (Monte Carlo control, epsilon-greedy: Sutton
and Barto, "Reinforcement Learning", 2nd edition, section 5.4). Then it plays fresh hands greedily,
compared with a player that samples actions from the mask.

Usage: python examples/gymnasium_masked.py [--hands 100000] [--test-hands 50000] [--seed 1]
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

import nlhe_env  # noqa: F401  (registers the environment)

STREETS = ("preflop", "flop", "turn", "river")
N_STEPS = 8
WIN_CHANCE = 3  # its index among the 35 inputs

State = tuple[int, int, int]
Policy = Callable[[State, npt.NDArray[np.int8]], int]


def state_of(observation: npt.NDArray[np.float32], info: dict[str, Any]) -> State:
    step = min(int(N_STEPS * observation[WIN_CHANCE]), N_STEPS - 1)
    return STREETS.index(info["street"]), step, int(info["to_call"] > 0)


def play_hand(
    env: gymnasium.Env[Any, Any], policy: Policy, seed: int | None
) -> tuple[list[tuple[State, int]], float]:
    """The states with the actions taken, and the result of the hand in big blinds."""
    observation, info = env.reset(seed=seed)
    path: list[tuple[State, int]] = []
    total, over = 0.0, False
    while not over:
        action = 1  # when the opponent folds at once, there is no decision
        if "street" in info:
            state = state_of(observation, info)
            action = policy(state, info["action_mask"])
            path.append((state, action))
        observation, reward, terminated, truncated, info = env.step(action)
        total += float(reward)
        over = terminated or truncated
    return path, total


def winnings(env: gymnasium.Env[Any, Any], policy: Policy, hands: int, seed: int) -> str:
    totals = [play_hand(env, policy, None if i else seed)[1] for i in range(hands)]
    error = np.std(totals) / math.sqrt(hands)
    return f"{np.mean(totals):+z.2f} ± {1.96 * error:.2f} big blinds a hand"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--test-hands", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    env = gymnasium.make(
        "nlhe/NoLimitHoldem-v0",
        opponents=["caller"],
        starting_stack=1000,
        blinds=(10, 20),
        observation="features",
        reward="big_blinds",
        infos="full",
    )
    n_actions = int(env.action_space.n)  # type: ignore[attr-defined]
    shape = (len(STREETS), N_STEPS, 2, n_actions)
    value, visits = np.zeros(shape), np.zeros(shape, np.int64)
    rng = np.random.default_rng(options.seed)

    def randomly(_: State, mask: npt.NDArray[np.int8]) -> int:
        return int(rng.choice(np.flatnonzero(mask)))

    def greedily(state: State, mask: npt.NDArray[np.int8]) -> int:
        return int(np.where(mask, value[state], -np.inf).argmax())

    def exploring(state: State, mask: npt.NDArray[np.int8], epsilon: float) -> int:
        return randomly(state, mask) if rng.random() < epsilon else greedily(state, mask)

    for hand in range(options.hands):
        policy = partial(exploring, epsilon=1.0 - hand / options.hands)
        path, total = play_hand(env, policy, None if hand else options.seed)
        for state, action in path:
            place = (*state, action)
            visits[place] += 1
            value[place] += (total - value[place]) / visits[place]

    print(f"heads-up against a caller, {options.test_hands} fresh hands each:")
    for name, tested in {"random legal actions": randomly, "the learner": greedily}.items():
        result = winnings(env, tested, options.test_hands, options.seed + 1)
        print(f"{name:>22}: {result}")


if __name__ == "__main__":
    main()
