"""Tournaments of a whole field, played by many workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Protocol

import numpy as np

import agents
from evolve.workers import Workers
from evolve.workers.chunks import run_chunks
from nlhe_env import Game
from nlhe_env.machine.array_types import F64, I64

_BY_TOURNAMENT = ("places", "hands_won", "chips_won", "showdowns_lost", "chips_lost")
"""What results have a row of for every tournament; the rest are sums over all of them."""


class Play(Protocol):
    """Plays tournaments: ``agents.play_tournaments``, or another way to the same results."""

    def __call__(
        self,
        field: agents.Field,
        *,
        game: Game,
        seed: int,
        first: int,
        count: int,
    ) -> agents.TournamentResults:
        """The results of the tournaments ``first`` to ``first + count - 1`` of a seed."""


@dataclass(frozen=True, eq=False)
class Series:
    """What a series of tournaments says about its players, in sums that stay small.

    Places are multiples of one half (equal players share the mean of their places), so these sums
    are exact and do not depend on the order in which tournaments were added.

    Attributes:
        tournaments: Number of tournaments.
        totals: ``(n_players,)`` sum of places.
        squares: ``(n_players,)`` sum of squared places.
        hands: Hands played, all tables counted.
        decisions: Decisions taken, all players counted.
        style_counts: ``(n_players, N_STYLE_COUNTS)`` what ``agents.play.style`` makes measures of.
    """

    tournaments: int
    totals: F64
    squares: F64
    hands: int
    decisions: int
    style_counts: I64

    @classmethod
    def of(cls, results: agents.TournamentResults) -> Series:
        """The series of some tournaments."""
        return cls(
            tournaments=len(results.places),
            totals=results.places.sum(axis=0),
            squares=np.square(results.places).sum(axis=0),
            hands=int(results.hands),
            decisions=int(results.decisions),
            style_counts=results.style_counts,
        )

    def __add__(self, other: Series) -> Series:
        return Series(
            tournaments=self.tournaments + other.tournaments,
            totals=self.totals + other.totals,
            squares=self.squares + other.squares,
            hands=self.hands + other.hands,
            decisions=self.decisions + other.decisions,
            style_counts=self.style_counts + other.style_counts,
        )

    @property
    def places(self) -> F64:
        """``(n_players,)`` mean place."""
        return self.totals / self.tournaments

    @property
    def errors(self) -> F64:
        """``(n_players,)`` standard error of the mean place; nan after a single tournament."""
        if self.tournaments < 2:
            return np.full(len(self.totals), np.nan)
        spread = self.squares - self.totals * self.totals / self.tournaments
        variance = np.maximum(spread, 0.0) / (self.tournaments - 1)
        return np.sqrt(variance / self.tournaments)


@dataclass(frozen=True, eq=False)
class Tournaments:
    """The tournaments of a seed, as a task for workers.

    Attributes:
        field: The players.
        game: The form of the tournaments.
        seed: 64-bit seed of cards, seats and decisions.
        play: Plays some of them.
    """

    field: agents.Field
    game: Game
    seed: int
    play: Play = agents.play_tournaments

    def __call__(self, first: int, count: int) -> agents.TournamentResults:
        """The results of these tournaments."""
        return self.play(self.field, game=self.game, seed=self.seed, first=first, count=count)


@dataclass(frozen=True, eq=False)
class SeriesTask:
    """The same, of which only the sums come back."""

    tournaments: Tournaments

    def __call__(self, first: int, count: int) -> Series:
        """The sums of these tournaments."""
        return Series.of(self.tournaments(first, count))


def play_series(
    field: agents.Field,
    *,
    game: Game,
    seed: int,
    tournaments: int,
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
) -> Series:
    """Plays tournaments of the whole field and keeps the sums.

    Args:
        field: The players.
        game: The form of the tournaments.
        seed: 64-bit seed of cards, seats and decisions.
        tournaments: How many to play.
        workers: Who plays; their number changes nothing but the time.
        on_progress: Called with the number of tournaments that a chunk has finished.
    """
    task = SeriesTask(Tournaments(field, game, seed))
    parts = run_chunks(task, tournaments, workers=workers, on_progress=on_progress)
    return reduce(Series.__add__, parts)


@dataclass(frozen=True, eq=False)
class HalvesTask:
    """Tournaments of which only the sums of the first and of the second half come back.

    Attributes:
        tournaments: What is played.
        middle: Number of the first tournament of the second half.
    """

    tournaments: Tournaments
    middle: int

    def __call__(self, first: int, count: int) -> tuple[Series, Series]:
        """The sums of places in each half; the first has all other counts."""
        results = self.tournaments(first, count)
        cut = min(max(self.middle - first, 0), count)
        late = Series.of(part_of(results, slice(cut, None)))
        return (
            Series.of(part_of(results, slice(None, cut))),
            replace(late, hands=0, decisions=0, style_counts=np.zeros_like(late.style_counts)),
        )


def play_halves(
    field: agents.Field,
    *,
    game: Game,
    seed: int,
    tournaments: int,
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
    play: Play = agents.play_tournaments,
) -> tuple[Series, Series]:
    """Plays tournaments of the whole field and keeps the sums of both halves.

    That is much less to send than all results, see ``play_results`` for the arguments.

    Returns:
        The sums of the first half, without the middle one of an odd number, and of the second; the
        first has the hands, decisions and style counts of both.
    """
    task = HalvesTask(Tournaments(field, game, seed, play), tournaments // 2)
    parts = run_chunks(task, tournaments, workers=workers, on_progress=on_progress)
    firsts, seconds = zip(*parts, strict=True)
    return reduce(Series.__add__, firsts), reduce(Series.__add__, seconds)


def play_results(
    field: agents.Field,
    *,
    game: Game,
    seed: int,
    tournaments: int,
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
    play: Play = agents.play_tournaments,
) -> agents.TournamentResults:
    """Plays tournaments of the whole field and keeps the result of every one.

    Args:
        field: The players.
        game: The form of the tournaments.
        seed: 64-bit seed of cards, seats and decisions.
        tournaments: How many to play.
        workers: Who plays; their number changes nothing but the time.
        on_progress: Called with the number of tournaments that a chunk has finished.
        play: Plays a chunk.
    """
    task = Tournaments(field, game, seed, play)
    return join_results(run_chunks(task, tournaments, workers=workers, on_progress=on_progress))


def join_results(parts: list[agents.TournamentResults]) -> agents.TournamentResults:
    """The results of several chunks as one; rows of tournaments follow each other, sums add up."""
    columns: Any = zip(*parts, strict=True)
    return agents.TournamentResults._make(
        np.concatenate(column) if name in _BY_TOURNAMENT else sum(column)
        for name, column in zip(agents.TournamentResults._fields, columns, strict=True)
    )


def part_of(results: agents.TournamentResults, chosen: slice) -> agents.TournamentResults:
    """The rows of some of the tournaments; the sums stay those of all."""
    return results._replace(**{name: getattr(results, name)[chosen] for name in _BY_TOURNAMENT})
