"""Decisions per second in compiled tournaments beside the bare forward pass of the same networks.

    python tests/benchmarks/bench_tournaments.py [--players 1000] [--tournaments 60] [--rounds 5]

Every seat holds a 35-20-5 network of its own. The forward pass takes the networks in an order that
looks random, as the tournaments do, with inputs of the size of one decision, up to 1. CPU seconds
of the thread.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from harness import medians, options, seconds

import agents
import nlhe_env
from agents.players.networks import pack_networks
from agents.players.networks.network import N_WEIGHTS, OUTPUT_SPACE, forward
from nlhe_env.equity import load_tables
from nlhe_env.jit.compilation import kernel

N_PASSES = 1_000_000


@kernel
def forward_passes(weights, inputs, outputs, n):
    """Passes through the networks one after another; the sum keeps them from being left out."""
    total = np.float32(0.0)
    network = 0
    for i in range(n):
        network = (network + 7919) % len(weights)
        inputs[3] = np.float32(i & 15)
        forward(weights[network], inputs, outputs)
        total += outputs[2]
    return total


def main() -> None:
    given = options(__doc__, players=1000, tournaments=60, rounds=5)
    tables = load_tables()
    weights = np.random.default_rng(0).normal(0, 0.5, (given.players, N_WEIGHTS))
    weights = weights.astype(np.float32)
    batch = pack_networks(weights)
    game = nlhe_env.Game.tournament()
    inputs = np.random.default_rng(1).random(35).astype(np.float32)
    outputs = np.zeros(OUTPUT_SPACE, np.float32)

    def play(first: int) -> agents.Tally:
        tournaments = agents.Tournaments(given.tournaments, first)
        return agents.play(batch, tournaments, game, seed=1, tables=tables)

    result = play(0)

    def passes() -> float:
        forward = partial(forward_passes, batch.arrays.weights, inputs, outputs, N_PASSES)
        return N_PASSES / seconds(forward, time.thread_time)

    def decisions() -> float:
        return result.decisions / seconds(lambda: play(0), time.thread_time)

    def wall_s(n_threads: int) -> float:
        both = range(0, 2 * given.tournaments, given.tournaments)
        with ThreadPoolExecutor(n_threads) as executor:
            return seconds(lambda: list(executor.map(play, both)), time.perf_counter)

    measures = {
        "passes": passes,
        "decisions": decisions,
        "scaling": lambda: wall_s(1) / wall_s(2),
    }
    bare, rate, scaling = medians(measures, given.rounds).values()
    per_decision = result.hands / result.decisions
    print(f"players                           {given.players:>14,}")
    print(f"forward passes per second         {bare:>14,.0f}   ({1e9 / bare:.0f} ns)")
    print(f"decisions per second and core     {rate:>14,.0f}   ({1e9 / rate:.0f} ns)")
    print(f"ratio to forward passes           {rate / bare:>14.2f}")
    print(f"hands per second and core         {rate * per_decision:>14,.0f}")
    tournaments = rate / result.decisions * given.tournaments
    print(f"tournaments per second and core   {tournaments:>14.1f}")
    print(f"two threads against one           {scaling:>14.2f}")


if __name__ == "__main__":
    main()
