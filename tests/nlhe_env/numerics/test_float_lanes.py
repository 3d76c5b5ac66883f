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
