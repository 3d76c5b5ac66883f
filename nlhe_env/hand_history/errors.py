"""Errors in files of hands, and limits of what is read."""

from __future__ import annotations

MOST_CHIPS = 10**12
"""Limit of the chips in play in a hand that is read."""

_LONGEST = 400
"""Limit of the letters of a reason."""


class HandHistoryError(ValueError):
    """A file that is not a hand history, or has a hand that cannot have been played.

    Attributes:
        line: Line of the text, from 1.
        reason: Reason without the line; the middle of a long one is left out.
    """

    def __init__(self, line: int, reason: str) -> None:
        if len(reason) > _LONGEST:  # it quotes the file
            reason = f"{reason[: _LONGEST // 2]} ... {reason[-_LONGEST // 2 :]}"
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def refuse_too_many(hands: int, most_hands: int | None) -> None:
    """Check a limit of hands.

    Raises:
        HandHistoryError: There are more.
    """
    if most_hands is not None and hands > most_hands:
        raise HandHistoryError(1, f"at most {most_hands} hands can be read here; got {hands}")
