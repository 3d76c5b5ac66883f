"""``python -m evolve compare``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro

from agents.commands.common import usage_errors
from evolve.commands.common import WorkersOption, draw, run_usage_errors
from evolve.commands.report import Reporter
from evolve.commands.run_reporter import RunReporter
from evolve.optimizers import optimizer_names
from evolve.studies.optimizers import (
    Curve,
    OptimizerComparison,
    any_config,
    load_curves,
    run_comparison,
    save_curves,
)
from evolve.training.block_schedule import score_unit
from evolve.training.config import Config
from evolve.workers import parse_workers

_INSTEAD = {"seed": "--first-seed and --seeds", "optimizer": "--optimizers"}


@dataclass(frozen=True, kw_only=True)
class Compare:
    """Compare optimizers over several seeds at equal hands, and draw their learning curves.

    Flags of the configuration apply to all optimizers; other values suit each of them. Repeat
    the command to continue; more seeds or other optimizers are added.
    """

    preset: str = "heads-up"
    """The game, one of the presets that take any optimizer."""

    optimizers: tuple[str, ...] = tuple(name for name in optimizer_names() if name != "map-elites")
    """Names of the optimizers to compare, separated by spaces; default: all but map-elites,
    which looks for many players."""

    seeds: int = 3
    """Number of seeds, and so of runs of each optimizer."""

    first_seed: int = 1
    """The smallest of the seeds; the others follow it."""

    out: Path = Path("comparison")
    """Folder of the comparison."""

    show: bool = False
    """Show what is finished, without playing."""

    workers: WorkersOption = None

    settings: Annotated[Config, tyro.conf.arg(name="")] = field(default_factory=Config)

    given: tyro.conf.Suppress[tuple[str, ...]] = ()
    """Values of the configuration that all runs have instead of their presets'."""

    def run(self, reporter: Reporter) -> None:
        """Trains, prints the table and draws the picture."""
        if self.show:
            with usage_errors():
                curves = load_curves(self.out)
            self._show(curves, reporter)
            return
        with run_usage_errors():
            workers = parse_workers(self.workers)
            for key, instead in _INSTEAD.items():
                if key in self.given:
                    raise ValueError(f"--{key} is not for compare: it has {instead}")
            values = self.settings.values()
            changes = {key: values[key] for key in self.given}
            comparison = OptimizerComparison(
                self.preset, self.optimizers, self.seeds, changes, first_seed=self.first_seed
            )
            with workers:
                try:
                    curves = run_comparison(
                        self.out,
                        comparison,
                        workers=workers,
                        listener=RunReporter(reporter, every_s=15.0),
                        say=reporter.say,
                    )
                except KeyboardInterrupt:
                    reporter.say("Interrupted; repeat the command to continue.")
                    raise
        self._show(curves, reporter)

    def _show(self, curves: list[Curve], reporter: Reporter) -> None:
        config = any_config(self.out)
        game = config.make_game()
        digits, sign = 1 if game.is_cash else 3, game.sign
        rows = []
        for curve in sorted(curves, key=lambda curve: -sign * curve.means[-1]):
            low, high = curve.intervals()
            cells = [f"{curve.means[round(share * (len(low) - 1))]:.{digits}f}" for share in SHARES]
            reach = (high[-1] - low[-1]) / 2
            rows.append([curve.optimizer, str(len(curve.scores)), *cells, f"{reach:.{digits}f}"])
        headings = [f"after {share * curves[0].hands[-1] / 1e6:.3g} M" for share in SHARES]
        reporter.show_table(("optimizer", "seeds", *headings, "±"), rows)
        reporter.say(
            f"{score_unit(game)} of the deployable player after so many hands of training, mean "
            "over the seeds; ±: half-width of the 95% interval of the last column"
        )
        reporter.say(f"Written: {', '.join(map(str, save_curves(self.out, curves)))}")

        def picture() -> Path:
            from evolve.studies.optimizer_plots import draw_comparison

            return draw_comparison(curves, config, self.out / "comparison.png")

        draw(picture, reporter, again=f"compare --show --out {self.out}")


SHARES = (0.25, 0.5, 1.0)
"""Parts of the hands at which the table shows the scores."""


def given_values(arguments: Sequence[str], config: Config) -> tuple[str, ...]:
    """The values of a configuration that have a flag among the arguments.

    >>> given_values(["compare", "--test-blocks", "50", "--seeds=3"], Config())
    ('test_blocks',)
    """
    flags = [argument[2:].split("=")[0] for argument in arguments if argument[:2] == "--"]
    keys = [flag.removeprefix("no-").replace("-", "_") for flag in flags]
    known = config.values()
    return tuple(key for key in dict.fromkeys(keys) if key in known)
