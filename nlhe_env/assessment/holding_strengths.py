"""HS of all 1,326 holdings on one board at once, for kernels.

``potential_kernels.hand_strength`` compares one holding with a thousand others. Here all holdings
are sorted by rank, and those that share a card with a holding are subtracted by counts per card, so
all together take little longer than a few one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.calculator.spot import HOLE_SETS, HOLES
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.evaluator import rank_sets
from nlhe_env.jit.array_types import F64, I8, I64, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.sorting import sort_keys

BLOCKED = -1.0
"""Strength of holdings blocked by the board."""
_SHIFT = 11  # room for the number of a holding below its rank


class HoldingStrengths(NamedTuple):
    """HS of all holdings on the last requested board."""

    board: I64
    """``(1,)`` cards of that board as a set, 0 for none yet."""
    strength: F64
    """``(1326,)`` strength of the holding a > b at C(a, 2) + b, or ``BLOCKED``."""
    holes: I64
    """``(1326, 2)`` the cards of all holdings."""
    hole_sets: I64
    """``(1326,)`` the holdings as sets of cards."""
    sets: I64
    """Scratch."""
    keys: I64
    """Scratch."""
    with_card: I64
    """Scratch."""

    @classmethod
    def new(cls) -> HoldingStrengths:
        """Strengths without a board yet."""
        return cls(
            board=np.zeros(1, np.int64),
            strength=np.zeros(N_HOLES),
            holes=HOLES,
            hole_sets=HOLE_SETS,
            sets=np.zeros(N_HOLES, np.int64),
            keys=np.zeros(N_HOLES, np.int64),
            with_card=np.zeros(N_CARDS, np.int64),
        )


@kernel
def find_strengths(board: I8, n_board: Int, strengths: HoldingStrengths) -> None:
    """Write HS of all holdings, equal to ``hand_strength``, unless already present.

    Args:
        board: 1-D integer array of at least ``n_board`` card codes.
        n_board: 3, 4 or 5 cards.
        strengths: ``HoldingStrengths``.
    """
    on_board = board_set(board, n_board)
    if strengths.board[0] == on_board:
        return
    strengths.board[0] = on_board
    strength, holes, keys = strengths.strength, strengths.holes, strengths.keys
    n = 0
    for number in range(N_HOLES):
        strength[number] = BLOCKED
        if strengths.hole_sets[number] & on_board == 0:
            strengths.sets[n] = strengths.hole_sets[number] | on_board
            n += 1
    rank_sets(strengths.sets[:n], keys[:n])
    n = 0
    for number in range(N_HOLES):
        if strengths.hole_sets[number] & on_board == 0:
            keys[n] = keys[n] << _SHIFT | number
            n += 1
    sort_keys(keys, n)

    unseen = 50 - n_board
    opposing = np.float64(unseen * (unseen - 1) // 2)
    with_card = strengths.with_card
    with_card.fill(0)
    first = 0
    while first < n:
        rank = keys[first] >> _SHIFT
        end = first
        while end < n and keys[end] >> _SHIFT == rank:
            number = keys[end] & (1 << _SHIFT) - 1
            strength[number] = first - with_card[holes[number, 0]] - with_card[holes[number, 1]]
            end += 1
        for k in range(first, end):
            number = keys[k] & (1 << _SHIFT) - 1
            with_card[holes[number, 0]] += 1
            with_card[holes[number, 1]] += 1
        for k in range(first, end):
            number = keys[k] & (1 << _SHIFT) - 1
            # The holding itself has been subtracted with each card.
            no_better = end + 1 - with_card[holes[number, 0]] - with_card[holes[number, 1]]
            strength[number] = 0.5 * (strength[number] + no_better) / opposing
        first = end
