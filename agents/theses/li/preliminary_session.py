"""The preliminary session of ASHE 2.1 and later, which fills a player's default trees.

Source: Li (PhD thesis, University of Texas at Austin, 2018), sections 6.1.2 and 6.3.1. In one
session without any reset the player meets its default opponents one after another; its trees at the
end become its default trees, which never change in matches. All river clusters are equally likely,
so that most nodes are visited.

Readings: a board is drawn uniformly from those of its cluster, the hole cards from the remaining
deck. The cards are the same for all players. ASHE opponents, a copy or an earlier champion, also
begin without default trees. Versions 2.2 and 2.3 look ahead in the trees while these fill.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.session import Session
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.shape import ModelShape
from nlhe_env.assessment.texture import board_clusters
from nlhe_env.cards import N_CARDS
from nlhe_env.game.description import Game
from nlhe_env.jit.array_types import F32, I64

_SEED = 6
_RIVER_CLUSTERS = 7
_DRAWN_AT_ONCE = 4096


def fill_default_trees(
    genes: F32,
    shape: ModelShape,
    opponents: Sequence[CompiledPlayer | None],
    *,
    hands: int,
    game: Game,
) -> F32:
    """Play the preliminary session of a player.

    Args:
        genes: Weights of its two estimators.
        shape: Shape of the player, with default trees.
        opponents: Default opponents in order; None for a copy of the player.
        hands: Number of hands in the session, at least one per opponent.
        game: A heads-up cash game; its number of hands is ignored.

    Returns:
        ``(shape.default_numbers,)`` default trees, which follow the genes in the player's weights.
    """
    player = player_without_trees(genes, shape)
    trees = np.zeros(shape.default_numbers, np.float32)
    shares = np.array_split(balanced_boards(hands), len(opponents))
    for i, (opponent, boards) in enumerate(zip(opponents, shares, strict=True)):
        lineup = [player, opponent or player]
        session = Session(lineup, game, seed=_SEED, number=i, decisions=i)
        if i:
            session.memory[0, : len(trees)] = trees
        session.play_boards(boards)
        trees = session.memory[0, : len(trees)].copy()
    return trees


def player_without_trees(genes: F32, shape: ModelShape) -> ModelPlayer:
    """Player for a preliminary session, with session trees of the default trees' capacity."""
    return ModelPlayer(genes, shape=shape._replace(nodes=shape.default_nodes, default_nodes=0))


@functools.cache
def balanced_boards(n: int) -> I64:
    """``(n, 5)`` card codes of boards with uniform river clusters; always the same."""
    rng = np.random.default_rng(_SEED)
    wanted = rng.integers(0, _RIVER_CLUSTERS, n)
    boards = np.empty((n, 5), np.int64)
    missing = np.arange(n)
    while len(missing):
        drawn = rng.random((_DRAWN_AT_ONCE, N_CARDS)).argsort(axis=1)[:, :5]
        clusters = board_clusters(drawn)
        for cluster in range(_RIVER_CLUSTERS):
            found = drawn[clusters == cluster]
            places = missing[wanted[missing] == cluster][: len(found)]
            boards[places] = found[: len(places)]
            wanted[places] = -1
        missing = np.flatnonzero(wanted >= 0)
    return boards
