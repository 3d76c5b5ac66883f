"""Means with standard errors, and the paired t-test of duplicate tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from nlhe_env._types import F64

LEVEL = 0.01
"""A difference counts when its p is below this: the published 99%."""


def standard_errors(values: F64) -> F64:
    """``(n_columns,)`` standard error of the mean of each column; nan for a single row."""
    if len(values) < 2:
        return np.full(values.shape[1], np.nan)
    errors: F64 = values.std(axis=0, ddof=1) / math.sqrt(len(values))
    return errors


@dataclass(frozen=True)
class Comparison:
    """The paired, two-tailed t-test of one player against another.

    Attributes:
        difference: Mean of first place minus second place; negative where the first is better.
        error: Standard error of the difference.
        t: Test statistic, ``difference / error``.
        p: Chance of a difference at least this large between players of equal strength.
    """

    difference: float
    error: float
    t: float
    p: float

    @property
    def verdict(self) -> Literal["better", "worse", "no difference shown"]:
        """What the test says about the first player at the 99% level."""
        if self.p >= LEVEL:
            return "no difference shown"
        return "better" if self.difference < 0 else "worse"


def compare_paired(first: F64, second: F64) -> Comparison:
    """Compares the places of two players in the same revolutions.

    Several comparisons are each judged on their own, as published: of a hundred pairs of equals one
    is expected to differ.

    Args:
        first: ``(n,)`` places of the first player, ``n`` at least 2.
        second: ``(n,)`` places of the second player.

    Raises:
        ValueError: The lengths differ or are below 2.
    """
    if first.shape != second.shape or first.ndim != 1 or len(first) < 2:
        raise ValueError(
            "a paired test needs two equally long series of at least 2 places; "
            f"got shapes {first.shape} and {second.shape}"
        )
    differences = first - second
    mean = float(differences.mean())
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    if np.ptp(differences) == 0.0:
        # No spread to test against: the two are the same, or one is ahead every time.
        t = math.copysign(math.inf, mean) if mean else 0.0
        return Comparison(mean, 0.0, t, 0.0 if mean else 1.0)
    test = stats.ttest_rel(first, second)
    return Comparison(mean, error, float(test.statistic), float(test.pvalue))
