"""The files of leagues, and what is refused."""

from __future__ import annotations

import json
import os
import sqlite3

import numpy as np
import pytest
from leagues import play, players, using

import agents
from agents.measure.leagues import league_store
from agents.measure.leagues.league import rounds_for
from agents.measure.leagues.league_matches import LeagueSettings, matches_of
from agents.measure.leagues.league_store import LeagueStore
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


def test_numbers_of_numpy_are_stored_as_integers(tmp_path):
    path = tmp_path / "league.sqlite"
    given = {"seed": np.int64(3), "num_hands": np.int32(10), "starting_stack": np.int64(5000)}
    with LeagueStore.open(path, using(**given)) as store:
        settings = store.settings
    with LeagueStore.open(path) as store:
        assert store.settings == settings


def test_a_league_that_was_not_begun_in_full_is_begun_again(tmp_path, monkeypatch):
    path = tmp_path / "league.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr(LeagueSettings, "as_dict", None)
        with pytest.raises(TypeError):
            LeagueStore.open(path)
    with LeagueStore.open(path) as store:
        play(store, 200)


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


def test_a_flipped_bit_in_the_settings_is_reported(tmp_path):
    path = tmp_path / "league.sqlite"
    LeagueStore.open(path).close()
    whole = path.read_bytes()
    assert whole.count(b"no-limit") == 1
    path.write_bytes(whole.replace(b"no-limit", b"no-\xecimit"))
    with pytest.raises(DamagedFileError, match=r"league\.sqlite is damaged or not a league"):
        LeagueStore.open(path)


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
        ({"seed": -1}, r"seed must be in 0 \.\. "),
        ({"seed": True}, "seed must be a whole number"),
        ({"starting_stack": 5000.0}, "starting_stack must be a whole number"),
    ],
)
def test_invalid_settings_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        LeagueSettings.of(**given)


@pytest.mark.parametrize(
    ("names", "games", "message"),
    [
        (["caller"], 100, "at least 2 players; got 1"),
        (["caller", "caller"], 100, r"different names; more than once: caller"),
        (["caller", "folder"], 0, "hands must be at least 1; got 0"),
    ],
)
def test_invalid_leagues_are_refused(names, games, message):
    with pytest.raises(ValueError, match=message):
        rounds_for(names, LeagueSettings.of(), games)


# --- hostile stores -----------------------------------------------------------------------------


def changed(path, statement, *values):
    connection = sqlite3.connect(path)
    connection.execute(statement, values)
    connection.commit()
    connection.close()


@pytest.fixture
def filled(tmp_path):
    path = tmp_path / "league.sqlite"
    with LeagueStore.open(path, using(variance_reduction="all-in")) as store:
        play(store, 400)
    return path


@pytest.mark.parametrize(
    "text", ["[" * 200_000, "[]", "5", "{}", "9" * 5000, '{"mode": 5}', b"\xff", 7, "NaN"], ids=repr
)
def test_hostile_settings_are_named(filled, text):
    changed(filled, "UPDATE settings SET json = ?", text)
    with pytest.raises(DamagedFileError, match=r"league\.sqlite is damaged: "):
        LeagueStore.open(filled)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("table_size", "2"),
        ("seed", "1"),
        ("starting_stack", 1.5),
        ("blinds", 5),
        ("boards", True),
    ],
)
def test_settings_of_other_types_are_named(filled, field, value):
    connection = sqlite3.connect(filled)
    settings = json.loads(connection.execute("SELECT json FROM settings").fetchone()[0])
    connection.close()
    changed(filled, "UPDATE settings SET json = ?", json.dumps(settings | {field: value}))
    with pytest.raises((DamagedFileError, ValueError), match=f"{field} "):
        LeagueStore.open(filled)


def test_missing_settings_are_named(filled):
    changed(filled, "DELETE FROM settings")
    with pytest.raises(DamagedFileError, match="it has 0 rows of settings"):
        LeagueStore.open(filled)


def test_statements_stored_in_the_file_are_not_run(filled):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    changed(filled, f"CREATE VIEW more AS {endless}")
    with pytest.raises(DamagedFileError, match="has views or triggers"):
        LeagueStore.open(filled)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *((column, text) for column in ("totals", "products", "ahead") for text in ("[]", "5")),
        *(("totals", text) for text in ("[1.5, 2]", '["1", "2"]', "[[1, 2]]", "[" * 200_000)),
        *(("plain", text) for text in (None, "[]", "[1, 2, 3]", "x")),
        *((column, text) for column in ("hands", "first_round") for text in (-1, "x", 1.5)),
    ],
)
def test_impossible_sums_with_a_right_checksum_are_named(filled, column, value):
    changed(filled, f"UPDATE stretches SET {column} = ?", value)
    connection = sqlite3.connect(filled)
    key = connection.execute("SELECT players FROM matches").fetchone()[0]
    row = connection.execute(f"SELECT {league_store._VALUES} FROM stretches").fetchone()
    connection.close()
    changed(filled, "UPDATE stretches SET checksum = ?", league_store._checksum(key, *row))
    with LeagueStore.open(filled) as store:
        match = matches_of(store.names(), store.settings)[0]
        with pytest.raises(DamagedFileError, match=r"league\.sqlite is damaged: "):
            store.tally(match)


@pytest.mark.parametrize("name", [None, b"caller"])
def test_a_name_that_is_not_a_text_is_reported(filled, name):
    changed(filled, "UPDATE players SET name = ? WHERE name = 'caller'", name)
    with LeagueStore.open(filled) as store, pytest.raises(DamagedFileError, match="not a text"):
        store.names()


def test_sums_that_are_no_text_are_reported(filled):
    with LeagueStore.open(filled) as store:
        match = matches_of(store.names(), store.settings)[0]
    changed(filled, "UPDATE stretches SET totals = CAST(totals AS BLOB)")
    with LeagueStore.open(filled) as store, pytest.raises(DamagedFileError, match="is damaged: "):
        store.stretches(match)


def test_an_interrupt_before_a_commit_leaves_no_open_transaction(tmp_path):
    class Interrupted:
        def __init__(self, connection):
            self.connection = connection

        def __getattr__(self, name):
            return getattr(self.connection, name)

        def execute(self, statement, *values):
            if statement == "COMMIT":
                raise KeyboardInterrupt
            return self.connection.execute(statement, *values)

    with LeagueStore.open(tmp_path / "league.sqlite", using()) as store:
        connection = store._connection
        store._connection = Interrupted(connection)
        with pytest.raises(KeyboardInterrupt):
            store.admit({"caller": "a"})
        store._connection = connection
        store.admit({"folder": "b"})
        assert store.names() == ["folder"]


def test_a_full_disk_is_called_one(tmp_path):
    path = tmp_path / "league.sqlite"
    with LeagueStore.open(path) as store:
        store._connection.execute("PRAGMA max_page_count = 1")  # SQLite's words for a full disk
        with pytest.raises(RuntimeError, match=r"league\.sqlite: the disk is full"):
            play(store, 4000)
    with LeagueStore.open(path) as store, LeagueStore.open(None) as other:
        for each in (store, other):
            play(each, 4000)  # goes on from whatever was stored
        for match in matches_of(store.names(), store.settings):
            assert store.tally(match).totals.tolist() == other.tally(match).totals.tolist()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_in_place_of_a_store_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="pipe is not a regular file"):
        LeagueStore.open(tmp_path / "pipe")
