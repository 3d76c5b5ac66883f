"""``nlhe evaluate progress``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from agents.match.playing import prepare_game
from agents.match.workers.parsing import parse_workers
from agents.measure.bench.page import as_text, write_page
from agents.statistics.estimates import Z95
from evolve.commands.common import WorkersOption, draw
from evolve.commands.report import Reporter, small
from evolve.compatibility import check_batch
from evolve.evaluation.progress import Progress, draw_fields, measure_progress, save_fields
from evolve.training.folder import LATEST, RunFolder
from evolve.training.rating_curve import (
    RatedChampion,
    draw_ratings,
    rate_champions,
    save_ratings,
)


@dataclass(frozen=True, kw_only=True)
class ProgressCommand:
    """Compare the champions of all generations of a run, or rate them, to measure progress.

    Sub-populations have separate fields.
    """

    run_folder: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="[RUN]")] = LATEST
    """Run folder, or FOLDER/latest for the latest run in a folder; default: the latest in runs."""

    tournaments: Annotated[int, tyro.conf.arg(metavar="N")] = 2000
    """Number of tournaments of every field; published: 10000, or 100000 for close players."""

    bench: Annotated[str | None, tyro.conf.arg(metavar="SUITE")] = None
    """Rate six champions on a suite of the bench instead, such as "heads-up", and write a scorecard
    of the last one."""

    hands: Annotated[int, tyro.conf.arg(metavar="N")] = 2000
    """Hands against each anchor, with --bench."""

    workers: WorkersOption = None

    def run(self, reporter: Reporter) -> None:
        """Plays, prints the test of trend and stores the fields, or the ratings."""
        if self.bench is not None:
            self._rate(self.bench, reporter)
            return
        workers = parse_workers(self.workers)
        folder = RunFolder.find(self.run_folder)
        config = folder.load_config()
        networks = [folder.champions(i) for i in range(folder.sub_populations)]
        if len(networks[0]) < 2:
            raise ValueError("progress needs a run of at least 2 generations")
        if self.tournaments < 2:
            raise ValueError(f"tournaments must be at least 2; got {self.tournaments}")
        played = config.compared_in
        check_batch("the champion", networks[0].pack(), played.make(), seats=played.table_size)
        reporter.say(f"Run folder: {folder.path}")
        prepare_game()
        fields: list[Progress] = []
        with workers:
            for i, champions in enumerate(networks):
                with reporter.bar("tournaments", self.tournaments):
                    field = measure_progress(
                        champions.pack(),
                        config.compared_in.make(),
                        seed=config.seed,
                        tournaments=self.tournaments,
                        workers=workers,
                        sub_population=i,
                        generations=folder.generations().tolist(),
                        on_progress=reporter.advance,
                    )
                fields.append(field)
                reporter.say(describe_trend(field, many=len(networks) > 1))
        reporter.say(f"Written: {', '.join(map(str, save_fields(fields, folder.path)))}")

        def picture() -> Path:
            file = folder.path / "progress-field.png"
            return draw_fields(fields, file, title=folder.path.name)

        draw(picture, reporter, again=f"evaluate progress {folder.path}")

    def _rate(self, suite: str, reporter: Reporter) -> None:
        """Prints, stores and draws the ratings of champions over training hands."""

        def say(one: RatedChampion) -> None:
            reporter.say(
                f"{one.hands:>12,} hands: rating {one.rating:5.1f} ± {Z95 * one.error:.1f}"
                f"  VPIP {one.vpip:.0%}  PFR {one.pfr:.0%}"
            )

        folder = RunFolder.find(self.run_folder)
        reporter.say(
            f"Run folder: {folder.path}\nRatings on the suite {suite}, ± half a 95% interval:"
        )
        ratings, card = rate_champions(folder, suite, most=6, hands=self.hands, on_champion=say)
        reporter.say(f"\nScorecard of the last champion:\n{as_text(card.suites[suite])}\n")
        card.save(folder.path)
        files = (
            save_ratings(ratings, suite, folder.path / "ratings.json"),
            *write_page(card, folder.path),
        )
        reporter.say(f"Written: {', '.join(map(str, files))}")

        def picture() -> Path:
            return draw_ratings(ratings, folder.path / "ratings.png", title=folder.path.name)

        draw(picture, reporter, again=f"evaluate progress {folder.path} --bench {suite}")


def describe_trend(field: Progress, *, many: bool) -> str:
    """The test of trend in words."""
    words = {
        "better": "progress",
        "worse": "a loss",
        "no difference shown": "neither progress nor loss shown",
    }
    name = f"sub-population {field.sub_population + 1}: " if many else ""
    return (
        f"{name}last fifth against first fifth {field.gain:+z.2f} ± {field.gain_half_width:.2f} "
        f"places of {field.players}, p {small(field.trend.p)}: {words[field.trend.verdict]}"
    )
