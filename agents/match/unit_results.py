"""Results of the units of a schedule, written by kernels, and their tally."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from agents.match.schedules import LineupBlocks, Schedule
from agents.match.tally import Rows, Tally
from nlhe_env.assessment.estimators.estimator import PARTS, Estimator
from nlhe_env.game.description import Game
from nlhe_env.game.scoring import point_value
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.jit.array_types import I64

GAINS = ("hands_won", "chips_won", "showdowns_lost", "chips_lost")
"""Summed fields of player records, besides style counts."""


class UnitArrays(NamedTuple):
    """Arrays of unit results, added to by kernels."""

    points: I64
    """``(n_units, n)`` plain points."""
    adjusted: I64
    """``(n_units, n)`` adjusted results in fractions of a point; ``(n_units, 0)`` without
    estimator."""
    gains: I64
    """``(n_units, 4, n)`` sums, see ``GAINS``."""
    counts: I64
    """``(n_units, 2)`` hands and decisions."""
    first_style: I64
    """``(n_units, N_STYLE_COUNTS)`` style counts of the first player."""
    chips: I64
    """``(n,)`` scratch: chips won in a game."""

    @classmethod
    def new(cls, n_units: int, n: int, *, is_adjusted: bool = False) -> UnitArrays:
        """Arrays of zeros for ``n_units`` units of ``n`` players."""
        shapes = (n_units, len(GAINS), n), (n_units, 2), (n_units, N_STYLE_COUNTS), (n,)
        points = (n_units, n), (n_units, n if is_adjusted else 0)
        return cls(*(np.zeros(shape, np.int64) for shape in (*points, *shapes)))

    def first(self, count: int) -> UnitArrays:
        """Results of the first units."""
        return UnitArrays._make(array[:count] for array in self)._replace(chips=self.chips)


class Results(NamedTuple):
    """Results of units for kernels, with the scoring."""

    units: UnitArrays
    style_counts: I64
    """``(n_players, N_STYLE_COUNTS)`` action counts over all units."""
    score: int
    """Number of the game's score, which defines points; see ``game_points``."""
    estimator: Estimator
    """Variance reduction of hand results."""


def count_up(
    units: UnitArrays, style_counts: I64, schedule: Schedule, game: Game, *, rows: bool
) -> Tally:
    """Tally of the units of a schedule.

    Args:
        units: Results of the units.
        style_counts: ``(n_players, N_STYLE_COUNTS)`` action counts over all units.
        schedule: The played schedule.
        game: The played game.
        rows: Whether to keep the results of every unit.
    """
    hands, decisions = units.counts.T
    n = units.points.shape[1]
    sums: dict[str, Any] = {
        "lower_is_better": game.lower_is_better,
        "hands": int(hands.sum()),
        "decisions": int(decisions.sum()),
        "style_counts": style_counts,
    }

    def tally_of(points: I64, unit: Fraction, plain: Tally | None = None) -> Tally:
        kept = None
        if rows:
            gains = {name: units.gains[:, i] for i, name in enumerate(GAINS)}
            kept = Rows(points, hands, decisions, first_style=units.first_style, **gains)
        if isinstance(schedule, LineupBlocks):
            tally = Tally.of_lineups(points, schedule.lineups, unit=unit, **sums)
        else:
            tally = Tally.of_points(points, unit=unit, pairs=n <= MAX_SEATS, **sums)
        return replace(tally, rows=kept, plain=plain) if rows or plain is not None else tally

    unit = point_value(game.score, game.big_blind, schedule.rotations(n))
    plain = tally_of(units.points, unit)
    if units.adjusted.shape[1] < n:
        return plain
    return tally_of(units.adjusted, unit / PARTS, plain)
