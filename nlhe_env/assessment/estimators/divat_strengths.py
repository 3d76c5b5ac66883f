"""Strengths of two hands on every street, for the baseline of DIVAT.

Source: D. Billings, "Algorithms and Assessment in Computer Poker", PhD thesis (University of
Alberta, 2006), section 5.3.1.1. The immediate rank IHR compares a hand with all others on the
current board, before the flop as poker hands of two cards; 7cHR is the mean rank on the river,
which is the equity against a random hand. Bets depend on the better of both; folds depend on their
mean on the flop, and on 7cHR on the turn.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.equity.tables.cells import EVERY_SUIT, card_bit
from nlhe_env.equity.tables.lookup import StrengthTablesRecord, hand_equity
from nlhe_env.evaluator import rank_set, rank_sets
from nlhe_env.game.table import FLOP, PREFLOP, RIVER
from nlhe_env.jit.array_types import F64, I64, Float, Int
from nlhe_env.jit.compilation import kernel

MOST_OPPOSING = 1176
"""Number of hole cards possible after a flop, C(49,2)."""

IMMEDIATE, FINAL, TO_BET, TO_FOLD = range(4)
"""Measures of a hand: IHR, 7cHR, and the effective ranks for bets and folds."""


@kernel
def write_strengths(
    cards: I64,
    board: I64,
    street: Int,
    tables: StrengthTablesRecord,
    opposing_sets: I64,
    ranks: I64,
    strengths: F64,
) -> None:
    """Write the measures of two hands.

    Args:
        cards: ``(2, 2)`` card codes.
        board: Card codes, at least those open on the street.
        street: ``PREFLOP`` .. ``RIVER``.
        tables: ``StrengthTables``.
        opposing_sets: ``(MOST_OPPOSING,)`` int64, scratch.
        ranks: ``(MOST_OPPOSING,)`` int64, scratch.
        strengths: ``(2, 4)`` float64, filled in.
    """
    n_board = street + 2 if street > PREFLOP else 0
    on_board = np.int64(0)
    for i in range(n_board):
        on_board |= card_bit(board[i])
    n_opposing: Int = 0
    if PREFLOP < street < RIVER:
        n_opposing = _rank_opposing(on_board, opposing_sets, ranks)
    for player in range(2):
        hole_0, hole_1 = cards[player, 0], cards[player, 1]
        strength = strengths[player]
        strength[FINAL] = hand_equity(hole_0, hole_1, board, n_board, 1, tables)
        if street == PREFLOP:
            strength[IMMEDIATE] = rank_of_two(hole_0, hole_1)
        elif street == RIVER:
            strength[IMMEDIATE] = strength[FINAL]
        else:
            own = card_bit(hole_0) | card_bit(hole_1)
            strength[IMMEDIATE] = _rank_now(
                own, on_board, opposing_sets[:n_opposing], ranks[:n_opposing]
            )
        strength[TO_BET] = max(strength[IMMEDIATE], strength[FINAL])
        strength[TO_FOLD] = strength[FINAL]
        if street == FLOP:
            strength[TO_FOLD] = 0.5 * (strength[IMMEDIATE] + strength[FINAL])


@kernel
def rank_of_two(hole_0: Int, hole_1: Int) -> Float:
    """Share of other hole cards beaten as poker hands of two cards, ties half."""
    high = max(hole_0 >> 2, hole_1 >> 2)
    low = min(hole_0 >> 2, hole_1 >> 2)
    if high == low:
        # Every hand without a pair, the lower pairs, and the other pair of this rank.
        return (1225 - (73 - 6 * low) + 0.5) / 1225
    # Lower hands without a pair, from the number of those with the same or lower ranks.
    below = np.int64(0)
    equal = np.int64(0)
    for first in range(13):
        for second in range(first):
            n_first = 4 - np.int64(first == high) - np.int64(first == low)
            n_second = 4 - np.int64(second == high) - np.int64(second == low)
            if first < high or (first == high and second < low):
                below += n_first * n_second
            elif first == high and second == low:
                equal += n_first * n_second
    return (below + 0.5 * equal) / 1225


@kernel
def _rank_opposing(on_board: Int, opposing_sets: I64, ranks: I64) -> Int:
    """Rank the board with all possible hole cards; returns their number."""
    free = EVERY_SUIT & ~on_board
    n = 0
    while free:
        first = free & -free
        free &= free - 1
        remaining = free
        while remaining:
            opposing_sets[n] = on_board | first | remaining & -remaining
            remaining &= remaining - 1
            n += 1
    rank_sets(opposing_sets[:n], ranks[:n])
    return n


@kernel
def _rank_now(own: Int, on_board: Int, opposing_sets: I64, ranks: I64) -> Float:
    """Share of other hole cards beaten on an open board, ties half."""
    rank = rank_set(on_board | own)
    beaten, equal, n = np.int64(0), np.int64(0), np.int64(0)
    for i in range(len(opposing_sets)):
        possible = np.int64(opposing_sets[i] & own == 0)
        beaten += possible & np.int64(ranks[i] < rank)
        equal += possible & np.int64(ranks[i] == rank)
        n += possible
    return (beaten + 0.5 * equal) / n
