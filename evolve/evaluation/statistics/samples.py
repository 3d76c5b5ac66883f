"""Means with standard errors, intervals and comparison tests.

Players of the same games are compared by the paired t-test on a tally, since common cards cancel
out. Runs from different seeds are independent and are compared by Welch's t-test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from scipy import stats

import agents
from agents.statistics.confidence_sequences import CONFIDENCE

LEVEL = 0.01
"""Significance level: the published 99%."""

Verdict = Literal["better", "worse", "no difference shown"]


@dataclass(frozen=True)
class TTest:
    """A two-tailed t-test of one player, or method, against another.

    Attributes:
        difference: Mean score of the first minus that of the second.
        error: Standard error of the difference.
        degrees: Degrees of freedom of the test.
        lower_is_better: Whether lower scores are better, as with places.
    """

    difference: float
    error: float
    degrees: float
    lower_is_better: bool

    @property
    def t(self) -> float:
        """Test statistic, ``difference / error``; infinite for a difference without spread."""
        if self.error == 0.0:
            return math.copysign(math.inf, self.difference) if self.difference else 0.0
        return self.difference / self.error

    @property
    def p(self) -> float:
        """Probability of a difference at least this large between equal players (p-value).

        Values without spread do not say how far they usually spread, since places and points are
        discrete: a handful is often equal by chance. They count as in a sign test.
        """
        if math.isnan(self.error):
            return math.nan
        if self.error == 0.0:
            return 2.0**-self.degrees if self.difference else 1.0
        return float(2.0 * stats.t.sf(abs(self.t), self.degrees))

    @property
    def verdict(self) -> Verdict:
        """Result for the first player at the 99% level."""
        if not self.p < LEVEL:
            return "no difference shown"
        return "better" if (self.difference < 0) == self.lower_is_better else "worse"

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Bounds of the difference; nan for too few values without spread."""
        if self.error == 0.0 and self.p > 1.0 - confidence and self.difference:
            return math.nan, math.nan
        return t_interval(self.difference, self.error, self.degrees, confidence)


def compare(tally: agents.Tally, first: int, second: int) -> TTest:
    """The paired t-test of two players of a tally, by the score of its game.

    Tests are not corrected for multiple comparisons, as published: among a hundred equal pairs one
    is expected to differ.

    Raises:
        ValueError: The tally has no sums of pairs.
    """
    difference, error = tally.difference(first, second)
    return TTest(difference, error, tally.count - 1, lower_is_better=tally.lower_is_better)


@dataclass(frozen=True)
class Sample:
    """Sample of independent values, such as runs from different seeds.

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

    def compare(self, other: Sample, *, lower_is_better: bool) -> TTest:
        """Welch's t-test against an independent sample; without a verdict for a single value.

        Args:
            other: The other sample.
            lower_is_better: Whether lower values are better, as with places.
        """
        difference, test = self.mean - other.mean, partial(TTest, lower_is_better=lower_is_better)
        if self.count < 2 or other.count < 2:
            return test(difference, math.nan, math.nan)
        shares = (self.error**2, other.error**2)
        variance = shares[0] + shares[1]
        if variance == 0.0:
            return test(difference, 0.0, min(self.count, other.count) - 1)
        # Welch and Satterthwaite's degrees of freedom.
        parts = shares[0] ** 2 / (self.count - 1) + shares[1] ** 2 / (other.count - 1)
        return test(difference, math.sqrt(variance), variance**2 / parts)


def t_interval(
    mean: float, error: float, degrees: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Confidence interval of a mean with a standard error; nan without an error.

    >>> [round(bound, 3) for bound in t_interval(5.0, 0.1, 2)]
    [4.57, 5.43]
    """
    if math.isnan(error) or not degrees > 0:
        return math.nan, math.nan
    reach = float(stats.t.ppf(0.5 + confidence / 2.0, degrees)) * error
    return mean - reach, mean + reach


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected for multiple tests by Holm's step-down method, in the given order.

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
