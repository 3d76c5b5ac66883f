"""``python -m evolve compare``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro

from agents.commands.common import usage_errors
from evolve.commands.common import WorkersOption, draw
from evolve.report import Reporter
from evolve.search.comparison import (
    Comparison,
    Curve,
    any_config,
    changes_of,
    load_curves,
    run_comparison,
    save_curves,
)
from evolve.search.config import SearchConfig
from evolve.search.presets import OPTIMIZERS
from evolve.search.report import SearchReporter
from evolve.workers import parse_workers


@dataclass(frozen=True, kw_only=True)
class Compare:
    """Compare optimizers over several seeds at equal hands, and draw their learning curves.

    Flags of the configuration count for all optimizers; what they leave out suits each of them.
    Called again with the same values it goes on where it was.
    """

    preset: str = "heads-up"
    """The game, a preset of the command "optimize"."""

    optimizers: tuple[str, ...] = tuple(name for name in OPTIMIZERS if name != "map-elites")
    """Which ones to compare; all but map-elites, which looks for many players, by default."""

    seeds: int = 3
    """Searches of each, with the seeds 1, 2, ..."""

    out: Path = Path("comparison")
    """Folder of the comparison."""

    show: bool = False
    """Play nothing, and show what is finished."""

    workers: WorkersOption = None

    settings: Annotated[SearchConfig, tyro.conf.arg(name="")] = field(default_factory=SearchConfig)

    def run(self, reporter: Reporter) -> None:
        """Searches, prints the table and draws the picture."""
        if self.show:
            with usage_errors():
                curves = load_curves(self.out)
            self._show(curves, reporter)
            return
        with usage_errors():
            workers = parse_workers(self.workers)
            changes = changes_of(self.settings, self.preset)
            for key in ("seed", "optimizer"):
                if key in changes:
                    raise ValueError(f"--{key} is not for compare: it has --{key}s")
            comparison = Comparison(self.preset, self.optimizers, self.seeds, changes)
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
            from evolve.search.plots import draw_comparison

            return draw_comparison(curves, config, self.out / "comparison.png")

        draw(picture, reporter, again=f"compare --show --out {self.out}")


SHARES = (0.25, 0.5, 1.0)
"""Parts of the hands at which the table shows the scores."""
