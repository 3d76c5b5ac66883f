"""What is wrong with a file of hands, and how much of one is read."""

from __future__ import annotations

MOST_CHIPS = 10**12
"""In play in a hand that is read."""

_LONGEST = 400
"""Letters of a reason."""


class HandHistoryError(ValueError):
    """A file that is no hand history, or one of a hand that cannot have been played.

    Attributes:
        line: Of the text, from 1.
        reason: What is wrong, without the line; the middle of a long one is left out.
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
