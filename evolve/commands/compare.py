"""``nlhe study compare``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any, ClassVar, Literal

import tyro

from agents.match.workers.base import Workers
from agents.match.workers.parsing import parse_workers
from evolve.commands.common import SeedsOption, WorkersOption, draw, parse_seeds, starting_config
from evolve.commands.report import Reporter
from evolve.commands.run_reporter import RunReporter
from evolve.optimizers import optimizer_names
from evolve.studies import (
    Curve,
    OptimizerComparison,
    any_config,
    draw_comparison,
    load_curves,
    run_comparison,
    save_curves,
)
from evolve.training.block_schedule import score_unit
from evolve.training.config import Config

Names = Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME [NAME ...]")]

_INSTEAD = {
    "seed": "--seeds",
    "optimizer": "--variants",
    "model": "--variants",
}


@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """Compare optimizers, or diversity models, over several seeds.

    Optimizers are compared by learning curves at equal numbers of hands, and diversity models (with
    symbiosis presets) by tests of all teams in ten scenarios. Repeat the command to continue or to
    add seeds, optimizers or models.

    The configuration options of "nlhe train" apply to all runs; "nlhe train --preset PRESET --help"
    shows them. Other values have defaults for each optimizer.
    """

    preset: Annotated[str, tyro.conf.arg(metavar="PRESET")] = "heads-up"
    """Game: a preset that allows any optimizer, or a symbiosis preset such as "sbb-small"."""

    variants: Names = ()
    """Optimizers to compare, or diversity models, as for --model. MODEL+B also trains against
    Bayesian opponents, MODEL+L evolves teams of teams in the second half; "models", "degrees" and
    "opponents" are the published groups. Default: all optimizers but map-elites, which searches
    for many players, or no_div and ham_gen."""

    seeds: SeedsOption = "3"
    """Seeds of the runs of each optimizer or model: their number, from 1 on, or FIRST-LAST."""

    out: Annotated[Path, tyro.conf.arg(metavar="FOLDER")] = Path("comparison")
    """Folder of the comparison."""

    only: Literal["report"] | None = None
    """Play nothing: "report" shows the finished runs of a comparison of optimizers; default:
    everything."""

    workers: WorkersOption = None


@dataclass(frozen=True, kw_only=True)
class Compare(CompareOptions):
    """The command with the configuration of its runs, whose options its help leaves out."""

    shown_in_help: ClassVar[type] = CompareOptions

    settings: Annotated[Config, tyro.conf.arg(name="")] = field(default_factory=Config)

    given: tyro.conf.Suppress[tuple[str, ...]] = ()
    """Configuration values that replace the preset's in all runs."""

    @classmethod
    def starting_from(cls, arguments: Sequence[str]) -> Compare:
        """The command with the defaults of the configuration that the arguments name."""
        config = starting_config(arguments)
        return cls(settings=config, given=given_values(arguments, config))

    def run(self, reporter: Reporter) -> None:
        """Trains, prints the results and draws them."""
        if self.only:
            curves = load_curves(self.out)
            self._show(curves, reporter)
            return
        workers = parse_workers(self.workers)
        for key, instead in _INSTEAD.items():
            if key in self.given:
                raise ValueError(f"--{key} is not for study compare: it has {instead}")
        values = self.settings.values()
        first_seed, seeds = parse_seeds(self.seeds)
        options: dict[str, Any] = {
            "preset": self.preset,
            "changes": {key: values[key] for key in self.given},
            "seeds": seeds,
            "first_seed": first_seed,
        }
        compare = self._compare_optimizers
        if self.settings.optimizer.compared_by:
            compare = partial(resolve_name(self.settings.optimizer.compared_by), self)
        with workers:
            try:
                compare(options, workers, reporter)
            except KeyboardInterrupt:
                reporter.say("Interrupted; repeat the command to continue.")
                raise

    def _compare_optimizers(
        self, options: dict[str, Any], workers: Workers, reporter: Reporter
    ) -> None:
        usual = tuple(name for name in optimizer_names() if name != "map-elites")
        comparison = OptimizerComparison(variants=self.variants or usual, **options)
        listener = RunReporter(reporter, every_s=15.0)
        curves = run_comparison(
            self.out, comparison, workers=workers, listener=listener, say=reporter.say
        )
        self._show(curves, reporter)

    def _show(self, curves: list[Curve], reporter: Reporter) -> None:
        config = any_config(self.out)
        game = config.make_game()
        digits, sign = 1 if game.is_cash else 3, game.sign
        rows = []
        for curve in sorted(curves, key=lambda curve: -sign * curve.means[-1]):
            low, high = curve.intervals()
            cells = [
                f"{curve.means[round(share * (len(low) - 1))]:z.{digits}f}" for share in SHARES
            ]
            reach = (high[-1] - low[-1]) / 2
            cells.append(f"{reach:.{digits}f}" if math.isfinite(reach) else "")
            rows.append([curve.optimizer, str(len(curve.scores)), *cells])
        headings = [f"after {share * curves[0].hands[-1] / 1e6:.3g} M" for share in SHARES]
        reporter.show_table(("optimizer", "seeds", *headings, "±"), rows)
        reporter.say(
            f"{score_unit(game)} of the recommended player after this many hands of training, mean "
            "over the seeds; ±: half-width of the 95% interval of the last column"
        )
        reporter.say(f"Written: {', '.join(map(str, save_curves(self.out, curves)))}")

        def picture() -> Path:
            return draw_comparison(curves, config, self.out / "comparison.png")

        draw(picture, reporter, again=f"study compare --only report --out {self.out}")


SHARES = (0.25, 0.5, 1.0)
"""Fractions of the hands at which the table shows the scores."""


def given_values(arguments: Sequence[str], config: Config) -> tuple[str, ...]:
    """Names of the configuration values with a flag among the arguments.

    >>> given_values(["compare", "--test-blocks", "50", "--seeds=3"], Config())
    ('test_blocks',)
    """
    flags = [argument[2:].split("=")[0] for argument in arguments if argument[:2] == "--"]
    keys = [flag.removeprefix("no-").replace("-", "_") for flag in flags]
    known = config.values()
    return tuple(key for key in dict.fromkeys(keys) if key in known)
