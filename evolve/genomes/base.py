"""Interface of genome kinds: creation, variation, and conversion to players."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

import agents
from agents.match.workers.base import Workers
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import find_kind
from evolve.compatibility import check_batch
from evolve.parts import Part
from nlhe_env.jit.array_types import F32, F64, I64, AnyArray


class Genomes(ABC):
    """Immutable batch of genomes of one kind."""

    @classmethod
    @abstractmethod
    def join(cls, *parts: Self) -> Self:
        """All genomes of one or more groups, in order."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, rows: slice | I64) -> Self:
        """Selects genomes by a slice or an index array."""

    @abstractmethod
    def key(self, i: int) -> bytes:
        """Bytes that are equal for equal genomes."""

    def missing_from(self, others: Genomes) -> I64:
        """Indices of distinct genomes that are not among others."""
        seen = {others.key(i) for i in range(len(others))}
        chosen = []
        for i in range(len(self)):
            key = self.key(i)
            if key not in seen:
                seen.add(key)
                chosen.append(i)
        return np.array(chosen, np.int64)

    @abstractmethod
    def pack(self) -> agents.PlayerBatch:
        """The genomes as a player batch, in order."""

    @abstractmethod
    def player(
        self, i: int, *, name: str, origin: Mapping[str, Any] | None = None
    ) -> CompiledPlayer:
        """One of the genomes as a player."""

    @abstractmethod
    def to_arrays(self) -> dict[str, AnyArray]:
        """The genomes as named arrays, for ``GenomeKind.from_arrays``."""

    def prepared_arrays(self) -> dict[str, AnyArray]:
        """Additional arrays for ``GenomeKind.from_arrays``, from ``GenomeKind.prepared``."""
        return {}

    def towards(self, other: Self, step: float) -> Self:
        """A single genome, moved towards another by a step from 0 to 1.

        Raises:
            ValueError: Genomes of this kind have no intermediate genomes.
        """
        raise ValueError(f"{type(self).__name__} cannot move towards each other")

    def with_random_bias(self, deviation: float, rng: np.random.Generator) -> agents.PlayerBatch:
        """Copies of the players, each with a random bias to fold, call or raise.

        Args:
            deviation: Standard deviation of the bias.
            rng: Random generator.

        Raises:
            ValueError: This kind does not support a bias.
        """
        raise ValueError(f"{type(self).__name__} cannot be biased to fold, call or raise")


@dataclass(frozen=True, eq=False)
class ArrayGenomes(Genomes):
    """Genomes as rows of one array; a subclass defines the conversion to players.

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
    """Possible parents of children.

    Attributes:
        genomes: The possible parents, best first.
        chances: ``(n,)`` relative selection probability of each parent; None for equal ones.
        most: Maximum number of parents per child.
        hall: Hall members, each of which replaces a parent with probability ``hall_chance``.
        hall_chance: Probability from 0 to 1.
        drawn: For logs, indices of the parents in ``genomes`` for every child so far; negative ones
            are hall members (-1 is the first). Variations fill it if they know the parents.
    """

    genomes: G
    most: int
    chances: F64 | None = None
    hall: G | None = None
    hall_chance: float = 0.0
    drawn: list[tuple[int, ...]] = field(default_factory=list)

    def draw_one(self, rng: np.random.Generator, *, alone: bool = False) -> G:
        """A random parent, as a batch of one genome.

        Args:
            rng: Random generator.
            alone: Whether it is the only parent of the next child, to be recorded in ``drawn``.
        """
        hall_chance = self.hall_chance if self.hall is not None and len(self.hall) else 0.0
        if self.hall is not None and hall_chance and rng.random() < hall_chance:
            i = int(rng.integers(len(self.hall)))
            if alone:
                self.drawn.append((-1 - i,))
            return self.hall[i : i + 1]
        i = self.draw_place(rng)
        if alone:
            self.drawn.append((i,))
        return self.genomes[i : i + 1]

    def draw_place(self, rng: np.random.Generator) -> int:
        """Index of a random parent among the genomes."""
        if self.chances is None or not self.chances.any():
            return int(rng.integers(len(self.genomes)))
        return int(rng.choice(len(self.genomes), p=self.chances / self.chances.sum()))


class Variation(ABC):
    """Method for creating children from parents: a frozen dataclass and configuration section."""

    @abstractmethod
    def children(self, parents: Parents[Any], n: int, *, rng: np.random.Generator) -> Any:
        """The given number of children, as genomes."""

    def describe(self, genomes: Any) -> dict[str, float]:
        """Additional metrics of genomes with this variation."""
        return {}


class GenomeKind(Part):
    """A genome kind with its shape: a frozen dataclass and configuration section.

    Attributes:
        variation: Variation operator for optimizers that breed.
        player_kind: Name of the kind of its players, by which a configuration is checked against
            its game; empty if only a run itself can check that.
    """

    section = "genomes"
    variation: ClassVar[type[Variation]]
    player_kind: ClassVar[str] = ""

    def check_partners(self, config: Any) -> None:
        """Check that the players support the game of the run and that of the closing tournaments.

        A kind of player that is not named here is first seen when the run starts.
        """
        super().check_partners(config)
        if self.player_kind:
            batch = replace(agents.pack_players([]), kinds=(find_kind(self.player_kind),))
            self.check_players(batch, config)

    def check_players(self, players: agents.PlayerBatch, config: Any) -> None:
        """Check that players of this kind support the games of a configuration.

        Raises:
            ValueError: They do not; the message says why.
        """
        name, game, closing = f"genomes {config.kind('genomes')!r}", config.game, config.compared_in
        check_batch(name, players, game.make(), seats=game.table_size)
        if config.progress.progress_tournaments and closing is not game:
            name = f"progress_tournaments must be 0: {name}"
            check_batch(name, players, closing.make(), seats=closing.table_size)

    @classmethod
    def is_numeric(cls) -> bool:
        """Whether genomes are rows of numbers, for optimizers that do not breed."""
        return cls.first_numbers is not GenomeKind.first_numbers

    @abstractmethod
    def none(self) -> Any:
        """An empty batch of this kind."""

    @abstractmethod
    def first(self, n: int, variation: Any, *, rng: np.random.Generator) -> Any:
        """Genomes of a first generation."""

    @abstractmethod
    def from_arrays(self, arrays: Mapping[str, AnyArray]) -> Any:
        """Genomes from the arrays of ``Genomes.to_arrays``.

        Raises:
            KeyError: An array is missing.
        """

    def genome_bytes(self, variation: Any) -> int:
        """Minimum memory of a genome, computed before allocation."""
        return 0

    def check_init(self) -> None:
        """Check that a run's initial player exists and is of this kind.

        This is checked only when a run starts or continues; reading a finished run does not need
        the player.

        Raises:
            ValueError: The player does not exist or is of another kind.
        """

    def unprepared(self, genomes: Any) -> Any:
        """Genomes whose players support the same games, without costly preparation."""
        return genomes

    def prepared(
        self, candidates: Any, generation: int, workers: Workers, champion: Any = None
    ) -> Any:
        """The candidates of a generation after individual preparation, ready to play.

        Args:
            candidates: Genomes of this kind.
            generation: Number of the generation, from 1.
            workers: Workers for games of the preparation.
            champion: Champion of the previous generation, a batch of one; None in the first.
        """
        return candidates

    def first_numbers(self, seed: int) -> F32:
        """``(n_parameters,)`` initial parameters for numeric optimizers.

        Raises:
            ValueError: Genomes of this kind are not rows of numbers.
        """
        raise ValueError(f"{type(self).__name__} is for optimizers that breed")

    def of_numbers(self, rows: F32) -> Any:
        """Genomes from ``(n, n_parameters)`` numbers, for numeric optimizers."""
        raise ValueError(f"{type(self).__name__} is for optimizers that breed")


def resolve_init(kind: GenomeKind, init: str) -> None:
    """Make the path of an initial player file absolute, so that it is valid in any folder.

    The existence of the file is checked when a run starts; other names are checked at once.

    Raises:
        ValueError: There is no initial player of this name.
    """
    if not isinstance(init, str):
        raise ValueError(
            f"init must be a named initialisation, or the name or file of a player; got {init!r}"
        )
    if init.endswith(".npz"):
        object.__setattr__(kind, "init", str(Path(init).absolute()))
    else:
        kind.check_init()
