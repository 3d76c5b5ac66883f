"""Shares of pots if betting has ended: side pots with the hands that can win them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from nlhe_env.equity import equities

ANY_HAND = "*"

_DEALS = 20_000
"""Deals to draw where hands are unknown and there are too many to count."""


def shares_of_pot(
    eligible: Sequence[int], hole_cards: Sequence[str], board: str
) -> tuple[float, ...]:
    """Share of every player in a pot, in the mean over the cards to come and unknown hands.

    Args:
        eligible: The players who can win it, by their places in ``hole_cards``.
        hole_cards: Cards of each player such as ``"AsKd"``, ``""`` if unknown. Known cards of those
            who cannot win are not dealt.
        board: The open cards of the board.

    Returns:
        One number per place; 0 for those who cannot win. They are exact if all hands in the pot are
        known, or for one known hand against an unknown one after the flop. Otherwise 20,000 deals
        are sampled with a fixed seed.

    >>> shares_of_pot([0, 1], ["AsAh", "KdKc", ""], "Kh7s2c3d")
    (0.045454545454545456, 0.9545454545454546, 0.0)
    """
    shares = [0.0] * len(hole_cards)
    hands = tuple(hole_cards[place] or ANY_HAND for place in eligible)
    dead = "".join(cards for place, cards in enumerate(hole_cards) if place not in eligible)
    for place, share in zip(eligible, shares_of_hands(hands, board, dead), strict=True):
        shares[place] = share
    return tuple(shares)


def shares_of_pots(
    pots: Sequence[tuple[int, Sequence[int]]], hole_cards: Sequence[str], board: str
) -> tuple[float, ...]:
    """Share of every player in all pots together.

    Args:
        pots: Size and eligible places of each, at least one.
        hole_cards: See ``shares_of_pot``.
        board: The open cards of the board.

    Returns:
        One number per place; they sum to 1.
    """
    if len(pots) == 1:
        return shares_of_pot(pots[0][1], hole_cards, board)
    total = sum(size for size, _ in pots)
    parts = (
        [share * size / total for share in shares_of_pot(eligible, hole_cards, board)]
        for size, eligible in pots
    )
    return tuple(map(math.fsum, zip(*parts, strict=True)))


@lru_cache(4096)
def shares_of_hands(hands: tuple[str, ...], board: str, dead: str) -> tuple[float, ...]:
    """Share of each hand in a pot; see ``shares_of_pot``.

    Args:
        hands: Two cards each, ``ANY_HAND`` if unknown.
        board: The open cards of the board.
        dead: Other cards that are known.
    """
    if len(hands) == 1:
        return (1.0,)
    unknown = hands.count(ANY_HAND)
    if unknown == len(hands):
        return (1.0 / unknown,) * unknown
    countable = unknown == 0 or (len(hands) == 2 and board)
    samples = None if countable else _DEALS
    return equities(list(hands), board, dead, samples=samples, threads=1).equity
