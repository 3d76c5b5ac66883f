"""Builds the exact strength tables by complete enumeration on all cores, in parts that are stored.

The win chance of hole cards on the river is the share of the 990 other holdings that they beat or
tie (Nicolai's thesis, section 4.2). Before the river the win chance against n opponents is the
mean, over all future boards, of the n-th power of that against one (4.1.3.4); the pot share is
averaged likewise.

A part is a range of rows filled by one thread. Every cell is summed in a fixed order, so the result
does not depend on the number of threads or on the stored parts.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nlhe_env.equity.tables.cells import (
    EVERY_SUIT,
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
from nlhe_env.equity.tables.lookup import N_OTHER_HOLDINGS, StrengthTables
from nlhe_env.equity.tables.suits import (
    MAX_OPPONENTS,
    N_PREFLOP,
    NO_CELL,
    FlopNumbering,
    hole_pairs,
    number_flops,
)
from nlhe_env.evaluator import add_rank, rank_of_flush, rank_without_flush
from nlhe_env.jit.array_types import F32, F64, I8, I16, I64, U16, AnyArray, Int
from nlhe_env.jit.compilation import allocating_kernel, kernel
from nlhe_env.numerics.bits import popcount
from nlhe_env.numerics.sorting import sort_keys
from nlhe_env.system.cores import n_cores
from nlhe_env.system.files import load_npz, replacing
from nlhe_env.system.threads import Threads

N_RIVER_PARTS = 32
N_FLOP_PARTS = 96
_N_FLOP_COMPLETIONS = 1081
"""Number of turn and river pairs, C(47,2), for known hole cards and flop."""
_N_FLOPS_OF_HOLE = 19_600
"""Number of flops, C(50,3), for known hole cards."""
_MOST_COLUMNS = 1176
"""Number of hole cards for a flop without symmetry, C(49,2)."""
_RIVER_SHARE = 0.15
"""Approximate share of the river in the work."""

Progress = Callable[[float], None]
"""Callback with the finished share of the work, 0 to 1."""


def win_powers() -> F64:
    """``(10, 991)``: probability ``(k / 990) ** n`` against n opponents if k holdings do not win.

    Repeated multiplication, because the last bit of ``pow`` depends on the C library.
    """
    powers = np.ones((MAX_OPPONENTS + 1, N_OTHER_HOLDINGS + 1))
    for n in range(1, MAX_OPPONENTS + 1):
        powers[n] = powers[n - 1] * (np.arange(N_OTHER_HOLDINGS + 1) / N_OTHER_HOLDINGS)
    return powers


def fill_tables(
    tables: StrengthTables, parts: PartsFolder, *, n_threads: int | None, progress: Progress
) -> None:
    """Fill all tables of a record, except version and checksums.

    Args:
        tables: A record of dtype ``TABLES``.
        parts: Store of finished parts, also from an earlier, interrupted call.
        n_threads: Number of threads; default: one per core.
        progress: Callback for the progress.
    """
    numbering = number_flops()
    tables["flops"] = numbering.flops
    tables["hole_columns"] = numbering.hole_columns
    tables["set_numbers"] = set_numbers()
    tables["binomials"] = binomials()
    tables["powers"] = win_powers()
    # After an interrupt, running parts are finished and stored, and no others are started.
    with Threads(n_threads or n_cores()) as threads:
        _fill_river(tables, parts, threads, lambda done: progress(_RIVER_SHARE * done))
        totals = _fill_flops(
            numbering,
            tables,
            parts,
            threads,
            lambda done: progress(_RIVER_SHARE + (1 - _RIVER_SHARE) * done),
        )
    tables["preflop"], tables["preflop_shares"] = _preflop_averages(totals)


def _fill_river(
    tables: StrengthTables, parts: PartsFolder, threads: Threads, progress: Progress
) -> None:
    boards = river_boards()
    starts = _row_starts(boards)
    river, beaten = tables["river"], tables["river_beaten"]
    tasks: list[Callable[[], None]] = []
    for i, first, last in _chunks(len(boards), N_RIVER_PARTS):
        cells = slice(starts[first], starts[last])
        tasks.append(
            partial(
                _fill_part,
                parts,
                f"river-{i}",
                {"river": river[cells], "beaten": beaten[cells]},
                _fill_river_rows,
                (boards, starts, first, last, river, beaten),
            )
        )
    _run(tasks, threads, progress)


def river_boards() -> AnyArray:
    """``(42796, 6)`` int16: the boards of the river table, in the order of its rows.

    Column 0 is the set of ranks of the board's suit, empty for NO_SUITED; the others are the ranks
    of the other cards, padded with -1.
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


def _row_starts(boards: AnyArray) -> I64:
    """``(42797,)`` first cell of each board, and the total number of cells."""
    n_left = 13 - np.array([int(suited).bit_count() for suited in boards[:, 0]])
    widths = n_left * (n_left - 1) // 2 + n_left * 13 + 91
    widths[boards[:, 0] == 0] = 91
    return np.concatenate([[0], np.cumsum(widths, dtype=np.int64)])


@kernel
def _score(held: tuple[Int, Int, Int, Int], suited: Int) -> Int:
    """Rank of seven cards with the ranks ``suited`` in the board's suit."""
    ones, twos, threes, fours = held
    # A flush excludes full houses and quads, so the higher class wins.
    if popcount(suited) >= 5:
        return rank_of_flush(suited)
    return rank_without_flush(ones, twos, threes, fours)


@allocating_kernel
def _fill_river_rows(
    boards: I16, starts: I64, first: Int, last: Int, river: U16, beaten: U16
) -> None:
    """Fill rows ``first`` to ``last`` with the numbers of beaten or tied holdings, of 990.

    ``river`` gets the numbers beaten or tied, ``beaten`` the numbers beaten; both have NO_CELL in
    impossible cells.

    Equivalent cards on the board are handled together: a holding is two of up to 23 kinds of cards
    (13 off ranks and at most 10 suited cards), with the number of its real holdings. In ascending
    order of strength, the previous holdings with a given card are counted for each kind. Then the
    holdings not stronger than (a, b) that share no card with it are ``all - those with a - those
    with b + (a, b) itself``, and of the weaker ones, counted without (a, b), ``all - those with a -
    those with b``.
    """
    kinds = np.empty((266, 2), np.int64)  # of each column
    n_cards = np.empty(23, np.int64)  # left of each kind
    suited_ranks = np.empty(10, np.int64)
    keys = np.empty(266, np.int64)
    with_card = np.empty(23, np.int64)
    for row in range(first, last):
        not_losing = river[starts[row] : starts[row + 1]]
        winning = beaten[starts[row] : starts[row + 1]]
        not_losing.fill(NO_CELL)
        winning.fill(NO_CELL)
        suited = np.int64(boards[row, 0])
        n_cards.fill(1)
        n_cards[:13].fill(3 if suited else 4)
        board: tuple[Int, Int, Int, Int] = (np.int64(0), np.int64(0), np.int64(0), np.int64(0))
        n_suited = 0
        for rank in range(13):
            if suited >> rank & 1:
                board = add_rank(board, rank)
            elif suited:
                suited_ranks[n_suited] = rank
                n_suited += 1
        possible = True
        for i in range(1, 6):
            off: Int = np.int64(boards[row, i])
            if off >= 0:
                board = add_rank(board, off)
                n_cards[off] -= 1
                possible &= n_cards[off] >= 0
        if not possible:
            continue  # five cards of one rank

        # Strength and column in one integer, so that sorting them sorts both.
        n_keys = 0
        column = 0
        for high in range(n_suited):
            for low in range(high):
                held = add_rank(add_rank(board, suited_ranks[high]), suited_ranks[low])
                flush = suited | 1 << suited_ranks[high] | 1 << suited_ranks[low]
                kinds[column, 0] = 13 + high
                kinds[column, 1] = 13 + low
                keys[n_keys] = _score(held, flush) << 9 | column
                n_keys += 1
                column += 1
        for i in range(n_suited):
            with_suited = add_rank(board, suited_ranks[i])
            for off in range(13):
                if n_cards[off] > 0:
                    held = add_rank(with_suited, off)
                    kinds[column, 0] = 13 + i
                    kinds[column, 1] = off
                    keys[n_keys] = _score(held, suited | 1 << suited_ranks[i]) << 9 | column
                    n_keys += 1
                column += 1
        for high in range(13):
            with_high = add_rank(board, high)
            for low in range(high + 1):
                if n_cards[high] > 0 and n_cards[low] > np.int64(high == low):
                    held = add_rank(with_high, low)
                    kinds[column, 0] = high
                    kinds[column, 1] = low
                    keys[n_keys] = _score(held, suited) << 9 | column
                    n_keys += 1
                column += 1
        sort_keys(keys, n_keys)

        with_card.fill(0)
        n_all = 0
        start = 0
        while start < n_keys:
            end = start
            while end < n_keys and keys[end] >> 9 == keys[start] >> 9:
                column = keys[end] & 511
                a, b = kinds[column]
                winning[column] = n_all - with_card[a] - with_card[b]
                end += 1
            for i in range(start, end):
                a, b = kinds[keys[i] & 511]
                if a == b:
                    n_all += n_cards[a] * (n_cards[a] - 1) >> 1
                    with_card[a] += n_cards[a] - 1
                else:
                    n_all += n_cards[a] * n_cards[b]
                    with_card[a] += n_cards[b]
                    with_card[b] += n_cards[a]
            for i in range(start, end):
                column = keys[i] & 511
                a, b = kinds[column]
                not_losing[column] = n_all - with_card[a] - with_card[b] + 1
            start = end


def _fill_flops(
    numbering: FlopNumbering,
    tables: StrengthTables,
    parts: PartsFolder,
    threads: Threads,
    progress: Progress,
) -> F64:
    """Fill the flop tables; returns the sums for each preflop class, see ``_FlopCells``."""
    first_cells = numbering.first_cells()
    classes = _FlopClasses(numbering.models, numbering.sizes, numbering.hole_columns, first_cells)
    river_cells = _RiverCells(
        tables["river"], tables["river_beaten"], tables["set_numbers"], tables["binomials"]
    )
    totals = np.empty((N_FLOP_PARTS, 2, N_PREFLOP, MAX_OPPONENTS))
    tasks: list[Callable[[], None]] = []
    for i, first, last in _chunks(len(numbering.models), N_FLOP_PARTS):
        part = slice(first_cells[first], first_cells[last])
        cells = _FlopCells(tables["flop"][part], tables["flop_shares"][part], totals[i])
        tasks.append(
            partial(
                _fill_part,
                parts,
                f"flop-{i}",
                cells._asdict(),
                _fill_flop_classes,
                (classes, hole_pairs(), first, last, river_cells, cells),
            )
        )
    _run(tasks, threads, progress)
    sums: F64 = totals.sum(axis=0)
    return sums


class _FlopClasses(NamedTuple):
    """Classes of flops and their cells, see ``suits.FlopNumbering``."""

    models: I8
    sizes: I64
    hole_columns: U16
    first_cells: I64


class _RiverCells(NamedTuple):
    """River table, and numbers for indexing its cells."""

    river: U16
    """Holdings beaten or tied in each river cell."""
    beaten: U16
    """Holdings beaten."""
    numbers: U16
    """``set_numbers()``."""
    choose: I64
    """``binomials()``."""


class _FlopCells(NamedTuple):
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
def _fill_flop_classes(
    classes: _FlopClasses,
    holes: I8,
    first: Int,
    last: Int,
    river_cells: _RiverCells,
    cells: _FlopCells,
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
    sums = np.empty((_MOST_COLUMNS, 2, MAX_OPPONENTS))
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
                        sums[column, 0, n] / _N_FLOP_COMPLETIONS
                    )
                    shares[start + column, n] = sums[column, 1, n] / (_N_FLOP_COMPLETIONS * (n + 2))
            hole_class = preflop_class(hole_0, hole_1)
            for n in range(MAX_OPPONENTS):
                totals[0, hole_class, n] += sizes[i] * sums[column, 0, n]
                totals[1, hole_class, n] += sizes[i] * sums[column, 1, n]


def _preflop_averages(totals: F64) -> tuple[F64, F64]:
    """``(169, 9)`` win chances and pot shares, from the sums over all flops of all hole cards."""
    classes = [int(preflop_class(int(a), int(b))) for a, b in hole_pairs()]
    n_boards = np.bincount(classes, minlength=N_PREFLOP) * (_N_FLOPS_OF_HOLE * _N_FLOP_COMPLETIONS)
    win_or_tie_probabilities: F64 = totals[0] / n_boards[:, None]
    shares: F64 = totals[1] / (n_boards[:, None] * np.arange(2, MAX_OPPONENTS + 2))
    return win_or_tie_probabilities, shares


def _fill_part(
    parts: PartsFolder,
    name: str,
    arrays: Mapping[str, AnyArray],
    fill: Callable[..., None],
    arguments: tuple[object, ...],
) -> None:
    """Fill the arrays of a part, unless stored."""
    if not parts.read(name, arrays):
        fill(*arguments)
        parts.write(name, arrays)


def _chunks(n: int, n_chunks: int) -> Iterator[tuple[int, int, int]]:
    """Number, first and last + 1 of ranges that cover 0 to n."""
    for i in range(n_chunks):
        yield i, n * i // n_chunks, n * (i + 1) // n_chunks


def _run(tasks: list[Callable[[], None]], threads: Threads, progress: Progress) -> None:
    for n_done, _ in enumerate(threads.map(lambda task: task(), tasks), 1):
        progress(n_done / len(tasks))


class PartsFolder:
    """A folder with one file for each finished part.

    A file is written under a temporary name and renamed, and has the checksums of the zip format.
    So an interruption leaves only complete parts, and several workers with the same parts can share
    a folder. Without write access nothing is stored.
    """

    def __init__(self, folder: Path | None) -> None:
        """Args: folder: Folder of the parts; None for no storage."""
        self._folder = folder

    def read(self, name: str, arrays: Mapping[str, AnyArray]) -> bool:
        """Fill ``arrays`` from a part; False if there is no sound part of this name."""
        if self._folder is None:
            return False
        try:
            part = load_npz(self._folder / f"{name}.npz")
            found = {key: part[key] for key in arrays}
        except (OSError, ValueError, KeyError):
            return False
        for key, array in arrays.items():
            if found[key].shape != array.shape or found[key].dtype != array.dtype:
                return False
        for key, array in arrays.items():
            array[...] = found[key]
        return True

    def write(self, name: str, arrays: Mapping[str, AnyArray]) -> None:
        """Store a finished part, if possible."""
        if self._folder is None:
            return
        # No space, or another worker has finished and removed the folder; the part is in memory
        # anyway.
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with replacing(self._folder / f"{name}.npz", sync=False) as file:
                np.savez(file, allow_pickle=False, **arrays)

    def remove(self) -> None:
        """Remove all parts and all leftovers of interrupted workers."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
