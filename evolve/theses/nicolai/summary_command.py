"""``nlhe study summary``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from evolve.commands.common import draw
from evolve.commands.report import Reporter, small
from evolve.files.safe import DamagedFileError
from evolve.theses.nicolai.summary import (
    Experiment,
    comparable,
    find_runs,
    is_evaluated,
    load_result,
    order_tests,
    save_summary,
    summarise,
)


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Summarise evaluated runs of several seeds: experiments with intervals and comparisons.

    The mean over the champions of a run is one observation; intervals and tests are over seeds.
    """

    paths: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[RUN ...]")] = (
        Path("runs"),
    )
    """Run folders, or folders of runs; runs without an evaluation are skipped; default: runs."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Folder for the tables; default: print only."""

    def run(self, reporter: Reporter) -> None:
        """Prints the tables and stores them."""
        results = []
        for folder in find_runs(self.paths):
            try:
                if is_evaluated(folder):
                    results.append(load_result(folder))
                else:
                    reporter.say(f"Left out, not evaluated: {folder.path}")
            except (OSError, ValueError, DamagedFileError) as error:
                reporter.say(f"Left out: {error}")
        if not results:
            raise ValueError(
                "none of these runs has been evaluated; evaluate one with: evaluate RUN"
            )
        shown, left_out = comparable(results)
        for result, reason in left_out:
            reporter.say(f"Left out, {reason}: {result.run}")
        if not shown:
            raise ValueError("there is no run to show")
        experiments = summarise(shown)
        show_summary(experiments, reporter)
        if self.out is None:
            reporter.say("Not stored; --out FOLDER stores the tables and the figure.")
            return
        out = self.out
        reporter.say(f"Written: {', '.join(map(str, save_summary(experiments, out)))}")

        def picture() -> Path:
            from evolve.theses.nicolai.study_report import EstimateRow, draw_estimates

            estimates = [
                EstimateRow(one.name, one.place.values, one.place.mean, *one.place.interval())
                for one in experiments
            ]
            return draw_estimates(
                estimates,
                out / "summary.png",
                axis="mean place at duplicate tables (1 is best)",
                title="Champions of all runs",
            )

        draw(picture, reporter, again=f"study summary {' '.join(map(str, self.paths))} --out {out}")


def show_summary(experiments: list[Experiment], reporter: Reporter) -> None:
    """Prints the experiments, best first, and the tests between them."""
    rows = []
    for one in experiments:
        gain = f"{100 * one.gain.mean:+z.1f}%" if one.gain else ""
        rows.append(
            [
                one.name,
                str(len(one.runs)),
                f"{one.place.mean:.3f}",
                bounds(one.place.interval()),
                " ".join(f"{value:.2f}" for value in one.place.values),
                ""
                if (entered := one.style("voluntarily_in_pot")) is None
                else f"{entered.mean:.0%}",
                "" if one.cards is None else f"{one.cards.mean:.3f}",
                gain,
            ]
        )
    reporter.show_table(
        ("experiment", "seeds", "place", "95% interval", "runs", "VPIP", "cards move", "gain"), rows
    )
    tests = order_tests(experiments)
    if tests:
        reporter.show_table(
            ("Welch's t-test over seeds", "difference", "95% interval", "p", "p by Holm"),
            [
                [
                    f"{test['first']} - {test['second']}",
                    f"{test['difference']:+z.3f}",
                    bounds((test["low"], test["high"])),
                    "" if math.isnan(test["p"]) else small(test["p"]),
                    "" if math.isnan(test["p_holm"]) else small(test["p_holm"]),
                ]
                for test in tests
            ],
        )
    reporter.say(
        "place: mean place of the champions at duplicate tables, 1 is best; gain: mean place of "
        "the last fifth of the generations against the first, in percent of the field, negative "
        "for progress; cards move: how far exchanged cards move the champions' choices (0 to 1, "
        "below 0.01 they play blind); p by Holm: corrected for the number of tests"
    )


def bounds(interval: tuple[float, float]) -> str:
    """An interval as text; empty if unknown.

    >>> bounds((1.25, 2.5)), bounds((math.nan, math.nan))
    ('1.250..2.500', '')
    """
    low, high = interval
    return "" if math.isnan(low) else f"{low:.3f}..{high:.3f}"
