"""Weighted sums in vector registers: the bits of sums that are added one input after the other."""

from __future__ import annotations

import numpy as np
import pytest

from agents.players.networks.dense_kernels import write_sums


@pytest.mark.parametrize("n_sums", [*range(1, 18), 40, 75, 80, 81, 96, 143, 144, 145, 200])
def test_sums_add_their_inputs_in_order(n_sums):
    rng = np.random.default_rng(n_sums)
    inputs, more = (rng.normal(size=n).astype(np.float32) for n in (8, 13))
    links = rng.normal(size=(22, n_sums)).astype(np.float32)
    before = rng.normal(size=n_sums).astype(np.float32)
    expected = before.copy()
    for x, row in zip((*inputs, *more), links, strict=False):
        expected += x * row
    # What lies behind the sums stays as it is.
    room = np.full(n_sums + 32, np.float32(7.0))
    write_sums(links.ravel(), inputs, more, before, room[:n_sums])
    np.testing.assert_array_equal(room[:n_sums], expected)
    assert (room[n_sums:] == 7.0).all()
    again = before.copy()
    write_sums(links.ravel(), inputs, more, again, again)
    np.testing.assert_array_equal(again, expected)
    write_sums(links.ravel(), inputs[:0], more[:0], before, room[:n_sums])
    np.testing.assert_array_equal(room[:n_sums], before)
