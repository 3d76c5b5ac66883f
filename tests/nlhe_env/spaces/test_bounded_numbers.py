"""Observations made of named, bounded numbers, against plain arithmetic on the table.

``test_dead_antes`` compares those that depend on chips with a count at the decisions of hands.
"""

import math

import numpy as np
import pytest
from helpers import deal, numbers_seen, play_as

import nlhe_env
from nlhe_env import CASH_FEATURES, CORE_FEATURES, UNIT_FEATURES
from nlhe_env.spaces.observations import find_observation

FEATURES = {
    "features_unit": (UNIT_FEATURES, 35),
    "features_core": (CORE_FEATURES, 10),
    "features_cash": (CASH_FEATURES, 14),
}


def seen(name, env, seat):
    return numbers_seen(name, FEATURES[name][0], env, seat)


PRICE, AVERAGE = 40 / 180, 2000 / 3
OF_CORE_AND_CASH = {
    "surplus": [lambda p: 4 * (p - PRICE) / (1 - PRICE), lambda p: 4 * (p - 1 / 3) / (1 - 1 / 3)],
    "price": [4 * PRICE - 0.8],
    "risk": [2 * 40 / 380 - 0.5],
    "opponents": [2 / 4.5 - 1],
}
EXPECTED = {
    "features_unit": {
        "price": [4 * PRICE - 1],
        "call": [math.log2(1 + 2) / 2 - 1],
        "opponents": [2 / 4 - 1],
        "edge": [lambda p: 2 * (p * 3 - 1)],
        "position": [0.0],  # left of it the button, then the small blind
        "stack": [math.log2(1 + 19) / 2 - 1.5],
        "stacks": [940 / AVERAGE - 1, 540 / AVERAGE - 1, *[-1.0] * 7],
        # Own nothing yet; the button raised 20 to 60, three times the call; the small blind called.
        "long_term": [0.0, 3 / 4, 1 / 2, *[0.0] * 7],
        "short_term": [0.0, 3 / 4, 1 / 2, *[0.0] * 7],
    },
    "features_core": {
        **OF_CORE_AND_CASH,
        "stack": [math.log2(1 + 19) / 2 - 1.5],
        "lead": [380 / AVERAGE - 1],
        "street": [-0.5],
        "aggression": [(math.log1p(3.0) + math.log1p(1.0)) / 4 - 0.4],
        "players": [3 / 5 - 1.3],
    },
    "features_cash": {
        **OF_CORE_AND_CASH,
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
    },
}


@pytest.mark.parametrize("name", FEATURES)
def test_features_match_the_table(name):
    env = deal([1000, 600, 400], blinds=(10, 20), hole_cards={2: "KhQh"})
    play_as(env, (0, 60), (1, 1))  # the big blind has 20 in and 40 to call into 60 + 60 + 20
    chance = nlhe_env.win_or_tie_probability("KhQh", n_opponents=2)
    numbers = seen(name, env, 2)
    assert list(numbers) == list(EXPECTED[name])
    for what, values in EXPECTED[name].items():
        right = [value(chance) if callable(value) else value for value in values]
        assert numbers[what] == pytest.approx(right, abs=1e-6), what


@pytest.mark.parametrize("name", FEATURES)
def test_the_features_are_contiguous(name):
    features, size = FEATURES[name]
    starts = [one.start for one in features]
    assert starts == [sum(one.size for one in features[:i]) for i in range(len(features))]
    assert find_observation(name).size == size == starts[-1] + features[-1].size


@pytest.mark.parametrize("name", FEATURES)
@pytest.mark.parametrize("players", [2, 6, 10])
def test_features_stay_within_bounds_and_vary(name, players):
    env = nlhe_env.raw_env(players, observation=name, starting_stack=3000)
    space = env.observation_space("player_0")["observation"]
    found = []
    for seed in range(3):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while env.agents:
            agent = env.agent_selection
            vector, mask = env.observe(agent).values()
            assert space.contains(vector), vector  # also what eliminated agents and winners see
            if env.terminations[agent] or env.truncations[agent]:
                env.step(None)
                continue
            found.append(vector)
            env.step(int(rng.choice([*np.flatnonzero(mask), 1, 1, 1])))  # 1: call
    moved = np.ptp(found, axis=0) > 0
    for one in FEATURES[name][0]:
        # Alone against one opponent, how many opponents there are is always the same.
        if one.name not in ("opponents", "players") or players > 2:
            assert moved[one.start], one.name


# --- single numbers -------------------------------------------------------------------------------


def test_a_fair_share_is_zero_and_aces_are_clipped():
    full = deal([1000] * 10, hole_cards={3: "AsAd", 4: "7s2d"})  # 0.347566 and 0.064140 of ten
    heads_up = deal([1000, 1000], hole_cards={0: "2s2d"})
    for env, seat, edge in (
        (full, 3, 4.0),
        (full, 4, 2 * (10 * 0.064140 - 1)),
        (heads_up, 0, 2 * (2 * 0.512829 - 1)),
    ):
        assert seen("features_unit", env, seat)["edge"] == [pytest.approx(edge, abs=1e-4)]


@pytest.mark.parametrize("n", [2, 3, 10])
def test_position_runs_from_first_to_act_to_the_button(n):
    env = deal([1000] * n, button=n - 1)
    found = [seen("features_unit", env, seat)["position"][0] for seat in range(n)]
    assert found == pytest.approx(np.linspace(-1, 1, n).tolist())


def test_a_free_check_costs_nothing_and_needs_only_the_fair_share():
    env = deal([1000, 1000], hole_cards={1: "2s2d"})
    play_as(env, (0, 1))
    unit, core = (seen(name, env, 1) for name in ("features_unit", "features_core"))
    assert (unit["price"], unit["call"]) == ([-1.0], [-1.0])
    chance = nlhe_env.win_or_tie_probability("2s2d", n_opponents=1)
    assert core["surplus"] == pytest.approx([4 * chance, 4 * (2 * chance - 1)], abs=1e-6)
    assert (core["price"], core["risk"]) == ([pytest.approx(-0.8)], [-0.5])


def test_all_in_players_show_no_aggression():
    env = deal([1000, 100])
    play_as(env, (0, 1), (1, 100))  # the big blind is all-in
    assert seen("features_core", env, 0)["aggression"] == [0.0]


def test_raises_of_all_streets_count_except_by_folded_players():
    env = deal([2000, 2000, 2000], blinds=(10, 20))
    play_as(env, (0, 60), (1, 180), (2, 1), (0, 1), (1, 200), (2, 500), (0, 1), (1, 0))
    numbers = seen("features_cash", env, 2)  # the turn; the small blind has raised twice and is out
    assert numbers["street"] == [pytest.approx(1 / 3)]
    assert [numbers[name] for name in ("preflop", "own_raises", "raises")] == [[-0.5], [0.5], [0.5]]
    assert [seen("features_cash", env, seat)["position"] for seat in (0, 2)] == [[1.0], [0.0]]


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
