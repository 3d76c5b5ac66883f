"""The fitness of elites over all their generations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from evolve.optimizers.elites import centred_ranks
from nlhe_env.jit.array_types import F64, I64, AnyArray


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

    def after_generation(self, fitness: F64) -> Self:
        """Records of all candidates of a generation, which begins with these elites.

        Args:
            fitness: ``(n_candidates,)`` fitness in this generation alone; larger is better.

        >>> first = EliteRecords.none().after_generation(np.array([3.0, 1.0, 2.0]))
        >>> first.fitness
        array([ 0.25, -0.25,  0.  ])
        >>> first[np.array([0])].after_generation(np.array([2.0, 1.0, 3.0])).fitness
        array([ 0.16666667, -0.25      ,  0.25      ])
        """
        rank_sums = centred_ranks(fitness)
        generations = np.ones(len(fitness), np.int64)
        rank_sums[: len(self.rank_sums)] += self.rank_sums
        generations[: len(self.rank_sums)] += self.generations
        return type(self)(rank_sums, generations)

    def to_arrays(self) -> dict[str, AnyArray]:
        """The records as named arrays."""
        return {"rank_sums": self.rank_sums, "generations": self.generations}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray]) -> Self:
        """Records from the arrays of ``to_arrays``."""
        return cls(arrays["rank_sums"], arrays["generations"])
