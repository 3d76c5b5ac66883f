"""A run on the dashboard, read once for all its viewers."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evolve.dashboard.contents import READERS, Contents
from evolve.dashboard.csv_export import as_csv
from evolve.dashboard.curve import learning_curve
from evolve.dashboard.jsonl_tail import JsonlTail, columns
from evolve.dashboard.status import Status, describe_status

TABLES = {
    "metrics": "metrics.jsonl",
    "timings": "timings.jsonl",
    "tests": "tests.jsonl",
    "bounds": "bounds.jsonl",
}
"""File of each table by its name."""

_LEAST_PAUSE_S = 0.3


class ViewedRun:
    """The files of one run, read as they grow. Thread-safe.

    Args:
        path: Run folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._tables = {name: JsonlTail(path / file) for name, file in TABLES.items()}
        self._parts = {
            name: Contents(path / file, reader) for name, (file, reader) in READERS.items()
        }
        self._versions = dict.fromkeys(self._parts, 0)
        self._version = 0
        self._lock = threading.Lock()
        self._read_at: float | None = None
        self._reader_id = secrets.token_hex(4)

    def updates(self, cursor: str = "") -> dict[str, Any]:
        """Updates of the run since a viewer's last request.

        Args:
            cursor: ``cursor`` of the viewer's last response; empty for a new viewer.

        Returns:
            ``cursor`` for the next call; ``status``; ``tables``: the new rows of each as columns,
            starting at row ``from``; the ``parts`` that have changed. If ``reset`` is True, the
            viewer must discard all earlier updates.

        Raises:
            KeyError: The folder is gone.
        """
        with self._lock:
            self._read()
            epoch = "-".join(
                [self._reader_id, *(str(table.beginnings) for table in self._tables.values())]
            )
            have = self._parse_cursor(cursor, epoch)
            starts = have or dict.fromkeys([*self._tables, "parts"], 0)
            tables = {}
            for name, table in self._tables.items():
                first = starts[name]
                if first < len(table.rows):
                    tables[name] = {"from": first, "columns": columns(table.rows[first:])}
            parts = {
                name: part.value
                for name, part in self._parts.items()
                if self._versions[name] > starts["parts"]
            }
            counts = [len(table.rows) for table in self._tables.values()]
            return {
                "cursor": ".".join(map(str, [epoch, *counts, self._version])),
                "reset": have is None,
                "run": self.path.name,
                "folder": self.path.parent.name,
                "status": asdict(self._status()),
                "tables": tables,
                "parts": parts,
                "problems": self._problems(),
            }

    def summary(self) -> dict[str, Any]:
        """Row of the list of runs.

        Raises:
            KeyError: The folder is gone.
        """
        with self._lock:
            self._read()
            config, about = self._values("config"), self._values("about")
            return {
                "run": self.path.name,
                "name": config.get("name", ""),
                "seed": config.get("seed"),
                "optimizer": config.get("optimizer"),
                "started": about.get("started"),
                "changed": self._changed(),
                "status": asdict(self._status()),
                "curve": self._curve(),
            }

    def comparison(self) -> dict[str, Any]:
        """Curve and configuration of the run, for comparison with other runs.

        Raises:
            KeyError: The folder is gone.
        """
        with self._lock:
            self._read()
            config = self._values("config")
            return {
                "run": self.path.name,
                "name": config.get("name", ""),
                "config": config,
                "curve": self._curve(),
                "hands": (self._tables["metrics"].rows or [{}])[-1].get("hands"),
            }

    def table_csv(self, table: str) -> str:
        """A table of the run as CSV.

        Raises:
            KeyError: The folder or the table does not exist.
        """
        with self._lock:
            self._read()
            return as_csv(self._tables[table].rows)

    def _read(self) -> None:
        now = time.monotonic()
        if self._read_at is not None and now - self._read_at < _LEAST_PAUSE_S:
            return
        if not (self.path / "config.toml").is_file():
            raise KeyError(self.path.name)
        self._read_at = now
        for table in self._tables.values():
            table.read()
        for name, part in self._parts.items():
            if part.read():
                self._version += 1
                self._versions[name] = self._version

    def _parse_cursor(self, cursor: str, epoch: str) -> dict[str, int] | None:
        """Rows that a viewer has of each table; None if the cursor is empty or outdated."""
        head, *counts = cursor.split(".")
        if head != epoch or len(counts) != 1 + len(self._tables):
            return None
        if not all(count.isascii() and count.isdecimal() and len(count) < 12 for count in counts):
            return None
        return dict(zip([*self._tables, "parts"], map(int, counts), strict=True))

    def _values(self, part: str) -> dict[str, Any]:
        value = self._parts[part].value
        return value if isinstance(value, dict) else {}

    def _status(self) -> Status:
        silent_s = max(0.0, time.time() - self._changed())
        metrics, timings = self._tables["metrics"].rows, self._tables["timings"].rows
        try:
            return describe_status(self._parts["config"].value, metrics, timings, silent_s=silent_s)
        except (TypeError, ValueError, ArithmeticError):  # these are not the numbers of a run
            return describe_status(None, [], [], silent_s=silent_s)

    def _curve(self) -> dict[str, Any] | None:
        try:
            progress = self._parts["progress"].value
            return learning_curve(self._values("config"), self._tables["tests"].rows, progress)
        except (KeyError, TypeError):  # these are not the numbers of a run
            return None

    def _changed(self) -> float:
        """Modification time of the file changed last."""
        changes = [part.changed for part in self._parts.values()]
        for table in self._tables.values():
            try:
                changes.append(table.path.stat().st_mtime)
            except OSError:
                continue
        return max(changes)

    def _problems(self) -> list[str]:
        problems = [part.problem for part in self._parts.values() if part.problem]
        problems += [table.problem for table in self._tables.values() if table.problem]
        problems += [
            f"{table.path.name}: {table.damaged} damaged lines were skipped"
            for table in self._tables.values()
            if table.damaged
        ]
        return problems
