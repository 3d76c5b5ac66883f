"""All holdings at once on one board: their ranks, and how many others they beat."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.equity.calculator.showdown_tables import flush_suit, multiset_of_board
from nlhe_env.equity.calculator.spot import HOLE_SETS, HOLES, RANK_PAIRS
from nlhe_env.equity.tables.cells import SUIT
from nlhe_env.machine.array_types import I64
from nlhe_env.machine.compilation import kernel

MOST_RANKS = 4825
"""Numbers of the ranks of seven cards, as ``showdown_tables`` has them: 0 and 4,824 ranks."""
N_SCRATCH = MOST_RANKS + 52
N_OPPOSING = 990
"""Hands that an opponent may hold on a full board, C(45, 2)."""


class Holdings(NamedTuple):
    """Some holdings in the order of their numbers."""

    cards: I64
    """``(n, 2)`` card codes, the higher first."""
    sets: I64
    """``(n,)`` the cards as sets."""
    columns: I64
    """``(n,)`` numbers of the ranks of the cards, as in ``cells.rank_pair``."""

    @classmethod
    def without(cls, known: int) -> Holdings:
        """All that contain none of the cards of a set."""
        free = HOLE_SETS & known == 0
        return cls(*(array[free] for array in (HOLES, HOLE_SETS, RANK_PAIRS)))


@kernel
def write_ranks(board, sets, columns, tables, ranks):
    """Write the number of the rank of every holding; higher wins, equal ties.

    What is written for holdings with cards of the board means nothing.

    Args:
        board: Five cards as a set.
        sets: ``(n,)`` the holdings as sets.
        columns: ``(n,)`` numbers of the ranks of their cards, as in ``cells.rank_pair``.
        tables: ``ShowdownTables``.
        ranks: ``(n,)`` int64, or longer.
    """
    by_column = tables.by_board[multiset_of_board(board, tables.binomials)]
    for h in range(len(columns)):
        ranks[h] = by_column[columns[h]]
    start = flush_suit(board)
    if start >= 0:
        for h in range(len(sets)):
            suited = (board | sets[h]) >> start & SUIT
            ranks[h] = max(ranks[h], np.int64(tables.flush[suited]))  # 0 where it is none


@kernel
def write_margins(board, holdings, ranks, scratch, margins):
    """Write how many holdings every holding beats, less how many beat it.

    Holdings go by in the order of their ranks, and what shares a card with the own is taken out of
    the counts by the number of those before that hold the card (M. Johanson, K. Waugh, M. Bowling,
    M. Zinkevich, "Accelerating Best Response Calculation in Large Extensive Games", IJCAI 2011).

    Args:
        board: Five cards as a set.
        holdings: ``Holdings``.
        ranks: ``(n,)`` of ``write_ranks``.
        scratch: ``(N_SCRATCH + n,)`` int32; from ``N_SCRATCH`` on it then has the holdings that the
            board allows in the order of their ranks.
        margins: ``(n,)`` int64; written for holdings that the board allows.
    """
    n = len(ranks)
    sets, cards = holdings.sets, holdings.cards
    with_card = scratch[:52]
    ends = scratch[52:N_SCRATCH]
    order = scratch[N_SCRATCH : N_SCRATCH + n]
    ends[:] = 0
    for h in range(n):
        ends[ranks[h]] += np.int32(sets[h] & board == 0)
    n_free = np.int32(0)
    for rank in range(MOST_RANKS):  # where the holdings of a rank begin
        here = ends[rank]
        ends[rank] = n_free
        n_free += here
    for h in range(n):
        if sets[h] & board == 0:
            order[ends[ranks[h]]] = h
            ends[ranks[h]] += 1
    with_card[:] = 0
    first = np.int64(0)
    while first < n_free:
        end = np.int64(ends[ranks[order[first]]])
        for place in range(first, end):
            h = order[place]
            margins[h] = first - with_card[cards[h, 0]] - with_card[cards[h, 1]]
        for place in range(first, end):
            h = order[place]
            with_card[cards[h, 0]] += 1
            with_card[cards[h, 1]] += 1
        for place in range(first, end):
            h = order[place]
            margins[h] += end - with_card[cards[h, 0]] - with_card[cards[h, 1]]
        first = end
    for place in range(n_free):
        h = order[place]
        margins[h] -= n_free - with_card[cards[h, 0]] - with_card[cards[h, 1]]
