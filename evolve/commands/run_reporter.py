"""Output of a running run."""

from __future__ import annotations

import math
import time
from collections import deque
from typing import Any

from agents.statistics.estimates import Z95
from evolve.commands.report import Reporter
from evolve.files.safe import duration
from evolve.training.block_schedule import score_unit
from evolve.training.candidate_test import Trial
from evolve.training.champion_selection import Choice
from evolve.training.config import Config
from evolve.training.fitness import OpponentsFitness
from evolve.training.run import RunCallback
from evolve.training.state import State

_RECENT = 20
"""Number of generations for measuring the speed."""
_EVERY = 10
"""Generations between lines."""
_STYLE = (("VPIP", "voluntarily_in_pot"), ("PFR", "preflop_raise"), ("showdown", "showdown"))


class RunReporter(RunCallback):
    """Prints a line for every test, and for some generations.

    Runs with tests report progress by these; only the second generation has a line, because it is
    the first with an estimate of the time left. Runs without tests also have a line for every tenth
    generation.

    Args:
        reporter: Reporter for the lines.
        every_s: Minimum seconds between lines of generations, of which all have one then; default:
            those of the schedule.
    """

    def __init__(self, reporter: Reporter, *, every_s: float | None = None) -> None:
        self._reporter = reporter
        self._given_s = every_s
        self._every_s = 0.0
        self._printed = -float("inf")
        self._chosen = ""
        self._config = Config()
        self._recent: deque[tuple[float, int]] = deque(maxlen=_RECENT)
        self._ends: deque[float] = deque(maxlen=_RECENT + 1)
        self._generations = 0  # of this process
        self._left_s: float | None = None

    def on_start(self, config: Config, state: State) -> None:
        """Called when the run starts or resumes."""
        self._config = config
        self._every_s = config.schedule.every_s if self._given_s is None else self._given_s
        self._recent.clear()
        self._ends.clear()
        self._ends.append(time.monotonic())
        if state.generation and config.goes_on(state.generation, state.hands):
            self._reporter.say(f"Resuming after generation {state.generation}.")

    def on_games(self, count: int) -> None:
        """Games of the present generation are finished."""
        self._reporter.advance(count)

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """Prints a line for a finished generation, if the last line is old enough."""
        self._reporter.start_again()
        self._generations += 1
        if self._generations == 2:  # the first one includes compilation and loading
            self._recent.clear()
            self._ends.popleft()
        self._recent.append((timings["seconds"], metrics["generation_hands"]))
        now = time.monotonic()
        self._ends.append(now)
        if self._generations > 1:
            self._left_s = self._left(metrics)
        if now - self._printed < self._every_s or not self._tells_of(metrics):
            return
        self._printed = now
        config, seconds = self._config, math.fsum(second for second, _ in self._recent)
        speed = sum(hands for _, hands in self._recent) / max(seconds, 1e-9)
        number = str(metrics["generation"])
        if config.generations:
            number = f"{number:>{len(str(config.generations))}}/{config.generations}"
        done = f"  {metrics['hands']:,} hands" if config.hands else ""
        said = config.schedule.describe(metrics, config.make_game())
        self._reporter.say(
            f"generation {number}{done}  {said}  {speed:,.0f} hands/s{self._time_left()}"
        )

    def _time_left(self) -> str:
        return f"  {duration(self._left_s)} left" if self._left_s else ""

    def _tells_of(self, metrics: dict[str, Any]) -> bool:
        """Whether a generation has a line."""
        number, config = metrics["generation"], self._config
        if self._given_s is not None:
            return True
        last = not config.goes_on(number, metrics["hands"])
        if config.test.test_blocks and config.test.test_every:
            return self._generations == 2 and not last
        return self._generations == 2 or number % _EVERY == 0 or last

    def on_choice(self, choice: Choice) -> None:
        """Prints the selected lineage, unless tests do."""
        self._chosen = f"  lineage {choice.lineage + 1} of {len(choice.scores)}"
        if self._config.test.test_blocks:
            return
        game = self._config.make_game()
        by_fitness = isinstance(self._config.fitness, OpponentsFitness)
        digits = 1 if game.is_cash and not by_fitness else 2
        scores = " ".join(f"{score:.{digits}f}" for score in choice.scores)
        where = "at tables with all lineages"
        if self._config.choice.selection_players:
            where = "from the selection players, bounded"
        unit = "fitness" if by_fitness else f"{score_unit(game)} {where}"
        self._reporter.say(
            f"lineage {choice.lineage + 1} of {len(choice.scores)} is ahead: {scores} {unit}"
        )

    def on_trial(self, trial: Trial) -> None:
        """Prints score and style of the tested player."""
        game = self._config.make_game()
        digits, sign = (1, "+") if game.is_cash else (3, "")
        shown = "  ".join(
            f"{label} {100 * value:.0f}%"
            for label, name in _STYLE
            if (value := trial.style[name]) is not None
        )
        self._reporter.say(
            f"test after generation {trial.generation}, {trial.hands:,} hands:"
            f" {trial.score:{sign}z.{digits}f} ± {Z95 * trial.error:.{digits}f} {score_unit(game)}"
            f"  {shown}{self._chosen}{self._time_left()}"
        )

    def _left(self, metrics: dict[str, Any]) -> float:
        """Seconds left at the speed of the last generations, tests included."""
        each = (self._ends[-1] - self._ends[0]) / len(self._recent)
        generations: list[float] = []
        if self._config.hands:
            hands = sum(hands for _, hands in self._recent) / len(self._recent)
            generations.append((self._config.hands - metrics["hands"]) / max(hands, 1))
        if self._config.generations:
            generations.append(self._config.generations - metrics["generation"])
        return max(0.0, min(generations)) * each
