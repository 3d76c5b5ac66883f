"""Leagues with sequential stopping, by anytime-valid confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

from agents.match.workers.base import Workers
from agents.policy.compiled_player import Player
from agents.statistics.estimates import CONFIDENCE, Estimate, Interval
from agents.statistics.stop_rules import StopRule, excludes_0
from evolve.evaluation.leagues.league import play_league, rounds_for
from evolve.evaluation.leagues.league_store import LeagueStore
from evolve.evaluation.leagues.league_table import LeagueTable

LOOKS = 24
"""Maximum number of looks at a league; each has a fifth more games than the last."""
_GROWTH = 1.2
_PLANNED = 4
"""Fraction of the maximum games at which intervals are narrowest."""


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
    tests = [table.pair(first, second) for first, second in pairs]
    estimates = [
        Estimate(
            test.difference - table.middle,
            test.error,
            int(test.degrees) + 1 if test.degrees > 0 else 0,
        )
        for test in tests
    ]
    rule = StopRule(most=games, planned=planned, confidence=confidence)
    found = zip(pairs, rule.sequences(estimates), strict=True)
    return {(names[first], names[second]): bounds for (first, second), bounds in found}


def unresolved_pairs(intervals: Mapping[tuple[str, str], Interval]) -> list[tuple[str, str]]:
    """Pairs with intervals that contain 0."""
    return [pair for pair, interval in intervals.items() if not excludes_0(interval)]


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
