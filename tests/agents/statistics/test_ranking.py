"""Rankings, against SciPy, a bootstrap by brute force, and worked figures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import agents
from agents.statistics.ranking import rank_means

SETTINGS = settings(max_examples=60, deadline=None)


def sessions(n: int, players: int, *, seed: int = 1, gap: float = 0.3) -> np.ndarray:
    """Results of zero-sum sessions, with true means ``gap`` apart."""
    noise = np.random.default_rng(seed).normal(size=(n, players))
    return noise - noise.mean(axis=1, keepdims=True) - gap * np.arange(players)


def test_complete_sessions_are_compared_by_the_paired_t_test():
    results = sessions(30, 4)
    ranking = agents.rank(results)
    for i in range(4):
        low, high = stats.ttest_1samp(results[:, i], 0.0).confidence_interval(0.95)
        assert ranking.interval(i) == pytest.approx((low, high))
        for j in range(4):
            if i != j:
                theirs = stats.ttest_rel(results[:, i], results[:, j])
                assert ranking.compare(i, j).p == pytest.approx(theirs.pvalue)


def test_players_without_a_common_session_are_compared_by_welch():
    rng = np.random.default_rng(3)
    first, second = rng.normal(0.5, 1.0, 20), rng.normal(0.0, 3.0, 35)
    results = np.full((55, 2), np.nan)
    results[:20, 0], results[20:, 1] = first, second
    theirs = stats.ttest_ind(first, second, equal_var=False)
    test = agents.rank(results).compare(0, 1)
    assert test.t == pytest.approx(theirs.statistic)
    assert test.degrees == 19 < theirs.df  # cautious
    assert theirs.pvalue < test.p < theirs.pvalue + 0.02


def test_some_common_sessions_lie_between_both_tests():
    results = sessions(40, 2, seed=2)
    paired = agents.rank(results).compare(0, 1).error
    apart = results.copy()
    apart[:10, 0] = apart[30:, 1] = np.nan
    partly = agents.rank(apart).compare(0, 1)
    alone = np.full((80, 2), np.nan)
    alone[:30, 0], alone[40:70, 1] = results[10:, 0], results[:30, 1]
    unpaired = agents.rank(alone).compare(0, 1)
    # Zero-sum results are anti-correlated: common sessions make the difference less precise.
    assert unpaired.error < partly.error < 1.5 * paired
    assert partly.degrees == 29


def test_p_values_are_corrected_by_holm():
    ranking = agents.rank(sessions(25, 5, gap=0.15))
    plain = np.array([row["p"] for row in ranking.pairs])
    order = np.argsort(plain)
    expected = np.minimum(np.maximum.accumulate(plain[order] * np.arange(10, 0, -1)), 1.0)
    assert np.array([row["p_holm"] for row in ranking.pairs])[order] == pytest.approx(expected)
    assert ranking.decided == (expected < 0.05).sum() == sum(row["differ"] for row in ranking.pairs)


@pytest.mark.parametrize("n", [10, 40, 400])
def test_of_two_players_the_chance_of_the_better_is_one_minus_half_the_p_value(n):
    ranking = agents.rank(sessions(n, 2, gap=1.0 / math.sqrt(n)))
    (pair,) = ranking.pairs
    assert ranking.first.max() == pytest.approx(1.0 - pair["p"] / 2.0, abs=0.012)
    assert ranking.whole_order == pytest.approx(ranking.first.max(), abs=1e-9)


def test_chances_agree_with_a_bootstrap_of_the_sessions():
    results = sessions(120, 4, gap=0.08)
    ranking = agents.rank(results)
    rng = np.random.default_rng(5)
    drawn = np.array([results[rng.integers(120, size=120)].mean(axis=0) for _ in range(4000)])
    first = np.bincount(drawn.argmax(axis=1), minlength=4) / 4000
    in_order = (np.argsort(-drawn, axis=1) == ranking.order).all(axis=1).mean()
    assert ranking.first == pytest.approx(first, abs=0.025)
    assert ranking.whole_order == pytest.approx(in_order, abs=0.025)


def test_so_many_sessions_name_the_best_with_95_percent():
    ranking = agents.rank(sessions(50, 4, gap=0.4))
    factor = ranking.sessions_needed / 50
    rng = np.random.default_rng(6)
    drawn = rng.multivariate_normal(ranking.means, ranking.covariance / factor, 40_000)
    assert (drawn.argmax(axis=1) == ranking.order[0]).mean() == pytest.approx(0.95, abs=0.006)
    two = agents.rank(sessions(50, 2, gap=0.4))
    assert two.sessions_needed == pytest.approx(two.pairs[0]["sessions_needed"], rel=0.04)


def test_the_published_heads_up_table_needs_five_sessions():
    # 50 sessions, +38.1 and -38.1 big blinds, each ± 13.4 at 95%.
    scale = 13.4 / stats.t.ppf(0.975, 49) * math.sqrt(50)
    noise = np.random.default_rng(1).normal(size=50)
    won = 38.1 + scale * (noise - noise.mean()) / noise.std(ddof=1)
    ranking = agents.rank(np.stack([won, -won], axis=1), ["Flash", "Pro"])
    assert ranking.interval(0) == pytest.approx((24.7, 51.5), abs=0.05)
    assert math.ceil(ranking.pairs[0]["sessions_needed"]) == 5
    assert ranking.first[0] > 0.999


@SETTINGS
@given(
    n=st.integers(2, 12),
    players=st.integers(2, 5),
    seed=st.integers(0, 2**32 - 1),
    missing=st.floats(0.0, 0.5),
)
def test_invariants(n, players, seed, missing):
    rng = np.random.default_rng(seed)
    results = np.where(rng.random((n, players)) < missing, np.nan, rng.normal(size=(n, players)))
    ranking = agents.rank(results)
    known = np.isfinite(ranking.errors)
    assert (known == ((~np.isnan(results)).sum(axis=0) > 1)).all()
    if known.sum() > 1:
        assert ranking.first[known].sum() == pytest.approx(1.0)
    assert sorted(ranking.order) == list(range(players))
    for row in ranking.pairs:
        assert math.isnan(row["p"]) or 0.0 <= row["p"] <= row["p_holm"] <= 1.0
    turned = agents.rank(-results, lower_is_better=True)
    assert turned.order == ranking.order
    np.testing.assert_array_equal(turned.first, ranking.first)
    moved = agents.rank(10.0 * results + 3.0)  # another unit
    np.testing.assert_allclose(moved.first, ranking.first, atol=0.002)


def test_results_without_spread_decide_by_the_sign_test():
    results = np.tile([3.0, 1.0], (4, 1))
    (pair,) = agents.rank(results).pairs
    assert (pair["p"], pair["differ"]) == (0.125, False)
    assert agents.rank(np.tile([3.0, 1.0], (9, 1))).decided == 1
    assert agents.rank(np.ones((9, 2))).pairs[0]["p"] == 1.0


def test_equal_results_of_few_sessions_give_no_chances():
    few, many = (agents.rank(np.tile([1.0, 2.0, 4.0], (n, 1))) for n in (3, 9))
    unknown = (*few.first, few.whole_order, few.sessions_needed, few.pairs[0]["sessions_needed"])
    assert np.isnan(unknown).all()
    assert many.first.tolist() == [0.0, 0.0, 1.0]
    np.testing.assert_array_equal(agents.rank(np.ones((9, 2))).first.sum(), 1.0)


@pytest.mark.parametrize(
    ("results", "names", "message"),
    [
        ([[1.0, 2.0]], None, "at least 2 sessions"),
        ([[1.0], [2.0]], None, "2 players"),
        ([1.0, 2.0], None, "shape"),
        ([[1.0, math.inf], [1.0, 2.0]], None, "finite"),
        ([[1.0, 2.0], [2.0, 1.0]], ["a", "a"], "2 different names"),
        ([[1.0, 2.0], [2.0, 1.0]], ["a"], "2 different names"),
    ],
)
def test_wrong_results_are_named(results, names, message):
    with pytest.raises(ValueError, match=message):
        agents.rank(results, names)


def test_covariances_at_tables_come_from_zero_sums():
    names, means, hands = [f"player {i}" for i in range(6)], np.zeros(6), np.full(6, 100.0)
    full = rank_means(names, means, hands, sd=0.2, table_size=6).covariance
    assert np.diag(full) == pytest.approx(2.0**2)
    assert full.sum() == pytest.approx(0.0)  # all players of the table together win nothing
    difference = full[0, 0] + full[1, 1] - 2.0 * full[0, 1]
    assert difference == pytest.approx(2.0**2 * 2 * 6 / 5)
    smaller = rank_means(names, means, hands, sd=0.2, table_size=3).covariance
    assert smaller[0, 1] == pytest.approx(-4.0 / 5)  # six players
    assert rank_means(names, means, hands, sd=0.2).covariance[0, 1] == 0.0
    uneven = rank_means(names, means, [1.0, 5, 9, 100, 1e4, 1e6], table_size=6).covariance
    assert np.linalg.eigvalsh(uneven).min() > -1e-9 * np.trace(uneven)


@pytest.mark.parametrize(
    ("sd", "difference", "hands"),
    [(9.0, 10.0, 52_600), (9.0 / math.sqrt(2.0), 10.0, 26_300), (9.0, 5.0, 210_400)],
)
def test_the_formula_gives_the_worked_figures(sd, difference, hands):
    ranking = rank_means(["better", "other"], [difference, 0], [1000, 1000], sd=sd, table_size=6)
    assert ranking.sessions_needed == pytest.approx(hands, rel=1e-3)
    again = rank_means(["better", "other"], [difference, 0], [hands] * 2, sd=sd, table_size=6)
    assert again.first[0] == pytest.approx(0.95, abs=0.005)
