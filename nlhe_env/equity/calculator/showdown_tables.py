"""Showdown tables: rank of any hole cards on any complete board in one or two reads.

Without a flush, a board is identified by its ranks (6,188 multisets) and hole cards by theirs (91
pairs). A flush is identified by the set of its ranks. All ranks of ``nlhe_env.evaluator`` for seven
cards are numbered in order, so that 16 bits suffice: higher wins, equal ties.

The tables are computed on first use, in a few hundredths of a second.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from nlhe_env.cards import RANKS
from nlhe_env.equity.tables.cells import (
    N_RANK_PAIRS,
    NO_START,
    NO_WIDTH,
    SUIT,
    binomials,
    no_suited_row,
    rank_pair,
    set_numbers,
)
from nlhe_env.evaluator import rank_from_suits, rank_of_flush
from nlhe_env.jit.array_types import I64, U16, Int, Record
from nlhe_env.jit.compilation import allocating_kernel, kernel
from nlhe_env.numerics.bits import popcount
from nlhe_env.system.threads import once

N_MULTISETS = 6188
"""Number of multisets of five ranks, including five equal ranks."""
FOUR_SUITED = 286 * N_RANK_PAIRS
"""The first board in ``flush_boards`` with four cards of one suit."""
FIVE_SUITED = FOUR_SUITED + 715 * 13
"""The first board in ``flush_boards`` with five cards of one suit."""
N_FLUSH_BOARDS = FIVE_SUITED + 1287

ShowdownTables: TypeAlias = np.void
"""A read-only record of dtype ``TABLES``; ``showdown_tables`` makes it."""

TABLES = np.dtype(
    [
        # Rank number of a hand without flush, by board and hole cards.
        ("by_board", np.uint16, (N_MULTISETS, N_RANK_PAIRS)),
        # Rank number of a hand without flush, by hole cards and board.
        ("by_hole", np.uint16, (N_RANK_PAIRS, N_MULTISETS)),
        # Rank number of a flush of five to seven cards, by the set of its ranks.
        ("flush", np.uint16, (1 << 13,)),
        # The multiset of the boards with three to five cards of a suit: sets of three and pairs
        # of other ranks, sets of four and another rank, sets of five.
        ("flush_boards", np.uint16, (N_FLUSH_BOARDS,)),
        # Binomial coefficients C(n, k).
        ("binomials", np.int64, (18, 6)),
    ],
    align=True,
)
TablesRecord: TypeAlias = Record
"""A record of dtype ``TABLES``."""


@once
def showdown_tables() -> ShowdownTables:
    """The tables, computed once per process."""
    without_flush = np.zeros((N_MULTISETS, N_RANK_PAIRS), np.int64)
    flush = np.zeros(1 << 13, np.int64)
    _rank_everything(without_flush, flush)
    # 0 is for impossible hands.
    ranks = np.unique(np.concatenate([without_flush.ravel(), flush]))

    record = np.zeros(1, TABLES)
    tables: ShowdownTables = record[0]
    tables["by_board"] = np.searchsorted(ranks, without_flush)
    tables["by_hole"] = tables["by_board"].T
    tables["flush"] = np.searchsorted(ranks, flush)
    tables["binomials"] = binomials()
    tables["flush_boards"] = _flush_boards()
    record.setflags(write=False)
    return tables


@allocating_kernel
def _rank_everything(without_flush: I64, flush: I64) -> None:
    """Fill in the ranks of all multisets with all pairs, and of all flushes."""
    counts = np.zeros(len(RANKS), np.int64)
    board = 0
    # Multisets in the order of no_suited_row: the highest rank changes last.
    for r4 in range(13):
        for r3 in range(r4 + 1):
            for r2 in range(r3 + 1):
                for r1 in range(r2 + 1):
                    for r0 in range(r1 + 1):
                        counts.fill(0)
                        for rank in (r0, r1, r2, r3, r4):
                            counts[rank] += 1
                        pair = 0
                        for high in range(13):
                            counts[high] += 1
                            for low in range(high + 1):
                                counts[low] += 1
                                without_flush[board, pair] = _rank_of_counts(counts)
                                counts[low] -= 1
                                pair += 1
                            counts[high] -= 1
                        board += 1
    for suited in range(1 << 13):
        if 5 <= popcount(suited) <= 7:
            flush[suited] = rank_of_flush(suited)


@kernel
def _rank_of_counts(counts: I64) -> Int:
    """Rank of seven cards from the counts of each rank; 0 for five of a rank."""
    suits = np.int64(0)
    n = 0
    for rank in range(13):
        if counts[rank] > 4:
            return 0
        for _ in range(counts[rank]):
            # Suits in turn, to avoid repeated cards and three of a suit.
            suits |= 1 << ((n & 3) << 4 | rank)
            n += 1
    return rank_from_suits(suits & SUIT, suits >> 16 & SUIT, suits >> 32 & SUIT, suits >> 48)


def _flush_boards() -> I64:
    numbers = set_numbers()
    choose = binomials()
    boards = np.zeros(N_FLUSH_BOARDS, np.int64)
    _find_flush_boards(numbers, choose, boards)
    return boards


@kernel
def _find_flush_boards(numbers: U16, choose: I64, boards: I64) -> None:
    for suited in range(1 << 13):
        number = np.int64(numbers[suited])
        size = popcount(suited)
        if not 3 <= size <= 5:
            continue
        remaining = suited
        r0 = np.int64(_lowest(remaining))
        remaining &= remaining - 1
        r1 = np.int64(_lowest(remaining))
        remaining &= remaining - 1
        r2 = np.int64(_lowest(remaining))
        remaining &= remaining - 1
        if size == 3:
            for high in range(13):
                for low in range(high + 1):
                    row = multiset(r0, r1, r2, high, low, choose)
                    boards[number * N_RANK_PAIRS + rank_pair(high, low)] = row
        else:
            r3 = np.int64(_lowest(remaining))
            remaining &= remaining - 1
            if size == 4:
                for off in range(13):
                    row = multiset(r0, r1, r2, r3, off, choose)
                    boards[FOUR_SUITED + number * 13 + off] = row
            else:
                row = multiset(r0, r1, r2, r3, np.int64(_lowest(remaining)), choose)
                boards[FIVE_SUITED + number] = row


@kernel
def _lowest(ranks: Int) -> Int:
    """The lowest rank of a set of ranks."""
    return popcount((ranks & -ranks) - 1)


@kernel
def multiset(r0: Int, r1: Int, r2: Int, r3: Int, r4: Int, binomials: I64) -> Int:
    """Number of the multiset of five ranks, in any order."""
    return (no_suited_row(r0, r1, r2, r3, r4, binomials) - NO_START) // NO_WIDTH


@kernel
def multiset_of_board(board: Int, binomials: I64) -> Int:
    """Number of the rank multiset of a set of five cards."""
    r0 = popcount((board & -board) - 1) & 15
    board &= board - 1
    r1 = popcount((board & -board) - 1) & 15
    board &= board - 1
    r2 = popcount((board & -board) - 1) & 15
    board &= board - 1
    r3 = popcount((board & -board) - 1) & 15
    board &= board - 1
    r4 = popcount((board & -board) - 1) & 15
    return multiset(r0, r1, r2, r3, r4, binomials)


@kernel
def flush_suit(board: Int) -> Int:
    """First bit of the suit with three or more cards in a set of five; -1 if there is none."""
    for start in (0, 16, 32, 48):
        if popcount(board >> start & SUIT) >= 3:
            return start
    return -1
