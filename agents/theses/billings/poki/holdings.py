"""Strength of all 1,326 holdings on one board, and their percentiles in a player's range.

Strength combines HS against any two cards with a quick PPot estimate; it is the same for all
players and computed once per street. The percentile of a holding in a player's range depends on
that player's weight table.

The quick estimate counts outs. Loki's first versions used such a function instead of PPot, which
enumerates every opposing holding and every card (Billings 2006, 2.5.2.2). Here it is used for a
thousand holdings at once and in simulations; a player's own hand is enumerated.
"""

from __future__ import annotations

import numpy as np

from agents.policy.spots import N_PARAMETERS
from agents.theses.billings.poki.records import N_BINS
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import ONE_RANK, SUIT, card_bit, preflop_class
from nlhe_env.equity.tables.suits import MAX_OPPONENTS, N_HOLES
from nlhe_env.evaluator import rank_set
from nlhe_env.jit.array_types import F32, I8, I64, AnyArray, Float, Int, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.bits import popcount, top_bit
from nlhe_env.numerics.sorting import sort_keys

_OUTS_OF_FLUSH = 9.0
_OUTS_OF_STRAIGHT = 3.7  # per rank: four, less the average overlap with flush outs
_OUTS_OF_OVERCARD = 2.7  # of three, because the pair may still be behind
_OUTS_OF_LIVE_CARD = 1.6
_OUTS_OF_PAIR = 4.4
_OUTS_OF_POCKET_PAIR = 2.5
_OUTS_OF_TWO_PAIR = 4.0
_OUTS_OF_TRIPS = 7.0
_SHIFT = 11  # bits for the number of a holding below its rank


@kernel
def ranks_in(cards: Int) -> Int:
    """Ranks of a set of cards."""
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & SUIT


@kernel
def _makes_straight(ranks: Int) -> Truth:
    ladder = ranks << 1 | ranks >> 12
    return ladder & ladder >> 1 & ladder >> 2 & ladder >> 3 & ladder >> 4 != 0


@kernel
def _straight_ranks(ranks: Int) -> Int:
    """Number of ranks that would complete a straight, for a set without one."""
    ladder = ranks << 1 | ranks >> 12
    n = 0
    # Runs of five with one missing rank, each marked by that rank.
    missing: Int = 0
    for low in range(10):
        gap = 31 << low & ~ladder
        if gap != 0 and gap & gap - 1 == 0:
            missing |= 1 << 13 if gap == 1 else gap
    for rank in range(1, 14):
        n += missing >> rank & 1
    return n


@kernel
def _outs_of(hole: Int, board: Int) -> Float:
    """Approximate number of cards that would put a trailing hand ahead.

    Args:
        hole: The two hole cards as a set.
        board: Three or four cards as a set.
    """
    cards = hole | board
    outs = 0.0
    for suit in range(4):
        own = popcount(hole >> 16 * suit & SUIT)
        if own > 0 and popcount(cards >> 16 * suit & SUIT) == 4:
            outs += _OUTS_OF_FLUSH if own == 2 else 0.8 * _OUTS_OF_FLUSH
    ranks, on_board = ranks_in(cards), ranks_in(board)
    if not _makes_straight(ranks):
        # Hands made by the board alone help all players.
        n = _straight_ranks(ranks) - _straight_ranks(on_board)
        if n > 0:
            outs += _OUTS_OF_STRAIGHT * n * (1.0 if outs == 0.0 else 0.75)
    held = ranks_in(hole)
    high = top_bit(held)
    low = held ^ high
    if low == 0:  # a pocket pair
        outs += _OUTS_OF_TRIPS if held & on_board else _OUTS_OF_POCKET_PAIR
        return outs
    paired = held & on_board
    if paired == 0:
        best = top_bit(on_board)
        outs += _OUTS_OF_OVERCARD if high > best else _OUTS_OF_LIVE_CARD
        outs += _OUTS_OF_OVERCARD if low > best else _OUTS_OF_LIVE_CARD
    elif paired == held:
        outs += _OUTS_OF_TWO_PAIR
    elif popcount(board & ONE_RANK * paired) > 1:
        outs += _OUTS_OF_TRIPS
    else:
        outs += _OUTS_OF_PAIR
    return outs


@kernel
def quick_potential(hole_0: Int, hole_1: Int, board: Int, n_board: Int) -> Float:
    """Approximate PPot with the next card, 0..1; 0 on the river.

    Args:
        hole_0: Code of the first hole card.
        hole_1: Code of the second hole card.
        board: The board as a set of cards.
        n_board: 3, 4 or 5 cards.
    """
    if n_board == 5:
        return 0.0
    return min(_outs_of(card_bit(hole_0) | card_bit(hole_1), board) / (50.0 - n_board), 1.0)


@kernel
def write_preflop_strength(weights: F32, opponents: Int, strength: F32) -> None:
    """Write the share of weaker holdings before the flop, from the table of every rule."""
    number = 0
    for high in range(1, N_CARDS):
        for low in range(high):
            place = preflop_class(high, low) * MAX_OPPONENTS + opponents - 1
            strength[number] = weights[N_PARAMETERS + place]
            number += 1


@kernel
def write_strength(board: I8, n_board: Int, keys: I64, strength: F32) -> None:
    """Write the EHS of every holding against any two cards; 0 for holdings with a board card.

    HS is the share of all holdings on the board that are weaker, counting ties as one half and
    ignoring cards shared by two holdings.

    Args:
        board: 1-D integer array of at least ``n_board`` card codes.
        n_board: 3, 4 or 5 cards.
        keys: ``(1326,)`` int64 scratch.
        strength: ``(1326,)`` float32, written.
    """
    cards = board_set(board, n_board)
    n = 0
    number: Int = np.int64(0)
    for high in range(1, N_CARDS):
        with_high = cards | card_bit(high)
        for low in range(high):
            strength[number] = 0.0
            if not (cards & card_bit(high) or cards & card_bit(low)):
                keys[n] = rank_set(with_high | card_bit(low)) << _SHIFT | number
                n += 1
            number += 1
    sort_keys(keys, n)
    first = 0
    while first < n:
        rank = keys[first] >> _SHIFT
        end = first + 1
        while end < n and keys[end] >> _SHIFT == rank:
            end += 1
        share = 0.5 * (first + end) / n
        for k in range(first, end):
            strength[keys[k] & (1 << _SHIFT) - 1] = share
        first = end
    if n_board == 5:
        return
    number = 0
    for high in range(1, N_CARDS):
        for low in range(high):
            share = strength[number]
            if share > 0.0:
                gain = (1.0 - share) * quick_potential(high, low, cards, n_board)
                strength[number] = share + gain
            number += 1


@kernel
def write_shares(weights: F32, strength: F32, shares: AnyArray) -> None:
    """Write the share of weaker holdings in a player's range, by strength cell; ties count half.

    Args:
        weights: ``(1326,)`` weights of the player's holdings.
        strength: ``(1326,)`` strengths of all holdings.
        shares: ``(128,)`` float64, written: nondecreasing, in 0..1.
    """
    shares[:] = 0.0
    total = 0.0
    for i in range(N_HOLES):
        if weights[i] > 0.0:
            shares[cell_of(strength[i])] += weights[i]
            total += weights[i]
    below = 0.0
    for b in range(N_BINS):
        weight = shares[b]
        shares[b] = (below + 0.5 * weight) / total if total > 0.0 else (b + 0.5) / N_BINS
        below += weight


@kernel
def cell_of(strength: Float) -> Int:
    """Cell of a strength in 0..1."""
    cell: Int = np.int64(strength * N_BINS)
    return min(cell, N_BINS - 1)
