"""``nlhe evaluate progress``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro

from agents.commands.common import usage_errors
from evolve.commands.common import WorkersOption, draw
from evolve.commands.report import Reporter, small
from evolve.evaluation.progress_field import ProgressField, measure_field, save_fields
from evolve.training.folder import LATEST, RunFolder
from evolve.training.player_compatibility import check_batch
from evolve.workers import parse_workers, prepare_game


@dataclass(frozen=True, kw_only=True)
class ProgressCommand:
    """Compare the champions of all generations of a run, to measure progress.

    Sub-populations have separate fields.
    """

    run_folder: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="[RUN]")] = LATEST
    """Run folder, or FOLDER/latest for the latest run in a folder; default: the latest in runs."""

    tournaments: int = 2000
    """Tournaments of every field; published: 10000, or 100000 for close players."""

    champions: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Number of champions, evenly spread over the generations; default: all, as published."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Folder for the results; default: the run folder."""

    workers: WorkersOption = None

    def run(self, reporter: Reporter) -> None:
        """Plays, prints the test of trend and stores the fields."""
        with usage_errors():
            workers = parse_workers(self.workers)
            folder = RunFolder.find(self.run_folder)
            config = folder.load_config()
            networks = [folder.champions(i) for i in range(folder.sub_populations)]
            if len(networks[0]) < 2:
                raise ValueError("progress needs a run of at least 2 generations")
            if self.tournaments < 2:
                raise ValueError(f"tournaments must be at least 2; got {self.tournaments}")
            if self.champions is not None and self.champions < 2:
                raise ValueError(f"champions must be at least 2; got {self.champions}")
            played = config.compared_in
            check_batch("the champion", networks[0].pack(), played.make(), seats=played.table_size)
        reporter.say(f"Run folder: {folder.path}")
        prepare_game()
        fields: list[ProgressField] = []
        with workers:
            for i, champions in enumerate(networks):
                with reporter.bar("tournaments", self.tournaments):
                    field = measure_field(
                        champions.pack(),
                        config.compared_in.make(),
                        seed=config.seed,
                        tournaments=self.tournaments,
                        workers=workers,
                        sub_population=i,
                        most=self.champions,
                        on_progress=reporter.advance,
                    )
                kept = folder.generations()[np.array(field.generations) - 1]
                field = replace(field, generations=kept.tolist())
                fields.append(field)
                reporter.say(describe_trend(field, many=len(networks) > 1))
        out = self.out or folder.path
        reporter.say(f"Written: {', '.join(map(str, save_fields(fields, out)))}")

        def picture() -> Path:
            from evolve.evaluation.figures import draw_fields

            return draw_fields(fields, out / "progress-field.png", title=folder.path.name)

        draw(picture, reporter, again=f"evaluate progress {folder.path}")


def describe_trend(field: ProgressField, *, many: bool) -> str:
    """The test of trend in words."""
    words = {
        "better": "progress",
        "worse": "a loss",
        "no difference shown": "neither progress nor loss shown",
    }
    name = f"sub-population {field.sub_population + 1}: " if many else ""
    return (
        f"{name}last fifth against first fifth {field.gain:+.2f} ± {field.gain_error:.2f} places "
        f"of {field.players}, p {small(field.trend.p)}: {words[field.trend.verdict]}"
    )
