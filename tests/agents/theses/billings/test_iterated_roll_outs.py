"""Iterated roll-outs of pre-flop hold'em against its equilibrium."""

import numpy as np
import pytest

from agents.solvers.public_tree import DECISION
from agents.solvers.regret_minimisation import Solver
from agents.theses.billings.pseudo_optimal.iterated_roll_outs import (
    NEAR_THRESHOLD,
    RollOuts,
    action_values,
    compare,
    roll_out_repeatedly,
)
from agents.theses.billings.pseudo_optimal.models import SMALL_BET, preflop_holdem
from nlhe_env.assessment.income_rates import class_names


@pytest.fixture(scope="module")
def game():
    return preflop_holdem()


@pytest.fixture(scope="module")
def equilibrium(game):
    solver = Solver(game, "cfr+")
    solver.run(300)
    return solver.strategy


@pytest.fixture(scope="module")
def found(game):
    return roll_out_repeatedly(game)


def test_action_values_are_those_of_the_solver(game, equilibrium):
    tree, chances = game.tree, game.cards.meetings[0, 0]
    values = action_values(game, equilibrium, chances)
    rows = slice(0, int(tree.branches[0]))
    of_hands = (values[rows] * equilibrium[rows]).sum(axis=0)
    won = of_hands @ chances.sum(axis=0)  # the button, player 1, acts first
    assert tree.actor[0] == 1
    assert won == pytest.approx(-game.value(equilibrium) / SMALL_BET, abs=1e-9)


def test_folding_loses_what_has_been_put_in(game):
    values = action_values(game, game.uniform(), game.cards.meetings[0, 0])
    np.testing.assert_allclose(values[0], -0.5)  # the small blind is half a small bet


def test_decisions_with_unknown_values_are_nan(game):
    deals = np.zeros_like(game.cards.meetings[0, 0])
    deals[class_names().index("AA"), class_names().index("KK")] = 1
    values = action_values(game, game.uniform(), deals)
    is_known = np.isfinite(values)
    decisions = np.flatnonzero(game.tree.kind == DECISION)
    for node in decisions:
        holding = "AA" if game.tree.actor[node] == 0 else "KK"
        known = np.flatnonzero(is_known[game.tree.row[node]])
        assert [class_names()[i] for i in known] == [holding]


def test_decisions_agree_with_the_equilibrium(game, found, equilibrium):
    agreement = compare(game, found, equilibrium)
    assert agreement.decisions > 800
    assert agreement.same / agreement.decisions > 0.9
    assert len(agreement.losses) == agreement.decisions - agreement.same
    # The thesis: usually less than 0.1 small bets from the other choice.
    assert np.mean(agreement.losses < NEAR_THRESHOLD) > 0.9
    assert game.exploitability(found.strategy) / SMALL_BET < 0.01


def test_more_generations_come_nearer(game, found):
    short = roll_out_repeatedly(game, n_generations=5)
    exploitabilities = [game.exploitability(each.strategy) for each in (found, short)]
    assert exploitabilities[0] < exploitabilities[1] / 2


def test_strategies_take_the_action_that_won_most(game, found):
    tree = game.tree
    for node in np.flatnonzero(tree.kind == DECISION):
        rows = slice(tree.row[node], tree.row[node] + tree.branches[node])
        best = found.rates[rows].argmax(axis=0)
        np.testing.assert_array_equal(found.strategy[rows].argmax(axis=0), best)
        np.testing.assert_array_equal(found.strategy[rows].sum(axis=0), 1)


def test_an_equilibrium_agrees_with_itself(game, equilibrium):
    agreement = compare(game, RollOuts(equilibrium, equilibrium), equilibrium)
    assert agreement.same == agreement.decisions
    assert len(agreement.losses) == 0


def test_seeds_decide(game):
    first, again, other = (
        roll_out_repeatedly(game, n_generations=2, n_games=1_000, seed=seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.rates, again.rates)
    assert (first.rates != other.rates).any()


@pytest.mark.parametrize("numbers", [{"n_generations": 0}, {"n_games": 0}, {"noise": -1.0}])
def test_invalid_numbers_are_named(game, numbers):
    with pytest.raises(ValueError, match=next(iter(numbers))):
        roll_out_repeatedly(game, **numbers)
