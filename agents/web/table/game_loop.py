"""List of tables for the first page: games, participants and possible actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agents.web.table.game import FAILED, GAME_OVER
from agents.web.table.room import Room


def running_tables(rooms: Iterable[Room], session: str) -> list[dict[str, Any]]:
    """The tables that a visitor may see, the visitor's own first, else the newest first.

    Tables for several people are in all lists. Those for one person, or for none, are only in the
    list of the person who opened them.

    Args:
        rooms: All rooms of the server, the oldest first.
        session: Session of the visitor.
    """
    shown = [
        _describe(room, session)
        for room in rooms
        if room.creator == session
        or room.seat_of(session) is not None
        or len(room.setup.humans) > 1
    ]
    shown.reverse()
    return sorted(shown, key=lambda table: (not table["yours"], table["over"]))


def _describe(room: Room, session: str) -> dict[str, Any]:
    state, seat = room.state, room.seat_of(session)
    over = state.phase in (GAME_OVER, FAILED)
    return {
        "game": room.name,
        "yours": seat is not None,
        "names": room.names_for(seat),
        "mode": room.setup.game.mode,
        "hand": int(state.snapshot.table["hand"]) + 1,
        "open_seats": 0 if over else sum(not room.people.is_taken(at) for at in room.setup.humans),
        "your_turn": not over and "options" in room.view(session),
        "waits": room.waits,
        "over": over,
    }
