"""What a run carries from one generation to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evolve.genomes.networks import Networks
from evolve.opponents.hall_of_fame import HallOfFame
from evolve.training.config import RunConfig
from evolve.training.rollback import Memory
from nlhe_env.machine.array_types import F64, AnyArray


@dataclass(frozen=True, eq=False)
class SubPopulation:
    """A part of the population that breeds apart.

    Attributes:
        networks: Its networks in the generation that has finished, best first; none before the
            first.
        chances: Chance of each of them to be a parent of the next generation, in any unit; empty
            if the elites are, with equal chances.
        hall: The hall of fame that the next generation meets.
        champions: Champion of every generation so far.
        memory: What it may go back to.
    """

    networks: Networks
    chances: F64
    hall: HallOfFame
    champions: Networks
    memory: Memory


@dataclass(frozen=True, eq=False)
class State:
    """A run after some generation; the next one follows from this and the configuration alone.

    Attributes:
        generation: Number of generations finished.
        sub_populations: At least one.
        best: Index of the sub-population whose champion is the best of all.
    """

    generation: int
    sub_populations: tuple[SubPopulation, ...]
    best: int = 0

    @classmethod
    def before_first(cls, config: RunConfig) -> State:
        """The state of a run that has not begun."""
        none = Networks.none(len(config.hidden), config.inputs)
        start = SubPopulation(none, np.empty(0), HallOfFame.empty(none), none, Memory.none(none))
        return cls(0, (start,) * config.sub_populations)

    def to_arrays(self) -> dict[str, AnyArray]:
        """The state as named arrays."""
        arrays: dict[str, AnyArray] = {
            "generation": np.array(self.generation),
            "best": np.array(self.best),
        }
        for i, sub in enumerate(self.sub_populations, 1):
            parts = {
                "population": sub.networks,
                "hall": sub.hall.networks,
                "champions": sub.champions,
                "memory": sub.memory.networks,
            }
            for name, networks in parts.items():
                arrays[f"{i}_{name}_weights"] = networks.weights
                arrays[f"{i}_{name}_hidden"] = networks.hidden
            arrays[f"{i}_chances"] = sub.chances
            arrays[f"{i}_hall_entered"] = sub.hall.entered
            arrays[f"{i}_memory_chances"] = sub.memory.chances
            arrays[f"{i}_memory_generation"] = np.array(sub.memory.generation)
            arrays[f"{i}_memory_advantage"] = np.array(sub.memory.advantage)
            arrays[f"{i}_memory_behind"] = np.array(sub.memory.behind)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], config: RunConfig) -> State:
        """The state that ``to_arrays`` wrote in a run of the same configuration.

        Raises:
            KeyError: An array is missing.
        """

        def read(i: int) -> SubPopulation:
            def networks(name: str) -> Networks:
                return Networks(
                    arrays[f"{i}_{name}_weights"], arrays[f"{i}_{name}_hidden"], config.inputs
                )

            return SubPopulation(
                networks("population"),
                arrays[f"{i}_chances"],
                HallOfFame(networks("hall"), arrays[f"{i}_hall_entered"]),
                networks("champions"),
                Memory(
                    networks("memory"),
                    arrays[f"{i}_memory_chances"],
                    int(arrays[f"{i}_memory_generation"]),
                    float(arrays[f"{i}_memory_advantage"]),
                    int(arrays[f"{i}_memory_behind"]),
                ),
            )

        subs = tuple(read(i) for i in range(1, config.sub_populations + 1))
        return cls(int(arrays["generation"]), subs, int(arrays["best"]))
