"""Format-independent checks of a hand before its replay."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nlhe_env.arguments import shown
from nlhe_env.cards import CARD_NAMES, format_cards, parse_cards
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.hand_history.errors import MOST_CHIPS
from nlhe_env.hand_history.record import Hand

LARGEST_NUMBER = 2**53
"""Limit of raises, in chips, and of other numbers of a hand."""

LONGEST_NAME = 100
"""Characters of a player's name."""

BOARD_SIZES = (0, 3, 4, 5)
_SHARED = (0, 3, 4)  # cards shared by two boards


def check_form(hand: Hand, collected: Sequence[int] | None = None) -> None:
    """Check each part of a hand separately.

    Args:
        hand: The hand.
        collected: Chips that each player collected from the pots, if known.

    Raises:
        ValueError: Cards are repeated, seats are shared or missing, amounts are negative or too
            large, a name is too long, or the number of entries is wrong.
    """
    n = len(hand.stacks)
    if not MIN_SEATS <= n <= MAX_SEATS:
        raise ValueError(f"a hand has {MIN_SEATS} to {MAX_SEATS} players; got {n}")
    _check_lengths(hand, n)
    _check_names(hand)
    _check_cards(hand)
    seats, count = hand.seats, hand.seat_count
    if len(set(seats)) < n:
        twice = next(seat for seat in seats if seats.count(seat) > 1)
        raise ValueError(f"two players sit in seat {twice + 1}")
    if not 0 <= min(seats) <= max(seats) < count <= MAX_SEATS:
        raise ValueError(
            f"seats must be 1 to the number of seats, at most {MAX_SEATS}; "
            f"got {', '.join(str(seat + 1) for seat in seats)} of {count}"
        )
    _check_amounts(hand, collected)
    _check_sums(hand)


def _check_lengths(hand: Hand, n: int) -> None:
    for name, values, is_optional in (
        ("hole_cards", hand.hole_cards, False),
        ("shown", hand.shown, False),
        ("seats", hand.seats, False),
        ("players", hand.players, True),
        ("blinds", hand.blinds, True),
        ("dead", hand.dead, True),
        ("finishing_stacks", hand.finishing_stacks or (), True),
        ("unknown_stacks", hand.unknown_stacks, True),
    ):
        if len(values) != n and (values or not is_optional):
            raise ValueError(f"{name} must have {n} entries, one per player; got {len(values)}")


def _check_names(hand: Hand) -> None:
    for name in hand.players:
        if not isinstance(name, str) or len(name) > LONGEST_NAME:
            raise ValueError(
                f"players must be names of at most {LONGEST_NAME} characters; got {shown(name)}"
            )


def _check_cards(hand: Hand) -> None:
    out = 0
    for text in hand.hole_cards:
        if text:
            if len(text) != 4:
                raise ValueError(f"hole cards must be two cards; got {text!r:.20}")
            out = deal(card_bits(text), out)
    if hand.board:
        if len(hand.board) // 2 not in BOARD_SIZES:
            raise ValueError(f"the board must be flop, turn and river; got {hand.board!r:.30}")
        out = deal(card_bits(hand.board), out)
    if hand.second_board:
        first, second = parse_cards(hand.board), parse_cards(hand.second_board)
        shared = next((k for k in range(5) if first[k : k + 1] != second[k : k + 1]), 5)
        if len(first) != 5 or len(second) != 5 or shared not in _SHARED:
            raise ValueError(
                "two boards must have five cards each, and differ from the flop, turn or river on"
            )
        deal(sum(1 << card for card in second[shared:]), out)


def _check_amounts(hand: Hand, collected: Sequence[int] | None) -> None:
    if min(hand.stacks) < 1:
        raise ValueError(f"a stack must be at least 1 chip; got {min(hand.stacks)}")
    if sum(hand.stacks) > MOST_CHIPS:
        raise ValueError(f"at most {MOST_CHIPS} chips can be in play; got {sum(hand.stacks):.3g}")
    if hand.big_blind < 2:  # as in every supported game
        raise ValueError(f"the big blind must be at least 2 chips; got {hand.big_blind}")
    for name, values in (
        ("blinds", (hand.small_blind, hand.big_blind, *hand.blinds)),
        ("antes", (hand.ante, *hand.dead)),
        ("finishing_stacks", hand.finishing_stacks),
        ("winnings", collected),
        ("the rake", None if hand.rake is None else (hand.rake,)),
    ):
        if values and not 0 <= min(values) <= max(values) <= MOST_CHIPS:
            raise ValueError(f"{name} must be 0 to {MOST_CHIPS} chips; got {_shown(values)}")
    raises = [action.to for action in hand.actions]
    if raises and not 0 <= min(raises) <= max(raises) <= LARGEST_NUMBER:
        raise ValueError(
            f"a raise must be to at most {LARGEST_NUMBER} chips; got {_shown((max(raises),))}"
        )


def _check_sums(hand: Hand) -> None:
    """Check that chips are conserved, except for the rake."""
    if hand.finishing_stacks is None or hand.rake is None:
        return
    missing = sum(hand.stacks) - sum(hand.finishing_stacks)
    if missing != hand.rake:
        change = f"{abs(missing)} chips {'more' if missing < 0 else 'less'}"
        raise ValueError(
            f"the players have {change} after the hand, and the rake is {hand.rake} chips"
        )


def _shown(values: Sequence[int]) -> str:
    """Amounts for a message, shortened if long."""
    return ", ".join(
        str(chips) if abs(chips) < 10**30 else "a far larger number" for chips in values
    )


def deal(cards: int, out: int) -> int:
    """Bits of all dealt cards after dealing these cards.

    Args:
        cards: A bit for every card.
        out: Bits of the cards already dealt.

    Raises:
        ValueError: A card is already dealt.
    """
    twice = out & cards
    if twice:
        raise ValueError(f"the card {CARD_NAMES[twice.bit_length() - 1]} is dealt twice")
    return out | cards


@lru_cache(maxsize=4096)
def card_bits(text: str) -> int:
    """A bit for every card of a text.

    Raises:
        ValueError: Something is not a card, or a card is named twice.
    """
    return sum(1 << card for card in parse_cards(text))


@lru_cache(maxsize=4096)
def tidy_cards(text: str) -> str:
    """Cards in the standard notation, such as ``"Ks2d"`` for ``"ks 2d"``.

    Raises:
        ValueError: Something is not a card, or a card is named twice.
    """
    return format_cards(parse_cards(text))
