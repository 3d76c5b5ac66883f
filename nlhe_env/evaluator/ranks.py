"""The order of poker hands by set logic, for one hand or many at once.

No tables are used: a hand is four 13-bit sets of ranks, one per suit, and its rank follows by logic
on whole sets. Kernels that start with "parts" have no branches and take integers or vector lanes,
so that every rule is written once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nlhe_env.jit.array_types import I64, Int, LaneValues
from nlhe_env.jit.compilation import allocating_kernel, kernel
from nlhe_env.numerics.lanes import LANES, choose, count_ones, load_quarters, store_joined

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
MADE_SHIFT = 13
SUIT = 0x1FFF
"""The 13 ranks of a suit."""


@kernel
def _straights(ranks: LaneValues | Int) -> LaneValues | Int:
    """The lowest cards of all straights in a set of ranks; bit 0 is the ace played low."""
    ladder = ranks << 1 | ranks >> 12
    return ladder & ladder >> 1 & ladder >> 2 & ladder >> 3 & ladder >> 4


@kernel
def _drop_lowest(ranks: LaneValues | Int, n: LaneValues | Int) -> LaneValues | Int:
    """A set of ranks without its ``n`` lowest, for ``n`` of 0, 1 or 2."""
    ranks = ranks & ranks - (n + 1 >> 1)
    return ranks & ranks - (n >> 1)


@kernel
def _highest(ranks: LaneValues | Int) -> LaneValues | Int:
    """The highest of up to three ranks, as a set."""
    two = ranks & ranks - 1
    one = two & two - 1
    return choose(one != 0, one, choose(two != 0, two, ranks))


@kernel
def _parts_of_flush(suited: LaneValues | Int) -> tuple[LaneValues | Int, LaneValues | Int]:
    """Class and kickers of five to seven cards of one suit."""
    straights = _straights(suited)
    kickers = choose(
        straights != 0, _highest(straights), _drop_lowest(suited, count_ones(suited) - 5)
    )
    return choose(straights != 0, STRAIGHT_FLUSH, FLUSH), kickers


@kernel
def _parts_of_pairs(
    ones: LaneValues | Int, twos: LaneValues | Int, threes: LaneValues | Int
) -> tuple[LaneValues | Int, LaneValues | Int, LaneValues | Int]:
    """Class, made part and kickers of a high card, one or two pairs, or three of a kind."""
    pairs = twos & twos - 1  # without the lowest
    three_pairs = pairs & pairs - 1 != 0
    made = choose(three_pairs, pairs, twos)  # the twos include the triple
    n_pairs = choose(pairs != 0, TWO_PAIR, choose(twos != 0, PAIR, HIGH_CARD))
    triple = threes != 0
    # The five cards have five ranks, minus those repeated by pairs or triples.
    n_repeated = choose(triple, 2, n_pairs)
    kickers = _drop_lowest(ones ^ made, count_ones(ones) + n_repeated - 5)
    return choose(triple, THREE_OF_A_KIND, n_pairs), made, kickers


@kernel
def _parts_without_flush(
    ones: LaneValues | Int,
    twos: LaneValues | Int,
    threes: LaneValues | Int,
    fours: LaneValues | Int,
) -> tuple[LaneValues | Int, LaneValues | Int, LaneValues | Int]:
    """Class, made part and kickers of 5 to 7 cards, from their ranks only."""
    made_class, made, kickers = _parts_of_pairs(ones, twos, threes)
    four = fours != 0
    full = four | (threes != 0) & (twos & twos - 1 != 0)
    full_made = choose(four, fours, _highest(threes))
    full_rest = choose(four, ones, twos) ^ full_made
    # Full houses and four of a kind cannot contain the five ranks of a straight.
    straights = _straights(ones)
    straight = straights != 0
    one_kicker = _highest(choose(straight, straights, full_rest))

    made_class = choose(full, choose(four, FOUR_OF_A_KIND, FULL_HOUSE), made_class)
    made_class = choose(straight, STRAIGHT, made_class)
    made = choose(straight, 0, choose(full, full_made, made))
    return made_class, made, choose(full | straight, one_kicker, kickers)


@kernel
def _held(
    clubs: LaneValues | Int,
    diamonds: LaneValues | Int,
    hearts: LaneValues | Int,
    spades: LaneValues | Int,
) -> tuple[LaneValues | Int, LaneValues | Int, LaneValues | Int, LaneValues | Int]:
    """The ranks held at least once, twice, three times and four times."""
    red_any = diamonds | hearts
    red_both = diamonds & hearts
    black_any = clubs | spades
    black_both = clubs & spades
    return (
        red_any | black_any,
        red_both | black_both | red_any & black_any,
        red_both & black_any | black_both & red_any,
        red_both & black_both,
    )


# ----------------------------------------------------------------------------------- one hand


@kernel
def rank_of_flush(suited: Int) -> Int:
    """Rank of five to seven cards of one suit, given as a 13-bit set of ranks."""
    made_class, kickers = _parts_of_flush(suited)
    return made_class << CLASS_SHIFT | kickers


@kernel
def rank_without_flush(ones: Int, twos: Int, threes: Int, fours: Int) -> Int:
    """Rank of 5 to 7 cards from their ranks only, ignoring flushes.

    Args:
        ones: The ranks held at least once, a 13-bit set in int64.
        twos: The ranks held at least twice.
        threes: The ranks held at least three times.
        fours: The ranks held four times.
    """
    if threes | _straights(ones):
        made_class, made, kickers = _parts_without_flush(ones, twos, threes, fours)
    else:
        made_class, made, kickers = _parts_of_pairs(ones, twos, threes)
    return made_class << CLASS_SHIFT | made << MADE_SHIFT | kickers


@kernel
def rank_from_suits(clubs: Int, diamonds: Int, hearts: Int, spades: Int) -> Int:
    """Rank of 5 to 7 cards given as four 13-bit sets of ranks (bit 0 the deuce), one per suit.

    Returns:
        int64; higher wins, equal ties. The class is ``hand_class(rank)``.
    """
    c = np.int64(clubs)
    d = np.int64(diamonds)
    h = np.int64(hearts)
    s = np.int64(spades)
    # Seven cards hold at most one flush, and then no full house or better, because five ranks
    # differ and two more cards cannot complete it. Flushes are rare, so a predictable branch is
    # faster than computing both.
    if count_ones(c) >= 5:
        return rank_of_flush(c)
    if count_ones(d) >= 5:
        return rank_of_flush(d)
    if count_ones(h) >= 5:
        return rank_of_flush(h)
    if count_ones(s) >= 5:
        return rank_of_flush(s)
    ones, twos, threes, fours = _held(c, d, h, s)
    return rank_without_flush(ones, twos, threes, fours)


@kernel
def add_rank(held: tuple[Int, Int, Int, Int], rank: Int) -> tuple[Int, Int, Int, Int]:
    """Add a card to the ranks held at least once, twice, three and four times.

    Four 13-bit sets, in the order of ``rank_without_flush``.
    """
    ones, twos, threes, fours = held
    bit = 1 << rank
    return ones | bit, twos | ones & bit, threes | twos & bit, fours | threes & bit


@kernel
def rank_set(cards: Int) -> Int:
    """Rank of a set of 5 to 7 cards: four 16-bit quarters of an int64, clubs the lowest."""
    return rank_from_suits(cards & SUIT, cards >> 16 & SUIT, cards >> 32 & SUIT, cards >> 48 & SUIT)


@kernel
def rank_cards(cards: I64) -> Int:
    """Rank of 5, 6 or 7 different cards, an integer array of card codes."""
    packed = np.int64(0)
    for i in range(cards.shape[0]):
        card = np.int64(cards[i])
        packed |= 1 << ((card & 3) << 4 | card >> 2)
    return rank_set(packed)


@allocating_kernel
def hand_class(rank: Int | I64) -> Any:
    """The class of a rank or an array of ranks, an index of ``CLASS_NAMES``.

    0 is a high card, 8 a straight flush.
    """
    return rank >> CLASS_SHIFT


# ---------------------------------------------------------------------------------- many hands


@kernel
def rank_lanes(
    suits: tuple[LaneValues, LaneValues, LaneValues, LaneValues], ranks: I64, first: Int
) -> LaneValues:
    """Rank one hand in every lane.

    Args:
        suits: The four suits of the hands, clubs first: values of ``nlhe_env.numerics.lanes``.
        ranks: int64 array for the results.
        first: Index in it of the result of the first lane.

    Returns:
        The number of cards in every lane.
    """
    clubs, diamonds, hearts, spades = suits
    n_clubs = count_ones(clubs)
    n_diamonds = count_ones(diamonds)
    n_hearts = count_ones(hearts)
    n_spades = count_ones(spades)
    suited = (
        choose(n_clubs >= 5, clubs, 0)
        | choose(n_diamonds >= 5, diamonds, 0)
        | choose(n_hearts >= 5, hearts, 0)
        | choose(n_spades >= 5, spades, 0)
    )
    ones, twos, threes, fours = _held(clubs, diamonds, hearts, spades)
    made_class, made, kickers = _parts_without_flush(ones, twos, threes, fours)
    flush_class, flush_kickers = _parts_of_flush(suited)
    flush = suited != 0
    made_class = choose(flush, flush_class, made_class)
    made = choose(flush, 0, made)
    kickers = choose(flush, flush_kickers, kickers)
    # A lane has half the width of a rank.
    high = made_class << CLASS_SHIFT - 16 | made >> 16 - MADE_SHIFT
    store_joined(ranks, first, high, made << MADE_SHIFT | kickers)
    return n_clubs + n_diamonds + n_hearts + n_spades


@kernel
def rank_sets(sets: I64, ranks: I64) -> None:
    """Rank many sets of 5 to 7 cards in the format of ``rank_set``.

    Args:
        sets: ``(n,)`` int64, contiguous.
        ranks: ``(n,)`` int64, contiguous, for the results.
    """
    n = len(sets)
    n_in_lanes = n - n % LANES
    for i in range(0, n_in_lanes, LANES):
        rank_lanes(load_quarters(sets, i), ranks, i)
    for i in range(n_in_lanes, n):
        ranks[i] = rank_set(sets[i])
