"""Steps per second of the vector environment beside single environments.

A step is a decision of one learner together with all that its opponents decide until its next turn.
Learners draw uniformly among their legal actions; an episode is a hand. "single" is a loop over one
``NoLimitHoldemEnv``, "sync" a ``SyncVectorEnv`` of eight. CPU seconds of the process, medians of
rounds in turn, and the quartiles of the ratio to the single environment.

    python tests/benchmarks/bench_vector.py [--envs 1024] [--seconds 1] [--rounds 5]
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from harness import in_turn, options, rate

import agents
import nlhe_env

ID = "nlhe/NoLimitHoldem-v0"

# Plays for a while and returns the steps of learners.
Play = Callable[[], int]


def single(**arguments: Any) -> Play:
    env = nlhe_env.NoLimitHoldemEnv(**arguments)
    env.reset(seed=1)
    rng = random.Random(0)

    def play() -> int:
        _, info = env.reset()
        steps, over = 0, False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            action = int(legal[int(rng.random() * len(legal))])
            _, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            steps += 1
        return steps

    return play


def vector(envs: gymnasium.vector.VectorEnv[Any, Any, Any]) -> Play:
    rng = np.random.default_rng(0)
    masks = envs.reset(seed=1)[1]["action_mask"]

    def play() -> int:
        nonlocal masks
        actions = (masks * (1 + rng.random(masks.shape, np.float32))).argmax(axis=1)
        masks = envs.step(actions)[4]["action_mask"]
        return len(actions)

    return play


def main() -> None:
    given = options(__doc__, envs=1024, seconds=1.0, rounds=5)
    network = agents.NetworkPlayer(0.5 * np.random.default_rng(0).standard_normal(825))
    opponents: dict[str, Any] = {"random": "random", "caller": "caller", "networks": network}
    for n in (2, 6):
        for name, opponent in opponents.items():
            game: dict[str, Any] = {
                "opponents": opponent,
                "num_players": n,
                "blinds": (10, 20),
            }

            def many(game: dict[str, Any] = game, **arguments: Any) -> Play:
                mode = gymnasium.vector.AutoresetMode.SAME_STEP
                return vector(
                    gymnasium.make_vec(
                        ID,
                        given.envs,
                        "vector_entry_point",
                        autoreset_mode=mode,
                        **game,
                        **arguments,
                    )
                )

            plays = {
                "single": single(**game),
                "sync": vector(gymnasium.make_vec(ID, 8, "sync", **game)),
                f"vector, {given.envs}": many(),
            }
            measures = {each: partial(rate, play, given.seconds) for each, play in plays.items()}
            rates = in_turn(measures, given.rounds)
            print(f"{n} players, {name}: steps of learners per CPU second")
            for each, values in rates.items():
                ratio = np.array(values) / np.array(rates["single"])
                low, middle, high = np.quantile(ratio, (0.25, 0.5, 0.75))
                times = f"x{middle:.1f} ({low:.1f}..{high:.1f})"
                print(f"  {each:<20} {np.median(values):>12,.0f}   {times}")


if __name__ == "__main__":
    main()
