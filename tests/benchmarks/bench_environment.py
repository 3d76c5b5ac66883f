"""Steps per second of the PettingZoo environment beside PettingZoo's classic no-limit hold'em.

Both run in the same process in turn, ``env()`` against ``env()``, uniformly random legal actions by
the same loop; CPU seconds of the process, medians. The classic environment needs
``pip install "rlcard==1.2.0" pygame``; without it only ours is measured. An empty environment shows
the most that the interface allows.

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
from pettingzoo import AECEnv

import nlhe_env


class Empty(AECEnv[str, Any, Any]):
    """What PettingZoo's interface asks for at least: agents take turns, and nothing changes."""

    def __init__(self, like: nlhe_env.raw_env) -> None:
        self.metadata = {"name": "empty", "render_modes": []}
        self.possible_agents = like.possible_agents
        self.observation_spaces = like.observation_spaces
        self.action_spaces = like.action_spaces
        agent = like.possible_agents[0]
        self._seen = {
            "observation": np.zeros(like.observation_space(agent)["observation"].shape, np.float32),  # type: ignore[index]
            "action_mask": np.ones(like.action_space(agent).n, np.int8),  # type: ignore[attr-defined]
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._turn = 0
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Any:
        return self._seen

    def step(self, action: Any) -> None:
        self._turn = turn = (self._turn + 1) % len(self.agents)
        self.agent_selection = self.agents[turn]


def play_episode(env: Any, rng: random.Random) -> int:
    """One episode of random legal actions; returns the number of actions."""
    env.reset()
    actions = 0
    for _ in env.agent_iter(1000 if isinstance(env, Empty) else 10**9):  # which never ends
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
        "an empty environment": lambda: Empty(nlhe_env.raw_env(players)),
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
