"""Cells of hands in the preflop and river tables: kernels that number rows and columns.

A river board is identified by its ranks and, with three or more cards of one suit, by the cards of
that suit; other suits cannot make a flush. The river table is a flat array of four blocks
(Nicolai's thesis, table 4.2) with consecutive rows of boards:

=============  =====================================================  ======
block          row                                                    width
=============  =====================================================  ======
FIVE_SUITED    set of five ranks                                         223
FOUR_SUITED    set of four ranks, off rank                               244
THREE_SUITED   set of three ranks, pair of off ranks                     266
NO_SUITED      multiset of five ranks                                     91
=============  =====================================================  ======

The columns of a row are hole cards: first two of the board's suit, then one of that suit and an off
rank, then two off ranks. Suited cards are numbered among the cards of the suit not on the board.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.jit.array_types import I64, U16, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.bits import popcount

FIVE_WIDTH = 223
FOUR_WIDTH = 244
THREE_WIDTH = 266
NO_WIDTH = 91
FOUR_START = 1287 * FIVE_WIDTH
THREE_START = FOUR_START + 9295 * FOUR_WIDTH
NO_START = THREE_START + 26026 * THREE_WIDTH
N_RIVER_CELLS = NO_START + 6188 * NO_WIDTH

N_RANK_PAIRS = 91
SUIT = 0x1FFF
"""The 13 ranks of a suit, as a set."""
EVERY_SUIT = 0x1FFF_1FFF_1FFF_1FFF
"""All 52 cards as a set: suit ``s`` in bits ``16 s`` to ``16 s + 12``."""
ONE_RANK = 0x0001_0001_0001_0001
"""The four deuces as a set."""


def set_numbers() -> U16:
    """``(8192,)`` number of each set of ranks among the sets of its size, in ascending order."""
    sets = np.arange(1 << 13)
    sizes = np.array([bits.bit_count() for bits in range(1 << 13)])
    numbers = np.empty(1 << 13, np.uint16)
    for size in range(14):
        of_size = sets[sizes == size]
        numbers[of_size] = np.arange(len(of_size))
    return numbers


def binomials() -> I64:
    """``(18, 6)`` binomial coefficients C(n, k)."""
    table = np.zeros((18, 6), np.int64)
    table[:, 0] = 1
    for n in range(1, 18):
        table[n, 1:] = table[n - 1, 1:] + table[n - 1, :-1]
    return table


@kernel
def card_bit(card: Int | Float) -> Int:
    """A card as a set of one card."""
    return 1 << ((np.int64(card) & 3) << 4 | np.int64(card) >> 2)


@kernel
def hole_number(hole_0: Int, hole_1: Int) -> Int:
    """Number 0..1325 of two hole cards in any order: C(a,2) + b for cards a > b."""
    high = max(hole_0, hole_1)
    return (high * (high - 1) >> 1) + min(hole_0, hole_1)


@kernel
def preflop_class(hole_0: Int, hole_1: Int) -> Int:
    """Number 0..168 of hole cards: 13 high + low if suited, else 13 low + high (ranks 0..12)."""
    low = min(hole_0, hole_1)
    high = max(hole_0, hole_1)
    if (low ^ high) & 3:
        return (low >> 2) * 13 + (high >> 2)
    return (high >> 2) * 13 + (low >> 2)


@kernel
def rank_pair(a: Int, b: Int) -> Int:
    """Number 0..90 of an unordered pair of ranks, which may be equal."""
    high = max(a, b)
    return (high * (high + 1) >> 1) + min(a, b)


@kernel
def suited_column(hole_0: Int, hole_1: Int, suit: Int, board_ranks: Int) -> Int:
    """Column of two hole cards on a board that holds ``board_ranks`` of ``suit``."""
    rank_0 = hole_0 >> 2
    rank_1 = hole_1 >> 2
    n_left = 13 - popcount(board_ranks)
    n_both_suited = n_left * (n_left - 1) >> 1
    if hole_0 & 3 == suit:
        number_0 = _number_left(rank_0, board_ranks)
        if hole_1 & 3 == suit:
            number_1 = _number_left(rank_1, board_ranks)
            high = max(number_0, number_1)
            return (high * (high - 1) >> 1) + min(number_0, number_1)
        return n_both_suited + number_0 * 13 + rank_1
    if hole_1 & 3 == suit:
        return n_both_suited + _number_left(rank_1, board_ranks) * 13 + rank_0
    return n_both_suited + n_left * 13 + rank_pair(rank_0, rank_1)


@kernel
def _number_left(rank: Int, board_ranks: Int) -> Int:
    """Number of a rank among the ranks that are not on the board."""
    return rank - popcount(board_ranks & ((1 << rank) - 1))


@kernel
def suited_row(suited: Int, off_0: Int, off_1: Int, set_numbers: U16) -> Int:
    """First cell of a board that holds ``suited``, three to five ranks of one suit.

    ``off_0`` and ``off_1`` are the ranks of its other cards; unneeded ones are ignored.
    """
    number = np.int64(set_numbers[suited])
    n_suited = popcount(suited)
    if n_suited == 3:
        board = number * N_RANK_PAIRS + rank_pair(off_0, off_1)
        return THREE_START + board * THREE_WIDTH
    if n_suited == 4:
        return FOUR_START + (number * 13 + off_0) * FOUR_WIDTH
    return number * FIVE_WIDTH


@kernel
def no_suited_row(r0: Int, r1: Int, r2: Int, r3: Int, r4: Int, binomials: I64) -> Int:
    """First cell of a board without three cards of one suit, by its ranks in any order.

    The multiset r_0 <= ... <= r_4 is the set of r_i + i, numbered as the sum of C(r_i + i, i + 1).
    """
    # Position of each rank in ascending order; ties keep their order.
    b01 = np.int64(r0 > r1)
    b02 = np.int64(r0 > r2)
    b03 = np.int64(r0 > r3)
    b04 = np.int64(r0 > r4)
    b12 = np.int64(r1 > r2)
    b13 = np.int64(r1 > r3)
    b14 = np.int64(r1 > r4)
    b23 = np.int64(r2 > r3)
    b24 = np.int64(r2 > r4)
    b34 = np.int64(r3 > r4)
    i0 = b01 + b02 + b03 + b04
    i1 = 1 - b01 + b12 + b13 + b14
    i2 = 2 - b02 - b12 + b23 + b24
    i3 = 3 - b03 - b13 - b23 + b34
    i4 = 4 - b04 - b14 - b24 - b34
    board = (
        binomials[r0 + i0, i0 + 1]
        + binomials[r1 + i1, i1 + 1]
        + binomials[r2 + i2, i2 + 1]
        + binomials[r3 + i3, i3 + 1]
        + binomials[r4 + i4, i4 + 1]
    )
    return NO_START + board * NO_WIDTH


@kernel
def no_suited_turn(
    r0: Int, r1: Int, r2: Int, r3: Int, binomials: I64
) -> tuple[tuple[Int, Int, Int, Int], tuple[Int, Int, Int, Int], tuple[Int, Int, Int, Int]]:
    """Data of a board of four ranks, in any order, for ``no_suited_row_after``.

    The ranks in ascending order, then the binomial coefficient of each if the fifth rank is above
    it, and if not.
    """
    low_0, high_0 = min(r0, r1), max(r0, r1)
    low_1, high_1 = min(r2, r3), max(r2, r3)
    middle_0, middle_1 = max(low_0, low_1), min(high_0, high_1)
    a, b = min(low_0, low_1), min(middle_0, middle_1)
    c, d = max(middle_0, middle_1), max(high_0, high_1)
    above = (binomials[a, 1], binomials[b + 1, 2], binomials[c + 2, 3], binomials[d + 3, 4])
    below = (binomials[a + 1, 2], binomials[b + 2, 3], binomials[c + 3, 4], binomials[d + 4, 5])
    return (a, b, c, d), above, below


@kernel
def no_suited_row_after(
    turn: tuple[tuple[Int, Int, Int, Int], tuple[Int, Int, Int, Int], tuple[Int, Int, Int, Int]],
    rank: Int,
    binomials: I64,
) -> Int:
    """``no_suited_row`` of the four ranks of ``no_suited_turn`` and a fifth rank."""
    (a, b, c, d), above, below = turn
    place = np.int64(a < rank) + np.int64(b < rank) + np.int64(c < rank) + np.int64(d < rank)
    board = (
        binomials[rank + place, place + 1]
        + (above[0] if a < rank else below[0])
        + (above[1] if b < rank else below[1])
        + (above[2] if c < rank else below[2])
        + (above[3] if d < rank else below[3])
    )
    return NO_START + board * NO_WIDTH
