"""The compiled side of the equity calculator: boards folded by suits, showdowns counted."""

from __future__ import annotations

import numpy as np

from nlhe_env._bits import popcount
from nlhe_env._jit import allocating_kernel, kernel
from nlhe_env.equity.cells import SUIT
from nlhe_env.evaluator import rank_from_suits
from nlhe_env.rng import EQUITY_DEALS, digit, draw, unit

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
def _rank(cards):
    """Rank of a set of seven cards."""
    return rank_from_suits(cards & SUIT, cards >> 16 & SUIT, cards >> 32 & SUIT, cards >> 48 & SUIT)


@kernel
def _add_showdown(board, holdings, ranks, count, histogram):
    """Add ``count`` deals to how often each player was one of m winners."""
    n_players = len(holdings)
    best = np.int64(-1)
    n_best = 0
    for player in range(n_players):
        rank = _rank(board | holdings[player])
        ranks[player] = rank
        if rank > best:
            best = rank
            n_best = 1
        elif rank == best:
            n_best += 1
    for player in range(n_players):
        if ranks[player] == best:
            histogram[player, n_best] += count


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


@allocating_kernel
def play_ranges(holes, sets, weights, boards, counts, first, last, totals):
    """Play two ranges against each other on boards ``first`` to ``last``."""
    keys = np.empty(len(holes), np.int64)
    with_card = np.empty((52, 2))  # weight of the holdings so far that contain a card
    for b in range(first, last):
        board = boards[b]
        n = 0
        for i in range(len(holes)):
            if sets[i] & board == 0:
                keys[n] = _rank(sets[i] | board) << 11 | i
                n += 1
        keys[:n].sort()

        with_card[:] = 0
        all_0 = 0.0
        all_1 = 0.0
        wins_0 = 0.0
        wins_1 = 0.0
        ties = 0.0
        start = 0
        while start < n:
            rank = keys[start] >> 11
            end = start
            while end < n and keys[end] >> 11 == rank:
                end += 1
            for k in range(start, end):  # against all that is weaker
                i = keys[k] & 2047
                x = holes[i, 0]
                y = holes[i, 1]
                weaker_1 = all_1 - with_card[x, 1] - with_card[y, 1]
                wins_0 += weights[i, 0] * weaker_1
                ties -= weights[i, 0] * weaker_1
                wins_1 += weights[i, 1] * (all_0 - with_card[x, 0] - with_card[y, 0])
            for k in range(start, end):
                i = keys[k] & 2047
                all_0 += weights[i, 0]
                all_1 += weights[i, 1]
                for side in range(2):
                    with_card[holes[i, 0], side] += weights[i, side]
                    with_card[holes[i, 1], side] += weights[i, side]
            for k in range(start, end):  # against all that is weaker or equal
                i = keys[k] & 2047
                # The same two cards have been taken off twice.
                shared = with_card[holes[i, 0], 1] + with_card[holes[i, 1], 1] - weights[i, 1]
                ties += weights[i, 0] * (all_1 - shared)
            start = end
        totals[0, 1] += counts[b] * wins_0
        totals[1, 1] += counts[b] * wins_1
        totals[0, 2] += counts[b] * ties
        totals[1, 2] += counts[b] * ties


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


# -------------------------------------------------------------------------------------- results
