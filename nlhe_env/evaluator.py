"""The strength of a poker hand: the best five of 5, 6 or 7 cards, as one integer.

The order of hands is table 2.1 of Nicolai's thesis (the usual one). A rank is order-preserving:
higher wins, equal ties. No table is read: a hand is four 13-bit sets of ranks, one a suit, and all
that matters is found by logic on whole sets. Three 13-bit fields make up a rank::

    class << 26 | ranks of the made part << 13 | kickers

Within a class the sets have equal sizes, so that comparing them as integers compares the cards from
the highest down. A straight is given by its lowest card, in a set of 14 ranks where the ace is also
below the deuce.
"""

from __future__ import annotations

import numpy as np

from nlhe_env._bits import popcount, top_bit
from nlhe_env._jit import allocating_kernel, kernel
from nlhe_env._types import I64, AnyArray
from nlhe_env.cards import CARD_NAMES

HIGH_CARD = 0
PAIR = 1
TWO_PAIR = 2
THREE_OF_A_KIND = 3
STRAIGHT = 4
FLUSH = 5
FULL_HOUSE = 6
FOUR_OF_A_KIND = 7
STRAIGHT_FLUSH = 8

CLASS_NAMES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)

CLASS_SHIFT = 26
_MADE_SHIFT = 13
_SUIT = 0x1FFF
"""The 13 ranks of a suit."""


@kernel
def _straight(ranks):
    """The lowest cards of all straights in a set of ranks; bit 0 is the ace played low."""
    ladder = ranks << 1 | ranks >> 12
    return ladder & ladder >> 1 & ladder >> 2 & ladder >> 3 & ladder >> 4


@kernel
def _drop_lowest(ranks, n):
    """A set of ranks without its ``n`` lowest, for ``n`` of 0, 1 or 2."""
    if n > 0:
        ranks &= ranks - 1
    if n > 1:
        ranks &= ranks - 1
    return ranks


@kernel
def rank_of_flush(suited):
    """Rank of five to seven cards of one suit, given as a 13-bit set of ranks."""
    straight = _straight(suited)
    if straight:
        return STRAIGHT_FLUSH << CLASS_SHIFT | top_bit(straight)
    return FLUSH << CLASS_SHIFT | _drop_lowest(suited, popcount(suited) - 5)


@kernel
def rank_without_flush(ones, twos, threes, fours):
    """Rank of 5 to 7 cards by their ranks alone, flushes not seen.

    Args:
        ones: The ranks held at least once, a 13-bit set in int64.
        twos: Those held at least twice.
        threes: Those held at least three times.
        fours: Those held four times.
    """
    if threes:
        if fours:
            return FOUR_OF_A_KIND << CLASS_SHIFT | fours << _MADE_SHIFT | top_bit(ones ^ fours)
        triple = top_bit(threes)
        if twos != triple:
            pair = top_bit(twos ^ triple)
            return FULL_HOUSE << CLASS_SHIFT | triple << _MADE_SHIFT | pair
    straight = _straight(ones)
    if straight:
        return STRAIGHT << CLASS_SHIFT | top_bit(straight)
    if threes:
        # 5, 4 or 3 ranks: the triple and all but two kickers too many.
        kickers = _drop_lowest(ones ^ threes, popcount(ones) - 3)
        return THREE_OF_A_KIND << CLASS_SHIFT | threes << _MADE_SHIFT | kickers
    # No pair, one or two: which of them is anyone's guess, so this part has no branches.
    high = top_bit(twos)
    low = top_bit(twos ^ high)
    pairs = high | low
    n_pairs = np.int64(high != 0) + np.int64(low != 0)
    rest = ones ^ pairs
    kickers = top_bit(rest) if n_pairs == 2 else _drop_lowest(rest, popcount(ones) + n_pairs - 5)
    return n_pairs << CLASS_SHIFT | pairs << _MADE_SHIFT | kickers


@kernel
def rank_from_suits(clubs, diamonds, hearts, spades):
    """Rank of 5 to 7 cards given as four 13-bit sets of ranks (bit 0 the deuce), one a suit.

    Returns:
        int64; higher wins, equal ties. The class is ``hand_class(rank)``.
    """
    c = np.int64(clubs)
    d = np.int64(diamonds)
    h = np.int64(hearts)
    s = np.int64(spades)
    # Seven cards hold at most one flush, and whoever has it has no full house or better: five
    # ranks differ, and two more cards cannot make three and two of them.
    if popcount(c) >= 5:
        return rank_of_flush(c)
    if popcount(d) >= 5:
        return rank_of_flush(d)
    if popcount(h) >= 5:
        return rank_of_flush(h)
    if popcount(s) >= 5:
        return rank_of_flush(s)
    red_any = d | h
    red_both = d & h
    black_any = c | s
    black_both = c & s
    return rank_without_flush(
        red_any | black_any,
        red_both | black_both | red_any & black_any,
        red_both & black_any | black_both & red_any,
        red_both & black_both,
    )


@kernel
def rank_cards(cards):
    """Rank of 5, 6 or 7 different cards, an integer array of card codes."""
    packed = np.int64(0)
    for i in range(cards.shape[0]):
        card = np.int64(cards[i])
        packed |= 1 << ((card & 3) << 4 | card >> 2)
    return rank_from_suits(
        packed & _SUIT, packed >> 16 & _SUIT, packed >> 32 & _SUIT, packed >> 48 & _SUIT
    )


@allocating_kernel
def hand_class(rank):
    """The class of a rank or an array of ranks, an index of ``CLASS_NAMES``.

    0 is a high card, 8 a straight flush.
    """
    return rank >> CLASS_SHIFT


@kernel
def _evaluate_rows(cards, ranks):
    """Rank every row of ``cards``; -1 where a code is no card or a card comes twice."""
    n_cards = cards.shape[1]
    for i in range(cards.shape[0]):
        packed = np.int64(0)
        wrong = False
        for j in range(n_cards):
            card = np.int64(cards[i, j])
            wrong |= (card < 0) | (card > 51)
            packed |= 1 << ((card & 3) << 4 | card >> 2 & 15)
        if wrong or popcount(packed) != n_cards:
            ranks[i] = -1
        else:
            ranks[i] = rank_from_suits(
                packed & _SUIT, packed >> 16 & _SUIT, packed >> 32 & _SUIT, packed >> 48 & _SUIT
            )


def evaluate(cards: AnyArray) -> I64:
    """The ranks of many hands at once.

    Args:
        cards: ``(n, k)`` card codes of any integer dtype, ``k`` of 5, 6 or 7 cards a hand in any
            order.

    Returns:
        ``(n,)`` ranks: a higher rank wins, equal ranks tie. ``CLASS_NAMES[hand_class(rank)]`` is
        the name of the hand.

    Raises:
        ValueError: The shape is not ``(n, 5)``, ``(n, 6)`` or ``(n, 7)``, the dtype is not an
            integer, a code is outside 0..51, or a hand holds a card twice.

    >>> from nlhe_env.cards import parse_cards
    >>> ranks = evaluate([parse_cards("AsKsQsJsTs2h3d"), parse_cards("AsAdKsKdQsQd2c")])
    >>> [CLASS_NAMES[hand_class(rank)] for rank in ranks]
    ['straight flush', 'two pair']
    """
    hands = np.asarray(cards)
    if hands.ndim != 2 or hands.shape[1] not in (5, 6, 7):
        raise ValueError(f"cards must have shape (n, 5), (n, 6) or (n, 7); got {hands.shape}")
    if hands.dtype.kind not in "iu":
        raise ValueError(f"cards must be integers; got dtype {hands.dtype}")
    ranks = np.empty(len(hands), np.int64)
    _evaluate_rows(np.ascontiguousarray(hands), ranks)
    if len(ranks) and ranks.min() < 0:
        i = int(np.argmin(ranks))
        hand = hands[i].tolist()
        for code in hand:
            if not 0 <= code <= 51:
                raise ValueError(f"card codes are 0..51; got {code} in row {i}")
            if hand.count(code) > 1:
                raise ValueError(f"card {CARD_NAMES[code]} comes twice in row {i}")
    return ranks
