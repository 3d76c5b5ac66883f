"""Results of the units of a schedule, as kernels write them, and their tally."""

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
"""Fields of players' records that are summed, besides their styles."""


class UnitArrays(NamedTuple):
    """Arrays in which the results of units are added up."""

    points: I64
    """``(n_units, n)`` points as the cards fell."""
    adjusted: I64
    """``(n_units, n)`` adjusted results in parts of a point; ``(n_units, 0)`` without estimator."""
    gains: I64
    """``(n_units, 4, n)``, see ``GAINS``."""
    counts: I64
    """``(n_units, 2)``: hands and decisions."""
    first_style: I64
    """``(n_units, N_STYLE_COUNTS)`` of the first player."""
    chips: I64
    """``(n,)`` scratch: chips won in a game."""

    @classmethod
    def new(cls, n_units: int, n: int, *, is_adjusted: bool = False) -> UnitArrays:
        """Arrays of zeros for so many units of n players each."""
        shapes = (n_units, len(GAINS), n), (n_units, 2), (n_units, N_STYLE_COUNTS), (n,)
        points = (n_units, n), (n_units, n if is_adjusted else 0)
        return cls(*(np.zeros(shape, np.int64) for shape in (*points, *shapes)))


class Results(NamedTuple):
    """Results of units as kernels add them up, and how they are counted."""

    units: UnitArrays
    style_counts: I64
    """``(n_players, N_STYLE_COUNTS)`` counts of actions, all units together."""
    score: int
    """Number of the score of the game, which says what points are; see ``game_points``."""
    estimator: Estimator
    """Variance reduction of the results of hands."""


def count_up(units: UnitArrays, style_counts: I64, schedule: Schedule, game: Game) -> Tally:
    """The tally of the units of a schedule, with rows.

    Args:
        units: Their results.
        style_counts: ``(n_players, N_STYLE_COUNTS)`` counts of actions, all units together.
        schedule: The schedule that was played.
        game: The game that was played.
    """
    hands, decisions = units.counts.T
    n = units.points.shape[1]
    sums: dict[str, Any] = {
        "lower_is_better": game.lower_is_better,
        "hands": int(hands.sum()),
        "decisions": int(decisions.sum()),
        "style_counts": style_counts,
    }
    gains = {name: units.gains[:, i] for i, name in enumerate(GAINS)}

    def tally_of(points: I64, unit: Fraction) -> Tally:
        if isinstance(schedule, LineupBlocks):
            tally = Tally.of_lineups(points, schedule.lineups, unit=unit, **sums)
        else:
            tally = Tally.of_points(points, unit=unit, pairs=n <= MAX_SEATS, **sums)
        rows = Rows(points, hands, decisions, first_style=units.first_style, **gains)
        return replace(tally, rows=rows)

    unit = point_value(game.score, game.big_blind, schedule.rotations(n))
    plain = tally_of(units.points, unit)
    if units.adjusted.shape[1] < n:
        return plain
    return replace(tally_of(units.adjusted, unit / PARTS), plain=plain)
