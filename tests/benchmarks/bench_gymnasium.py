"""Steps per second of the Gymnasium environment: one learner among automatic opponents.

A step is a decision of the learner together with all that its opponents decide until its next turn.
The learner draws uniformly among its legal actions by the same loop everywhere. "A call a decision"
plays the same opponents by ``agents.Lineup`` in the PettingZoo environment. CPU seconds of the
process, medians.

    python tests/benchmarks/bench_gymnasium.py [--seconds 1] [--rounds 5]
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from harness import medians, options, rate

import agents
import nlhe_env

ID = "nlhe/NoLimitHoldem-v0"
N_VECTOR = 8

# Plays for a while, such as an episode, and returns the learner's steps.
Play = Callable[[], int]


class PythonCaller:
    """Checks and calls, from Python."""

    def act(self, observation: Any, info: Any) -> int:
        return 1


def draw(mask: Any, rng: random.Random) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[int(rng.random() * len(legal))])


def single(env: gymnasium.Env[Any, Any]) -> Play:
    rng = random.Random(0)

    def play() -> int:
        _, info = env.reset()
        steps, over = 0, False
        while not over:
            _, _, terminated, truncated, info = env.step(draw(info["action_mask"], rng))
            over = terminated or truncated
            steps += 1
        return steps

    return play


def turn_by_turn(opponents: list[Any], **arguments: Any) -> Play:
    """The same in the PettingZoo environment."""
    rng = random.Random(0)
    env = nlhe_env.raw_env(len(opponents) + 1, mode="cash", **arguments)
    players = dict(zip(env.possible_agents[1:], map(agents.as_player, opponents), strict=True))
    lineup = agents.Lineup(env, players)

    def play() -> int:
        env.reset()
        steps = 0
        while (agent := env.agent_selection) != "player_0" or not env.terminations[agent]:
            if env.terminations[agent]:
                env.step(None)
            elif agent == "player_0":
                env.step(draw(env.last()[0]["action_mask"], rng))
                steps += 1
            else:
                env.step(lineup.action())
        return steps

    return play


def vector(opponents: list[Any], **arguments: Any) -> Play:
    envs = gymnasium.make_vec(
        ID, num_envs=N_VECTOR, vectorization_mode="sync", opponents=opponents, **arguments
    )
    rng = random.Random(0)
    masks = envs.reset()[1]["action_mask"]

    def play() -> int:
        nonlocal masks
        masks = envs.step(np.array([draw(mask, rng) for mask in masks]))[4]["action_mask"]
        return N_VECTOR

    return play


def contenders(n: int) -> dict[str, Play]:
    hand: dict[str, Any] = {"blinds": (10, 20)}
    network = agents.NetworkPlayer(0.5 * np.random.default_rng(0).standard_normal(825))

    def made(opponents: list[Any], **arguments: Any) -> Play:
        return single(gymnasium.make(ID, opponents=opponents, **hand, **arguments))

    compiled = ["random"] * n
    return {
        "random": made(compiled),
        "random, features": made(compiled, observation="features"),
        'random, infos="full"': made(compiled, infos="full"),
        'random, infos="none"': made(compiled, infos="none"),
        "random, tournaments": made(compiled, mode="tournament"),
        "networks": made([network] * n),
        "Python callers": made([PythonCaller()] * n),
        "random, without Gymnasium's wrappers": single(nlhe_env.NoLimitHoldemEnv(compiled, **hand)),
        "random, a call a decision": turn_by_turn(compiled, **hand),
        f"random, {N_VECTOR} in a SyncVectorEnv": vector(compiled, **hand),
    }


def main() -> None:
    given = options(__doc__, seconds=1.0, rounds=5)
    for n in (1, 5):
        measures = {
            name: partial(rate, play, given.seconds) for name, play in contenders(n).items()
        }
        rates = medians(measures, given.rounds)
        print(f"{n + 1} players; opponents                steps of the learner per CPU second")
        for name, found in rates.items():
            print(f"  {name:<40} {found:>12,.0f}")


if __name__ == "__main__":
    main()
