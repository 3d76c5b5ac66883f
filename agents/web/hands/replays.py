"""Step-by-step replays of hands from files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.web.table.view import Event, TableSnapshot, table_view
from nlhe_env.cards import N_CARDS
from nlhe_env.game.player import PLAYER
from nlhe_env.game.table import NO_PLAYER
from nlhe_env.hand_history import (
    Hand,
    HandHistoryError,
    play_hand,
    read_hands,
    refuse_too_many,
    stream_hands,
)
from nlhe_env.hand_history.batches import AT_ONCE, pack, play_packed
from nlhe_env.hand_history.streams import detect_format
from nlhe_env.jit.array_types import Records

MOST_BYTES = 16 * 2**20
_MOST_HANDS = 20_000
_MOST_ACTIONS = 500  # per hand, since each step lists all earlier ones
_NO_PLAYERS: Records = np.zeros(0, PLAYER)


class Replay:
    """The hands of a file.

    Args:
        text: Text of any of the formats of ``stream_hands``.
        title: Title for the page.

    Raises:
        ValueError: The text has another format, or a hand is invalid; the message names the line.
    """

    def __init__(self, text: str, title: str) -> None:
        self.title = title[:100]
        self.hands, self.left_out = _read(text)
        for number, hand in enumerate(self.hands, 1):
            if len(hand.actions) > _MOST_ACTIONS:
                raise ValueError(
                    f"hands of at most {_MOST_ACTIONS} actions can be replayed; hand {number} of "
                    f"this file has {len(hand.actions)}"
                )
        self._summaries = _summaries(self.hands)

    def contents(self) -> dict[str, Any]:
        """Summary from which a page chooses a hand.

        Returns:
            ``title``; ``left_out``, messages about unreadable hands; and ``hands``, each with
            ``number``, ``blinds``, ``unit``, ``players``, and by player ``names``, ``cards``, and
            ``net``; ``pot``, the chips won, and ``board``. ``net`` and ``pot`` are None for
            incomplete hands.
        """
        return {"title": self.title, "left_out": self.left_out, "hands": self._summaries}

    def steps(self, index: int) -> dict[str, Any]:
        """All steps of a hand for a page.

        Raises:
            IndexError: The hand does not exist.
        """
        if not 0 <= index < len(self.hands):
            raise IndexError(f"the file has hands 0 to {len(self.hands) - 1}; got {index}")
        hand = self.hands[index]
        return {
            "index": index,
            "unit": hand.unit,
            "number": hand.number,
            "level": hand.level,
            "betting": hand.betting,
            "steps": hand_views(hand),
        }


def hand_views(hand: Hand) -> list[dict[str, Any]]:
    """Steps of a hand in the form of ``view.table_view``, with all known cards open."""
    history: tuple[Event, ...] = ()
    views = []
    unknown = frozenset(
        seat for seat, cards in zip(hand.seats, hand.hole_cards, strict=True) if not cards
    )
    for step in play_hand(hand):
        if step.event is not None:
            history = (*history, {**step.event, "seat": hand.seats[step.event["seat"]]})
        table = _at_own_seats(step.table, hand)
        snapshot = TableSnapshot(
            table,
            _NO_PLAYERS,
            history,
            over=bool(table["actor"] == NO_PLAYER and table["pots"] > 0),
            open_cards=True,
            unknown=unknown,
        )
        view = table_view(snapshot, hand.players, None)
        if hand.number is not None:
            view["hand"] = hand.number - 1
        views.append(view)
    return views


def _read(text: str) -> tuple[list[Hand], list[str]]:
    """Hands of a text, and messages about omitted hands.

    Files from poker rooms may contain hands of other games, which are omitted. In machine-readable
    formats every hand must be valid.

    Raises:
        ValueError: The text is not a hand file, or has no readable hand.
    """
    lines = text.splitlines()
    try:
        format_ = detect_format(lines)
    except ValueError:
        format_ = "phh"  # its reader names the line
    if format_ == "phh":
        return read_hands(text, most_hands=_MOST_HANDS), []
    hands: list[Hand] = []
    errors: list[HandHistoryError] = []
    for read in stream_hands(lines, format=format_):
        if isinstance(read, Hand):
            hands.append(read)
            refuse_too_many(len(hands), _MOST_HANDS)
        elif format_ == "acpc":
            raise read
        else:
            errors.append(read)
    if not hands:
        raise errors[0] if errors else HandHistoryError(1, "this file contains no hands")
    left_out = [f"{len(errors)} hands were skipped; the first: {errors[0]}"] if errors else []
    return hands, left_out


def _summaries(hands: Sequence[Hand]) -> list[dict[str, Any]]:
    """Summary of each hand, for a list."""
    found = []
    for first in range(0, len(hands), AT_ONCE):
        some = hands[first : first + AT_ONCE]
        for i, (hand, table) in enumerate(zip(some, play_packed(pack(some)).tables, strict=True)):
            n, is_over = len(hand.stacks), table["pots"] > 0
            net = (table["stack"] - table["starting_stack"])[:n].tolist()
            found.append(
                {
                    "number": hand.number or first + i + 1,
                    "blinds": [hand.small_blind, hand.big_blind, hand.ante],
                    "unit": hand.unit,
                    "players": n,
                    "names": list(names_of(hand)),
                    "cards": [[cards[:2], cards[2:]] if cards else [] for cards in hand.hole_cards],
                    "net": net if is_over else None,
                    "pot": int(table["pot_size"].sum()) if is_over else None,
                    "board": [hand.board[k : k + 2] for k in range(0, len(hand.board), 2)],
                }
            )
    return found


def names_of(hand: Hand) -> list[str]:
    """Names of the players, by seat for unnamed ones."""
    named = hand.players or ("",) * len(hand.seats)
    return [name or f"Seat {seat + 1}" for name, seat in zip(named, hand.seats, strict=True)]


def _at_own_seats(table: np.void, hand: Hand) -> np.void:
    """The record with every player in the seat given by the file, and the others empty."""
    count, n = hand.seat_count, len(hand.seats)
    moved = np.zeros(1, table.dtype)[0]
    for name in table.dtype.names or ():
        field = table[name]
        if field.shape == ():
            moved[name] = field
    moved["seats"] = count
    moved["player"] = NO_PLAYER
    seats = np.array(hand.seats)
    for name in (
        "player",
        "stack",
        "starting_stack",
        "street_bet",
        "hand_bet",
        "won",
        "shown",
        "status",
    ):
        moved[name][seats] = table[name][:n]
    for name in ("button", "actor"):
        if table[name] != NO_PLAYER:
            moved[name] = hand.seats[int(table[name])]
    for name in ("pot_eligible", "pot_winners", "second_winners"):
        moved[name] = [
            sum(1 << hand.seats[i] for i in range(n) if int(bits) >> i & 1) for bits in table[name]
        ]
    moved["pot_size"] = table["pot_size"]
    cards = np.full(N_CARDS, -1, np.int8)
    for position, seat in enumerate(hand.seats):
        cards[2 * seat : 2 * seat + 2] = table["cards"][2 * position : 2 * position + 2]
    cards[2 * count : 2 * count + 10] = table["cards"][2 * n : 2 * n + 10]  # two boards
    moved["cards"] = cards
    result: np.void = moved
    return result
