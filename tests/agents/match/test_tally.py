"""Tallies: exact sums, and what is read from them."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from agents import Tally

POINTS = arrays.arrays(
    np.int64,
    st.tuples(st.integers(2, 30), st.integers(2, 5)),
    elements=st.integers(-(10**6), 10**6),
)


def tally_of(points, *, unit=Fraction(1), lower_is_better=False) -> Tally:
    return Tally.of_points(np.asarray(points, np.int64), unit=unit, lower_is_better=lower_is_better)


@given(POINTS)
def test_means_and_errors_are_those_of_the_scores(points):
    tally = tally_of(points, unit=Fraction(1, 18))
    scores = points / 18
    n = len(points)
    np.testing.assert_allclose(tally.scores, scores.mean(axis=0), rtol=1e-9, atol=1e-9)
    deviations = scores.std(axis=0, ddof=1)
    np.testing.assert_allclose(tally.deviations, deviations, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(tally.errors, deviations / math.sqrt(n), rtol=1e-6, atol=1e-6)
    mean, error = tally.difference(0, 1)
    gaps = scores[:, 0] - scores[:, 1]
    assert mean == pytest.approx(gaps.mean(), rel=1e-9, abs=1e-9)
    assert error == pytest.approx(gaps.std(ddof=1) / math.sqrt(n), rel=1e-6, abs=1e-6)


@given(POINTS, st.integers(0, 30))
def test_parts_add_up_to_the_whole(points, cut):
    whole, first, second = tally_of(points), tally_of(points[:cut]), tally_of(points[cut:])
    for joined in (first + second, second + first):
        assert joined.count == len(points)
        for name in ("counts", "totals", "squares", "products", "ahead"):
            np.testing.assert_array_equal(getattr(joined, name), getattr(whole, name))


def test_sums_stay_exact_beyond_64_bits():
    half = tally_of([[2**31, -(2**31)]] * 2)
    total = half + half
    for _ in range(40):
        total = total + total
    assert total.squares[0] == 2**62 * total.count
    assert total.products is not None
    assert total.products[0, 1] == -(2**62) * total.count
    assert total.errors.tolist() == [0.0, 0.0]


def test_ahead_counts_wins_in_the_direction_of_the_game():
    points = [[3, 1, 1], [4, 6, 1]]
    assert tally_of(points).ahead.tolist() == [[0, 2, 4], [2, 0, 3], [0, 1, 0]]
    places = tally_of(points, lower_is_better=True)
    assert places.ahead.tolist() == [[0, 2, 0], [2, 0, 1], [4, 3, 0]]


def test_line_ups_count_who_took_part():
    line_ups, points = np.array([[0, 3], [1, 3], [3, 3]]), np.array([[5, -5], [7, -7], [2, -2]])
    tally = Tally.of_line_ups(
        points,
        line_ups,
        unit=Fraction(1, 10),
        lower_is_better=False,
        hands=0,
        decisions=0,
        style_counts=np.zeros((4, 12), np.int64),
    )
    assert tally.counts.tolist() == [1, 1, 0, 4]
    np.testing.assert_allclose(tally.scores, [0.5, 0.7, np.nan, -0.3])
    assert tally.squares[3] == 25 + 49 + 4 + 4
    assert np.isnan(tally.errors[:3]).all()
    with pytest.raises(ValueError, match="no sums of pairs"):
        tally.difference(0, 1)


def test_tallies_of_different_games_do_not_add():
    one = tally_of([[1, 2]])
    for other in (
        tally_of([[1, 2]], unit=Fraction(1, 2)),
        tally_of([[1, 2]], lower_is_better=True),
        tally_of([[1, 2, 3]]),
    ):
        with pytest.raises(ValueError, match="tallies differ in"):
            one + other


def test_a_single_unit_has_no_error():
    tally = tally_of([[1, 2]])
    assert np.isnan(tally.errors).all()
    assert math.isnan(tally.difference(0, 1)[1])


def test_what_was_not_asked_for_is_refused():
    with pytest.raises(ValueError, match="rows=True"):
        _ = tally_of([[1, 2]]).row_scores
