"""Win chances of hole cards on every street, for kernels: no allocation, no exceptions.

The tables are one record, which kernels get as a pointer; reference counting for a tuple of arrays
would take some 80 ns per call, more than most lookups.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from nlhe_env.equity.tables.cells import (
    EVERY_SUIT,
    N_RIVER_CELLS,
    ONE_RANK,
    SUIT,
    card_bit,
    hole_number,
    no_suited_row,
    no_suited_row_after,
    no_suited_turn,
    preflop_class,
    rank_pair,
    suited_column,
    suited_row,
)
from nlhe_env.equity.tables.suits import (
    MAX_OPPONENTS,
    N_FLOP_CELLS,
    N_FLOP_CLASSES,
    N_FLOPS,
    N_HOLES,
    N_PREFLOP,
)
from nlhe_env.jit.array_types import AnyArray, Float, Int, Record, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.bits import popcount

N_CHECKSUMS = 16

StrengthTables: TypeAlias = np.void
"""The exact strength tables: a read-only record of dtype ``TABLES``.

``load_tables`` makes it. Kernels take it as one argument; they and Python alike read
``tables["flop"]``.
"""

TABLES = np.dtype(
    [
        # CRC-32 of equal parts of all that follows, and the version of the format.
        ("checksums", np.uint32, (N_CHECKSUMS,)),
        ("version", np.uint32),
        # Win chance of each hole class, and of each flop cell, against 1 to 9 opponents.
        ("preflop", np.float64, (N_PREFLOP, MAX_OPPONENTS)),
        ("flop", np.float32, (N_FLOP_CELLS, MAX_OPPONENTS)),
        # FlopNumbering: class, first cell and suit renaming of each flop; column of hole cards.
        ("flops", np.int32, (N_FLOPS, 3)),
        ("hole_columns", np.uint16, (N_FLOP_CLASSES, N_HOLES)),
        # How many of 990 other holdings are beaten or tied in each river cell.
        ("river", np.uint16, (N_RIVER_CELLS,)),
        # Number of each set of ranks among those of its size.
        ("set_numbers", np.uint16, (1 << 13,)),
        # Binomial coefficients C(n, k).
        ("binomials", np.int64, (18, 6)),
        # Win chance against n opponents by the number of holdings beaten or tied.
        ("powers", np.float64, (MAX_OPPONENTS + 1, 991)),
        # Data of pot shares are separate, because players that use win chances never read them: pot
        # share of each hole class and flop cell; number of beaten holdings in each river cell.
        ("preflop_shares", np.float64, (N_PREFLOP, MAX_OPPONENTS)),
        ("flop_shares", np.float32, (N_FLOP_CELLS, MAX_OPPONENTS)),
        ("river_beaten", np.uint16, (N_RIVER_CELLS,)),
    ],
    align=True,
)
"""Layout of the tables; ``nlhe_env.equity.tables.cells`` and ``FlopNumbering`` number the cells."""
StrengthTablesRecord: TypeAlias = Record
"""A record of dtype ``TABLES``."""

N_OTHER_HOLDINGS = 990
"""Holdings of an opponent, C(45,2), for known hole cards and a complete board."""
N_RIVERS = 46
"""Number of river cards on the turn."""


@kernel
def win_or_tie_probability(
    hole_0: Int,
    hole_1: Int,
    board: AnyArray,
    n_board: Int,
    n_opponents: Int,
    tables: StrengthTablesRecord,
) -> Float:
    """Probability that hole cards win or tie at showdown.

    Against n opponents it is the mean, over all future boards, of the n-th power of the probability
    against one.

    Args:
        hole_0: A card code.
        hole_1: Another card code, in any order.
        board: 1-D integer array of at least ``n_board`` card codes, in any order.
        n_board: 0, 3, 4 or 5 cards of ``board`` that lie open.
        n_opponents: 1 to 9.
        tables: ``StrengthTables``.

    Returns:
        float64 in [0, 1].
    """
    first = np.int64(hole_0)
    second = np.int64(hole_1)
    if n_board == 0:
        return tables["preflop"][preflop_class(first, second), n_opponents - 1]
    if n_board == 3:
        cell = _flop_cell(first, second, board, tables)
        return np.float64(tables["flop"][cell, n_opponents - 1])
    if n_board == 4:
        return _turn_average(first, second, board, n_opponents, False, tables)
    cell = _river_cell(first, second, board, tables)
    return tables["powers"][n_opponents, tables["river"][cell]]


@kernel
def hand_equity(
    hole_0: Int,
    hole_1: Int,
    board: AnyArray,
    n_board: Int,
    n_opponents: Int,
    tables: StrengthTablesRecord,
) -> Float:
    """Equity of hole cards: mean share of the pot at showdown.

    Against one random hand it is exact: the probability to win plus half the probability to tie.
    Several opponents are treated as independent on each board, as in ``win_or_tie_probability``; a
    pot tied with k of them counts 1 / (k + 1).

    Args and returns as for ``win_or_tie_probability``.
    """
    first = np.int64(hole_0)
    second = np.int64(hole_1)
    if n_board == 0:
        return tables["preflop_shares"][preflop_class(first, second), n_opponents - 1]
    if n_board == 3:
        cell = _flop_cell(first, second, board, tables)
        return np.float64(tables["flop_shares"][cell, n_opponents - 1])
    if n_board == 4:
        return _turn_average(first, second, board, n_opponents, True, tables)
    return _cell_value(_river_cell(first, second, board, tables), n_opponents, True, tables)


@kernel
def share_if_independent(win_or_tie: Float, beaten: Float, n_opponents: Int) -> Float:
    """Expected share of the pot against n opponents that are each beaten or tied independently.

    With probabilities w to beat or tie one opponent and b to beat it, the share is
    ``sum over k of C(n,k) b^(n-k) (w-b)^k / (k+1)``, which equals
    ``(w^n + w^(n-1) b + ... + b^n) / (n + 1)``.
    """
    share: Float = 1.0
    power: Float = 1.0
    for _ in range(n_opponents):
        power *= win_or_tie
        share = share * beaten + power
    return share / (n_opponents + 1)


@kernel
def _cell_value(cell: Int, n_opponents: Int, shared: Truth, tables: StrengthTablesRecord) -> Float:
    """Win chance of a river cell, or its pot share."""
    powers = tables["powers"]
    if shared:
        win_or_tie = powers[1, tables["river"][cell]]
        return share_if_independent(
            win_or_tie, powers[1, tables["river_beaten"][cell]], n_opponents
        )
    return powers[n_opponents, tables["river"][cell]]


@kernel
def _flop_cell(hole_0: Int, hole_1: Int, board: AnyArray, tables: StrengthTablesRecord) -> Int:
    b0 = np.int64(board[0])
    b1 = np.int64(board[1])
    b2 = np.int64(board[2])
    high = max(b0, b1, b2)
    low = min(b0, b1, b2)
    middle = b0 + b1 + b2 - high - low
    number = high * (high - 1) * (high - 2) // 6 + (middle * (middle - 1) >> 1) + low
    flop_class = np.int64(tables["flops"][number, 0])
    first_cell = np.int64(tables["flops"][number, 1])
    renaming = np.int64(tables["flops"][number, 2])
    renamed_0 = hole_0 & ~3 | renaming >> 2 * (hole_0 & 3) & 3
    renamed_1 = hole_1 & ~3 | renaming >> 2 * (hole_1 & 3) & 3
    hole = hole_number(renamed_0, renamed_1)
    return first_cell + np.int64(tables["hole_columns"][flop_class, hole])


@kernel
def _off_ranks(suit: Int, b0: Int, b1: Int, b2: Int, b3: Int) -> tuple[Int, Int]:
    """Ranks of the last two of four cards not of ``suit``, the last one first."""
    off_0: Int = np.int64(-1)
    off_1: Int = np.int64(-1)
    for card in (b0, b1, b2, b3):
        if card & 3 != suit:
            off_1 = off_0
            off_0 = card >> 2
    return off_0, off_1


@kernel
def _turn_average(
    hole_0: Int,
    hole_1: Int,
    board: AnyArray,
    n_opponents: Int,
    shared: Truth,
    tables: StrengthTablesRecord,
) -> Float:
    """Average over the 46 rivers, with rivers of a rank that make no flush combined."""
    b0 = np.int64(board[0])
    b1 = np.int64(board[1])
    b2 = np.int64(board[2])
    b3 = np.int64(board[3])
    on_board = card_bit(b0) | card_bit(b1) | card_bit(b2) | card_bit(b3)
    free = EVERY_SUIT & ~(on_board | card_bit(hole_0) | card_bit(hole_1))
    numbers = tables["set_numbers"]

    off_free = free  # rivers of which only the rank matters
    main = -1  # the suit of three or four board cards
    total: Float = 0.0
    for suit in range(4):
        suited = on_board >> 16 * suit & SUIT
        n_suited = popcount(suited)
        if n_suited < 2:
            continue
        off_free &= ~(SUIT << 16 * suit)
        if n_suited > 2:
            main = suit
        off_0, off_1 = _off_ranks(suit, b0, b1, b2, b3)
        rivers = free >> 16 * suit & SUIT
        # Off the suit, hole cards have the same column on any river.
        on_suit = (hole_0 & 3 == suit) | (hole_1 & 3 == suit)
        column = suited_column(hole_0, hole_1, suit, suited | rivers & -rivers)
        while rivers:
            with_river = suited | rivers & -rivers
            rivers &= rivers - 1
            if on_suit:
                column = suited_column(hole_0, hole_1, suit, with_river)
            cell = suited_row(with_river, off_0, off_1, numbers) + column
            total += _cell_value(cell, n_opponents, shared, tables)

    if main >= 0:
        suited = on_board >> 16 * main & SUIT
        off_0, _ = _off_ranks(main, b0, b1, b2, b3)
        column = suited_column(hole_0, hole_1, main, suited)
        for rank in range(13):
            n_rivers = popcount(off_free >> rank & ONE_RANK)
            if n_rivers > 0:
                cell = suited_row(suited, rank, off_0, numbers) + column
                total += n_rivers * _cell_value(cell, n_opponents, shared, tables)
    else:
        column = rank_pair(hole_0 >> 2, hole_1 >> 2)
        binomials = tables["binomials"]
        turn = no_suited_turn(b0 >> 2, b1 >> 2, b2 >> 2, b3 >> 2, binomials)
        for rank in range(13):
            n_rivers = popcount(off_free >> rank & ONE_RANK)
            if n_rivers > 0:
                cell = no_suited_row_after(turn, rank, binomials) + column
                total += n_rivers * _cell_value(cell, n_opponents, shared, tables)
    return total / N_RIVERS


@kernel
def _river_cell(hole_0: Int, hole_1: Int, board: AnyArray, tables: StrengthTablesRecord) -> Int:
    b0 = np.int64(board[0])
    b1 = np.int64(board[1])
    b2 = np.int64(board[2])
    b3 = np.int64(board[3])
    b4 = np.int64(board[4])
    on_board = card_bit(b0) | card_bit(b1) | card_bit(b2) | card_bit(b3) | card_bit(b4)
    for suit in range(4):
        suited = on_board >> 16 * suit & SUIT
        if popcount(suited) >= 3:
            off_0, off_1 = _off_ranks(suit, b0, b1, b2, b3)
            if b4 & 3 != suit:
                off_1 = off_0
                off_0 = b4 >> 2
            row = suited_row(suited, off_0, off_1, tables["set_numbers"])
            return row + suited_column(hole_0, hole_1, suit, suited)
    row = no_suited_row(b0 >> 2, b1 >> 2, b2 >> 2, b3 >> 2, b4 >> 2, tables["binomials"])
    return row + rank_pair(hole_0 >> 2, hole_1 >> 2)
