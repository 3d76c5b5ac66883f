"""Means with standard errors, intervals and comparison tests.

Players of the same games are compared by the paired t-test on a tally, since common cards cancel
out. Runs from different seeds are independent and are compared by Welch's t-test.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

import agents
from agents.statistics.confidence_sequences import CONFIDENCE
from agents.statistics.t_tests import TTest, t_interval


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
