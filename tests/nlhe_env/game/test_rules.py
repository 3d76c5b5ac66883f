"""One test for each rule of the game."""

import numpy as np
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


def test_heads_up_button_posts_small_blind_and_acts_first_preflop_last_after():
    env = deal([1000, 1000], button=1)
    assert last_table(env)["street_bet"][:2].tolist() == [20, 10]
    play_as(env, (1, CALL), (0, CALL))
    for _ in range(3):
        play_as(env, (0, CALL), (1, CALL))
    assert over(env)


def test_three_handed_blinds_follow_the_button_and_the_button_opens():
    env = deal([1000] * 3, button=1)
    assert last_table(env)["street_bet"][:3].tolist() == [20, 0, 10]
    play_as(env, (1, CALL), (2, CALL), (0, CALL), (2, CALL), (0, CALL), (1, CALL))


def test_streets_after_the_flop_start_left_of_the_button():
    env = deal([1000] * 5, button=2)
    play_as(env, (0, CALL), (1, FOLD), (2, CALL), (3, FOLD), (4, CALL))
    for street in ("flop", "turn", "river"):
        assert env.full_info()["street"] == street
        play_as(env, (4, CALL), (0, CALL), (2, CALL))
    assert over(env)


def test_button_moves_to_the_next_live_player_and_no_dead_button_is_kept():
    # Seat 1, the next button, loses its chips; the button goes on to seat 2, blinds to 3 and 0.
    env = deal(
        [1000, 100, 1000, 1000],
        button=0,
        mode="tournament",
        hole_cards={1: "2c7d", 2: "AsAh"},
        board="AdKh9s8s3c",
    )
    play_as(env, (3, FOLD), (0, FOLD), (1, 100), (2, CALL))
    assert env.table["hand"] == 1
    assert env.table["button"] == 2
    assert env.table["street_bet"][:4].tolist() == [20, 0, 0, 10]
    assert actor(env) == 2


def test_button_moves_on_when_its_owner_goes_out():
    env = deal(
        [100, 1000, 1000],
        button=0,
        mode="tournament",
        hole_cards={0: "2c7d", 1: "AsAh"},
        board="AdKh9s8s3c",
    )
    play_as(env, (0, 100), (1, CALL), (2, FOLD))
    # Heads-up now: seat 1 has the button, the small blind and the first word.
    assert env.table["button"] == 1
    assert env.table["street_bet"][:3].tolist() == [0, 10, 20]
    assert actor(env) == 1


def test_antes_are_posted_before_blinds_and_do_not_count_towards_a_bet():
    env = deal([1000] * 3, blinds=(10, 20, 5))
    table = last_table(env)
    assert table["pot"] == 45
    assert table["street_bet"][:3].tolist() == [0, 10, 20]
    assert table["hand_bet"][:3].tolist() == [5, 15, 25]
    assert to_call(env) == 20
    assert raises(env) == (40, 995)


def test_ante_takes_the_last_chips_before_the_blind():
    # The big blind has 12: 5 go to the ante, 7 to the blind. The small blind has 5, all ante.
    env = deal([1000, 5, 12, 1000], blinds=(10, 20, 5), board=RAINBOW)
    table = last_table(env)
    assert table["hand_bet"][:4].tolist() == [5, 5, 12, 5]
    assert table["street_bet"][:4].tolist() == [0, 0, 7, 0]
    assert actor(env) == 3
    assert to_call(env) == 20


def test_small_blind_below_a_short_big_blind_is_asked():
    env = deal([1000, 15])
    assert actor(env) == 0
    assert raises(env) == (0, 0)
    play(env, FOLD)
    assert stacks(env) == [990, 25]


def test_call_is_measured_against_the_full_big_blind_when_its_owner_is_short():
    env = deal([1000, 1000, 5], hole_cards={0: "QsQh", 1: "KsKh", 2: "AsAh"}, board=RAINBOW)
    assert to_call(env) == 20
    assert raises(env) == (40, 1000)
    play_as(env, (0, CALL))
    assert to_call(env) == 10
    play_as(env, (1, CALL))
    play(env, *[CALL] * 6)
    assert pots(env) == [(15, [0, 1, 2], [2]), (30, [0, 1], [1])]


def test_minimum_raise_is_the_big_blind_at_first():
    env = deal([1000] * 3)
    assert raises(env) == (40, 1000)
    with pytest.raises(IllegalActionError):
        env.step(39)
    play(env, CALL, CALL, CALL)
    assert raises(env) == (20, 980)
    with pytest.raises(IllegalActionError):
        env.step(19)


RAISES = {
    # Stacks, actions of seats, and then: who acts, chips to call, the range of raises.
    "the minimum starts again at the big blind on every street": (
        [1000] * 2, [(0, 300), (1, CALL)], (1, 0, (20, 700)),
    ),
    "also after a bet on the street before": (
        [1000] * 2, [(0, 300), (1, CALL), (1, 250), (0, CALL)], (1, 0, (20, 450)),
    ),
    "an all-in below the minimum is the only raise": (
        [1000, 1000, 90], [(0, 60), (1, CALL)], (2, 40, (90, 90)),
    ),
    "after a short all-in those raise who have not acted": (
        [1000, 90, 1000], [(0, 60), (1, 90)], (2, 70, (130, 1000)),  # 90 and the full raise of 40
    ),
    "a raise after a short all-in reopens the betting": (
        [1000, 90, 1000], [(0, 60), (1, 90), (2, 130)], (0, 70, (170, 1000)),
    ),
    "several short all-ins below a full raise do not": (
        [1000, 75, 99, 1000], [(3, 60), (0, CALL), (1, 75), (2, 99)], (3, 39, (0, 0)),
    ),
    "a short opening all-in is raised by who has not acted": (
        [1000, 1000, 35],
        [(0, CALL), (1, CALL), (2, CALL), (1, CALL), (2, 15)],
        (0, 15, (35, 980)),  # 15 and a full bet of 20
    ),
    "a short opening all-in is not raised by who has checked": (
        [1000, 1000, 35],
        [(0, CALL), (1, CALL), (2, CALL), (1, CALL), (2, 15), (0, CALL)],
        (1, 15, (0, 0)),
    ),
    "no raise that no player could match": (
        [1000, 300], [(0, CALL), (1, 300)], (0, 280, (0, 0)),
    ),
    "no raise of the last player against an all-in": (
        [1000, 300, 300], [(0, FOLD), (1, 300)], (2, 280, (0, 0)),  # as much as a call
    ),
    "a raise that one of several could match": (
        [1000, 300, 1000], [(0, CALL), (1, 300)], (2, 280, (580, 1000)),
    ),
    "no raise by who can only call all-in": (
        [1000, 1000, 50], [(0, 60), (1, CALL)], (2, 30, (0, 0)),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("chips", "actions", "then"), RAISES.values(), ids=RAISES)
def test_raises_are_offered_by_the_rules(chips, actions, then):
    env = deal(chips)
    play_as(env, *actions)
    assert (actor(env), to_call(env), raises(env)) == then


PAID = {
    # Blinds and ante, stacks, cards, actions of seats, and then: pots, stacks.
    "an uncalled bet returns when all fold": (
        (10, 20), [1000] * 3, "", [(0, 600), (1, FOLD), (2, FOLD)],
        [(50, [0], [0])], [1030, 990, 980],
    ),
    "the uncalled part of a bet returns after a short call": (
        (10, 20), [1000, 300], "K A", [(0, 1000), (1, CALL)],
        [(600, [0, 1], [1])], [700, 600],
    ),
    "what is raised beyond the opponents' chips returns": (
        (10, 20), [1000, 200, 100], "Q K A", [(0, 1000), (1, CALL), (2, CALL)],
        [(300, [0, 1, 2], [2]), (200, [0, 1], [1])], [800, 200, 300],
    ),
    "side pots on three levels": (
        (10, 20), [100, 200, 300, 300], "A K Q T", [(3, 300), (0, CALL), (1, CALL), (2, CALL)],
        [(400, [0, 1, 2, 3], [0]), (300, [1, 2, 3], [1]), (200, [2, 3], [2])], [400, 300, 200, 0],
    ),
    # Seat 4 puts in 250 and folds on the flop: 100, 100 and 50 of it lie in the first three pots.
    "side pots on four levels keep folded chips where they went": (
        (10, 20), [100, 200, 400, 600, 1000, 1000], "A K Q T 4 6",
        [(2, CALL), (3, CALL), (4, 250), (5, CALL), (0, CALL), (1, CALL), (2, CALL), (3, CALL),
         (2, 150), (3, 350), (4, FOLD), (5, CALL)],
        [(600, [0, 1, 2, 3, 5], [0]), (500, [1, 2, 3, 5], [1]), (650, [2, 3, 5], [2]),
         (400, [3, 5], [3])], [600, 500, 650, 400, 750, 400],
    ),
    "the best hand wins every pot it is eligible for": (
        (10, 20), [100, 200, 300], "K A Q", [(0, 100), (1, 200), (2, CALL)],
        [(300, [0, 1, 2], [1]), (200, [1, 2], [1])], [0, 500, 100],
    ),
    "a short ante is all-in for the main pot only": (
        (10, 20, 5), [3, 1000, 1000], "A K Q", [(1, CALL), *[(2, CALL), (1, CALL)] * 3, (2, CALL)],
        [(9, [0, 1, 2], [0]), (44, [1, 2], [1])], [9, 1019, 975],
    ),
    # Seat 0 is all-in with its ante, both blinds with what they have left.
    "all-ins for the ante and for short blinds leave no decision": (
        (10, 20, 5), [5, 12, 18], "A K Q", [],
        [(15, [0, 1, 2], [0]), (14, [1, 2], [1])], [15, 14, 6],
    ),
    "antes larger than all stacks leave no decision": (
        (10, 20, 100), [50, 30, 20], "A K Q", [],
        [(60, [0, 1, 2], [0]), (20, [0, 1], [0])], [100, 0, 0],
    ),
    "all players all-in from the blinds leave no decision": (
        (10, 20), [10, 20], "A K", [], [(20, [0, 1], [0])], [20, 10],
    ),
    "a small blind that covers a short big blind is not asked": (
        (10, 20), [1000, 5], "A K", [], [(10, [0, 1], [0])], [1005, 0],
    ),
    "the excess over a short big blind returns to the small blind": (
        (10, 20), [1000, 1000, 5], "Q K A", [(0, FOLD)], [(10, [1, 2], [2])], [1000, 995, 10],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("blinds", "chips", "ranks", "actions", "shares", "after"), PAID.values(), ids=PAID
)
def test_pots_are_paid_by_the_rules(blinds, chips, ranks, actions, shares, after):
    pairs = {seat: f"{rank}s{rank}h" for seat, rank in enumerate(ranks.split())}
    env = deal(
        chips,
        blinds=blinds,
        button=5 if len(chips) == 6 else 0,
        hole_cards=pairs,
        board="2c8d9hJs3c",
    )
    play_as(env, *actions)
    assert over(env)
    assert all(env.terminations.values())
    assert pots(env) == shares
    assert stacks(env) == after


def test_big_blind_has_the_option_to_raise():
    env = deal([1000] * 3)
    play_as(env, (0, CALL), (1, CALL))
    assert (actor(env), to_call(env), raises(env)) == (2, 0, (40, 1000))
    with pytest.raises(IllegalActionError):
        env.step(FOLD)  # nothing to call
    play_as(env, (2, 40), (0, CALL), (1, CALL))
    assert env.full_info()["street"] == "flop"


def test_bets_are_capped_by_the_players_stack():
    env = deal([100, 1000, 1000])
    assert raises(env) == (40, 100)
    with pytest.raises(IllegalActionError):
        env.step(101)


@pytest.mark.parametrize(("button", "odd_chips"), [(0, 2), (1, 1), (2, 1), (3, 0)])
def test_odd_chips_go_to_the_first_winners_left_of_the_button(button, odd_chips):
    # Seats 0, 2 and 3 play the board; seat 1 folds its ante, and a blind if it has one.
    env = deal(
        [100] * 4,
        blinds=(10, 20, 1),
        button=button,
        hole_cards={0: "2s3d", 1: "4s5d", 2: "2h3h", 3: "2d3s"},
        board="AhKdQsJcTd",
    )
    while not over(env):
        if actor(env) == 1:
            play(env, FOLD)
        else:
            play(env, 40 if env.table["current_bet"] == 20 else CALL)
    size, _, winners = pots(env)[0]
    assert winners == [0, 2, 3]
    share, odd = divmod(size, 3)
    assert odd == odd_chips
    clockwise = [(button + 1 + i) % 4 for i in range(4)]
    expected = dict.fromkeys(winners, share)
    for seat in [seat for seat in clockwise if seat in winners][:odd]:
        expected[seat] += 1
    assert {seat: last_table(env)["won"][seat] for seat in winners} == expected


def test_board_runs_out_and_hands_are_shown_when_no_betting_is_possible():
    env = deal([1000, 1000], hole_cards={0: "AsAh", 1: "KsKh"}, board=RAINBOW)
    play_as(env, (0, 1000), (1, CALL))
    assert last_hand(env)["board"] == RAINBOW
    assert last_hand(env)["shown"] == {"player_0": "AsAh", "player_1": "KsKh"}
    assert stacks(env) == [2000, 0]


def test_board_runs_out_when_one_player_has_chips_left():
    env = deal([300, 1000, 300], hole_cards={0: "AsAh", 1: "KsKh", 2: "QsQh"}, board=RAINBOW)
    play_as(env, (0, 300), (1, CALL), (2, CALL))
    assert over(env)
    assert last_table(env)["board_cards"] == 5


def test_uncontested_hand_is_not_shown():
    env = deal([1000] * 3)
    play_as(env, (0, FOLD), (1, FOLD))
    assert last_hand(env)["shown"] == {}
    assert last_hand(env)["board"] == ""
    assert stacks(env) == [1000, 990, 1010]


def test_folded_hands_are_never_shown():
    env = deal([1000] * 3)
    play_as(env, (0, 40), (1, CALL), (2, FOLD))
    while not over(env):
        play(env, CALL)
    assert set(last_hand(env)["shown"]) == {"player_0", "player_1"}


def test_betting_ends_when_action_returns_to_the_raiser():
    env = deal([1000] * 4)
    play_as(env, (3, 60), (0, CALL), (1, 180), (2, FOLD), (3, CALL), (0, CALL))
    assert env.full_info()["street"] == "flop"
    assert actor(env) == 1


def test_cards_belong_to_seats_and_the_board_follows():
    env = deal([1000] * 3, hole_cards={0: "AsAh", 2: "QsQh"}, board="2c7d9h")
    cards = env.table["cards"].tolist()
    assert sorted(cards) == list(range(52))
    assert cards[0:2] == [51, 50]
    assert cards[4:6] == [43, 42]
    assert cards[6:9] == [0, 21, 30]
    assert np.isin(cards[2:4], [51, 50, 43, 42, 0, 21, 30]).sum() == 0
