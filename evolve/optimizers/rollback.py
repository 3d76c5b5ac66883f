"""Rollback when the hall of fame stays ahead, against forgetting.

G. Nicolai's thesis (University of Regina, 2008, section 6.2) suggests that the hall of fame should
also help to reset a population. Our reading: after each generation the mean fitness of the elites
is compared with that of the best members of the hall, of equal number. When the hall has been
better for some generations in a row, the sub-population returns to the generation whose elites were
furthest ahead, and continues from there with other random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from evolve.genomes.base import GenomeKind, Genomes
from nlhe_env.jit.array_types import F64, AnyArray


@dataclass(frozen=True, eq=False)
class Rollback:
    """Checkpoint of a sub-population for a rollback.

    Attributes:
        genomes: The sub-population, best first, when its elites were furthest ahead of the hall;
            empty before the first comparison.
        chances: Its parent probabilities; empty if only elites are parents.
        generation: Generation of the checkpoint; 0 for none.
        advantage: Lead of these elites over the hall, in units of the fitness.
        behind: Number of consecutive generations with the hall ahead.
    """

    genomes: Genomes
    chances: F64
    generation: int = 0
    advantage: float = -np.inf
    behind: int = 0

    @classmethod
    def none(cls, genomes: Genomes) -> Rollback:
        """Rollback without a saved state, for genomes of a kind."""
        return cls(genomes[:0], np.empty(0))

    def after_generation(
        self, generation: int, *, genomes: Genomes, chances: F64, elites: F64, hall: F64
    ) -> Rollback:
        """The rollback after comparing another generation.

        Args:
            generation: Its number.
            genomes: The sub-population, best first.
            chances: Its parent probabilities.
            elites: Fitness costs of its elites; smaller is better.
            hall: Costs of the members of the hall, in any order; if empty, nothing is compared.
        """
        if not len(hall):
            return self
        advantage = float(np.sort(hall)[: len(elites)].mean() - elites.mean())
        behind = self.behind + 1 if advantage < 0 else 0
        if advantage <= self.advantage:
            return replace(self, behind=behind)
        return Rollback(genomes, chances, generation, advantage, behind)

    def is_due(self, patience: int) -> bool:
        """Whether the hall has been ahead for ``patience`` generations in a row."""
        return 0 < patience <= self.behind

    def started_again(self) -> Rollback:
        """The rollback state after going back."""
        return replace(self, behind=0)

    def to_arrays(self) -> dict[str, AnyArray]:
        """The rollback state as named arrays."""
        return {
            **self.genomes.to_arrays(),
            "chances": self.chances,
            "generation": np.array(self.generation),
            "advantage": np.array(self.advantage),
            "behind": np.array(self.behind),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], kind: GenomeKind) -> Rollback:
        """Rollback state from the arrays of ``to_arrays``."""
        return cls(
            kind.from_arrays(arrays),
            arrays["chances"],
            int(arrays["generation"]),
            float(arrays["advantage"]),
            int(arrays["behind"]),
        )
