"""Map of playing styles: fitness over two behaviour measures. Needs Matplotlib.

The archive is one of pyribs, as from ``MAPElites.archive`` (extras ``plot`` and ``qd``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.measure.figures import new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_EMPTY = "#ececec"
_LEAST_SHARE = 0.05
"""Share of the cells, the worst, that have the colour of the worst of the others."""
_DPI = 130


def draw_style_map(
    archive: Any,
    path: Path,
    *,
    axes: Sequence[str] = ("hands entered before the flop (VPIP)", "aggression after the flop"),
    fitness: str = "fitness",
    title: str = "",
    players: Mapping[str, Sequence[float]] | None = None,
) -> Path:
    """Draws a grid archive of two measures, with a cell for every elite, coloured by fitness.

    Args:
        archive: A ``ribs.archives.GridArchive`` with two measures and at least one elite.
        path: The PNG to write.
        axes: Names of the two measures.
        fitness: Name of the objective, with its unit.
        title: Title of the figure; the line below it counts the filled cells.
        players: Known players to mark: their two measures by name.

    Raises:
        ImportError: Matplotlib is not installed.
        ValueError: The archive is empty or does not have two measures.
    """
    sides = tuple(int(n) for n in archive.dims)
    if len(sides) != 2:
        raise ValueError(f"a map needs two measures; the archive has {len(sides)}")
    if archive.empty:
        raise ValueError("the archive has nothing to draw yet: it is empty")
    found = archive.data()
    values = np.full(sides, np.nan)
    values[np.unravel_index(found["index"], sides)] = found["objective"]
    figure = new_figure(7.6, 6.2)
    panel = figure.subplots()
    panel.set_facecolor(_EMPTY)
    # A few players that lose far more than all others would leave these in one colour.
    least = float(np.nanquantile(values, _LEAST_SHARE))
    mesh = panel.pcolormesh(
        *archive.boundaries, values.T, cmap="viridis", vmin=least, rasterized=True
    )
    worse = "min" if np.nanmin(values) < least else "neither"
    figure.colorbar(mesh, ax=panel, label=fitness, extend=worse)
    panel.set_xlabel(axes[0])
    panel.set_ylabel(axes[1])
    across, up = (edges[[0, -1]] for edges in archive.boundaries)
    panel.set_xlim(*across)
    panel.set_ylim(*up)
    _mark(panel, players or {})
    filled = f"{len(found['index'])} of {values.size} cells filled"
    panel.set_title(f"{title}\n{filled}" if title else filled, fontsize=10)
    return save_figure(figure, path, dpi=_DPI)


def _mark(panel: Axes, players: Mapping[str, Sequence[float]]) -> None:
    """Draws a point and a name for every known player."""
    from matplotlib.patheffects import withStroke

    outline = [withStroke(linewidth=2.0, foreground="white")]
    marked: list[tuple[float, float]] = []
    places = [tuple(panel.transLimits.transform(each)) for each in players.values()]  # relative
    for (name, (x, y)), (across, up) in zip(players.items(), places, strict=True):
        # Below its point if above it the name would overlap another.
        crowded = any(abs(across - a) < 0.3 and abs(up - b) < 0.04 for a, b in marked)
        marked.append((across, up))
        # Left of its point, too, where the name would cover a point at its right.
        left = across > 0.7 or any(0 < a - across < 0.25 and abs(up - b) < 0.04 for a, b in places)
        panel.plot(
            [x], [y], "o", color="black", markersize=6, markeredgecolor="white", clip_on=False,
            zorder=4,
        )  # fmt: skip
        panel.annotate(
            name,
            (x, y),
            xytext=(-6 if left else 6, -11 if crowded else 4),
            textcoords="offset points",
            ha="right" if left else "left",
            fontsize=7.5,
            path_effects=outline,
            zorder=3,
        )
