"""The runs that may be looked at: those of one folder, and nothing outside it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from evolve.dashboard.viewed_run import ViewedRun

_MOST_RUNS = 500
_MOST_SUMMARIES = 100


class Root:
    """Runs by the names of their folders.

    What a page sends is looked up among the folders that are there and never taken for a path.

    Args:
        path: A run folder, which is then the only one, or a folder of runs, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.single = (self.path / "config.toml").is_file()
        self._viewed: dict[str, ViewedRun] = {}
        self._lock = threading.Lock()

    def folders(self) -> dict[str, Path]:
        """The run folders that are there now by name, newest first."""
        inside = [self.path] if self.single else self._inside()
        return {path.name: path for path in inside}

    def run(self, name: str) -> ViewedRun:
        """A run by the name of its folder.

        Raises:
            KeyError: There is none of this name.
        """
        path = self.folders()[name]
        with self._lock:
            if name not in self._viewed:
                while len(self._viewed) >= _MOST_RUNS:
                    del self._viewed[next(iter(self._viewed))]
                self._viewed[name] = ViewedRun(path)
            return self._viewed[name]

    def summaries(self) -> dict[str, Any]:
        """Content of the list of runs: the newest ones, and how many there are."""
        folders = self.folders()
        found = []
        for name in list(folders)[:_MOST_SUMMARIES]:
            try:
                found.append(self.run(name).summary())
            except KeyError:  # deleted just now
                continue
        return {"folder": self.path.name, "count": len(folders), "runs": found}

    def _inside(self) -> list[Path]:
        aged: list[tuple[int, Path]] = []
        try:
            entries = list(self.path.iterdir())
        except OSError:
            return []
        for path in entries:
            # A link may lead out of the folder.
            if path.resolve().parent != self.path:
                continue
            try:
                aged.append(((path / "config.toml").stat().st_mtime_ns, path))
            except OSError:
                continue
        return [path for _, path in sorted(aged, reverse=True)]
