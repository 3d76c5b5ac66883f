"""Writer of hands in the PHH format, version 0.0.2.

A pot-limit hand is written as a no-limit hand with the field ``_betting``. An unusual fixed-limit
cap is written in the field ``_max_bets``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from nlhe_env.hand_history.form import BOARD_SIZES, check_form, tidy_cards
from nlhe_env.hand_history.record import RAISE, Hand
from nlhe_env.hand_history.replay import play_hand

_VARIANTS = {"no-limit": "NT", "pot-limit": "NT", "fixed-limit": "FT"}
_INFINITE = float("inf")


def write_hands(hands: Iterable[Hand], *, first: int = 1) -> str:
    """Write hands as the text of a ``.phhs`` file.

    Args:
        hands: The hands.
        first: Number of the first section.

    Raises:
        ValueError: A hand is impossible, with a repeated card or a shared seat, or a name has more
            than 100 characters.
    """
    parts = []
    for number, hand in enumerate(hands, first):
        check_form(hand)
        lines = [f"{name} = {_toml(value)}" for name, value in _fields(hand)]
        parts.append("\n".join([f"[{number}]", *lines, ""]))
    return "\n".join(parts)


def _fields(hand: Hand) -> Iterable[tuple[str, Any]]:
    n = len(hand.stacks)
    yield "variant", _VARIANTS[hand.betting]
    if hand.betting == "pot-limit":
        yield "_betting", hand.betting
    if hand.ante:
        yield "ante_trimming_status", True  # a short ante limits the share of the pot
    # Heads-up the first player is the big blind, and PHH swaps antes and blinds itself.
    antes = [hand.ante + dead for dead in hand.dead or [0] * n]
    yield "antes", antes[::-1] if n == 2 else antes
    if hand.ante and hand.dead:
        yield "_ante", hand.ante
    # A negative sign distinguishes the blind of a returning player from a straddle.
    posted = [
        -chips if i > 1 and chips == hand.big_blind else chips
        for i, chips in enumerate(hand.posted)
    ]
    posted = posted[::-1] if n == 2 else posted
    yield "blinds_or_straddles", posted
    if hand.small_blind != (posted[0] if posted[0] <= hand.big_blind else 0):
        yield "_small_blind", hand.small_blind
    if hand.betting == "fixed-limit":
        yield "small_bet", hand.big_blind
        yield "big_bet", 2 * hand.big_blind
        if hand.max_bets:
            yield "_max_bets", hand.max_bets
    else:
        yield "min_bet", hand.big_blind
    unknown = hand.unknown_stacks or (False,) * n
    yield (
        "starting_stacks",
        [_INFINITE if one else chips for one, chips in zip(unknown, hand.stacks, strict=True)],
    )
    yield "actions", list(_actions(hand))
    if hand.event:
        yield "event", hand.event
    if hand.number is not None:
        yield "hand", hand.number
    if hand.level is not None:
        yield "level", hand.level
    yield "seats", [seat + 1 for seat in hand.seats]
    yield "seat_count", hand.seat_count
    yield "players", list(hand.players)
    if hand.finishing_stacks is not None and not any(unknown):
        yield "finishing_stacks", list(hand.finishing_stacks)
    else:
        if hand.finishing_stacks is not None:  # of stacks that are not known, what was won
            *_, last = play_hand(hand)
            yield "winnings", last.table["won"][:n].tolist()
        if hand.rake is not None:
            yield "_rake", hand.rake
    if hand.second_board:
        yield "_second_board", hand.second_board
    if hand.unit != 1:
        yield "_unit", hand.unit


def _actions(hand: Hand) -> Iterable[str]:
    cards_of_board = tidy_cards(hand.board)
    board = [cards_of_board[i : i + 2] for i in range(0, len(cards_of_board), 2)]
    n_open = 0
    for position, cards in enumerate(hand.hole_cards, 1):
        yield f"d dh p{position} {tidy_cards(cards) or '????'}"
    for action in hand.actions:
        while n_open < action.board_cards:
            n_open = BOARD_SIZES[BOARD_SIZES.index(n_open) + 1]
            yield "d db " + "".join(board[n_open - (3 if n_open == 3 else 1) : n_open])
        amount = f" {action.to}" if action.kind == RAISE else ""
        yield f"p{action.position + 1} {action.kind}{amount}"
    shows = [
        f"p{position} sm {tidy_cards(cards)}"
        for position, (cards, shown) in enumerate(zip(hand.hole_cards, hand.shown, strict=True), 1)
        if shown
    ]
    # All-in players show before the rest of the board is dealt.
    betting_is_over = n_open < len(board)
    if betting_is_over:
        yield from shows
    while n_open < len(board):
        n_open = BOARD_SIZES[BOARD_SIZES.index(n_open) + 1]
        yield "d db " + "".join(board[n_open - (3 if n_open == 3 else 1) : n_open])
    if not betting_is_over:
        yield from shows


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    control = re.sub(r"[\x00-\x1f\x7f]", lambda match: f"\\u{ord(match[0]):04X}", escaped)
    return f'"{control}"'
