"""A run on the dashboard, read once for all its viewers.

Its learning curve consists of tests against fixed opponents. Places and scores within a run show no
progress, because all its players change together. Tests against fixed players on fixed cards show
it, and so do the closing tournaments, in which the champions of all generations play against
players that ignore their cards.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np

from evolve.files import safe as files
from evolve.files.safe import csv_text
from evolve.opponents.pool import win_rates
from nlhe_env.system.files import open_regular, read_regular
from nlhe_env.system.json_text import parse_json
from nlhe_env.system.toml_text import parse_toml

_MOST_BYTES_OF_LINES = 256 * 2**20
_MOST_COLUMNS = 2_000

Cell = float | bool | None
"""A number for JSON, rounded to six digits, or None."""
TABLES = {
    "metrics": "metrics.jsonl",
    "timings": "timings.jsonl",
    "tests": "tests.jsonl",
    "bounds": "bounds.jsonl",
}
"""File of each table by its name."""

_LEAST_PAUSE_S = 0.3


Reader = Callable[[Path], Any]

_MOST_BYTES = 64 * 2**20


Stage = Literal["waiting", "running", "quiet", "finished", "unreadable"]
"""No generation yet; running; silent for longer than usual; finished; no configuration."""

_LEAST_PATIENCE_S = 30.0
_PATIENCE = 5.0
_RECENT = 20


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
        problem: Reason that an existing file cannot be read, or is not shown in full; empty if
            there is none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[dict[str, Cell]] = []
        self.beginnings = 0
        self.damaged = 0
        self.problem = ""
        self._names: set[str] = set()
        self._has_more_names = False
        self._identity: tuple[int, int] | None = None
        self._offset = 0
        self._last = b""

    def read(self) -> None:
        """Reads the new lines."""
        self.problem = ""
        try:
            with open_regular(self.path) as file:
                if os.fstat(file.fileno()).st_size > _MOST_BYTES_OF_LINES:
                    raise OSError("it is too large to show")
                self._follow(file)
            if self._has_more_names:
                self.problem = (
                    f"{self.path.name} has more than {_MOST_COLUMNS:,} columns; the others are not "
                    "shown"
                )
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
        self._names.clear()
        self._has_more_names = False
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
                self.rows.append(self._without_more_names(cells))
            self._last = line
        self._offset += len(whole)

    def _without_more_names(self, cells: dict[str, Cell]) -> dict[str, Cell]:
        """The cells of a row in the columns that are shown.

        Every column has a cell for every row, so new names in each row would make a table far
        larger than its file.
        """
        for name in cells:
            if name not in self._names:
                if len(self._names) == _MOST_COLUMNS:
                    self._has_more_names = True
                    break
                self._names.add(name)
        return {name: cell for name, cell in cells.items() if name in self._names}


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


@dataclass(frozen=True)
class Status:
    """Status of a run.

    Attributes:
        stage: See ``Stage``.
        generation: Number of finished generations.
        generations: Limit of generations; None if the run is limited by hands.
        hands: Training hands so far; None if the run is not limited by hands.
        most_hands: Limit of training hands; None if the run is limited by generations.
        share: Finished share of the run, 0 to 1.
        seconds_left: Seconds left at the speed of the last generations; None if unknown or
            finished.
        silent_s: Seconds since the last change of a file.
    """

    stage: Stage
    generation: int
    generations: int | None
    hands: int | None
    most_hands: int | None
    share: float
    seconds_left: float | None
    silent_s: float


def describe_status(
    config: Mapping[str, Any] | None,
    metrics: Sequence[Mapping[str, Any]],
    timings: Sequence[Mapping[str, Any]],
    *,
    silent_s: float,
) -> Status:
    """The status of a run.

    Args:
        config: Its configuration; None if that cannot be read.
        metrics: Its lines of metrics.
        timings: Its lines of timings.
        silent_s: Seconds since the last change of a file.
    """
    config_ = config or {}
    generation = len(metrics)
    generations = _limit(config_.get("generations"))
    most_hands = _limit(config_.get("hands"))
    hands = int(metrics[-1].get("hands") or 0) if metrics and most_hands else 0
    shares = [generation / generations if generations else 0.0]
    shares.append(hands / most_hands if most_hands else 0.0)
    share = min(1.0, max(shares))
    seconds = [float(line.get("seconds") or 0.0) for line in timings[-_RECENT:]]
    stage: Stage
    if config is None:
        stage = "unreadable"
    elif share >= 1.0:
        stage = "finished"
    elif silent_s > max(_LEAST_PATIENCE_S, _PATIENCE * max(seconds, default=0.0)):
        stage = "quiet"
    else:
        stage = "running" if generation else "waiting"
    left = None
    if stage == "running" and seconds:
        mean_seconds = float(np.mean(seconds))
        waits = [(generations - generation) * mean_seconds] if generations else []
        recent = hands - int(metrics[-1 - _RECENT].get("hands") or 0) if generation > _RECENT else 0
        per_generation = recent / _RECENT if recent > 0 else hands / generation
        if most_hands and per_generation > 0:
            # Whole generations are played, the last one too.
            waits.append(math.ceil((most_hands - hands) / per_generation) * mean_seconds)
        left = min(waits, default=None)
    return Status(
        stage=stage,
        generation=generation,
        generations=generations,
        hands=hands if most_hands else None,
        most_hands=most_hands,
        share=share,
        seconds_left=left,
        silent_s=silent_s,
    )


def _limit(value: Any) -> int | None:
    """A limit of a configuration: 0 stands for none."""
    return value if isinstance(value, int) and value > 0 else None


def read_config(path: Path) -> dict[str, Any]:
    """The values of ``config.toml`` by name, with the kind of each section under its name.

    The values are not validated, so a run with an invalid configuration is shown too.
    """
    values: dict[str, Any] = {}
    for name, value in parse_toml(read_regular(path).decode()).items():
        if isinstance(value, dict):
            values |= {name: value.get("kind")} | value
        else:
            values[name] = value
    values.pop("kind", None)
    return values


def read_hall(path: Path) -> list[list[int]]:
    """Generations in which each hall of fame took in its members."""
    arrays = files.read_arrays(path)
    halls = sorted(name for name in arrays if name.endswith("_entered"))
    return [np.asarray(arrays[name], np.int64).tolist() for name in halls]


def read_pool(path: Path) -> list[dict[str, Any]]:
    """The opponents of a pool: name or generation of entry, games, win rate of the learner."""
    arrays = files.read_arrays(path)
    entered: list[int | None] = arrays["entered"].tolist()
    named = arrays["named"].tolist()
    names: list[str | None] = [*[None] * len(entered), *named]
    entered += [None] * len(named)
    wins, games = arrays["wins"], arrays["games"].tolist()
    rates = win_rates(wins, arrays["games"]).tolist()
    return [
        {"name": name, "entered": at, "games": round(played, 1), "win_rate": round(rate, 4)}
        for name, at, played, rate in zip(names, entered, games, rates, strict=True)
    ]


def read_champions(path: Path) -> dict[str, Any]:
    """The ``generations`` whose champions are kept, and the number of ``sub_populations``."""
    arrays = files.read_arrays(path)
    groups = {name.partition("_")[0] for name in arrays if name[0].isdecimal()}
    generations = arrays["generations"].tolist()
    return {"generations": generations, "sub_populations": max(1, len(groups))}


def read_evaluation(path: Path) -> dict[str, Any]:
    """The table of an evaluation."""
    value = files.read_json(path)
    columns = ("player", "evaluated", "mean_place", "low", "high", "difference", "p", "verdict")
    players = [{key: row.get(key) for key in columns} for row in value["players"]]
    return {"blocks": value["blocks"], "players": players}


READERS: dict[str, tuple[str, Reader]] = {
    "config": ("config.toml", read_config),
    "about": ("about.json", files.read_json),
    "champions": ("champions.npz", read_champions),
    "hall": ("hall_of_fame.npz", read_hall),
    "pool": ("pool.npz", read_pool),
    "progress": ("progress.json", files.read_json),
    "evaluation": ("evaluation.json", read_evaluation),
}
"""File and reader of each part by its name."""


class Contents:
    """Contents of one file of a run, read again after every change.

    Attributes:
        value: The contents; None if there is no file.
        problem: Reason of a failed reading; empty if there is none.
        changed: Modification time of the file, in seconds; 0 if there is no file.
    """

    def __init__(self, path: Path, reader: Reader) -> None:
        self.path = path
        self.value: Any = None
        self.problem = ""
        self.changed = 0.0
        self._reader = reader
        self._stamp: tuple[int, int, int] | None = None

    def read(self) -> bool:
        """Reads the file if it has changed; returns whether it has."""
        try:
            status = self.path.stat()
        except OSError:
            stamp = None
        else:
            stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
        if stamp == self._stamp:
            return False
        self._stamp, self.value, self.problem, self.changed = stamp, None, "", 0.0
        if stamp is not None:
            self.changed = stamp[2] / 1e9
            try:
                if stamp[1] > _MOST_BYTES:
                    raise ValueError("it is too large to show")
                value = files.without_infinities(self._reader(self.path))
                self.value = json.loads(json.dumps(value, default=str))  # TOML knows dates
            except KeyError as error:
                self.problem = f"{self.path.name} cannot be read: {error.args[0]!r} is missing"
            except Exception as error:  # the file may hold anything
                self.problem = f"{self.path.name} cannot be read: {error}"
        return True


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
            return csv_text(self._tables[table].rows)

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


def learning_curve(
    config: Mapping[str, Any],
    tests: Sequence[Mapping[str, Any]],
    progress: Mapping[str, Any] | None,
) -> dict[str, Any] | None:
    """The curve of a run; None until the first measurement.

    Args:
        config: Configuration of the run.
        tests: Rows of its tests.
        progress: Its closing tournaments; None before they have been played.

    Returns:
        ``measure`` (``"tests"`` or ``"final tournaments"``), ``unit``, ``lower_is_better``, and
        ``generations``, ``values`` and ``errors`` (standard errors) as lists of equal length.
    """
    cash = config.get("game") == "cash"
    if tests:
        return {
            "measure": "tests",
            "unit": "bb/100" if cash else f"place of {config.get('table_size')}",
            "lower_is_better": not cash,
            "generations": [row.get("generation") for row in tests],
            "values": [row.get("score") for row in tests],
            "errors": [row.get("error") for row in tests],
        }
    if progress:
        players = len(progress["generations"]) + len(progress["static_players"])
        return {
            "measure": "final tournaments",
            "unit": f"place of {players}",
            "lower_is_better": True,
            "generations": progress["generations"],
            "values": progress["places"],
            "errors": progress["errors"],
        }
    return None
