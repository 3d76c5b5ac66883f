"""The referee: asks an external player, keeps the time, and counts illegal answers.

A match is not ended by a wrong answer: the player checks, or folds facing a bet, and the answer is
counted. What a player raises ends the match, since it says that the player cannot go on.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.external.chat import ChatReport
from agents.external.chips import CHECK_OR_CALL, FOLD, ChipPlayer, Turn, is_legal, whole_or_illegal
from agents.external.process import BotReport
from agents.policy.compiled_player import Player


class Referee:
    """Counts of a refereed player.

    Attributes:
        player: The player that is asked.
        decisions: Decisions that it was asked for.
        seconds: Wall time that it has taken for them.
    """

    def __init__(self, player: Any) -> None:
        self.player = player
        self.decisions = 0
        self.seconds = 0.0
        self._illegal = 0

    def __getattr__(self, name: str) -> Any:
        """Everything else is the player's: hooks, chances, wishes about observations."""
        found = getattr(self.__dict__["player"], name)
        return self._timed(found) if name == "chances" and found is not None else found

    def _timed(self, chances: Any) -> Any:
        """The player's chances; variance reduction asks for them before the decision is drawn."""

        def asked(turn: Any) -> Any:
            began = time.perf_counter()
            try:
                return chances(turn)
            finally:
                self.seconds += time.perf_counter() - began

        return asked

    @property
    def illegal(self) -> int:
        """Illegal answers, those that the player itself has caught included."""
        report = getattr(self.player, "report", None)
        caught = 0
        if isinstance(report, BotReport):
            caught = report.failed
        elif isinstance(report, ChatReport):
            caught = report.illegal
        return self._illegal + caught

    @property
    def counts(self) -> tuple[int, float, int]:
        """Decisions, seconds and illegal answers so far."""
        return self.decisions, self.seconds, self.illegal

    def _ask(self, ask: Any, *about: Any) -> Any:
        began = time.perf_counter()
        try:
            return ask(*about)
        except RuntimeError:  # says by itself what is the matter, as those of bots and servers do
            raise
        except Exception as error:
            raise RuntimeError(_words_of(self.player, error)) from error
        finally:
            self.seconds += time.perf_counter() - began
            self.decisions += 1


class _ChipReferee(Referee, ChipPlayer):
    """The referee of a player that answers in chips."""

    def decide(self, turn: Turn) -> int:
        """The player's action, if it is legal."""
        action = whole_or_illegal(self._ask(self.player.decide, turn))
        if action >= FOLD and is_legal(turn, action):
            return action
        self._illegal += 1
        return FOLD if turn["to_call"] > 0 else CHECK_OR_CALL


class _IdReferee(Referee):
    """The referee of a player that answers with ids of actions."""

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of the player's action, if it is legal."""
        mask = np.asarray(observation["action_mask"])
        action = whole_or_illegal(self._ask(self.player.act, observation, info))
        if 0 <= action < len(mask) and mask[action]:
            return action
        self._illegal += 1
        return FOLD if mask[FOLD] else CHECK_OR_CALL


def _words_of(player: Any, error: Exception) -> str:
    """What has failed, and where, for the author of a player."""
    name = getattr(player, "name", type(player).__name__)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{name} has failed: {type(error).__name__}: {error} "
        f"({place.filename}, line {place.lineno}: {place.line})"
    )


def refereed(player: Player) -> Referee:
    """A referee in the place of a player that is not compiled."""
    return _ChipReferee(player) if isinstance(player, ChipPlayer) else _IdReferee(player)
