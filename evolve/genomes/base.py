"""Interface of every kind of genome: made, varied, and turned into players."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

import agents
from agents.policy.compiled_player import CompiledPlayer
from evolve.workers import Workers
from nlhe_env.jit.array_types import F32, F64, I64, AnyArray


class Genomes(ABC):
    """Batch of genomes of one kind; a value that never changes."""

    @classmethod
    @abstractmethod
    def join(cls, *parts: Self) -> Self:
        """All genomes of one or more groups, in order."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, rows: slice | I64) -> Self:
        """Selection of them."""

    @abstractmethod
    def key(self, i: int) -> bytes:
        """Bytes that are equal for equal genomes."""

    @abstractmethod
    def pack(self) -> agents.PlayerBatch:
        """The genomes as players of a field, in order."""

    @abstractmethod
    def player(
        self, i: int, *, name: str, origin: Mapping[str, Any] | None = None
    ) -> CompiledPlayer:
        """One of them as a player."""

    @abstractmethod
    def to_arrays(self) -> dict[str, AnyArray]:
        """The genomes as named arrays, for ``GenomeKind.from_arrays``."""

    def prepared_arrays(self) -> dict[str, AnyArray]:
        """More arrays for it: what ``GenomeKind.prepared`` has added, for who plays on with it."""
        return {}

    def towards(self, other: Self, step: float) -> Self:
        """A single genome, moved a step from 0 to 1 towards another.

        Raises:
            ValueError: There is no way between genomes of this kind.
        """
        raise ValueError(f"{type(self).__name__} cannot move towards each other")

    def with_random_bias(self, deviation: float, rng: np.random.Generator) -> agents.PlayerBatch:
        """The same players with a bias of their own each: to fold, to call or to raise.

        Args:
            deviation: How strong the bents are.
            rng: Draws them.

        Raises:
            ValueError: Genomes of this kind have none.
        """
        raise ValueError(f"{type(self).__name__} cannot be biased to fold, call or raise")


@dataclass(frozen=True, eq=False)
class ArrayGenomes(Genomes):
    """Genomes that are the rows of one array; a subclass says how they become players.

    Attributes:
        rows: ``(n, ...)`` the genomes.
    """

    rows: AnyArray

    @classmethod
    def join(cls, *parts: Self) -> Self:
        """All genomes of one or more groups, in order."""
        return cls(np.concatenate([part.rows for part in parts]))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, rows: slice | I64) -> Self:
        return type(self)(self.rows[rows])

    def key(self, i: int) -> bytes:
        """Bytes that are equal for equal genomes."""
        row: bytes = self.rows[i].tobytes()
        return row

    def to_arrays(self) -> dict[str, AnyArray]:
        """The genomes as named arrays."""
        return {"rows": self.rows}


G = TypeVar("G", bound=Genomes)


@dataclass(frozen=True, eq=False)
class Parents(Generic[G]):
    """Genomes that may have children.

    Attributes:
        genomes: The possible parents, best first.
        chances: ``(n,)`` chance of each to be a parent, in any unit; None for equal ones.
        most: Most parents of a child.
        hall: Others that take the place of a parent with ``hall_chance``.
        hall_chance: 0 to 1.
        generation: Generations finished.
    """

    genomes: G
    most: int
    chances: F64 | None = None
    hall: G | None = None
    hall_chance: float = 0.0
    generation: int = 0

    def draw_one(self, rng: np.random.Generator) -> G:
        """A single parent, as one genome."""
        genomes = self.genomes
        hall_chance = self.hall_chance if self.hall is not None and len(self.hall) else 0.0
        if self.hall is not None and hall_chance and rng.random() < hall_chance:
            i = int(rng.integers(len(self.hall)))
            return self.hall[i : i + 1]
        if self.chances is None or not self.chances.any():
            i = int(rng.integers(len(genomes)))
        else:
            i = int(rng.choice(len(genomes), p=self.chances / self.chances.sum()))
        return genomes[i : i + 1]


class Variation(ABC):
    """Way to make children of parents: a frozen dataclass, a section of configurations."""

    @abstractmethod
    def children(self, parents: Parents[Any], n: int, *, rng: np.random.Generator) -> Any:
        """This many children, as genomes."""

    def describe(self, genomes: Any) -> dict[str, float]:
        """Values for a line of metrics about genomes varied in this way, beyond the usual."""
        return {}


class GenomeKind(ABC):
    """A kind of genome with its form: a frozen dataclass, a section of configurations.

    Attributes:
        variation: How it is varied, by optimizers that breed.
    """

    variation: ClassVar[type[Variation]]

    @abstractmethod
    def none(self) -> Any:
        """No genomes, of this kind."""

    @abstractmethod
    def first(self, n: int, variation: Any, *, rng: np.random.Generator) -> Any:
        """The genomes of a first generation."""

    @abstractmethod
    def from_arrays(self, arrays: Mapping[str, AnyArray]) -> Any:
        """The genomes that ``Genomes.to_arrays`` wrote.

        Raises:
            KeyError: An array is missing.
        """

    def genome_bytes(self, variation: Any) -> int:
        """The least memory that a genome takes, counted before one is made."""
        return 0

    def check_start(self) -> None:  # noqa: B027  (most kinds start from no player)
        """Check that the player from which a run is to start is there, and of this kind.

        Only asked when a run starts or goes on: a finished one can be read without that player.

        Raises:
            ValueError: It is not.
        """

    def prepared(
        self, candidates: Any, generation: int, workers: Workers, champion: Any = None
    ) -> Any:
        """The candidates of a generation as they play, after what each does alone before.

        Args:
            candidates: Genomes of this kind.
            generation: Counted from 1.
            workers: Workers that play, if there is something to play.
            champion: The one of the generation before, a single genome; None in the first.
        """
        return candidates

    def first_numbers(self, seed: int) -> F32:
        """``(n_parameters,)`` where optimizers of numbers start.

        Raises:
            ValueError: Genomes of this kind are no rows of numbers.
        """
        raise ValueError(f"{type(self).__name__} is for optimizers that breed")

    def of_numbers(self, rows: F32) -> Any:
        """Genomes of ``(n, n_parameters)`` numbers, for optimizers of numbers."""
        raise ValueError(f"{type(self).__name__} is for optimizers that breed")


def settle_start(kind: GenomeKind, start: str) -> None:
    """Keep the file of a player by its whole path, the same in whatever folder the run is read.

    Whether it is there matters when a run starts; other names are checked at once.

    Raises:
        ValueError: There is nothing to start from by this name.
    """
    if not isinstance(start, str):
        raise ValueError(
            f"start must be a way to start, or a player by its name or file; got {start!r}"
        )
    if start.endswith(".npz"):
        object.__setattr__(kind, "start", str(Path(start).absolute()))
    else:
        kind.check_start()
