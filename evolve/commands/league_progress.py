"""Progress of a league, the time left, and the program being waited for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TextColumn

from agents.external.process.bot_player import BotPlayer
from agents.policy.compiled_player import Player
from evolve.commands.report import Reporter

Advance = Callable[[int, int], None]
"""Called with the games and the hands played since the last call."""

FIRST_LINE_S = 10.0
"""Seconds until the first line without a terminal; each later pause is twice as long."""
_LONGEST_PAUSE_S = 600.0
_REDRAW_S = 0.5


class LeagueProgress:
    """Number of games played in a league, including unfinished games of programs.

    Args:
        unit: ``"hands"`` or ``"tournaments"``.
        total: Total number of units.
        players: Players by name; programs among them are watched while they play.
    """

    def __init__(self, unit: str, total: int, players: Mapping[str, Player]) -> None:
        self._unit, self._total = unit, total
        self._bots = {
            name: player for name, player in players.items() if isinstance(player, BotPlayer)
        }
        self._start_s = time.perf_counter()
        self._finished = self._hands = 0
        self._before = self._games_of_bots()

    def advance(self, games: int, hands: int) -> None:
        """Adds finished games."""
        self._finished += games
        self._hands += hands
        self._before = self._games_of_bots()

    @property
    def done(self) -> int:
        """Games played."""
        games = self._games_of_bots()
        under_way = max((games[name] - self._before[name] for name in games), default=0)
        return min(self._finished + under_way, self._total)

    def __str__(self) -> str:
        elapsed_s, done = time.perf_counter() - self._start_s, self.done
        parts = [f"{done:,} of {self._total:,} {self._unit}"]
        if self._hands:
            parts.append(f"{self._hands / max(elapsed_s, 1e-9):,.0f} hands/s")
        if done:
            parts.append(f"about {in_words(elapsed_s * (self._total - done) / done)} left")
        parts += [
            f"waiting for {name} ({1000 * report.seconds / report.decisions:,.0f} ms a decision)"
            for name, bot in self._bots.items()
            if bot.is_asked and (report := bot.report).decisions
        ]
        return ", ".join(parts)

    def _games_of_bots(self) -> dict[str, int]:
        by_hands = self._unit == "hands"
        reports = {name: bot.report for name, bot in self._bots.items()}
        return {
            name: report.hands if by_hands else report.episodes for name, report in reports.items()
        }


def in_words(seconds: float) -> str:
    """An approximate waiting time as text.

    >>> in_words(3.2), in_words(200), in_words(20_000)
    ('3 s', '3 min', '5.6 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


@contextmanager
def shown_progress(
    reporter: Reporter, unit: str, total: int, players: Mapping[str, Player]
) -> Iterator[Advance]:
    """Shows progress within the block: a bar on a terminal, occasional lines elsewhere."""
    progress = LeagueProgress(unit, total, players)
    show = _in_a_bar if reporter.console.is_terminal else _in_lines
    ended = threading.Event()
    thread = threading.Thread(target=show, args=(reporter, progress, total, ended), daemon=True)
    thread.start()
    try:
        yield progress.advance
    finally:
        ended.set()
        thread.join()


def _in_a_bar(
    reporter: Reporter, progress: LeagueProgress, total: int, ended: threading.Event
) -> None:
    columns = (BarColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=reporter.console, transient=True) as bar:
        task = bar.add_task(str(progress), total=total)
        while not ended.wait(_REDRAW_S):
            bar.update(task, completed=progress.done, description=str(progress))


def _in_lines(
    reporter: Reporter, progress: LeagueProgress, total: int, ended: threading.Event
) -> None:
    pause_s = FIRST_LINE_S
    while not ended.wait(pause_s):
        reporter.say(str(progress))
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
