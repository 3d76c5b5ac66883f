"""Bots of other packages: they decide by their published rules, and the bench rates them."""

from pathlib import Path

import numpy as np
import pytest

import agents

BOTS = Path(__file__).parents[2] / "examples" / "bots"
FREE, TO_PAY = 0, 100


def bot(name, options=""):
    return agents.make(f"{BOTS / name}.py{options}")


@pytest.mark.parametrize(
    ("chance", "to_call", "expected"),
    [
        (0.95, 1, 5),
        (0.85, 1, 4),
        (0.75, 0, 3),
        (0.65, 1, 2),
        (0.55, 1, 1),
        (0.45, 1, 0),
        (0.4, 0, 1),
    ],
)
def test_neuron_poker_raises_more_with_better_hands(chance, to_call, expected):
    seen = {"observation": np.array([0, 0, 0, chance]), "action_mask": np.ones(6)}
    assert bot("neuron_poker_equity").act(seen, {"to_call": to_call}) == expected


def test_neuron_poker_takes_the_next_action_where_a_raise_is_illegal():
    seen = {"observation": np.array([0, 0, 0, 0.95]), "action_mask": np.array([1, 1, 1, 0, 0, 0])}
    assert bot("neuron_poker_equity").act(seen, {"to_call": 1}) == 2


def test_options_of_neuron_poker_are_its_thresholds():
    player = bot("neuron_poker_equity", ":call_from=0.6,bet_from=0.8")
    assert (player.call_from, player.bet_from) == (0.6, 0.8)


@pytest.mark.parametrize(
    ("hole_cards", "seats", "to_call", "expected"),
    [
        ("AsAh", 2, TO_PAY, agents.CHECK_OR_CALL),
        ("7s2h", 2, TO_PAY, agents.FOLD),
        ("7s2h", 2, FREE, agents.CHECK_OR_CALL),
        ("JsTs", 6, TO_PAY, agents.CHECK_OR_CALL),
    ],
)
def test_honest_player_calls_with_an_equal_share(hole_cards, seats, to_call, expected):
    turn = {"hole_cards": hole_cards, "board": "", "seats": [{}] * seats + [None]}
    assert bot("pypokerengine_honest").decide(turn | {"to_call": to_call}) == expected


@pytest.mark.parametrize(
    ("hole_cards", "board", "to_call", "least", "expected"),
    [
        ("2s2h", "", TO_PAY, 300, 300),  # a pair
        ("2s2h", "", TO_PAY, 0, agents.CHECK_OR_CALL),  # no more raises
        ("2s2h", "Ks7d3c", TO_PAY, 300, agents.FOLD),
        ("2s2h", "Ks2d3c", TO_PAY, 300, 300),  # three of a kind
        ("AsTh", "", TO_PAY, 300, 300),
        ("As9h", "", TO_PAY, 300, agents.FOLD),
        ("As9s", "", TO_PAY, 300, 300),
        ("As9s", "Kh7d3c", TO_PAY, 300, agents.FOLD),
        ("As9s", "Ks7d3c", TO_PAY, 300, 300),  # a board with a card of their suit
        ("AsTs", "9h7d3c", TO_PAY, 300, agents.FOLD),
        ("AsTh", "Kh7d3c", TO_PAY, 300, 300),
        ("KsJh", "", TO_PAY, 300, 300),
        ("Ks9s", "", TO_PAY, 300, agents.FOLD),
        ("KsJh", "9h7d3c", TO_PAY, 300, agents.CHECK_OR_CALL),
        ("KsJh", "9h7d3c", FREE, 300, 300),  # RLCard has no call of nothing
        ("KsJh", "5h4d3c", TO_PAY, 300, agents.FOLD),
        ("KsJh", "5h4d3c", FREE, 300, agents.CHECK_OR_CALL),
    ],
)
def test_rlcard_decides_by_its_rules(hole_cards, board, to_call, least, expected):
    turn = {"hole_cards": hole_cards, "board": board, "to_call": to_call, "min_raise_to": least}
    assert bot("rlcard_limit_rule").decide(turn) == expected


@pytest.mark.parametrize(
    ("name", "suite"),
    [
        ("neuron_poker_equity", "six-max"),
        ("pypokerengine_honest", "heads-up"),
        ("rlcard_limit_rule", "limit"),
    ],
)
def test_the_bench_rates_them_without_illegal_answers(name, suite):
    card = agents.bench(bot(name), suites=[suite], hands=20, seed=1, bound=False).suites[suite]
    assert card.illegal == 0
    assert all(result.hands >= 20 for result in card.results.values())
