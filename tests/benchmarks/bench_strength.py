"""Prints how fast strength tables are built, opened and read.

Run ``python tests/benchmarks/bench_strength.py``. Building cold includes compilation; it and the
warm build run in fresh processes with a cache folder of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import numpy as np

from nlhe_env import equity
from nlhe_env._jit import kernel
from nlhe_env.equity import lookup, store

N_HANDS = 1_000_000
N_WARM = 200  # different hands that fit in the processor's caches
_BUILD = "import nlhe_env.__main__ as m, sys; sys.argv[1:] = ['tables', '--rebuild']; m.main()"


@kernel
def sum_chances(cards, n_board, n_opponents, tables):
    total = 0.0
    for i in range(cards.shape[0]):
        total += lookup.win_chance(
            cards[i, 0], cards[i, 1], cards[i, 2:], n_board, n_opponents, tables
        )
    return total


def seconds(call, repeats=3):
    """The best time of some calls, after one that compiles."""
    call()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return min(times)


def report(what, figure):
    print(f"{what:<44}{figure:>20}", flush=True)


def bench_building():
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NLHE_ENV_CACHE": folder}
        for kind in "cold", "warm":
            started = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", _BUILD], env=environment, check=True, capture_output=True
            )
            elapsed_s = time.perf_counter() - started
            report(f"build all tables, {kind}, whole process", f"{elapsed_s:.2f} s")


def bench_lookups(cards):
    tables = equity.load_tables()
    elapsed_s = seconds(lambda: store.open_tables(equity.tables_file()))
    report("open tables, checksum included", f"{elapsed_s * 1e3:.1f} ms")
    few = np.ascontiguousarray(np.tile(cards[:N_WARM], (N_HANDS // N_WARM, 1)))
    for street, n_board in ("preflop", 0), ("flop", 3), ("turn", 4), ("river", 5):
        for kind, hands in ("random", cards), ("warm", few):
            elapsed_s = seconds(lambda: sum_chances(hands, n_board, 3, tables))  # noqa: B023
            report(f"{street} lookup, {kind}", f"{elapsed_s / N_HANDS * 1e9:.1f} ns")


def main():
    rng = np.random.default_rng(0)
    cards = np.argsort(rng.random((N_HANDS, 52)), axis=1)[:, :7].astype(np.int8)
    bench_lookups(cards)
    bench_building()


if __name__ == "__main__":
    main()
