"""The picture of a run. Needs Matplotlib (extra ``plot``)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evolve.evaluation.figures import BLUE, GREY, ORANGE, new_figure, save_figure
from evolve.evaluation.progress import Progress, load_progress
from evolve.files.safe import read_lines
from evolve.training.store import RunFolder
from nlhe_env.machine.array_types import F64

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_run(folder: RunFolder) -> Path:
    """Draws the run so far and returns the path of the PNG.

    Above stands the mean place of the champions of all generations against each other and the
    static players, once it has been measured; below the places inside each generation.

    Raises:
        ImportError: Matplotlib is not installed.
        ValueError: No generation is finished.
    """
    metrics = read_lines(folder.metrics_file)
    if not metrics:
        raise ValueError(f"{folder.path} has nothing to draw yet: no generation is finished")
    progress = load_progress(folder.progress_file)
    figure = new_figure(9, 9 if progress else 4.5)
    panels = figure.subplots(2 if progress else 1, 1, squeeze=False)[:, 0]
    if progress:
        _draw_progress(panels[0], progress)
    _draw_generations(panels[-1], metrics)
    figure.suptitle(folder.path.name, fontsize=11)
    return save_figure(figure, folder.plot_file, dpi=150)


def _draw_progress(axes: Axes, progress: Progress) -> None:
    """Mean place of the champions against their generation, with marks for the static players."""
    axes.errorbar(
        progress.generations,
        progress.places,
        yerr=progress.errors,
        fmt="o-",
        color=BLUE,
        markersize=3,
        linewidth=1,
        elinewidth=1,
        label="best player of the generation (bars: standard error)",
    )
    marks = sorted(progress.static_players.items(), key=lambda mark: mark[1])
    shown = [*progress.places, *progress.static_players.values()]
    heights = _label_heights((place for _, place in marks), 0.04 * (max(shown) - min(shown)))
    for (name, place), height in zip(marks, heights, strict=True):
        axes.axhline(place, color=GREY, linewidth=0.8, linestyle=":")
        axes.annotate(
            name,
            (1.0, height),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=GREY,
        )
    axes.set_title(
        f"Progress: the champions against each other and the static players, "
        f"{progress.tournaments:,} tournaments",
        fontsize=10,
    )
    axes.set_xlabel("generation of the champion")
    axes.set_ylabel(f"mean place of {progress.players} (1 is best)")
    axes.invert_yaxis()
    axes.legend(fontsize=8, loc="best")


def _draw_generations(axes: Axes, metrics: list[dict[str, Any]]) -> None:
    """Places inside each generation, as a share of the field: 0 is first, 1 is last."""
    generations = [line["generation"] for line in metrics]
    rivals = np.array([line["players"] - 1 for line in metrics])

    def column(key: str) -> F64:
        # None becomes nan, which is not drawn.
        return np.array([line[key] for line in metrics], dtype=np.float64)

    best = (column("best_place") - 1) / rivals
    error = np.nan_to_num(column("best_place_error")) / rivals
    lower, median, upper = (column("quartile_places").T - 1) / rivals
    axes.fill_between(generations, lower, upper, color=BLUE, alpha=0.12, linewidth=0)
    axes.plot(generations, median, color=BLUE, linewidth=1, label="population: median, quartiles")
    axes.fill_between(generations, best - error, best + error, color=GREY, alpha=0.3, linewidth=0)
    axes.plot(
        generations, best, color="black", linewidth=1, label="best of the generation, std. error"
    )
    if any(line["hall_size"] for line in metrics):
        for key, style in (("mean", "-"), ("best", "--")):
            hall = (column(f"hall_{key}_place") - 1) / rivals
            axes.plot(
                generations,
                hall,
                color=ORANGE,
                linewidth=1,
                linestyle=style,
                label=f"hall of fame: {key}",
            )
    axes.set_title(
        "Places inside each generation (its own players only: not a measure of progress)",
        fontsize=10,
    )
    axes.set_xlabel("generation")
    axes.set_ylabel("mean place, 0 first to 1 last")
    axes.invert_yaxis()
    axes.legend(fontsize=8, ncols=2)


def _label_heights(places: Iterable[float], gap: float) -> list[float]:
    """Heights for labels at some places, in their order, moved down until ``gap`` apart."""
    heights: list[float] = []
    for place in places:
        heights.append(max(place, heights[-1] + gap) if heights else place)
    return heights
