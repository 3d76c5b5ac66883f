"""All-in before the river: one matrix for all rivers, against a showdown on each of them."""

import numpy as np
import pytest

from agents import solvers
from agents.solvers import runouts
from agents.solvers.public_tree import CHANCE, SHOWDOWN
from agents.solvers.walk import AS_IS, BEST
from nlhe_env import Rake

RANGES = ("AA, 65s, KQs:0.5, JTs", "QQ, AKs, T9s:0.25, 65s")
TURN = solvers.Subgame("KsTh7s4d", RANGES, 100, (250, 180), "pot, all-in")
RAKED = solvers.Subgame("KsTh7s4d", RANGES, 100, 250, "all-in", rake=Rake(share=0.05, cap=15))
FLOP = solvers.Subgame("KsTh7s", ("AA, Qs9s", "QQ, 65s"), 10, 10, "all-in")


def without_matrices(spot, monkeypatch):
    monkeypatch.setattr(runouts, "_MOST_BYTES", 0)
    game = spot.game()
    assert (game.runouts.matrix == -1).all()
    assert game.runouts.outcomes.size == 0
    monkeypatch.undo()
    return game


@pytest.mark.slow
@pytest.mark.parametrize("spot", [TURN, RAKED, FLOP])
def test_values_are_those_of_a_showdown_on_each_river(spot, monkeypatch):
    game, plain = spot.game(), without_matrices(spot, monkeypatch)
    assert (game.runouts.matrix >= 0).any()
    strategy = game.normalised(np.random.default_rng(1).random(game.shape) ** 3)
    scale = float(game.cards.weights.sum()) * spot.pot
    for player in range(2):
        for mode in (AS_IS, BEST):
            np.testing.assert_allclose(
                game.values(strategy, player, mode),
                plain.values(strategy, player, mode),
                atol=1e-6 * scale,
            )
    assert game.exploitability(strategy) == pytest.approx(
        plain.exploitability(strategy), abs=1e-5 * spot.pot
    )


def test_an_all_in_hand_wins_as_often_as_on_the_rivers_one_by_one():
    game = TURN.game()
    node = solvers.Solution(game, game.uniform(), 0).node("bet 250", "call")
    assert game.tree.kind[node] == CHANCE
    matrix = game.runouts.outcomes[0, game.runouts.matrix[node]]
    hands = [TURN.hand_names(player) for player in range(2)]

    def outcome(own, other):
        return matrix[TURN.column(1, other), TURN.column(0, own)]

    # Of 44 rivers, the queens win on two.
    assert outcome("AcAd", "QcQd") == pytest.approx((42 - 2) / 44)
    # Both have the same ranks: any of nine spades makes a flush.
    assert outcome("6h5h", "6s5s") == pytest.approx(-9 / 44)
    assert outcome("AcAd", "AdKd") == 0  # they share a card: never met
    np.testing.assert_allclose(
        game.runouts.outcomes[1, 0, : len(hands[0]), : len(hands[1])],
        -game.runouts.outcomes[0, 0, : len(hands[1]), : len(hands[0])].T,
    )


def test_only_nodes_that_showdowns_follow_have_a_matrix():
    game = FLOP.game()
    tree, matrix = game.tree, game.runouts.matrix
    for node in np.flatnonzero(tree.kind == CHANCE).tolist():
        children = list(tree.children(node))
        is_last = (tree.kind[children] == SHOWDOWN).all()
        assert (matrix[node] >= 0) == is_last
    assert len(np.unique(matrix[matrix >= 0])) == 49  # one for each turn card


@pytest.mark.slow
@pytest.mark.parametrize("spot", [TURN, FLOP])
def test_matrices_do_not_change_what_is_found(spot, monkeypatch):
    found = [
        solvers.solve(game, iterations=50)
        for game in (spot.game(), without_matrices(spot, monkeypatch))
    ]
    tolerance = sum(solution.exploitability for solution in found) + 1e-3
    assert max(solution.exploitability for solution in found) < 0.01 * spot.pot
    assert found[0].value == pytest.approx(found[1].value, abs=tolerance)


@pytest.mark.slow
def test_a_subgame_with_nothing_but_an_all_in_is_solved():
    game = TURN.game()
    node = solvers.Solution(game, game.uniform(), 0).node("bet 250")
    rest = game.subgame(node, game.reaches(game.uniform(), node))
    solver = solvers.Solver(rest, threads=2)
    solver.run(200)
    assert abs(solver.exploitability()) < 0.5


def test_small_games_have_no_matrices():
    assert (solvers.leduc().runouts.matrix == -1).all()
