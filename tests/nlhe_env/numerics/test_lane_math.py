"""Arithmetic of lanes: what single numbers give, to the last bit."""

from __future__ import annotations

import numpy as np

from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.float_lanes import LANES, load
from nlhe_env.numerics.lane_math import all_outside, all_outside_alike, store_lanes
from nlhe_env.numerics.portable_math import sigmoid32


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
