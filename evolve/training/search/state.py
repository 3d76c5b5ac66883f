"""What a search carries from one generation to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evolve.genomes.networks import Networks
from evolve.opponents.pool import OpponentPool
from evolve.optimizers import Optimizer
from evolve.training.search.config import SearchConfig
from nlhe_env.machine.array_types import F32, I64, AnyArray


@dataclass(frozen=True, eq=False)
class SearchState:
    """A search after some generation; the next one follows from this and the configuration alone.

    Attributes:
        generation: Number of generations finished.
        hands: Hands played for training.
        optimizer: Who has been told about this generation. It changes in place.
        pool: Earlier and named players, and the results against them.
        rivals: Best candidates of this generation, best first.
        champions: The deployable players that were tested, in order.
        tested: ``(n_champions,)`` generations after which.
    """

    generation: int
    hands: int
    optimizer: Optimizer
    pool: OpponentPool
    rivals: Networks
    champions: Networks
    tested: I64

    @classmethod
    def before_first(cls, config: SearchConfig) -> SearchState:
        """The state of a search that has not begun."""
        optimizer = config.make_optimizer()
        start = as_networks(optimizer.deployable(), config)
        named = config.named if config.named_share else ()
        return cls(
            generation=0,
            hands=0,
            optimizer=optimizer,
            pool=OpponentPool.empty(start, named=named),
            rivals=start,
            champions=start[:0],
            tested=np.empty(0, np.int64),
        )

    def to_arrays(self) -> dict[str, AnyArray]:
        """The state as named arrays."""
        parts = {"optimizer": self.optimizer.state(), "pool": self.pool.to_arrays()}
        arrays: dict[str, AnyArray] = {
            f"{part}_{name}": array
            for part, found in parts.items()
            for name, array in found.items()
        }
        return arrays | {
            "generation": np.array(self.generation),
            "hands": np.array(self.hands),
            "rivals": self.rivals.weights,
            "champions": self.champions.weights,
            "tested": self.tested,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], config: SearchConfig) -> SearchState:
        """The state that ``to_arrays`` wrote in a search of the same configuration.

        Raises:
            KeyError: An array is missing.
            ValueError: The arrays do not fit the optimizer.
        """

        def part(name: str) -> dict[str, AnyArray]:
            begin = f"{name}_"
            return {
                key.removeprefix(begin): array
                for key, array in arrays.items()
                if key.startswith(begin)
            }

        optimizer = config.make_optimizer()
        optimizer.restore(part("optimizer"))
        return cls(
            generation=int(arrays["generation"]),
            hands=int(arrays["hands"]),
            optimizer=optimizer,
            pool=OpponentPool.from_arrays(part("pool")),
            rivals=as_networks(arrays["rivals"], config),
            champions=as_networks(arrays["champions"], config),
            tested=np.asarray(arrays["tested"], np.int64),
        )


def as_networks(weights: F32 | AnyArray, config: SearchConfig) -> Networks:
    """Genomes, or a single one, as networks of the shape that a search trains."""
    genomes = np.atleast_2d(np.asarray(weights, np.float32))
    return Networks.of_shape(genomes, config.hidden, config.inputs)
