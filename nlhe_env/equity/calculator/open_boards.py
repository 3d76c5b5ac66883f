"""Kernels of the equity calculator for open boards and for sampled deals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.equity.calculator.match_ups import add_winners
from nlhe_env.equity.calculator.showdown_tables import TablesRecord, flush_suit, multiset_of_board
from nlhe_env.equity.tables.cells import SUIT
from nlhe_env.evaluator import rank_set
from nlhe_env.game.random_stream import EQUITY_DEALS, digit, draw, unit
from nlhe_env.jit.array_types import F64, I64, U16, Float, Int, Truth
from nlhe_env.jit.compilation import allocating_kernel, kernel
from nlhe_env.numerics.bits import popcount

MOST_TRIES = 1 << 20  # to find compatible holdings of ranges


class Holdings(NamedTuple):
    """Weighted holdings of ranges."""

    sets: I64
    """``(n,)`` holdings as sets of cards."""
    columns: I64
    """``(n,)`` numbers of their ranks."""
    weights: F64
    """``(n,)`` weights, or ``(n, 2)`` for each of two players."""


class Boards(NamedTuple):
    """Complete boards as sets, and the number of real boards for each."""

    sets: I64
    counts: I64


class DealSource(NamedTuple):
    """Source of sampled deals."""

    holdings: I64
    """Concatenated holdings of all ranges, as sets of cards."""
    ends: I64
    """``(n_players,)`` end of each player's range."""
    shares: F64
    """Cumulative share of a range up to and including each holding."""
    seats: I64
    """Players with any two cards, listed twice each."""
    free: I64
    """Possible board cards as sets of one card."""
    board: Int
    """Set of the open board cards."""


@kernel
def fold_boards(boards: I64, counts: I64, renamings: I64) -> Int:
    """Move the lowest of each group of isomorphic boards to the front, with the group size."""
    n_kept = 0
    for i in range(len(boards)):
        board = boards[i]
        n_same = 0
        least = True
        for j in range(len(renamings)):
            renamed = np.int64(0)
            for suit in range(4):
                renamed |= (board >> 16 * suit & SUIT) << 16 * renamings[j, suit]
            n_same += renamed == board
            if renamed < board:
                least = False
                break
        if least:
            boards[n_kept] = board
            counts[n_kept] = len(renamings) // n_same
            n_kept += 1
    return n_kept


@kernel
def fold_deals(deals: I64, renamings: I64, renamed_holes: I64, keys: I64) -> None:
    """Number the deals such that suit-isomorphic deals have equal numbers.

    The number is the minimum of ``sum(holding * 1326 ** seat)`` over the renamings.
    """
    n_holes = renamed_holes.shape[1]
    for deal in range(len(deals)):
        least = np.int64(0x7FFF_FFFF_FFFF_FFFF)
        for renaming in renamings:
            key = np.int64(0)
            for player in range(deals.shape[1] - 1, -1, -1):
                key = key * n_holes + renamed_holes[renaming, deals[deal, player]]
            least = min(least, key)
        keys[deal] = least


@kernel
def _rank_on(
    holding: Int, column: Int, board: Int, by_column: U16, flush_start: Int, flush: U16
) -> Int:
    """Rank number of a holding on a complete board, from tables.

    Args:
        holding: The hole cards as a set.
        column: The number of their ranks.
        board: The board as a set.
        by_column: The ranks without flush on this board.
        flush_start: ``flush_suit(board)``.
        flush: The ranks of flushes.
    """
    rank = np.int64(by_column[column])
    if flush_start >= 0:
        suited = (board | holding) >> flush_start & SUIT
        rank = max(rank, np.int64(flush[suited]))  # 0 where it is none
    return rank


@kernel
def play_hand(
    hand: Int,
    column: Int,
    holdings: Holdings,
    boards: Boards,
    first: Int,
    last: Int,
    tables: TablesRecord,
    totals: F64,
) -> None:
    """Play a holding against a range on boards ``first`` to ``last``.

    Args:
        hand: The first player's holding as a set of cards.
        column: The number of its ranks.
        holdings: Holdings of the second player, without cards of ``hand``.
        boards: Boards without cards of ``hand``.
        first: The first board.
        last: The one after the last.
        tables: ``ShowdownTables``.
        totals: ``(2, 3)`` float64: weight of the deals in which a player is one of m winners.
    """
    sets, columns, weights = holdings
    counts = boards.counts
    flush = tables["flush"]
    for b in range(first, last):
        board = boards.sets[b]
        by_column = tables["by_board"][multiset_of_board(board, tables["binomials"])]
        start = flush_suit(board)
        rank = _rank_on(hand, column, board, by_column, start, flush)
        everything = 0.0
        won = 0.0
        tied = 0.0
        if start < 0:
            for i in range(len(sets)):
                weight = weights[i] * np.float64(sets[i] & board == 0)
                other: Int = np.int64(by_column[columns[i]])
                everything += weight
                won += weight * np.float64(rank > other)
                tied += weight * np.float64(rank == other)
        else:
            for i in range(len(sets)):
                weight = weights[i] * np.float64(sets[i] & board == 0)
                other = _rank_on(sets[i], columns[i], board, by_column, start, flush)
                everything += weight
                won += weight * np.float64(rank > other)
                tied += weight * np.float64(rank == other)
        totals[0, 1] += counts[b] * won
        totals[0, 2] += counts[b] * tied
        totals[1, 1] += counts[b] * (everything - won - tied)
        totals[1, 2] += counts[b] * tied


@allocating_kernel
def play_ranges(
    holes: I64,
    holdings: Holdings,
    boards: Boards,
    first: Int,
    last: Int,
    tables: TablesRecord,
    totals: F64,
) -> None:
    """Play two ranges against each other on boards ``first`` to ``last``.

    ``holdings`` are the holdings of both players with weights for each, and ``holes`` their cards.
    """
    sets, columns, weights = holdings
    counts = boards.counts
    n_holdings = len(holes)
    flush = tables["flush"]
    ranks = np.empty(n_holdings, np.uint16)
    order = np.empty(n_holdings, np.uint16)
    half_sorted = np.empty(n_holdings, np.uint16)
    ends = np.empty(257, np.int64)
    with_card = np.empty((N_CARDS, 2))  # weight of the previous holdings by card
    for b in range(first, last):
        board = boards.sets[b]
        by_column = tables["by_board"][multiset_of_board(board, tables["binomials"])]
        start = flush_suit(board)
        n = 0
        for i in range(n_holdings):
            if sets[i] & board == 0:
                ranks[i] = _rank_on(sets[i], columns[i], board, by_column, start, flush)
                order[n] = i
                n += 1
        _sort_by_byte(order, half_sorted, n, ranks, 0, ends)
        _sort_by_byte(half_sorted, order, n, ranks, 8, ends)

        with_card.fill(0)
        all_0 = 0.0
        all_1 = 0.0
        wins_0 = 0.0
        wins_1 = 0.0
        ties = 0.0
        group = 0
        while group < n:
            rank = ranks[order[group]]
            end = group
            while end < n and ranks[order[end]] == rank:
                end += 1
            for k in range(group, end):  # against all that is weaker
                i = order[k]
                x = holes[i, 0]
                y = holes[i, 1]
                weaker_1 = all_1 - with_card[x, 1] - with_card[y, 1]
                wins_0 += weights[i, 0] * weaker_1
                ties -= weights[i, 0] * weaker_1
                wins_1 += weights[i, 1] * (all_0 - with_card[x, 0] - with_card[y, 0])
            for k in range(group, end):
                i = order[k]
                all_0 += weights[i, 0]
                all_1 += weights[i, 1]
                for side in range(2):
                    with_card[holes[i, 0], side] += weights[i, side]
                    with_card[holes[i, 1], side] += weights[i, side]
            for k in range(group, end):  # against all that is weaker or equal
                i = order[k]
                # The identical holding has been subtracted twice.
                shared = with_card[holes[i, 0], 1] + with_card[holes[i, 1], 1] - weights[i, 1]
                ties += weights[i, 0] * (all_1 - shared)
            group = end
        totals[0, 1] += counts[b] * wins_0
        totals[1, 1] += counts[b] * wins_1
        totals[0, 2] += counts[b] * ties
        totals[1, 2] += counts[b] * ties


@kernel
def _sort_by_byte(order: U16, into: U16, n: Int, ranks: U16, shift: Int, ends: I64) -> None:
    """Sort ``n`` places by one byte of their ranks, stably."""
    ends.fill(0)
    for k in range(n):
        ends[(ranks[order[k]] >> shift & 255) + 1] += 1
    for byte in range(256):
        ends[byte + 1] += ends[byte]
    for k in range(n):
        byte = ranks[order[k]] >> shift & 255
        into[ends[byte]] = order[k]
        ends[byte] += 1


@kernel
def _add_showdown(board: Int, holdings: I64, ranks: I64, count: Int, histogram: I64) -> None:
    """Add ``count`` deals to the histogram of winners."""
    for player in range(len(holdings)):
        ranks[player] = rank_set(board | holdings[player])
    add_winners(ranks, count, histogram)


@kernel
def play_deals(
    deals: I64, weights: F64, boards: I64, counts: I64, histogram: I64, ranks: I64, totals: F64
) -> None:
    """Add the weighted showdowns of every deal on every compatible board to ``totals``."""
    for deal in range(len(deals)):
        holdings = deals[deal]
        taken = np.int64(0)
        for player in range(len(holdings)):
            taken |= holdings[player]
        histogram.fill(0)
        for i in range(len(boards)):
            if boards[i] & taken == 0:
                _add_showdown(boards[i], holdings, ranks, counts[i], histogram)
        for player in range(totals.shape[0]):
            for n_winners in range(totals.shape[1]):
                totals[player, n_winners] += weights[deal] * histogram[player, n_winners]


# ------------------------------------------------------------------------------------- sampling


@kernel
def _find(shares: F64, share: Float, start: Int, end: Int) -> Int:
    """The first position in ``start`` to ``end`` with more than ``share``, or the last."""
    end -= 1
    while start < end:
        middle = (start + end) >> 1
        if shares[middle] > share:
            end = middle
        else:
            start = middle + 1
    return start


@kernel
def draw_deals(
    seed: Int,
    first: Int,
    last: Int,
    source: DealSource,
    held: I64,
    ranks: I64,
    histogram: I64,
) -> Truth:
    """Draw deals ``first`` to ``last``; False if compatible holdings are too rare.

    If two players have the same card, all holdings are drawn again, so that every compatible
    combination has a probability proportional to the product of its weights. The players in
    ``seats`` get their cards before the board.
    """
    holdings, ends, shares, seats, free, board = source
    n_players = len(held)
    n_cards = len(seats) + 5 - popcount(board)
    n_free = np.uint64(len(free))
    for deal in range(first, last):
        block = 0
        taken = np.int64(0)
        player = 0
        n_tries = 0
        while player < n_players:
            start = ends[player - 1] if player > 0 else 0
            end = ends[player]
            if end - start > 1:
                word, _ = draw(seed, EQUITY_DEALS, block, deal & 0xFFFFFFFF, deal >> 32, 0)
                block += 1
                start = _find(shares, unit(word), start, end)
            holding = holdings[start] if start < end else np.int64(0)
            if taken & holding:
                n_tries += 1
                if n_tries == MOST_TRIES:
                    return False
                taken = np.int64(0)
                player = 0
            else:
                held[player] = holding
                taken |= holding
                player += 1

        full = np.int64(board)
        n_dealt = 0
        while n_dealt < n_cards:
            word, second = draw(seed, EQUITY_DEALS, block, deal & 0xFFFFFFFF, deal >> 32, 0)
            block += 1
            for i in range(8):
                if i == 4:
                    word = second
                place, word = digit(word, n_free)
                card = free[np.int64(place)]
                if n_dealt == n_cards or card & taken:
                    continue
                if n_dealt < len(seats):
                    held[seats[n_dealt]] |= card
                else:
                    full |= card
                taken |= card
                n_dealt += 1
        _add_showdown(full, held, ranks, 1, histogram)
    return True
