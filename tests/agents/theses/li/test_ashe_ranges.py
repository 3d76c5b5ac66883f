"""The nine ranges of ASHE 2.3: holdings by the number of stronger ones, and their weights."""

from __future__ import annotations

import numpy as np
import pytest

from agents.theses.li.boards import INTERVALS, ranges_on, weights_of_holdings
from nlhe_env.cards import parse_cards

OWN, BOARD = "AsKs", "QsJs2h2d9c"


def place(cards):
    low, high = sorted(parse_cards(cards))
    return high * (high - 1) // 2 + low


def test_the_first_range_holds_the_strongest_holdings():
    ranges = ranges_on(parse_cards(OWN), parse_cards(BOARD))
    assert (ranges >= 0).sum() == 990
    assert ranges[place("AsKd")] == -1  # a card of our own
    # Quads, then the three full houses of a set of each kind: 1 + 3 * 3 and some with a deuce.
    assert ranges[place("2s2c")] == 0
    assert ranges[place("QhQd")] == 0
    assert ranges[place("3h4d")] == 8
    counts = np.bincount(ranges[ranges >= 0], minlength=9)
    # Ties stand together, so that a range may have more or fewer holdings than its width.
    assert counts.sum() == 990
    assert abs(np.cumsum(counts) - INTERVALS[1:]).max() < 100


def test_weights_follow_the_range_probabilities():
    own, board = parse_cards(OWN), parse_cards(BOARD)
    ranges = ranges_on(own, board)
    chances = np.array([0.5, 0, 0, 0, 0, 0, 0, 0, 0.5])
    weights = weights_of_holdings(own, board, chances)
    assert weights.sum() == pytest.approx(1.0, abs=1e-5)
    assert weights[ranges == 0].sum() == pytest.approx(0.5, abs=1e-5)
    assert weights[(ranges > 0) & (ranges < 8)].sum() == 0.0
    # On the turn, quads of aces can come: a pair of aces may be in the first range.
    early = weights_of_holdings(own, board[:4], chances)
    assert early.sum() == pytest.approx(1.0, abs=1e-4)
    assert early[place("AsAd")] == 0.0
    assert early[place("2s2c")] > early[place("3h4d")]
    np.testing.assert_array_equal(
        weights_of_holdings(own, board[:3], chances), weights_of_holdings(own, board[:3], chances)
    )
