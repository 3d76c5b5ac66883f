"""What all figures of results share. Needs Matplotlib.

Better values are higher, or at the right: the first place is at the top. Bands and bars are 95%
intervals. The colours are those of Okabe and Ito, which colour-blind readers can distinguish; lines
in one panel also differ in dashes and markers.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlhe_env.system.files import replacing

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
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "p", ">")
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
    show_names_as_they_are(figure)
    with replacing(path) as file:
        figure.savefig(file, format="png", dpi=dpi, metadata={"Software": None})
    return path


def show_names_as_they_are(figure: Figure) -> None:
    """Turns off mathematics in a figure's texts, where a name with two dollar signs is a formula.

    Labels of axes with other than linear scales are powers, and stay formulas.
    """
    from matplotlib.text import Text

    powers = {
        label
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        if axis.get_scale() != "linear"
        for label in (*axis.get_majorticklabels(), *axis.get_minorticklabels())
    }
    for text in figure.findobj(Text):
        if text not in powers:
            text.set_parse_math(False)
            # A name of a folder that is not UTF-8 has characters that cannot be drawn.
            text.set_text(text.get_text().encode(errors="replace").decode())


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
        "marker": MARKERS[i % len(MARKERS)],
        "markevery": (i * step // len(LINES) % step, step),
        "markersize": 4,
    }


def without_frame(axes: Axes) -> None:
    """Removes frame lines without numbers."""
    axes.spines[["top", "right"]].set_visible(False)
