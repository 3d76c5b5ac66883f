"""Optimizers compared: several seeds of each, at equal numbers of hands.

A comparison is a folder with one run for every optimizer and seed in it, ``cma-es-1`` and so
on. Runs with the same seed are tested on the same cards. The work goes seed by seed through all
optimizers, so that whatever is finished is balanced; one that is interrupted is resumed inside its
runs, and ends with the same result. Results are in ``comparison.csv`` (one row per test) and
``curves.csv`` (mean and 95% interval over the seeds).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evolve.evaluation.statistics.samples import t_interval
from evolve.files import safe as files
from evolve.files.lock import locked
from evolve.optimizers import optimizer_names
from evolve.training.config import Config, kind_of
from evolve.training.config_files import load_preset
from evolve.training.folder import RunFolder
from evolve.training.run import RunCallback, train
from evolve.training.state import State
from evolve.workers import Workers
from nlhe_env.jit.array_types import F64

GRID = 50
"""Points of a mean learning curve, evenly spread over the hands."""


@dataclass(frozen=True, eq=False)
class Curve:
    """The learning curves of an optimizer.

    Attributes:
        optimizer: Its name.
        hands: ``(GRID,)`` hands of training, from 0.
        scores: ``(n_seeds, GRID)`` of the deployable players, between tests by straight lines.
    """

    optimizer: str
    hands: F64
    scores: F64

    @property
    def means(self) -> F64:
        """``(GRID,)`` over the seeds."""
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


@dataclass(frozen=True)
class OptimizerComparison:
    """Settings of a comparison of optimizers.

    Attributes:
        preset: A game of the presets.
        optimizers: Names.
        seeds: Number of seeds.
        changes: Values that all runs have instead of their presets', as ``hands``.
        first_seed: The smallest of the seeds; the others follow it.

    Raises:
        ValueError: There is no such preset, optimizer, value, or number of seeds.
    """

    preset: str
    optimizers: tuple[str, ...]
    seeds: int
    changes: dict[str, Any]
    first_seed: int = 1

    def __post_init__(self) -> None:
        if self.seeds < 1:
            raise ValueError(f"seeds must be at least 1; got {self.seeds}")
        if not self.optimizers or len(set(self.optimizers)) < len(self.optimizers):
            raise ValueError(
                f"optimizers must name at least one optimizer, each once; got {self.optimizers}"
            )
        for config, _ in self.runs():
            State.initial_state(config)  # checks the options of the optimizer
            if not config.hands:
                raise ValueError("hands must be above 0: optimizers are compared at equal hands")

    def runs(self) -> Iterator[tuple[Config, str]]:
        """The configuration of every run and the name of its folder, seed by seed."""
        for seed in range(self.first_seed, self.first_seed + self.seeds):
            for optimizer in self.optimizers:
                config = load_preset(self.preset, optimizer)
                yield config.with_values(**self.changes | {"seed": seed}), f"{optimizer}-{seed}"


def run_comparison(
    out: Path,
    comparison: OptimizerComparison,
    *,
    workers: Workers,
    listener: RunCallback,
    say: Callable[[str], None],
) -> list[Curve]:
    """Runs all runs that are not finished, and writes the results after each.

    Args:
        out: The folder, new or of an earlier call.
        comparison: Settings of the comparison.
        workers: Workers that play; their number does not change the result.
        listener: Run callback that is called with the progress of each run.
        say: Called with messages: which run begins, and about damaged checkpoints.

    Raises:
        ValueError: The folder holds runs of another comparison.
    """
    out.mkdir(parents=True, exist_ok=True)
    for config, name in comparison.runs():
        folder = RunFolder.at(out / name, config)
        with locked(folder.path):
            state = folder.restore(config, say=say)
            at = state.generation, state.hands
            if not config.goes_on(*at) and not config.test_is_due(*at, state.tested):
                continue
            say(f"{name}: {config.hands:,} hands")
            train(folder, config, state, workers=workers, listener=listener)
        save_curves(out, load_curves(out))
    return load_curves(out)


def load_curves(out: Path) -> list[Curve]:
    """The curves of the runs in a folder that have come as far as they should.

    Raises:
        ValueError: There is none.
    """
    found: dict[str, list[RunFolder]] = {}
    for optimizer in optimizer_names():
        for path in sorted(out.glob(f"{optimizer}-[0-9]*")):
            folder = RunFolder.open(path)
            config, trials = folder.load_config(), folder.trials()
            finished = trials and not config.goes_on(trials[-1]["generation"], trials[-1]["hands"])
            if kind_of(config, "optimizer") == optimizer and finished:
                found.setdefault(optimizer, []).append(folder)
    if not found:
        raise ValueError(f"{out} holds no finished run of a comparison")
    most = min(folder.load_config().hands for folders in found.values() for folder in folders)
    grid = np.linspace(0.0, most, GRID)
    return [
        Curve(name, grid, np.array([_interpolated(folder, grid) for folder in folders]))
        for name, folders in found.items()
    ]


def save_curves(out: Path, curves: Sequence[Curve]) -> list[Path]:
    """Writes ``comparison.csv`` and ``curves.csv`` and returns their paths."""
    tests = [
        {"optimizer": kind_of(config, "optimizer"), "seed": config.seed}
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
