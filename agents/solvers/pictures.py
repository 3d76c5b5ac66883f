"""Strategies as pictures. Needs Matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.solvers.hand_grids import EMPTY, HandGrid, action_colours
from nlhe_env.jit.array_types import F64

if TYPE_CHECKING:
    from matplotlib.patches import Rectangle

_DPI = 120


def picture_formats() -> tuple[str, ...]:
    """Suffixes of pictures that can be drawn, without the dot.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    return tuple(sorted(FigureCanvasAgg.get_supported_filetypes()))


def draw_hand_grid(grid: HandGrid, path: Path, *, title: str = "") -> Path:
    """Draw a decision: a cell for each class, filled with its actions as far as it is reached.

    Args:
        grid: The decision.
        path: The picture to write; its suffix says the format.
        title: Title of the picture.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    figure = Figure(figsize=(7.4, 8.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    colours = action_colours(grid.actions)
    size = len(grid.weights)
    full = _holdings(size)
    for row, column in np.ndindex(full.shape):
        axes.add_patch(_box(column, row, 1.0, 1.0, EMPTY))
        height = min(1.0, float(grid.weights[row, column] / full[row, column]))
        left = float(column)
        if height > 0:
            for chance, colour in zip(grid.chances[:, row, column], colours, strict=True):
                axes.add_patch(_box(left, row + 1 - height, chance, height, colour))
                left += chance
        name = grid.name(row, column)
        axes.text(column + 0.5, row + 0.5, name, ha="center", va="center", fontsize=8)
    axes.hlines(range(size + 1), 0, size, color="white", linewidth=1.2)
    axes.vlines(range(size + 1), 0, size, color="white", linewidth=1.2)
    axes.set(xlim=(0, size), ylim=(size, 0), aspect="equal", title=title)
    axes.set_axis_off()
    labels = [
        f"{action} {share:.1%}"
        for action, share in zip(grid.actions, grid.frequencies, strict=True)
    ]
    patches = [Patch(color=c, label=label) for c, label in zip(colours, labels, strict=True)]
    figure.legend(handles=patches, loc="outside lower center", ncols=4, frameon=False)
    figure.savefig(path, dpi=_DPI)
    return path


def _box(left: float, top: float, width: float, height: float, colour: str) -> Rectangle:
    from matplotlib.patches import Rectangle

    return Rectangle((left, top), width, height, color=colour, linewidth=0)


def _holdings(size: int) -> F64:
    """``(size, size)`` holdings of each class."""
    offsuit, suited = np.full((2, size, size), [[[12.0]], [[4.0]]])
    pairs = 6.0 * np.eye(size)
    holdings: F64 = np.tril(offsuit, -1) + np.triu(suited, 1) + pairs
    return holdings
