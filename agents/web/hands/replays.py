"""Hands from files, step by step, for a page to leaf through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.acpc.log import is_log, read_log
from agents.web.table.view import Event, Snapshot, table_view
from nlhe_env.game.player import PLAYER
from nlhe_env.game.table import NO_PLAYER
from nlhe_env.hand_history import Hand, play_hand, read_hands
from nlhe_env.jit.array_types import Records

MOST_BYTES = 4 * 2**20
_MOST_HANDS = 20_000
_MOST_ACTIONS = 500  # of a hand: each of its moments lists all that came before
_NO_PLAYERS: Records = np.zeros(0, PLAYER)


class Replay:
    """The hands of a file.

    Args:
        text: Text of a ``.phh`` or ``.phhs`` file, or the log of an ACPC match.
        title: Title for the page.

    Raises:
        ValueError: It is no such file, or a hand in it is not possible; the message names the line.
    """

    def __init__(self, text: str, title: str) -> None:
        self.title = title[:100]
        read = read_log if is_log(text) else read_hands
        self.hands = read(text, most_hands=_MOST_HANDS)
        for number, hand in enumerate(self.hands, 1):
            if len(hand.actions) > _MOST_ACTIONS:
                raise ValueError(
                    f"hands of at most {_MOST_ACTIONS} actions can be replayed; hand {number} of "
                    f"this file has {len(hand.actions)}"
                )

    def contents(self) -> dict[str, Any]:
        """Summary from which a page chooses a hand."""
        return {
            "title": self.title,
            "hands": [
                {
                    "number": hand.number or i,
                    "players": len(hand.stacks),
                    "blinds": [hand.small_blind, hand.big_blind, hand.ante],
                    "pot": _largest_gain(hand),
                }
                for i, hand in enumerate(self.hands, 1)
            ],
        }

    def steps(self, index: int) -> dict[str, Any]:
        """All moments of a hand as a page shows them.

        Raises:
            IndexError: There is no such hand.
        """
        if not 0 <= index < len(self.hands):
            raise IndexError(f"the file has hands 0 to {len(self.hands) - 1}; got {index}")
        hand = self.hands[index]
        return {
            "index": index,
            "unit": hand.unit,
            "number": hand.number,
            "level": hand.level,
            "steps": hand_views(hand),
        }


def hand_views(hand: Hand) -> list[dict[str, Any]]:
    """The moments of a hand in the form of ``view.table_view``, all known cards open."""
    history: tuple[Event, ...] = ()
    views = []
    unknown = frozenset(
        seat for seat, cards in zip(hand.seats, hand.hole_cards, strict=True) if not cards
    )
    for step in play_hand(hand):
        if step.event is not None:
            history = (*history, {**step.event, "seat": hand.seats[step.event["seat"]]})
        table = _at_own_seats(step.table, hand)
        snapshot = Snapshot(
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


def _largest_gain(hand: Hand) -> int | None:
    if hand.finishing_stacks is None:
        return None
    positive_discount: Sequence[int] = [
        after - before for before, after in zip(hand.stacks, hand.finishing_stacks, strict=True)
    ]
    return max(positive_discount)


def _at_own_seats(table: np.void, hand: Hand) -> np.void:
    """The record with every player in the seat that the file names, the others empty."""
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
    cards = np.full(52, -1, np.int8)
    for position, seat in enumerate(hand.seats):
        cards[2 * seat : 2 * seat + 2] = table["cards"][2 * position : 2 * position + 2]
    cards[2 * count : 2 * count + 10] = table["cards"][2 * n : 2 * n + 10]  # two boards
    moved["cards"] = cards
    result: np.void = moved
    return result
