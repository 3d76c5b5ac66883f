"""Game state that records its hands as they are played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from nlhe_env.envs.game_state import GameState
from nlhe_env.envs.step_kernels import action_of
from nlhe_env.game.description import Game
from nlhe_env.hand_history.record import hand_of
from nlhe_env.hand_history.recording import Record, check_recorded, hand_sink, note_action
from nlhe_env.spaces.actions import ILLEGAL


class RecordingGame(GameState):
    """Game state that records every hand.

    Args:
        game: See ``GameState``.
        num_players: See ``GameState``.
        actions: See ``GameState``.
        observation: See ``GameState``.
        record: Where hands go, ``None`` if they are not recorded.

    Raises:
        ValueError: An argument is out of range.
    """

    def __init__(
        self,
        game: Game,
        num_players: int,
        actions: str | Iterable[float],
        observation: str,
        record: Record | None,
    ) -> None:
        super().__init__(game, num_players, actions, observation)
        if record is not None:
            check_recorded(game, record)
        self.record = None if record is None else hand_sink(record)
        """Function that is called with every finished hand, if hands are recorded."""
        self.names: Sequence[str] = self.possible_agents
        """Names of the players in recorded hands."""
        # Actions of this hand so far; None where they are not known.
        self._noted: tuple[dict[str, Any], ...] | None = ()

    def after_hand(self) -> None:
        """Record a hand that has been paid, while its table still shows it."""
        if self.record is not None and self._noted is not None:
            self.record(hand_of(self.table, self._noted, self.names))
        self._noted = ()

    def _start(self, *arguments: Any) -> None:
        self._noted = ()
        super()._start(*arguments)

    def _do(self, number: int) -> int:
        if self.record is None or self._noted is None:
            return super()._do(number)
        before = self._noted
        encoding = self.encoding.kind, self.fractions
        action = int(action_of(self.game_record, self.tables, *encoding, number))
        if action != ILLEGAL:
            self._noted = (*before, note_action(self.table, action))
        event = super()._do(number)
        if event == ILLEGAL:
            self._noted = before
        return event

    def _put_table_back(self, record: np.void) -> bool:
        self._noted = None  # the actions that led to this table are not known
        return super()._put_table_back(record)
