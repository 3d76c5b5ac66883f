"""The referee, which queries an external player, times it and counts illegal answers.

A wrong answer does not end a match: the player checks, or folds facing a bet, and the answer is
counted. An exception from the player ends the match, because the player cannot continue.
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
        player: The refereed player.
        decisions: Number of its decisions.
        seconds: Wall time of its decisions.
    """

    def __init__(self, player: Any) -> None:
        self.player = player
        self.decisions = 0
        self.seconds = 0.0
        self._illegal = 0

    def __getattr__(self, name: str) -> Any:
        """Other attributes of the player: hooks, probabilities, observation."""
        found = getattr(self.__dict__["player"], name)
        return self._timed(found) if name == "chances" and found is not None else found

    def _timed(self, chances: Any) -> Any:
        """Time the player's probabilities, which variance reduction queries before the decision."""

        def asked(turn: Any) -> Any:
            began = time.perf_counter()
            try:
                return chances(turn)
            finally:
                self.seconds += time.perf_counter() - began

        return asked

    @property
    def illegal(self) -> int:
        """Number of illegal answers, including those caught by the player itself."""
        report = getattr(self.player, "report", None)
        caught = 0
        if isinstance(report, BotReport):
            caught = report.failed
        elif isinstance(report, ChatReport):
            caught = report.illegal
        return self._illegal + caught

    @property
    def counts(self) -> tuple[int, float, int]:
        """Number of decisions, seconds and number of illegal answers so far."""
        return self.decisions, self.seconds, self.illegal

    def _ask(self, ask: Any, *about: Any) -> Any:
        began = time.perf_counter()
        try:
            return ask(*about)
        except RuntimeError:  # errors of bots and servers are self-explanatory
            raise
        except Exception as error:
            raise RuntimeError(_words_of(self.player, error)) from error
        finally:
            self.seconds += time.perf_counter() - began
            self.decisions += 1


class _ChipReferee(Referee, ChipPlayer):
    """Referee of a player that answers in chips."""

    def decide(self, turn: Turn) -> int:
        """The player's action, if it is legal."""
        action = whole_or_illegal(self._ask(self.player.decide, turn))
        if action >= FOLD and is_legal(turn, action):
            return action
        self._illegal += 1
        return FOLD if turn["to_call"] > 0 else CHECK_OR_CALL


class _IdReferee(Referee):
    """Referee of a player that answers with action ids."""

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Id of the player's action, if it is legal."""
        mask = np.asarray(observation["action_mask"])
        action = whole_or_illegal(self._ask(self.player.act, observation, info))
        if 0 <= action < len(mask) and mask[action]:
            return action
        self._illegal += 1
        return FOLD if mask[FOLD] else CHECK_OR_CALL


def _words_of(player: Any, error: Exception) -> str:
    """Error message with its location, for the author of a player."""
    name = getattr(player, "name", type(player).__name__)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{name} has failed: {type(error).__name__}: {error} "
        f"({place.filename}, line {place.lineno}: {place.line})"
    )


def refereed(player: Player) -> Referee:
    """Wrap a player in a referee, unless it is compiled."""
    return _ChipReferee(player) if isinstance(player, ChipPlayer) else _IdReferee(player)
