"""Leagues that stop when they are sure: looked at as they go, by intervals that allow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

from agents.policy.compiled_player import Player
from evolve.evaluation.leagues.league import play_league, rounds_for
from evolve.evaluation.leagues.league_store import LeagueStore
from evolve.evaluation.leagues.league_table import LeagueTable
from evolve.evaluation.statistics.confidence_sequences import confidence_sequence
from evolve.evaluation.statistics.samples import CONFIDENCE
from evolve.workers import Workers

LOOKS = 24
"""Most times that a league is looked at; each time it has a fifth more games."""
_GROWTH = 1.2
_PLANNED = 4
"""Intervals are narrowest at a fourth of the games that are allowed."""

Interval = tuple[float, float]


def confidence_sequences(
    table: LeagueTable, *, games: int, confidence: float = CONFIDENCE
) -> dict[tuple[str, str], Interval]:
    """What every player scores against every other one, however often one has looked.

    Args:
        table: A league.
        games: The most it may have, fixed before it began.
        confidence: Chance that all intervals cover the true values at all times together.

    Returns:
        By pair of names the bounds of ``LeagueTable.pair`` less ``LeagueTable.middle``: 0 for
        equals.
    """
    names = table.names
    pairs = list(combinations(range(len(names)), 2))
    planned = max(1, max(rounds_for(names, table.settings, games).values()) // _PLANNED)
    each = 1.0 - (1.0 - confidence) / len(pairs)  # Bonferroni: all pairs together
    found = {}
    for first, second in pairs:
        test = table.pair(first, second)
        count = int(test.degrees) + 1 if test.degrees > 0 else 0
        found[names[first], names[second]] = confidence_sequence(
            test.difference - table.middle,
            test.error * count**0.5,
            count,
            planned=planned,
            confidence=each,
        )
    return found


def unresolved_pairs(intervals: Mapping[tuple[str, str], Interval]) -> list[tuple[str, str]]:
    """The pairs whose intervals do not say who is better."""
    return [pair for pair, (low, high) in intervals.items() if low <= 0.0 <= high]


def play_until_resolved(
    players: Mapping[str, Player],
    store: LeagueStore,
    *,
    games: int,
    workers: Workers,
    confidence: float = CONFIDENCE,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[tuple[str, str], Interval]:
    """``play_league`` that stops as soon as it is known who is better in every pair.

    The rounds that are played are those that a league of as many games has: only when it stops
    depends on the results.

    Args:
        players: As in ``play_league``, like the arguments below.
        store: The same.
        games: The most to play.
        workers: The same.
        confidence: Of all pairs together.
        on_progress: The same.

    Returns:
        ``confidence_sequences`` of what has been played.

    Raises:
        ValueError: See ``play_league``.
        RuntimeError: The same.
    """
    names = list(players)
    goals = sorted({max(1, int(games / _GROWTH**k)) for k in range(LOOKS)})
    intervals: dict[tuple[str, str], Interval] = {}
    for goal in goals:
        play_league(players, store, games=goal, workers=workers, on_progress=on_progress)
        intervals = confidence_sequences(
            LeagueTable.of(names, store), games=games, confidence=confidence
        )
        if not unresolved_pairs(intervals):
            break
    return intervals
