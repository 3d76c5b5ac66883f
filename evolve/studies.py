"""Comparisons: variants of a run, trained with several seeds one after the other in one folder.

Every variant and seed has a run folder, for example ``cma-es-1``. All variants of a seed are
trained before the next seed, so that partial results are balanced. An interrupted comparison
resumes within its runs and has the same result.

Optimizers are compared at equal numbers of training hands. Runs with the same seed are tested on
the same cards. Results are in ``comparison.csv`` (one row per test) and ``curves.csv`` (mean and
95% interval over the seeds). The picture needs Matplotlib (extra ``plot``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from agents.match.workers.base import Workers
from agents.measure.figures import line_look, new_figure, save_figure
from agents.statistics.estimates import t_interval
from evolve.files import safe as files
from evolve.optimizers import OPTIMIZERS
from evolve.training.config import Config
from evolve.training.config_files import load_preset
from evolve.training.folder import RunFolder
from evolve.training.plots import label_scores
from evolve.training.run import RunCallback, finish_run
from evolve.training.state import State
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F64
from nlhe_env.system.python_files import file_label


@dataclass(frozen=True, kw_only=True)
class Comparison(ABC):
    """Settings of a comparison.

    Attributes:
        preset: Preset of all runs.
        variants: Names of the variants.
        seeds: Number of seeds.
        changes: Values of all runs that replace those of the preset.
        first_seed: The smallest of the seeds; the others follow it.
        called: Plural noun for the variants in messages.

    Raises:
        ValueError: A configuration is impossible, or there are no variants or seeds.
    """

    called: ClassVar[str]

    preset: str
    variants: tuple[str, ...]
    seeds: int
    changes: Mapping[str, Any]
    first_seed: int = 1

    def __post_init__(self) -> None:
        whole_number("seeds", self.seeds, least=1)
        if not self.variants or len(set(self.variants)) < len(self.variants):
            raise ValueError(
                f"{self.called} must not be empty or repeat a name; got {self.variants}"
            )
        for _, _, config in self.runs():
            State.initial_state(config)  # checks the options of the optimizer

    @abstractmethod
    def config(self, variant: str, seed: int) -> Config:
        """The configuration of a run.

        Raises:
            ValueError: There is no such variant.
        """

    def runs(self) -> Iterator[tuple[str, int, Config]]:
        """Variant, seed and configuration of every run, seed by seed."""
        for seed in range(self.first_seed, self.first_seed + self.seeds):
            for variant in self.variants:
                yield variant, seed, self.config(variant, seed)


def run_name(variant: str, seed: int) -> str:
    """Name of the folder of a run.

    >>> run_name("cma-es", 1)
    'cma-es-1'
    """
    return f"{file_label(variant)}-{seed}"


def train_runs(
    out: Path,
    comparison: Comparison,
    *,
    workers: Workers,
    listener: RunCallback,
    say: Callable[[str], None],
) -> Iterator[tuple[str, int, RunFolder]]:
    """Trains the unfinished runs, and yields each run once it is finished.

    Args:
        out: Folder of the comparison, new or from an earlier call.
        comparison: Settings of the comparison.
        workers: Workers for the games; their number does not change the result.
        listener: Callback for the progress of each run.
        say: Called with messages about the start of each run and about damaged checkpoints.

    Yields:
        Variant, seed and folder of the run.

    Raises:
        ValueError: The folder holds runs of another comparison.
    """
    out.mkdir(parents=True, exist_ok=True)
    for variant, seed, config in comparison.runs():
        path = out / run_name(variant, seed)
        folder = finish_run(path, config, workers=workers, listener=listener, say=say)
        yield variant, seed, folder


GRID = 50
"""Points of a mean learning curve, evenly spread over the hands."""


@dataclass(frozen=True, eq=False)
class Curve:
    """The learning curves of an optimizer.

    Attributes:
        optimizer: Its name.
        hands: ``(GRID,)`` hands of training, from 0.
        scores: ``(n_seeds, GRID)`` test scores of the deployable players, linearly interpolated.
    """

    optimizer: str
    hands: F64
    scores: F64

    @property
    def means(self) -> F64:
        """``(GRID,)`` mean scores over the seeds."""
        return np.asarray(self.scores.mean(axis=0))

    def intervals(self) -> tuple[F64, F64]:
        """95% intervals of the means, by the t-distribution over the seeds; nan for one seed."""
        n = len(self.scores)
        errors = np.full(GRID, np.nan)
        if n > 1:
            errors = self.scores.std(axis=0, ddof=1) / np.sqrt(n)
        pairs = zip(self.means.tolist(), errors.tolist(), strict=True)
        low, high = np.array([t_interval(mean, error, n - 1) for mean, error in pairs]).T
        return low, high


class OptimizerComparison(Comparison):
    """Settings of a comparison of optimizers."""

    called = "optimizers"

    def config(self, variant: str, seed: int) -> Config:
        """Configuration of the preset with this optimizer."""
        config = load_preset(self.preset, variant).with_values(**{**self.changes, "seed": seed})
        if not config.hands:
            raise ValueError("hands must be above 0: optimizers are compared at equal hands")
        return config


def run_comparison(
    out: Path,
    comparison: OptimizerComparison,
    *,
    workers: Workers,
    listener: RunCallback,
    say: Callable[[str], None],
) -> list[Curve]:
    """Trains the unfinished runs, and writes the results after each.

    The arguments are those of ``evolve.studies.train_runs``.
    """
    for _ in train_runs(out, comparison, workers=workers, listener=listener, say=say):
        save_curves(out, load_curves(out))
    return load_curves(out)


def load_curves(out: Path) -> list[Curve]:
    """Learning curves of the finished runs in a folder.

    Raises:
        ValueError: No run is finished.
    """
    found: dict[str, list[RunFolder]] = {}
    for path in sorted(out.glob("*-[0-9]*/config.toml")):
        folder = RunFolder.open(path.parent)
        config, trials = folder.load_config(), folder.trials()
        if trials and not config.goes_on(trials[-1]["generation"], trials[-1]["hands"]):
            found.setdefault(config.kind("optimizer"), []).append(folder)
    if not found:
        raise ValueError(f"{out} contains no finished comparison runs")
    most = min(folder.load_config().hands for folders in found.values() for folder in folders)
    grid = np.linspace(0.0, most, GRID)
    order = {name: i for i, name in enumerate(OPTIMIZERS)}  # own ones may not be loaded now
    return [
        Curve(name, grid, np.array([_interpolated(folder, grid) for folder in folders]))
        for name, folders in sorted(
            found.items(), key=lambda one: (order.get(one[0], len(order)), one[0])
        )
    ]


def save_curves(out: Path, curves: Sequence[Curve]) -> list[Path]:
    """Writes ``comparison.csv`` and ``curves.csv`` and returns their paths."""
    tests = [
        {"optimizer": config.kind("optimizer"), "seed": config.seed}
        | {key: trial[key] for key in ("generation", "hands", "score", "error")}
        for path in sorted(out.glob("*-[0-9]*/config.toml"))
        for folder in [RunFolder.open(path.parent)]
        for config in [folder.load_config()]
        for trial in folder.trials()
    ]
    means = []
    for curve in curves:
        for hands, mean, low, high in zip(
            curve.hands, curve.means, *curve.intervals(), strict=True
        ):
            row = {"hands": int(hands), "mean": float(mean), "low": float(low), "high": float(high)}
            means.append({"optimizer": curve.optimizer, "seeds": len(curve.scores), **row})
    written = [out / "comparison.csv", out / "curves.csv"]
    files.write_csv(written[0], tests)
    files.write_csv(written[1], means)
    return written


def any_config(out: Path) -> Config:
    """The configuration of one of the runs in a folder."""
    return RunFolder.open(min(out.glob("*-[0-9]*"))).load_config()


def _interpolated(folder: RunFolder, grid: F64) -> F64:
    trials = folder.trials()
    hands = [trial["hands"] for trial in trials]
    scores: F64 = np.interp(grid, hands, [trial["score"] for trial in trials])
    return scores


def draw_comparison(curves: Sequence[Curve], config: Config, path: Path) -> Path:
    """Draws mean learning curves of optimizers with 95% intervals, over those of single seeds.

    Args:
        curves: Learning curves, one for each optimizer.
        config: Configuration of one of the runs.
        path: The PNG to write.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    figure = new_figure(8, 5)
    axes = figure.subplots()
    for i, curve in enumerate(curves):
        look = line_look(i, len(curve.hands))
        colour = look["color"]
        millions = curve.hands / 1e6
        low, high = curve.intervals()
        axes.plot(millions, curve.scores.T, color=colour, linewidth=0.5, alpha=0.4)
        axes.fill_between(millions, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(millions, curve.means, linewidth=1.8, label=curve.optimizer, **look)
    bounds = np.concatenate([curve.scores.ravel() for curve in curves])
    margin = 0.15 * max(float(np.ptp(bounds)), 1e-3)
    axes.set_ylim(bounds.min() - margin, bounds.max() + margin)
    label_scores(axes, config.make_game())
    axes.set_xlabel("hands of training, millions")
    axes.legend(fontsize=8)
    game = config.name.removesuffix("-" + file_label(config.kind("optimizer")))
    axes.set_title(
        f"{game}: recommended player against "
        f"{', '.join(config.tested_against)}; mean and 95% interval over "
        f"{max(len(curve.scores) for curve in curves)} seeds, single seeds thin",
        fontsize=9,
        wrap=True,
    )
    return save_figure(figure, path, dpi=150)
