"""Optimizers compared: several seeds of each, at equal numbers of hands.

A comparison is a folder with one search for every optimizer and seed in it, ``cma-es-1`` and so
on. Searches with the same seed are tested on the same cards. The work goes seed by seed through all
optimizers, so that whatever is finished is balanced; one that is interrupted is resumed inside its
searches, and comes to the same result. Results are in ``comparison.csv`` (one row per test) and
``curves.csv`` (mean and 95% interval over the seeds).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evolve.evaluation.statistics import t_interval
from evolve.files import safe as files
from evolve.training.search.config import SearchConfig
from evolve.training.search.folder import SearchFolder
from evolve.training.search.presets import OPTIMIZERS, load_search_preset
from evolve.training.search.run import SearchListener, search
from evolve.workers import Workers
from nlhe_env.machine.array_types import F64

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
class Comparison:
    """What is compared.

    Attributes:
        preset: A game of the presets.
        optimizers: Names.
        seeds: Number of seeds.
        changes: Values that all searches have instead of their presets', as ``hands``.
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
            raise ValueError(f"optimizers must name some, each once; got {self.optimizers}")
        for config, _ in self.searches():
            config.make_optimizer()
            if not config.hands:
                raise ValueError("hands must be above 0: optimizers are compared at equal hands")

    def searches(self) -> Iterator[tuple[SearchConfig, str]]:
        """The configuration of every search and the name of its folder, seed by seed."""
        for seed in range(self.first_seed, self.first_seed + self.seeds):
            for optimizer in self.optimizers:
                config = load_search_preset(self.preset, optimizer)
                config = dataclasses.replace(config, **(self.changes | {"seed": seed}))
                yield config, f"{optimizer}-{seed}"


def run_comparison(
    out: Path,
    comparison: Comparison,
    *,
    workers: Workers,
    listener: SearchListener,
    say: Callable[[str], None],
) -> list[Curve]:
    """Runs all searches that are not finished, and writes the results after each.

    Args:
        out: The folder, new or of an earlier call.
        comparison: What to compare.
        workers: Who plays; their number does not change the result.
        listener: Told about the progress of each search.
        say: Told which search begins, and about damaged checkpoints.

    Raises:
        ValueError: The folder holds searches of another comparison.
    """
    out.mkdir(parents=True, exist_ok=True)
    for config, name in comparison.searches():
        folder = SearchFolder.at(out / name, config)
        state = folder.restore(config, say=say)
        at = state.generation, state.hands
        if not config.goes_on(*at) and not config.trial_is_due(*at, state.tested):
            continue
        say(f"{name}: {config.hands:,} hands")
        search(folder, config, state, workers=workers, listener=listener)
        save_curves(out, load_curves(out))
    return load_curves(out)


def load_curves(out: Path) -> list[Curve]:
    """The curves of the searches in a folder that have come as far as they should.

    Raises:
        ValueError: There is none.
    """
    found: dict[str, list[SearchFolder]] = {}
    for optimizer in OPTIMIZERS:
        for path in sorted(out.glob(f"{optimizer}-[0-9]*")):
            folder = SearchFolder.open(path)
            config, trials = folder.load_config(), folder.trials()
            finished = trials and not config.goes_on(trials[-1]["generation"], trials[-1]["hands"])
            if config.optimizer == optimizer and finished:
                found.setdefault(optimizer, []).append(folder)
    if not found:
        raise ValueError(f"{out} holds no finished search of a comparison")
    most = min(folder.load_config().hands for folders in found.values() for folder in folders)
    grid = np.linspace(0.0, most, GRID)
    return [
        Curve(name, grid, np.array([_interpolated(folder, grid) for folder in folders]))
        for name, folders in found.items()
    ]


def save_curves(out: Path, curves: Sequence[Curve]) -> list[Path]:
    """Writes ``comparison.csv`` and ``curves.csv`` and returns their paths."""
    tests = [
        {"optimizer": config.optimizer, "seed": config.seed}
        | {key: trial[key] for key in ("generation", "hands", "score", "error")}
        for path in sorted(out.glob("*-[0-9]*/config.toml"))
        for folder in [SearchFolder.open(path.parent)]
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


def any_config(out: Path) -> SearchConfig:
    """The configuration of one of the searches in a folder."""
    return SearchFolder.open(min(out.glob("*-[0-9]*"))).load_config()


def _interpolated(folder: SearchFolder, grid: F64) -> F64:
    trials = folder.trials()
    hands = [trial["hands"] for trial in trials]
    scores: F64 = np.interp(grid, hands, [trial["score"] for trial in trials])
    return scores
