"""Steps per second of the PettingZoo environment beside PettingZoo's classic no-limit hold'em.

Both run in the same process in turn, ``env()`` against ``env()``, uniformly random legal actions by
the same loop; CPU seconds of the process, medians. The classic environment needs
``pip install "rlcard==1.2.0" pygame``; without it only ours is measured.

    python tests/benchmarks/bench_environment.py [--seconds 1.5] [--rounds 5]
"""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from harness import medians, options, rate

import nlhe_env


def play_episode(env: Any, rng: random.Random) -> int:
    """One episode of random legal actions; returns the number of actions."""
    env.reset()
    actions = 0
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[int(rng.random() * len(legal))]))
        actions += 1
    return actions


def steps_per_second(env: Any, seconds: float) -> float:
    rng = random.Random(0)
    return rate(lambda: play_episode(env, rng), seconds)


def contenders(players: int) -> dict[str, Callable[[], Any]]:
    def ours(**arguments: Any) -> Callable[[], Any]:
        return lambda: nlhe_env.env(players, **arguments)

    hand = {"mode": "cash", "starting_stack": 1000, "blinds": (10, 20)}
    found = {
        "nlhe_env, a hand an episode": ours(**hand),
        "nlhe_env, 1000 hands an episode": ours(num_hands=1000, **hand),
        "nlhe_env, a hand an episode, features": ours(observation="features", **hand),
        'nlhe_env, a hand an episode, infos="full"': ours(infos="full", **hand),
        'nlhe_env, a hand an episode, infos="none"': ours(infos="none", **hand),
        "nlhe_env, tournaments": ours(),
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pettingzoo.classic import texas_holdem_no_limit_v6
    except (ImportError, ModuleNotFoundError):
        print('comparison needs: pip install "rlcard==1.2.0" pygame')
    else:
        found["pettingzoo classic, a hand an episode"] = lambda: texas_holdem_no_limit_v6.env(
            num_players=players
        )
    return found


def main() -> None:
    given = options(__doc__, seconds=1.5, rounds=5)
    for players in (2, 6):
        envs = {name: make() for name, make in contenders(players).items()}
        for env in envs.values():
            env.reset(seed=1)
        rates = medians(
            {name: partial(steps_per_second, env, given.seconds) for name, env in envs.items()},
            given.rounds,
        )
        base = rates.get("pettingzoo classic, a hand an episode", math.nan)
        print(f"{players} players                              steps per CPU second      ratio")
        for name, median in rates.items():
            print(f"  {name:<40} {median:>12,.0f}   {median / base:>12.1f}")


if __name__ == "__main__":
    main()
