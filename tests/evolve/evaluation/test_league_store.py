"""The files of leagues, and what is refused."""

from __future__ import annotations

import sqlite3

import pytest
from leagues import play, players, using

import agents
from evolve.evaluation.leagues.league import rounds_for
from evolve.evaluation.leagues.league_matches import LeagueSettings, matches_of
from evolve.evaluation.leagues.league_store import LeagueStore
from evolve.files.safe import DamagedFileError

# --- files ------------------------------------------------------------------------------------


def test_a_store_refuses_different_settings_and_players(tmp_path):
    path = tmp_path / "league.sqlite"
    with LeagueStore.open(path, using(starting_stack=5000)) as store:
        play(store, 200, who=players("caller", "raiser"))
        with pytest.raises(ValueError, match="a different player named 'raiser'"):
            play(store, 200, who={**players("caller"), "raiser": agents.make("folder")})
    with pytest.raises(ValueError, match="played with starting_stack = 5000, not 10000"):
        LeagueStore.open(path, using(starting_stack=10_000))
    with LeagueStore.open(path) as store:
        assert store.settings.starting_stack == 5000


def test_a_store_in_use_is_reported(tmp_path):
    path = tmp_path / "league.sqlite"
    with LeagueStore.open(path), pytest.raises(RuntimeError, match="is in use by another league"):
        LeagueStore.open(path)


def test_damaged_and_foreign_files_are_named(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("no database at all, but long enough to look at" * 50)
    with pytest.raises(DamagedFileError, match=r"notes\.txt is damaged or not a league"):
        LeagueStore.open(text)
    foreign = tmp_path / "foreign.sqlite"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE songs (name TEXT)")
    connection.close()
    with pytest.raises(ValueError, match="another program"):
        LeagueStore.open(foreign)
    path = tmp_path / "league.sqlite"
    with LeagueStore.open(path) as store:
        play(store, 4000)
    whole = path.read_bytes()
    path.write_bytes(whole[:5000] + b"\xff" * (len(whole) - 5000))
    with pytest.raises(DamagedFileError, match=r"league\.sqlite is damaged"):
        LeagueStore.open(path)
    path.write_bytes(whole)


NUMBERS = ("first_round", "rounds", "hands", "decisions", "totals", "products", "ahead")


@pytest.mark.parametrize("column", NUMBERS)
def test_a_damaged_number_is_reported(tmp_path, column):
    path = tmp_path / "league.sqlite"
    with LeagueStore.open(path) as store:
        play(store, 4000)
        match = matches_of(store.names(), store.settings)[0]
    connection = sqlite3.connect(path)
    digit = f"replace({column}, substr({column}, -2, 1), '7')" if column in NUMBERS[4:] else "7"
    connection.execute(f"UPDATE stretches SET {column} = {digit}")
    connection.commit()
    connection.close()
    words = r"league\.sqlite is damaged: rounds from .* do not match their checksum"
    with LeagueStore.open(path) as store, pytest.raises(DamagedFileError, match=words):
        store.tally(match)


def test_text_in_place_of_a_field_is_reported(tmp_path):
    path = tmp_path / "league.sqlite"
    with LeagueStore.open(path) as store:
        play(store, 4000)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE matches SET players = 'x' || players")
    connection.commit()
    connection.close()
    with LeagueStore.open(path) as store, pytest.raises(DamagedFileError, match="is damaged"):
        store.last_field()


@pytest.mark.parametrize("version", [0, 2, 99])
def test_a_league_of_another_format_is_refused(tmp_path, version):
    path = tmp_path / "league.sqlite"
    LeagueStore.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    message = rf"league\.sqlite contains a league of format {version}; this version reads format 3$"
    with pytest.raises(ValueError, match=message):
        LeagueStore.open(path)


def test_a_missing_folder_is_reported(tmp_path):
    with pytest.raises(RuntimeError, match="cannot be opened"):
        LeagueStore.open(tmp_path / "nowhere" / "league.sqlite")


# --- arguments --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mode": "chess"}, "mode must be one of"),
        ({"format": "seating_order"}, "format must be one of"),
        ({"table_size": 4}, "heads-up tables have 2 seats; got table_size = 4"),
        ({"format": "table", "table_size": 11}, r"table_size must be in 2 \.\. 10; got 11"),
        ({"starting_stack": 100}, "starting_stack must be more than big blind and ante"),
        ({"mode": "tournament", "blinds": "1/2"}, "tournaments follow the published blind"),
        ({"num_hands": 0}, "num_hands must be at least 1"),
        ({"seed": -1}, "seed must not be negative"),
    ],
)
def test_invalid_settings_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        LeagueSettings.of(**given)


@pytest.mark.parametrize(
    ("names", "games", "message"),
    [
        (["caller"], 100, "at least 2 players; got 1"),
        (["caller", "caller"], 100, r"different names; more than once: \['caller'\]"),
        (["caller", "folder"], 0, "hands must be at least 1; got 0"),
    ],
)
def test_invalid_leagues_are_refused(names, games, message):
    with pytest.raises(ValueError, match=message):
        rounds_for(names, LeagueSettings.of(), games)
