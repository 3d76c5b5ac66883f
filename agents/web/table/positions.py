"""Custom positions: any cards, stacks and betting, up to the decision where play begins.

Earlier betting is given in words, ``"call, raise 60, fold"``, and checked by the rules like any
other. Omitted actions are checks and calls.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.external.chips import chips_id_of
from agents.web.request_validation import whole_number
from nlhe_env.cards import CARD_NAMES, RANKS, SUITS, format_cards, parse_cards
from nlhe_env.game import what_if
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, NO_PLAYER, STREET_NAMES
from nlhe_env.hand_history import Hand, play_hand

MOST_CHIPS = 1_000_000
_FIELDS = ("button", "stacks", "hole_cards", "board", "street", "betting", "actor")
_MOST_WORDS = 200
_WORD = re.compile(r"(fold|check|call|all-?in|(?:bet|raise)(?: to)? (\d{1,9}))")
_CARD = re.compile(rf"[{RANKS}][{SUITS}]")


@dataclass(frozen=True)
class Position:
    """The first hand of a game, up to a decision.

    Args:
        button: Seat of the dealer button.
        stacks: Chips of every seat before blinds and antes.
        hole_cards: Cards of every seat, such as ``"AsKd"``; ``""`` for random cards.
        board: Up to five cards; missing later cards are random.
        street: Street on which play begins.
        betting: The betting before that decision in words, see ``read_betting``.
        actor: Seat of that decision; None for the seat to act.
    """

    button: int
    stacks: tuple[int, ...]
    hole_cards: tuple[str, ...]
    board: str
    street: str
    betting: tuple[str, ...] = ()
    actor: int | None = None

    @classmethod
    def read(cls, values: Any, n_seats: int) -> Position:
        """Position sent by a page.

        Args:
            values: Plain values under the names of the fields. ``street`` is optional and follows
                from the board by default. ``betting`` is one text.
            n_seats: Number of seats at the table.

        Raises:
            ValueError: A value is missing or invalid; the message says which.
        """
        if not isinstance(values, Mapping):
            raise ValueError("a hand must be described by an object")
        for name in values:
            if name not in _FIELDS:
                raise ValueError(f"a field of a hand is one of {', '.join(_FIELDS)}; got {name!r}")
        stacks = tuple(
            whole_number(f"the chips of seat {seat + 1}", chips, 1, MOST_CHIPS)
            for seat, chips in enumerate(_list("stacks", values.get("stacks"), n_seats))
        )
        held = [""] * n_seats if "hole_cards" not in values else values["hole_cards"]
        used: dict[int, str] = {}
        hole_cards = tuple(
            _cards(f"seat {seat + 1}", text, used, (0, 2))
            for seat, text in enumerate(_list("hole_cards", held, n_seats))
        )
        board = _cards("the board", values.get("board", ""), used, (0, 3, 4, 5))
        street = values.get("street") or _street_of(len(board) // 2)
        if street not in STREET_NAMES:
            raise ValueError(f"a street is one of {', '.join(STREET_NAMES)}; got {street!r}")
        actor = values.get("actor")
        return cls(
            whole_number("the seat of the button", values.get("button"), 0, n_seats - 1),
            stacks,
            hole_cards,
            board,
            street,
            read_betting(values.get("betting", "")),
            None if actor in (None, "") else whole_number("who acts", actor, 0, n_seats - 1),
        )

    def options(self) -> dict[str, Any]:
        """Options for ``env.reset``."""
        cards = {f"player_{seat}": cards for seat, cards in enumerate(self.hole_cards) if cards}
        return {"button": self.button, "hole_cards": cards, "board": self.board}

    def next_action(self, table: np.void, number: int) -> int | None:
        """Next action on the way to the position.

        Args:
            table: The record of the hand so far.
            number: Number of actions already taken.

        Returns:
            Id of a legal action with ``actions="chips"``; None where play begins.

        Raises:
            ValueError: The betting is illegal or does not lead to the position.
        """
        seat = int(table["actor"])
        if number < len(self.betting):
            if seat == NO_PLAYER:
                raise ValueError(f"the hand is over before action {number + 1} of the betting")
            return chips_id_of(_action(self.betting[number], number, table))
        street = STREET_NAMES[int(table["street"])]
        if seat != NO_PLAYER and street == self.street and self.actor in (None, seat):
            return None
        if seat == NO_PLAYER or STREET_NAMES.index(street) > STREET_NAMES.index(self.street):
            player = "any seat" if self.actor is None else f"seat {self.actor + 1}"
            raise ValueError(
                f"the betting goes on without a decision of {player} on the {self.street}: it does "
                "not stop there"
            )
        return chips_id_of(CHECK_OR_CALL)


def read_betting(text: Any) -> tuple[str, ...]:
    """Split a betting text into its actions.

    Args:
        text: ``fold``, ``check``, ``call``, ``bet 60``, ``raise 120`` (to 120 chips on this street)
            and ``all-in``, separated by commas, ``/`` or newlines.

    Raises:
        ValueError: An action is unknown.
    """
    if not isinstance(text, str) or len(text) > 20 * _MOST_WORDS:
        raise ValueError('the betting must be text such as "call, raise 60, fold"')
    words = [" ".join(word.lower().split()) for word in re.split(r"[,;/\n]", text)]
    words = [word for word in words if word]
    if len(words) > _MOST_WORDS:
        raise ValueError(f"the betting may have {_MOST_WORDS} actions; got {len(words)}")
    for number, word in enumerate(words, 1):
        if not _WORD.fullmatch(word):
            raise ValueError(
                f"action {number} of the betting must be fold, check, call, bet 60, raise 120 or "
                f"all-in; got {word[:30]!r}"
            )
    return tuple(words)


def _action(word: str, number: int, table: np.void) -> int:
    """Game action for an action of the betting text.

    Raises:
        ValueError: The action is illegal.
    """
    seat = int(table["actor"])
    where = f"action {number + 1} of the betting, by seat {seat + 1}"
    to_call = what_if.amount_to_call(table)
    if word == "fold":
        if to_call == 0:
            raise ValueError(f"{where}: there is nothing to fold to; check")
        return FOLD
    if word in ("check", "call"):
        if (word == "check") != (to_call == 0):
            there = f"are {to_call} chips" if to_call else "is nothing"
            raise ValueError(f"{where}: there {there} to call; got {word}")
        return CHECK_OR_CALL
    least, most = what_if.raise_range(table)
    everything = int(table["street_bet"][seat] + table["stack"][seat])
    number_in = re.search(r"\d+", word)
    to = int(number_in[0]) if number_in else everything
    if number_in is None and to_call == table["stack"][seat]:
        return CHECK_OR_CALL  # all-in by a call
    if most == 0:
        raise ValueError(f"{where}: no bet or raise is possible")
    if not least <= to <= most:
        raise ValueError(f"{where}: a bet or raise must be to {least} to {most} chips; got {to}")
    return to


def position_of(hand: Hand, step: int) -> dict[str, Any]:
    """Position for a page from a recorded hand, to continue from a step.

    Args:
        hand: The hand.
        step: Number of actions taken.

    Returns:
        ``players``, their names; ``blinds``; ``betting``, the structure; and ``position``, the
        fields for ``Position.read``. Empty seats are omitted.

    Raises:
        ValueError: The hand has unsupported blinds, or no player acts at the step.
    """
    if hand.blinds or any(hand.dead) or hand.second_board:
        raise ValueError(
            "a hand with straddles, dead blinds or a second board cannot be set up again"
        )
    if not 0 <= step < len(hand.actions):
        raise ValueError("no player is to act there: choose a step before the end of the hand")
    order = sorted(range(len(hand.seats)), key=lambda i: hand.seats[i])
    action = hand.actions[step]
    events = [done.event for done in play_hand(hand) if done.event is not None]
    levels = [hand.small_blind, hand.big_blind, *([hand.ante] if hand.ante else [])]
    return {
        "players": [hand.players[i] if hand.players else "" for i in order],
        "blinds": "/".join(map(str, levels)),
        "betting": hand.betting,
        "position": {
            "button": order.index(len(order) - 1),
            "stacks": [hand.stacks[i] for i in order],
            "hole_cards": [hand.hole_cards[i] for i in order],
            "board": hand.board,
            "street": _street_of(action.board_cards),
            "betting": ", ".join(
                f"{event['action']} {event['to']}" if "to" in event else event["action"]
                for event in events[:step]
            ),
            "actor": order.index(action.position),
        },
    }


def _street_of(board_cards: int) -> str:
    return STREET_NAMES[max(0, board_cards - 2)]


def _list(name: str, value: Any, length: int) -> Sequence[Any]:
    if not isinstance(value, list) or len(value) != length:
        raise ValueError(f"{name} must be a list of {length}, one for each seat")
    return value


def _cards(where: str, text: Any, used: dict[int, str], counts: tuple[int, ...]) -> str:
    """Cards named by a page, checked for duplicates.

    Raises:
        ValueError: The cards are invalid, their number is wrong, or a card is used twice.
    """
    if not isinstance(text, str) or len(text) > 40:
        raise ValueError(f"the cards of {where} must be text such as AsKd")
    plain = re.sub(r"[\s,]", "", text).replace("10", "T")
    wanted = " or ".join(map(str, counts))
    if len(plain) % 2:
        raise ValueError(
            f"{text!r} is not {wanted} cards; write a card as rank and suit, such as Td"
        )
    cards: list[int] = []
    for i in range(0, len(plain), 2):
        name = plain[i].upper() + plain[i + 1].lower()
        if not _CARD.fullmatch(name):
            raise ValueError(
                f"{plain[i : i + 2]!r} of {where} is not a card: use a rank of {RANKS} and a "
                f"suit of {SUITS}, such as Td"
            )
        cards += parse_cards(name)
    if len(cards) not in counts:
        raise ValueError(f"{where} must have {wanted} cards; got {len(cards)}")
    for card in cards:
        if card in used:
            both = f"twice for {where}" if used[card] == where else f"for {used[card]} and {where}"
            raise ValueError(f"the card {CARD_NAMES[card]} is used {both}")
        used[card] = where
    return format_cards(cards)
