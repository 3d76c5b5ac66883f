"""Results of a league as CSV files and as a picture, which needs Matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.measure.leagues.league_table import LeagueTable
from agents.statistics.estimates import Interval
from evolve.evaluation.figures import BLUE, GREY, new_figure, save_figure
from evolve.files import safe as files

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_ANNOTATED = 16
"""Largest number of players whose numbers fit into the cells."""


def save_league(
    table: LeagueTable, folder: Path, sure: Mapping[tuple[str, str], Interval] | None = None
) -> list[Path]:
    """Writes ``league.csv``, one row per player, and ``league-pairs.csv``; returns the paths.

    Args:
        table: The results.
        folder: Folder of the files.
        sure: Bounds of ``confidence_sequences`` by pair, valid at any number of looks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / "league.csv", folder / "league-pairs.csv"]
    files.write_csv(written[0], table.rows())
    files.write_csv(
        written[1], [row | _sure_of(row, table.middle, sure or {}) for row in table.pairs()]
    )
    return written


def _sure_of(
    row: Mapping[str, Any], middle: float, sure: Mapping[tuple[str, str], Interval]
) -> dict[str, float]:
    """Bounds of the score of the first of a pair against the second."""
    names = row["first"], row["second"]
    if names in sure:
        low, high = sure[names]
    elif names[::-1] in sure:
        low, high = (-bound for bound in sure[names[::-1]][::-1])
    else:
        return {}
    return {"sure_low": middle + low, "sure_high": middle + high}


def draw_league(table: LeagueTable, path: Path) -> Path:
    """Draws the scores with 95% intervals beside the matrix of all pairs; returns the path.

    Args:
        table: The results.
        path: Path of the PNG to write.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    n = len(table.names)
    size = max(2.6, 0.62 * min(n, _MOST_ANNOTATED) + 0.12 * max(0, n - _MOST_ANNOTATED))
    figure = new_figure(3.6 + 1.35 * size, 1.6 + size)
    left, right = figure.subplots(1, 2, width_ratios=(2.4, 1.35 * size))
    _draw_scores(table, left)
    _draw_matrix(table, right)
    kind = "heads-up" if table.settings.format == "heads-up" else "at common tables"
    figure.suptitle(
        f"{table.settings.mode} {kind}, {n} players, {table.hands:,} hands", fontsize=10
    )
    return save_figure(figure, path)


def _draw_scores(table: LeagueTable, axes: Axes) -> None:
    scores = [table.score(i) for i in table.order]
    means = np.array([score.difference for score in scores])
    lows = np.array([score.interval()[0] for score in scores])
    positions = np.arange(len(means))
    middle = 0.0 if table.settings.cash else float(np.mean(means))
    axes.axvline(middle, color=GREY, linewidth=0.8, linestyle=":")
    axes.errorbar(
        means,
        positions,
        xerr=np.nan_to_num(means - lows),
        fmt="o",
        color=BLUE,
        markersize=4,
        elinewidth=1,
        capsize=3,
    )
    axes.set_yticks(positions, [table.names[i] for i in table.order], fontsize=8)
    axes.set_ylim(len(means) - 0.5, -0.5)
    if table.settings.cash:
        axes.set_xlabel("big blinds won in 100 hands", fontsize=8)
    else:
        axes.set_xlabel("mean place (1 is best)", fontsize=8)
        axes.invert_xaxis()
    axes.tick_params(axis="x", labelsize=8)
    axes.locator_params(axis="x", nbins=4)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_matrix(table: LeagueTable, axes: Axes) -> None:
    order, n = table.order, len(table.order)
    values = np.full((n, n), np.nan)
    reaches = np.full((n, n), np.nan)
    for row, i in enumerate(order):
        for column, j in enumerate(order):
            if i != j:
                test = table.pair(i, j)
                values[row, column] = test.difference
                reaches[row, column] = test.difference - test.interval()[0]
    middle = 1.5 if not table.settings.cash and table.settings.format == "heads-up" else 0.0
    # Blue is good for the row player. The limit is a quantile, so that a few extreme pairs do not
    # make all others pale.
    gains = (values - middle) * (1.0 if table.settings.cash else -1.0)
    finite = np.abs(gains[np.isfinite(gains)])
    limit = float(np.quantile(finite, 0.8)) if finite.size else 1.0
    axes.imshow(gains, cmap="RdBu", vmin=-(limit or 1.0), vmax=limit or 1.0, aspect="auto")
    if n <= _MOST_ANNOTATED:
        digits = 0 if table.settings.cash else 2
        for row in range(n):
            for column in range(n):
                if not math.isnan(values[row, column]):
                    light = abs(gains[row, column]) > 0.7 * limit
                    axes.text(
                        column,
                        row,
                        f"{values[row, column]:+z.{digits}f}\n±{reaches[row, column]:.{digits}f}",
                        ha="center",
                        va="center",
                        fontsize=6.5,
                        color="white" if light else "black",
                    )
    names = [table.names[i] for i in order]
    axes.set_xticks(range(n), names, rotation=35, ha="right", fontsize=8)
    axes.set_yticks(range(n), names, fontsize=8)
    what = "big blinds in 100 hands" if table.settings.cash else "place"
    axes.set_title(
        f"{what}, row against column, ± 95% interval"
        if table.settings.format == "heads-up"
        else f"{what}: row minus column, ± 95% interval",
        fontsize=8,
    )
