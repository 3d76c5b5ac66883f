"""The solver's answer to a hand that is over, for pages."""

import json

import numpy as np
import pytest
from hand_texts import HEADS_UP

from agents.web.hands.solving import solve_street
from nlhe_env.hand_history import read_hands

THREE = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 1000, 1000]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "d dh p3 7c7d", "p3 cc", "p1 cc", "p2 cc",
  "d db 2s7h9d", "p1 cc", "p2 cc", "p3 cc", "d db Qd", "p1 cc", "p2 cc", "p3 cc", "d db 3c",
  "p1 cc", "p2 cc", "p3 cbr 100", "p1 f", "p2 f"]
"""


def hand(text: str = HEADS_UP):
    return read_hands(text)[0]


def test_the_river_is_solved_along_the_played_line():
    answer = json.loads(json.dumps(solve_street(hand(), "river", seconds=60)))
    assert answer["board"] == ["2s", "7h", "9d", "Qd", "3c"]
    assert (answer["pot"], answer["stacks"]) == (460, [770, 970])
    assert answer["exploitability"] < 0.01
    said = [
        (d["name"], [a["name"] for a in d["actions"] if a["taken"]]) for d in answer["decisions"]
    ]
    assert said == [("ann", ["check"]), ("bob", ["bet 300"]), ("ann", ["fold"])]
    for decision in answer["decisions"]:
        assert sum(action["probability"] for action in decision["actions"]) == pytest.approx(1)
        assert sum(action["own_probability"] for action in decision["actions"]) == pytest.approx(1)
    assert answer["decisions"][1]["cards"] == ["Qh", "Qc"]
    bets = [a["own_probability"] for a in answer["decisions"][1]["actions"] if a["name"] != "check"]
    assert sum(bets) > 0.9  # the best hand there is bets


@pytest.mark.slow
def test_the_turn_solution_continues_to_the_river():
    answer = solve_street(hand(), "turn")
    assert answer["pot"] == 200
    assert [d["street"] for d in answer["decisions"]] == ["turn"] * 3 + ["river"] * 3
    taken = [[a["name"] for a in d["actions"] if a["taken"]] for d in answer["decisions"]]
    assert taken == [["check"], ["bet 130"], ["call"], ["check"], ["bet 300"], ["fold"]]


def test_unshown_cards_are_not_looked_up():
    answer = solve_street(hand().seen_by(1), "river", seconds=1)
    cards = {decision["name"]: decision["cards"] for decision in answer["decisions"]}
    assert cards == {"ann": [], "bob": ["Qh", "Qc"]}
    assert all(a["own_probability"] is None for a in answer["decisions"][0]["actions"])


@pytest.mark.parametrize(
    ("text", "street", "words"),
    [
        (HEADS_UP, "flop", "a street is one of turn, river"),
        (THREE, "river", "only two-player hands can be solved; 3 players saw the river"),
        (
            HEADS_UP.replace('"p1 cc", "d db 3c", "p1 cc", "p2 cbr 300", ', ""),
            "river",
            "no player made a decision",
        ),
    ],
)
def test_what_cannot_be_solved_is_named(text, street, words):
    with pytest.raises(ValueError, match=words):
        solve_street(hand(text), street)


def test_played_bets_are_in_the_tree_to_the_chip():
    for amount in (113, 377, 500):
        answer = solve_street(
            hand(HEADS_UP.replace("cbr 300", f"cbr {amount}")), "river", seconds=0.2
        )
        names = [action["name"] for action in answer["decisions"][1]["actions"]]
        assert f"bet {amount}" in names
        assert np.all([a["probability"] >= 0 for a in answer["decisions"][1]["actions"]])
