"""Permutation importance for a run's champion on disk, and its picture.

Pictures need Matplotlib.
"""

from __future__ import annotations

from pathlib import Path

from evolve.evaluation.behaviour.permutation_importance import BLIND, PermutationImportance
from evolve.evaluation.figures import BLUE, GREY, ORANGE, new_figure, save_figure
from evolve.files import safe as files

_FILE = "permutation_importance.json"


def save_importance(
    importance: PermutationImportance, folder: Path, *, stem: str = "permutation_importance"
) -> Path:
    """Writes ``permutation_importance.json`` and returns its path."""
    path = folder / f"{stem}.json"
    files.write_json(path, importance.as_dict())
    return path


def load_importance(folder: Path) -> PermutationImportance | None:
    """Permutation importance for a run's champion; None if not measured."""
    path = folder / _FILE
    return PermutationImportance.of_dict(files.read_json(path)) if path.exists() else None


def draw_importance(importance: PermutationImportance, path: Path, *, title: str) -> Path:
    """Draws bars of the importance of each part of the inputs.

    Args:
        importance: Importance for the player.
        path: The PNG to write.
        title: Title of the figure, which names the player.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    names = list(importance.moves)
    figure = new_figure(6.5, 1.4 + 0.3 * len(names))
    axes = figure.subplots()
    colours = [ORANGE if importance.moves[name] < BLIND else BLUE for name in names]
    axes.barh(range(len(names)), list(importance.moves.values()), color=colours, height=0.7)
    for row, name in enumerate(names):
        axes.annotate(
            f"{importance.moves[name]:.3f}",
            (importance.moves[name], row),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    axes.axvline(BLIND, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(0.0, max(0.1, *importance.moves.values()) * 1.15)
    axes.set_xlabel("total variation of the action chances when the input is exchanged")
    units = (
        ""
        if importance.saturated is None
        else f"; {importance.saturated:.0%} of units at their ends"
    )
    axes.set_title(f"{title}: {importance.inputs}{units}", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    return save_figure(figure, path)
