"""Tallies: exact, additive sums of results.

A player's score in a unit (a tournament or a block) is an integer number of points times the
tally's ``unit``: half places or chips, summed over the rotations of a block. All sums are integers,
so they do not depend on the order of addition or on the workers. Kernels write the results of the
units, which are then counted up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from agents.match.schedules import LineupBlocks, Schedule
from agents.statistics.estimates import MeanEstimate, TTest
from nlhe_env.assessment.estimators.estimator import PARTS, Estimator
from nlhe_env.game.description import Game
from nlhe_env.game.scoring import point_value
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.jit.array_types import F64, I64, AnyArray

_SAFE = 2**62  # smaller sums are stored as int64, larger ones as Python integers

GAINS = ("hands_won", "chips_won", "showdowns_lost", "chips_lost")
"""Summed fields of player records, besides style counts."""


class Rows(NamedTuple):
    """Results of every unit; players in the order of the batch, or of each lineup."""

    points: I64
    """``(n_units, n)`` chips won or half places, summed over the rotations of a block."""
    hands: I64
    """``(n_units,)`` hands dealt at all tables and rotations."""
    decisions: I64
    """``(n_units,)`` decisions of all players."""
    hands_won: I64
    """``(n_units, n)`` hands in which the player won a share of a pot."""
    chips_won: I64
    """``(n_units, n)`` net chips won in these hands."""
    showdowns_lost: I64
    """``(n_units, n)`` hands shown down without a share of a pot."""
    chips_lost: I64
    """``(n_units, n)`` chips put into these hands."""
    first_style: I64
    """``(n_units, N_STYLE_COUNTS)`` style counts of the first player."""

    def part(self, chosen: slice | I64) -> Rows:
        """Rows of the chosen units."""
        return Rows(*(array[chosen] for array in self))


@dataclass(frozen=True, eq=False, kw_only=True)
class Tally:
    """Results of a schedule as additive sums.

    Attributes:
        unit: Score of one point.
        lower_is_better: Whether lower scores are better, as for places.
        count: Number of units (tournaments or blocks).
        counts: ``(n,)`` units of each player; equal to ``count``, except for lineups, where a
            player in two seats counts twice.
        totals: ``(n,)`` sum of the points of each player.
        squares: ``(n,)`` sum of their squares.
        products: ``(n, n)`` sums of products of two players' points, for paired tests; None for
            lineups and for more players than seats.
        ahead: ``(n, n)`` twice the units in which the row player beats the column player, with ties
            as half for both; None without ``products``.
        hands: Hands dealt at all tables and rotations.
        decisions: Decisions of all players.
        style_counts: ``(n, N_STYLE_COUNTS)`` action counts for ``Style``.
        rows: Results of every unit, in order; None by default.
        plain: Plain results of the same units with variance reduction; otherwise None.
    """

    unit: Fraction
    lower_is_better: bool
    count: int
    counts: I64
    totals: AnyArray
    squares: AnyArray
    products: AnyArray | None
    ahead: AnyArray | None
    hands: int
    decisions: int
    style_counts: I64
    rows: Rows | None = None
    plain: Tally | None = None

    @classmethod
    def of_points(
        cls,
        points: I64,
        *,
        unit: Fraction,
        lower_is_better: bool,
        pairs: bool = True,
        hands: int = 0,
        decisions: int = 0,
        style_counts: I64 | None = None,
    ) -> Tally:
        """Tally of units with all players.

        Args:
            points: ``(n_units, n)`` points.
            unit: Score of one point.
            lower_is_better: Whether lower scores are better.
            pairs: Whether to keep the sums of pairs.
            hands: Number of hands dealt.
            decisions: Number of decisions.
            style_counts: ``(n, N_STYLE_COUNTS)``; zeros by default.
        """
        n_units, n = points.shape
        wide = _wide(points)
        return cls(
            unit=unit,
            lower_is_better=lower_is_better,
            count=n_units,
            counts=np.full(n, n_units),
            totals=points.sum(axis=0),
            squares=(wide * wide).sum(axis=0),
            products=wide.T @ wide if pairs else None,
            ahead=_ahead(-points if lower_is_better else points) if pairs else None,
            hands=hands,
            decisions=decisions,
            style_counts=np.zeros((n, N_STYLE_COUNTS), np.int64)
            if style_counts is None
            else style_counts,
        )

    @classmethod
    def of_lineups(
        cls,
        points: I64,
        lineups: I64,
        *,
        unit: Fraction,
        lower_is_better: bool,
        hands: int,
        decisions: int,
        style_counts: I64,
    ) -> Tally:
        """Tally of lineups; ``points`` and ``lineups`` are ``(n_units, seats)``."""
        n, wide = len(style_counts), _wide(points).ravel()
        totals, squares = np.zeros(n, np.int64), np.zeros(n, wide.dtype)
        players = lineups.ravel()  # NumPy is several times as fast along a single axis
        np.add.at(totals, players, points.ravel())
        np.add.at(squares, players, wide * wide)
        return cls(
            unit=unit,
            lower_is_better=lower_is_better,
            count=len(lineups),
            counts=np.bincount(players, minlength=n),
            totals=totals,
            squares=squares,
            products=None,
            ahead=None,
            hands=hands,
            decisions=decisions,
            style_counts=style_counts,
        )

    def __len__(self) -> int:
        """Number of players."""
        return len(self.totals)

    def __add__(self, other: Tally) -> Tally:
        """Tally of the units of both; rows are concatenated if both have them.

        Raises:
            ValueError: The tallies differ in their game or number of players.
        """
        for name, own, given in (
            ("variance reduction", self.plain is not None, other.plain is not None),
            ("unit", self.unit, other.unit),
            ("lower_is_better", self.lower_is_better, other.lower_is_better),
            ("number of players", len(self), len(other)),
        ):
            if own != given:
                raise ValueError(f"tallies differ in {name}: {own} and {given}")
        rows = None
        if self.rows is not None and other.rows is not None:
            rows = Rows(*map(np.concatenate, zip(self.rows, other.rows, strict=True)))
        return Tally(
            unit=self.unit,
            lower_is_better=self.lower_is_better,
            count=self.count + other.count,
            counts=self.counts + other.counts,
            totals=_sum(self.totals, other.totals),
            squares=_sum(self.squares, other.squares),
            products=_sum_if_both(self.products, other.products),
            ahead=_sum_if_both(self.ahead, other.ahead),
            hands=self.hands + other.hands,
            decisions=self.decisions + other.decisions,
            style_counts=self.style_counts + other.style_counts,
            rows=rows,
            plain=None if self.plain is None or other.plain is None else self.plain + other.plain,
        )

    @property
    def scores(self) -> F64:
        """``(n,)`` mean score of each player; nan for players without units."""
        with np.errstate(invalid="ignore"):
            means = self.totals.astype(np.float64) / self.counts
        return np.asarray(means * float(self.unit))

    @property
    def deviations(self) -> F64:
        """``(n,)`` standard deviation of the scores; nan for a single one."""
        # Python integers, because the square of a sum over many units may exceed 64 bits.
        counts = self.counts.astype(object)
        spreads = counts * self.squares.astype(object) - self.totals.astype(object) ** 2
        known = self.counts > 1
        found = np.full(len(self), np.nan)
        found[known] = np.sqrt(
            (spreads[known] / (counts * (counts - 1))[known]).astype(np.float64)
        ) * float(self.unit)
        return found

    @property
    def errors(self) -> F64:
        """``(n,)`` standard error of the mean scores; nan for a single score.

        Scores are treated as independent. For a player in several ``LineupBlocks`` lineups of the
        same block they are not, and the error is usually too small.
        """
        found = np.full(len(self), np.nan)
        np.divide(self.deviations, np.sqrt(self.counts), out=found, where=self.counts > 1)
        return found

    @property
    def row_scores(self) -> F64:
        """``(n_units, n)`` score of every player in every unit.

        Raises:
            ValueError: The tally was made without rows.
        """
        return np.asarray(self._rows.points * self.unit.numerator / self.unit.denominator)

    @property
    def rake(self) -> int:
        """Total rake, equal to the total loss of all players in chips.

        It is 0 in games without a rake.
        """
        if self.plain is not None:
            return self.plain.rake
        return 0 if self.lower_is_better else -sum(map(int, self.totals))

    def estimate(self, player: int) -> MeanEstimate:
        """The mean score of a player."""
        count = int(self.counts[player])
        return MeanEstimate(float(self.scores[player]), float(self.errors[player]), count)

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """Mean score of one player minus another's, with its standard error.

        The error is that of the differences by unit, in which common cards cancel out; nan for a
        single unit.

        Raises:
            ValueError: The tally has no pair sums.
        """
        if self.products is None:
            raise ValueError("a tally of lineups or of many tables has no pair sums")
        total = int(self.totals[first]) - int(self.totals[second])
        unit, count = float(self.unit), self.count
        mean = total / count * unit if count else math.nan
        if first == second or count < 2:
            return mean, math.nan if count < 2 else 0.0
        squares = int(self.squares[first]) + int(self.squares[second])
        spread = count * (squares - 2 * int(self.products[first, second])) - total * total
        return mean, math.sqrt(spread / (count * (count - 1))) * unit / math.sqrt(count)

    @property
    def covariance(self) -> F64:
        """``(n, n)`` covariance of the mean scores; nan for a single unit.

        Raises:
            ValueError: The tally has no pair sums.
        """
        if self.products is None:
            raise ValueError("a tally of lineups or of many tables has no pair sums")
        count, totals = self.count, self.totals.astype(object)
        if count < 2:
            return np.full((len(self), len(self)), np.nan)
        spreads = count * self.products.astype(object) - np.outer(totals, totals)
        return (spreads / (count * count * (count - 1))).astype(np.float64) * float(self.unit) ** 2

    def without_rows(self) -> Tally:
        """The tally without rows."""
        plain = None if self.plain is None else self.plain.without_rows()
        return replace(self, rows=None, plain=plain)

    def scored_in(self, unit: Fraction) -> Tally:
        """The tally with another score per point of the plain results."""
        if self.plain is None:
            return replace(self, unit=unit)
        part = self.unit / self.plain.unit
        return replace(self, unit=unit * part, plain=replace(self.plain, unit=unit))

    def of_groups(self, groups: Sequence[Sequence[int] | I64]) -> Tally:
        """Tally of groups of equal size, with the mean score of each group as one player.

        Args:
            groups: Numbers of the players of each group.

        Raises:
            ValueError: The tally was made without rows, or groups differ in size.
        """
        sizes = {len(group) for group in groups}
        if len(sizes) != 1:
            raise ValueError(f"groups must all have the same size; got {sorted(sizes)}")
        points = np.stack([self._rows.points[:, group].sum(axis=1) for group in groups], axis=1)
        tally = Tally.of_points(
            points,
            unit=self.unit / sizes.pop(),
            lower_is_better=self.lower_is_better,
            hands=self.hands,
            decisions=self.decisions,
            style_counts=np.stack([self.style_counts[group].sum(axis=0) for group in groups]),
        )
        plain = None if self.plain is None else self.plain.of_groups(groups)
        return replace(tally, plain=plain)

    @property
    def _rows(self) -> Rows:
        if self.rows is None:
            raise ValueError("this tally was made without rows: play with rows=True")
        return self.rows


def _wide(points: I64) -> AnyArray:
    """Points, as Python integers if sums of their products may exceed 64 bits."""
    largest = int(np.abs(points).max(initial=0))
    return points if largest**2 * max(len(points), 1) < _SAFE else points.astype(object)


def _sum(first: AnyArray, second: AnyArray) -> AnyArray:
    largest = sum(int(np.abs(array).max(initial=0)) for array in (first, second))
    if largest < _SAFE:
        return first + second
    return np.asarray(first.astype(object) + second.astype(object), object)


def _sum_if_both(first: AnyArray | None, second: AnyArray | None) -> Any:
    return None if first is None or second is None else _sum(first, second)


def _ahead(scores: I64) -> I64:
    """Twice the number of units in which one player beats another; a tie counts 1."""
    better: I64 = np.sign(scores[:, :, None] - scores[:, None, :]).sum(axis=0) + len(scores)
    np.fill_diagonal(better, 0)
    return better


def compare(tally: Tally, first: int, second: int) -> TTest:
    """The paired t-test of two players of a tally, by the score of its game.

    Tests are not corrected for multiple comparisons, as published: among a hundred equal pairs one
    is expected to differ.

    Raises:
        ValueError: The tally has no sums of pairs.
    """
    difference, error = tally.difference(first, second)
    return TTest(difference, error, tally.count - 1, lower_is_better=tally.lower_is_better)


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
