"""Results of a league in an SQLite file: exact sums over the played rounds of each match.

A file holds one league: its settings, its players with fingerprints, and the sums over consecutive
rounds (stretches) of every match. A finished stretch is written in one transaction, so that a crash
or Ctrl-C costs at most the rounds in progress. Adjacent stretches are merged. Every stretch has a
checksum: SQLite detects damaged pages, but not damaged numbers. With variance reduction, the sums
of the plain results stand beside the reduced ones.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from agents.match.tally import Tally
from agents.measure.leagues.league_matches import LeagueSettings, Match
from nlhe_env.arguments import whole_number
from nlhe_env.errors import DamagedFileError
from nlhe_env.system.json_text import parse_fields, parse_json

VERSION = 3
_APPLICATION = 0x4E4C4845  # "NLHE": marks the files of this program
_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE settings (json TEXT NOT NULL);
CREATE TABLE players (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL);
CREATE TABLE matches (id INTEGER PRIMARY KEY, players TEXT NOT NULL UNIQUE);
CREATE TABLE stretches (
    match_id INTEGER NOT NULL REFERENCES matches,
    first_round INTEGER NOT NULL,
    rounds INTEGER NOT NULL CHECK (rounds > 0),
    hands INTEGER NOT NULL,
    decisions INTEGER NOT NULL,
    totals TEXT NOT NULL,
    products TEXT NOT NULL,
    ahead TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    plain TEXT,
    PRIMARY KEY (match_id, first_round)
) WITHOUT ROWID;
"""
_VALUES = "first_round, rounds, hands, decisions, totals, products, ahead, plain"


@dataclass(frozen=True, eq=False)
class GameBatch:
    """Consecutive finished rounds of a match.

    Attributes:
        match: The match.
        first: Number of the first round.
        tally: The results of the rounds.
    """

    match: Match
    first: int
    tally: Tally

    @property
    def end(self) -> int:
        """Number of the round after the last."""
        return self.first + self.tally.count


class LeagueStore:
    """The open file of a league; leaving the ``with`` block closes it.

    Only one process at a time can open the file.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self._connection = connection
        self._path = path
        self.settings = LeagueSettings.of()

    @classmethod
    def open(
        cls,
        path: Path | None,
        settings: Callable[[LeagueSettings | None], LeagueSettings] = LeagueSettings.of,
    ) -> LeagueStore:
        """Opens or creates the store in a file; without a path, in memory.

        Args:
            path: Path of the file, or None.
            settings: Called with the stored settings, or None for a new store; returns the settings
                to use.

        Raises:
            DamagedFileError: The file is damaged or not an SQLite file.
            RuntimeError: The file is in use or cannot be opened.
            ValueError: It belongs to another program, has another format, or the settings differ.
        """
        if path is None:
            new = settings(None)
            store = cls(sqlite3.connect(":memory:", isolation_level=None), None)
            store.settings = new
            store._create()
            return store
        # Impossible settings must not leave a file behind.
        to_create = None if path.exists() else settings(None)
        if path.exists() and not path.is_file():
            raise ValueError(f"{path} is not a regular file")
        try:
            store = cls(sqlite3.connect(path, timeout=1.0, isolation_level=None), path)
        except sqlite3.OperationalError as error:
            raise RuntimeError(f"{path} cannot be opened: {error}") from error
        try:
            with store._plain_errors():
                store._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
                store._connection.execute("PRAGMA foreign_keys = ON")
                store._connection.execute("PRAGMA trusted_schema = OFF")
                with store._transaction():
                    empty = store._number("SELECT count(*) FROM sqlite_master") == 0
            if empty:
                store.settings = to_create or settings(None)
                store._create()
            else:
                store.settings = settings(store._stored_settings())
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> LeagueStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def admit(self, fingerprints: Mapping[str, str]) -> None:
        """Stores the names of participating players.

        Args:
            fingerprints: Fingerprints of the players by name.

        Raises:
            ValueError: Earlier results have another player of this name.
        """
        with self._plain_errors(), self._transaction() as execute:
            known: dict[str, str] = dict(execute("SELECT name, fingerprint FROM players"))
            for name, fingerprint in fingerprints.items():
                if known.get(name, fingerprint) != fingerprint:
                    raise ValueError(
                        f"{self._path} has results of a different player named {name!r}: give this "
                        "one another name (NAME=PLAYER), or use another store"
                    )
                execute("INSERT OR IGNORE INTO players VALUES (?, ?)", (name, fingerprint))

    def names(self) -> list[str]:
        """Names of the admitted players, sorted.

        Raises:
            DamagedFileError: A name is not a text.
        """
        with self._plain_errors():
            names = [name for (name,) in self._connection.execute("SELECT name FROM players")]
            if not all(isinstance(name, str) for name in names):
                raise DamagedFileError(f"{self._path} is damaged: a player's name is not a text")
            return names

    def last_field(self) -> list[str]:
        """Names of the players in the last match begun; empty before the first."""
        with self._plain_errors():
            rows = self._connection.execute(
                "SELECT players FROM matches ORDER BY id DESC LIMIT 1"
            ).fetchall()
        with self._sound_values():
            return [str(name) for (names,) in rows for name in parse_json(names)]

    def add(self, stretches: Iterable[GameBatch]) -> None:
        """Stores finished rounds in one transaction."""
        with self._plain_errors(), self._transaction() as execute:
            for stretch in stretches:
                execute(
                    "INSERT OR IGNORE INTO matches (players) VALUES (?)", (_key(stretch.match),)
                )
                self._insert(execute, stretch)

    def stretches(self, match: Match) -> list[GameBatch]:
        """Finished stretches of a match, in order.

        Raises:
            DamagedFileError: The numbers do not match their checksum.
        """
        with self._plain_errors():
            rows = self._connection.execute(
                f"SELECT checksum, {_VALUES} FROM stretches JOIN matches ON match_id = id "
                "WHERE players = ? ORDER BY first_round",
                (_key(match),),
            ).fetchall()
        with self._sound_values():
            for checksum, *values in rows:
                if checksum != _checksum(_key(match), *values):
                    raise DamagedFileError(
                        f"{self._path} is damaged: rounds from {values[0]} on of the match of "
                        f"{', '.join(match.names)} do not match their checksum"
                    )
                whole_number("first_round", values[0], least=0)
            return [GameBatch(match, first, _tally(match, *values)) for _, first, *values in rows]

    def tally(self, match: Match) -> Tally:
        """Tally of all finished rounds of a match, without style counts, which are not stored."""
        return sum((stretch.tally for stretch in self.stretches(match)), match.nothing())

    def missing(self, match: Match, rounds: int) -> list[range]:
        """Ranges of unfinished rounds, among the first rounds of a match."""
        gaps, begin = [], 0
        for stretch in self.stretches(match):
            gaps.append(range(begin, min(stretch.first, rounds)))
            begin = max(begin, stretch.end)
        gaps.append(range(begin, rounds))
        return [gap for gap in gaps if gap]

    def merge(self, matches: Iterable[Match]) -> None:
        """Merges adjacent stretches."""
        with self._plain_errors(), self._transaction() as execute:
            for match in matches:
                stretches = self.stretches(match)
                merged: list[GameBatch] = []
                for stretch in stretches:
                    if merged and merged[-1].end == stretch.first:
                        last = merged.pop()
                        stretch = GameBatch(match, last.first, last.tally + stretch.tally)
                    merged.append(stretch)
                if len(merged) < len(stretches):
                    execute(
                        "DELETE FROM stretches WHERE match_id = "
                        "(SELECT id FROM matches WHERE players = ?)",
                        (_key(match),),
                    )
                    for stretch in merged:
                        self._insert(execute, stretch)

    @staticmethod
    def _insert(execute: Callable[..., sqlite3.Cursor], stretch: GameBatch) -> None:
        tally = stretch.tally
        arrays = [json.dumps(array) for array in _sums(tally)]
        plain = None if tally.plain is None else json.dumps(_sums(tally.plain))
        values = (stretch.first, tally.count, tally.hands, tally.decisions, *arrays, plain)
        key = _key(stretch.match)
        execute(
            f"INSERT INTO stretches (match_id, {_VALUES}, checksum) "
            "SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM matches WHERE players = ?",
            (*values, _checksum(key, *values), key),
        )

    def _create(self) -> None:
        with self._plain_errors():
            text = json.dumps(self.settings.as_dict())
            self._connection.executescript(f"BEGIN; {_SCHEMA}")
            self._connection.execute("INSERT INTO settings VALUES (?)", (text,))
            self._connection.execute("COMMIT")

    def _stored_settings(self) -> LeagueSettings:
        with self._plain_errors():
            application = self._number("PRAGMA application_id")
            version = self._number("PRAGMA user_version")
            if application != _APPLICATION:
                raise ValueError(f"{self._path} is the database of another program, not a league")
            if version != VERSION:
                raise ValueError(
                    f"{self._path} contains a league of format {version}; this version reads "
                    f"format {VERSION}"
                )
            code = self._number(
                "SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')"
            )
            if code:  # they would run as part of our statements
                raise DamagedFileError(f"{self._path} has views or triggers, which no league has")
            ((found,),) = self._connection.execute("PRAGMA quick_check(1)")
            if found != "ok":
                raise DamagedFileError(f"{self._path} is damaged: {found}")
            rows = self._connection.execute("SELECT json FROM settings").fetchall()
        with self._sound_values():
            if len(rows) != 1:
                raise ValueError(f"it has {len(rows)} rows of settings")
            return LeagueSettings.from_dict(parse_fields(rows[0][0], {}))

    def _number(self, query: str) -> int:
        ((number,),) = self._connection.execute(query)
        return int(number)

    @contextmanager
    def _transaction(self) -> Iterator[Callable[..., sqlite3.Cursor]]:
        """Transaction, in which all statements take effect or none."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection.execute
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # SQLite itself rolls back on a full disk
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        """Turns errors of SQLite into messages that name the file."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            # Python's own error, of a text that is not UTF-8, has no code.
            code = getattr(error, "sqlite_errorcode", None)
            if code is None or not isinstance(error, sqlite3.OperationalError):
                raise DamagedFileError(
                    f"{self._path} is damaged or not a league: {error}"
                ) from error
            if code == sqlite3.SQLITE_BUSY:
                raise RuntimeError(f"{self._path} is in use by another league") from error
            if code == sqlite3.SQLITE_FULL:
                raise RuntimeError(
                    f"{self._path}: the disk is full; the games stored before are safe. Free disk "
                    "space, then give the same command again"
                ) from error
            raise RuntimeError(f"{self._path} cannot be used: {error}") from error

    @contextmanager
    def _sound_values(self) -> Iterator[None]:
        """Turns errors in stored values into messages that name the file."""
        try:
            yield
        except (TypeError, ValueError) as error:
            raise DamagedFileError(f"{self._path} is damaged: {error}") from error


def _checksum(*values: object) -> int:
    """Checksum of the players of a match and the numbers of a stretch, as they are stored."""
    return zlib.crc32(json.dumps([value for value in values if value is not None]).encode())


def _key(match: Match) -> str:
    return json.dumps(match.names)


def _sums(tally: Tally) -> list[Any]:
    """Sums of a tally to store, as plain lists."""
    sums = tally.totals, tally.products, tally.ahead
    return [np.asarray(array).tolist() for array in sums]


def _tally(
    match: Match,
    rounds: int,
    hands: int,
    decisions: int,
    totals: str,
    products: str,
    ahead: str,
    plain: str | None,
) -> Tally:
    """Tally from stored sums, which are integers of any size.

    Raises:
        ValueError: The values are not those of such a tally.
    """

    def filled(empty: Tally, sums: Sequence[Any]) -> Tally:
        arrays = [np.array(array, object) for array in sums]
        shapes = [np.shape(array) for array in _sums(empty)]
        if [array.shape for array in arrays] != shapes:
            raise ValueError(f"sums must have the shapes {shapes}")
        if not all(type(number) is int for array in arrays for number in array.flat):
            raise ValueError("sums must be whole numbers")
        return replace(
            empty,
            count=rounds,
            counts=np.full(len(match.names), rounds),
            totals=arrays[0],
            squares=arrays[1].diagonal(),
            products=arrays[1],
            ahead=arrays[2],
            hands=hands,
            decisions=decisions,
        )

    for name, value in (("rounds", rounds), ("hands", hands), ("decisions", decisions)):
        whole_number(name, value, least=0)
    tally = filled(match.nothing(), [parse_json(text) for text in (totals, products, ahead)])
    if tally.plain is None:
        return tally
    if plain is None:
        raise ValueError("the plain results beside the reduced ones are missing")
    return replace(tally, plain=filled(tally.plain, parse_json(plain)))
