"""Leagues of built-in players, for the tests of leagues."""

from collections.abc import Callable

import pytest

import agents
from agents.match.workers.base import thread_workers
from agents.measure.leagues.league import play_league
from agents.measure.leagues.league_matches import LeagueSettings, Match, play_rounds
from agents.measure.leagues.league_store import LeagueStore
from agents.measure.leagues.league_table import LeagueTable

NAMES = ("caller", "folder", "old-best", "raiser", "random")


def using(**given) -> Callable[[LeagueSettings | None], LeagueSettings]:
    return lambda stored: LeagueSettings.of(stored, **given)


def players(*names: str) -> dict[str, agents.CompiledPlayer]:
    return {name: agents.make(name) for name in names or NAMES}


def rounds_of(match: Match, first: int, count: int, **arguments) -> agents.Tally:
    """Rounds of a match of built-in players."""
    who, game = [agents.make(name) for name in match.names], match.settings.make_game()
    rounds = agents.Blocks(count, first)
    return play_rounds(match, who, rounds, game, seed=match.seed, **arguments)


def contents(store: LeagueStore, names=NAMES) -> list[object]:
    """Everything that is known of the matches of these players."""
    return [
        (
            match.names,
            (tally.count, tally.hands, tally.decisions),
            [array.tolist() for array in (tally.totals, tally.products, tally.ahead)],
        )
        for match, tally in LeagueTable.of(names, store).results.items()
    ]


def play(store, games, *, threads=2, who=None, **arguments) -> int:
    with thread_workers(threads) as workers:
        return play_league(who or players(), store, games=games, workers=workers, **arguments)


SETTINGS = [
    pytest.param({}, 2000, id="cash heads-up"),
    pytest.param({"format": "table"}, 2000, id="cash at one table"),
    pytest.param({"format": "table", "table_size": 3}, 2000, id="cash at drawn tables"),
    pytest.param({"mode": "tournament"}, 30, id="tournaments at one table"),
    pytest.param({"mode": "tournament", "table_size": 4}, 120, id="tournaments at drawn tables"),
    pytest.param({"mode": "tournament", "format": "heads-up"}, 60, id="tournaments heads-up"),
]
