"""Networks with memory as genomes, such as those of ASHE 1.0 (``AshePlayer``)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

import agents
from agents.policy.compiled_player import CompiledPlayer
from agents.theses.li.ashe1 import AshePlayer, AsheShape, check_shape, count_genes
from agents.theses.li.ashe2 import ModelPlayer
from evolve import seeds
from evolve.genomes import operators
from evolve.genomes.base import ArrayGenomes, GenomeKind, Parents, Variation, resolve_init
from evolve.theses.li.calling_init import calling_genes, calling_scale
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F32, I64, AnyArray

FIRST_DEVIATION = 0.5
CALLS = "calls"


@dataclass(frozen=True, eq=False)
class AsheGenomes(ArrayGenomes):
    """Networks with memory of one shape: ``(n, n_genes)`` float32 rows."""

    player_class: ClassVar[type[AshePlayer] | type[ModelPlayer]] = AshePlayer

    shape: Any

    @classmethod
    def join(cls, *parts: Self) -> Self:
        """All genomes of one or more groups, in order."""
        return cls(np.concatenate([part.rows for part in parts]), parts[0].shape)

    def __getitem__(self, rows: slice | I64) -> Self:
        return type(self)(self.rows[rows], self.shape)

    def pack(self) -> agents.PlayerBatch:
        """The networks as a player batch."""
        return agents.pack_players([self.player_class(row, shape=self.shape) for row in self.rows])

    def player(
        self, i: int, *, name: str, origin: Mapping[str, Any] | None = None
    ) -> CompiledPlayer:
        """One of the genomes as a player."""
        return self.player_class(self.rows[i], shape=self.shape, name=name, origin=origin)


@dataclass(frozen=True, kw_only=True)
class OddEven(Variation):
    """Children with the genes at even positions of one parent, at odd positions of another."""

    gene_mutation_rate: ClassVar[float] = 0.25
    """Mutation probability of each gene of a child."""

    gene_mutation_std: ClassVar[float] = 0.5
    """Standard deviation of a mutation."""

    def children(
        self, parents: Parents[AsheGenomes], n: int, *, rng: np.random.Generator
    ) -> AsheGenomes:
        """Children of two parents each, which may be identical."""
        pairs = [(parents.draw_one(rng), parents.draw_one(rng)) for _ in range(n)]
        if not pairs:
            return parents.genomes[:0]
        kind = type(parents.genomes)
        first, second = (kind.join(*side).rows for side in zip(*pairs, strict=True))
        crossed = operators.cross_odd_even(first, second).astype(np.float64)
        changed = operators.mutate(
            crossed,
            mutation_rate=self.gene_mutation_rate,
            deviation=self.gene_mutation_std,
            rng=rng,
        )
        return kind(changed.astype(np.float32), parents.genomes.shape)


@dataclass(frozen=True, kw_only=True)
class MemoryKind(GenomeKind):
    """Base class of kinds of networks with memory: rows of numbers of one shape."""

    variation = OddEven
    player_class: ClassVar[type[AshePlayer] | type[ModelPlayer]]

    init: str = "zeros"
    """Starting point of numeric optimizers: "zeros"; "calls", for ASHE 1.0, a random network whose
    output checks and calls, with genes in units of their own; or a player of this shape, by name or
    file."""

    inits: ClassVar[tuple[str, ...]] = ("zeros",)

    @property
    @abstractmethod
    def shape(self) -> Any:
        """The shape of all networks of this kind."""

    @property
    @abstractmethod
    def n_genes(self) -> int:
        """Length of a genome."""

    def genome_bytes(self, variation: Any) -> int:
        """Bytes of one genome."""
        return 4 * self.n_genes

    @abstractmethod
    def of_genes(self, rows: F32) -> Any:
        """Networks from ``(n, n_genes)`` genes."""

    def of_numbers(self, rows: F32) -> Any:
        """Networks from ``(n, n_genes)`` numbers of an optimizer."""
        return self.of_genes(rows)

    def none(self) -> Any:
        """An empty batch."""
        return self.of_genes(np.empty((0, self.n_genes), np.float32))

    def first(self, n: int, variation: OddEven, *, rng: np.random.Generator) -> Any:
        """Random networks."""
        genes = rng.normal(0.0, FIRST_DEVIATION, (n, self.n_genes))
        return self.of_genes(genes.astype(np.float32))

    def from_arrays(self, arrays: Mapping[str, AnyArray]) -> Any:
        """Networks from the arrays of ``to_arrays``."""
        return self.of_genes(np.asarray(arrays["rows"], np.float32))

    def check_init(self) -> None:
        """Check that the initial network exists."""
        self.first_numbers(0)

    def first_numbers(self, seed: int) -> F32:
        """``(n_genes,)`` where optimizers of numbers start."""
        if self.init == "zeros":
            return np.zeros(self.n_genes, np.float32)
        return self._initial_genes()

    def _initial_genes(self) -> F32:
        """Genes of the initial player.

        Raises:
            ValueError: The player has another shape or is of another kind.
        """
        try:
            player = agents.make_compiled(self.init)
        except ValueError as error:
            raise ValueError(
                f"init must be {' or '.join(self.inits)}, or a player: {error}"
            ) from error
        if not isinstance(player, self.player_class) or player.shape != self.shape:
            raise ValueError(
                f"init must be a player of the shape {self.shape}; {self.init!r} is not"
            )
        return np.array(player.weights[: self.n_genes], np.float32)


@dataclass(frozen=True, kw_only=True)
class AsheKind(MemoryKind):
    """Recurrent networks that output the amount to put in."""

    player_class = AshePlayer
    player_kind = "ashe-1"
    inits = ("zeros", CALLS)

    game_blocks: int = 10
    """LSTM blocks that are reset with every hand."""

    game_cell: ClassVar[int] = 10
    """Cell size of each of these blocks."""

    opponent_blocks: ClassVar[int] = 1
    """LSTM blocks that are reset with every session."""

    opponent_cell: int = 50
    """Cell size of each of these blocks."""

    decision_units: int = 75
    """Hidden units of the decision network."""

    adjusted: bool = False
    """Raise in half pots; an output below a quarter of the pot is not a raise."""

    sparse: bool = False
    """Show the network only its own decisions and the ends of hands, instead of every action."""

    calling_scale: bool = False
    """Scale genes in the units of the init "calls", from any starting point."""

    def __post_init__(self) -> None:
        for key in ("game_blocks", "opponent_cell", "decision_units"):
            whole_number(key, getattr(self, key), least=1)
        for key in ("adjusted", "sparse", "calling_scale"):
            if not isinstance(getattr(self, key), bool):
                raise ValueError(f"{key} must be true or false; got {getattr(self, key)!r}")
        check_shape(self.shape)
        resolve_init(self, self.init)

    def first_numbers(self, seed: int) -> F32:
        """``(n_genes,)`` where optimizers of numbers start."""
        if self.init == CALLS:
            rng = seeds.generator(seed, seeds.SEARCH_START)
            genes = calling_genes(self.shape, FIRST_DEVIATION, rng)
        else:
            genes = super().first_numbers(seed)
        return genes / calling_scale(self.shape) if self._in_units else genes

    @property
    def _in_units(self) -> bool:
        return self.calling_scale or self.init == CALLS

    @property
    def shape(self) -> AsheShape:
        """The shape of all networks of this kind."""
        return AsheShape(
            self.game_blocks,
            self.game_cell,
            self.opponent_blocks,
            self.opponent_cell,
            self.decision_units,
            int(self.adjusted),
            int(self.sparse),
        )

    @property
    def n_genes(self) -> int:
        """Length of a genome."""
        return count_genes(self.shape)

    def of_genes(self, rows: F32) -> AsheGenomes:
        """Networks from ``(n, n_genes)`` genes."""
        return AsheGenomes(rows, self.shape)

    def of_numbers(self, rows: F32) -> AsheGenomes:
        """Networks from ``(n, n_genes)`` numbers of an optimizer, which may be scaled."""
        return self.of_genes(rows * calling_scale(self.shape) if self._in_units else rows)
