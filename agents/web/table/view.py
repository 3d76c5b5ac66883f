"""View of a table for one viewer, as plain values: a pure function of a snapshot.

All data for a page passes through here, and ``visible_seats`` alone decides about hole cards.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agents.web.table.explanation_view import (
    ExplainedDecision,
    describe_explanation,
    describe_opponent_models,
)
from nlhe_env.cards import CARD_NAMES
from nlhe_env.equity.pot_shares import shares_of_pots
from nlhe_env.evaluator import describe
from nlhe_env.game import what_if
from nlhe_env.game.blinds import ANTE_BY
from nlhe_env.game.table import ALL_IN, EMPTY, FOLDED, NO_PLAYER, RIVER, STREET_NAMES
from nlhe_env.jit.array_types import Records
from nlhe_env.render.scene import second_board

Event = dict[str, Any]
"""An action: seat, street, name, chips put in, ``to`` for a bet or raise, ``all_in``."""


@dataclass(frozen=True, eq=False)
class TableSnapshot:
    """A table at one moment of a hand.

    Attributes:
        table: Copy of the table record, including hidden cards.
        players: Copy of the players' records.
        history: The actions of the hand so far.
        over: Whether the hand has been paid.
        open_cards: Whether all viewers may see all cards, because no playing person is in the hand.
        unknown: Seats with unknown cards, in external hands.
        explanations: Explained decisions of players in this hand, in order.
        latest: The latest explained decision of each such player, from any hand.
    """

    table: np.void
    players: Records
    history: tuple[Event, ...] = ()
    over: bool = False
    open_cards: bool = False
    unknown: frozenset[int] = frozenset()
    explanations: tuple[ExplainedDecision, ...] = field(default=(), repr=False)
    latest: tuple[ExplainedDecision, ...] = field(default=(), repr=False)


def dealt_in(table: np.void) -> list[int]:
    """Seats dealt in."""
    return [seat for seat in range(int(table["seats"])) if table["status"][seat] != EMPTY]


def visible_seats(snapshot: TableSnapshot, viewer: int | None) -> frozenset[int]:
    """Seats whose hole cards a viewer may see.

    Args:
        snapshot: The table.
        viewer: Seat of the viewer; ``None`` for a spectator.
    """
    table = snapshot.table
    return frozenset(
        seat
        for seat in dealt_in(table)
        if seat not in snapshot.unknown
        and (
            snapshot.open_cards or seat == viewer or (snapshot.over and bool(table["shown"][seat]))
        )
    )


def table_view(snapshot: TableSnapshot, names: Sequence[str], viewer: int | None) -> dict[str, Any]:
    """View of a snapshot for one viewer.

    Args:
        snapshot: The table.
        names: Names of the players by number.
        viewer: Seat of the viewer; ``None`` for a spectator.

    Returns:
        Plain values; cards are strings such as ``"As"``, or ``""`` for a card face down. Hidden
        cards are not included in any form.
    """
    table, over = snapshot.table, snapshot.over
    visible = visible_seats(snapshot, viewer)
    board = _board(table)
    view: dict[str, Any] = {
        "hand": int(table["hand"]),
        "street": STREET_NAMES[int(table["street"])],
        "blinds": [int(table[name]) for name in ("small_blind", "big_blind", "ante")],
        "ante_by": ANTE_BY[int(table["ante_by"])],
        "straddle": int(table["straddle"]),
        "button": int(table["button"]),
        "actor": None if over or table["actor"] == NO_PLAYER else int(table["actor"]),
        "board": board,
        "pot": int(table["pot"]),
        "pots": []
        if over
        else [{"size": size, "seats": list(seats)} for size, seats in what_if.side_pots(table)],
        "seats": [
            _seat_view(snapshot, names, seat, seat in visible)
            for seat in range(int(table["seats"]))
        ],
        "history": [dict(event) for event in snapshot.history],
        "over": over,
        "visible": sorted(visible),
    }
    if over:
        view["result"] = result_view(snapshot, viewer)
        view["run_out"] = _run_out(table, visible, board)
    if viewer in visible and viewer is not None and len(board) >= 3:
        view["own_hand"] = _words(table, viewer, board)["words"]
    view["explanations"] = [
        describe_explanation(explained, table, names)
        for explained in (snapshot.explanations if over else snapshot.explanations[-1:])
        if snapshot.open_cards or (over and table["shown"][explained.seat])
    ]
    view["opponent_models"] = describe_opponent_models(snapshot.latest, table, names)
    return view


def result_view(snapshot: TableSnapshot, viewer: int | None) -> dict[str, Any]:
    """The result of a hand that is over, as ``table_view`` has it."""
    table, visible = snapshot.table, visible_seats(snapshot, viewer)
    seats, board = dealt_in(table), _board(table)
    second = [CARD_NAMES[card] for card in second_board(table)]
    boards = {"hands": board} | ({"second_hands": second} if second else {})
    return {
        "showdown": bool(table["showdown"]),
        "second_board": second,
        "rake": int(table["rake"]),
        "pots": [
            {
                "size": int(table["pot_size"][pot]),
                "seats": _seats_of(int(table["pot_eligible"][pot])),
                "winners": _seats_of(int(table["pot_winners"][pot])),
                "second_winners": _seats_of(int(table["second_winners"][pot])) if second else [],
            }
            for pot in range(int(table["pots"]))
        ],
        "net": {
            str(seat): int(table["stack"][seat]) - int(table["starting_stack"][seat])
            for seat in seats
        },
        "won": {str(seat): int(table["won"][seat]) for seat in seats if table["won"][seat]},
        **{
            name: {
                str(seat): _words(table, seat, cards)
                for seat in seats
                if table["showdown"] and seat in visible and table["shown"][seat]
            }
            for name, cards in boards.items()
        },
    }


def hole_cards(table: np.void, seat: int) -> list[str]:
    """The two cards of a seat, the higher one first."""
    cards = sorted(table["cards"][2 * seat : 2 * seat + 2].tolist(), reverse=True)
    return [CARD_NAMES[card] for card in cards]


def _board(table: np.void) -> list[str]:
    first = 2 * int(table["seats"])
    cards = table["cards"][first : first + int(table["board_cards"])].tolist()
    return [CARD_NAMES[card] for card in cards]


def _seat_view(
    snapshot: TableSnapshot, names: Sequence[str], seat: int, visible: bool
) -> dict[str, Any]:
    table = snapshot.table
    player = int(table["player"][seat])
    if player == NO_PLAYER:
        return {"name": "", "state": "empty"}
    status = int(table["status"][seat])
    state = {EMPTY: "waiting", FOLDED: "folded", ALL_IN: "all-in"}.get(status, "in")
    view = {
        "name": names[player],
        "state": state,
        "stack": int(table["stack"][seat]),
        "bet": 0 if snapshot.over or status == EMPTY else int(table["street_bet"][seat]),
        "in_pot": 0 if status == EMPTY else int(table["hand_bet"][seat]),
        "cards": [],
        "last": _last_action(snapshot, seat),
    }
    if visible:
        view["cards"] = hole_cards(table, seat)
    elif status not in (EMPTY, FOLDED):
        view["cards"] = ["", ""]
    return view


def _last_action(snapshot: TableSnapshot, seat: int) -> Event | None:
    """Last action of a seat on this street; a fold stays until the end of the hand."""
    street = STREET_NAMES[int(snapshot.table["street"])]
    for event in reversed(snapshot.history):
        if event["seat"] == seat:
            if event["street"] == street or event["action"] == "fold" or event["all_in"]:
                return dict(event)
            return None
    return None


def _words(table: np.void, seat: int, board: list[str]) -> dict[str, Any]:
    """Name of a hand and its five cards."""
    hand = describe("".join(hole_cards(table, seat) + board))
    return {"words": hand.words, "cards": [CARD_NAMES[card] for card in hand.cards]}


def _run_out(table: np.void, visible: frozenset[int], board: list[str]) -> list[dict[str, Any]]:
    pots = [
        (int(table["pot_size"][pot]), _seats_of(int(table["pot_eligible"][pot])))
        for pot in range(int(table["pots"]))
    ]
    known = [
        "".join(hole_cards(table, seat)) if seat in visible else ""
        for seat in range(int(table["seats"]))
    ]
    return run_out(table, pots, known, board)


def _seats_of(bits: int) -> list[int]:
    return [seat for seat in range(bits.bit_length()) if bits >> seat & 1]


_OPEN_CARDS = (0, 3, 4, 5)
"""Cards of the board by street."""


def run_out(
    table: np.void,
    pots: Sequence[tuple[int, Sequence[int]]],
    hole_cards: Sequence[str],
    board: Sequence[str],
) -> list[dict[str, Any]]:
    """Exact shares of all pots, street by street from the end of the betting on.

    Args:
        table: The record of a hand that has been paid.
        pots: Size and eligible seats of each.
        hole_cards: Cards by seat as far as the viewer knows them, ``""`` if not.
        board: Its five cards.

    Returns:
        For each street ``cards``, how many cards of the board are open, and ``shares`` by seat as
        text. Empty if the betting ended with a fold or on the river, or if the viewer does not
        know all hands that can win. Only the first street if the hand is run twice, since the
        boards share the pots.
    """
    if not table["showdown"] or table["street"] == RIVER:
        return []
    seats: Set[int] = {seat for _, eligible in pots for seat in eligible}
    if not all(hole_cards[seat] for seat in seats):
        return []
    streets = _OPEN_CARDS[int(table["street"]) :]
    found = []
    for n_open in streets[:1] if table["shared_cards"] < 5 else streets:
        shares = shares_of_pots(pots, hole_cards, "".join(board[:n_open]))
        by_seat = {str(seat): shares[seat] for seat in sorted(seats)}
        found.append({"cards": n_open, "shares": by_seat})
    return found
