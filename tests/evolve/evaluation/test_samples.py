"""Means, intervals and tests, against SciPy and their definitions."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from agents import Blocks, Tally, make, play
from agents.match.tally import compare
from agents.statistics.estimates import Sample, TTest, holm, t_interval
from nlhe_env import Game

UNIT = Fraction(1, 18)


def tally_of(points, *, lower_is_better: bool = True) -> Tally:
    """Places in blocks of nine players."""
    return Tally.of_points(np.asarray(points), unit=UNIT, lower_is_better=lower_is_better)


def draw(n: int, seed: int = 1, players: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).integers(18, 163, (n, players))


def test_paired_test_agrees_with_scipy():
    points = draw(50)
    tally, places = tally_of(points), points / 18.0
    for i, j in ((0, 1), (2, 0), (1, 2)):
        ours, theirs = compare(tally, i, j), stats.ttest_rel(places[:, i], places[:, j])
        low, high = theirs.confidence_interval(0.95)
        assert ours.t == pytest.approx(theirs.statistic)
        assert ours.p == pytest.approx(theirs.pvalue)
        assert ours.interval() == pytest.approx((low, high))
        assert ours.degrees == theirs.df


def test_sums_give_the_mean_the_deviation_and_the_standard_error():
    points = draw(400)
    tally, places = tally_of(points), points / 18.0
    np.testing.assert_allclose(tally.scores, places.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(tally.deviations, places.std(axis=0, ddof=1), rtol=1e-12)
    np.testing.assert_allclose(tally.errors, stats.sem(places), rtol=1e-12)


@settings(max_examples=30)
@given(st.lists(st.integers(1, 59), min_size=1, max_size=4, unique=True))
def test_sums_do_not_depend_on_how_games_are_split(cuts):
    points = draw(60)
    parts = [tally_of(part) for part in np.split(points, sorted(cuts))]
    joined = parts[-1]
    for part in parts[-2::-1]:
        joined = joined + part
    whole = tally_of(points)
    assert joined.count == whole.count == 60
    assert joined.scores.tobytes() == whole.scores.tobytes()
    assert joined.errors.tobytes() == whole.errors.tobytes()
    assert compare(joined, 0, 1) == compare(whole, 0, 1)


def test_sums_stay_exact_where_floating_point_does_not():
    """A spread of one point in ten million games: the squares exceed 64 bits on the way."""
    count = 10_000_000
    points = np.array([90, 90], np.int64)
    totals = count * points + [1, 0]
    squares = count * np.outer(points, points) + [[2 * 90 + 1, 90], [90, 0]]
    tally = replace(
        tally_of(draw(2, players=2)),
        count=count,
        totals=totals,
        squares=squares.diagonal(),
        products=squares,
    )
    test = compare(tally, 0, 1)
    assert test.difference == pytest.approx(1 / 18 / count, rel=1e-12)
    assert test.t == pytest.approx(1.0, rel=1e-9)


def test_a_player_does_not_differ_from_itself():
    test = compare(tally_of(draw(20)), 1, 1)
    assert (test.difference, test.error, test.p, test.verdict) == (0, 0, 1, "no difference shown")


@pytest.mark.parametrize("lower_is_better", [True, False])
@pytest.mark.parametrize("shift", [-18, 0, 18])
def test_the_verdict_follows_the_direction_of_the_score(shift, lower_is_better):
    second = np.arange(40, 240, 20)
    points = np.stack([second + shift, second], axis=1)
    test = compare(tally_of(points, lower_is_better=lower_is_better), 0, 1)
    better = shift < 0 if lower_is_better else shift > 0
    expected = "no difference shown" if shift == 0 else "better" if better else "worse"
    assert (test.difference, test.error, test.verdict) == (shift / 18, 0.0, expected)


def test_one_percent_of_equal_pairs_is_found_different():
    points = np.random.default_rng(2).integers(18, 163, (2000, 100, 2))
    verdicts = [compare(tally_of(games), 0, 1).verdict for games in points]
    share = 1 - verdicts.count("no difference shown") / len(verdicts)
    assert share == pytest.approx(0.01, abs=0.008)


def test_a_single_game_has_no_error():
    tally = tally_of(draw(1))
    assert np.isnan(tally.errors).all()
    assert math.isnan(compare(tally, 0, 1).p)
    assert compare(tally, 0, 1).verdict == "no difference shown"


def test_samples_are_compared_by_welch():
    rng = np.random.default_rng(3)
    first, second = rng.normal(3.0, 0.2, 3), rng.normal(4.5, 0.6, 5)
    ours = Sample(tuple(first)).compare(Sample(tuple(second)), lower_is_better=True)
    theirs = stats.ttest_ind(first, second, equal_var=False)
    assert ours.t == pytest.approx(theirs.statistic)
    assert ours.p == pytest.approx(theirs.pvalue)
    assert ours.interval() == pytest.approx(tuple(theirs.confidence_interval(0.95)))


def test_the_interval_of_a_sample_is_students_t():
    values = (4.1, 4.6, 4.9)
    low, high = stats.t.interval(0.95, 2, loc=np.mean(values), scale=stats.sem(values))
    assert Sample(values).interval() == pytest.approx((low, high))


def test_intervals_have_their_nominal_coverage_of_the_mean():
    rng = np.random.default_rng(4)
    intervals = [Sample(tuple(rng.normal(4.0, 0.5, 3))).interval() for _ in range(1000)]
    covered = sum(low <= 4.0 <= high for low, high in intervals) / 1000
    assert covered == pytest.approx(0.95, abs=0.025)


def test_one_run_gives_no_interval_and_no_verdict():
    one, three = Sample((4.0,)), Sample((1.0, 1.1, 1.2))
    assert all(math.isnan(bound) for bound in one.interval())
    test = one.compare(three, lower_is_better=True)
    assert test.difference == pytest.approx(2.9)
    assert math.isnan(test.p)
    assert test.verdict == "no difference shown"


@pytest.mark.parametrize(("count", "verdict"), [(2, None), (4, None), (7, None), (8, "better")])
def test_a_handful_of_equal_values_without_spread_is_no_evidence(count, verdict):
    verdict = verdict or "no difference shown"
    three, four = Sample((3.0,) * count), Sample((4.0,) * count)
    assert four.compare(four, lower_is_better=True).p == 1.0
    test = three.compare(four, lower_is_better=True)
    assert test.verdict == verdict
    assert test.p == 2.0 ** (1 - count)
    bounds = -1.0 if verdict == "better" else math.nan
    assert test.interval(0.99) == pytest.approx((bounds, bounds), nan_ok=True)
    assert three.compare(Sample((4.0,) * 50), lower_is_better=True).verdict == verdict
    points = np.array([[1, 2]] * count)
    tally = Tally.of_points(points, unit=Fraction(1), lower_is_better=True)
    assert compare(tally, 0, 1).verdict == verdict


@pytest.mark.parametrize("value", [0.1, 0.3, 4.7])
def test_rounding_errors_of_equal_values_are_no_spread(value):
    three, ten = Sample((value,) * 3), Sample((value,) * 10)
    assert (three.mean, three.deviation) == (ten.mean, ten.deviation) == (value, 0.0)
    assert three.compare(Sample((0.5,) * 3), lower_is_better=False).p == 0.25
    assert ten.compare(Sample((value,) * 9), lower_is_better=False).p == 1.0


def test_equal_players_are_rarely_better_after_two_blocks():
    """Places are discrete, so that two blocks often have the same difference."""
    players = [make("random"), make("random")]
    game = Game.tournament()
    verdicts = [
        compare(play(players, Blocks(2), game, seed=seed), 0, 1).verdict for seed in range(150)
    ]
    assert sum(verdict != "no difference shown" for verdict in verdicts) <= 6


def test_an_impossible_confidence_is_refused():
    sample, two = Sample((1.0, 2.0, 4.0)), Sample((3.0,) * 2)
    without_spread = two.compare(Sample((4.0,) * 2), lower_is_better=True)
    for interval in (sample.interval, sample.half_width, without_spread.interval):
        with pytest.raises(ValueError, match=r"confidence must .* got 95"):
            interval(95)


def test_an_empty_sample_is_refused():
    with pytest.raises(ValueError, match=r"at least one number; got \(\)"):
        Sample(())


def test_holm_leaves_out_untested_pairs():
    adjusted = holm([0.02, math.nan, 0.01])
    assert adjusted[0] == pytest.approx(0.02)
    assert math.isnan(adjusted[1])
    assert adjusted[2] == pytest.approx(0.02)


def test_a_missing_error_gives_no_interval():
    assert all(math.isnan(bound) for bound in t_interval(5.0, math.nan, 3))
    assert TTest(1.0, 0.0, 3, lower_is_better=True).t == math.inf
