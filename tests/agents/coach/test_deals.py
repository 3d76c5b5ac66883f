"""Deals of the cards that a player cannot see."""

from __future__ import annotations

import numpy as np
import pytest

from agents.coach.coaching import HOLE_MASKS, draw_deals
from nlhe_env.cards import parse_cards
from nlhe_env.equity.calculator.spot import HOLES


def number_of(cards):
    return int(
        np.flatnonzero((np.sort(HOLES, axis=1) == sorted(parse_cards(cards))).all(axis=1))[0]
    )


def range_of(**weights):
    found = np.zeros(len(HOLES))
    for cards, weight in weights.items():
        found[number_of(cards)] = weight
    return found


def test_no_card_is_dealt_twice():
    known, board = parse_cards("AsKd"), parse_cards("2c7h9d")
    ranges = [np.ones(len(HOLES))] * 9
    holes, boards = draw_deals(known, board, ranges, 200, np.random.default_rng(1))
    assert (boards[:, :3] == board).all()
    for hands, cards in zip(holes, boards, strict=True):
        dealt = [*known, *hands.ravel(), *cards]
        assert len(set(dealt)) == len(dealt) == 2 + 18 + 10


def test_hands_have_the_joint_distribution_of_their_weights():
    """Against all pairs of hands counted."""
    first = range_of(AsAh=1.0, KsKh=0.5, QcQd=0.25)
    second = range_of(AsAc=1.0, KsKh=1.0, QcQh=0.5)
    count = 40_000
    holes, _ = draw_deals(parse_cards("2c2d"), [], [first, second], count, np.random.default_rng(3))
    exact = np.outer(first, second)
    exact[(HOLE_MASKS[:, np.newaxis] & HOLE_MASKS) != 0] = 0.0
    exact /= exact.sum()
    index = {tuple(sorted(hand)): i for i, hand in enumerate(HOLES.tolist())}
    drawn = np.zeros_like(exact)
    for one, other in np.sort(holes, axis=2).tolist():
        drawn[index[tuple(one)], index[tuple(other)]] += 1.0 / count
    at = np.argwhere(exact > 0)
    assert drawn[exact == 0].sum() == 0.0
    for i, j in at:
        error = np.sqrt(exact[i, j] * (1 - exact[i, j]) / count)
        assert abs(drawn[i, j] - exact[i, j]) < 5 * error


def test_ranges_that_share_their_only_cards_are_dealt_in_turn():
    same = range_of(AsAh=1.0)
    holes, _ = draw_deals([], [], [same, same], 20, np.random.default_rng(5))
    aces = (np.sort(holes, axis=2) == sorted(parse_cards("AsAh"))).all(axis=2)
    assert (aces.sum(axis=1) == 1).all()
    assert 0 < aces[:, 0].sum() < 20


def test_a_range_without_a_possible_hand_is_refused():
    with pytest.raises(ValueError, match="no possible hand"):
        draw_deals(parse_cards("AsKd"), [], [range_of(AsAh=1.0)], 1, np.random.default_rng(1))
