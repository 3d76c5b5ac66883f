"""Iterations a second of blueprint training, and what an iteration is made of.

    python tests/benchmarks/bench_blueprint.py

An iteration deals once and walks once for each player. CPU seconds of one thread, median of several
interleaved runs.
"""

from functools import partial

import numpy as np
from harness import medians, seconds

from agents.books.blueprint.abstraction import Abstraction
from agents.books.blueprint.sampled_walk import SampledDeals
from agents.books.blueprint.training import Training

GAMES = {"limit": Abstraction.limit(), "no-limit, 200 bb": Abstraction.no_limit(200)}
ITERATIONS, REPEATS = 50_000, 5


def measure(work):
    """What returns thousands of iterations a second."""
    return lambda: ITERATIONS / seconds(work) / 1000


if __name__ == "__main__":
    trainings = {name: Training(abstraction) for name, abstraction in GAMES.items()}
    deals = SampledDeals(np.zeros((ITERATIONS, 2, 4), np.uint16), np.zeros(ITERATIONS, np.int8))
    measures = {name: measure(partial(t.solver.run, ITERATIONS)) for name, t in trainings.items()}
    cards = trainings["limit"].cards
    measures["deals alone"] = measure(lambda: cards.deal(0, deals))
    for name, rate in medians(measures, REPEATS).items():
        print(f"{name:20} {rate:8.1f} thousand per second")
