"""The runs on the dashboard, in one folder and none outside it, and their champions as players."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from evolve.dashboard.viewed_run import ViewedRun
from evolve.training.folder import RunFolder

_MOST_RUNS = 500
_MOST_SUMMARIES = 100
_OF_GENERATION = re.compile(r"champion (\d{1,3}) of generation (\d{1,7}) of (.+)")
_PRESENT = re.compile(r"champion of (.+)")


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


class Champions:
    """Factory of players by name: the champions of the runs in a root.

    Args:
        root: Folder of the runs.
    """

    def __init__(self, root: Root) -> None:
        self._root = root

    def __call__(self, name: str) -> CompiledPlayer | None:
        """The player ``"champion of RUN"`` or ``"champion 1 of generation 12 of RUN"``.

        The first is the current champion, also of an unfinished run. The number in the second is
        that of the sub-population.

        Returns:
            None for other names, and for current champions of unknown runs.

        Raises:
            ValueError: There is no such run or generation, or no champion yet.
        """
        match = _OF_GENERATION.fullmatch(name)
        if match is not None:
            folder = self._folder(match[3])
            return champion_of(folder, int(match[2]), int(match[1]) - 1)
        match = _PRESENT.fullmatch(name)
        if match is None or match[1] not in self._root.folders():
            return None
        player = self._folder(match[1]).champion()
        player.name = f"generation {player.origin['generation']}"
        return player

    def _folder(self, run: str) -> RunFolder:
        try:
            return RunFolder.open(self._root.folders()[run])
        except KeyError:
            raise ValueError(f"there is no run {run!r} here, or no longer") from None


def champion_of(folder: RunFolder, generation: int, sub_population: int = 0) -> CompiledPlayer:
    """The champion of a generation.

    Raises:
        ValueError: The run has not kept it.
    """
    rows = np.flatnonzero(folder.generations() == generation)
    if not len(rows):
        raise ValueError(f"the champion of generation {generation} is not kept")
    player: CompiledPlayer = folder.champions(sub_population).player(
        int(rows[-1]), name=f"generation {generation}", origin={"generation": generation}
    )
    return player
