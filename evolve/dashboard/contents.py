"""Contents of a run's files, its tables excepted, as JSON values."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from evolve.files import safe as files
from evolve.files.regular import read_regular
from evolve.opponents.pool import win_rates

Reader = Callable[[Path], Any]

_MOST_BYTES = 64 * 2**20


def read_config(path: Path) -> dict[str, Any]:
    """The values of ``config.toml`` by name, with the kind of each section under its name.

    The values are not validated, so a run with an invalid configuration is shown too.
    """
    values: dict[str, Any] = {}
    for name, value in tomllib.loads(read_regular(path).decode()).items():
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
