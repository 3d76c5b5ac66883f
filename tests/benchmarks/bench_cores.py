"""Steps of many tables by several threads, beside one thread.

    python tests/benchmarks/bench_cores.py [--threads 8] [--rounds 5]

``BatchEnv`` and the vector environment with two rule players; wall time of the fastest round, and
CPU time of all threads as a median. With two busy cores only the CPU times say something.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import gymnasium
import numpy as np
from harness import in_turn, options

import nlhe_env
from nlhe_env.jit.array_types import F64


def clocks() -> F64:
    """Wall and CPU seconds of this process."""
    return np.array([time.perf_counter(), time.process_time()])


def batch_steps(n_tables: int, threads: int, steps: int) -> Callable[[], F64]:
    """What plays some steps of a batch, and returns their wall and CPU seconds."""
    batch = nlhe_env.BatchEnv(n_tables, 6, threads=threads, mode="cash", blinds=(10, 20))
    batch.reset(seed=1)
    rng = np.random.default_rng(1)

    def play() -> F64:
        total = np.zeros(2)
        for _ in range(steps):
            ids = batch.sample_actions(rng)
            begun = clocks()
            batch.step(ids)
            total += clocks() - begun
        return total

    return play


def vector_steps(n_tables: int, threads: int, steps: int) -> Callable[[], F64]:
    """The same of the vector environment."""
    envs = gymnasium.make_vec(
        "nlhe/NoLimitHoldem-v0",
        n_tables,
        "vector_entry_point",
        opponents=["tight-aggressive", "loose-passive"],
        threads=threads,
        blinds=(10, 20),
    )
    rng = np.random.default_rng(0)
    masks = envs.reset(seed=1)[1]["action_mask"]

    def play() -> F64:
        nonlocal masks
        total = np.zeros(2)
        for _ in range(steps):
            ids = (masks * (1 + rng.random(masks.shape, np.float32))).argmax(axis=1)
            begun = clocks()
            masks = envs.step(ids)[4]["action_mask"]
            total += clocks() - begun
        return total

    return play


def main() -> None:
    given = options(__doc__, threads=8, rounds=5)
    for n_tables, steps in ((1024, 8), (16_384, 2)):
        for name, make in (("BatchEnv", batch_steps), ("vector environment", vector_steps)):
            measures = {str(n): make(n_tables, n, steps) for n in (1, given.threads)}
            one, more = (np.array(each) for each in in_turn(measures, given.rounds).values())
            faster = one[:, 0].min() / more[:, 0].min()
            cpu = np.median(more[:, 1] / one[:, 1])
            print(
                f"{name}, {n_tables:,} tables, {given.threads} threads: {faster:.2f} times as fast "
                f"as one, {cpu:.2f} times its CPU time"
            )


if __name__ == "__main__":
    main()
