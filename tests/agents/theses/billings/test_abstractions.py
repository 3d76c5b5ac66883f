"""Rejected abstractions of betting: their trees, and how their solutions are compared."""

import numpy as np
import pytest

from agents.solvers.public_tree import DECISION, SHOWDOWN
from agents.theses.billings.pseudo_optimal import hands, models
from agents.theses.billings.pseudo_optimal.abstractions import (
    MERGED_BETS,
    AfterFlop,
    compare_forms,
    flop_differences,
)
from agents.theses.billings.pseudo_optimal.sizes import Sizes
from nlhe_env.equity import load_tables
from nlhe_env.game.table import CHECK_OR_CALL

SIZES = Sizes(buckets=3, iterations=10, deals=2_000)


@pytest.fixture(scope="module")
def form():
    return AfterFlop(hands.Deals.at_random(1_000, load_tables()), SIZES)


@pytest.fixture(scope="module")
def usual(form):
    return form.usual()


@pytest.mark.parametrize("bet", [1, 4])
def test_a_merged_street_has_bets_of_its_own_size(bet):
    tree = models.merged_turn_and_river(2, bet, 3)
    assert tree.street.max() == 1
    # Half of the pot, three bets on the flop and three on the merged street.
    most = models.SMALL_BET * (1 + 3 + 3 * bet)
    assert tree.stake[tree.kind == SHOWDOWN].max() == most
    assert tree.stake[tree.kind == SHOWDOWN].min() == models.SMALL_BET


def test_a_solution_does_not_differ_from_itself(usual):
    assert flop_differences(usual, usual) == (0, 0, 0)


def test_differences_are_those_of_the_decision_on_the_flop(usual):
    """Another strategy at one decision changes only the share of that decision."""
    tree = usual.game.tree
    for i, line in enumerate(((), (CHECK_OR_CALL,), (models.SMALL_BET,))):
        node = tree.after(line)
        assert tree.actor[node] == (0 if i == 0 else 1)
        flop = np.flatnonzero((tree.kind == DECISION) & (tree.street == 0))
        row = int(tree.branches[flop[flop < node]].sum())
        changed = [each.copy() for each in usual.strategies]
        changed[0][row : row + tree.branches[node]] = np.eye(tree.branches[node])[:, :1]
        expected = (1 - usual.strategies[0][row]) @ usual.game.network.start.sum(axis=1)
        found = flop_differences(usual, usual._replace(strategies=changed))
        assert found[i] == pytest.approx(expected, abs=1e-6)
        assert [share for j, share in enumerate(found) if j != i] == [0, 0]


def test_a_merged_form_deals_the_cards_of_flop_and_river(form, usual):
    merged = form.merged(2)
    np.testing.assert_array_equal(merged.game.network.start, usual.game.network.start)
    np.testing.assert_array_equal(merged.game.network.outcome, usual.game.network.outcome)
    # The buckets of the river are as frequent, whether the turn comes between or not.
    shares = [
        game.meetings[-1].sum(axis=1).reshape(-1, game.network.buckets[-1]).sum(axis=0)
        for game in (merged.game, usual.game)
    ]
    np.testing.assert_allclose(*shares, atol=0.01)


def test_all_forms_are_compared_with_three_bets(form):
    found = list(compare_forms(form.deals, SIZES))
    assert [name for name, _, _ in found][:4] == [
        "three bets",
        "three bets, four times the iterations",
        "four bets",
        "two bets",
    ]
    assert len(found) == 4 + len(MERGED_BETS)
    assert found[0][2] == (0, 0, 0)
    for _, value, differences in found[1:]:
        assert -1 < value < 0.1  # acting first is no advantage
        assert all(0 < share < 1 for share in differences)
