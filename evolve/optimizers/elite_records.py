"""The fitness of elites over all their generations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from nlhe_env.jit.array_types import F64, I64, AnyArray


def centred_ranks(fitness: F64) -> F64:
    """Ranks from −0.5 (worst) to 0.5 (best); equal fitness shares the mean rank.

    >>> centred_ranks(np.array([3.0, 100.0, 3.0, -7.0, 4.0]))
    array([-0.125,  0.5  , -0.125, -0.5  ,  0.25 ])
    """
    _, which, counts = np.unique(fitness, return_inverse=True, return_counts=True)
    below: F64 = (np.cumsum(counts) - 0.5 * (counts + 1))[which]
    return below / (len(fitness) - 1) - 0.5


@dataclass(frozen=True, eq=False)
class EliteRecords:
    """Sums of centred ranks of candidates, and the numbers of generations summed.

    A lucky candidate is an elite for one generation; a good one stays. Its fitness is the sum of
    its centred ranks over their number plus one: their mean, shrunk towards the population's as if
    by one additional average generation.

    Attributes:
        rank_sums: ``(n,)`` sums of centred ranks, -0.5 to 0.5 a generation.
        generations: ``(n,)`` numbers of generations in the sums.
    """

    rank_sums: F64
    generations: I64

    @classmethod
    def none(cls) -> Self:
        """Empty records, before there are elites."""
        return cls(np.zeros(0), np.zeros(0, np.int64))

    def __getitem__(self, rows: I64) -> Self:
        return type(self)(self.rank_sums[rows], self.generations[rows])

    @property
    def fitness(self) -> F64:
        """``(n,)`` fitness of each; larger is better."""
        return np.asarray(self.rank_sums / (self.generations + 1))

    def after_generation(self, fitness: F64, *, first_counts: bool = True) -> Self:
        """Records of all candidates of a generation, which begins with these elites.

        Args:
            fitness: ``(n_candidates,)`` fitness in this generation alone; larger is better.
            first_counts: Whether the first evaluation of a candidate counts, by which it may become
                an elite only because it was lucky.

        >>> first = EliteRecords.none().after_generation(np.array([3.0, 1.0, 2.0]))
        >>> first.fitness
        array([ 0.25, -0.25,  0.  ])
        >>> first[np.array([0])].after_generation(np.array([2.0, 1.0, 3.0])).fitness
        array([ 0.16666667, -0.25      ,  0.25      ])
        """
        n = len(self.rank_sums)
        rank_sums = centred_ranks(fitness)
        generations = np.ones(len(fitness), np.int64)
        if not first_counts:
            rank_sums[n:], generations[n:] = 0.0, 0
        rank_sums[:n] += self.rank_sums
        generations[:n] += self.generations
        return type(self)(rank_sums, generations)

    def to_arrays(self) -> dict[str, AnyArray]:
        """The records as named arrays."""
        return {"rank_sums": self.rank_sums, "generations": self.generations}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray]) -> Self:
        """Records from the arrays of ``to_arrays``."""
        return cls(arrays["rank_sums"], arrays["generations"])
