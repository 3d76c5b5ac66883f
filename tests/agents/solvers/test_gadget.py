"""Subgames solved anew, bound by an earlier solution: in small games it is checked exactly."""

from __future__ import annotations

import numpy as np
import pytest

from agents.solvers import Gadget, Solver, Subgame, no_limit_leduc, solve
from agents.solvers.public_tree import CHANCE, DECISION
from agents.solvers.walk import AS_IS, BEST


@pytest.fixture(scope="module")
def leduc():
    return no_limit_leduc(13, 1)


def second_rounds(game):
    """The nodes that the second round begins with."""
    chance = np.flatnonzero(game.tree.kind == CHANCE)
    nodes = [child for node in chance for child in game.tree.children(int(node))]
    return [node for node in nodes if game.tree.kind[node] == DECISION]


def solved_anew(game, earlier, player, prior):
    """The earlier strategies, with all second rounds of a player solved anew."""
    strategy = np.array(earlier)
    for node in second_rounds(game):
        subgame, rows = game.subgame(node, game.reaches(earlier, node)), game.rows_below(node)
        gadget = None
        if prior < 1:
            values = subgame.values(earlier[rows], 1 - player, BEST)
            gadget = Gadget(player, values, prior)
        solver = Solver(subgame, gadget=gadget)
        solver.run(200)
        new = solver.strategy
        tree = subgame.tree
        for decision in np.flatnonzero((tree.kind == DECISION) & (tree.actor == player)):
            first = int(tree.row[decision])
            own = slice(first, first + int(tree.branches[decision]))
            strategy[rows][own] = new[own]
    return strategy


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prior", "player", "seed"),
    [(0.0, 0, 0), (0.0, 1, 1), (0.5, 0, 1), (0.5, 1, 0), (0.9, 0, 0), (0.9, 1, 1)],
)
def test_a_bound_solution_is_exploited_no_more_than_the_earlier_strategy(
    leduc, prior, player, seed
):
    weights = np.random.default_rng(seed).random(leduc.shape) ** 12
    earlier = leduc.normalised(weights)
    before = leduc.best_response(earlier, 1 - player)
    after = leduc.best_response(solved_anew(leduc, earlier, player, prior), 1 - player)
    assert after < before - 0.1


def test_without_a_gadget_a_solution_may_be_exploited_more(leduc):
    earlier = leduc.normalised(np.random.default_rng(0).random(leduc.shape) ** 12)
    before = leduc.best_response(earlier, 0)
    unbound, bound = (leduc.best_response(solved_anew(leduc, earlier, 1, p), 0) for p in (1, 0.5))
    assert unbound > before + 0.1 > bound


def test_an_equilibrium_stays_one(leduc):
    earlier = solve(leduc, iterations=2000).strategy
    for player in range(2):
        before = leduc.best_response(earlier, 1 - player)
        after = leduc.best_response(solved_anew(leduc, earlier, player, 0.5), 1 - player)
        assert after < before + 0.01


def test_a_subgame_is_the_rest_of_its_game():
    game = Subgame("Qs7h2d8c", ("AA, KQs, 87s, 54s", "99+, AQ, 76s"), 100, 300, "pot").game()
    strategy = game.uniform()
    tree = game.tree
    river = next(
        child
        for node in np.flatnonzero(tree.kind == CHANCE)
        for child in tree.children(int(node))
        if tree.kind[child] == DECISION
    )
    subgame = game.subgame(river, game.reaches(strategy, river))
    rows = game.rows_below(river)
    assert subgame.tree.rows == rows.stop - rows.start
    # Whoever follows the same strategy wins the same, one board after the other.
    root = game.subgame(0, game.reaches(strategy, 0))
    np.testing.assert_allclose(root.values(strategy, 0, AS_IS), game.values(strategy, 0, AS_IS))
    won = [subgame.mean(subgame.values(strategy[rows], p, AS_IS), p) for p in range(2)]
    assert won[0] == pytest.approx(-won[1], abs=1e-4)


def test_gadgets_are_checked(leduc):
    with pytest.raises(ValueError, match="prior must be"):
        Gadget(0, np.zeros(3), 1.5)
    with pytest.raises(ValueError, match="values must"):
        Solver(leduc, gadget=Gadget(0, np.zeros(2)))
