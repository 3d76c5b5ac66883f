"""List of tables for the first page: games, participants and possible actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agents.web.table.game import FAILED, GAME_OVER
from agents.web.table.live_table import LiveTable


def running_tables(tables: Iterable[LiveTable], session: str) -> list[dict[str, Any]]:
    """Tables that a visitor may see: the visitor's own first, then the newest.

    Tables for several people are in all lists; others only in that of the person who opened them.

    Args:
        tables: All tables of the server, oldest first.
        session: Session of the visitor.
    """
    shown = [
        _describe(table, session)
        for table in tables
        if table.creator == session
        or table.seat_of(session) is not None
        or len(table.setup.humans) > 1
    ]
    shown.reverse()
    return sorted(shown, key=lambda entry: (not entry["own"], entry["over"]))


def _describe(table: LiveTable, session: str) -> dict[str, Any]:
    state, seat = table.state, table.seat_of(session)
    over = state.phase in (GAME_OVER, FAILED)
    return {
        "game": table.name,
        "own": seat is not None,
        "can_close": table.creator == session,
        "names": table.names_for(seat),
        "mode": table.setup.game.mode,
        "hand": int(state.snapshot.table["hand"]) + 1,
        "open_seats": 0
        if over
        else sum(not table.participants.is_taken(at) for at in table.setup.humans),
        "own_turn": not over and "options" in table.view(session),
        "waits": table.waits,
        "over": over,
    }
