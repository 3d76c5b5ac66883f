"""Runs of any kind, by their folders."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from evolve.training.run_folder import command_of, newest_run
from evolve.training.search.folder import SearchFolder
from evolve.training.store import RunFolder

LATEST = Path("latest")
"""Stands for the newest run."""

AnyRun: TypeAlias = RunFolder | SearchFolder
"""A run of ``train`` or of ``optimize``."""


def find_any_run(path: Path, runs: Path) -> AnyRun:
    """The run folder of either kind at a path, or the newest in ``runs`` for ``latest``.

    Raises:
        ValueError: There is none.
    """
    path = newest_run(runs) if path == LATEST else path
    kind = SearchFolder if command_of(path) == SearchFolder.command else RunFolder
    return kind.open(path)
