"""Builds the exact win-chance tables from nothing (Nicolai's thesis, section 4.2).

The win chance of hole cards on a full board is the share of the 990 other holdings that they beat
or tie. Before the river it is, for each number of opponents n, the average of its n-th power over
the boards still to come. Everything is counted, nothing sampled.

Every table cell is computed by one task in a fixed order, so that the bytes do not depend on the
number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import combinations
from typing import Any

import numpy as np

from nlhe_env._bits import popcount
from nlhe_env._jit import allocating_kernel, kernel
from nlhe_env._types import F32, F64, I64, U16, AnyArray
from nlhe_env.equity.cells import (
    EVERY_SUIT,
    N_RIVER_CELLS,
    ONE_RANK,
    SUIT,
    binomials,
    card_bit,
    no_suited_row,
    preflop_class,
    rank_pair,
    set_numbers,
    suited_column,
    suited_row,
)
from nlhe_env.equity.suits import (
    MAX_OPPONENTS,
    N_PREFLOP,
    NO_CELL,
    FlopNumbering,
    hole_pairs,
)
from nlhe_env.evaluator import rank_of_flush, rank_without_flush

N_OTHER_HOLDINGS = 990
"""Holdings of an opponent, C(45,2), once hole cards and a full board are known."""
N_FLOP_COMPLETIONS = 1081
"""Turn and river cards, C(47,2), once hole cards and flop are known."""
N_FLOPS_OF_HOLE = 19_600
"""Flops, C(50,3), once hole cards are known."""

Progress = Callable[[float], None]
"""Told what share of the work of one step, 0 to 1, has been finished."""


def win_powers() -> F64:
    """``(10, 991)``: the chance ``(k / 990) ** n`` against n opponents if k holdings do not win.

    By repeated multiplication: the last bit of ``pow`` depends on the C library.
    """
    powers = np.ones((MAX_OPPONENTS + 1, N_OTHER_HOLDINGS + 1))
    for n in range(1, MAX_OPPONENTS + 1):
        powers[n] = powers[n - 1] * (np.arange(N_OTHER_HOLDINGS + 1) / N_OTHER_HOLDINGS)
    return powers


# ------------------------------------------------------------------------------------------ river


def river_boards() -> AnyArray:
    """``(42796, 6)`` int16: the boards of the river table, in the order of its rows.

    Column 0 is the set of ranks of the board's suit, empty for NO_SUITED; then the ranks of the
    other cards, -1 where there are no more.
    """
    rank_pairs = [(high, low) for high in range(13) for low in range(high + 1)]
    boards: list[tuple[int, ...]] = [(s, -1, -1, -1, -1, -1) for s in _sets(5)]
    boards += [(s, off, -1, -1, -1, -1) for s in _sets(4) for off in range(13)]
    boards += [(s, *pair, -1, -1, -1) for s in _sets(3) for pair in rank_pairs]
    multisets = sorted(combinations(range(17), 5), key=lambda ranks: ranks[::-1])
    boards += [(0, *(rank - i for i, rank in enumerate(ranks))) for ranks in multisets]
    return np.array(boards, np.int16)


def _sets(size: int) -> list[int]:
    return [ranks for ranks in range(1 << 13) if ranks.bit_count() == size]


def _row_widths(boards: AnyArray) -> I64:
    n_left = 13 - np.array([int(suited).bit_count() for suited in boards[:, 0]])
    widths = n_left * (n_left - 1) // 2 + n_left * 13 + 91
    widths[boards[:, 0] == 0] = 91
    return np.asarray(widths, np.int64)


@kernel
def _add_rank(held, rank):
    """Ranks held at least once, twice, three and four times, with one card more."""
    ones, twos, threes, fours = held
    bit = 1 << rank
    return ones | bit, twos | ones & bit, threes | twos & bit, fours | threes & bit


@kernel
def _score(held, suited):
    """Rank of seven cards of which the set ``suited`` is of the board's suit."""
    ones, twos, threes, fours = held
    # A flush goes with nothing better than a straight, and the higher class wins.
    if popcount(suited) >= 5:
        return rank_of_flush(suited)
    return rank_without_flush(ones, twos, threes, fours)


@allocating_kernel
def _fill_river_rows(boards, starts, first, last, river):
    """Fill rows ``first`` to ``last`` of the river table.

    Cards that are alike on the board are handled together: a holding is two of up to 23 kinds of
    cards, 13 off ranks and at most 10 suited cards, and stands for as many real holdings as there
    are cards of its kinds. Holdings are taken in ascending order of strength, and for each kind it
    is counted how many so far contain one certain card of it. Then the holdings not stronger than
    (a, b) that share no card with it are ``all - those with a - those with b + (a, b) itself``.
    """
    kinds = np.empty((266, 2), np.int64)  # of each column
    n_cards = np.empty(23, np.int64)  # left of each kind
    suited_ranks = np.empty(10, np.int64)
    keys = np.empty(266, np.int64)
    with_card = np.empty(23, np.int64)
    for row in range(first, last):
        cells = river[starts[row] : starts[row + 1]]
        cells[:] = NO_CELL
        suited = np.int64(boards[row, 0])
        n_cards[:] = 1
        n_cards[:13] = 3 if suited else 4
        board = (np.int64(0), np.int64(0), np.int64(0), np.int64(0))
        n_suited = 0
        for rank in range(13):
            if suited >> rank & 1:
                board = _add_rank(board, rank)
            elif suited:
                suited_ranks[n_suited] = rank
                n_suited += 1
        possible = True
        for i in range(1, 6):
            off = np.int64(boards[row, i])
            if off >= 0:
                board = _add_rank(board, off)
                n_cards[off] -= 1
                possible &= n_cards[off] >= 0
        if not possible:
            continue  # five cards of one rank

        # Strength and column in one integer, so that sorting them sorts both.
        n_keys = 0
        column = 0
        for high in range(n_suited):
            for low in range(high):
                held = _add_rank(_add_rank(board, suited_ranks[high]), suited_ranks[low])
                flush = suited | 1 << suited_ranks[high] | 1 << suited_ranks[low]
                kinds[column, 0] = 13 + high
                kinds[column, 1] = 13 + low
                keys[n_keys] = _score(held, flush) << 9 | column
                n_keys += 1
                column += 1
        for i in range(n_suited):
            with_suited = _add_rank(board, suited_ranks[i])
            for off in range(13):
                if n_cards[off] > 0:
                    held = _add_rank(with_suited, off)
                    kinds[column, 0] = 13 + i
                    kinds[column, 1] = off
                    keys[n_keys] = _score(held, suited | 1 << suited_ranks[i]) << 9 | column
                    n_keys += 1
                column += 1
        for high in range(13):
            with_high = _add_rank(board, high)
            for low in range(high + 1):
                if n_cards[high] > 0 and n_cards[low] > np.int64(high == low):
                    held = _add_rank(with_high, low)
                    kinds[column, 0] = high
                    kinds[column, 1] = low
                    keys[n_keys] = _score(held, suited) << 9 | column
                    n_keys += 1
                column += 1
        keys[:n_keys].sort()

        with_card[:] = 0
        n_all = 0
        start = 0
        while start < n_keys:
            end = start
            while end < n_keys and keys[end] >> 9 == keys[start] >> 9:
                a, b = kinds[keys[end] & 511]
                if a == b:
                    n_all += n_cards[a] * (n_cards[a] - 1) >> 1
                    with_card[a] += n_cards[a] - 1
                else:
                    n_all += n_cards[a] * n_cards[b]
                    with_card[a] += n_cards[b]
                    with_card[b] += n_cards[a]
                end += 1
            for i in range(start, end):
                column = keys[i] & 511
                a, b = kinds[column]
                cells[column] = n_all - with_card[a] - with_card[b] + 1
            start = end


def build_river(executor: ThreadPoolExecutor, progress: Progress) -> U16:
    """``(10041005,)``: of 990 other holdings, how many each hole beats or ties on each board.

    The cells are numbered by ``nlhe_env.equity.cells``; those that no cards lead to hold NO_CELL.
    """
    boards = river_boards()
    starts = np.concatenate([[0], np.cumsum(_row_widths(boards))])
    river = np.empty(N_RIVER_CELLS, np.uint16)
    tasks = [
        executor.submit(_fill_river_rows, boards, starts, first, last, river)
        for first, last in _chunks(len(boards), 64)
    ]
    _wait(tasks, progress)
    return river


# ------------------------------------------------------------------------------------------- flop


@kernel
def _add_powers(sums, weight, powers):
    """Add ``weight`` boards of one river cell to the sums of a flop cell."""
    for i in range(MAX_OPPONENTS):
        sums[i] += weight * powers[i]


@kernel
def _sum_flop_cell(flop, hole_0, hole_1, off_rows, river, powers, numbers, sums):
    """Sum the powers of the win chance over the 1,081 completions of a flop.

    Completions are taken together where the river table has one cell for them: cards that can make
    no three of a suit count by rank. ``off_rows`` are the table rows of the completions without
    the flop's main suit, the suit of two or three of its cards.
    """
    flop_set = card_bit(flop[0]) | card_bit(flop[1]) | card_bit(flop[2])
    free = EVERY_SUIT & ~(flop_set | card_bit(hole_0) | card_bit(hole_1))

    main = -1
    single_suits = np.int64(0)  # free cards of the suits with one card on the flop
    for suit in range(4):
        on_flop = popcount(flop_set >> 16 * suit & SUIT)
        if on_flop >= 2:
            main = suit
        elif on_flop == 1:
            single_suits |= free & SUIT << 16 * suit
    off_free = free
    main_set = np.int64(0)
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
                _add_powers(sums, n_boards, powers[river[off_rows[pair] + column]])
            pair += 1
        n_boards = n_high * (n_high - 1) >> 1
        if n_boards > 0:
            _add_powers(sums, n_boards, powers[river[off_rows[pair] + column]])
        pair += 1

    for suit in range(4):
        on_flop = flop_set >> 16 * suit & SUIT
        if on_flop == 0:
            continue
        off_0 = -1
        off_1 = -1
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
                        # Where the flop has no off card, the row takes only the first one.
                        row = suited_row(suited, off, off_0, numbers)
                        _add_powers(sums, n_boards, powers[river[row + column]])
            # Both cards of one suit that is on the flop.
            for low in range(high):
                if free >> (16 * suit + low) & 1:
                    both = suited | 1 << low
                    row = suited_row(both, off_0, off_1, numbers)
                    cell = row + suited_column(hole_0, hole_1, suit, both)
                    _add_powers(sums, 1, powers[river[cell]])


@allocating_kernel
def _fill_flops(
    models, columns, first_cells, holes, first, last, river, powers, numbers, choose, sums
):
    """Fill the cells of flop classes ``first`` to ``last``."""
    off_rows = np.empty(91, np.int64)
    flop = np.empty(3, np.int64)
    for i in range(first, last):
        flop[:] = models[i]
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

        # Columns are numbered in the order of their first hole cards.
        column = 0
        for hole in range(len(holes)):
            if columns[i, hole] == column:
                cell = sums[first_cells[i] + column]
                cell[:] = 0
                hole_0 = np.int64(holes[hole, 0])
                hole_1 = np.int64(holes[hole, 1])
                _sum_flop_cell(flop, hole_0, hole_1, off_rows, river, powers, numbers, cell)
                column += 1


def sum_flops(
    numbering: FlopNumbering, river: U16, executor: ThreadPoolExecutor, progress: Progress
) -> F64:
    """``(1286792, 9)``: the win chance to the power of 1 to 9, summed over 1,081 completions."""
    first_cells = numbering.first_cells()
    sums = np.empty((first_cells[-1], MAX_OPPONENTS))
    tasks = [
        executor.submit(
            _fill_flops,
            numbering.models,
            numbering.hole_columns,
            first_cells,
            hole_pairs(),
            first,
            last,
            river,
            np.ascontiguousarray(win_powers()[1:].T),
            set_numbers(),
            binomials(),
            sums,
        )
        for first, last in _chunks(len(numbering.models), 96)
    ]
    _wait(tasks, progress)
    return sums


def flop_chances(sums: F64) -> F32:
    """``(1286792, 9)``: the flop table, averages of the sums."""
    return (sums / N_FLOP_COMPLETIONS).astype(np.float32)


# ---------------------------------------------------------------------------------------- preflop


@kernel
def _sum_preflop(sizes, columns, first_cells, holes, sums, totals, n_flops):
    """Add all flops of all real hole cards to the totals of their preflop class."""
    for i in range(len(sizes)):
        for hole in range(len(holes)):
            if columns[i, hole] != NO_CELL:
                cell = sums[first_cells[i] + np.int64(columns[i, hole])]
                hole_class = preflop_class(np.int64(holes[hole, 0]), np.int64(holes[hole, 1]))
                _add_powers(totals[hole_class], sizes[i], cell)
                n_flops[hole_class] += sizes[i]


def preflop_chances(numbering: FlopNumbering, sums: F64) -> F64:
    """``(169, 9)``: the preflop table, from the sums of all flops."""
    totals = np.zeros((N_PREFLOP, MAX_OPPONENTS))
    n_flops = np.zeros(N_PREFLOP, np.int64)
    _sum_preflop(
        numbering.sizes,
        numbering.hole_columns,
        numbering.first_cells(),
        hole_pairs(),
        sums,
        totals,
        n_flops,
    )
    chances: F64 = totals / (n_flops * N_FLOP_COMPLETIONS)[:, None]
    return chances


# ---------------------------------------------------------------------------------------- threads


def _chunks(n: int, n_chunks: int) -> Iterator[tuple[int, int]]:
    for i in range(n_chunks):
        yield n * i // n_chunks, n * (i + 1) // n_chunks


def _wait(tasks: list[Any], progress: Progress) -> None:
    for n_done, task in enumerate(as_completed(tasks), 1):
        task.result()
        progress(n_done / len(tasks))
