"""The elites of a genetic algorithm, which survive unchanged and are evaluated again."""

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
    """The best candidates, best first, with the results of their re-evaluations.

    A candidate becomes an elite by high fitness, which may have been luck. As an elite it comes
    first in the next generation, unchanged, and its fitness there has no selection bias. Only these
    re-evaluations decide which candidate is deployed.

    Args:
        size: Number of elites.
        start: ``(n_parameters,)`` parameters deployed before there are elites.
    """

    def __init__(self, size: int, start: F32) -> None:
        self.weights: F32 = np.tile(start, (size, 1))
        self.rank_sums: F64 = np.zeros(size)
        self.evaluations: I64 = np.zeros(size, np.int64)

    def __len__(self) -> int:
        return len(self.weights)

    def select(self, candidates: F32, fitness: F64, *, first_generation: bool) -> None:
        """Makes the candidates with the largest fitness the elites; ties keep their order.

        Args:
            candidates: ``(population, n_parameters)`` candidates; the current elites come first,
                except in the first generation.
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

        The criterion is the sum of centred ranks over their number plus one: the mean, shrunk
        towards the population's as if by one additional average evaluation. So one good
        re-evaluation counts less than many. While no elite has been re-evaluated, the first is
        deployed.
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
        """Restores the elites from ``arrays``."""
        self.weights = arrays["elites"].astype(np.float32)
        self.rank_sums = arrays["elite_rank_sums"].astype(np.float64)
        self.evaluations = arrays["elite_evaluations"].astype(np.int64)
