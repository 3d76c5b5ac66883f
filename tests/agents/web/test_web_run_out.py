"""Shares of the pots while the board runs out, as the table shows them."""

from __future__ import annotations

import pytest
from hand_texts import HEADS_UP, THREE_ALL_IN
from web_tables import new_game

from agents.web.hands.replays import hand_views
from agents.web.table.view import table_view
from nlhe_env import all_in_ev
from nlhe_env.hand_history import play_hand, read_hands, review_hand

CALLED_ON_THE_TURN = HEADS_UP.replace(
    '"p2 cbr 130", "p1 cc", "d db 3c", "p1 cc", "p2 cbr 300", "p1 f"',
    '"p2 cbr 1100", "p1 cc", "p1 sm AsKd", "p2 sm QhQc", "d db 3c"',
)


def run_out(text: str) -> list[dict]:
    return hand_views(read_hands(text)[0])[-1]["run_out"]


def test_shares_respect_side_pots_and_follow_the_board():
    hand = read_hands(THREE_ALL_IN)[0]
    found = run_out(THREE_ALL_IN)
    assert [street["cards"] for street in found] == [0, 3, 4, 5]
    last = list(play_hand(hand))[-1].table
    pots = 1350 + 1100  # 2,000 chips of p2 are not called
    net = [found[0]["shares"][str(seat)] * pots - (1000, 1000, 450)[seat] for seat in range(3)]
    assert net == pytest.approx(list(all_in_ev(last).values()), abs=0.01)
    for street, reviewed in zip(found[1:], review_hand(hand).streets[1:], strict=True):
        assert list(street["shares"].values()) == pytest.approx(reviewed.equities)
    assert found[-1]["shares"] == pytest.approx({"0": 0, "1": 1, "2": 0})


def test_the_first_shares_are_those_of_the_street_on_which_the_betting_ended():
    turn, river = run_out(CALLED_ON_THE_TURN)
    assert (turn["cards"], river["cards"]) == (4, 5)
    assert turn["shares"] == pytest.approx({"0": 0, "1": 1})  # three queens against no draw


def test_there_are_none_without_a_run_out_or_with_an_unknown_hand():
    assert run_out(HEADS_UP) == []  # ended by a fold
    unknown = THREE_ALL_IN.replace("d dh p3 7c7d", "d dh p3 ????").replace('"p3 sm 7c7d",', "")
    assert run_out(unknown) == []


def all_in(game) -> dict:
    while not game.snapshot.over:
        options = game.state().options
        to = options["max_raise_to"]
        game.act(game.actor, game.turn, *(("raise", to) if to else ("call", 0)))
    return table_view(game.snapshot, game.names, None)


def test_of_two_boards_only_the_shares_before_them_are_given():
    view = all_in(new_game("human", "human", mode="cash", num_hands=1, boards=2))
    assert len(view["result"]["second_board"]) == 5
    assert [street["cards"] for street in view["run_out"]] == [0]


def test_spectators_are_not_given_shares_that_depend_on_folded_cards():
    game = new_game("human", "human", "human", num_hands=1, mode="cash")
    game.act(game.actor, game.turn, "fold")
    folded = next(seat for seat in range(3) if game.snapshot.table["status"][seat] == 3)
    spectator = all_in(game)["run_out"][0]["shares"]
    own = table_view(game.snapshot, game.names, folded)["run_out"][0]["shares"]
    assert str(folded) not in spectator
    assert spectator.keys() == own.keys()
    assert spectator != own
