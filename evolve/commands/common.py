"""What several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeAlias

import tyro

from evolve.report import Reporter
from evolve.store import RunFolder
from evolve.workers.choice import ALLOWED

LATEST = Path("latest")
"""Stands for the newest run."""

WorkersOption: TypeAlias = Annotated[
    str | None,
    tyro.conf.arg(
        metavar="WORKERS",
        help=f"Who plays: {ALLOWED}; default: one thread for each core. They do not change the "
        "result.",
    ),
]
"""Type of the option ``--workers``; ``parse_workers`` reads it."""


def find_run(path: Path, runs: Path) -> RunFolder:
    """The run folder at a path, or the newest in ``runs`` for ``latest``.

    Raises:
        ValueError: There is none.
    """
    return RunFolder.latest(runs) if path == LATEST else RunFolder.open(path)


def draw(picture: Callable[[], Path], reporter: Reporter, *, again: str) -> None:
    """Draws a picture, or says what is missing for it.

    Args:
        picture: Draws it and returns its path.
        reporter: Told the path.
        again: The arguments of ``python -m evolve`` that draw it later.
    """
    try:
        reporter.say(f"Picture: {picture()}")
    except ImportError:
        reporter.say(
            "No picture, since Matplotlib is not installed. To draw it:\n"
            f"  pip install 'nlhe-env[plot]' && python -m evolve {again}"
        )


def draw_run_picture(folder: RunFolder, reporter: Reporter) -> None:
    """Draws the picture of a run."""

    def picture() -> Path:
        from evolve.plots import draw_run

        return draw_run(folder)

    draw(picture, reporter, again=f"plot {folder.path}")
