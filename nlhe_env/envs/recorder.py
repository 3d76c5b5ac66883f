"""Recorder of an environment's hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nlhe_env.game.description import Game
from nlhe_env.hand_history.record import hand_of
from nlhe_env.hand_history.recording import Record, check_recorded, hand_sink, note_action
from nlhe_env.spaces.actions import ILLEGAL


class HandRecorder:
    """Recorder of the hands at one table.

    Args:
        game: The game.
        record: Target for its hands.

    Raises:
        ValueError: The target cannot represent hands of this game.
    """

    def __init__(self, game: Game, record: Record) -> None:
        check_recorded(game, record)
        self.sink = hand_sink(record)
        """Callback for every finished hand."""
        self.noted: tuple[dict[str, Any], ...] | None = ()
        """Actions of this hand so far; None if unknown."""

    def begin_hand(self) -> None:
        """Discard the actions of an unfinished hand."""
        self.noted = ()

    def lose_track(self) -> None:
        """Exclude this hand from recording, since some of its actions are unknown."""
        self.noted = None

    def note(self, table: np.void, action: int) -> None:
        """Record a game action before it is taken, if it is legal."""
        if self.noted is not None and action != ILLEGAL:
            self.noted = (*self.noted, note_action(table, action))

    def end_hand(self, table: np.void, names: Sequence[str]) -> None:
        """Deliver a paid hand from its table, before the next hand.

        Args:
            table: The record of the table.
            names: Names of the players by number.
        """
        if self.noted is not None:
            self.sink(hand_of(table, self.noted, names))
        self.begin_hand()
