"""Strength of all 1,326 holdings on one board, and their percentiles in a player's range.

Strength combines HS against any two cards with a quick PPot estimate; it is the same for all
players and computed once per street. The percentile of a holding in a player's range depends on
that player's weight table.
"""

from __future__ import annotations

import numpy as np

from agents.policy.spots import N_PARAMETERS
from agents.theses.billings.poki.outs import quick_potential
from agents.theses.billings.poki.records import N_BINS
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.equity.tables.suits import MAX_OPPONENTS, N_HOLES
from nlhe_env.evaluator import rank_set
from nlhe_env.jit.array_types import F32, I8, I64, AnyArray, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.sorting import sort_keys

_SHIFT = 11  # bits for the number of a holding below its rank


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
