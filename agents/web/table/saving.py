"""Saving tables of people to files, so that they survive a restart of the server.

A file ``NAME.json`` holds one table: ``format`` and ``version``; ``name``, part of its URL;
``creator``, the session of the person who opened it; ``game``, as described by the page; ``seed``
of the cards; ``people``, with ``seat``, ``name``, ``session``, ``since`` (number of finished hands
on sitting down) and ``sits`` (False after leaving the seat) of each person; ``waits``, whether the
game waits for open seats; ``betting``, ``rebuys`` and ``restarts`` of the finished hands, see
``PlayedHands``; and ``stacks`` after them (``[]`` before the first). Cards follow from the seed and
the restarts, everything else from the rules.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from agents.web.table.game import LiveGame
from agents.web.table.played_hands import PlayedHands
from nlhe_env.arguments import shown
from nlhe_env.system.files import read_regular, replacing
from nlhe_env.system.json_text import Types, check_fields, parse_fields
from nlhe_env.system.threads import Threads

_FORMAT, _VERSION = "nlhe table", 1
_FIELDS: dict[str, Types] = {
    "name": str,
    "creator": str,
    "game": dict,
    "seed": int,
    "people": list,
    "waits": bool,
    "betting": list,
    "rebuys": dict,
    "stacks": list,
}
_PERSON: dict[str, Types] = {"seat": int, "name": str, "session": str, "since": int, "sits": bool}
_NAME = re.compile(r"[A-Za-z0-9_-]{16}")


@dataclass(frozen=True)
class SavedTable:
    """A table after its last complete hand; see the module for the fields."""

    name: str
    creator: str
    game: Mapping[str, Any]
    seed: int = 0
    people: list[dict[str, Any]] = field(default_factory=list)
    waits: bool = False
    betting: list[str] = field(default_factory=list)
    rebuys: dict[str, list[int]] = field(default_factory=dict)
    restarts: list[int] = field(default_factory=list)
    stacks: list[int] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> SavedTable:
        """Table from a file.

        Raises:
            OSError: The file cannot be read.
            ValueError: The file is not a table or has another version.
        """
        if path.is_symlink():  # the next hand would replace it
            raise ValueError("it is a symbolic link")
        values = parse_fields(read_regular(path), {"format": str})
        if values.pop("format") != _FORMAT:
            raise ValueError("this is not a saved table")
        if (version := values.pop("version", None)) != _VERSION:
            raise ValueError(f"a saved table has version {_VERSION}; got {version!r}")
        try:
            table = cls(**check_fields(values, _FIELDS))
        except TypeError as error:
            raise ValueError(f"a field is missing or unknown: {error}") from None
        for person in table.people:
            if not isinstance(person, dict):
                raise ValueError(f"people must be objects; got {shown(person)}")
            check_fields(person, _PERSON)
        if table.name != path.stem or not _NAME.fullmatch(table.name):
            raise ValueError(f"the file of a table has its name; got {table.name!r}")
        return table

    def lead(self, game: LiveGame) -> None:
        """Replay the saved hands in a new game.

        Raises:
            ValueError: The hands do not lead to the saved state.
        """
        rebuys = {int(number): seats for number, seats in self.rebuys.items()}
        restarts = list(self.restarts)
        if self.betting and self.betting[-1]:  # otherwise the hand is the consequence of another
            restarts.append(len(self.betting))
        game.catch_up(PlayedHands(self.betting, rebuys, restarts))
        if game.record is not None:
            game.record.restarts = restarts
        if game.last_stacks != self.stacks:
            raise ValueError(
                f"the hands must lead to the stacks {self.stacks}; got {game.last_stacks}"
            )


class TableFolder:
    """Table files of one server.

    Args:
        path: Folder, created if it does not exist. It and its tables become private to this user,
            since a session gives access to its seat, and a seed to the cards.

    Raises:
        OSError: The folder cannot be created, or belongs to another user.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.chmod(0o700)
        for file in self.files():
            if not file.is_symlink():
                file.chmod(0o600)

    def files(self) -> list[Path]:
        """Files of tables, oldest first."""
        return sorted(self.path.glob("*.json"), key=lambda path: path.lstat().st_mtime)

    def write(self, table: SavedTable) -> None:
        """Replace the file of a table.

        Raises:
            OSError: The file cannot be written.
        """
        values = {"format": _FORMAT, "version": _VERSION, **asdict(table)}
        with replacing(self.path / f"{table.name}.json") as file:
            os.chmod(file.name, 0o600)
            file.write(json.dumps(values, indent=1).encode())

    def remove(self, name: str) -> None:
        """Remove the file of a table, if it exists."""
        (self.path / f"{name}.json").unlink(missing_ok=True)


class TableSaver:
    """Writes one table after every hand and change of people.

    Args:
        folder: Folder of the file.
        table: The newly opened table, without people and hands.
    """

    def __init__(self, folder: TableFolder, table: SavedTable) -> None:
        self._folder = folder
        self._table = table
        self._key: object = None
        self.error = ""
        """Why the table could not be written the last time."""

    def save(
        self, thread: Threads, game: LiveGame, people: list[dict[str, Any]], *, waits: bool
    ) -> None:
        """Write the table in its thread, if anything changed.

        Args:
            thread: The table's thread, in which writes are sequential.
            game: The game, which must have a record.
            people: See ``Participants.people``.
            waits: Whether the game waits for people.
        """
        record = game.record
        if record is None:
            raise RuntimeError("a game that is saved must have a record of its hands")
        key = game.seed, len(record.betting), people, waits
        if key == self._key:
            return
        self._key = key
        table = replace(
            self._table,
            seed=game.seed,
            people=people,
            waits=waits,
            betting=list(record.betting),
            rebuys={str(number): seats for number, seats in record.rebuys.items()},
            restarts=list(record.restarts),
            stacks=list(game.last_stacks),
        )
        thread.submit(partial(self._write, table))

    def _write(self, table: SavedTable) -> None:
        try:
            self._folder.write(table)
            self.error = ""
        except OSError as error:
            self.error = f"{error.filename}: {error.strerror}"
