"""Worked examples of the published rule books for tournaments.

TDA: Poker Tournament Directors Association, 2024 rules and their illustration addendum. WSOP: World
Series of Poker, 2024 tournament rules. Rules are numbered where the number is certain, else named
in words. ``test_rules`` has one test for each rule of this game; here are the books' own hands, and
at the end the places where this game decides otherwise, as ``docs/rules.md`` says.
"""

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


# --- TDA rule 43: raise amounts; rule 47: re-opening the bet --------------------------------------

SHORT_ALL_INS = [(1, 100), (2, 125), (3, CALL), (4, 200), (0, CALL)]  # on the flop
OVER_300 = [(1, 300), (2, 500), (3, 650), (4, 800), (5, CALL)]  # on the flop
OVER_A_LIMP = [(3, CALL), (4, FOLD), (0, 7500), (1, FOLD)]
RAISES = {
    # Blinds, stacks, actions of seats, and then: who acts, chips to call, the range of raises.
    "TDA 43: an all-in that lifts the bet by less leaves the minimum raise of 100": (
        (50, 100), [1000, 1000, 1000, 150], [(3, 150)], (0, 150, (250, 1000)),
    ),
    "TDA 43: the minimum is the last raise, of 700, not the last bet": (
        (100, 200), [5000] * 3, ["limp", (1, CALL), (2, CALL), (0, CALL), (1, 300), (2, 1000)],
        (0, 1000, (1700, 4800)),
    ),
    "TDA 43: by the minimum of 75": ((25, 50), [5000] * 6, [(3, 125)], (4, 125, (200, 5000))),
    "TDA 43: the largest raise of the round counts": (
        (25, 50), [5000] * 6, [(3, 125), (4, 200), (5, 500)], (0, 500, (800, 5000)),
    ),
    "TDA 43: after one raise to the same amount, of 450, a raise needs more chips": (
        (25, 50), [5000] * 6, [(3, 500), (4, CALL), (5, CALL)], (0, 500, (950, 5000)),
    ),
    "TDA 47, example 1: short all-ins that add up to a raise reopen": (
        (50, 100), [5000, 5000, 225, 5000, 300], ["limp", *SHORT_ALL_INS], (1, 100, (300, 4900)),
    ),
    "TDA 47, example 1a: the same all-ins do not reopen for a later caller": (
        (50, 100), [5000, 5000, 225, 5000, 300], ["limp", *SHORT_ALL_INS, (1, CALL)],
        (3, 75, (0, 0)),
    ),
    "TDA 47, example 1b: a raise reopens for the later caller": (
        (50, 100), [5000, 5000, 225, 5000, 300], ["limp", *SHORT_ALL_INS, (1, 300)],
        (3, 175, (400, 4900)),
    ),
    "TDA 47, example 2: the minimum after short all-ins is the last full bet": (
        (50, 100), [5000, 5000, 600, 750, 900, 5000], ["limp", *OVER_300], (0, 800, (1100, 4900)),
    ),
    "TDA 47, example 2: the first player faces 500 more than the bet of 300": (
        (50, 100), [5000, 5000, 600, 750, 900, 5000], ["limp", *OVER_300, (0, CALL)],
        (1, 500, (1100, 4900)),
    ),
    "TDA 47, example 3: the big blind may raise over a short all-in": (
        (2000, 4000), [7500, *[40000] * 4], OVER_A_LIMP, (2, 3500, (11500, 40000)),
    ),
    "TDA 47, example 3a: the limper may not raise when the big blind calls": (
        (2000, 4000), [7500, *[40000] * 4], [*OVER_A_LIMP, (2, CALL)], (3, 3500, (0, 0)),
    ),
    "TDA 47, example 3b: the limper may raise when the big blind raises": (
        (2000, 4000), [7500, *[40000] * 4], [*OVER_A_LIMP, (2, 11500)], (3, 7500, (15500, 40000)),
    ),
    "WSOP 96: an all-in of 50 over a raise to 600 does not reopen": (
        (100, 200), [20_000, 650, 20_000], [(0, 600), (1, 650), (2, CALL)], (0, 50, (0, 0)),
    ),
    "WSOP 96: two short all-ins that reach a full raise reopen": (
        (100, 200), [20_000, 650, 1000, 20_000], [(3, 600), (0, CALL), (1, 650), (2, 1000)],
        (3, 400, (1400, 20_000)),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("blinds", "chips", "actions", "then"), RAISES.values(), ids=RAISES)
def test_raises_of_the_books(blinds, chips, actions, then):
    env = deal(chips, blinds=blinds)
    if actions[0] == "limp":
        limp_to_flop(env)
    play_as(env, *(action for action in actions if action != "limp"))
    assert (actor(env), to_call(env), raises(env)) == then
    if then[2][0]:
        with pytest.raises(IllegalActionError):
            env.step(then[2][0] - 1)


def test_no_limit_bets_of_every_size_from_the_big_blind_to_the_stack():
    env = deal([300] * 3, blinds=(5, 10))
    limp_to_flop(env)
    mask = env.observe(env.agent_selection)["action_mask"]
    legal = [i for i, allowed in enumerate(mask) if allowed]
    assert legal == [CALL, *range(10, 291)]


# --- TDA rule 48: number of raises ----------------------------------------------------------------


def test_tda_48_no_limit_has_no_cap_on_raises():
    env = deal([10_000] * 3)
    for _ in range(100):
        play(env, raises(env)[0])
    assert raises(env) == (20 * 102, 10_000)


# --- WSOP -----------------------------------------------------------------------------------------


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
