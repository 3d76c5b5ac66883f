"""The compiled side of the equity calculator on open boards, and where deals are drawn."""

from __future__ import annotations

import numpy as np

from nlhe_env.equity.calculator.match_ups import add_winners
from nlhe_env.equity.calculator.showdown_tables import flush_suit, multiset_of_board
from nlhe_env.equity.tables.cells import SUIT
from nlhe_env.evaluator import rank_set
from nlhe_env.game.random_stream import EQUITY_DEALS, digit, draw, unit
from nlhe_env.jit.compilation import allocating_kernel, kernel
from nlhe_env.numerics.bits import popcount

MOST_TRIES = 1 << 20  # to find holdings of ranges that fit together


@kernel
def fold_boards(boards, counts, renamings):
    """Move the least of all boards that are alike to the front, with their number."""
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
def fold_deals(deals, renamings, renamed_holes, keys):
    """Number the deals so that those are alike that a renaming of suits turns into each other.

    The number is the least of ``sum(holding * 1326 ** seat)`` over the renamings.
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
def _rank_on(holding, column, board, by_column, flush_start, flush):
    """Number of the rank of a holding on a full board, by table.

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
def play_hand(hand, column, sets, columns, weights, boards, counts, first, last, tables, totals):
    """Play a holding against a range on boards ``first`` to ``last``.

    Args:
        hand: The first player's holding as a set of cards.
        column: The number of its ranks.
        sets: ``(n,)`` holdings of the second player, without cards of the first one's.
        columns: ``(n,)`` numbers of their ranks.
        weights: ``(n,)`` float64.
        boards: Full boards as sets, without cards of ``hand``.
        counts: Numbers of boards that each of them stands for.
        first: The first board.
        last: The one after the last.
        tables: ``ShowdownTables``.
        totals: ``(2, 3)`` float64: weight of the deals in which a player is one of m winners.
    """
    flush = tables["flush"]
    for b in range(first, last):
        board = boards[b]
        by_column = tables["by_board"][multiset_of_board(board, tables["binomials"])]
        start = flush_suit(board)
        rank = _rank_on(hand, column, board, by_column, start, flush)
        everything = 0.0
        won = 0.0
        tied = 0.0
        if start < 0:
            for i in range(len(sets)):
                weight = weights[i] * np.float64(sets[i] & board == 0)
                other = np.int64(by_column[columns[i]])
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
def play_ranges(holes, sets, columns, weights, boards, counts, first, last, tables, totals):
    """Play two ranges against each other on boards ``first`` to ``last``.

    ``holes`` are the cards of what either may hold, ``sets`` and ``columns`` as in ``play_hand``,
    and ``weights``, ``(n, 2)``, the weights for each player.
    """
    n_holdings = len(holes)
    flush = tables["flush"]
    ranks = np.empty(n_holdings, np.uint16)
    order = np.empty(n_holdings, np.uint16)
    half_sorted = np.empty(n_holdings, np.uint16)
    ends = np.empty(257, np.int64)
    with_card = np.empty((52, 2))  # weight of the holdings so far that contain a card
    for b in range(first, last):
        board = boards[b]
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

        with_card[:] = 0
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
                # The same two cards have been taken off twice.
                shared = with_card[holes[i, 0], 1] + with_card[holes[i, 1], 1] - weights[i, 1]
                ties += weights[i, 0] * (all_1 - shared)
            group = end
        totals[0, 1] += counts[b] * wins_0
        totals[1, 1] += counts[b] * wins_1
        totals[0, 2] += counts[b] * ties
        totals[1, 2] += counts[b] * ties


@kernel
def _sort_by_byte(order, into, n, ranks, shift, ends):
    """Sort ``n`` places by one byte of their ranks, those with equal ones as they come."""
    ends[:] = 0
    for k in range(n):
        ends[(ranks[order[k]] >> shift & 255) + 1] += 1
    for byte in range(256):
        ends[byte + 1] += ends[byte]
    for k in range(n):
        byte = ranks[order[k]] >> shift & 255
        into[ends[byte]] = order[k]
        ends[byte] += 1


@kernel
def _add_showdown(board, holdings, ranks, count, histogram):
    """Add ``count`` deals to how often each player was one of m winners."""
    for player in range(len(holdings)):
        ranks[player] = rank_set(board | holdings[player])
    add_winners(ranks, count, histogram)


@kernel
def play_deals(deals, weights, boards, counts, histogram, ranks, totals):
    """Add the weighted showdowns of every deal on every board that it fits to ``totals``."""
    for deal in range(len(deals)):
        holdings = deals[deal]
        taken = np.int64(0)
        for player in range(len(holdings)):
            taken |= holdings[player]
        histogram[:] = 0
        for i in range(len(boards)):
            if boards[i] & taken == 0:
                _add_showdown(boards[i], holdings, ranks, counts[i], histogram)
        for player in range(totals.shape[0]):
            for n_winners in range(totals.shape[1]):
                totals[player, n_winners] += weights[deal] * histogram[player, n_winners]


# ------------------------------------------------------------------------------------- sampling


@kernel
def _find(shares, share, start, end):
    """The first place in ``start`` to ``end`` that holds more than ``share``, at most the last."""
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
    seed, first, last, holdings, ends, shares, seats, free, board, held, ranks, histogram
):
    """Draw the deals numbered ``first`` to ``last``; False if a deal is all but impossible.

    Holdings are drawn anew, all of them, when two players hold the same card: that keeps every
    compatible combination as likely as the product of its weights. The players in ``seats``, each
    named twice, have any two cards and get them before the board is dealt.
    """
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
