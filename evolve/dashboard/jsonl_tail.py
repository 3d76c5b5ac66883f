"""Reader of a JSON Lines file that another process appends to, truncates or deletes."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from nlhe_env.system.files import open_regular
from nlhe_env.system.json_text import parse_json

_MOST_BYTES = 256 * 2**20

Cell = float | bool | None
"""A number for JSON, rounded to six digits, or None."""


class JsonlTail:
    """Rows of the complete lines of a JSON Lines file.

    An incomplete last line is left for the next reading. A file that has been truncated or
    replaced, for example by a resumed run, is read again from its beginning.

    Attributes:
        path: The file; need not exist.
        rows: The rows so far, see ``flatten``.
        beginnings: Number of readings from the beginning of the file; rows read before the last of
            these may have changed.
        damaged: Number of complete lines that are not JSON objects; they are skipped.
        problem: Reason that an existing file cannot be read; empty if there is none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[dict[str, Cell]] = []
        self.beginnings = 0
        self.damaged = 0
        self.problem = ""
        self._identity: tuple[int, int] | None = None
        self._offset = 0
        self._last = b""

    def read(self) -> None:
        """Reads the new lines."""
        self.problem = ""
        try:
            with open_regular(self.path) as file:
                if os.fstat(file.fileno()).st_size > _MOST_BYTES:
                    raise OSError("it is too large to show")
                self._follow(file)
        except OSError as error:
            if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
                self.problem = f"{self.path.name} cannot be read: {error.strerror or error}"
            if self._identity is not None:
                self._begin(None)

    def _follow(self, file: BinaryIO) -> None:
        if not self._goes_on(file):
            self._begin(_identity(file))
            file.seek(0)
        self._take(file.read())

    def _goes_on(self, file: BinaryIO) -> bool:
        """Whether the file still starts with the bytes read; if so, seeks to the end of them."""
        if _identity(file) != self._identity:
            return False
        # A new file may have the number of the old one.
        file.seek(self._offset - len(self._last))
        return file.read(len(self._last)) == self._last

    def _begin(self, identity: tuple[int, int] | None) -> None:
        self.rows.clear()
        self.beginnings += 1
        self.damaged = 0
        self._identity, self._offset, self._last = identity, 0, b""

    def _take(self, content: bytes) -> None:
        whole = content[: content.rfind(b"\n") + 1]
        for line in whole.splitlines(keepends=True):
            try:
                value = parse_json(line, finite=False)
                cells = flatten(value) if isinstance(value, dict) else None
            except ValueError:
                cells = None
            if cells is None:
                self.damaged += 1
            else:
                self.rows.append(cells)
            self._last = line
        self._offset += len(whole)


def _identity(file: BinaryIO) -> tuple[int, int]:
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino


def flatten(value: Mapping[str, Any]) -> dict[str, Cell]:
    """Numbers of nested dictionaries and lists by dotted name; text is left out.

    >>> flatten({"place": 1.5, "style": {"showdown": None}, "quartiles": [1, 2], "name": "x"})
    {'place': 1.5, 'style.showdown': None, 'quartiles.0': 1, 'quartiles.1': 2}
    """
    cells: dict[str, Cell] = {}
    _flatten("", value, cells)
    return cells


def _flatten(name: str, value: Any, cells: dict[str, Cell]) -> None:
    if isinstance(value, (Mapping, list)):
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, item in items:
            _flatten(f"{name}.{key}" if name else str(key), item, cells)
    elif isinstance(value, float):
        cells[name] = float(f"{value:.6g}") if math.isfinite(value) else None
    elif isinstance(value, int) or value is None:
        cells[name] = value


def columns(rows: list[dict[str, Cell]]) -> dict[str, list[Cell]]:
    """Rows as columns of equal length; None for missing cells.

    >>> columns([{"a": 1}, {"a": 2, "b": 3}])
    {'a': [1, 2], 'b': [None, 3]}
    """
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}
