"""Steps per second beside the most that the interfaces allow: environments that do nothing.

The empty environments have the same spaces and do the least that PettingZoo's AEC interface and
Gymnasium's ask for. The same loops drive them in turn in the same process; every legal action is
drawn equally often. A step is a call of ``step``, of agents that are out included. CPU seconds of
the process, medians.

    python tests/benchmarks/bench_interface_limit.py [--seconds 1] [--rounds 7]
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from harness import medians, options, rate
from pettingzoo import AECEnv

import nlhe_env

MOST = 1000


class EmptyAEC(AECEnv[str, Any, Any]):
    """Agents take turns; nothing changes, and all actions are legal."""

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


class EmptyGymnasium(gymnasium.Env[Any, Any]):
    """Nothing changes, no episode ends, and all actions are legal."""

    def __init__(self, like: nlhe_env.NoLimitHoldemEnv) -> None:
        self.observation_space = like.observation_space
        self.action_space = like.action_space
        self._observation = np.zeros(like.observation_space.shape or 0, np.float32)
        self._info = {"action_mask": np.ones(like.action_space.n, np.int8)}  # type: ignore[attr-defined]

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        return self._observation, self._info

    def step(self, action: Any) -> Any:
        return self._observation, 0.0, False, False, self._info


def draw(mask: Any, rng: random.Random) -> int:
    legal = [i for i, is_legal in enumerate(mask.tolist()) if is_legal]
    return legal[int(rng.random() * len(legal))]


def play_turns(env: Any, rng: random.Random) -> int:
    """Steps of an episode in a PettingZoo environment, at most ``MOST``."""
    env.reset()
    steps = 0
    for _ in env.agent_iter(MOST):
        observation, _, termination, truncation, _ = env.last()
        over = termination or truncation
        env.step(None if over else draw(observation["action_mask"], rng))
        steps += 1
    return steps


def play_steps(env: Any, rng: random.Random) -> int:
    """Steps of an episode in a Gymnasium environment, at most ``MOST``."""
    _, info = env.reset()
    steps, over = 0, False
    while not over and steps < MOST:
        _, _, terminated, truncated, info = env.step(draw(info["action_mask"], rng))
        over = terminated or truncated
        steps += 1
    return steps


def pairs(players: int) -> dict[str, tuple[Callable[[Any, random.Random], int], Any, Any]]:
    """By name: the loop, our environment and the empty one."""
    tournament = nlhe_env.env(players)
    cash = nlhe_env.env(players, mode="cash", num_hands=1000, blinds=(10, 20))
    single = nlhe_env.NoLimitHoldemEnv(num_players=players, mode="tournament")
    return {
        "env(), tournaments": (play_turns, tournament, EmptyAEC(tournament)),
        "env(), 1000 hands": (play_turns, cash, EmptyAEC(cash)),
        "Gymnasium, tournaments": (play_steps, single, EmptyGymnasium(single)),
    }


def main() -> None:
    given = options(__doc__, seconds=1.0, rounds=7)
    for players in (2, 6):
        print(f"{players} players: steps per CPU second        ours        empty   ratio")
        for name, (play, ours, empty) in pairs(players).items():
            ours.reset(seed=1)
            measures = {
                what: partial(rate, partial(play, env, random.Random(0)), given.seconds)
                for what, env in (("ours", ours), ("empty", empty))
            }
            rates = medians(measures, given.rounds)
            ratio = rates["ours"] / rates["empty"]
            print(f"  {name:<30} {rates['ours']:>12,.0f} {rates['empty']:>12,.0f} {ratio:>7.3f}")


if __name__ == "__main__":
    main()
