"""Files of a meta-game: numbers and a picture."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evolve.evaluation.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, new_figure, save_figure
from evolve.evaluation.metagames.metagame import MetaGame
from evolve.files import safe as files

if TYPE_CHECKING:
    from matplotlib.colors import LinearSegmentedColormap

_MARKS = ("black", GREEN, PURPLE)
"""Colours of cycles, distinct from those of payoffs."""


def save_meta_games(
    games: Sequence[MetaGame], folder: Path, *, played: Mapping[str, Any], unit: str
) -> Path:
    """Writes ``metagame.json`` and returns its path.

    Args:
        games: Meta-game of each sub-population.
        folder: Where to write; made if it does not exist.
        played: Settings of the games, in plain values.
        unit: Unit of the payoffs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "metagame.json"
    values = {
        "played": dict(played),
        "unit": unit,
        "sub_populations": [game.as_dict() for game in games],
    }
    files.write_json(file, values)
    return file


def draw_meta_games(games: Sequence[MetaGame], path: Path, *, unit: str, title: str) -> Path:
    """Draws the payoff matrix of champions, with Nash and alpha-rank weights beside it.

    Blue cells are wins of the row champion. So a run that learns is blue below the diagonal, and
    one that forgets is blue above it. A dot marks a pair without a significant difference. Diamonds
    on the diagonal mark the players of a cycle, squares the wins in a shortest cycle.

    Args:
        games: Meta-game of each sub-population.
        path: The PNG to write.
        unit: Unit of the payoffs.
        title: Name of the run.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    figure = new_figure(9.2, 0.4 + 5.2 * len(games))
    panels = figure.subplots(
        len(games), 3, squeeze=False, gridspec_kw={"width_ratios": [5, 1.2, 1.2]}
    )
    for number, (row, game) in enumerate(zip(panels, games, strict=True), 1):
        heat, nash, alpha = row
        reach = max(float(np.abs(game.payoffs).max()), np.finfo(float).tiny)
        colours = _blue_to_orange()
        image = heat.imshow(game.payoffs, cmap=colours, vmin=-reach, vmax=reach, aspect="auto")
        unclear = ~(game.beats | game.beats.T) & ~np.eye(len(game), dtype=bool)
        rows, columns = np.nonzero(unclear)
        heat.plot(columns, rows, ".", color=GREY, markersize=3)
        for colour, cycle in zip(itertools.cycle(_MARKS), game.cycles):
            heat.plot(cycle.members, cycle.members, "D", color=colour, markersize=4)
            beaten = (*cycle.shortest[1:], cycle.shortest[0])
            heat.plot(beaten, cycle.shortest, "s", color=colour, markersize=9, fillstyle="none")
        ticks = np.unique(np.linspace(0, len(game) - 1, min(len(game), 8)).round().astype(int))
        heat.set_xticks(ticks, [game.names[i] for i in ticks])
        heat.set_yticks(ticks, [game.names[i] for i in ticks])
        heat.set_xlabel("against the champion of generation")
        name = f"sub-population {number}: " if len(games) > 1 else ""
        heat.set_ylabel(f"{name}champion of generation")
        figure.colorbar(image, ax=heat, location="left", label=unit, shrink=0.8)
        for axes, weights, heading, colour in (
            (nash, game.nash, "Nash weight", BLUE),
            (alpha, game.alpha_rank, "alpha-rank", ORANGE),
        ):
            axes.barh(np.arange(len(game)), weights, color=colour, height=0.8)
            axes.set_ylim(len(game) - 0.5, -0.5)
            axes.set_yticks([])
            axes.set_xlim(0.0, 1.05 * max(float(weights.max()), 0.1))
            axes.set_title(heading, fontsize=9)
            axes.spines[["top", "right"]].set_visible(False)
        later, earlier, neither = game.later_beat_earlier
        cycles = f"groups in cycles: {len(game.cycles)}" if game.cycles else "no cycle shown"
        heat.set_title(
            f"pairs: later beats earlier {later}, earlier beats later {earlier},\n"
            f"not shown {neither} (dots); {cycles}",
            fontsize=9,
        )
    figure.suptitle(title, fontsize=10)
    return save_figure(figure, path)


def _blue_to_orange() -> LinearSegmentedColormap:
    """Colour map from loss through white to win, safe for colour-blind readers."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("payoffs", [ORANGE, "white", BLUE])
