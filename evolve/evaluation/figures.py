"""Figures of evaluations, progress fields and summaries. Needs Matplotlib.

Better values are higher: the first place is at the top. Bands and bars are 95% intervals. The
colours are those of Okabe and Ito, which colour-blind readers can distinguish; lines in one panel
also differ in dashes and markers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from agents import Ranking
from agents.statistics.estimates import Z95
from evolve.evaluation.aivat_report import ALL_IN, DIVAT, LUCK, MONEY, PlayerResults
from evolve.evaluation.progress import ProgressField

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, GREY, LIGHT = "#56B4E9", "#6b6b6b", "#b8b8b8"
LINES = (
    *(BLUE, ORANGE, GREEN, PURPLE, SKY, "#E69F00", "black"),
    *("#999999", "#8B4513", "#66CC33"),
)
_DASHES = ("-", "--", "-.", (0, (5, 1, 1, 1, 1, 1)), (0, (2, 1)), (0, (8, 2)), ":")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "p", ">")
_MARKS = 8
"""Markers along a line."""
_DPI = 110


def new_figure(width: float, height: float) -> Figure:
    """An empty figure; the size is in inches.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save_figure(figure: Figure, path: Path, *, dpi: int = _DPI) -> Path:
    """Writes a PNG atomically; equal figures have equal bytes."""
    temporary = path.with_name(f"{path.stem}.tmp.png")
    figure.savefig(temporary, dpi=dpi, metadata={"Software": None})
    return temporary.replace(path)


def line_look(i: int, n_points: int) -> dict[str, Any]:
    """Colour, dashes and markers of line ``i`` of several, as arguments of ``Axes.plot``.

    Args:
        i: Number of the line, from 0.
        n_points: Points of the line; a few of them are marked, of each line other ones.
    """
    step = max(1, n_points // _MARKS)
    return {
        "color": LINES[i % len(LINES)],
        "linestyle": _DASHES[i % len(_DASHES)],
        "marker": _MARKERS[i % len(_MARKERS)],
        "markevery": (i * step // len(LINES) % step, step),
        "markersize": 4,
    }


def draw_evaluation(rows: Sequence[dict[str, Any]], path: Path, *, title: str) -> Path:
    """Draws the mean places of an evaluation with 95% intervals, best first.

    Args:
        rows: Rows of ``Evaluation.rows``.
        path: The PNG to write.
        title: Title of the figure.
    """
    figure = new_figure(1.6 + 0.75 * len(rows), 3.8)
    axes = figure.subplots()
    positions = np.arange(len(rows))
    places = np.array([row["mean_place"] for row in rows])
    reaches = np.array([row["high"] - row["mean_place"] for row in rows])
    colours = [ORANGE if row["evaluated"] else BLUE for row in rows]
    axes.vlines(positions, places - reaches, places + reaches, colors=colours, linewidth=2)
    axes.scatter(positions, places, color=colours, s=36, zorder=3)
    for position, place, reach in zip(positions, places, np.nan_to_num(reaches), strict=True):
        axes.annotate(
            f"{place:.2f}",
            (position, place - reach),
            xytext=(0, 5),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.axhline((len(rows) + 1) / 2, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xticks(positions, [row["player"] for row in rows], rotation=35, ha="right")
    axes.get_xticklabels()[[bool(row["evaluated"]) for row in rows].index(True)].set_fontweight(
        "bold"
    )
    low, high = min(places - np.nan_to_num(reaches)), max(places + np.nan_to_num(reaches))
    margin = 0.12 * max(high - low, 0.5)
    axes.set_ylim(high + margin, low - 1.6 * margin)
    axes.set_ylabel("mean place (up is better)")
    axes.set_title(title, fontsize=9)
    _plain(axes)
    return save_figure(figure, path)


def draw_fields(fields: Sequence[ProgressField], path: Path, *, title: str) -> Path:
    """Draws mean places with 95% intervals by generation, one panel per field.

    Args:
        fields: Progress field of each sub-population.
        path: The PNG to write.
        title: Name of the run.
    """
    figure = new_figure(7.5, 0.6 + 3.2 * len(fields))
    panels = figure.subplots(len(fields), 1, squeeze=False)[:, 0]
    for axes, field in zip(panels, fields, strict=True):
        places, errors = np.array(field.places), np.array(field.errors)
        low, high = places - Z95 * errors, places + Z95 * errors
        axes.fill_between(
            field.generations, low, high, color=SKY, alpha=0.4, linewidth=0, label="95% interval"
        )
        axes.plot(field.generations, places, color=BLUE, linewidth=0.8, label="mean place")
        axes.plot(
            field.generations, field.smoothed, color=ORANGE, linewidth=1.8, linestyle="--",
            label="smoothed",
        )  # fmt: skip
        axes.axhline((field.players + 1) / 2, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_xlabel("generation")
        axes.locator_params(axis="x", integer=True)
        axes.set_ylabel(f"mean place of {field.players}\n(up is better)")
        axes.invert_yaxis()
        name = f"sub-population {field.sub_population + 1}, " if len(fields) > 1 else ""
        axes.set_title(
            f"{name}{field.tournaments:,} tournaments; last fifth against first fifth "
            f"{field.gain:+z.2f} ± {field.gain_error:.2f} places",
            fontsize=9,
        )
        _plain(axes)
    panels[0].legend(fontsize=8, loc="best")
    figure.suptitle(title, fontsize=10)
    return save_figure(figure, path)


@dataclass(frozen=True)
class EstimateRow:
    """One row of ``draw_estimates``.

    Attributes:
        name: Label of the row.
        values: One value per run.
        mean: Mean of the values.
        low: Lower bound of the mean; nan if unknown.
        high: Upper bound.
        published: The published values to compare with.
    """

    name: str
    values: Sequence[float]
    mean: float
    low: float
    high: float
    published: Sequence[float] = ()


def draw_estimates(
    estimates: Sequence[EstimateRow],
    path: Path,
    *,
    axis: str,
    title: str,
    reference: float | None = None,
) -> Path:
    """Draws rows of means with intervals, the single runs, and the published values.

    The values are places or differences of places. Smaller is better, so smaller values are at the
    right, and the best row should come first.

    Args:
        estimates: Rows from top to bottom.
        path: The PNG to write.
        axis: Label of the values.
        title: Title of the figure.
        reference: A value to mark with a dotted line.
    """
    figure = new_figure(7.5, 1.3 + 0.36 * len(estimates))
    axes = figure.subplots()
    bounds: list[float] = []
    for row, estimate in enumerate(estimates):
        bounds += [*estimate.values, *estimate.published, estimate.mean]
        runs = "single runs" if row == 0 else None
        axes.plot(
            estimate.values, np.full(len(estimate.values), row + 0.2), "o",
            color=SKY, markersize=4, label=runs,
        )  # fmt: skip
        if np.isfinite(estimate.low):
            axes.plot([estimate.low, estimate.high], [row, row], color=BLUE, linewidth=1.6)
        mean = "mean over seeds, 95% interval" if row == 0 else None
        axes.plot([estimate.mean], [row], "s", color=BLUE, markersize=6, label=mean)
        if estimate.published:
            axes.plot(
                estimate.published, np.full(len(estimate.published), row - 0.2), "D",
                color=ORANGE, markersize=5, markerfacecolor="none",
            )  # fmt: skip
    if any(estimate.published for estimate in estimates):
        axes.plot(
            [], [], "D", color=ORANGE, markersize=5, markerfacecolor="none", label="published"
        )
    if reference is not None:
        axes.axvline(reference, color=GREY, linewidth=0.8, linestyle=":")
    # With few seeds an interval can be much wider than the points; it is cut at the scale.
    reach = max(max(bounds) - min(bounds), 0.1)
    lows = [estimate.low for estimate in estimates if np.isfinite(estimate.low)]
    highs = [estimate.high for estimate in estimates if np.isfinite(estimate.high)]
    axes.set_xlim(
        min(max([*bounds, *highs]), max(bounds) + 0.6 * reach) + 0.04 * reach,
        max(min([*bounds, *lows]), min(bounds) - 0.6 * reach) - 0.04 * reach,
    )
    axes.set_yticks(range(len(estimates)), [estimate.name for estimate in estimates])
    axes.set_ylim(len(estimates) - 0.5, -0.5)
    axes.set_xlabel(axis)
    axes.set_title(title, fontsize=10)
    axes.grid(axis="x", color=LIGHT, linewidth=0.4)
    _plain(axes)
    figure.legend(fontsize=8, loc="outside lower center", ncols=3)
    return save_figure(figure, path)


def draw_runs(
    panels: Sequence[Sequence[tuple[str, ProgressField]]], path: Path, *, title: str
) -> Path:
    """Draws the smoothed progress of several runs of one experiment, over places with intervals.

    Args:
        panels: For each panel (sub-population), label and field of every run.
        path: The PNG to write.
        title: Title of the figure.
    """
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure = new_figure(6.0 if columns == 1 else 9.0, 0.3 + 2.9 * rows)
    grid = figure.subplots(rows, columns, squeeze=False, sharey=True)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    for number, (axes, runs) in enumerate(zip(grid.flat, panels, strict=False), 1):
        for i, (label, field) in enumerate(runs):
            look = line_look(i, len(field.generations))
            colour = look["color"]
            places, errors = np.array(field.places), np.array(field.errors)
            low, high = places - Z95 * errors, places + Z95 * errors
            axes.fill_between(field.generations, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.plot(field.generations, places, color=colour, linewidth=0.5, alpha=0.5)
            axes.plot(field.generations, field.smoothed, linewidth=1.6, label=label, **look)
        players = max(field.players for _, field in runs)
        axes.axhline((players + 1) / 2, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_xlabel("generation")
        axes.locator_params(axis="x", integer=True)
        if (number - 1) % columns == 0:
            axes.set_ylabel(f"mean place of {players}\n(up is better)")
        if len(panels) > 1:
            axes.set_title(f"sub-population {number}", fontsize=9)
        _plain(axes)
    grid[0, 0].invert_yaxis()  # one for all panels
    grid[0, 0].legend(fontsize=7, loc="best")
    figure.suptitle(f"{title}, smoothed; thin: each generation, 95% interval", fontsize=10)
    return save_figure(figure, path)


def _plain(axes: Axes) -> None:
    """Removes frame lines without numbers."""
    axes.spines[["top", "right"]].set_visible(False)


def draw_variance_reduction(player: PlayerResults, path: Path) -> Path:
    """Draws a player's winnings by money, DIVAT and card luck, over the hands.

    Args:
        player: The player; without DIVAT, money and all-in equity are drawn.
        path: The PNG to write.
    """
    figure = new_figure(7.0, 4.0)
    axes = figure.subplots()
    measures = (MONEY, DIVAT, LUCK) if player.streets else (MONEY, ALL_IN)
    for i, measure in enumerate(measures):
        values = np.cumsum(player.array(measure))
        # The lines are too rough for dashes.
        look = line_look(i, len(values)) | {"linestyle": "-", "markersize": 8}
        look["markeredgecolor"] = "white"
        axes.plot(np.arange(1, len(values) + 1), values, linewidth=1.1, label=measure, **look)
    axes.axhline(0.0, color=GREY, linewidth=0.8)
    axes.set(title=player.name, xlabel="hands", ylabel="big blinds")
    axes.legend(frameon=False)
    return save_figure(figure, path)


def draw_rankings(rankings: Mapping[str, Ranking], path: Path, *, unit: str) -> Path:
    """Draws the means of some players with 95% intervals by measure, best first.

    Title and legend say with what chance the first is the best, and how many pairs of players the
    results put in order at 5%, by Holm's method.

    Args:
        rankings: Ranking by measure, of the same players and in the same unit; the first one orders
            them, and the last one has the widest lines.
        path: The PNG to write.
        unit: Unit of the means.
    """
    shown = next(iter(rankings.values()))
    n = len(shown.order)
    figure = new_figure(7.5, 1.5 + (0.3 + 0.14 * len(rankings)) * n)
    axes = figure.subplots()
    for k, (measure, ranking) in enumerate(rankings.items()):
        rows = {row["player"]: row for row in ranking.rows()}
        own = [rows[shown.names[i]] for i in shown.order]
        means = np.array([row["mean"] for row in own])
        reaches = np.nan_to_num([row["high"] - row["mean"] for row in own])
        at = np.arange(n) + 0.2 * (k - (len(rankings) - 1) / 2)
        decided = f"{ranking.decided} of {len(ranking.pairs)} orders decided"
        axes.errorbar(
            means, at, xerr=reaches, fmt=_MARKERS[k], color=LINES[k], markersize=5,
            elinewidth=1.6, label=f"{measure}: {decided}",
        )  # fmt: skip
    best = shown.order[0]
    chances = [
        f"{ranking.first[best]:.0%} by {measure}"
        for measure, ranking in rankings.items()
        if math.isfinite(ranking.first[best])
    ]
    axes.set_title(f"{shown.names[best]} came first; the best it is with {', '.join(chances)}")
    axes.title.set_fontsize(9)
    axes.axvline(float(np.nanmean(shown.means)), color=GREY, linewidth=0.8, linestyle=":")
    labels = [f"{shown.names[i]}\nbest with {shown.first[i]:.0%}" for i in shown.order]
    axes.set_yticks(range(n), labels, fontsize=8)
    axes.set_ylim(n - 0.5, -0.5)
    if shown.lower_is_better:
        axes.invert_xaxis()
    axes.set_xlabel(f"{unit}, 95% intervals (right is better)")
    axes.grid(axis="x", color=LIGHT, linewidth=0.4)
    _plain(axes)
    figure.legend(fontsize=8, loc="outside lower center", ncols=len(rankings))
    return save_figure(figure, path)
