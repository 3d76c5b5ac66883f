"""Leagues that stop when all pairs are resolved."""

from __future__ import annotations

import agents
from agents.match.workers.base import thread_workers
from agents.measure.leagues.league import (
    confidence_sequences,
    play_until_resolved,
    unresolved_pairs,
)
from agents.measure.leagues.league_matches import LeagueSettings
from agents.measure.leagues.league_store import LeagueStore
from agents.measure.leagues.league_table import LeagueTable


def league(*names: str, games: int, **settings):
    players = {f"{name} {i}": agents.make(name) for i, name in enumerate(names)}
    chosen = LeagueSettings.of(num_hands=1, **settings)
    with LeagueStore.open(None, lambda stored: chosen) as store, thread_workers(1) as workers:
        intervals = play_until_resolved(players, store, games=games, workers=workers)
        table = LeagueTable.of(list(players), store)
    return intervals, table


def test_an_always_folding_player_is_resolved_early():
    intervals, table = league("folder", "caller", games=100_000)
    ((low, high),) = intervals.values()
    # Names are sorted: the caller comes first, and wins half a big blind a hand and a half.
    assert low > 0
    assert not unresolved_pairs(intervals)
    assert table.games < 10_000
    assert low < table.pair(0, 1).difference < high


def test_equal_players_play_all_games():
    intervals, table = league("caller", "caller", games=2000)
    assert unresolved_pairs(intervals) == [("caller 0", "caller 1")]
    assert table.games >= 2000


def test_more_pairs_need_wider_intervals():
    two, _ = league("random", "caller", games=2000)
    _, table = league("random", "caller", "raiser", games=6000)
    three = confidence_sequences(table, games=6000)
    pair = next(iter(two))
    assert three.keys() >= {("caller 1", "random 0")}
    assert len(three) == 3
    assert three[pair][1] - three[pair][0] > two[pair][1] - two[pair][0]


def test_places_of_equal_players_are_in_the_middle():
    """Heads-up a player of a tournament is first or second: equals are at 1.5."""
    settings = {"mode": "tournament", "format": "heads-up"}
    chosen = LeagueSettings.of(**settings)
    players = {name: agents.make("random") for name in ("one", "two")}
    with LeagueStore.open(None, lambda stored: chosen) as store, thread_workers(1) as workers:
        intervals = play_until_resolved(players, store, games=600, workers=workers)
        table = LeagueTable.of(list(players), store)
    assert table.middle == 1.5
    ((low, high),) = intervals.values()
    assert low < 0 < high
    assert low + 1.5 < table.pair(0, 1).difference < high + 1.5
