"""A decision by the 169 classes of hole cards, in the square that players know, and its picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.solvers.solution import SolvedDecision
from nlhe_env.cards import RANKS
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.jit.array_types import F32, F64, I64

if TYPE_CHECKING:
    from matplotlib.patches import Rectangle

_N = len(RANKS)


# Passive actions are cold, bets the warmer the larger; colour-blind readers can distinguish them.
_FOLD, _CALL = "#56B4E9", "#009E73"
_BETS = ("#F0E442", "#E69F00", "#D55E00", "#8B1A1A", "#CC79A7")
EMPTY = "#ececec"
"""Colour of a class that is never held."""

_DPI = 120


@dataclass(frozen=True, eq=False)
class HandGrid:
    """Strategy of a player with each class of hole cards.

    Row and column 0 are aces, 12 twos; pairs lie on the diagonal, suited cards above it.
    """

    actions: tuple[str, ...]
    weights: F64
    """``(13, 13)`` holdings of a class with which the player reaches this, by probability."""
    chances: F64
    """``(actions, 13, 13)`` probabilities of each action; NaN where a class is never held."""
    values: F64
    """``(13, 13)`` chips, as ``SolvedDecision.values``, of the strategy; not a number likewise."""
    meetings: F64
    """``(13, 13)`` the sum of ``SolvedDecision.weights``: how often each class is held here, as
    both players reach this, up to a factor. Means over holdings and classes are weighted by it."""

    @classmethod
    def of(cls, decision: SolvedDecision, hands: I64) -> HandGrid:
        """The grid of a decision.

        Args:
            decision: A decision of a solved ``Subgame``.
            hands: ``(n, 2)`` what its player may hold: ``subgame.hands(decision.player)``.

        Raises:
            ValueError: The hands are not those of the decision.
        """
        if hands.shape != (len(decision.reach), 2):
            raise ValueError(
                f"hands must be the {len(decision.reach)} holdings of player {decision.player}; "
                f"got shape {hands.shape}"
            )
        cells = _cells_of(hands)

        def sums(numbers: F64) -> F64:
            return _sums(cells, numbers)

        held = decision.weights
        possible = held > 0
        meetings = sums(held)
        there = np.where(meetings > 0, meetings, np.nan)
        worth = (decision.chances * np.where(possible, decision.values, 0.0)).sum(axis=0)
        return cls(
            decision.actions,
            sums(np.where(possible, decision.reach, 0.0)),
            np.stack([sums(held * chances) / there for chances in decision.chances]),
            sums(held * worth) / there,
            meetings,
        )

    @classmethod
    def of_hands(cls, chances: Mapping[str, F64], reach: F64) -> HandGrid:
        """The grid of a policy over all hands; its values are unknown.

        Args:
            chances: ``(1326,)`` probabilities by action, the hand of cards a > b at C(a, 2) + b.
            reach: ``(1326,)`` probabilities of reaching the decision, likewise.
        """
        cells = _cells_of(HOLES)
        weights = _sums(cells, reach)
        there = np.where(weights > 0, weights, np.nan)
        of_classes = np.stack([_sums(cells, reach * chance) / there for chance in chances.values()])
        return cls(tuple(chances), weights, of_classes, np.full_like(weights, np.nan), weights)

    @property
    def frequencies(self) -> F64:
        """``(actions,)`` how often each action is taken, as ``SolvedDecision.frequencies``.

        Zeros where no hand comes.
        """
        taken: F64 = np.nansum(self.chances * self.meetings, axis=(1, 2))
        return taken / max(float(self.meetings.sum()), np.finfo(np.float64).tiny)

    def _repr_html_(self) -> str:
        """The square with the actions as colours, as notebooks show it."""
        colours = action_colours(self.actions)
        legend = " ".join(
            f'<span style="background:{colour};color:#000;padding:0 .4em">{action} {share:.1%}'
            "</span>"
            for action, colour, share in zip(self.actions, colours, self.frequencies, strict=True)
        )
        rows = "".join(
            "<tr>" + "".join(self._cell(row, column, colours) for column in range(_N)) + "</tr>"
            for row in range(_N)
        )
        return f'<p>{legend}</p><table style="border-spacing:1px">{rows}</table>'

    def _cell(self, row: int, column: int, colours: Sequence[str]) -> str:
        """A class of hole cards: its colours are as wide as its actions are likely."""
        name, chances = self.name(row, column), self.chances[:, row, column]
        style = f"background:{EMPTY};color:#000;text-align:center;width:2.6em;padding:.2em 0"
        title = f"{name}: never held"
        if not np.isnan(chances).any():
            ends = 100 * np.cumsum(chances)
            stops = ", ".join(
                f"{colour} {end - 100 * chance:.1f}% {end:.1f}%"
                for colour, end, chance in zip(colours, ends, chances, strict=True)
            )
            style += f";background:linear-gradient(to right, {stops})"
            parts = zip(self.actions, chances, strict=True)
            title = f"{name}: " + ", ".join(f"{action} {chance:.1%}" for action, chance in parts)
        return f'<td style="{style}" title="{title}">{name}</td>'

    @staticmethod
    def name(row: int, column: int) -> str:
        """A class by its place.

        >>> HandGrid.name(0, 1), HandGrid.name(1, 0), HandGrid.name(12, 12)
        ('AKs', 'AKo', '22')
        """
        high, low = sorted((row, column))
        kind = "" if row == column else "s" if row < column else "o"
        return RANKS[_N - 1 - high] + RANKS[_N - 1 - low] + kind


def holding_grid(weights: F32 | F64) -> F64:
    """A weight table in the square: the mean weight of the holdings of each class.

    Args:
        weights: ``(1326,)``, the hand of cards a > b at C(a, 2) + b; 0 for those that are not
            possible.

    Returns:
        ``(13, 13)`` means over the possible holdings, 0 without any.

    >>> grid = holding_grid(0.5 * (np.arange(1326) == 1325))  # As Ah
    >>> float(grid[0, 0]), float(grid.sum())
    (0.5, 0.5)
    """
    cells, found = _cells_of(HOLES), weights.astype(np.float64)
    grid: F64 = _sums(cells, found) / np.maximum(_sums(cells, (found > 0).astype(np.float64)), 1.0)
    return grid


def _cells_of(hands: I64) -> I64:
    """``(n,)`` the cell of each of ``(n, 2)`` hands, row by row."""
    ranks, suits = hands // 4, hands % 4
    high, low = _N - 1 - ranks.max(axis=1), _N - 1 - ranks.min(axis=1)
    suited = suits[:, 0] == suits[:, 1]
    cells: I64 = np.where(suited, high * _N + low, low * _N + high)
    return cells


def _sums(cells: I64, numbers: F64) -> F64:
    """``(13, 13)`` the sum of the numbers of each cell."""
    found = np.zeros(_N * _N)
    np.add.at(found, cells, numbers)
    return found.reshape(_N, _N)


def action_colours(actions: Sequence[str]) -> list[str]:
    """A colour for each action of a decision.

    >>> action_colours(["fold", "call", "raise to 100"])
    ['#56B4E9', '#009E73', '#D55E00']
    """
    n_bets = sum(action not in ("fold", "check", "call") for action in actions)
    bets = iter(_BETS[2:3] if n_bets == 1 else [_BETS[i % len(_BETS)] for i in range(n_bets)])
    return [
        _FOLD if action == "fold" else _CALL if action in ("check", "call") else next(bets)
        for action in actions
    ]


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
