"""Leagues with sequential stopping, by anytime-valid confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

from agents.match.workers.base import Workers
from agents.policy.compiled_player import Player
from agents.statistics.confidence_sequences import CONFIDENCE, confidence_sequence
from evolve.evaluation.leagues.league import play_league, rounds_for
from evolve.evaluation.leagues.league_store import LeagueStore
from evolve.evaluation.leagues.league_table import LeagueTable

LOOKS = 24
"""Maximum number of looks at a league; each has a fifth more games than the last."""
_GROWTH = 1.2
_PLANNED = 4
"""Fraction of the maximum games at which intervals are narrowest."""

Interval = tuple[float, float]


def confidence_sequences(
    table: LeagueTable, *, games: int, confidence: float = CONFIDENCE
) -> dict[tuple[str, str], Interval]:
    """Confidence sequences for the scores of all pairs, valid at any number of looks.

    Args:
        table: Results of a league.
        games: Maximum games of the league, fixed in advance.
        confidence: Probability that all intervals cover the true values at all times.

    Returns:
        Bounds of ``LeagueTable.pair`` minus ``LeagueTable.middle`` by pair of names; 0 means equal
        strength.
    """
    names = table.names
    pairs = list(combinations(range(len(names)), 2))
    planned = max(1, max(rounds_for(names, table.settings, games).values()) // _PLANNED)
    each = 1.0 - (1.0 - confidence) / len(pairs)  # Bonferroni correction
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
    """Pairs with intervals that contain 0."""
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
    """Play a league like ``play_league``, but stop as soon as every pair is resolved.

    The rounds are those of a full league; the results only decide the stopping time.

    Args:
        players: See ``play_league``.
        store: See ``play_league``.
        games: Maximum games of the league.
        workers: See ``play_league``.
        confidence: Joint confidence of the intervals of all pairs.
        on_progress: See ``play_league``.

    Returns:
        ``confidence_sequences`` of the games played.

    Raises:
        ValueError: As ``play_league``.
        RuntimeError: As ``play_league``.
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
