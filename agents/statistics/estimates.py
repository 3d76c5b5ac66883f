"""Estimates: means with their standard errors, intervals and tests, each with its level.

Intervals of a number of values fixed in advance are Student's. Checked every thousand hands until
it excludes 0, such an interval eventually finds a difference between equal players. A confidence
sequence covers the mean at all times with its confidence level. At best, it is about 50% wider.

Players of the same games are compared by the paired t-test on a tally, since common cards cancel
out. Runs from different seeds are independent and are compared by Welch's t-test.

Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit
theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), arXiv:2103.06476,
theorem 2.2 and appendix B.2. Like the ordinary interval it is asymptotic, for values of finite
variance, and needs no bounds on the values. With very skewed values, it misses the mean more often
after few values: begun at 30 duplicate blocks, up to 11% of the time, so it begins at 100.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from nlhe_env.arguments import number, whole_number

CONFIDENCE = 0.95
"""Default probability that an interval covers the true value."""
Z95 = 1.96
"""Standard errors on each side of a mean in its 95% interval, for many values."""
LEVEL = 0.01
"""Significance level of verdicts: the published 99%."""
LEAST_COUNT = 100
"""Minimum number of values for the asymptotic bounds of a confidence sequence."""

Interval = tuple[float, float]
Verdict = Literal["better", "worse", "no difference shown"]


def half_width(error: float, degrees: float, confidence: float = CONFIDENCE) -> float:
    """Half of a mean's confidence interval, by the t-distribution; nan without an error.

    Raises:
        ValueError: ``confidence`` is not between 0 and 1.

    >>> round(half_width(0.1, 2), 3)
    0.43
    """
    number("confidence", confidence, least=0.0, most=1.0)
    if math.isnan(error) or not degrees > 0:
        return math.nan
    from scipy import special  # matches import this module, and need no t-distribution

    return float(special.stdtrit(degrees, 0.5 + confidence / 2.0)) * error


def t_interval(
    mean: float, error: float, degrees: float, confidence: float = CONFIDENCE
) -> Interval:
    """Confidence interval of a mean with a standard error; nan without an error.

    >>> [round(bound, 3) for bound in t_interval(5.0, 0.1, 2)]
    [4.57, 5.43]
    """
    reach = half_width(error, degrees, confidence)
    return mean - reach, mean + reach


def joint_confidence(n_intervals: int, confidence: float = CONFIDENCE) -> float:
    """Confidence of each of several intervals that cover all true values jointly (Bonferroni).

    >>> joint_confidence(2)
    0.975
    """
    return 1.0 - (1.0 - confidence) / n_intervals


def confidence_sequence(
    mean: float,
    deviation: float,
    count: int,
    *,
    planned: int,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """Bounds of a mean that are asymptotically valid at all counts simultaneously.

    Args:
        mean: Mean of the values so far.
        deviation: Standard deviation of the values.
        count: Number of values; below 100 the bounds are infinite.
        planned: The count with the narrowest bounds, fixed in advance.
        confidence: Probability that the bounds cover the true mean at all counts.

    >>> [round(bound, 3) for bound in confidence_sequence(5.0, 1.0, 1000, planned=1000)]
    [4.904, 5.096]
    """
    whole_number("planned", planned, least=1)
    number("confidence", confidence, least=0.0, most=1.0)
    if count < LEAST_COUNT or math.isnan(deviation) or confidence in (0.0, 1.0):
        return -math.inf, math.inf
    alpha = 1.0 - confidence
    doubt = -2.0 * math.log(alpha)
    squared_rho = (doubt + math.log(doubt + 1.0)) / planned
    grown = count * squared_rho + 1.0
    reach = deviation * math.sqrt(
        2.0 * grown / (count**2 * squared_rho) * math.log(math.sqrt(grown) / alpha)
    )
    return mean - reach, mean + reach


@dataclass(frozen=True)
class MeanEstimate:
    """Mean of independent values.

    Attributes:
        mean: The mean.
        error: Its standard error; nan for fewer than two values.
        count: Number of values.
    """

    mean: float
    error: float
    count: int

    def half_width(self, confidence: float = CONFIDENCE) -> float:
        """Half of ``interval``; nan for fewer than two values."""
        return half_width(self.error, self.count - 1, confidence)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Bounds of the mean, for a number of values fixed in advance."""
        return t_interval(self.mean, self.error, self.count - 1, confidence)

    def sequence(self, *, planned: int, confidence: float = CONFIDENCE) -> Interval:
        """Bounds of the mean that hold at any number of values; see ``confidence_sequence``."""
        deviation = self.error * math.sqrt(self.count)
        return confidence_sequence(
            self.mean, deviation, self.count, planned=planned, confidence=confidence
        )


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
        from scipy import special

        return float(2.0 * special.stdtr(self.degrees, -abs(self.t)))

    @property
    def verdict(self) -> Verdict:
        """Result for the first player at the 99% level."""
        if not self.p < LEVEL:
            return "no difference shown"
        return "better" if (self.difference < 0) == self.lower_is_better else "worse"

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Bounds of the difference; nan for too few values without spread."""
        bounds = t_interval(self.difference, self.error, self.degrees, confidence)
        if self.error == 0.0 and self.p > 1.0 - confidence and self.difference:
            return math.nan, math.nan
        return bounds


@dataclass(frozen=True)
class Sample:
    """Sample of independent values, such as runs from different seeds.

    Attributes:
        values: The values, at least one.
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError(f"values must hold at least one number; got {self.values!r}")

    @property
    def count(self) -> int:
        """Number of values."""
        return len(self.values)

    @property
    def mean(self) -> float:
        """Their mean."""
        # The mean of equal values may differ from them by a rounding error.
        return float(self.values[0] if self._are_equal else np.mean(self.values))

    @property
    def deviation(self) -> float:
        """Their standard deviation; nan for a single value."""
        if self.count < 2:
            return math.nan
        return 0.0 if self._are_equal else float(np.std(self.values, ddof=1))

    @property
    def _are_equal(self) -> bool:
        return min(self.values) == max(self.values)

    @property
    def error(self) -> float:
        """Standard error of the mean; nan for a single value."""
        return self.deviation / math.sqrt(self.count)

    def half_width(self, confidence: float = CONFIDENCE) -> float:
        """Half of ``interval``; nan for a single value."""
        return half_width(self.error, self.count - 1, confidence)

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
