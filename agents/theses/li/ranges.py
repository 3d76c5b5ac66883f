"""The nine ranges of ASHE 2.3: their holdings and probabilities.

Source: Li (PhD thesis, University of Texas at Austin, 2018), section 8.2. Against two cards on a
complete board there are 990 holdings; the strongest 25 are the first range, the next 25 the second,
and so on (``boards.INTERVALS``). Reading: the number of stronger holdings gives the position of a
holding, so that tied holdings share a range.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.theses.li.boards import INTERVALS
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import card_bit, hole_number
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.evaluator import rank_set
from nlhe_env.jit.array_types import F32, F64, I64
from nlhe_env.jit.compilation import kernel

N_RANGES = 9
_N_BOARD = 5
_BOARDS_DRAWN = 40
_SEED = 8


def ranges_on(own: Sequence[int], board: Sequence[int]) -> I64:
    """Range of every opposing holding.

    Args:
        own: Codes of the player's hole cards.
        board: Codes of the five board cards.

    Returns:
        ``(1326,)`` range 0 to 8, or -1 for holdings with a known card; cards a > b are at index
        C(a, 2) + b.
    """
    ranks = np.empty(N_HOLES, np.int64)
    _write_ranks(np.array(own, np.int64), np.array(board, np.int64), ranks)
    possible = ranks >= 0
    order = np.sort(ranks[possible])
    stronger = len(order) - np.searchsorted(order, ranks, side="right")
    found = np.searchsorted(INTERVALS[1:-1], stronger, side="right")
    return np.where(possible, found, -1)


def weights_of_holdings(own: Sequence[int], board: Sequence[int], chances: F64) -> F32:
    """Probability of every opposing holding, given the range probabilities.

    Before the river it is a mean over boards: all rivers on the turn, else a sample that is always
    the same for the same cards.

    Args:
        own: Codes of the player's hole cards.
        board: Codes of the board cards, up to five.
        chances: ``(9,)`` probabilities of the ranges.

    Returns:
        ``(1326,)`` weights that sum to 1, in the order of ``ranges_on``.
    """
    missing = _N_BOARD - len(board)
    remaining = np.array([card for card in range(N_CARDS) if card not in (*own, *board)])
    if missing > 1:
        rng = np.random.default_rng((_SEED, *own, *board))
        tails = [rng.choice(remaining, missing, replace=False) for _ in range(_BOARDS_DRAWN)]
    else:
        tails = list(remaining.reshape(-1, 1)) if missing else [remaining[:0]]
    total = np.zeros(N_HOLES)
    for tail in tails:
        ranges = ranges_on(own, [*board, *tail])
        counts = np.bincount(ranges[ranges >= 0], minlength=N_RANGES)
        each = np.divide(chances, counts, out=np.zeros(N_RANGES), where=counts > 0)
        total += np.where(ranges >= 0, each[ranges], 0.0)
    weights: F32 = (total / total.sum()).astype(np.float32)
    return weights


@kernel
def _write_ranks(own: I64, board: I64, ranks: I64) -> None:
    """Write the rank of every holding, -1 for holdings with a known card."""
    held, lies = np.int64(0), np.int64(0)
    for card in own:
        held |= card_bit(card)
    for card in board:
        lies |= card_bit(card)
    for high in range(N_CARDS):
        for low in range(high):
            cards = card_bit(high) | card_bit(low)
            number = hole_number(high, low)
            ranks[number] = -1 if cards & (held | lies) else rank_set(lies | cards)
