"""Survey of hand files: number of readable hands, and reasons for unreadable ones."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from nlhe_env.game.description import Game
from nlhe_env.hand_history.record import Hand
from nlhe_env.hand_history.streams import hand_files, stream_hands

_NUMBERS = re.compile(r"\d[\d,.]*")


@dataclass
class Survey:
    """Counts of readable hands, and reasons for unreadable ones.

    Attributes:
        read: Number of readable hands.
        reasons: Reasons without numbers, with their counts.
        examples: The first location of each reason, ``"file:line"``, or the hand number.
    """

    read: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    @property
    def hands(self) -> int:
        """All hands."""
        return self.read + self.reasons.total()

    def note(self, reason: str, place: str) -> None:
        """Count an unreadable hand or file."""
        reason = _NUMBERS.sub("#", reason)
        self.reasons[reason] += 1
        self.examples.setdefault(reason, place)


def survey_files(
    paths: Iterable[str | os.PathLike[str]],
    *,
    format: str | None = None,
    game: Game | None = None,
    check: bool = True,
    sink: Callable[[Hand], Any] | None = None,
) -> Survey:
    """Survey hand files.

    Args:
        paths: Files, or folders with files of hands in them.
        format: See ``stream_hands``.
        game: See ``stream_hands``.
        check: See ``stream_hands``.
        sink: Callback for every readable hand; hands that it rejects with a ``ValueError`` do not
            count as read. It must not write to a file that is read, which would never end.

    Raises:
        ValueError: The format is unknown.
        OSError: A file cannot be read.
    """
    survey = Survey()
    for path in hand_files(paths):
        try:
            found = stream_hands(path, format=format, game=game, check=check)
            for number, hand in enumerate(found, 1):
                if not isinstance(hand, Hand):
                    survey.note(hand.reason, f"{path}:{hand.line}")
                elif refusal := _refusal(sink, hand):
                    survey.note(refusal, f"{path}, hand {number}")
                else:
                    survey.read += 1
        except ValueError as error:  # not a hand file
            if format is not None:
                raise
            survey.note(str(error), f"{path}:1")
    return survey


def _refusal(sink: Callable[[Hand], Any] | None, hand: Hand) -> str:
    """Reason why a sink refuses a hand; empty if it does not."""
    if sink is None:
        return ""
    try:
        sink(hand)
    except ValueError as error:
        return str(error) or type(error).__name__
    return ""
