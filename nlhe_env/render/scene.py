"""Spectator's view of a table in plain values, for text and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from nlhe_env.game.table import ALL_IN, BY_BIG_BLIND, EMPTY, FOLDED, NO_PLAYER, STREET_NAMES

SIZE = (960, 640)
"""Default width and height of pictures in pixels."""

_STATUS = {FOLDED: "folded", ALL_IN: "all-in"}


class Seat(NamedTuple):
    """A player with its cards and chips."""

    number: int
    name: str
    stack: int
    bet: int
    """Chips bet on this street."""
    cards: tuple[int, ...]
    """The two hole cards; none for a player who was not dealt in."""
    status: str
    """``"folded"``, ``"all-in"`` or empty."""
    has_button: bool
    to_act: bool
    won: int
    """Chips won from the pots of a finished hand."""
    shown: bool
    """Whether the cards were shown at the end of the hand."""


class Scene(NamedTuple):
    """A table as seen by a spectator, with all players' cards open."""

    title: str
    """Table, hand and blinds."""
    street: str
    board: tuple[int, ...]
    second_board: tuple[int, ...]
    """All cards of the second board, if the hand was run twice."""
    pot: int
    """All chips in the pot; 0 once paid."""
    rake: int
    """Rake from the paid pots, in chips."""
    paid: tuple[int, ...]
    """Sizes of the paid pots, main pot first; empty during the hand."""
    size: int
    """Seats of the table, empty ones included."""
    seats: tuple[Seat, ...]
    """The players, by seat."""


def second_board(table: Any) -> tuple[int, ...]:
    """Cards of the second board of a hand run twice; empty for other hands."""
    first, shared = 2 * int(table["seats"]), int(table["shared_cards"])
    if shared == 5:
        return ()
    cards = table["cards"].tolist()
    return (*cards[first : first + shared], *cards[first + 5 + shared : first + 10])


def read_scene(table: Any, names: Sequence[str]) -> Scene:
    """Scene of a table.

    Args:
        table: A table record.
        names: Names of the players by number.
    """
    size = int(table["seats"])
    deck = table["cards"].tolist()
    board = tuple(deck[2 * size : 2 * size + int(table["board_cards"])])
    extras = ""
    if table["ante"]:
        extras = f"{' big-blind' if table['ante_by'] == BY_BIG_BLIND else ''} ante {table['ante']}"
    if table["straddle"]:
        extras += f" straddle {table['straddle']}"
    seats = []
    for seat in range(size):
        player = int(table["player"][seat])
        if player == NO_PLAYER:
            continue
        status = int(table["status"][seat])
        cards = () if status == EMPTY else tuple(deck[2 * seat : 2 * seat + 2])
        seats.append(
            Seat(
                number=seat,
                name=names[player],
                stack=int(table["stack"][seat]),
                bet=int(table["street_bet"][seat]),
                cards=cards,
                status=_STATUS.get(status, ""),
                has_button=seat == table["button"],
                to_act=seat == table["actor"],
                won=int(table["won"][seat]),
                shown=bool(table["shown"][seat]),
            )
        )
    return Scene(
        title=f"Table {table['number']}, hand {table['hand']}, blinds {table['small_blind']}/"
        f"{table['big_blind']}{extras}",
        street=STREET_NAMES[table["street"]],
        board=board,
        second_board=second_board(table),
        pot=int(table["pot"]),
        rake=int(table["rake"]),
        paid=tuple(table["pot_size"][: table["pots"]].tolist()),
        size=size,
        seats=tuple(seats),
    )
