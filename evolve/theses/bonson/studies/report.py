"""Report of a study: medians, shares, ranks, and statistical tests between runs.

Friedman's test, and those that follow it, take tasks as independent. Where the same runs are tested
in all tasks they are not: with five runs of five equal methods whose results in ten tasks correlate
by 0.5, p is below 0.05 in three quarters of the trials. A run is therefore one observation here:
methods are compared by the mean ranks of their runs, and two sets of hands by pairs, since the same
runs are tested on both.

Source: J. Demšar, "Statistical comparisons of classifiers over multiple data sets" (Journal of
Machine Learning Research 7, 2006).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from agents.statistics.estimates import Sample, holm
from evolve.files import safe as files
from evolve.studies import run_name
from evolve.theses.bonson.studies.test_suite import (
    SCENARIOS,
    TestedRun,
    TestSet,
    input_usage,
    load_teams,
    values_of,
)
from evolve.training.folder import RunFolder
from nlhe_env.jit.array_types import F64

_REPORTED = ("best", "cumulative", "bluffing")
_COMPARED = ("best", "cumulative")
_MOST_PERMUTATIONS = 50_000
_MOST_PAIRS = 15


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

    Exact, by all divisions of the runs into two groups, for up to nine runs each, with ties too.

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
    if not _is_exact(len(one), len(other)):
        return float(stats.mannwhitneyu(one, other, alternative="two-sided").pvalue)
    method = stats.PermutationMethod(n_resamples=_MOST_PERMUTATIONS)
    return float(stats.mannwhitneyu(one, other, alternative="two-sided", method=method).pvalue)


def _is_exact(n: int, m: int) -> bool:
    """Whether so few runs are tested by all permutations."""
    return math.comb(n + m, n) <= _MOST_PERMUTATIONS


def wilcoxon(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Two-sided p-value of Wilcoxon's signed-rank test of pairs, such as two tests of each run.

    Exact, by all changes of signs, for up to 15 pairs, with ties too.

    Args:
        first: ``(n,)`` values.
        second: ``(n,)`` values of the same runs.

    >>> wilcoxon([0.1, 0.2, 0.3, 0.4, 0.5], [0.2, 0.4, 0.6, 0.8, 1.0])
    0.0625
    """
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    if len(differences) > _MOST_PAIRS:
        return float(stats.wilcoxon(differences).pvalue)
    method = stats.PermutationMethod(n_resamples=2**_MOST_PAIRS)
    return float(stats.wilcoxon(differences, method=method).pvalue)


def compare_runs(values: npt.ArrayLike) -> list[float]:
    """Compare methods with the first one by their runs, each of which is one observation.

    By Mann-Whitney tests of the runs' mean ranks over all tasks, which may depend on each other.
    If runs of several methods share a seed, and therefore are alike, p is rather too large.

    Args:
        values: ``(tasks, methods, runs)`` values, larger is better.

    Returns:
        Two-sided p-values of all methods but the first, after Holm's correction for their number.

    >>> runs = np.arange(5) / 10
    >>> [round(p, 3) for p in compare_runs([[runs, runs + 1, runs + 2]])]
    [0.016, 0.016]
    """
    ranks = mean_ranks_of_runs(values)
    return holm([mann_whitney(runs, ranks[0]) for runs in ranks[1:]])


def write_report(
    out: Path, models: Sequence[str], runs: Sequence[TestedRun], test: TestSet
) -> Path:
    """Writes ``report.md``, ``tests.csv`` and ``inputs.csv`` of a study.

    Args:
        out: Folder of the study, which holds the run folders.
        models: Names of the models in the order of the tables; each is compared with the first.
        runs: Equal numbers of runs of every model.
        test: Test of these runs.

    Returns:
        Path of the report.
    """
    rows = [row for run in runs for row in run.rows()]
    files.write_csv(out / "tests.csv", rows)
    seeds = len({run.seed for run in runs})
    parts = [f"# Symbiotic teams: {len(models)} models, {seeds} seeds\n"]
    for measured in _REPORTED:
        values = values_of(rows, models, measured)
        parts.append(_table(measured, models, values, _limits(measured, test)))
        if len(models) > 1 and seeds > 1:
            parts.append(_runs(models, values))
        if len(models) > 2:
            parts.append(_ranks(models, rank_test(np.median(values, axis=2))))
    if seeds > 1:
        for measured in _COMPARED:
            values = values_of(rows, models, measured)
            parts.append(_scenarios(measured, models, values))
    usage = _usage(out, runs)
    files.write_csv(out / "inputs.csv", usage)
    lines = [f"| {row['input']} | {100 * row['share']:.1f} |" for row in usage]
    parts.append("\n".join(["## inputs\n", "| input | % of teams |", "| --- | --- |", *lines, ""]))
    path = out / "report.md"
    files.write_whole(path, "\n".join(parts).encode())
    return path


def _limits(measured: str, test: TestSet) -> dict[str, list[float]]:
    """Table of the limits of the scores in each scenario."""
    if measured == "best":
        return {"best response": [test.best_response(scenario) for scenario in SCENARIOS]}
    if measured == "cumulative":
        return {"ceiling": [test.ceiling(scenario) for scenario in SCENARIOS]}
    return {}


def _table(
    measured: str, models: Sequence[str], values: F64, limits: dict[str, list[float]]
) -> str:
    """Table of medians, with the 95% interval of the mean for several seeds.

    A second table shows shares of the limit where one is known.
    """
    lines = [
        f"## {measured}\n",
        _line(["", *models, *limits]),
        _rule(1 + len(models) + len(limits)),
    ]
    for i, scenario in enumerate(SCENARIOS):
        cells = [_cell(values[i, j]) for j in range(len(models))]
        known = [f"{each[i]:.3f}" if np.isfinite(each[i]) else "" for each in limits.values()]
        lines.append(_line([scenario, *cells, *known]))
    for name, each in limits.items():
        lines += ["", f"Won, in % of the {name}:\n", _line(["", *models]), _rule(1 + len(models))]
        for i, scenario in enumerate(SCENARIOS):
            if np.isfinite(each[i]):
                shares = 100.0 * (np.median(values[i], axis=1) - 0.5) / (each[i] - 0.5)
                lines.append(_line([scenario, *(f"{share:.0f}" for share in shares)]))
    return "\n".join([*lines, ""])


def _cell(values: F64) -> str:
    low, high = Sample(tuple(values.tolist())).interval()
    reach = "" if np.isnan(low) else f" ± {(high - low) / 2:.3f}"
    return f"{np.median(values):.3f}{reach}"


def _runs(models: Sequence[str], values: F64) -> str:
    """Tests of every model against the first, in which a run is one observation."""
    ranks = mean_ranks_of_runs(values)
    n = ranks.shape[1]
    lines = [
        f"Mean ranks of the runs among all {ranks.size} over the scenarios. A run is one "
        f"observation: p is by {_exact(_is_exact(n, n))}two-sided Mann-Whitney tests against "
        f"{models[0]}, {n} runs against {n}, with Holm's correction for {len(models) - 1}; before "
        f"it, p cannot be below {2 / math.comb(2 * n, n):.2g}.\n",
        _line(["", *models]),
        _rule(1 + len(models)),
        _line(["mean rank", *(f"{rank:.2f}" for rank in ranks.mean(axis=1))]),
        _line(["p", "", *(f"{p:.3f}" for p in compare_runs(values))]),
    ]
    return "\n".join([*lines, ""])


def _ranks(models: Sequence[str], test: RankTest) -> str:
    """The tests of the thesis."""
    ranks = ", ".join(f"{model} {rank:.2f}" for model, rank in zip(models, test.ranks, strict=True))
    better = [f"{models[i]} > {models[j]}" for i, j in test.pairs_that_differ()]
    return (
        "The thesis's procedure, whose p-values overstate the evidence, since it takes scenarios "
        f"of the same runs as independent. Mean ranks of medians: {ranks}. Friedman: chi-square "
        f"{test.statistic:.2f}, p = {test.p:.2g}. "
        f"Nemenyi (critical distance {test.nemenyi:.3f}): {', '.join(better) or 'no difference'}. "
        f"Bonferroni-Dunn against one: {test.bonferroni_dunn:.3f}.\n"
    )


def _scenarios(measured: str, models: Sequence[str], values: F64) -> str:
    """Tests of every model against the first per scenario, and of unbalanced against balanced."""
    n = values.shape[2]
    lines = [
        f"## {measured}: single scenarios\n",
        "Two-sided p of the runs, uncorrected; + where the median is higher, - where it is not. "
        f"Models are compared by {_exact(_is_exact(n, n))}Mann-Whitney tests, hands by "
        f"{_exact(n <= _MOST_PAIRS)}Wilcoxon tests of the same runs, whose p is at least "
        f"{2 / 2**n:.2g}.\n",
    ]
    if len(models) > 1:
        lines += [_line([f"against {models[0]}", *models[1:]]), _rule(len(models))]
        for i, scenario in enumerate(SCENARIOS):
            pairs = [(values[i, j], values[i, 0]) for j in range(1, len(models))]
            lines.append(_line([scenario, *(_verdict(*pair, mann_whitney) for pair in pairs)]))
        lines.append("")
    half = len(SCENARIOS) // 2
    lines += [_line(["unbalanced against balanced", *models]), _rule(1 + len(models))]
    for i in range(half):
        pairs = [(values[half + i, j], values[i, j]) for j in range(len(models))]
        lines.append(_line([SCENARIOS[i][1:], *(_verdict(*pair, wilcoxon) for pair in pairs)]))
    return "\n".join([*lines, ""])


def _verdict(values: F64, baseline: F64, test: Callable[[F64, F64], float]) -> str:
    sign = "+" if np.median(values) > np.median(baseline) else "-"
    return f"{sign} {test(values, baseline):.3f}"


def _exact(exact: bool) -> str:
    return "exact " if exact else ""


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(n: int) -> str:
    return _line(["---"] * n)


def _usage(out: Path, runs: Sequence[TestedRun]) -> list[dict[str, Any]]:
    """Table of the number of teams, over all runs, that read each input."""
    folders = [RunFolder.open(out / run_name(run.model, run.seed)) for run in runs]
    teams = [team for folder in folders for team in load_teams(folder).teams]
    return [{"input": name, "share": share} for name, share in input_usage(teams).items()]
