"""Rank tests of methods: Mann and Whitney's of their runs, Friedman's over several tasks.

Friedman's test, and those that follow it, take tasks as independent. Where the same runs are tested
in all tasks they are not: with five runs of five equal methods whose results in ten tasks correlate
by 0.5, p is below 0.05 in three quarters of the trials. Runs are then compared by their mean ranks.

Source: J. Demšar, "Statistical comparisons of classifiers over multiple data sets" (Journal of
Machine Learning Research 7, 2006).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from nlhe_env.jit.array_types import F64

_MOST_PERMUTATIONS = 50_000


@dataclass(frozen=True, eq=False)
class RankTest:
    """Results of rank tests.

    Attributes:
        ranks: ``(k,)`` mean rank of each method, 1 for the best.
        statistic: Statistic of Friedman's test, ties considered; distributed as chi-square.
        p: Probability of a statistic at least as large if all methods are equal.
        nemenyi: Critical distance of mean ranks, for all pairs.
        bonferroni_dunn: Critical distance of mean ranks, for comparisons with one method.
    """

    ranks: F64
    statistic: float
    p: float
    nemenyi: float
    bonferroni_dunn: float

    def pairs_that_differ(self) -> list[tuple[int, int]]:
        """Pairs of methods, the better one first, that differ by Nemenyi's test."""
        k = len(self.ranks)
        return [
            (i, j)
            for i in range(k)
            for j in range(k)
            if self.ranks[j] - self.ranks[i] > self.nemenyi
        ]

    def differ_from(self, control: int) -> list[int]:
        """Methods that differ from one method by the Bonferroni-Dunn test."""
        apart = np.abs(self.ranks - self.ranks[control]) > self.bonferroni_dunn
        return [int(i) for i in np.flatnonzero(apart)]


def rank_test(values: npt.ArrayLike, *, level: float = 0.05) -> RankTest:
    """Compare methods by their ranks in tasks, two-tailed.

    Args:
        values: ``(tasks, methods)`` values, larger is better; at least three methods.
        level: Level of the critical distances.

    Raises:
        ValueError: The shape differs, or there are fewer than three methods.
    """
    table = np.asarray(values, np.float64)
    if table.ndim != 2 or table.shape[1] < 3 or len(table) < 2:
        raise ValueError(
            f"values must have at least two tasks and three methods; got shape {table.shape}"
        )
    n, k = table.shape
    statistic, p = 0.0, 1.0
    if np.ptp(table, axis=1).any():
        statistic, p = map(float, stats.friedmanchisquare(*table.T))
    error = math.sqrt(k * (k + 1) / (6.0 * n))
    return RankTest(
        stats.rankdata(-table, axis=1).mean(axis=0),
        statistic,
        p,
        float(stats.studentized_range.ppf(1.0 - level, k, np.inf)) / math.sqrt(2.0) * error,
        float(stats.norm.ppf(1.0 - level / (2.0 * (k - 1)))) * error,
    )


def mean_ranks_of_runs(values: npt.ArrayLike) -> F64:
    """Mean rank of every run over all tasks, among the runs of all methods; 1 for the best.

    Args:
        values: ``(tasks, methods, runs)`` values, larger is better.

    Returns:
        ``(methods, runs)`` mean ranks.

    >>> mean_ranks_of_runs([[[0.4, 0.5], [0.1, 0.2]], [[0.9, 0.8], [0.7, 0.6]]])
    array([[1.5, 1.5],
           [3.5, 3.5]])
    """
    table = np.asarray(values, np.float64)
    ranks = stats.rankdata(-table.reshape(len(table), -1), axis=1)
    return ranks.mean(axis=0).reshape(table.shape[1:])


def mann_whitney(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Two-sided p-value of the Mann-Whitney test of independent runs.

    Exact, by all permutations, for up to nine runs each, with ties too.

    Args:
        first: ``(n,)`` values of one method.
        second: ``(m,)`` values of another.

    >>> round(mann_whitney([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]), 3)
    0.1
    >>> round(mann_whitney([1.0, 2.0, 3.0, 4.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0]), 3)
    0.008
    """
    one: list[float] = np.asarray(first, np.float64).tolist()
    other: list[float] = np.asarray(second, np.float64).tolist()
    if math.comb(len(one) + len(other), len(one)) > _MOST_PERMUTATIONS:
        return float(stats.mannwhitneyu(one, other, alternative="two-sided").pvalue)
    method = stats.PermutationMethod(n_resamples=_MOST_PERMUTATIONS)
    return float(stats.mannwhitneyu(one, other, alternative="two-sided", method=method).pvalue)
