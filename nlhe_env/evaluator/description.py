"""Readable description of a hand: its name and its best five cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlhe_env.cards import format_cards, parse_cards
from nlhe_env.evaluator.batch import evaluate
from nlhe_env.evaluator.ranks import (
    CLASS_NAMES,
    CLASS_SHIFT,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    MADE_SHIFT,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUIT,
    THREE_OF_A_KIND,
    TWO_PAIR,
)

_RANK_NAMES = (
    "deuce",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
_ACE = 12
_N_MADE = {PAIR: 2, TWO_PAIR: 2, THREE_OF_A_KIND: 3, FULL_HOUSE: 3, FOUR_OF_A_KIND: 4}
"""Cards of each rank in the made part."""


@dataclass(frozen=True)
class HandDescription:
    """Description of the best five cards.

    Attributes:
        rank: Rank as from ``evaluate``.
        class_name: One of ``CLASS_NAMES``, such as ``"two pair"``.
        cards: The five card codes in reading order: the made part, then the kickers, each in
            descending order. The ace of a five-high straight is last.
        words: Poker name of the hand, such as ``"two pair, aces and fours, queen kicker"``. Only
            the highest kicker is named.
    """

    rank: int
    class_name: str
    cards: tuple[int, ...]
    words: str

    def __str__(self) -> str:
        return f"{self.words} ({format_cards(self.cards)})"


def describe(cards: str | Sequence[int]) -> HandDescription:
    """Describe the hand of 5, 6 or 7 cards.

    Args:
        cards: A text such as ``"AsAd4h4cQs9d2c"``, or card codes.

    Raises:
        ValueError: The text is invalid, the number of cards is not 5 to 7, a code is outside 0..51,
            or a card is repeated.

    >>> print(describe("4h As 9d 4c Qs Ad 2c"))
    two pair, aces and fours, queen kicker (AsAd4h4cQs)
    >>> describe("KhKsKd Ts Tc 2h 2d").words
    'full house, kings over tens'
    """
    hand = np.array(parse_cards(cards) if isinstance(cards, str) else cards)
    if hand.ndim != 1 or not 5 <= len(hand) <= 7:
        raise ValueError(f"a hand must be 5, 6 or 7 cards; got {cards!r}")
    rank = int(evaluate(hand[np.newaxis])[0])
    hand_class = rank >> CLASS_SHIFT
    ranks = _ranks_of_five(rank)
    five = _cards_of_ranks(hand.tolist(), ranks, one_suit=hand_class in (FLUSH, STRAIGHT_FLUSH))
    return HandDescription(rank, CLASS_NAMES[hand_class], five, _words(hand_class, ranks))


def best_five(cards: str | Sequence[int]) -> tuple[int, ...]:
    """The best five of 5, 6 or 7 cards, in reading order.

    Among equivalent cards the highest suit is used: spades, hearts, diamonds, clubs.

    Args:
        cards: See ``describe``; the errors are the same.

    >>> format_cards(best_five("2c3c4d5h9sAsKd"))
    '5h4d3c2cAs'
    """
    return describe(cards).cards


def _ranks_of_five(rank: int) -> list[int]:
    """The ranks of the five cards of a hand in reading order, from its rank alone."""
    hand_class = rank >> CLASS_SHIFT
    kickers = _members(rank & SUIT)
    if hand_class in (STRAIGHT, STRAIGHT_FLUSH):
        lowest = kickers[0] - 1  # -1 for an ace
        return [r if r >= 0 else _ACE for r in range(lowest + 4, lowest - 1, -1)]
    made = _members(rank >> MADE_SHIFT & SUIT)
    if hand_class == FULL_HOUSE:
        kickers *= 2
    return [r for r in made for _ in range(_N_MADE[hand_class])] + kickers


def _members(ranks: int) -> list[int]:
    """Ranks of a set in descending order."""
    return [rank for rank in range(_ACE, -1, -1) if ranks >> rank & 1]


def _cards_of_ranks(hand: Sequence[int], ranks: list[int], *, one_suit: bool) -> tuple[int, ...]:
    """A card of the hand for each rank."""
    free = sorted(hand, reverse=True)
    if one_suit:
        suits = [card % 4 for card in hand]
        free = [card for card in free if suits.count(card % 4) >= 5]
    five = []
    for rank in ranks:
        card = next(card for card in free if card // 4 == rank)
        free.remove(card)
        five.append(card)
    return tuple(five)


def _words(hand_class: int, ranks: list[int]) -> str:
    names = [_RANK_NAMES[rank] for rank in ranks]
    plurals = [name + ("es" if name == "six" else "s") for name in names]
    name = CLASS_NAMES[hand_class]
    if hand_class == STRAIGHT_FLUSH and ranks[0] == _ACE:
        return "royal flush"
    if hand_class in (STRAIGHT, FLUSH, STRAIGHT_FLUSH):
        return f"{name}, {names[0]} high"
    if hand_class == HIGH_CARD:
        return f"{name}, {names[0]}"
    if hand_class == PAIR:
        return f"pair of {plurals[0]}, {names[2]} kicker"
    if hand_class == TWO_PAIR:
        return f"{name}, {plurals[0]} and {plurals[2]}, {names[4]} kicker"
    if hand_class == FULL_HOUSE:
        return f"{name}, {plurals[0]} over {plurals[3]}"
    return f"{name}, {plurals[0]}, {names[_N_MADE[hand_class]]} kicker"
