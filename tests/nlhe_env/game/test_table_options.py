"""Antes of the big blind, straddles, rake and two boards: one test for each rule."""

import pytest
from helpers import (
    CALL,
    FOLD,
    actor,
    deal,
    decisions,
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
from hypothesis import given, settings
from hypothesis import strategies as st

import nlhe_env
from nlhe_env import BlindSchedule, Game, Rake, what_if
from nlhe_env.game.rake import rake_of
from nlhe_env.game.table import empty_tables

RAINBOW, OTHER = "2c7d9hJs3c", "KhKc4d5d6d"
ACES, KINGS, QUEENS = "AsAd", "KsKd", "QsQd"


def one_ante(small, big, ante):
    """Blinds with an ante of the big blind."""
    return BlindSchedule(((small, big, ante),), ante_by="big blind")


# --- the ante of the big blind --------------------------------------------------------------------


def test_the_big_blind_pays_one_ante_for_the_table():
    env = deal([1000] * 4, blinds=one_ante(10, 20, 25))
    table = last_table(env)
    assert table["hand_bet"][:4].tolist() == [0, 10, 45, 0]
    assert (int(table["pot"]), to_call(env), raises(env)) == (55, 20, (40, 1000))


def test_heads_up_the_ante_is_that_of_the_player_off_the_button():
    env = deal([1000, 1000], button=1, blinds=one_ante(10, 20, 20))
    assert last_table(env)["hand_bet"][:2].tolist() == [40, 10]


def test_the_big_blind_ante_is_neither_matched_nor_returned():
    env = deal([1000] * 3, blinds=one_ante(10, 20, 50), hole_cards={0: ACES}, board=RAINBOW)
    play(env, CALL, FOLD, *[CALL] * 7)
    assert pots(env) == [(20 + 10 + 20 + 50, [0, 2], [0])]
    assert stacks(env) == [1000 + 80, 990, 1000 - 70]


def test_a_walk_returns_the_uncalled_blind_and_the_ante():
    env = deal([1000] * 3, blinds=one_ante(10, 20, 50))
    play(env, FOLD, FOLD)
    assert stacks(env) == [1000, 990, 1010]
    assert last_hand(env)["pots"][0]["size"] == 10 + 10 + 50


@pytest.mark.parametrize(
    ("stack", "blind", "ante"), [(12, 12, 0), (20, 20, 0), (23, 20, 3), (30, 20, 10)]
)
def test_a_short_big_blind_pays_the_blind_before_the_ante(stack, blind, ante):
    # TDA 2024: big blind first.
    env = deal(
        [1000, 1000, stack],
        blinds=one_ante(10, 20, 10),
        hole_cards={0: KINGS, 1: QUEENS, 2: ACES},
        board=RAINBOW,
    )
    table = last_table(env)
    assert (int(table["street_bet"][2]), int(table["dead_ante"])) == (blind, ante)
    assert to_call(env) == 20
    play(env, CALL, CALL)
    while not over(env):
        play(env, CALL)
    # The best hand wins what it has matched, and all of its own ante.
    assert stacks(env)[2] == 3 * blind + ante
    assert sum(stacks(env)) == 2000 + stack


def test_antes_rise_with_the_schedule_and_stay_the_same_as_players_leave():
    schedule = BlindSchedule(((10, 20, 20), (20, 40, 40)), 1, "big blind")
    env = nlhe_env.raw_env(3, blinds=schedule, actions="chips", num_hands=2)
    env.reset(seed=1, options={"button": 0})
    play(env, FOLD, FOLD)
    assert last_table(env)["dead_ante"] == 40


# --- straddles ------------------------------------------------------------------------------------


def test_a_straddler_posts_two_big_blinds_and_acts_last_with_the_option_to_raise():
    env = deal([1000] * 6, straddle="under the gun")
    assert last_table(env)["street_bet"][:6].tolist() == [0, 10, 20, 40, 0, 0]
    assert (actor(env), to_call(env), raises(env)) == (4, 40, (80, 1000))
    play_as(env, (4, CALL), (5, FOLD), (0, FOLD), (1, CALL), (2, CALL))
    assert (actor(env), to_call(env), raises(env)) == (3, 0, (80, 1000))
    play_as(env, (3, 100), (4, CALL), (1, FOLD), (2, FOLD))
    # On later streets the order and the least bet are the usual ones.
    assert (actor(env), raises(env)) == (3, (20, 900))


def test_a_raise_over_a_straddle_is_at_least_by_the_straddle():
    env = deal([1000] * 4, straddle="under the gun")
    play_as(env, (0, 90))
    assert raises(env) == (140, 1000)


def test_on_the_button_the_small_blind_acts_first_and_the_button_last():
    env = deal([1000] * 5, button=2, straddle="button")
    assert last_table(env)["street_bet"][:5].tolist() == [0, 0, 40, 10, 20]
    play_as(env, (3, CALL), (4, CALL), (0, CALL), (1, FOLD), (2, CALL))
    assert actor(env) == 3
    assert env.full_info()["street"] == "flop"


def test_three_handed_the_button_is_under_the_gun():
    for straddle in ("under the gun", "button"):
        env = deal([1000] * 3, straddle=straddle)
        assert last_table(env)["street_bet"][:3].tolist() == [40, 10, 20]
        assert actor(env) == 1


@pytest.mark.parametrize("straddle", ["under the gun", "button"])
def test_with_two_players_there_is_no_straddle(straddle):
    env = deal([1000] * 2, straddle=straddle)
    assert last_table(env)["straddle"] == 0
    assert to_call(env) == 10


@pytest.mark.parametrize(("stack", "straddle"), [(39, 0), (40, 40), (44, 0), (45, 40)])
def test_a_stack_short_after_the_ante_does_not_straddle(stack, straddle):
    ante = 5 if stack > 40 else 0
    env = deal([1000, 1000, 1000, stack], blinds=(10, 20, ante), straddle="under the gun")
    assert last_table(env)["straddle"] == straddle
    assert actor(env) == (0 if straddle else 3)


def test_pot_limit_counts_the_straddle_as_the_bet_to_call():
    env = deal([1000] * 4, straddle="under the gun", betting="pot-limit")
    assert raises(env) == (80, 40 + 70 + 40)  # call 40, then the pot of 110 on top


# --- rake -----------------------------------------------------------------------------------------


def test_the_rake_is_taken_from_pots_that_saw_a_flop():
    env = deal([1000, 1000], rake=Rake(share=0.05), hole_cards={0: ACES}, board=RAINBOW)
    play(env, 100, *[CALL] * 7)
    assert stacks(env) == [900 + 190, 900]
    assert last_hand(env)["rake"] == 10
    assert last_hand(env)["pots"][0]["size"] == 190
    assert sum(env.rewards.values()) == -10


def test_no_flop_no_drop():
    for free in (True, False):
        env = deal([1000, 1000], rake=Rake(share=0.1, no_flop_no_drop=free))
        play(env, 100, FOLD)
        assert last_hand(env)["rake"] == (0 if free else 4)  # of 20 and 20: 80 come back


def test_an_uncalled_bet_is_not_raked():
    env = deal([1000, 1000], rake=Rake(share=0.1))
    play(env, CALL, CALL, 500, FOLD)
    assert last_hand(env)["rake"] == 4
    assert stacks(env) == [980, 1016]


def test_the_rake_is_rounded_down_and_stops_at_the_cap():
    for rake, taken in ((Rake(share=0.05), 9), (Rake(share=0.05, cap=7), 7), (Rake(share=0), 0)):
        env = deal([1000, 1000], rake=rake, hole_cards={0: ACES}, board=RAINBOW)
        play(env, 99, *[CALL] * 7)
        assert stacks(env) == [1099 - taken, 901]
        assert int(last_table(env)["rake"]) == taken


@pytest.mark.parametrize(
    ("cap", "main", "side"), [(None, 285, 380), (18, 285, 397), (10, 290, 400)]
)
def test_the_rake_is_split_over_side_pots_main_pot_first(cap, main, side):
    env = deal(
        [300, 100, 300],
        rake=Rake(share=0.05, cap=cap),
        hole_cards={0: KINGS, 1: ACES, 2: QUEENS},
        board=RAINBOW,
    )
    play(env, 300, CALL, CALL)
    assert pots(env) == [(main, [0, 1, 2], [1]), (side, [0, 2], [0])]
    assert sum(stacks(env)) + int(last_table(env)["rake"]) == 700


def test_all_hands_of_a_session_add_up_with_the_rake():
    env = deal([200] * 4, rake=Rake(share=0.05, cap=15), num_hands=30)
    hands = [hand for _ in decisions(env, 2) for hand in env.hands_over]
    hands.append(last_hand(env))
    assert [hand["hand_number"] for hand in hands] == list(range(30))
    assert all(sum(hand["net"].values()) == -hand["rake"] for hand in hands)
    assert int(env.game_record["rake"][0]) == sum(hand["rake"] for hand in hands) > 0


@given(chips=st.integers(0, 2**48), share=st.integers(0, 1_000_000), cap=st.integers(0, 2**45))
def test_large_pots_are_raked_exactly(chips, share, cap):
    tables = empty_tables(1, 2)
    tables["rake_share"], tables["rake_cap"] = share, cap
    expected = min(chips * share // 1_000_000, cap)
    assert rake_of(tables[0], chips) == expected
    assert Rake(share=share / 1_000_000, cap=cap).of(chips) == expected


def test_a_rake_is_read_from_text():
    assert Rake.read("") is None
    assert Rake.read("5%") == Rake(share=0.05)
    assert Rake.read("2.75%/12") == Rake(share=0.0275, cap=12)
    for text in ("5", "0.05", "101%", "5%/", "5%/-3", "five", 5, "5 %"):
        with pytest.raises(ValueError, match=r"rake must be|share of the rake must be"):
            Rake.read(text)


# --- run it twice ---------------------------------------------------------------------------------


def test_each_board_decides_half_of_the_pot():
    boards = {"boards": 2, "board": RAINBOW, "second_board": OTHER}
    env = deal([1000, 1000], hole_cards={0: ACES, 1: KINGS}, **boards)
    play(env, 1000, CALL)
    hand = last_hand(env)
    assert (hand["board"], hand["second_board"]) == (RAINBOW, OTHER)
    (pot,) = hand["pots"]
    assert pot["size"] == 2000
    assert (pot["winners"], pot["second_winners"]) == (["player_0"], ["player_1"])
    assert hand["net"] == {"player_0": 0, "player_1": 0}


def test_the_boards_share_the_open_cards():
    env = deal([1000, 1000], boards=2, board=RAINBOW, second_board="2c7d9h4c5c")
    play(env, CALL, CALL, 980, CALL)  # all-in on the flop
    assert last_hand(env)["second_board"] == "2c7d9h4c5c"


def test_a_hand_with_betting_on_the_river_has_one_board():
    env = deal([1000, 1000], boards=2)
    play(env, *[CALL] * 6, 980, CALL)
    assert over(env)
    assert "second_board" not in last_hand(env)


def test_the_odd_chip_goes_to_the_first_board():
    boards = {"boards": 2, "board": RAINBOW, "second_board": OTHER}
    env = deal([105, 200, 200], hole_cards={0: ACES, 1: KINGS, 2: QUEENS}, **boards)
    play(env, 105, CALL, 200, CALL)
    # 315: 158 on the first board, 157 on the second; the side pot of 190 goes to the kings twice.
    assert pots(env) == [(315, [0, 1, 2], [0]), (190, [1, 2], [1])]
    assert stacks(env) == [158, 157 + 190, 0]


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 10), seed=st.integers(0, 2**64 - 1), street=st.integers(0, 2))
def test_no_card_is_dealt_twice_and_the_first_board_is_that_of_a_single_run(n, seed, street):
    hands = []
    for boards in (1, 2):
        env = deal([100] * n, boards=boards, seed=seed, blinds=(1, 2))
        while not over(env):
            _, most = raises(env)
            lies_open = int(last_table(env)["street"])
            env.step(most if most and lies_open >= street else CALL)
        hands.append(last_hand(env))
    one, two = hands
    assert two["board"] == one["board"]
    assert two["shown"] == one["shown"]
    open_cards = [0, 3, 4][street]
    boards = [nlhe_env.parse_cards(two[name]) for name in ("board", "second_board")]
    assert boards[0][:open_cards] == boards[1][:open_cards]
    held = [card for text in two["shown"].values() for card in nlhe_env.parse_cards(text)]
    dealt = [*held, *boards[0], *boards[1][open_cards:]]
    assert len(set(dealt)) == len(dealt) == 2 * n + 10 - open_cards


def test_the_rake_is_taken_before_the_pot_is_halved():
    env = deal([1000] * 2, boards=2, rake=Rake(share=0.05), hole_cards={0: ACES, 1: "2c7d"})
    play(env, 1000, CALL)
    assert last_hand(env)["rake"] == 100
    assert sum(stacks(env)) == 1900


# --- what-if and validity -------------------------------------------------------------------------


def options_game(**changes):
    usual = {
        "starting_stack": 1000,
        "blinds": one_ante(10, 20, 20),
        "straddle": "under the gun",
        "rake": Rake(share=0.05, cap=40),
        "boards": 2,
        "num_hands": 3,
    }
    return Game.cash(**usual | changes)


def test_showdown_and_side_pots_follow_the_options():
    env = nlhe_env.raw_env(3, game=options_game(), actions="chips")
    env.reset(seed=3)
    # The ante lies in the middle, bets before the players.
    assert what_if.side_pots(env.table) == [(20, (0, 1, 2))]
    # 20 of the straddle of 40 come back: 5% of 20, 10, 20 and the ante of 20 are raked.
    assert sum(env.showdown().values()) == 3000 - 3
    dealt = what_if.run_out(env.table)
    assert dealt["shared_cards"] == 0


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("ante_by", 2, "valid options"),
        ("straddling", -1, "valid options"),
        ("boards", 3, "valid options"),
        ("rake_share", -1, "valid options"),
        ("rake_cap", -1, "valid options"),
        ("shared_cards", 3, "cards must be a deck"),
        ("rake", 5, "shown or won"),
        ("straddle", 20, "straddle and dead_ante"),
        ("dead_ante", 19, "straddle and dead_ante"),
        ("ante_by", 0, "less what it has put in"),
        ("straddling", 0, "straddle and dead_ante"),
        ("rake_needs_flop", 0, "of the same game"),
        ("boards", 1, "of the same game"),
    ],
)
def test_records_with_other_options_are_refused(field, value, message):
    env = nlhe_env.raw_env(4, game=options_game(), actions="chips")
    env.reset(seed=5)
    record = env.table.copy()
    env.set_table(record)
    record[field] = value
    check = env.set_table if "same game" in message else what_if.raise_range
    with pytest.raises(ValueError, match=message):
        check(record)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"straddle": "utg"}, 'straddle must be one of "none", "under the gun", "button"'),
        ({"straddle": "button", "betting": "fixed-limit"}, "in fixed-limit"),
        ({"rake": 0.05}, "rake must be a Rake"),
        ({"boards": 3}, "boards must be in 1 .. 2"),
        ({"mode": "tournament", "rake": Rake(share=0.05)}, 'rake needs mode="cash"'),
    ],
)
def test_invalid_options_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        nlhe_env.env(3, **{"mode": "cash"} | arguments)


@pytest.mark.parametrize("share", [-0.1, 1.5, 0.00000015, True, "5%"])
def test_invalid_shares_are_named(share):
    with pytest.raises(ValueError, match="share of the rake must be"):
        Rake(share=share)


def test_other_invalid_values_are_named():
    with pytest.raises(ValueError, match="cap of the rake must be"):
        Rake(share=0.05, cap=-1)
    with pytest.raises(ValueError, match="no_flop_no_drop"):
        Rake(share=0.05, no_flop_no_drop="yes")
    with pytest.raises(ValueError, match="ante_by must be one of"):
        BlindSchedule(((10, 20, 5),), ante_by="button")
    env = nlhe_env.raw_env(3, mode="cash")
    with pytest.raises(ValueError, match="second_board needs a game with boards=2"):
        env.reset(options={"second_board": RAINBOW})
