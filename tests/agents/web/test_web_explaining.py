"""Recorded hands explained, set up again, and sessions as a graph: what pages show."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hand_texts import HEADS_UP
from scipy import stats

import agents
import nlhe_env
from agents.policy.policy_query import query_policy
from agents.variance_reduction.aivat_logs import AivatEvaluator
from agents.web.hands.explaining import advise, explain
from agents.web.hands.grids import player_range
from agents.web.hands.replays import hand_views
from agents.web.hands.sessions import seat_rates, session
from nlhe_env.hand_history import Hand, HandHistoryError, play_hand, read_hands

ALL_IN = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 1000]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "p2 cbr 1000", "p1 cc", "p1 sm AsKd", "p2 sm QhQc",
  "d db 2s7h9d", "d db Kc", "d db 3c"]
players = ["ann", "bob"]
"""


DEAD_BLIND = """\
variant = "NT"
antes = [0, 0, 50]
blinds_or_straddles = [50, 100, 100]
min_bet = 100
starting_stacks = [1000, 1000, 1000]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "d dh p3 7c7d", "p3 cc", "p1 cc", "p2 cc", "d db 2s7h9d",
  "p1 cbr 200", "p2 f", "p3 f"]
finishing_stacks = [1250, 900, 850]
"""


IDS = {"fold": 0, "check": 1, "call": 1, "small bet": 2, "medium bet": 3, "large bet": 4}


def hand(text: str = HEADS_UP) -> Hand:
    return read_hands(text)[0]


def test_effect_of_cards_and_what_is_left_make_up_what_was_won():
    """AIVAT counts hole cards as a big blind times what they are better than even."""
    explanation = json.loads(json.dumps(explain(hand())))
    won, variance_reduction, all_in, adjusted = (row["chips"] for row in explanation["totals"])
    assert won == all_in == [-230, 230]
    share = explanation["streets"][0]["equities"][0]
    assert won[0] - variance_reduction[0] - 100 * (share - 0.5) == pytest.approx(
        adjusted[0], abs=0.01
    )
    assert explanation["divat"] is None


def test_unknown_cards_are_not_shown():
    explanation = explain(hand(HEADS_UP.replace("AsKd", "????")))
    text = json.dumps(explanation)
    assert all(
        step["decision"] is None or step["decision"]["cost"] is None
        for step in explanation["steps"]
    )
    assert [step["random_equities"][0] for step in explanation["steps"]] == [None] * len(
        explanation["steps"]
    )
    assert "AIVAT" not in text
    assert [len(explanation["totals"]), explanation["totals"][0]["chips"]] == [3, [-230, 230]]
    advice = advise(hand(HEADS_UP.replace("AsKd", "????")), agents.make("formula"))
    assert [options is None for options in advice] == [
        action.position == 0 for action in hand().actions
    ]


@pytest.mark.parametrize(
    ("text", "dead"),
    [(DEAD_BLIND, 50), (HEADS_UP.replace("antes = [0, 0]", "antes = [20, 20]"), 40), (HEADS_UP, 0)],
)
def test_dead_chips_are_shown_in_the_main_pot_everywhere(text, dead):
    """A missed small blind, and antes: seen, explained, explained by players and counted alike."""
    (recorded,) = hands = read_hands(text)
    views, explanation = hand_views(recorded), explain(recorded)
    assert sum(pot["size"] for pot in views[0]["pots"]) == dead
    for view, step in zip(views, explanation["steps"], strict=True):
        bets = sum(seat["bet"] for seat in view["seats"])
        if not view["over"]:
            assert view["pot"] == bets + sum(pot["size"] for pot in view["pots"])
            decision = step["decision"]
            assert decision["pot"] == view["pot"]
            assert {"bet", "raise"} & decision["values"].keys()  # a raise is always possible
    assert sum(explanation["totals"][0]["chips"]) == 0
    assert len(query_policy(agents.make_compiled("caller"), recorded)) == len(recorded.actions)
    assert session(hands)["left_out"] == 0


def test_an_illegal_raise_over_a_dead_blind_names_the_legal_amounts():
    text = DEAD_BLIND.replace("p3 cc", "p3 cbr 120")
    with pytest.raises(HandHistoryError, match=r"a raise must be to 200 \.\. 950 chips"):
        read_hands(text)


def test_a_player_is_queried_with_the_actors_cards():
    """Against the chances that it names in an environment with the same cards and actions."""
    found = query_policy(agents.make_compiled("old-best"), hand())
    game = nlhe_env.Game.cash(blinds=(50, 100), starting_stack=(1000, 1200), num_hands=1)
    env = nlhe_env.raw_env(2, game=game, actions="chips")
    both = {f"player_{seat}": agents.make("old-best") for seat in range(2)}
    lineup = agents.Lineup(env, both)
    cards = {"player_0": "AsKd", "player_1": "QhQc"}
    env.reset(seed=1, options={"button": 1, "hole_cards": cards, "board": "2s7h9dQd3c"})
    for options, action in zip(found, hand().actions, strict=True):
        chances = lineup.policy()
        total = np.zeros(5)
        for option in options:
            total[IDS[option.words.replace("raise", "bet")]] += option.chance
        assert total == pytest.approx(chances)
        env.step({"f": 0, "cc": 1}.get(action.kind, action.to))


def test_a_player_that_cannot_be_queried_says_why():
    with pytest.raises(ValueError, match="heads-up fixed-limit"):
        advise(hand(), agents.make("vexbot"))
    with pytest.raises(ValueError, match="not a compiled player"):
        advise(hand(), agents.make("nlbot-1"))


def test_a_session_adds_up_raw_and_variance_reduced():
    result = json.loads(json.dumps(session([hand(), hand(ALL_IN), hand()])))
    ann, bob = result["players"]
    assert (ann["name"], ann["won"]) == ("ann", [-230, 770, 540])
    assert ann["all_in"][0] == -230
    assert ann["all_in"][1] < 0  # behind when all the chips went in
    adjusted = AivatEvaluator().evaluate([hand(), hand(ALL_IN), hand()])[:, 0].cumsum()
    assert ann["adjusted"] == pytest.approx(adjusted.tolist(), abs=0.01)
    for measure in ("won", "all_in", "adjusted"):
        assert np.add(ann[measure], bob[measure]) == pytest.approx(0, abs=0.01)
    big_blinds = np.diff([0, *ann["won"]]) / hand().big_blind
    low, high = stats.ttest_1samp(100 * big_blinds, 0).confidence_interval(0.95)
    assert ann["rates"]["won"] == pytest.approx([(low + high) / 2, (high - low) / 2], abs=0.06)
    assert session([hand()])["players"][0]["rates"]["won"][1] is None
    cents = session([replace(hand(), unit=100)])  # amounts of 100 chips
    assert (result["unit"], cents["unit"]) == (1, 100)
    assert cents["players"][0]["won"] == [-2.3]


def test_the_rates_of_a_seat_are_those_of_its_player():
    hands = [hand(), hand(ALL_IN), hand()]
    rates = seat_rates(hands)
    ann, bob = session(hands)["players"]
    assert rates["hands"] == 3
    assert rates["seats"] == {"0": ann["rates"], "1": bob["rates"]}
    moved = replace(hands[1], seats=(4, 0), seat_count=5, players=("cid", "ann"))
    seats = seat_rates([hands[0], moved])["seats"]
    assert list(seats) == ["0", "1", "4"]  # one who changes the name remains in the seat
    assert seats["4"] == session([hands[1]])["players"][0]["rates"]
    assert seats["0"]["won"][0] == pytest.approx(100 * (-2.3 - 10) / 2)
    hidden = seat_rates([hands[0], hand(HEADS_UP.replace("AsKd", "????"))])["seats"]["1"]
    assert hidden["won"] is not None
    assert hidden["adjusted"] is None
    assert seat_rates([])["seats"] == {}


def test_incomplete_hands_and_hidden_cards_are_handled():
    broken = HEADS_UP[: HEADS_UP.index(', "p1 cc", "d db 3c"')] + "]\n"
    result = session([hand(broken), hand(HEADS_UP.replace("AsKd", "????"))])
    assert (result["hands"], result["left_out"]) == ([2], 1)
    assert all(player["adjusted"] is None for player in result["players"])
    assert explain(hand(broken))["totals"] == []
    assert session([hand(broken)])["players"] == []
    assert len(list(play_hand(hand(broken)))) == 7


def test_a_range_follows_from_the_actions_of_the_hand():
    first, later = (player_range(hand(), agents.make("old-best"), step) for step in (0, 2))
    assert np.shape(later["weights"]) == (13, 13)
    assert np.shape(later["chances"]) == (len(later["actions"]), 13, 13)
    assert np.ptp(first["weights"]) == 0  # nobody has acted
    board = player_range(hand(), agents.make("caller"), 4)
    assert board["actions"] == ["call"]
    assert board["weights"][12][12] == 0.5  # of six pairs of deuces one card lies on the board
    with pytest.raises(ValueError, match="no decision after 99 actions"):
        player_range(hand(), agents.make("caller"), 99)
    with pytest.raises(ValueError, match="not a compiled player"):
        player_range(hand(), agents.make("nlbot-1"), 0)
