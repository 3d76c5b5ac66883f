"""Networks with memory as genomes, such as those of ASHE 1.0 (``AshePlayer``)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

import agents
from agents.players.networks.lstm_blocks import GATES, count_block_weights
from agents.players.networks.lstm_modules import N_INPUTS, OPPONENTS_CHIPS, OWN_CHIPS
from agents.policy.compiled_player import CompiledPlayer
from agents.theses.li.ashe1 import AshePlayer, AsheShape, check_shape, count_genes
from agents.theses.li.ashe2 import ModelPlayer
from evolve import seeds
from evolve.genomes import operators
from evolve.genomes.base import ArrayGenomes, GenomeKind, Parents, Variation, resolve_init
from nlhe_env.arguments import whole_number
from nlhe_env.game.table import PREFLOP
from nlhe_env.jit.array_types import F32, F64, I64, AnyArray

FIRST_DEVIATION = 0.5
CALLS = "calls"
_ENTER, _KEEP, _LEAVE = 1, 2, 3
"""Gates; 0 is the block input."""
_OPEN = 8.0
"""Input of an open gate; the negative for a closed gate."""
_SHUT_PREFLOP = (-15.0, -9.0)
"""Weights that close the output gates of random cells before the flop, in the game module and in
the opponent module, whose memory may become useful there."""
_RATIO = 1.55
"""Aggression in units of the amount to call: between 1 and 2."""
_STEEP_FROM, _STEEP_TO = 0.55, 0.65
"""Shares of the stack at which a second unit raises the aggression, because tanh saturates."""
_HIDDEN_DEVIATION = 0.3
"""Standard deviation of the weights to all other hidden units."""

_BAND_UNIT = 0.01
"""Scale of the genes of the band."""
_OUTPUT_UNIT = 0.1
"""Scale of the weights from all other hidden units to the output; other genes have 1."""


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
            genes = _calling_genes(self.shape, FIRST_DEVIATION, rng)
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


class _Module(NamedTuple):
    """Views of the weights of a module, by blocks."""

    links: F64
    """``(blocks, inputs and own outputs, gates, cell)``"""
    biases: F64
    """``(blocks, gates, cell)``"""
    peepholes: F64
    """``(blocks, 3, cell)``"""


class _Parts(NamedTuple):
    """Views of all parts of a genome, in order."""

    game: _Module
    opponent: _Module
    links: F64
    """``(cells, hidden units)``"""
    biases: F64
    """``(hidden units,)``"""
    outputs: F64
    """``(hidden units,)`` weights to the output"""
    output_bias: F64
    """``(1,)``"""
    first_cells: F64
    """``(cells,)``"""


def _calling_genes(shape: AsheShape, deviation: float, rng: np.random.Generator) -> F32:
    """``(n_genes,)`` genome of a network that checks and calls in any state of its memory.

    ASHE 1.0 calls if its aggression, times the stack, is at least the amount to call and less than
    twice that: before the flop, against a raise to three big blinds, between 0.01 and 0.02. Hardly
    any random network does so, nor do networks of zeros. They fold or go all-in, and small steps
    from there never lead to calling. Here the search starts in this band: one cell holds the amount
    to call, and two hidden units compute the aggression from it. (If little would be left after a
    call, the network goes all-in.) All other units are random as in a first generation, but have
    zero weight at the output, and before the flop their output gates are closed, so that learning
    on later streets does not disturb the narrow band.

    Args:
        shape: Shape of the network.
        deviation: Standard deviation of the random weights of the modules.
        rng: Random generator.

    Raises:
        ValueError: There are fewer than two hidden units.
    """
    if shape.hidden < 2:
        raise ValueError('init "calls" needs at least 2 decision_units')
    genes = rng.normal(0.0, deviation, count_genes(shape))
    parts = _split(genes, shape)
    for module, shut in zip((parts.game, parts.opponent), _SHUT_PREFLOP, strict=True):
        module.links[:, PREFLOP, _LEAVE] = shut
        module.biases[:, _LEAVE] = 1.0
    _carry_what_there_is_to_call(parts.game)
    parts.links[:] = rng.normal(0.0, _HIDDEN_DEVIATION, parts.links.shape)
    parts.links[:, :2] = parts.biases[:] = parts.outputs[:] = 0.0
    # The first unit is for small amounts relative to the stack, the second for most of it.
    low, high = (np.tanh(np.tanh(x)) for x in (_STEEP_FROM, _STEEP_TO))
    steepness = 1.5 / (high - low)
    parts.links[0, :2] = 1.0, steepness
    parts.biases[1] = -steepness * low
    parts.outputs[:2] = _RATIO, 1.0
    parts.output_bias[:] = -np.tanh(parts.biases[1])  # nothing to call: no aggression
    parts.first_cells[0] = 0.0
    return genes.astype(np.float32)


def calling_scale(shape: AsheShape) -> F32:
    """``(n_genes,)`` scales of the genes for numeric optimizers, which start from such a network.

    The few genes of the band tolerate only small steps, with which the many others learn little.
    A step of 0.03 changes the genes of the band by 0.0003, the weights from other hidden units to
    the output by 0.003, and all other genes by 0.03.
    """
    units = np.ones(count_genes(shape))
    parts = _split(units, shape)
    for weights in parts.game:
        weights[0, ..., 0] = _BAND_UNIT
    parts.links[0] = parts.links[:, :2] = _BAND_UNIT
    parts.biases[:] = parts.output_bias[:] = parts.first_cells[0] = _BAND_UNIT
    parts.outputs[:] = _OUTPUT_UNIT
    parts.outputs[:2] = _BAND_UNIT
    return units.astype(np.float32)


def _split(genes: F64, shape: AsheShape) -> _Parts:
    """The parts of a genome."""
    game, after = _module(genes, shape.game_blocks, shape.game_cell)
    opponent, after = _module(after, shape.opponent_blocks, shape.opponent_cell)
    lengths = (shape.cells * shape.hidden, shape.hidden, shape.hidden, 1)
    links, biases, outputs, output_bias, first_cells = np.split(after, np.cumsum(lengths))
    return _Parts(
        game,
        opponent,
        links.reshape(shape.cells, shape.hidden),
        biases,
        outputs,
        output_bias,
        first_cells,
    )


def _module(genes: F64, blocks: int, cell: int) -> tuple[_Module, F64]:
    """The module at the start of the genes, and the remaining genes."""
    length, units = count_block_weights(N_INPUTS, cell), GATES * cell
    own = genes[: blocks * length].reshape(blocks, length)
    biases = (N_INPUTS + cell) * units
    module = _Module(
        own[:, :biases].reshape(blocks, -1, GATES, cell),
        own[:, biases : biases + units].reshape(blocks, GATES, cell),
        own[:, biases + units :].reshape(blocks, 3, cell),
    )
    assert all(np.shares_memory(part, genes) for part in module)
    return module, genes[blocks * length :]


def _carry_what_there_is_to_call(game: _Module) -> None:
    """Makes the first cell hold exactly the difference of both players' chips in the pot."""
    links, biases, peepholes = game.links[0, :, :, 0], game.biases[0, :, 0], game.peepholes[0, :, 0]
    links[:] = peepholes[:] = 0.0
    links[OPPONENTS_CHIPS, 0], links[OWN_CHIPS, 0] = 1.0, -1.0
    biases[0], biases[[_ENTER, _KEEP, _LEAVE]] = 0.0, (_OPEN, -_OPEN, _OPEN)
