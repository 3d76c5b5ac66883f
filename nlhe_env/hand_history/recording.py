"""Recording of hands during play."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from nlhe_env.game.description import Game
from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.hand_history import rules
from nlhe_env.hand_history.phh_writer import write_hands
from nlhe_env.hand_history.record import Hand, action_event, hand_of, unusual_cap
from nlhe_env.hand_history.stars_writer import write_pokerstars
from nlhe_env.jit.array_types import I64, Records

Record: TypeAlias = str | os.PathLike[str] | Callable[[Hand], Any] | MutableSequence[Hand]
"""Destination of recorded hands: a file, to which they are added, a function, or a list.

Files are ``.phhs``; those with the ending ``.txt`` are written as PokerStars does.
"""

_SECTION = re.compile(rb"^\[", re.MULTILINE)


def hand_sink(record: Record) -> Callable[[Hand], Any]:
    """Convert a ``record`` argument to a callback for hands.

    Args:
        record: The path of a ``.phhs`` file, a function, or a list.

    Raises:
        ValueError: The argument is invalid, or the folder does not exist.
    """
    if isinstance(record, (str, os.PathLike)):
        return HandFile(record)
    if isinstance(record, MutableSequence):
        return record.append
    if callable(record):
        return record
    raise ValueError(
        f"record must be the path of a .phhs file, a function or a list; got {record!r}"
    )


def check_recorded(game: Game, record: Record) -> None:
    """Check that ``record`` can represent the hands of a game.

    Args:
        game: The game.
        record: Target for its hands.

    Raises:
        ValueError: Hand histories, or files of this format, do not support an option of the game.
    """
    if game.two_calls:
        raise ValueError("hands of a game with two_calls cannot be recorded; leave out record")
    path = record.path if isinstance(record, HandFile) else record
    if not isinstance(path, (str, os.PathLike)) or not _is_stars_text(path):
        return
    option = ""
    if game.boards > 1:
        option = f"boards={game.boards}"
    elif game.betting == "fixed-limit" and unusual_cap(game.max_bets):
        option = f"max_bets={game.max_bets}"
    if option:
        raise ValueError(
            f"PokerStars text cannot show hands of a game with {option}: record must be a .phhs "
            f"file, a function or a list; got {os.fspath(path)!r}"
        )


def _is_stars_text(path: str | os.PathLike[str]) -> bool:
    """Whether a file is written as PokerStars text."""
    return Path(path).suffix.lower() == ".txt"


class HandFile:
    """Hand file with one write per finished hand.

    An interruption leaves only complete hands. Section numbers of a ``.phhs`` file continue from
    existing ones; a ``.txt`` file is written as PokerStars text.

    Args:
        path: Path of the file; its folder must exist.

    Raises:
        ValueError: The folder does not exist, or the path is a folder.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        """Path of the file."""
        if not self.path.parent.is_dir():
            raise ValueError(f"record must be in a folder that exists; got {os.fspath(path)!r}")
        if self.path.is_dir():
            raise ValueError(f"record must be a file, not a folder; got {os.fspath(path)!r}")
        self._count = 0  # sections in the first bytes of the file
        self._size = 0  # these bytes

    def __call__(self, hand: Hand) -> None:
        """Add a hand."""
        self._count_others()
        number = self._count + 1
        if _is_stars_text(self.path):
            text = write_pokerstars([hand]) + "\n"
        else:
            text = write_hands([hand], first=number)
        content = f"\n{text}".encode()
        with self.path.open("ab", buffering=0) as file:
            before = os.fstat(file.fileno()).st_size
            try:
                written = file.write(content)
                if written < len(content):
                    file.write(content[written:])  # raises an error that says why
            except OSError as error:
                with contextlib.suppress(OSError):
                    file.truncate(before)
                error.filename = str(self.path)
                raise
            self._count, self._size = number, before + len(content)

    def _count_others(self) -> None:
        """Count the sections that others have written, such as further environments."""
        size = self.path.stat().st_size if self.path.is_file() else 0
        if size < self._size:  # a new file of this name
            self._count = self._size = 0
        if size > self._size:
            with self.path.open("rb") as file:
                file.seek(self._size)
                self._count += sum(1 for line in file if _SECTION.match(line))


def note_action(table: np.void, action: int) -> dict[str, Any]:
    """Event, see ``action_event``, of an action of the game.

    Args:
        table: The record before the action.
        action: ``FOLD``, ``CHECK_OR_CALL`` or the chips of a raise.
    """
    return action_event(table, {FOLD: 0, CHECK_OR_CALL: 1}.get(action, max(action, 2)))


class TableNotes:
    """Recorder of hands at many parallel tables.

    Hands are rebuilt by replaying the actions from the table record at the first decision, whose
    deck contains all future cards.

    Args:
        tables: ``(n,)`` records, each at a decision.
        names: Names of the players.
        sink: Function that is called with every hand.
    """

    def __init__(self, tables: Records, names: Sequence[str], sink: Callable[[Hand], Any]) -> None:
        self._names, self._sink = names, sink
        self._starts = tables.copy()
        self._actions: list[list[int]] = [[] for _ in range(len(tables))]

    def note(self, actions: I64) -> None:
        """Note the next action of every table, ``(n,)``."""
        for noted, action in zip(self._actions, actions.tolist(), strict=True):
            noted.append(action)

    def begin_anew(self, tables: Records, which: Iterable[int]) -> None:
        """Record the hands that have ended at some tables, and begin new ones.

        Args:
            tables: The table records now, at the first decision of the new hands.
            which: Numbers of these tables.
        """
        for i in which:
            self._sink(self._hand(i))
            self._starts[i] = tables[i]
            self._actions[i] = []

    def _hand(self, i: int) -> Hand:
        table = self._starts[i : i + 1]
        events = []
        for action in self._actions[i]:
            events.append(note_action(table[0], action))
            rules.act_in_turn(table, action)
        rules.pay(table, np.zeros(10, np.int64))
        return hand_of(table[0], events, self._names)
