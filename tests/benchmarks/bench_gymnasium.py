"""Steps per second of the Gymnasium door: one learner among players that play by themselves.

A step is a decision of the learner together with all that its opponents decide until its next turn.
The learner draws uniformly among its legal actions by the same loop everywhere. "A call a decision"
plays the same opponents by ``agents.Lineup`` through the PettingZoo door. CPU seconds of the
process, medians.

    python tests/benchmarks/bench_gymnasium.py [--seconds 1] [--rounds 5]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import agents
import nlhe_env

ID = "nlhe/NoLimitHoldem-v0"
N_VECTOR = 8


class PythonCaller:
    """Checks and calls, from Python."""

    def act(self, observation: Any, info: Any) -> int:
        return 1


def draw(mask: Any, rng: random.Random) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[int(rng.random() * len(legal))])


def single(env: gymnasium.Env[Any, Any]) -> Callable[[float], float]:
    rng = random.Random(0)

    def measure(seconds: float) -> float:
        steps = 0
        start = time.process_time()
        while time.process_time() - start < seconds:
            _, info = env.reset()
            over = False
            while not over:
                _, _, terminated, truncated, info = env.step(draw(info["action_mask"], rng))
                over = terminated or truncated
                steps += 1
        return steps / (time.process_time() - start)

    return measure


def turn_by_turn(opponents: list[Any], **arguments: Any) -> Callable[[float], float]:
    """The same through the PettingZoo door."""
    rng = random.Random(0)
    env = nlhe_env.raw_env(len(opponents) + 1, mode="cash", **arguments)
    players = dict(zip(env.possible_agents[1:], map(agents.as_player, opponents), strict=True))
    lineup = agents.Lineup(env, players)

    def measure(seconds: float) -> float:
        steps = 0
        start = time.process_time()
        while time.process_time() - start < seconds:
            env.reset()
            while (agent := env.agent_selection) != "player_0" or not env.terminations[agent]:
                if env.terminations[agent]:
                    env.step(None)
                elif agent == "player_0":
                    env.step(draw(env.last()[0]["action_mask"], rng))
                    steps += 1
                else:
                    env.step(lineup.action())
        return steps / (time.process_time() - start)

    return measure


def vector(opponents: list[Any], **arguments: Any) -> Callable[[float], float]:
    envs = gymnasium.make_vec(
        ID, num_envs=N_VECTOR, vectorization_mode="sync", opponents=opponents, **arguments
    )
    rng = random.Random(0)

    def measure(seconds: float) -> float:
        steps = 0
        _, infos = envs.reset()
        start = time.process_time()
        while time.process_time() - start < seconds:
            chosen = np.array([draw(mask, rng) for mask in infos["action_mask"]])
            infos = envs.step(chosen)[4]
            steps += N_VECTOR
        return steps / (time.process_time() - start)

    return measure


def contenders(n: int) -> dict[str, Callable[[float], float]]:
    hand: dict[str, Any] = {"blinds": (10, 20)}
    network = agents.NetworkPlayer(0.5 * np.random.default_rng(0).standard_normal(825))

    def made(opponents: list[Any], **arguments: Any) -> Callable[[float], float]:
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for n in (1, 5):
        measures = contenders(n)
        rates: dict[str, list[float]] = {name: [] for name in measures}
        for measure in measures.values():
            measure(0.05)
        for _ in range(options.rounds):
            for name, measure in measures.items():
                rates[name].append(measure(options.seconds))
        print(f"{n + 1} players; opponents                steps of the learner per CPU second")
        for name, values in rates.items():
            print(f"  {name:<40} {statistics.median(values):>12,.0f}")


if __name__ == "__main__":
    main()
