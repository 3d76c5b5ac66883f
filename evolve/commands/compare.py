"""``python -m evolve compare``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated

import tyro

from agents.commands.common import usage_errors
from evolve.commands.common import WorkersOption, draw, search_usage_errors
from evolve.commands.report import Reporter
from evolve.training.search.comparison import (
    Comparison,
    Curve,
    any_config,
    load_curves,
    run_comparison,
    save_curves,
)
from evolve.training.search.config import SearchConfig
from evolve.training.search.presets import OPTIMIZERS
from evolve.training.search.report import SearchReporter
from evolve.workers import parse_workers

_INSTEAD = {"seed": "--first-seed and --seeds", "optimizer": "--optimizers"}


@dataclass(frozen=True, kw_only=True)
class Compare:
    """Compare optimizers over several seeds at equal hands, and draw their learning curves.

    Flags of the configuration count for all optimizers; what they leave out suits each of them.
    Called again with the same values it goes on where it was; with more seeds or other optimizers
    it adds them.
    """

    preset: str = "heads-up"
    """The game, a preset of the command "optimize"."""

    optimizers: tuple[str, ...] = tuple(name for name in OPTIMIZERS if name != "map-elites")
    """Which ones to compare, by names with spaces between; all but map-elites, which looks for many
    players, by default."""

    seeds: int = 3
    """Searches of each optimizer, with as many seeds."""

    first_seed: int = 1
    """The smallest of the seeds; the others follow it."""

    out: Path = Path("comparison")
    """Folder of the comparison."""

    show: bool = False
    """Play nothing, and show what is finished."""

    workers: WorkersOption = None

    settings: Annotated[SearchConfig, tyro.conf.arg(name="")] = field(default_factory=SearchConfig)

    given: tyro.conf.Suppress[tuple[str, ...]] = ()
    """Values of the configuration that all searches have instead of their presets'."""

    def run(self, reporter: Reporter) -> None:
        """Searches, prints the table and draws the picture."""
        if self.show:
            with usage_errors():
                curves = load_curves(self.out)
            self._show(curves, reporter)
            return
        with search_usage_errors():
            workers = parse_workers(self.workers)
            for key, instead in (
                ("seed", "--first-seed and --seeds"),
                ("optimizer", "--optimizers"),
            ):
                if key in self.given:
                    raise ValueError(f"--{key} is not for compare: it has {instead}")
            changes = {key: getattr(self.settings, key) for key in self.given}
            comparison = Comparison(
                self.preset, self.optimizers, self.seeds, changes, first_seed=self.first_seed
            )
            with workers:
                try:
                    curves = run_comparison(
                        self.out,
                        comparison,
                        workers=workers,
                        listener=SearchReporter(reporter, every_s=15.0),
                        say=reporter.say,
                    )
                except KeyboardInterrupt:
                    reporter.say("Interrupted; the same command goes on where it was.")
                    raise
        self._show(curves, reporter)

    def _show(self, curves: list[Curve], reporter: Reporter) -> None:
        config = any_config(self.out)
        digits = 1 if config.is_cash else 3
        sign = config.sign
        rows = []
        for curve in sorted(curves, key=lambda curve: -sign * curve.means[-1]):
            low, high = curve.intervals()
            cells = [f"{curve.means[round(share * (len(low) - 1))]:.{digits}f}" for share in SHARES]
            reach = (high[-1] - low[-1]) / 2
            rows.append([curve.optimizer, str(len(curve.scores)), *cells, f"{reach:.{digits}f}"])
        headings = [f"after {share * curves[0].hands[-1] / 1e6:.3g} M" for share in SHARES]
        reporter.show_table(("optimizer", "seeds", *headings, "±"), rows)
        reporter.say(
            f"{config.unit} of the deployable player after so many hands of training, mean over "
            "the seeds; ±: reach of the 95% interval of the last column"
        )
        reporter.say(f"Written: {', '.join(map(str, save_curves(self.out, curves)))}")

        def picture() -> Path:
            from evolve.training.search.plots import draw_comparison

            return draw_comparison(curves, config, self.out / "comparison.png")

        draw(picture, reporter, again=f"compare --show --out {self.out}")


SHARES = (0.25, 0.5, 1.0)
"""Parts of the hands at which the table shows the scores."""


def given_values(arguments: Sequence[str]) -> tuple[str, ...]:
    """The values of the configuration that have a flag among the arguments.

    >>> given_values(["compare", "--test-blocks", "50", "--no-novelty", "--seeds=3"])
    ('test_blocks', 'novelty')
    """
    flags = [argument[2:].split("=")[0] for argument in arguments if argument[:2] == "--"]
    keys = [flag.removeprefix("no-").replace("-", "_") for flag in flags]
    names = {field.name for field in fields(SearchConfig)}
    return tuple(key for key in dict.fromkeys(keys) if key in names)
