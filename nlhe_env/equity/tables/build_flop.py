"""Fills the flop and preflop tables from the river table, by complete enumeration.

Before the river the win chance against n opponents is the mean, over all future boards, of the n-th
power of that against one (Nicolai's thesis, 4.1.3.4); the pot share is averaged likewise. Every
cell is summed in a fixed order, so the result does not depend on the number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.equity.tables.cells import (
    EVERY_SUIT,
    ONE_RANK,
    SUIT,
    card_bit,
    no_suited_row,
    preflop_class,
    rank_pair,
    suited_column,
    suited_row,
)
from nlhe_env.equity.tables.lookup import N_OTHER_HOLDINGS
from nlhe_env.equity.tables.suits import MAX_OPPONENTS, N_PREFLOP, NO_CELL, hole_pairs
from nlhe_env.jit.array_types import F32, F64, I8, I64, U16, Int
from nlhe_env.jit.compilation import allocating_kernel, kernel
from nlhe_env.numerics.bits import popcount

N_FLOP_COMPLETIONS = 1081
"""Number of turn and river pairs, C(47,2), for known hole cards and flop."""
N_FLOPS_OF_HOLE = 19_600
"""Number of flops, C(50,3), for known hole cards."""
MOST_COLUMNS = 1176
"""Number of hole cards for a flop without symmetry, C(49,2)."""


class FlopClasses(NamedTuple):
    """Classes of flops and their cells, see ``suits.FlopNumbering``."""

    models: I8
    sizes: I64
    hole_columns: U16
    first_cells: I64


class RiverCells(NamedTuple):
    """River table, and numbers for indexing its cells."""

    river: U16
    """Holdings beaten or tied in each river cell."""
    beaten: U16
    """Holdings beaten."""
    numbers: U16
    """``set_numbers()``."""
    choose: I64
    """``binomials()``."""


class FlopCells(NamedTuple):
    """Output cells for some flop classes."""

    win_or_tie_probabilities: F32
    """``(cells, 9)`` win chances."""
    shares: F32
    """``(cells, 9)`` pot shares."""
    totals: F64
    """``(2, 169, 9)`` sums over all boards of these classes for each preflop class: win chances,
    and pot shares against n opponents (n + 1)-fold."""


@kernel
def _add_boards(sums: F64, n_boards: Int, cell: Int, river: U16, beaten: U16) -> None:
    """Add boards with the same river cell: win chances to ``sums[0]``, pot shares to ``[1]``.

    The pot share against n opponents is summed (n + 1)-fold; see ``lookup.share_if_independent``.
    """
    win_or_tie = river[cell] / N_OTHER_HOLDINGS
    win = beaten[cell] / N_OTHER_HOLDINGS
    power = 1.0
    share = 1.0
    for i in range(MAX_OPPONENTS):
        power *= win_or_tie
        share = share * win + power
        sums[0, i] += n_boards * power
        sums[1, i] += n_boards * share


@kernel
def _sum_flop_cell(
    flop: I64,
    hole_0: Int,
    hole_1: Int,
    off_rows: I64,
    river: U16,
    beaten: U16,
    numbers: U16,
    sums: F64,
) -> None:
    """Sum win chances and pot shares over the 1,081 completions of a flop.

    Completions with the same river cell are added together: cards that cannot make three of a suit
    count by rank. ``off_rows`` are the table rows of the completions without the flop's main suit,
    the suit of two or three of its cards.
    """
    flop_set = card_bit(flop[0]) | card_bit(flop[1]) | card_bit(flop[2])
    free = EVERY_SUIT & ~(flop_set | card_bit(hole_0) | card_bit(hole_1))

    main = -1
    single_suits = np.int64(0)  # free cards of the suits with one card on the flop
    for suit in range(4):
        on_flop: Int = popcount(flop_set >> 16 * suit & SUIT)
        if on_flop >= 2:
            main = suit
        elif on_flop == 1:
            single_suits |= free & SUIT << 16 * suit
    off_free = free
    main_set: Int = np.int64(0)
    column = rank_pair(hole_0 >> 2, hole_1 >> 2)
    if main >= 0:
        off_free &= ~(SUIT << 16 * main)
        main_set = flop_set >> 16 * main & SUIT
        if popcount(main_set) == 3:
            column = suited_column(hole_0, hole_1, main, main_set)

    # Neither card of the main suit, and not both of one other suit on the flop.
    pair = 0
    for high in range(13):
        n_high = popcount(off_free >> high & ONE_RANK)
        for low in range(high):
            n_boards = n_high * popcount(off_free >> low & ONE_RANK) - popcount(
                single_suits >> high & single_suits >> low & ONE_RANK
            )
            if n_boards > 0:
                _add_boards(sums, n_boards, off_rows[pair] + column, river, beaten)
            pair += 1
        n_boards = n_high * (n_high - 1) >> 1
        if n_boards > 0:
            _add_boards(sums, n_boards, off_rows[pair] + column, river, beaten)
        pair += 1

    for suit in range(4):
        on_flop = flop_set >> 16 * suit & SUIT
        if on_flop == 0:
            continue
        off_0: Int = -1
        off_1: Int = -1
        for i in range(3):
            if flop[i] & 3 != suit:
                off_1 = off_0
                off_0 = flop[i] >> 2
        for high in range(13):
            if not free >> (16 * suit + high) & 1:
                continue
            suited = on_flop | 1 << high
            # One card of the main suit, one of another.
            if suit == main:
                column = suited_column(hole_0, hole_1, suit, suited)
                for off in range(13):
                    n_boards = popcount(off_free >> off & ONE_RANK)
                    if n_boards > 0:
                        # If the flop has no off card, the row uses only the first.
                        row = suited_row(suited, off, off_0, numbers)
                        _add_boards(sums, n_boards, row + column, river, beaten)
            # Both cards of one suit that is on the flop.
            for low in range(high):
                if free >> (16 * suit + low) & 1:
                    both = suited | 1 << low
                    row = suited_row(both, off_0, off_1, numbers)
                    cell = row + suited_column(hole_0, hole_1, suit, both)
                    _add_boards(sums, 1, cell, river, beaten)


@allocating_kernel
def fill_flops(
    classes: FlopClasses,
    holes: I8,
    first: Int,
    last: Int,
    river_cells: RiverCells,
    cells: FlopCells,
) -> None:
    """Fill the cells of flop classes ``first`` to ``last``.

    Args:
        classes: All classes.
        holes: ``hole_pairs()``.
        first: The first class.
        last: The class after the last one.
        river_cells: The river table.
        cells: Cells of these classes, filled.
    """
    models, sizes, columns, first_cells = classes
    river, beaten, numbers, choose = river_cells
    win_or_tie_probabilities, shares, totals = cells
    off_rows = np.empty(91, np.int64)
    flop = np.empty(3, np.int64)
    sums = np.empty((MOST_COLUMNS, 2, MAX_OPPONENTS))
    totals.fill(0)
    for i in range(first, last):
        for k in range(3):
            flop[k] = models[i, k]
        flop_set = card_bit(flop[0]) | card_bit(flop[1]) | card_bit(flop[2])
        one_suit = flop_set >> 16 * (flop[0] & 3) & SUIT
        pair = 0
        for high in range(13):
            for low in range(high + 1):
                if popcount(one_suit) == 3:
                    off_rows[pair] = suited_row(one_suit, high, low, numbers)
                else:
                    off_rows[pair] = no_suited_row(
                        flop[0] >> 2, flop[1] >> 2, flop[2] >> 2, high, low, choose
                    )
                pair += 1

        start = first_cells[i] - first_cells[first]
        n_columns = 0  # numbered by the first hole cards
        for hole in range(len(holes)):
            if columns[i, hole] == NO_CELL:
                continue
            column = np.int64(columns[i, hole])
            hole_0 = np.int64(holes[hole, 0])
            hole_1 = np.int64(holes[hole, 1])
            if column == n_columns:
                n_columns += 1
                sums[column].fill(0)
                _sum_flop_cell(flop, hole_0, hole_1, off_rows, river, beaten, numbers, sums[column])
                for n in range(MAX_OPPONENTS):
                    win_or_tie_probabilities[start + column, n] = (
                        sums[column, 0, n] / N_FLOP_COMPLETIONS
                    )
                    shares[start + column, n] = sums[column, 1, n] / (N_FLOP_COMPLETIONS * (n + 2))
            hole_class = preflop_class(hole_0, hole_1)
            for n in range(MAX_OPPONENTS):
                totals[0, hole_class, n] += sizes[i] * sums[column, 0, n]
                totals[1, hole_class, n] += sizes[i] * sums[column, 1, n]


def preflop_averages(totals: F64) -> tuple[F64, F64]:
    """``(169, 9)`` win chances and pot shares, from the sums over all flops of all hole cards."""
    classes = [int(preflop_class(int(a), int(b))) for a, b in hole_pairs()]
    n_boards = np.bincount(classes, minlength=N_PREFLOP) * (N_FLOPS_OF_HOLE * N_FLOP_COMPLETIONS)
    win_or_tie_probabilities: F64 = totals[0] / n_boards[:, None]
    shares: F64 = totals[1] / (n_boards[:, None] * np.arange(2, MAX_OPPONENTS + 2))
    return win_or_tie_probabilities, shares
