"""``nlhe evaluate plot``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from evolve.commands.report import Reporter
from evolve.training.folder import LATEST, RunFolder
from nlhe_env.extras import needs_extra


@dataclass(frozen=True, kw_only=True)
class Plot:
    """Redraw the picture of a run, finished or not."""

    run_folder: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="[RUN]")] = LATEST
    """Run folder, or FOLDER/latest for the latest run in a folder; default: the latest in runs."""

    def run(self, reporter: Reporter) -> None:
        """Draws."""
        folder = RunFolder.find(self.run_folder)
        if not folder.metrics_file.exists():
            raise ValueError(f"{folder.path} has nothing to draw: no generation is finished")
        with needs_extra("plot", "the picture"):
            from evolve.training.plots import draw_run

            reporter.say(f"Picture: {draw_run(folder)}")
