"""The picture of a comparison. Needs Matplotlib (extra ``plot``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evolve.evaluation.figures import line_look, new_figure, save_figure
from evolve.studies.optimizers import Curve
from evolve.training.config import Config
from evolve.training.plots import label_scores
from nlhe_env.system.python_files import file_label


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
