"""Pictures of searches. Need Matplotlib (extra ``plot``)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evolve.evaluation.figures import BLUE, GREY, LINES, ORANGE, new_figure, save_figure
from evolve.evaluation.statistics import t_interval
from evolve.files.safe import read_lines
from evolve.training.search.comparison import Curve
from evolve.training.search.config import SearchConfig
from evolve.training.search.folder import SearchFolder
from nlhe_env.machine.array_types import F64

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_search(folder: SearchFolder) -> Path:
    """Draws the learning curve of a search so far and returns the path of the PNG.

    Above stands the deployable player in its tests; below the candidates of the generations, whose
    opponents change as the pool does.

    Raises:
        ImportError: Matplotlib is not installed.
        ValueError: Nothing has been tested.
    """
    trials, metrics = folder.trials(), read_lines(folder.metrics_file)
    if not trials:
        raise ValueError(f"{folder.path} has nothing to draw yet: nothing has been tested")
    config = folder.load_config()
    figure = new_figure(8, 7 if metrics else 4)
    panels = figure.subplots(2 if metrics else 1, 1, squeeze=False, sharex=True)[:, 0]
    hands = np.array([trial["hands"] for trial in trials]) / 1e6
    scores = np.array([trial["score"] for trial in trials])
    low, high = np.array(
        [t_interval(trial["score"], trial["error"], config.test_blocks - 1) for trial in trials]
    ).T
    axes = panels[0]
    axes.fill_between(hands, low, high, color=BLUE, alpha=0.2, linewidth=0)
    axes.plot(hands, scores, "o-", color=BLUE, markersize=3, linewidth=1.2)
    axes.set_title(
        f"Deployable player against {', '.join(config.tested_against)} (test cards, 95% interval)",
        fontsize=9,
        wrap=True,
    )
    _label(axes, config)
    if metrics:
        _draw_candidates(panels[1], metrics, config)
    panels[-1].set_xlabel("hands of training, millions")
    figure.suptitle(folder.path.name, fontsize=11)
    return save_figure(figure, folder.plot_file, dpi=150)


def _draw_candidates(axes: Axes, metrics: list[dict[str, float]], config: SearchConfig) -> None:
    def column(key: str) -> F64:
        return np.array([line[key] for line in metrics], np.float64)

    hands, mean, deviation = column("hands") / 1e6, column("mean_score"), column("score_deviation")
    axes.fill_between(
        hands,
        mean - deviation,
        mean + deviation,
        color=GREY,
        alpha=0.25,
        linewidth=0,
        label="candidates: mean ± deviation",
    )
    axes.plot(hands, mean, color="black", linewidth=0.8)
    axes.plot(
        hands,
        column("best_score"),
        color=ORANGE,
        linewidth=0.6,
        alpha=0.8,
        label="luckiest of them",
    )
    axes.set_title("Candidates of each generation against its own opponents", fontsize=9)
    axes.legend(fontsize=8)
    _label(axes, config)


def _label(axes: Axes, config: SearchConfig) -> None:
    if config.is_cash:
        axes.axhline(0.0, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_ylabel("big blinds won in 100 hands")
    else:
        axes.set_ylabel(f"mean place of {config.seats} (1 is best)")
        axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)


def draw_comparison(curves: Sequence[Curve], config: SearchConfig, path: Path) -> Path:
    """Draws mean learning curves of optimizers with 95% intervals, over single seeds.

    Args:
        curves: One for each optimizer.
        config: Of one of the searches.
        path: The PNG to write.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    figure = new_figure(8, 5)
    axes = figure.subplots()
    for curve, colour in zip(curves, itertools.cycle(LINES)):
        millions = curve.hands / 1e6
        low, high = curve.intervals()
        axes.plot(millions, curve.scores.T, color=colour, linewidth=0.5, alpha=0.4)
        axes.fill_between(millions, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(millions, curve.means, color=colour, linewidth=1.8, label=curve.optimizer)
    bounds = np.concatenate([curve.scores.ravel() for curve in curves])
    margin = 0.15 * max(float(np.ptp(bounds)), 1e-3)
    axes.set_ylim(bounds.min() - margin, bounds.max() + margin)
    _label(axes, config)
    axes.set_xlabel("hands of training, millions")
    axes.legend(fontsize=8)
    axes.set_title(
        f"{config.name.removesuffix(f'-{config.optimizer}')}: deployable player against "
        f"{', '.join(config.tested_against)}; mean and 95% interval over "
        f"{max(len(curve.scores) for curve in curves)} seeds, single seeds thin",
        fontsize=9,
        wrap=True,
    )
    return save_figure(figure, path, dpi=150)
