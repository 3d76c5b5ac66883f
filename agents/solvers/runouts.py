"""All-ins on the turn: a matrix of outcomes over all rivers, computed once per board.

Once both players are all-in on the turn, the outcome of each pair of hands over all rivers does not
depend on the strategies. The product of its matrix with the reach probabilities replaces a showdown
on each river.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.solvers.cards import Cards
from agents.solvers.public_tree import CHANCE, SHOWDOWN, PublicTree
from nlhe_env.jit.array_types import I32, I64, AnyArray, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.float_lanes import in_whole_lanes

_MOST_BYTES = 2**27
"""Limit for all matrices; beyond it, reading them takes as long as the showdowns."""


class Runouts(NamedTuple):
    """Chance nodes that only showdowns follow, and their outcomes."""

    matrix: I64
    """``(nodes,)`` matrix of such a node; -1 for all other nodes."""
    outcomes: AnyArray
    """``(2, matrices, H, H)`` for each player: for each hand of the other player, and each own hand
    that it can meet, the chance that the own hand wins minus the chance that it loses."""

    @classmethod
    def of(cls, tree: PublicTree, cards: Cards, dtype: type[np.floating]) -> Runouts:
        """The runouts of a game; none for small games, or if they need too much memory."""
        matrix = np.full(len(tree.kind), -1)
        nodes = nodes_before_showdowns(tree) if cards.order.shape[1] else np.zeros(0, np.int64)
        boards, matrices = np.unique(tree.board[nodes], return_inverse=True)
        most = cards.order.shape[2] if len(boards) else 0
        if not runout_bytes(len(boards), most, np.dtype(dtype).itemsize):
            return cls(matrix, np.zeros((2, 0, 0, 0), dtype))
        matrix[nodes] = matrices
        outcomes = np.zeros((2, len(boards), most, in_whole_lanes(most)), dtype)
        ranks = np.zeros((2, most), np.int32)
        for i, board in enumerate(boards.tolist()):
            node = int(nodes[np.flatnonzero(tree.board[nodes] == board)[0]])
            rivers = tree.board[list(tree.children(node))]
            for player in range(2):
                _write_outcomes(cards, player, rivers, ranks, outcomes[player, i])
        return cls(matrix, outcomes)


def runout_bytes(n_boards: int, most: int, itemsize: int = 4) -> int:
    """Bytes of the matrices of some boards; 0 if there are none, as they would be too large.

    Args:
        n_boards: Boards on which a river follows an all-in.
        most: Hands of a player, at most.
        itemsize: Bytes of a number.
    """
    found = 2 * n_boards * most * in_whole_lanes(most) * itemsize
    return found if found <= _MOST_BYTES else 0


def nodes_before_showdowns(tree: PublicTree) -> I64:
    """``(n,)`` chance nodes that only showdowns follow."""
    before = np.concatenate([[0], np.cumsum(tree.kind == SHOWDOWN)])
    showdowns = before[tree.end] - before[:-1]
    below = tree.end - np.arange(len(tree.kind)) - 1
    found: I64 = np.flatnonzero((tree.kind == CHANCE) & (showdowns == below))
    return found


@kernel
def _write_outcomes(cards: Cards, player: Int, rivers: I64, ranks: I32, outcomes: AnyArray) -> None:
    """Write the matrix of a player.

    Args:
        cards: Cards of the game.
        player: The player.
        rivers: ``(n,)`` numbers of the boards that may come.
        ranks: ``(2, H)`` work.
        outcomes: ``(H, H)`` zeros before.
    """
    n_own, n_other = cards.n_hands[player], cards.n_hands[1 - player]
    # Invariant: outcomes[g, h] is the number of rivers passed on which h wins, minus that on which
    # it loses: whole numbers, which are exact.
    for i in range(len(rivers)):
        board = rivers[i]
        ranks[:] = 0
        for p in range(2):
            place = 0
            for group in range(cards.groups[board]):
                while place < cards.group_end[p, board, group]:
                    ranks[p, cards.order[p, board, place]] = group + 1
                    place += 1
        for g in range(n_other):
            rank = ranks[1 - player, g]
            if rank > 0:
                for h in range(n_own):
                    own = ranks[player, h]
                    better = np.int32(own > rank) - np.int32(own < rank)
                    outcomes[g, h] += better * np.int32(own > 0)
    chance = cards.chance[rivers[0]]
    own_held, held = cards.cards[player], cards.cards[1 - player]
    for g in range(n_other):
        for h in range(n_own):
            low, high = own_held[h, 0], own_held[h, 1]
            apart = (
                (low != held[g, 0])
                & (low != held[g, 1])
                & (high != held[g, 0])
                & (high != held[g, 1])
            )
            outcomes[g, h] *= chance if apart else 0.0
