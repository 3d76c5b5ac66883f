"""Lanes do to sixteen numbers what NumPy does to them."""

import numpy as np
import pytest

from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.float_lanes import (
    LANES,
    at_least,
    everywhere,
    in_whole_lanes,
    load,
    store,
    transpose,
    where_above,
)
from nlhe_env.numerics.lane_math import all_outside, all_outside_alike, store_lanes
from nlhe_env.numerics.portable_math import sigmoid32


@kernel
def _calculate(rows, found):
    a, b = load(rows, 0, 3), load(rows, 1, 0)
    store(found, 0, 0, a + b)
    store(found, 1, 0, a - b * 2.0)
    store(found, 2, 0, 1.0 / (b + 4))
    store(found, 3, 0, at_least(a, 0.25))
    store(found, 4, 0, where_above(a, 0, b, everywhere(rows, 7)))


@kernel
def _turn(rows, found):
    transpose(rows, 2, 5, found, 1, 3)


@pytest.fixture(params=[np.float32, np.float64])
def rows(request):
    return np.random.default_rng(3).normal(size=(20, 40)).astype(request.param)


def test_arithmetic_matches_numpy(rows):
    found = np.zeros((5, LANES), rows.dtype)
    _calculate(rows, found)
    a, b = rows[0, 3 : 3 + LANES], rows[1, :LANES]
    expected = [
        a + b,
        a - b * rows.dtype.type(2),
        1 / (b + rows.dtype.type(4)),
        np.maximum(a, rows.dtype.type(0.25)),
        np.where(a > 0, b, rows.dtype.type(7)),
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_rows_become_columns_and_nothing_else_changes(rows):
    found = np.zeros((20, 40), rows.dtype)
    _turn(rows, found)
    expected = np.zeros_like(found)
    expected[1 : 1 + LANES, 3 : 3 + LANES] = rows[2 : 2 + LANES, 5 : 5 + LANES].T
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("count", "padded"), [(0, 0), (1, 16), (16, 16), (17, 32)])
def test_counts_are_rounded_up_to_whole_lanes(count, padded):
    assert in_whole_lanes(count) == padded


# --- arithmetic of lanes: what single numbers give, to the last bit -------------------------------


@kernel
def sigmoids(rows, by_lanes, one_by_one):
    for row in range(len(rows)):
        store_lanes(by_lanes[row], sigmoid32(load(rows, row, 0)))
        for i in range(LANES):
            one_by_one[row, i] = sigmoid32(rows[row, i])


def test_lane_sigmoids_match_scalars_and_are_accurate():
    rows = np.random.default_rng(1).normal(0, 30, (2_000, LANES)).astype(np.float32)
    rows[0] = [0, -0.0, 1, -1, 86.9, -86.9, 87, -87, 88, -88, 1e9, -1e9, np.inf, -np.inf, 0.5, -0.5]
    by_lanes, one_by_one = np.zeros_like(rows), np.zeros_like(rows)
    sigmoids(rows, by_lanes, one_by_one)
    np.testing.assert_array_equal(by_lanes.view(np.int32), one_by_one.view(np.int32))
    exact = 1 / (1 + np.exp(-np.clip(rows.astype(float), -87, 87)))
    np.testing.assert_allclose(by_lanes, exact, rtol=3e-7)


@kernel
def rows_outside(rows, low, high, outside):
    for row in range(len(rows)):
        outside[row] = all_outside(load(rows, row, 0), low, high)


def test_all_lanes_must_be_outside():
    rows = np.random.default_rng(2).normal(0, 100, (2_000, LANES)).astype(np.float32)
    rows[0] = 5
    rows[1] = -4
    rows[2] = np.nan
    outside = np.zeros(len(rows), np.bool_)
    rows_outside(rows, np.float32(-4), np.float32(5), outside)
    np.testing.assert_array_equal(outside, ((rows < -4) | (rows > 5)).all(axis=1))
    assert 0.1 < outside.mean() < 0.9


@kernel
def pairs_outside(rows, others, low, high, outside):
    for row in range(len(rows)):
        pair = load(rows, row, 0), load(others, row, 0)
        outside[row] = all_outside_alike(pair[0], pair[1], low, high)


def test_both_lanes_must_be_outside_on_the_same_side():
    generator = np.random.default_rng(3)
    rows = generator.normal(0, 100, (2_000, LANES)).astype(np.float32)
    others = rows + generator.normal(0, 3, rows.shape).astype(np.float32)
    rows[0], others[0] = -90, 90
    rows[1], others[1] = 90, np.nan
    rows[2], others[2] = 90, 5
    outside = np.zeros(len(rows), np.bool_)
    pairs_outside(rows, others, np.float32(-4), np.float32(5), outside)
    below, above = (rows < -4) & (others < -4), (rows > 5) & (others > 5)
    np.testing.assert_array_equal(outside, (below | above).all(axis=1))
    assert 0.1 < outside.mean() < 0.9
