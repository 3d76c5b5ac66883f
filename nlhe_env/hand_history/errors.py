"""Errors in hand files, and size limits."""

from __future__ import annotations

MOST_CHIPS = 10**12
"""Limit of the chips in play in a hand that is read."""

_LONGEST = 400
"""Limit of the letters of a reason."""


class HandHistoryError(ValueError):
    """An invalid hand history: not in the format, or with an impossible hand.

    Attributes:
        line: Line of the text, from 1.
        reason: Reason without the line; long reasons are shortened in the middle.
    """

    def __init__(self, line: int, reason: str) -> None:
        if len(reason) > _LONGEST:  # it quotes the file
            reason = f"{reason[: _LONGEST // 2]} ... {reason[-_LONGEST // 2 :]}"
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class NoHandHistoryError(HandHistoryError):
    """A file that is no hand history, in any of the formats."""

    def __init__(self, reason: str) -> None:
        super().__init__(1, reason)
        self.args = (reason,)  # no line is to blame


def refuse_too_many(hands: int, most_hands: int | None) -> None:
    """Check a limit of hands.

    Raises:
        HandHistoryError: There are more.
    """
    if most_hands is not None and hands > most_hands:
        raise HandHistoryError(1, f"at most {most_hands} hands can be read here; got {hands}")
