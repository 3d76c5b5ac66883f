"""Chat of the people at a table."""

from __future__ import annotations

from collections import deque

from agents.web.table.participants import Refused

Line = dict[str, str | int]

_LONGEST = 200
_KEPT = 100
_MOST_LINES, _WHILE_S = 5, 10.0


class Chat:
    """Latest chat lines of a table, for all its viewers."""

    def __init__(self) -> None:
        self.lines: deque[Line] = deque(maxlen=_KEPT)
        """``number``, ``name`` and ``text`` of each, the oldest first."""
        self._count = 0
        self._times: dict[int, deque[float]] = {}

    def say(self, seat: int, name: str, text: object, now: float) -> Line:
        """Add a line.

        Args:
            seat: Seat of the speaker.
            name: Name of the speaker.
            text: Text from the page.
            now: Current time in seconds.

        Raises:
            Refused: The text is invalid, empty, too long, or sent too soon after others.
        """
        shown = " ".join(text.split()) if isinstance(text, str) else ""
        shown = "".join(letter for letter in shown if letter.isprintable())
        if not 1 <= len(shown) <= _LONGEST:
            raise Refused(f"a message has 1 to {_LONGEST} characters")
        times = self._times.setdefault(seat, deque(maxlen=_MOST_LINES))
        if len(times) == _MOST_LINES and now - times[0] < _WHILE_S:
            raise Refused("too many messages: wait a moment")
        times.append(now)
        self._count += 1
        line: Line = {"number": self._count, "name": name, "text": shown}
        self.lines.append(line)
        return line
