"""``python -m evolve symbiosis``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import tyro

from agents.commands.common import usage_errors
from agents.matches import load_matches
from evolve.commands.common import WorkersOption, draw
from evolve.commands.report import Reporter
from evolve.symbiosis import SymbiosisSettings, SymbiosisStudy, run_study
from evolve.symbiosis.settings import GROUPS, Group, Size
from evolve.symbiosis.test_suite import TestSet, reference_scores
from evolve.workers import parse_workers


@dataclass(frozen=True, kw_only=True)
class SymbiosisCommand:
    """Evolve teams of programs by fitness and diversity, and compare models of diversity.

    Programs bid, the highest bid decides, and half of the teams are kept by fitness, by one or two
    measures of diversity, or by both. Training is heads-up limit hold'em on hands dealt beforehand.
    Repeat the command to continue an interrupted study.
    """

    out: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FOLDER")]
    """Folder of a new or earlier study."""

    models: tuple[str, ...] = ("no_div", "ham_gen")
    """no_div, bid, nov, only_nov, ncd, ncd_gen, ham, ham_gen, gen, bid_ncd_gen, euclidean, entropy,
    sharing; NAME+B trains against Bayesian opponents too, NAME+L evolves teams of teams in the
    second half."""

    group: Group | None = None
    """The models of a published group instead: what other opponents, degrees of diversity, or
    models of it bring."""

    seeds: int = 1
    """Runs of each model."""

    first_seed: int = 1
    """The smallest seed; the others follow it."""

    size: Size = "small"
    """Size of a run: "tiny" is for all models, "full" is published (minutes without ncd and nov,
    else an hour or more)."""

    settings: Annotated[dict[str, str], tyro.conf.arg(metavar="NAME VALUE")] = field(
        default_factory=dict
    )
    """Other settings, such as "compressor zlib" or "betting standard"."""

    workers: WorkersOption = None

    def run(self, reporter: Reporter) -> None:
        """Trains, tests and reports."""
        with usage_errors():
            changes = {name: _value(name, text) for name, text in self.settings.items()}
            study = SymbiosisStudy(
                self.models if self.group is None else GROUPS[self.group],
                self.seeds,
                SymbiosisSettings.of_size(self.size, **changes),
                self.first_seed,
            )
            workers = parse_workers(self.workers)

        def show(line: Mapping[str, Any]) -> None:
            if "champion" in line:
                reporter.say(
                    f"  generation {line['generation']}: {line['hands']:,} hands, fitness "
                    f"{line['mean_fitness']:.3f}, best at validation "
                    f"{line['validation_best']:.3f}, champion {line['champion']:.3f}"
                )

        with workers, usage_errors():
            runs = run_study(
                self.out,
                study,
                load_matches(),
                workers=workers,
                on_run=reporter.say,
                on_generation=show,
                say=reporter.say,
            )
            test = TestSet.draw(load_matches(), betting=study.settings.betting)
            references = reference_scores(test, workers=workers)
        reporter.say(f"Report: {self.out / 'report.md'}")

        def pictures() -> Path:
            from evolve.symbiosis.pictures import draw_study

            return draw_study(self.out, study.models, runs, references)[0].parent

        draw(pictures, reporter, again=f"symbiosis {self.out} ... with the same options")


def _value(name: str, text: str) -> Any:
    """The value of a setting as its default is: a number, or text.

    Raises:
        ValueError: There is no such setting, or it is no number.
    """
    default = getattr(SymbiosisSettings(), name, None)
    if not isinstance(default, (int, float, str)) or name in ("model", "seed", "bayesian"):
        raise ValueError(f"settings has no {name!r}; see evolve.symbiosis.SymbiosisSettings")
    try:
        return type(default)(text)
    except ValueError:
        raise ValueError(f"{name} must be a number; got {text!r}") from None
