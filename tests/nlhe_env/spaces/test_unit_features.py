"""The bounded numbers of ``"features_unit"``, against plain arithmetic on the table."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from helpers import deal, numbers_seen, play_as

import nlhe_env
from nlhe_env import UNIT_FEATURES

seen = partial(numbers_seen, "features_unit", UNIT_FEATURES)


def test_features_match_the_table():
    env = deal([1000, 600, 400], blinds=(10, 20), hole_cards={2: "KhQh"})
    play_as(env, (0, 60), (1, 1))  # the big blind has 20 in and 40 to call into 60 + 60 + 20
    numbers = seen(env, 2)
    chance = nlhe_env.win_or_tie_probability("KhQh", n_opponents=2)
    expected = {
        "price": 4 * 40 / 180 - 1,
        "call": math.log2(1 + 2) / 2 - 1,
        "opponents": 2 / 4 - 1,
        "edge": 2 * (chance * 3 - 1),
        "position": 0.0,  # left of it the button, then the small blind
        "stack": math.log2(1 + 19) / 2 - 1.5,
    }
    for name, value in expected.items():
        assert numbers[name] == [pytest.approx(value, abs=1e-6)], name
    average = 2000 / 3
    others = [940 / average - 1, 540 / average - 1]
    assert numbers["stacks"][:2] == pytest.approx(others, abs=1e-6)
    assert numbers["stacks"][2:] == [-1.0] * 7
    # Own nothing yet; the button raised 20 to 60, three times the call; the small blind called.
    assert numbers["long_term"][:3] == pytest.approx([0.0, 3 / 4, 1 / 2])
    assert numbers["short_term"] == numbers["long_term"]


def test_a_fair_share_is_zero_and_aces_are_clipped():
    full = deal([1000] * 10, hole_cards={3: "AsAd", 4: "7s2d"})  # 0.347566 and 0.064140 of ten
    assert seen(full, 3)["edge"] == [4.0]
    assert seen(full, 4)["edge"] == [pytest.approx(2 * (10 * 0.064140 - 1), abs=1e-4)]
    heads_up = deal([1000, 1000], hole_cards={0: "2s2d"})
    assert seen(heads_up, 0)["edge"] == [pytest.approx(2 * (2 * 0.512829 - 1), abs=1e-4)]


@pytest.mark.parametrize("n", [2, 3, 10])
def test_position_runs_from_first_to_act_to_the_button(n):
    env = deal([1000] * n, button=n - 1)
    found = [seen(env, seat)["position"][0] for seat in range(n)]
    assert found == pytest.approx(np.linspace(-1, 1, n).tolist())


def test_a_free_check_costs_nothing():
    env = deal([1000, 1000])
    play_as(env, (0, 1))
    numbers = seen(env, 1)
    assert (numbers["price"], numbers["call"]) == ([-1.0], [-1.0])


def test_gymnasium_and_batches_show_the_same_numbers():
    same = {"observation": "features_unit", "actions": "sized"}
    env = nlhe_env.env(3, **same)
    env.reset(seed=3)
    vector = env.last()[0]["observation"]
    turns = nlhe_env.BatchEnv(2, num_players=3, **same).reset(seed=3)
    np.testing.assert_array_equal(turns.observation[0], vector)
    alone = nlhe_env.NoLimitHoldemEnv(opponents=["caller", "caller"], **same)
    space = alone.observation_space
    assert space.contains(alone.reset(seed=3)[0])
    assert space.low.min() == -2.0
