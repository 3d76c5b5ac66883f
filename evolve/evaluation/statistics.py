"""Means with standard errors and intervals, and the tests that compare them.

Two kinds of samples occur. Players of the same games are compared by the paired t-test, since the
cards they share cancel out. Runs from different seeds are independent of each other, and are
compared by Welch's t-test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from nlhe_env.machine.array_types import F64, I64

LEVEL = 0.01
"""A difference counts when its p is below this: the published 99%."""
CONFIDENCE = 0.95
"""Chance of an interval to cover the true value."""

Verdict = Literal["better", "worse", "no difference shown"]


@dataclass(frozen=True)
class Comparison:
    """A two-tailed t-test of one player, or method, against another.

    Attributes:
        difference: Mean of first place minus second place; negative where the first is better.
        error: Standard error of the difference.
        degrees: Degrees of freedom of the test.
    """

    difference: float
    error: float
    degrees: float

    @property
    def t(self) -> float:
        """Test statistic, ``difference / error``; infinite for a difference without spread."""
        if self.error == 0.0:
            return math.copysign(math.inf, self.difference) if self.difference else 0.0
        return self.difference / self.error

    @property
    def p(self) -> float:
        """Chance of a difference at least this large between players of equal strength."""
        if math.isnan(self.error):
            return math.nan
        return float(2.0 * stats.t.sf(abs(self.t), self.degrees))

    @property
    def verdict(self) -> Verdict:
        """What the test says about the first player at the 99% level."""
        if not self.p < LEVEL:
            return "no difference shown"
        return "better" if self.difference < 0 else "worse"

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Bounds of the difference."""
        return t_interval(self.difference, self.error, self.degrees, confidence)


@dataclass(frozen=True, eq=False)
class PairedSums:
    """Exact sums of places that were observed together, enough for every mean and paired test.

    A place is a whole number of points times ``unit``, so that all sums are whole: they do not
    depend on the order in which games were added, nor on who played them, and take the same little
    memory however many there are.

    Attributes:
        count: Number of observations.
        unit: Place of one point.
        totals: ``(n,)`` sum of the points of each player.
        products: ``(n, n)`` sum of the products of the points of two players.
    """

    count: int
    unit: float
    totals: I64
    products: I64

    @classmethod
    def of(cls, places: F64, *, unit: float) -> PairedSums:
        """The sums of ``(count, n)`` places, all of them multiples of ``unit``."""
        points = np.rint(places / unit).astype(np.int64)
        return cls(len(points), unit, points.sum(axis=0), points.T @ points)

    def __add__(self, other: PairedSums) -> PairedSums:
        if self.unit != other.unit:
            raise ValueError(f"sums of places differ in unit: {self.unit} and {other.unit}")
        return PairedSums(
            self.count + other.count,
            self.unit,
            self.totals + other.totals,
            self.products + other.products,
        )

    @property
    def means(self) -> F64:
        """``(n,)`` mean place of each player."""
        return np.asarray(self.totals / self.count * self.unit, np.float64)

    @property
    def deviations(self) -> F64:
        """``(n,)`` standard deviation of the places; nan for a single observation."""
        players = range(len(self.totals))
        return np.array([self._deviation({i: 1}) for i in players], np.float64)

    @property
    def errors(self) -> F64:
        """``(n,)`` standard error of the mean places; nan for a single observation."""
        return self.deviations / math.sqrt(self.count)

    def compare(self, first: int, second: int) -> Comparison:
        """The paired t-test of two players.

        Several comparisons are each judged on their own, as published: of a hundred pairs of equals
        one is expected to differ.
        """
        difference = int(self.totals[first] - self.totals[second]) / self.count * self.unit
        deviation = 0.0 if first == second else self._deviation({first: 1, second: -1})
        return Comparison(difference, deviation / math.sqrt(self.count), self.count - 1)

    def _deviation(self, signs: dict[int, int]) -> float:
        """Standard deviation of the sum of some players' places with the given signs."""
        if self.count < 2:
            return math.nan
        # Python's integers: the square of a sum over many games may exceed 64 bits.
        total = sum(sign * int(self.totals[i]) for i, sign in signs.items())
        squares = sum(
            sign * other * int(self.products[i, j])
            for i, sign in signs.items()
            for j, other in signs.items()
        )
        spread = self.count * squares - total * total
        return math.sqrt(spread / (self.count * (self.count - 1))) * self.unit


@dataclass(frozen=True)
class Sample:
    """The mean of independent values, as of runs from different seeds.

    Attributes:
        values: The values.
    """

    values: tuple[float, ...]

    @property
    def count(self) -> int:
        """Number of values."""
        return len(self.values)

    @property
    def mean(self) -> float:
        """Their mean."""
        return float(np.mean(self.values))

    @property
    def deviation(self) -> float:
        """Their standard deviation; nan for a single value."""
        return float(np.std(self.values, ddof=1)) if self.count > 1 else math.nan

    @property
    def error(self) -> float:
        """Standard error of the mean; nan for a single value."""
        return self.deviation / math.sqrt(self.count)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Bounds of the mean; nan for a single value."""
        return t_interval(self.mean, self.error, self.count - 1, confidence)

    def compare(self, other: Sample) -> Comparison:
        """Welch's t-test against an independent sample; without a verdict for a single value."""
        difference = self.mean - other.mean
        if self.count < 2 or other.count < 2:
            return Comparison(difference, math.nan, math.nan)
        shares = (self.error**2, other.error**2)
        variance = sum(shares)
        if variance == 0.0:
            return Comparison(difference, 0.0, self.count + other.count - 2)
        # Welch and Satterthwaite's degrees of freedom.
        parts = shares[0] ** 2 / (self.count - 1) + shares[1] ** 2 / (other.count - 1)
        return Comparison(difference, math.sqrt(variance), variance**2 / parts)


def t_interval(
    mean: float, error: float, degrees: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Bounds of a mean with a standard error; nan where there is no error.

    >>> [round(bound, 3) for bound in t_interval(5.0, 0.1, 2)]
    [4.57, 5.43]
    """
    if math.isnan(error) or not degrees > 0:
        return math.nan, math.nan
    reach = float(stats.t.ppf(0.5 + confidence / 2.0, degrees)) * error
    return mean - reach, mean + reach


def holm(p_values: Sequence[float]) -> list[float]:
    """Chances of several tests together, by Holm's step-down method, in the order given.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [math.nan] * len(p_values)
    order = sorted((p, i) for i, p in enumerate(p_values) if not math.isnan(p))
    least = 0.0
    for rank, (p, i) in enumerate(order):
        least = max(least, min(1.0, p * (len(order) - rank)))
        adjusted[i] = least
    return adjusted
