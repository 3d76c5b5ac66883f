"""What ``optimize`` says while it works."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from evolve.commands.report import Reporter, duration
from evolve.training.search.config import SearchConfig
from evolve.training.search.state import SearchState
from evolve.training.search.trial import Trial


class SearchReporter:
    """Prints a line for every test, and a line of generations in between.

    Args:
        reporter: Prints.
        every_s: Seconds between the lines of generations, of which there may be many a second.
    """

    def __init__(self, reporter: Reporter, *, every_s: float = 5.0) -> None:
        self._reporter = reporter
        self._every_s = every_s
        self._printed = -every_s
        self._config = SearchConfig()
        self._recent: deque[tuple[float, int]] = deque(maxlen=20)

    def on_start(self, config: SearchConfig, state: SearchState) -> None:
        """The search starts or goes on."""
        self._config = config
        self._recent.clear()
        if state.generation:
            self._reporter.say(
                f"Going on after generation {state.generation}, {state.hands:,} hands."
            )

    def on_games(self, count: int) -> None:
        """Games of the present generation are finished."""
        self._reporter.advance(count)

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """A generation is finished: prints a line, if the last one is long enough ago."""
        self._recent.append((timings["seconds"], metrics["generation_hands"]))
        now = time.monotonic()
        if now - self._printed < self._every_s:
            return
        self._printed = now
        digits = 1 if self._config.is_cash else 3
        seconds = sum(second for second, _ in self._recent)
        speed = sum(hands for _, hands in self._recent) / max(seconds, 1e-9)
        self._reporter.say(
            f"generation {metrics['generation']}  {metrics['hands']:,} hands"
            f"  candidates {metrics['mean_score']:.{digits}f}"
            f" (spread {metrics['score_deviation']:.{digits}f},"
            f" error {metrics['score_error']:.{digits}f}) {self._config.unit}"
            f"  {speed:,.0f} hands/s{self._left(metrics, speed, seconds)}"
        )

    def on_trial(self, trial: Trial) -> None:
        """The deployable player has been tested: prints its score and style."""
        digits = 1 if self._config.is_cash else 3
        sign = "+" if self._config.is_cash else ""
        style = trial.style
        shown = "  ".join(
            f"{label} {100 * value:.0f}%"
            for label, name in (
                ("VPIP", "voluntarily_in_pot"),
                ("PFR", "preflop_raise"),
                ("showdown", "showdown"),
            )
            if (value := style[name]) is not None
        )
        self._reporter.say(
            f"test after generation {trial.generation}, {trial.hands:,} hands:"
            f" {trial.score:{sign}.{digits}f} ± {trial.error:.{digits}f} {self._config.unit}"
            f"  {shown}"
        )

    def _left(self, metrics: dict[str, Any], speed: float, seconds: float) -> str:
        left: list[float] = []
        if self._config.hands:
            left.append((self._config.hands - metrics["hands"]) / max(speed, 1e-9))
        if self._config.generations:
            each = seconds / len(self._recent)
            left.append((self._config.generations - metrics["generation"]) * each)
        return f"  {duration(max(0.0, min(left)))} left"
