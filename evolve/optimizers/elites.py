"""The elites of a genetic algorithm, who survive unchanged and are evaluated again."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from nlhe_env.jit.array_types import F32, F64, I64, AnyArray


def centred_ranks(fitness: F64) -> F64:
    """Ranks from −0.5 (worst) to 0.5 (best); equal fitness shares the mean rank.

    >>> centred_ranks(np.array([3.0, 100.0, 3.0, -7.0, 4.0]))
    array([-0.125,  0.5  , -0.125, -0.5  ,  0.25 ])
    """
    ranks: F64 = (rankdata(fitness) - 1.0) / (len(fitness) - 1) - 0.5
    return ranks


class Elites:
    """The best candidates, best first, with what their re-evaluations said.

    A candidate becomes an elite by a fitness that was good, lucky or both. As an elite it stands
    unchanged at the head of the next generation, and the fitness it gets there is no longer chosen
    for being large. Only these re-evaluations decide who is deployed.

    Args:
        size: Number of elites.
        start: ``(n_parameters,)`` deployed before there are any.
    """

    def __init__(self, size: int, start: F32) -> None:
        self.weights: F32 = np.tile(start, (size, 1))
        self.rank_sums: F64 = np.zeros(size)
        self.evaluations: I64 = np.zeros(size, np.int64)

    def __len__(self) -> int:
        return len(self.weights)

    def select(self, candidates: F32, fitness: F64, *, first_generation: bool) -> None:
        """Makes the candidates of largest fitness the elites; ties keep the old order.

        Args:
            candidates: ``(population, n_parameters)``; the present elites come first, except in
                the first generation.
            fitness: ``(population,)`` larger is better.
            first_generation: No candidate is an elite yet.
        """
        rank_sums = np.zeros(len(candidates))
        evaluations = np.zeros(len(candidates), np.int64)
        if not first_generation:
            n = len(self)
            rank_sums[:n] = self.rank_sums + centred_ranks(fitness)[:n]
            evaluations[:n] = self.evaluations + 1
        best = np.argsort(-fitness, kind="stable")[: len(self)]
        self.weights = candidates[best]
        self.rank_sums, self.evaluations = rank_sums[best], evaluations[best]

    def recommend(self) -> F32:
        """The elite with the best re-evaluations.

        Best is the sum of its centred ranks over one more than their number: the mean, drawn
        towards that of the population as by one more, average, evaluation. So a single good one
        counts for less than many. While no elite has been re-evaluated, the first is deployed.
        """
        scores = np.where(self.evaluations > 0, self.rank_sums / (self.evaluations + 1), -np.inf)
        chosen: F32 = self.weights[int(np.argmax(scores))]
        return chosen.copy()

    def arrays(self) -> dict[str, AnyArray]:
        """The elites as arrays."""
        return {
            "elites": self.weights,
            "elite_rank_sums": self.rank_sums,
            "elite_evaluations": self.evaluations,
        }

    def put(self, arrays: dict[str, AnyArray]) -> None:
        """Takes over what ``arrays`` gave."""
        self.weights = arrays["elites"].astype(np.float32)
        self.rank_sums = arrays["elite_rank_sums"].astype(np.float64)
        self.evaluations = arrays["elite_evaluations"].astype(np.int64)
