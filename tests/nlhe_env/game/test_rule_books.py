"""Worked examples of the published rule books for tournaments.

TDA: Poker Tournament Directors Association, 2024 rules and their illustration addendum. WSOP: World
Series of Poker, 2024 tournament rules. Rules are numbered where the number is certain, else named
in words. ``test_rules`` has one test for each rule of this game; here are the books' own hands, and
at the end the places where this game decides otherwise, as ``docs/rules.md`` says.
"""

from __future__ import annotations

import pytest
from helpers import (
    CALL,
    FOLD,
    actor,
    deal,
    last_hand,
    last_table,
    over,
    play,
    play_as,
    pots,
    raises,
    stacks,
    to_call,
)

from nlhe_env import IllegalActionError

RAINBOW = "2c7d9hJs3c"


def limp_to_flop(env):
    """All players call or check before the flop."""
    while env.full_info()["street"] == "preflop":
        play(env, CALL)


# --- TDA rule 16: face up for all-ins -------------------------------------------------------------


def test_tda_16_hands_stay_down_while_two_others_can_still_bet():
    # Addendum, example 2: A is all-in before the flop, B and C have chips; they check the flop, B
    # is all-in on the turn and C calls: now all hands are shown and the river is dealt.
    env = deal([100, 1000, 1000], hole_cards={0: "AsAh", 1: "KsKh", 2: "QsQh"}, board=RAINBOW)
    play_as(env, (0, 100), (1, CALL), (2, CALL))
    play_as(env, (1, CALL), (2, CALL))
    assert not last_table(env)["shown"].any()
    play_as(env, (1, 900), (2, CALL))
    assert over(env)
    assert last_hand(env)["shown"] == {"player_0": "AsAh", "player_1": "KsKh", "player_2": "QsQh"}
    assert pots(env) == [(300, [0, 1, 2], [0]), (1800, [1, 2], [1])]


# --- TDA rule 20: odd chips; rule 21: side pots ---------------------------------------------------


def test_tda_20_odd_chip_goes_to_the_first_seat_left_of_the_button():
    # The small blind's 25 make a pot of 125: the big blind sits left of the button.
    env = deal(
        [1000] * 3,
        blinds=(25, 50),
        hole_cards={0: "AsKd", 2: "AhKc"},
        board="Ac7d9h4s2c",
    )
    play_as(env, (0, CALL), (1, FOLD), (2, CALL))
    while not over(env):
        play(env, CALL)
    assert pots(env) == [(125, [0, 2], [0, 2])]
    assert last_table(env)["won"][:3].tolist() == [62, 0, 63]


def test_tda_21_each_side_pot_is_split_by_itself():
    # 65 and 71 chips for the same two winners: one odd chip in each, though the sum is even.
    env = deal(
        [1000, 1000, 1000, 15, 1000],
        blinds=(5, 10),
        hole_cards={0: "AsKd", 2: "AhKc", 3: "QsQh", 4: "5h5d"},
        board="Ac7d9h4s2c",
    )
    play_as(env, (3, 15), (4, CALL), (0, CALL), (1, FOLD), (2, CALL))
    play_as(env, (2, CALL), (4, 11), (0, 30), (2, CALL), (4, FOLD))
    while not over(env):
        play(env, CALL)
    assert pots(env) == [(65, [0, 2, 3], [0, 2]), (71, [0, 2], [0, 2])]
    assert last_table(env)["won"][:5].tolist() == [67, 0, 69, 0, 0]


# --- TDA rule 34: heads-up ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("out", "button", "big_blind"), [(1, 2, 0), (2, 1, 0)], ids=["small blind", "big blind"]
)
def test_tda_34_no_player_has_the_big_blind_twice_when_heads_up_starts(out, button, big_blind):
    chips = [1000, 1000, 1000]
    chips[out] = 100
    env = deal(
        chips, mode="tournament", hole_cards={0: "AsAh", out: "2s7h"}, board="Kd9c8s5h3d"
    )  # the button is seat 0
    play(env, 100)
    while last_table(env)["hand"] == 0:
        play(env, CALL if actor(env) == out else FOLD)
    table = last_table(env)
    assert table["button"] == button
    assert table["street_bet"][big_blind] == 20
    assert table["street_bet"][button] == 10
    assert actor(env) == button


# --- TDA rule 43: raise amounts -------------------------------------------------------------------


def test_tda_43_all_in_that_lifts_the_bet_by_less_leaves_the_minimum_raise():
    # Addendum: blinds 50-100, an all-in to 150. A raise is still by 100 at least, to 250.
    env = deal([1000, 1000, 1000, 150], blinds=(50, 100))
    play_as(env, (3, 150))
    assert raises(env) == (250, 1000)


def test_tda_43_minimum_is_the_last_raise_not_the_last_bet():
    # Addendum: blinds 100-200; on the turn A bets 300, B makes it 1000, so that C raises by 700.
    env = deal([5000] * 3, blinds=(100, 200))
    limp_to_flop(env)
    play(env, CALL, CALL, CALL)
    play_as(env, (1, 300), (2, 1000))
    assert raises(env) == (1700, 4800)
    with pytest.raises(IllegalActionError):
        env.step(1699)


def test_tda_43_largest_raise_of_the_round_counts():
    # Addendum: blinds 25-50; A to 125, B by the minimum of 75 to 200, C to 500, D at least to 800.
    env = deal([5000] * 6, blinds=(25, 50))
    play_as(env, (3, 125))
    assert raises(env)[0] == 200
    play_as(env, (4, 200), (5, 500))
    assert raises(env)[0] == 800


def test_tda_43_a_later_raise_to_the_same_amount_needs_more_chips():
    # Addendum: the same 500 to call, but by one raise of 450: D at least to 950.
    env = deal([5000] * 6, blinds=(25, 50))
    play_as(env, (3, 500), (4, CALL), (5, CALL))
    assert (to_call(env), raises(env)[0]) == (500, 950)


def test_no_limit_bets_of_every_size_from_the_big_blind_to_the_stack():
    env = deal([300] * 3, blinds=(5, 10))
    limp_to_flop(env)
    mask = env.observe(env.agent_selection)["action_mask"]
    legal = [i for i, allowed in enumerate(mask) if allowed]
    assert legal == [CALL, *range(10, 291)]


# --- TDA rule 47: re-opening the bet --------------------------------------------------------------


@pytest.fixture
def series_of_short_all_ins():
    """Addendum, example 1: on the flop A bets 100, B all-in 125, C calls, D all-in 200, E calls."""
    env = deal([5000, 5000, 225, 5000, 300], blinds=(50, 100), button=0)
    limp_to_flop(env)
    play_as(env, (1, 100), (2, 125), (3, CALL), (4, 200), (0, CALL))
    return env


def test_tda_47_example_1_short_all_ins_that_add_up_to_a_raise_reopen(series_of_short_all_ins):
    env = series_of_short_all_ins
    assert (actor(env), to_call(env), raises(env)) == (1, 100, (300, 4900))


def test_tda_47_example_1a_the_same_all_ins_do_not_reopen_for_a_later_caller(
    series_of_short_all_ins,
):
    env = series_of_short_all_ins
    play_as(env, (1, CALL))
    assert (actor(env), to_call(env), raises(env)) == (3, 75, (0, 0))


def test_tda_47_example_1b_a_raise_reopens_for_the_later_caller(series_of_short_all_ins):
    env = series_of_short_all_ins
    play_as(env, (1, 300))
    assert (actor(env), to_call(env), raises(env)) == (3, 175, (400, 4900))


def test_tda_47_example_2_minimum_after_short_all_ins_is_the_last_full_bet():
    # Blinds 50-100, on the flop A bets 300, B, C and D are all-in to 500, 650 and 800, E calls. F
    # may raise by 300, to 1100.
    env = deal([5000, 5000, 600, 750, 900, 5000], blinds=(50, 100), button=0)
    limp_to_flop(env)
    play_as(env, (1, 300), (2, 500), (3, 650), (4, 800), (5, CALL))
    assert (actor(env), to_call(env), raises(env)) == (0, 800, (1100, 4900))
    play_as(env, (0, CALL))
    assert (actor(env), raises(env)) == (1, (1100, 4900))  # 500 more than the bet of 300


def test_tda_47_example_3_big_blind_may_raise_over_a_short_all_in():
    env = deal([7500, 40000, 40000, 40000, 40000], blinds=(2000, 4000), button=0)
    play_as(env, (3, CALL), (4, FOLD), (0, 7500), (1, FOLD))
    assert (actor(env), to_call(env), raises(env)) == (2, 3500, (11500, 40000))


def test_tda_47_example_3a_limper_may_not_raise_when_the_big_blind_calls():
    env = deal([7500, 40000, 40000, 40000, 40000], blinds=(2000, 4000), button=0)
    play_as(env, (3, CALL), (4, FOLD), (0, 7500), (1, FOLD), (2, CALL))
    assert (actor(env), to_call(env), raises(env)) == (3, 3500, (0, 0))


def test_tda_47_example_3b_limper_may_raise_when_the_big_blind_raises():
    env = deal([7500, 40000, 40000, 40000, 40000], blinds=(2000, 4000), button=0)
    play_as(env, (3, CALL), (4, FOLD), (0, 7500), (1, FOLD), (2, 11500))
    assert (actor(env), to_call(env), raises(env)) == (3, 7500, (15500, 40000))


# --- TDA rule 48: number of raises ----------------------------------------------------------------


def test_tda_48_no_limit_has_no_cap_on_raises():
    env = deal([10_000] * 3)
    for _ in range(100):
        play(env, raises(env)[0])
    assert raises(env) == (20 * 102, 10_000)


# --- WSOP -----------------------------------------------------------------------------------------


def test_wsop_96_all_in_of_50_over_a_raise_to_600_does_not_reopen():
    env = deal([20_000, 650, 20_000], blinds=(100, 200))
    play_as(env, (0, 600), (1, 650), (2, CALL))
    assert (actor(env), to_call(env), raises(env)) == (0, 50, (0, 0))


def test_wsop_96_two_short_all_ins_that_reach_a_full_raise_reopen():
    env = deal([20_000, 650, 1000, 20_000], blinds=(100, 200))
    play_as(env, (3, 600), (0, CALL), (1, 650), (2, 1000))
    assert (actor(env), to_call(env), raises(env)) == (3, 400, (1400, 20_000))


def test_wsop_all_ins_for_ante_and_short_blinds_leave_no_decision():
    # Antes of 5 first: seat 0 is all-in with its ante, both blinds with what they have left.
    env = deal(
        [5, 12, 18],
        blinds=(10, 20, 5),
        hole_cards={0: "AsAh", 1: "KsKh", 2: "QsQh"},
        board=RAINBOW,
    )
    assert over(env)
    assert pots(env) == [(15, [0, 1, 2], [0]), (14, [1, 2], [1])]
    assert stacks(env) == [15, 14, 6]


def test_wsop_two_out_in_one_hand_rank_by_chips_before_the_hand():
    # Seat 2 began the hand with more than seat 1, and both lose everything to seat 0.
    env = deal(
        [1000, 300, 400, 1000],
        mode="tournament",
        hole_cards={0: "AsAh", 1: "KsKh", 2: "QsQh"},
        board=RAINBOW,
    )
    play_as(env, (3, FOLD), (0, 400), (1, CALL), (2, CALL))
    assert pots_of(env, "player_1") == [(900, ["player_0"]), (200, ["player_0"])]
    assert env.infos["player_2"]["place"] == 3
    assert env.infos["player_1"]["place"] == 4


def test_button_and_blinds_pass_over_two_seats_that_are_out():
    env = deal(
        [1000, 300, 400, 1000, 1000],
        mode="tournament",
        hole_cards={0: "AsAh", 1: "KsKh", 2: "QsQh"},
        board=RAINBOW,
    )
    play_as(env, (3, FOLD), (4, FOLD), (0, 400), (1, CALL), (2, CALL))
    table = last_table(env)
    assert table["hand"] == 1
    assert table["button"] == 3
    assert table["street_bet"][:5].tolist() == [20, 0, 0, 0, 10]
    assert table["actor"] == 3


def pots_of(env, agent):
    """(size, winners) of every pot of the last hand of an agent."""
    return [(pot["size"], pot["winners"]) for pot in last_hand(env, agent)["pots"]]


# --- where this game decides otherwise ------------------------------------------------------------


def test_departure_from_tda_32_and_34_big_blind_twice_when_the_button_goes_out():
    # Three players, the button is out. TDA keeps a dead button and ensures that no player has the
    # big blind twice in a row when heads-up play begins. Here the button moves on to the next live
    # player, and seat 2 has the big blind again.
    env = deal(
        [100, 1000, 1000],
        mode="tournament",
        hole_cards={0: "2s7h", 1: "AsAh"},
        board="Kd9c8s5h3d",
    )
    assert last_table(env)["street_bet"][:3].tolist() == [0, 10, 20]
    play_as(env, (0, 100), (1, CALL), (2, FOLD))
    assert last_table(env)["hand"] == 1
    assert last_table(env)["street_bet"][:3].tolist() == [0, 10, 20]
