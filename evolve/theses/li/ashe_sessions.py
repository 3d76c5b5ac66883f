"""Preliminary sessions of ASHE 2.1 and later on workers, which fill default trees."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

import agents
from agents.match.workers.base import Workers
from agents.match.workers.chunks import run_chunks
from agents.policy.compiled_player import CompiledPlayer
from agents.theses.li.preliminary_session import fill_default_trees, player_without_trees
from agents.theses.li.shape import ModelShape
from nlhe_env import Game
from nlhe_env.jit.array_types import F32

ITSELF = "itself"
"""Opponent of a preliminary session: a copy of the player."""
CHAMPION = "champion"
"""Opponent of a preliminary session: the previous champion, or a copy if there is none."""


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
        game = Game.cash(starting_stack=20_000, blinds=(50, 100))
        trees = np.empty((len(rows), self.shape.default_numbers), np.float32)
        for row, filled in zip(rows, trees, strict=True):
            filled[:] = fill_default_trees(row, self.shape, met, hands=self.hands, game=game)
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


def fill_with(workers: Workers, rows: F32, preliminary: Preliminary) -> F32:
    """``preliminary.fill(rows)`` on workers."""
    return np.concatenate(run_chunks(_Fill(rows, preliminary), len(rows), workers=workers))


@functools.cache
def _opponent(name: str) -> CompiledPlayer:
    player = agents.make(name)
    if not isinstance(player, CompiledPlayer):
        raise ValueError(f"default_opponents must be compiled players; got {name!r}")
    return player
