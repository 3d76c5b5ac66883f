"""An environment that keeps what its tables looked like when a hand was paid.

``env.step`` goes on to the next decision at once, maybe hands later. A table for people stops where
the cards are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from agents.web.table.stacks import Stacks
from nlhe_env.envs.aec import raw_env
from nlhe_env.machine.array_types import Records


class HandRecords(NamedTuple):
    """A hand that has just been paid."""

    table: np.void
    """Copy of the table record: cards, pots and their winners, stacks after the hand."""
    players: Records
    """Copy of the players' records."""


class RecordingEnv(raw_env):
    """``raw_env`` that keeps a copy of every table at the end of its hand."""

    finished: list[HandRecords]
    carried: Stacks | None = None
    """Those that are carried from hand to hand; None where they are put back."""

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """See ``raw_env.reset``."""
        self.finished = []
        super().reset(seed, options)

    def take_finished(self) -> list[HandRecords]:
        """The hands that have ended since this was last asked."""
        finished, self.finished = self.finished, []
        return finished

    def _advance(self) -> int:
        if self.carried is not None and self.table["hands_dealt"] > 0:
            total = self.carried.carry(self.table, self.players)
            # A raise to n chips is action n, and more chips have come to the table.
            if self.encoding.size(total) > len(self._mask):
                self._mask = np.zeros(self.encoding.size(total), np.int8)
                self._n_actions = len(self._mask)
        return super()._advance()

    def after_hand(self) -> None:
        """Keeps it."""
        self.finished.append(HandRecords(self.table.copy(), self.players.copy()))
