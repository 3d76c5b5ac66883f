"""The ten numbers of ``"features_core"``, against plain arithmetic on the table."""

from __future__ import annotations

import math
from functools import partial

import pytest
from helpers import deal, numbers_seen, play_as

import nlhe_env
from nlhe_env import CORE_FEATURES

seen = partial(numbers_seen, "features_core", CORE_FEATURES)


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
        "stack": [math.log2(1 + 19) / 2 - 1.5],
        "lead": [380 / (2000 / 3) - 1],
        "street": [-0.5],
        # The button raised 20 to 60, three times the call; the small blind called.
        "aggression": [(math.log1p(3.0) + math.log1p(1.0)) / 4 - 0.4],
        "players": [3 / 5 - 1.3],
    }
    assert list(numbers) == list(expected)
    for name, values in expected.items():
        assert numbers[name] == pytest.approx(values, abs=1e-6), name


def test_without_a_bet_only_the_fair_share_is_needed():
    env = deal([1000, 1000], hole_cards={1: "2s2d"})
    play_as(env, (0, 1))
    numbers = seen(env, 1)
    chance = nlhe_env.win_or_tie_probability("2s2d", n_opponents=1)
    assert numbers["surplus"] == pytest.approx([4 * chance, 4 * (2 * chance - 1)], abs=1e-6)
    assert numbers["price"] == [pytest.approx(-0.8)]
    assert numbers["risk"] == [-0.5]


def test_all_in_players_show_no_aggression():
    env = deal([1000, 100])
    play_as(env, (0, 1), (1, 100))  # the big blind is all-in
    assert seen(env, 0)["aggression"] == [0.0]
