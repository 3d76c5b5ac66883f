"""The spectator's view, as plain values."""

from helpers import CALL, FOLD, deal, play

from nlhe_env.cards import format_cards
from nlhe_env.render.scene import read_scene


def scene(env):
    return read_scene(env.table, env.possible_agents)


def test_a_scene_holds_the_state_of_the_table():
    env = deal(
        [1000, 1000, 50],
        button=2,
        blinds=(10, 20, 1),
        hole_cards={0: "AsKd"},
        board="QsJsTs2h3d",
    )
    play(env, 49)  # the short stack on the button goes all-in
    seen = scene(env)
    assert seen.title == "Table 0, hand 0, blinds 10/20 ante 1"
    assert (seen.street, seen.board, seen.pot, seen.paid) == ("preflop", (), 82, ())
    first, second, _ = seen.seats
    assert (first.name, first.stack, first.bet) == ("player_0", 989, 10)
    assert format_cards(first.cards) == "AsKd"
    assert [seat.to_act for seat in seen.seats] == [True, False, False]
    assert [seat.has_button for seat in seen.seats] == [False, False, True]
    assert [seat.status for seat in seen.seats] == ["", "", "all-in"]
    assert second.bet == 20
    play(env, CALL, FOLD)
    seen = scene(env)
    assert [seat.status for seat in seen.seats] == ["", "folded", "all-in"]
    assert format_cards(seen.board) == "QsJsTs2h3d"


def test_a_finished_hand_shows_the_winnings():
    env = deal([1000, 1000], hole_cards={0: "AsKd", 1: "2c7d"}, board="QsJsTs2h3d")
    play(env, CALL, *[CALL] * 7)
    seen = scene(env)
    assert seen.paid == (40,)
    assert seen.pot == 0
    assert [(seat.won, seat.shown) for seat in seen.seats] == [(40, True), (0, True)]
    assert not any(seat.to_act for seat in seen.seats)


def test_unshown_cards_are_distinguished_from_shown_ones():
    env = deal([1000, 1000])
    play(env, FOLD)
    assert [(seat.won, seat.shown) for seat in scene(env).seats] == [(0, False), (20, False)]


def test_empty_seats_hold_no_player():
    cards = {0: "AsAd", 1: "KsKd", 2: "2c7d"}
    env = deal([980, 1000, 20], button=2, mode="tournament", hole_cards=cards, board="AhKh5s9c3d")
    play(env, *[CALL] * 9)
    env.step(None)  # the last turn of the player who is out
    env.step(CALL)
    assert env.table["hand"] == 1
    assert [seat.name for seat in scene(env).seats] == ["player_0", "player_1"]
