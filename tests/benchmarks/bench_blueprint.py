"""Iterations a second of blueprint training, and what an iteration is made of.

    python tests/benchmarks/bench_blueprint.py

An iteration deals once and walks once for each player. CPU seconds of one thread, median of several
interleaved runs.
"""

from __future__ import annotations

import statistics
import time

import numpy as np

from agents.books.blueprint.abstraction import Abstraction
from agents.books.blueprint.sampling import Deals
from agents.books.blueprint.training import Training

GAMES = {"limit": Abstraction.limit(), "no-limit, 200 bb": Abstraction.no_limit(200)}
ITERATIONS, REPEATS = 50_000, 5


def rate(work) -> float:
    """Thousands a second."""
    begun = time.process_time()
    work()
    return ITERATIONS / (time.process_time() - begun) / 1000


if __name__ == "__main__":
    trainings = {name: Training(abstraction) for name, abstraction in GAMES.items()}
    deals = Deals(np.zeros((ITERATIONS, 2, 4), np.uint16), np.zeros(ITERATIONS, np.int8))
    found: dict[str, list[float]] = {}
    for repeat in range(REPEATS + 1):
        for name, training in trainings.items():
            learned = rate(lambda training=training: training.solver.run(ITERATIONS))
            dealt = rate(lambda training=training: training.cards.deal(0, deals))
            if repeat:  # the first compiles
                found.setdefault(name, []).append(learned)
                found.setdefault("deals alone", []).append(dealt)
    for name, rates in found.items():
        print(f"{name:20} {statistics.median(rates):8.1f} thousand a second")
