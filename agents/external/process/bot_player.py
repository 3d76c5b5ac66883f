"""Base of players that are bots of others: their faults never stop a game, and are counted."""

from __future__ import annotations

import logging
import time
from abc import abstractmethod
from typing import Any

from agents.external.chips import CHECK_OR_CALL, FOLD, ChipPlayer, Turn
from agents.external.process.report import BotFault, BotReport

_log = logging.getLogger(__name__)


class BotPlayer(ChipPlayer):
    """Player whose decisions come from a bot; subclasses implement ``_ask``.

    Without a valid answer in time it checks, or folds to a bet, and gets a strike in ``report``.
    The first strike of each kind and a forfeit are logged as warnings.

    Args:
        name: Name for tables and plots.
        forfeit_after: Number of consecutive decisions without a valid answer before it forfeits.
    """

    known_seats: Any = None
    known_betting: Any = None

    def __init__(self, name: str, forfeit_after: int) -> None:
        self.forfeit_after = forfeit_after
        self._report = BotReport(name)
        self._is_asked = False

    @property
    def name(self) -> str:
        """Name for tables and plots."""
        return self._report.name

    @property
    def report(self) -> BotReport:
        """Decisions and strikes with reasons over all games so far."""
        return self._report

    @property
    def is_asked(self) -> bool:
        """Whether an answer is pending; for use by other threads."""
        return self._is_asked

    def decide(self, turn: Turn) -> int:
        """Answer of the bot, or a check or fold; see ``ChipPlayer``."""
        report = self._report
        report.decisions += 1
        invalid = "forfeited", "it has forfeited and is no longer asked"
        if not report.forfeited:
            self._is_asked = True
            start = time.perf_counter()
            try:
                action = self._ask(turn)
            except BotFault as fault:
                self._take(fault)
                invalid = fault.reason, fault.detail
            else:
                report.invalid.in_a_row = 0
                return action
            finally:
                self._is_asked = False
                report.seconds += time.perf_counter() - start
        report.invalid.add(*invalid)
        if report.invalid.in_a_row >= self.forfeit_after and not report.forfeited:
            self._forfeit(f"{report.invalid.in_a_row} decisions in a row without a valid answer")
        return FOLD if turn["to_call"] > 0 else CHECK_OR_CALL

    def on_hand_end(self, info: Any) -> None:
        """Count a hand."""
        self._report.hands += 1

    def on_episode_end(self, info: Any) -> None:
        """Count an episode."""
        self._report.episodes += 1

    @abstractmethod
    def _ask(self, turn: Turn) -> int:
        """Id in chips of the bot's action.

        Raises:
            BotFault: There is no valid answer.
        """

    def _take(self, fault: BotFault) -> None:
        """Count a fault, and log the first of its kind."""
        report = self._report
        report.add(fault)
        if report.strikes[fault.reason] == 1:
            _log.warning(
                "bot %s: %s (decision %d; its report counts later faults)",
                *(self.name, fault, report.decisions),
            )

    def _forfeit(self, why: str) -> None:
        """End the bot's part: it is no longer asked."""
        self._report.forfeited = True
        _log.warning("bot %s forfeits: %s; it checks and folds from now on", self.name, why)
