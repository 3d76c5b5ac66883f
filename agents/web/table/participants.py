"""Participants of a table: its viewers, and the people in its seats."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from agents.web.table.setup import UNNAMED, participant_name

_MOST_WAITING = 200  # queued messages per connection
_AWAY_S = 60.0  # without a connection, until others need not wait; the same for a whole table


class Refused(ValueError):  # noqa: N818  (an answer, not a fault)
    """A request cannot be granted; the text is for the person."""


class Connection:
    """Connection of a table's viewer, which is notified of changes and fetches them.

    Args:
        session: Secret that identifies the viewer, the same for all pages of one browser.
    """

    def __init__(self, session: str) -> None:
        self.session = session
        self.new = asyncio.Event()
        """Set when there is something to fetch."""
        self.messages: list[dict[str, Any]] = []
        """Messages for this connection alone."""
        self.state_due = True
        self.equity_pending = False
        """Whether an equity is being computed."""
        self.ended = False
        """Whether the table has been closed."""

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message for this connection; a full queue drops the oldest."""
        del self.messages[: 1 - _MOST_WAITING]
        self.messages.append(message)
        self.new.set()

    def announce_state(self) -> None:
        """Notify the connection that the table has changed."""
        self.state_due = True
        self.new.set()

    def end(self) -> None:
        """Notify the connection that the table has been closed."""
        self.ended = True
        self.new.set()


class Participants:
    """The people of a table.

    Args:
        seats: The seats for people.
    """

    def __init__(self, seats: tuple[int, ...]) -> None:
        self.seats = seats
        self.connections: set[Connection] = set()
        self.idle_since = time.monotonic()
        self.names: dict[int, str] = {}
        """Names by seat, of people who have sat there."""
        self._owners: dict[int, str] = {}
        self._seat_once: dict[str, int] = {}  # people who left may only return to the same seat
        self._sits_since: dict[str, int] = {}  # number of finished hands at that time
        self._last_seen: dict[str, float] = {}

    def enter(self, connection: Connection) -> None:
        """Add a connection."""
        self.connections.add(connection)
        self._last_seen[connection.session] = time.monotonic()

    def leave(self, connection: Connection) -> None:
        """Remove a connection, closed or lost; the seat stays taken."""
        self.connections.discard(connection)
        self.idle_since = self._last_seen[connection.session] = time.monotonic()

    def seat_of(self, session: str) -> int | None:
        """Seat of a session, if any."""
        return next((seat for seat, owner in self._owners.items() if owner == session), None)

    def sit(self, session: str, name: Any, *, out: Collection[int], hands_played: int) -> int:
        """Give a person the first open seat.

        Args:
            session: Session of the person.
            name: Requested name, if any.
            out: Seats that have lost all chips.
            hands_played: Number of finished hands.

        Raises:
            Refused: No seat is open, or the person is already seated.
            ValueError: The name is invalid.
        """
        if self.seat_of(session) is not None:
            raise Refused("you are already seated at this table")
        # A viewer must not see the cards of several seats in turn.
        seats = (self._seat_once[session],) if session in self._seat_once else self.seats
        for seat in seats:
            if seat not in self._owners and seat not in out:
                self.names[seat] = participant_name(name) if name else f"Player {seat + 1}"
                self._owners[seat] = session
                self._seat_once[session] = seat
                self._sits_since[session] = hands_played
                return seat
        raise Refused("there is no open seat for you at this table")

    def stand_up(self, seat: int) -> None:
        """Open a seat again."""
        del self._owners[seat]

    def people(self) -> list[dict[str, Any]]:
        """All people who have ever been seated, for files; see ``saving``."""
        return [
            {
                "seat": seat,
                "name": self.names[seat],
                "session": session,
                "since": self._sits_since[session],
                "sits": self._owners.get(seat) == session,
            }
            for session, seat in self._seat_once.items()
        ]

    def restore(self, people: Sequence[Mapping[str, Any]]) -> None:
        """Restore people's seats from ``people``.

        Raises:
            ValueError: A seat is not a seat for people.
        """
        for person in people:
            seat, session = person["seat"], person["session"]
            if seat not in self.seats:
                raise ValueError(f"a person sits at one of the seats {self.seats}; got {seat!r}")
            self._seat_once[session] = seat
            self._sits_since[session] = person["since"]
            if person["sits"] or seat not in self._owners:
                self.names[seat] = participant_name(person["name"])
            if person["sits"]:
                self._owners[seat] = session

    def begin_game(self) -> None:
        """Start a new game without finished hands."""
        self._sits_since = dict.fromkeys(self._sits_since, 0)

    def sits_since(self, session: str) -> int:
        """Number of finished hands when a person sat down."""
        return self._sits_since.get(session, 0)

    def is_deserted(self) -> bool:
        """Whether no page of the table has been open for a minute."""
        return not self.connections and time.monotonic() - self.idle_since > _AWAY_S

    def is_taken(self, seat: int) -> bool:
        """Whether a person has the seat."""
        return seat in self._owners

    def any_seated(self) -> bool:
        """Whether any person is seated."""
        return bool(self._owners)

    def all_seated(self) -> bool:
        """Whether no seat for people is open."""
        return len(self._owners) == len(self.seats)

    def is_connected(self, seat: int) -> bool:
        """Whether the person in a seat has a connection."""
        return self.is_here(self._owners.get(seat))

    def is_here(self, session: str | None) -> bool:
        """Whether a session has a connection."""
        return any(connection.session == session for connection in self.connections)

    def seat_view(self, seat: int) -> dict[str, bool]:
        """Plain values about a seat for pages."""
        return {"taken": self.is_taken(seat), "connected": self.is_connected(seat)}

    def spectators(self) -> int:
        """Number of browsers that watch without a seat."""
        sessions = {connection.session for connection in self.connections}
        return len(sessions - set(self._owners.values()))

    def patience(self, seat: int) -> float | None:
        """Seconds that the game still waits for the person in a seat; ``None`` for ever."""
        if self.is_connected(seat) or not any(self.is_connected(other) for other in self._owners):
            return None
        return max(0.0, self._last_seen.get(self._owners[seat], 0.0) + _AWAY_S - time.monotonic())


def shown_names(
    names: Sequence[str], seats: Sequence[int], own: int | None, own_name: str = UNNAMED
) -> list[str]:
    """Names as shown to a person in a seat (or in none).

    Args:
        names: Names of players; ``UNNAMED`` for unnamed people.
        seats: Seats of the players.
        own: Seat of the reader.
        own_name: Name of an unnamed reader.
    """
    return [
        name if name != UNNAMED else own_name if seat == own else f"Player {seat + 1}"
        for name, seat in zip(names, seats, strict=True)
    ]
