"""Course of a game: its pace and people's requests about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.web.table.game import HAND_OVER, PLAYER_TO_ACT
from agents.web.table.participants import Refused

PACES = {"slow": 2.0, "normal": 0.9, "fast": 0.25, "max": 0.0}
"""Seconds before an action of a computer player."""


class Course:
    """Pace of a game, and whether it is paused."""

    def __init__(self) -> None:
        self.pace = "normal"
        self.paused = False
        """Whether a game stands still for those who watch it."""
        self.steps = 0
        """Steps to take at once, although the game is paused."""
        self.skip = False
        """Whether the hand is played to its end, or to a person's turn, at once."""
        self.deal = False
        """Whether the next hand is dealt at once."""
        self.auto_deal = False

    @property
    def seconds(self) -> float:
        """Seconds before an action of a computer player."""
        return PACES[self.pace]

    @property
    def is_urged(self) -> bool:
        """Whether a request requires continuing without delay."""
        return bool(self.steps or self.deal or self.skip)

    def begin_game(self) -> None:
        """Start a new game, which is not paused."""
        self.paused = self.skip = self.deal = False
        self.steps = 0

    def advance(self, phase: str) -> None:
        """Note that the game continues from a phase."""
        self.deal = False
        self.steps = max(0, self.steps - 1)
        if phase == HAND_OVER:
            self.skip = False

    def control(self, kind: str, message: Mapping[str, Any], phase: str, *, played: bool) -> None:
        """Handle a request about the course of the game.

        Args:
            kind: Type of the message.
            message: Message from the page.
            phase: Phase of the game.
            played: Whether people play in the game.

        Raises:
            Refused: The request cannot be granted or is unknown.
        """
        if kind in ("pause", "step") and played:
            raise Refused("a game with people cannot be paused")
        if kind == "next hand":
            self.deal = phase == HAND_OVER
        elif kind == "pace":
            pace = message.get("pace")
            if not isinstance(pace, str) or pace not in PACES:
                raise Refused(f"a pace is one of {', '.join(PACES)}")
            self.pace = pace
        elif kind == "pause":
            self.paused = message.get("on") is True
        elif kind == "step":
            self.paused = True
            self.steps = 1
        elif kind == "skip":
            self.skip = phase == PLAYER_TO_ACT
        elif kind == "auto deal":
            self.auto_deal = message.get("on") is True
        else:
            raise Refused(f"there is no message of type {kind[:30]!r}")
