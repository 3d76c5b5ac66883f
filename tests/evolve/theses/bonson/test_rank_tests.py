"""Ranks: the tables that a thesis prints, and the verdicts that it draws from them."""

import numpy as np
import pytest
from scipy import stats

from evolve.theses.bonson.studies.report import (
    compare_runs,
    mann_whitney,
    rank_test,
    wilcoxon,
)

MODELS = ("no_div", "bid", "nov", "only_nov", "ncd", "ncd_gen", "ham", "ham_gen", "gen")

# J. P. C. Bonson, "Diversity and Novelty as Objectives in Poker" (MCS thesis, Dalhousie
# University, 2016), tables B.1 and B.2: ranks of the best individual and of cumulative scores.
INDIVIDUAL = """
5 4 7 9 8 2 6 1 3
8 7 2 9 5 4 1 3 6
6 7 1 9 5 4 3 2 8
8 7 5 9 6 1 4 3 2
8 2.5 6 9 7 2.5 5 2.5 2.5
6 5 7 9 8 3 4 2 1
8 5 3 9 7 4 6 2 1
4 2 6 9 7 5 1 3 8
8 6 7 9 5 2 4 2 2
8 2 6 9 7 4 5 1 3
"""
CUMULATIVE = """
9 8 5 6 7 1.5 4 3 1.5
9 8 6 7 5 1 3 2 4
9 8 4 7 6 1 2 5 3
9 8 1 3 2 4 5 6 7
9 8 1 5 2 3 4 6 7
9 5 6 8 7 2.5 2.5 2.5 2.5
9 8 3 7 4 1 6 5 2
9 8 4 7 6 1 3 5 2
9 8 1 3 2 4 5 6 7
9 8 2 6 1 3 5 4 7
"""
# Table 5.6, median bluffing rates.
BLUFFING = """
0.07 0.07 0.15 0.29 0.15 0.07 0.09 0.07 0.07
0.129 0.075 0.154 0.291 0.146 0.101 0.1 0.101 0.101
0.215 0.162 0.204 0.3 0.188 0.157 0.161 0.172 0.17
0.25 0.132 0.221 0.3 0.186 0.172 0.14 0.162 0.146
0.296 0.234 0.26 0.303 0.23 0.235 0.195 0.225 0.22
0.25 0.35 0.43 0.54 0.45 0.36 0.34 0.33 0.36
0.418 0.401 0.423 0.524 0.44 0.427 0.399 0.424 0.417
0.531 0.509 0.494 0.546 0.492 0.504 0.478 0.508 0.507
0.567 0.423 0.5 0.537 0.478 0.491 0.444 0.461 0.45
0.587 0.522 0.528 0.547 0.511 0.535 0.495 0.518 0.537
"""


def table(text):
    return np.array([[float(cell) for cell in row.split()] for row in text.strip().splitlines()])


def verdicts(test):
    found = {}
    for i, j in test.pairs_that_differ():
        found.setdefault(MODELS[i], set()).add(MODELS[j])
    return found


def test_critical_distances():
    test = rank_test(-table(INDIVIDUAL))
    # Printed as 3.336, by a table that has 2.724 where the normal distribution has 2.734.
    assert test.bonferroni_dunn == pytest.approx(3.336 * 2.734 / 2.724, abs=0.001)
    assert test.nemenyi == pytest.approx(3.8, abs=0.002)


# Without a correction for ties the statistic is 48.67, 49.82 and 43.61.
@pytest.mark.parametrize(
    ("values", "ranks", "statistic"),
    [
        (-table(INDIVIDUAL), (6.9, 4.75, 5, 9, 6.5, 3.15, 3.9, 2.15, 3.65), 48.67),
        (-table(CUMULATIVE), (9, 7.7, 3.3, 5.9, 4.2, 2.2, 3.95, 4.45, 4.3), 49.82),
        (table(BLUFFING), (3.6, 6.9, 3.65, 1.2, 4.45, 5.25, 7.9, 6, 6.05), 43.61),
    ],
)
def test_published_ranks_and_friedman_statistic(values, ranks, statistic):
    test = rank_test(values)
    np.testing.assert_allclose(test.ranks, ranks, atol=0.051)
    assert test.statistic == pytest.approx(statistic, rel=0.025)
    assert test.p < 0.01


def test_significance_of_the_best_individual():
    test = rank_test(-table(INDIVIDUAL))
    others = ("ncd_gen", "gen", "ham", "bid", "nov")
    assert verdicts(test) == {
        "ham_gen": {"ncd", "no_div", "only_nov"},
        **{name: {"only_nov"} for name in others},
    }
    assert [MODELS[i] for i in test.differ_from(0)] == ["ncd_gen", "ham_gen"]


def test_significance_of_cumulative_scores():
    test = rank_test(-table(CUMULATIVE))
    assert verdicts(test) == {
        **{name: {"bid", "no_div"} for name in ("ncd_gen", "nov")},
        **{name: {"no_div"} for name in ("ham", "ncd", "gen", "ham_gen")},
    }
    better = {"nov", "ncd", "ncd_gen", "ham", "ham_gen", "gen"}
    assert {MODELS[i] for i in test.differ_from(0)} == better


def test_significance_of_bluffing():
    test = rank_test(table(BLUFFING))
    equal = {"no_div", "nov", "ncd", "only_nov"}
    assert {MODELS[i] for i in test.differ_from(3)} == set(MODELS) - equal


def test_equal_models_do_not_differ():
    test = rank_test(np.ones((4, 3)))
    assert (test.statistic, test.p, test.pairs_that_differ()) == (0.0, 1.0, [])


def test_too_small_tables_are_refused():
    with pytest.raises(ValueError, match="three methods"):
        rank_test([[1.0, 2.0], [2.0, 1.0]])


@pytest.mark.parametrize("seeds", [0.0, 1.0])
def test_equal_methods_differ_rarely_by_runs_but_often_by_scenarios_of_the_same_runs(seeds):
    """Ten scenarios whose results correlate by 0.5 over runs are not ten observations.

    Nor do runs of several methods that share the effects of their seeds differ more often.
    """
    generator = np.random.default_rng(1)
    trials, by_scenarios, by_runs, differs = 60, 0, 0, 0
    for _ in range(trials):
        values = generator.normal(size=(10, 5, 5)) + generator.normal(size=(5, 5))
        values += seeds * generator.normal(size=5)
        by_scenarios += rank_test(np.median(values, axis=2)).p < 0.05
        by_runs += min(compare_runs(values)) < 0.05
        values[:, 1] += 5.0
        differs += compare_runs(values)[0] < 0.05
    assert by_scenarios > 0.5 * trials
    # At most 4 * 2 / 252 in truth, since p below 0.05 after Holm's correction needs separation.
    assert by_runs < 0.1 * trials
    assert differs > 0.9 * trials


# Two-sided, of 6, 20, 70 and 252 divisions. For five against five, the probabilities of at most
# two and three inversions are 0.016 and 0.028 (Mann and Whitney 1947, table I).
@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        ([1, 2], [3, 4], 2 / 6),
        ([1, 2, 3], [4, 5, 6], 0.1),
        ([1, 2, 3, 4], [5, 6, 7, 8], 2 / 70),
        ([6, 7, 8, 9, 10], [1, 2, 3, 4, 5], 2 / 252),
        ([1, 2, 3, 4, 4], [5, 6, 7, 8, 9], 2 / 252),
        ([1, 2, 3, 4, 6], [5, 7, 8, 9, 10], 4 / 252),
        ([1, 2, 3, 4, 7], [5, 6, 8, 9, 10], 8 / 252),
        ([1, 2, 3, 4, 8], [5, 6, 7, 9, 10], 14 / 252),
        ([1, 1, 1], [1, 1, 1], 1.0),
    ],
)
def test_few_runs_are_tested_exactly_with_ties_too(first, second, p):
    assert mann_whitney(first, second) == pytest.approx(p)
    assert mann_whitney(second, first) == pytest.approx(p)


def test_few_and_many_runs_agree_with_scipy():
    generator = np.random.default_rng(2)
    for n, m in [(3, 5), (5, 5), (6, 4), (25, 25)]:
        first, second = generator.normal(size=n), generator.normal(size=m)
        expected = stats.mannwhitneyu(first, second, method="exact").pvalue
        assert mann_whitney(first, second) == pytest.approx(expected, abs=0.02 * (n > 9))
    for n in (4, 9, 25):
        first, second = generator.normal(size=(2, n))
        expected = stats.wilcoxon(first - second, method="exact").pvalue
        assert wilcoxon(first, second) == pytest.approx(expected)


def test_pairs_are_tested_exactly_with_ties_too():
    assert wilcoxon([1, 2, 3, 4, 5], [0, 0, 0, 0, 0]) == 2 / 32
    assert wilcoxon([1, 1, 1], [2, 2, 2]) == 2 / 8
    assert wilcoxon([1, 2, 3], [1, 2, 3]) == 1.0
    assert wilcoxon([2, 2, 3], [1, 1, 3]) == 2 / 4  # an unchanged run says nothing


def test_methods_are_compared_by_runs_with_the_correction_of_holm():
    # Complete separation: the smallest p-values of three against three and five against five.
    methods = np.arange(5)[:, np.newaxis]
    for n, least in [(3, 0.1), (5, 2 / 252)]:
        separated = np.tile(methods + np.arange(n) / 10, (10, 1, 1))
        assert compare_runs(separated) == pytest.approx([4 * least] * 4)
    # By the mean over the scenarios, however much these agree with each other.
    assert compare_runs(separated[:1]) == compare_runs(separated)
