"""The runs on the dashboard: those in one folder, and none outside it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from evolve.dashboard.viewed_run import ViewedRun

_MOST_RUNS = 500
_MOST_SUMMARIES = 100


class Root:
    """Runs by the names of their folders.

    Names in requests are looked up among the existing folders and never used as paths.

    Args:
        path: A single run folder, or a folder of runs, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.single = (self.path / "config.toml").is_file()
        self._viewed: dict[str, ViewedRun] = {}
        self._lock = threading.Lock()

    def folders(self) -> dict[str, Path]:
        """Existing run folders by name, newest first."""
        inside = [self.path] if self.single else self._inside()
        return {path.name: path for path in inside}

    def run(self, name: str) -> ViewedRun:
        """The run in the folder of this name.

        Raises:
            KeyError: There is no such run.
        """
        path = self.folders()[name]
        with self._lock:
            if name not in self._viewed:
                while len(self._viewed) >= _MOST_RUNS:
                    del self._viewed[next(iter(self._viewed))]
                self._viewed[name] = ViewedRun(path)
            return self._viewed[name]

    def summaries(self) -> dict[str, Any]:
        """List of runs: the newest ones, and the total number."""
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
            # A symbolic link may point outside the folder.
            if path.resolve().parent != self.path:
                continue
            try:
                aged.append(((path / "config.toml").stat().st_mtime_ns, path))
            except OSError:
                continue
        return [path for _, path in sorted(aged, reverse=True)]
