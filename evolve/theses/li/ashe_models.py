"""Estimators over trees as genomes: ASHE 2.0 to 2.3 (``agents.theses.li.ashe2.ModelPlayer``)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np

import agents
from agents.match.workers.base import Workers
from agents.match.workers.chunks import run_chunks
from agents.policy.compiled_player import CompiledPlayer
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.preliminary_session import fill_default_trees, player_without_trees
from agents.theses.li.shape import (
    LEVELS,
    PRIVILEGED,
    RANGED,
    RECURSIVE,
    TEXTURED,
    ModelShape,
    check_model_shape,
)
from evolve.compatibility import check_players
from evolve.genomes.base import resolve_init
from evolve.theses.li.ashe import AsheGenomes, MemoryKind
from nlhe_env import Game
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.jit.array_types import F32, I64, AnyArray

Version = Literal["2.0", "2.1", "2.2", "2.3"]
ITSELF = "itself"
"""Opponent of a preliminary session: a copy of the player."""
CHAMPION = "champion"
"""Opponent of a preliminary session: the previous champion, or a copy if there is none."""
_GAME = Game.cash(starting_stack=20_000, blinds=(50, 100))


@dataclass(frozen=True, eq=False)
class ModelGenomes(AsheGenomes):
    """Genomes of ASHE 2.0 to 2.3; from 2.1 on with default trees once filled."""

    player_class: ClassVar[type[ModelPlayer]] = ModelPlayer

    preliminary: Preliminary | None = None
    """Sessions that fill default trees; None for players without default trees."""
    trees: F32 | None = None
    """``(n, shape.default_numbers)`` default trees once filled, else None."""

    @classmethod
    def join(cls, *parts: Self) -> Self:
        """All genomes of one or more groups, in order, without default trees."""
        rows = np.concatenate([part.rows for part in parts])
        return cls(rows, parts[0].shape, parts[0].preliminary)

    def __getitem__(self, rows: slice | I64) -> Self:
        trees = None if self.trees is None else self.trees[rows]
        return replace(self, rows=self.rows[rows], trees=trees)

    def prepared_arrays(self) -> dict[str, AnyArray]:
        """Whether the winner is given, the default trees, and the champion that filled them."""
        arrays: dict[str, AnyArray] = {}
        if self.shape.level == PRIVILEGED:
            arrays["privileged"] = np.array(True)
        if self.trees is not None:
            arrays["trees"] = self.trees
        if self.preliminary is not None and self.preliminary.champion is not None:
            arrays["filled_by"] = self.preliminary.champion
        return arrays

    def pack(self) -> agents.PlayerBatch:
        """The networks as a player batch."""
        return agents.pack_players([self.player(i, name="ashe-2") for i in range(len(self))])

    def player(
        self, i: int, *, name: str, origin: Mapping[str, Any] | None = None
    ) -> CompiledPlayer:
        """One of the genomes as a player; plays its preliminary session if not yet played."""
        weights = self.rows[i]
        if self.preliminary is not None:
            one = slice(i, i + 1)
            trees = self.trees[one] if self.trees is not None else None
            trees = self.preliminary.fill(self.rows[one]) if trees is None else trees
            weights = np.concatenate([weights, trees[0]])
        return ModelPlayer(weights, shape=self.shape, name=name, origin=origin)


@dataclass(frozen=True, kw_only=True)
class ModelKind(MemoryKind):
    """Estimators over trees that count the results of every line of play."""

    player_class = ModelPlayer
    player_kind = "ashe-2"  # as for the later versions

    version: Version = "2.0"
    """Version of ASHE: 2.1 has board textures and default trees, 2.2 looks ahead in the trees, and
    2.3 estimates the opponent's range."""

    estimator_blocks: int = 50
    """LSTM blocks of each estimator."""

    estimator_cell: int = 10
    """Cell size of each of these blocks."""

    estimator_units: ClassVar[int] = 50
    """Hidden units of the network above them."""

    min_node_visits: ClassVar[int] = 10
    """Minimum number of hands through a tree node before its statistics are used."""

    tree_nodes: int = 4096
    """Total capacity of both trees, in nodes."""

    default_hands: int = 0
    """Hands of the preliminary session that fills the default trees of every genome, from 2.1 on
    (published: 5000, from 2.2 on 10000); 0 for no default trees. They do not count as training
    hands."""

    default_opponents: tuple[str, ...] = ("itself",)
    """Opponents in the preliminary session, one after the other; "itself" is a copy of the genome,
    and "champion" the champion of the previous generation, or a copy in the first generation and
    outside of runs."""

    default_nodes: int = 32768
    """Total capacity of both default trees, in nodes."""

    sampled_boards: int = 100
    """Number of sampled boards for look-ahead, from 2.2 on."""

    privileged_generations: int = 0
    """Number of initial generations in which 2.3 is given the winner of the showdown, so that its
    opponent estimator can evolve before its range estimator."""

    def __post_init__(self) -> None:
        one_of("version", self.version, get_args(Version))
        for key in ("estimator_blocks", "estimator_cell", "tree_nodes"):
            whole_number(key, getattr(self, key), least=1)
        for key in ("default_hands", "privileged_generations"):
            whole_number(key, getattr(self, key), least=0)
        for key in ("default_nodes", "sampled_boards"):
            whole_number(key, getattr(self, key), least=1)
        if self.default_hands and self.level < TEXTURED:
            raise ValueError('default_hands must be 0 with version "2.0": it has no default trees')
        if self.privileged_generations and self.level < RANGED:
            raise ValueError('privileged_generations must be 0 unless the version is "2.3"')
        if not self.default_opponents or self.default_hands % len(self.default_opponents):
            raise ValueError(
                "default_hands must be a multiple of the number of default_opponents, at least "
                f"one; got {self.default_hands} and {self.default_opponents!r}"
            )
        check_model_shape(self.shape)
        resolve_init(self, self.init)
        for name in self.default_opponents if self.default_hands else ():
            # A run whose trees are filled can be opened without the files of its opponents.
            if name not in (ITSELF, CHAMPION) and not name.endswith(".npz"):
                _opponent(name)

    @property
    def level(self) -> int:
        """Version as a number, see ``agents.theses.li.shape.ModelShape``."""
        return LEVELS.index(self.version)

    @property
    def shape(self) -> ModelShape:
        """The shape of all networks of this kind."""
        return ModelShape(
            self.estimator_blocks,
            self.estimator_cell,
            self.estimator_units,
            self.min_node_visits,
            self.tree_nodes,
            self.level,
            self.default_nodes if self.default_hands else 0,
            self.sampled_boards if self.level >= RECURSIVE else 0,
        )

    @property
    def preliminary(self) -> Preliminary | None:
        """Sessions that fill default trees."""
        if not self.default_hands:
            return None
        return Preliminary(self.shape, self.default_hands, self.default_opponents)

    @property
    def n_genes(self) -> int:
        """Length of a genome."""
        return sum(self.shape.parts)

    def of_genes(self, rows: F32) -> ModelGenomes:
        """Networks from ``(n, n_genes)`` genes."""
        return ModelGenomes(rows, self.shape, self.preliminary)

    def unprepared(self, genomes: ModelGenomes) -> ModelGenomes:
        """Genomes without default trees, which take seconds to fill."""
        return replace(self, default_hands=0, init=ModelKind.init).of_genes(genomes.rows)

    def prepared(
        self,
        candidates: ModelGenomes,
        generation: int,
        workers: Workers,
        champion: ModelGenomes | None = None,
    ) -> ModelGenomes:
        """The candidates with default trees, and in the first generations with the winner given."""
        row = None if champion is None else champion.rows[0]
        ready = _as_prepared(candidates, generation <= self.privileged_generations, row)
        if ready.preliminary is None:
            return ready
        return replace(ready, trees=_fill_with(workers, ready.rows, ready.preliminary))

    def from_arrays(self, arrays: Mapping[str, AnyArray]) -> ModelGenomes:
        """Networks from the arrays of ``to_arrays``, optionally with ``prepared_arrays``."""
        found = self.of_genes(np.asarray(arrays["rows"], np.float32))
        ready = _as_prepared(found, "privileged" in arrays, arrays.get("filled_by"))
        return replace(ready, trees=arrays.get("trees"))


def _as_prepared(networks: ModelGenomes, privileged: bool, champion: F32 | None) -> ModelGenomes:
    """Networks with sessions to fill their default trees, optionally against a champion."""
    shape = networks.shape._replace(level=PRIVILEGED) if privileged else networks.shape
    preliminary = networks.preliminary
    if preliminary is not None:
        preliminary = replace(preliminary, shape=shape, champion=champion)
    return replace(networks, shape=shape, preliminary=preliminary)


@dataclass(frozen=True, eq=False)
class Preliminary:
    """Preliminary sessions of players of one shape, in the published game."""

    shape: ModelShape
    hands: int
    opponents: tuple[str, ...]
    """Opponents: names of players, ``ITSELF`` or ``CHAMPION``."""
    champion: F32 | None = None
    """``(n_genes,)`` genes of the previous champion."""

    def fill(self, rows: F32) -> F32:
        """``(n, shape.default_numbers)`` default trees of ``(n, n_genes)`` genomes."""
        met = [self._met(name) for name in self.opponents]
        trees = np.empty((len(rows), self.shape.default_numbers), np.float32)
        for row, filled in zip(rows, trees, strict=True):
            filled[:] = fill_default_trees(row, self.shape, met, hands=self.hands, game=_GAME)
        return trees

    def _met(self, name: str) -> CompiledPlayer | None:
        if name == CHAMPION and self.champion is not None:
            return player_without_trees(self.champion, self.shape)
        return None if name in (ITSELF, CHAMPION) else _opponent(name)


@dataclass(frozen=True, eq=False)
class _Fill:
    """Sessions of many genomes, as a task for workers."""

    rows: F32
    preliminary: Preliminary

    def __call__(self, first: int, count: int) -> F32:
        """Default trees of ``count`` genomes from ``first`` on."""
        return self.preliminary.fill(self.rows[first : first + count])


def _fill_with(workers: Workers, rows: F32, preliminary: Preliminary) -> F32:
    """``preliminary.fill(rows)`` on workers."""
    return np.concatenate(run_chunks(_Fill(rows, preliminary), len(rows), workers=workers))


@functools.cache
def _opponent(name: str) -> CompiledPlayer:
    """A default opponent that knows the game of preliminary sessions."""
    try:
        player = agents.make_compiled(name)
        check_players({repr(name): player}, _GAME, seats=2)
    except ValueError as error:
        raise ValueError(
            f"default_opponents must be {ITSELF}, {CHAMPION} or compiled players: {error}"
        ) from error
    return player
