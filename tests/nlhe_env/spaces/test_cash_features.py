"""The fourteen numbers of ``"features_cash"``, against plain arithmetic on the table."""

from __future__ import annotations

import math
from functools import partial

import pytest
from helpers import deal, numbers_seen, play_as

import nlhe_env
from nlhe_env import CASH_FEATURES

seen = partial(numbers_seen, "features_cash", CASH_FEATURES)


def test_features_match_the_table():
    env = deal([1000, 600, 400], blinds=(10, 20), hole_cards={2: "KhQh"})
    play_as(env, (0, 60), (1, 1))  # the big blind has 20 in and 40 to call into 60 + 60 + 20
    numbers = seen(env, 2)
    chance, price = nlhe_env.win_or_tie_probability("KhQh", n_opponents=2), 40 / 180
    expected = {
        "surplus": [4 * (chance - price) / (1 - price), 4 * (chance - 1 / 3) / (1 - 1 / 3)],
        "price": [4 * price - 0.8],
        "risk": [2 * 40 / 380 - 0.5],
        "opponents": [2 / 4.5 - 1],
        "pot": [math.log2(1 + 140 / 20) / 2 - 1],
        "behind": [math.log2(1 + 380 / 140) / 2 - 1],
        "street": [-1.0],
        "preflop": [0.5],
        "position": [0.0],  # between the small blind, left of the button, and the button
        "own_raises": [-0.5],
        "raises": [0.5],
        # Of the two one has called once and one has raised once.
        "folding": [4 * (2.5 / 11 - 0.25)],
        "raising": [4 * ((3 / 11 + 2 / 11) / 2 - 0.2)],
    }
    assert list(numbers) == list(expected)
    for name, values in expected.items():
        assert numbers[name] == pytest.approx(values, abs=1e-6), name


def test_raises_of_all_streets_count_except_by_folded_players():
    env = deal([2000, 2000, 2000], blinds=(10, 20))
    play_as(env, (0, 60), (1, 180), (2, 1), (0, 1), (1, 200), (2, 500), (0, 1), (1, 0))
    numbers = seen(env, 2)  # the turn; the small blind has raised twice and is out
    assert numbers["street"] == [pytest.approx(1 / 3)]
    assert numbers["preflop"] == [-0.5]
    assert numbers["own_raises"] == [0.5]
    assert numbers["raises"] == [0.5]
    assert [seen(env, seat)["position"] for seat in (0, 2)] == [[1.0], [0.0]]
