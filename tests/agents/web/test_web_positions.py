"""Hands that are set up: where play begins, what is refused, and recorded hands played on."""

from __future__ import annotations

import pytest
from hand_texts import HEADS_UP
from web_tables import new_game

from agents.web.table.positions import Position, position_of
from agents.web.table.view import table_view
from nlhe_env.hand_history import play_hand, read_hands

SPOT = {
    "button": 2,
    "stacks": [500, 800, 1000],
    "hole_cards": ["AsKd", "", "7c7d"],
    "board": "2s7h9d",
}


def set_up(**changes):
    players = ("human", "caller", "caller")
    return new_game(*players, mode="cash", blinds="5/10", num_hands=1, position={**SPOT, **changes})


def view(game):
    return table_view(game.snapshot, game.names, 0)


def test_play_starts_at_the_street_of_the_board():
    game = set_up()
    seen = view(game)
    assert (seen["street"], seen["board"], seen["actor"]) == ("flop", ["2s", "7h", "9d"], 0)
    assert seen["seats"][0]["cards"] == ["As", "Kd"]
    assert [seat["stack"] for seat in seen["seats"]] == [490, 790, 990]
    assert seen["pot"] == 30
    assert seen["button"] == 2


def test_the_chosen_actor_is_to_act():
    seen = view(set_up(actor=2))
    assert (seen["street"], seen["actor"]) == ("flop", 2)
    assert [event["action"] for event in seen["history"][-2:]] == ["check", "check"]


def test_bets_are_checked_by_the_rules():
    game = set_up(betting="fold, raise 40 / call\nbet 60", actor=1, board="2s7h9dQc", street="flop")
    seen = view(game)
    assert (seen["street"], seen["actor"], seen["pot"]) == ("flop", 1, 140)
    assert seen["board"] == ["2s", "7h", "9d"]
    game.act_for_absent()
    all_in = view(set_up(board="", betting="all-in"))
    assert (all_in["street"], all_in["actor"], all_in["pot"]) == ("preflop", 0, 1015)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"hole_cards": ["AsKd", "As2c", ""]}, "card As is used for seat 1 and seat 2"),
        ({"board": "2s7hKd"}, "card Kd is used for seat 1 and the board"),
        ({"board": "2s2s9d"}, "card 2s is used twice for the board"),
        ({"board": "2s7h"}, "the board must have 0 or 3 or 4 or 5 cards; got 2"),
        ({"hole_cards": ["AsK", "", ""]}, "not 0 or 2 cards"),
        ({"hole_cards": ["1s2x", "", ""]}, "'1s' of seat 1 is not a card"),
        ({"stacks": [500, 800]}, "stacks must be a list of 3"),
        ({"stacks": [500, 0, 800]}, "the chips of seat 2 must be a whole number from 1"),
        ({"button": 3}, "the seat of the button must be a whole number from 0 to 2"),
        ({"betting": "raise 12"}, r"by seat 3: a bet or raise must be to 20 to"),
        ({"betting": "check"}, "there are 10 chips to call; got check"),
        ({"betting": "call, call, call"}, "there is nothing to call; got call"),
        ({"betting": "call, call, fold"}, "there is nothing to fold to"),
        ({"betting": "dance"}, "action 1 of the betting must be fold"),
        ({"betting": "fold, fold, call"}, "the hand is over before action 3"),
        ({"betting": "fold", "actor": 2}, "without a decision of seat 3 on the flop"),
        ({"street": "showdown"}, "a street is one of"),
        ({"colour": "red"}, "a field of a hand is one of"),
    ],
)
def test_impossible_positions_are_refused_with_a_reason(changes, problem):
    with pytest.raises(ValueError, match=problem):
        set_up(**changes)


def test_cards_may_be_typed_informally():
    values = {**SPOT, "hole_cards": ["as KD", "", "10c,10d"], "board": "2S 7h 9d"}
    position = Position.read(values, 3)
    assert position.hole_cards == ("AsKd", "", "TcTd")
    assert (position.board, position.street) == ("2s7h9d", "flop")


def test_a_recorded_hand_can_be_continued_from_any_step():
    hand = read_hands(HEADS_UP)[0]
    steps = list(play_hand(hand))
    for number in range(len(hand.actions)):
        values = position_of(hand, number)
        assert values["players"] == ["ann", "bob"]
        game = new_game(
            "caller", "human", mode="cash", blinds=values["blinds"], position=values["position"]
        )
        table = game.snapshot.table
        for name in ("pot", "street", "actor", "current_bet", "board_cards"):
            assert table[name] == steps[number].table[name]
        assert table["stack"].tolist() == steps[number].table["stack"].tolist()
        assert table["cards"][:9].tolist() == steps[number].table["cards"][:9].tolist()
    with pytest.raises(ValueError, match="no player is to act"):
        position_of(hand, len(hand.actions))
