"""The cards of a hand: a shuffle that depends only on (seed, tournament, table, hand)."""

from __future__ import annotations

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.game.random_stream import CARDS, digit, draw
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import I8, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.bits import popcount

_DIGITS_A_WORD = 4


@inlined_kernel
def hole_cards(table: TableRecord, seat: Int) -> tuple[Int, Int]:
    """Codes of the hole cards of a seat, -1 if unknown."""
    return np.int64(table.cards[2 * seat]), np.int64(table.cards[2 * seat + 1])


@kernel
def deal(table: TableRecord, seed: Int, tournament: Int) -> None:
    """Shuffle the part of the deck ``table.cards`` that the hand needs.

    The cards depend only on (seed, tournament, table, hand) and belong to seats, occupied or not,
    so a hand number has the same cards with any remaining players. Preset cards (not -1) stay; the
    others come from the rest of the deck.
    """
    deck = table.cards
    fixed: Int = np.int64(0)  # bit i: position i of the deck is preset
    if table.preset_cards == 0:
        for card in range(N_CARDS):
            deck[card] = card
    else:
        fixed = _fill_around_preset(deck)
        table.preset_cards = 0

    block = 0
    digits_left = 0
    word: Int = np.uint64(0)
    next_word: Int = np.uint64(0)
    has_next = False
    positions_left = np.int64(N_CARDS - popcount(fixed))
    needed = 2 * table.seats + 5
    if table.boards == 2:
        needed += 5
    for i in range(needed):
        if (fixed >> i) & 1:
            continue
        if digits_left == 0:
            if has_next:
                word = next_word
            else:
                word, next_word = draw(seed, CARDS, block, table.hand, table.number, tournament)
                block += 1
            has_next = not has_next
            digits_left = _DIGITS_A_WORD
        k: Int
        k, word = digit(word, np.uint64(positions_left))
        digits_left -= 1
        positions_left -= 1
        j: Int = i + np.int64(k)
        if fixed != 0:
            j = _kth_free(fixed, i, np.int64(k))
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card


@kernel
def _fill_around_preset(deck: I8) -> Int:
    """Fill positions of -1 with the other cards; returns the bits of the preset positions."""
    fixed = np.int64(0)
    used = np.int64(0)
    for i in range(N_CARDS):
        if deck[i] >= 0:
            fixed |= np.int64(1) << i
            used |= np.int64(1) << np.int64(deck[i])
    card = 0
    for i in range(N_CARDS):
        if deck[i] < 0:
            while (used >> card) & 1:
                card += 1
            deck[i] = card
            card += 1
    return fixed


@kernel
def _kth_free(fixed: Int, i: Int, k: Int) -> Int:
    """The k-th position from ``i`` on (counted from 0) without its bit in ``fixed``."""
    while k > 0:
        i += 1
        if not (fixed >> i) & 1:
            k -= 1
    return i
