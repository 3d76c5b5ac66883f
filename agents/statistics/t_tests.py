"""Two-tailed t-tests with their intervals, and Holm's correction for several of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scipy import special

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
        return float(2.0 * special.stdtr(self.degrees, -abs(self.t)))

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


def t_interval(
    mean: float, error: float, degrees: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Confidence interval of a mean with a standard error; nan without an error.

    >>> [round(bound, 3) for bound in t_interval(5.0, 0.1, 2)]
    [4.57, 5.43]
    """
    if math.isnan(error) or not degrees > 0:
        return math.nan, math.nan
    reach = float(special.stdtrit(degrees, 0.5 + confidence / 2.0)) * error
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
