"""Action topographies as genomes; children are copies of one parent with random hills.

The players OldBest and OldScratch of ``agents`` were evolved this way, see
``agents.players.topographies``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

import agents
from agents.players.topographies import SHAPE, even, head_start, random_hill, with_hill
from evolve.genomes.base import ArrayGenomes, GenomeKind, Parents, Variation
from nlhe_env.arguments import one_of
from nlhe_env.jit.array_types import F32, AnyArray

TopographyInit = Literal["head-start", "scratch"]


class Topographies(ArrayGenomes):
    """Batch of topographies: ``(n, 20, 20, 5)`` probabilities over strength, cost and action."""

    def pack(self) -> agents.PlayerBatch:
        """The topographies as a player batch."""
        return agents.pack_players([agents.TopographyPlayer(cells) for cells in self.rows])

    def player(
        self, i: int, *, name: str, origin: Mapping[str, Any] | None = None
    ) -> agents.TopographyPlayer:
        """One of the topographies as a player."""
        return agents.TopographyPlayer(self.rows[i], name=name, origin=origin)


@dataclass(frozen=True, kw_only=True)
class Hills(Variation):
    """Copies of one parent with random hills."""

    most_hills: ClassVar[int] = 5
    """Maximum number of hills that a child gains; it gains at least one."""

    def children(
        self, parents: Parents[Topographies], n: int, *, rng: np.random.Generator
    ) -> Topographies:
        """Children of one parent each."""
        return _stack(
            [self._child(parents.draw_one(rng, alone=True).rows[0], rng) for _ in range(n)]
        )

    def _child(self, parent: F32, rng: np.random.Generator) -> F32:
        child = parent.astype(np.float64)
        for _ in range(rng.integers(1, self.most_hills, endpoint=True)):
            child = with_hill(child, random_hill(rng))
        return child.astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class TopographyKind(GenomeKind):
    """Action topographies."""

    variation = Hills
    player_kind = "topography"

    init: TopographyInit = "head-start"
    """First generation: children of the expert's topography, or of one with equally likely
    actions."""

    def __post_init__(self) -> None:
        one_of("init", self.init, get_args(TopographyInit))

    def genome_bytes(self, variation: Any) -> int:
        """Bytes of the cells of one topography."""
        return 4 * math.prod(SHAPE)

    def none(self) -> Topographies:
        """An empty batch."""
        return Topographies(np.empty((0, *SHAPE), np.float32))

    def first(self, n: int, variation: Hills, *, rng: np.random.Generator) -> Topographies:
        """The initial topography and its children."""
        init = _stack([head_start() if self.init == "head-start" else even()])
        children = variation.children(Parents(init, most=1), n - 1, rng=rng)
        return Topographies.join(init, children)

    def from_arrays(self, arrays: Mapping[str, AnyArray]) -> Topographies:
        """Topographies from the arrays of ``to_arrays``."""
        return Topographies(np.asarray(arrays["rows"], np.float32))


def _stack(cells: Sequence[F32]) -> Topographies:
    return Topographies(np.array(cells, np.float32).reshape(-1, *SHAPE))
