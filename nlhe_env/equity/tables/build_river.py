"""Fills the river table: all hole cards on all boards against all other holdings.

The win chance of hole cards is the share of the 990 other holdings that they beat or tie (Nicolai's
thesis, section 4.2), by exact enumeration.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from nlhe_env.equity.tables.suits import NO_CELL
from nlhe_env.evaluator import add_rank, rank_of_flush, rank_without_flush
from nlhe_env.jit.array_types import I16, I64, U16, AnyArray, Int
from nlhe_env.jit.compilation import allocating_kernel, kernel
from nlhe_env.numerics.bits import popcount
from nlhe_env.numerics.sorting import sort_keys


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


def row_starts(boards: AnyArray) -> I64:
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
def fill_river_rows(
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
