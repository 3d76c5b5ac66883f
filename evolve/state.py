"""What a run carries from one generation to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evolve.hall_of_fame import HallOfFame
from nlhe_env._types import F32


@dataclass(frozen=True, eq=False)
class State:
    """A run after some generation; the next one follows from this and the configuration alone.

    Attributes:
        generation: Number of generations finished.
        population: ``(population, n_weights)`` networks of that generation, best first; empty
            before the first.
        hall: The hall of fame that the next generation meets.
        champions: ``(generation, n_weights)`` best network of every generation so far.
    """

    generation: int
    population: F32
    hall: HallOfFame
    champions: F32

    @classmethod
    def before_first(cls, n_weights: int) -> State:
        """The state of a run that has not begun."""
        none = np.empty((0, n_weights), np.float32)
        return cls(0, none, HallOfFame.empty(n_weights), none)
