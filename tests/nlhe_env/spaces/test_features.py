"""The 35 inputs and aggressiveness, against the worked numbers of the thesis.

``test_dead_antes`` counts all of them at the decisions of random hands.
"""

import numpy as np
import pytest
from helpers import deal, play_as

from nlhe_env.equity import load_tables
from nlhe_env.game import player as aggression
from nlhe_env.game.betting import winnable_pot
from nlhe_env.game.player import PLAYER
from nlhe_env.game.table import ACTIVE, CHECK_OR_CALL, FOLD, empty_tables
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces import features
from nlhe_env.spaces.features import (
    FEATURES,
    N_FEATURES,
    N_INPUTS,
    OPPONENT_FEATURES,
    OPPONENTS,
    RAW,
    SCALED,
    WIN_CHANCE,
)


@kernel
def write(tables, players, seat, scaling, strength_tables, out):
    features.write_features(tables[0], players, seat, scaling, strength_tables, out)


@kernel
def winnable(tables, seat):
    return winnable_pot(tables[0], seat)


@kernel
def record(players, who, weight, action=0):
    aggression.record_decision(players[who], action, weight)


@kernel
def next_hand(players, who):
    aggression.start_recent_hand(players[who])


def inputs(tables, players, seat, scaling=RAW):
    out = np.full(N_INPUTS[scaling], np.nan, np.float32)
    write(tables, players, seat, scaling, load_tables(), out)
    return out


def inputs_of(env, seat, scaling=RAW):
    return inputs(env.tables, env.players, seat, scaling)


def field(vector, name):
    found = next(feature for feature in FEATURES if feature.name == name)
    values = vector[found.start : found.start + found.size].tolist()
    return values[0] if found.size == 1 else values


BILL, JUDY, SAM, JANE, JOE = range(5)


@pytest.fixture
def thesis_table():
    """Tables 4.3 and 4.4: five players, Sam to act."""
    tables = empty_tables(1, 10)
    table = tables[0]
    table["players"] = 5
    table["player"][:5] = range(5)
    table["stack"][:5] = [500, 350, 60, 720, 220]
    table["status"][:5] = ACTIVE
    table["unfolded"] = table["active"] = 5
    table["big_blind"] = 10
    table["actor"] = SAM
    table["cards"][:] = range(52)
    players = np.zeros(5, PLAYER)
    players["decisions"] = [67, 64, 55, 38, 35]
    players["weight"] = [2.4 * 67, 1.5 * 64, 71.5, 0.5 * 38, 0.7 * 35]
    return tables, players


def test_features_cover_35_inputs_without_gaps():
    at = 0
    for feature in FEATURES:
        assert feature.start == at
        at += feature.size
    assert at == N_FEATURES == 35
    for feature in OPPONENT_FEATURES:
        assert feature.start == at
        at += feature.size
    assert at == N_INPUTS[OPPONENTS] == 75


def test_stacks_start_with_the_own_stack_then_go_clockwise(thesis_table):
    vector = inputs(*thesis_table, SAM)
    assert field(vector, "stacks") == [60, 720, 220, 500, 350, 0, 0, 0, 0, 0]


def test_empty_seats_leave_no_gaps_in_the_stacks(thesis_table):
    tables, players = thesis_table
    for name in ("player", "stack", "status"):
        row = tables[0][name]
        row[8], row[6], row[5], row[3], row[0] = row[4], row[3], row[2], row[1], row[0]
        row[[1, 2, 4, 7]] = -1 if name == "player" else 0
    assert field(inputs(tables, players, 5), "stacks") == [60, 720, 220, 500, 350, 0, 0, 0, 0, 0]


def test_long_term_aggressiveness_matches_the_worked_example(thesis_table):
    # Sam calls, Jane and Joe fold, Bill raises to three times the bet, Judy calls, Sam folds.
    tables, players = thesis_table
    for who, weight in ((SAM, 1), (JANE, 0), (JOE, 0), (BILL, 3), (JUDY, 1), (SAM, 0)):
        record(players, who, float(weight))
    assert players["decisions"].tolist() == [68, 65, 57, 39, 36]
    np.testing.assert_allclose(
        players["long_term"], [2.40882, 1.49231, 1.27193, 0.48718, 0.68056], atol=5e-6
    )
    vector = field(inputs(tables, players, SAM), "long_term")
    assert [round(value, 2) for value in vector] == [1.27, 0.49, 0.68, 2.41, 1.49, 0, 0, 0, 0, 0]


def judy():
    players = np.zeros(1, PLAYER)
    players["recent_decisions"][0] = [1, 2, 4, 2, 3, 1, 6, 1, 3, 2]
    players["recent_weight"][0] = [0, 1, 3.5, 1, 2, 0, 5, 0, 3, 1]
    players["recent_decisions_sum"], players["recent_weight_sum"] = 25, 16.5
    return players


def test_short_term_aggressiveness_pools_the_last_ten_hands():
    players = judy()
    assert players["recent_decisions"].sum() == 25
    players["recent_hand"] = 9
    for key in ("recent_decisions", "recent_weight"):
        players[key][0, 9] -= 1  # the last decision of the last hand, weight 1
    for key in ("recent_decisions_sum", "recent_weight_sum"):
        players[key] -= 1
    record(players, 0, 1.0)
    assert players["short_term"][0] == np.float32(0.66)


def test_a_new_hand_replaces_the_oldest_in_short_term_aggressiveness():
    players = judy()
    players["recent_hand"] = 6
    next_hand(players, 0)  # slot 7, with one decision of weight 0, is cleared
    assert players["recent_hand"] == 7
    assert players["short_term"][0] == np.float32(16.5 / 24)
    for weight in (2.0, 1.0, 1.0, 3.0):
        record(players, 0, weight)
    assert players["recent_decisions"].sum() == 28
    assert players["recent_weight"].sum() == 23.5
    assert round(float(players["short_term"][0]), 4) == 0.8393


def test_short_term_inputs_come_in_the_same_order(thesis_table):
    tables, players = thesis_table
    players["short_term"] = [2.67, 0.84, 1.32, 0.97, 0.55]
    vector = field(inputs(tables, players, SAM), "short_term")
    assert [round(value, 2) for value in vector] == [1.32, 0.97, 0.55, 2.67, 0.84, 0, 0, 0, 0, 0]


def test_window_of_recent_hands_moves_round():
    players = np.zeros(1, PLAYER)
    for hand in range(25):
        next_hand(players, 0)
        record(players, 0, float(hand))
    assert players["short_term"][0] == np.mean(range(15, 25))
    assert players["long_term"][0] == 12
    for _ in range(10):
        next_hand(players, 0)
    assert players["short_term"][0] == 0
    assert players["long_term"][0] == 12


@pytest.mark.parametrize(
    ("action", "chips", "to_call", "weight"),
    [
        (FOLD, 0, 10, 0),
        (CHECK_OR_CALL, 0, 0, 0),
        (CHECK_OR_CALL, 0, 25, 1),
        (25, 25, 5, 5.0),  # the raise of a bet of $5 to $25
        (60, 50, 10, 5.0),  # small blind of 10 faces 20 and raises to 60
        (50, 50, 0, 2.5),  # opening bet, measured against the big blind of 20
    ],
)
def test_weight_of_a_decision(action, chips, to_call, weight):
    assert aggression.decision_weight(action, chips, to_call, 20) == weight


def test_winnable_pot_matches_the_worked_example():
    # Three players have put in 100 each, one has 40 left, another bets 500: 340 can be won.
    tables = empty_tables(1, 3)
    table = tables[0]
    table["player"][:3] = range(3)
    table["players"] = 3
    table["status"][:3] = ACTIVE
    table["stack"][:3] = [40, 500, 1000]
    table["hand_bet"][:3] = [100, 600, 100]
    table["street_bet"][:3] = [0, 500, 0]
    table["current_bet"] = 500
    table["pot"] = 800
    assert winnable(tables, 0) == 340
    assert winnable(tables, 1) == 800
    assert winnable(tables, 2) == 800


def test_position_counts_the_hands_until_the_button():
    env = deal([1000] * 10, button=7)
    assert field(inputs_of(env, 3), "position") == 6
    assert field(inputs_of(env, 7), "position") == 0
    assert field(inputs_of(env, 8), "position") == 1
    assert field(inputs_of(env, 6), "position") == 9


def test_scaled_inputs_are_raw_inputs_in_the_stated_units():
    env = deal([1000, 700, 400, 200], blinds=(10, 20, 5), button=2)
    play_as(env, (1, 60), (2, 0), (3, 1))
    raw = inputs_of(env, 0)
    scaled = inputs_of(env, 0, SCALED)
    table = env.table
    average = (table["stack"][:4].sum() + table["pot"]) / 4
    assert average == 575
    units = {"pot": 200, "call": 200, "opponents": 10, "position": 10, "stacks": average}
    for feature in FEATURES:
        part = slice(feature.start, feature.start + feature.size)
        unit = units.get(feature.name, 1)
        np.testing.assert_allclose(scaled[part], raw[part] / unit, rtol=1e-6)
    assert np.isfinite(scaled).all()


def test_inputs_without_lookup_differ_only_in_the_win_probability():
    env = deal([1000] * 4, button=3)
    play_as(env, (2, 60), (3, 0), (0, 1), (1, 0), (0, 1))
    late = np.zeros(N_FEATURES, np.float32)
    features.write_raw_late(env.tables[0], env.players, 2, load_tables(), late)
    assert np.isnan(field(late, "win_chance"))
    before = env.tables[0].copy()
    features.look_up_late(env.tables[0], 2, load_tables(), late)
    np.testing.assert_array_equal(late, inputs_of(env, 2))
    assert 0 < field(late, "win_chance") < 1
    late[WIN_CHANCE] = 0.25  # looked up already, by whomever
    features.look_up_late(before, 2, load_tables(), late)
    assert field(late, "win_chance") == 0.25


# --- how all players have acted ------------------------------------------------------------------


def test_opponent_inputs_are_scaled_inputs_plus_action_history():
    env = deal([1000] * 4, button=3)
    play_as(env, (2, 60), (3, 0), (0, 1), (1, 0))  # raise, fold, call, fold
    play_as(env, (0, 1), (2, 100))  # check, bet
    vector = inputs_of(env, 2, OPPONENTS)
    np.testing.assert_array_equal(vector[:35], inputs_of(env, 2, SCALED))
    shares = {  # seats 2, 3, 0, 1
        "folds": [0, 1, 0, 1],
        "calls": [0, 0, 1, 0],
        "raises": [1, 0, 0, 0],
        "known": [2 / 12, 1 / 11, 2 / 12, 1 / 11],
    }
    for feature in OPPONENT_FEATURES:
        part = vector[feature.start : feature.start + feature.size]
        np.testing.assert_allclose(part[:4], shares[feature.name], rtol=1e-6)
        assert (part[4:] == 0).all()


def test_an_unknown_player_differs_from_one_that_always_folds():
    env = deal([1000] * 3, button=0)
    play_as(env, (0, 0))
    vector = inputs_of(env, 1, OPPONENTS)
    assert vector[15:18].tolist() == [0, 0, 0]
    assert vector[35:38].tolist() == [0, 0, 1]  # the folder sits two places on
    assert vector[65:68].tolist() == [0, 0, np.float32(1 / 11)]
