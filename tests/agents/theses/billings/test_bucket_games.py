"""Games of buckets, against the same games as linear programs and hand by hand."""

from itertools import pairwise

import numpy as np
import pytest

from agents import solvers
from agents.solvers.public_tree import CHANCE, DECISION, Betting, grow
from agents.solvers.sequence_form import best_plans
from agents.theses.billings.pseudo_optimal.bucket_game import (
    BucketGame,
    BucketSolver,
    BucketWalks,
    Network,
    next_street,
)
from agents.theses.billings.pseudo_optimal.models import Lines, after_flop, before_turn_ends
from nlhe_env.game.table import FIXED_LIMIT


def any_network(*buckets, seed=1):
    """Chances drawn at random; the higher of the last buckets usually wins."""
    generator = np.random.default_rng(seed)
    start = generator.random((buckets[0],) * 2)
    steps = []
    for n, m in pairwise(buckets):
        step = generator.random((n, n, m, m)) ** 3
        steps.append(step / step.sum(axis=(2, 3), keepdims=True))
    order = np.arange(buckets[-1])
    outcome = 0.8 * np.sign(order[:, np.newaxis] - order)
    return Network(start / start.sum(), tuple(steps), outcome)


def betting(full_bets, max_bets):
    rules = Betting((500, 500), full_bets, pot=4, structure=FIXED_LIMIT, max_bets=max_bets)
    return grow(rules, next_street)


def kuhn_in_buckets():
    chances = (1 - np.eye(3)) / 6
    wins = np.sign(np.arange(3)[:, np.newaxis] - np.arange(3)).astype(float)
    return BucketGame(solvers.kuhn().tree, Network(chances, (), wins))


@pytest.mark.parametrize("method", ["cfr", "cfr+", "discounted"])
def test_one_street_matches_the_hand_by_hand_solver_each_iteration(method):
    mine, other = BucketSolver(kuhn_in_buckets(), method), solvers.Solver(solvers.kuhn(), method)
    for _ in range(3):
        mine.run(7)
        other.run(7)
        np.testing.assert_allclose(mine.strategies[0], other.strategy, atol=1e-12)


def test_best_responses_in_kuhn():
    walks = BucketWalks(kuhn_in_buckets())
    assert 2 * walks.exploitability(walks.uniform()) == pytest.approx(0.9166667, abs=1e-7)
    value, plans = best_plans(walks.game)
    exact = walks.normalised(walks.game.by_street(plans))
    assert value == pytest.approx(-1 / 18) == walks.value(exact)
    assert walks.exploitability(exact) == pytest.approx(0, abs=1e-12)


def test_meeting_probabilities_multiply_along_the_bucket_path():
    game = BucketGame(betting((2, 4, 4), 1), any_network(2, 3, 2))
    network = game.network
    assert game.hands == (2, 6, 12)
    for first, second in ((5, 11), (7, 0)):
        (a, b), (c, d) = divmod(first, 2), divmod(second, 2)
        (a, x), (c, y) = divmod(a, 3), divmod(c, 3)
        way = network.start[a, c] * network.steps[0][a, c, x, y] * network.steps[1][x, y, b, d]
        assert game.meetings[2][first, second] == pytest.approx(way, abs=1e-15)
    assert [each.sum() for each in game.meetings] == pytest.approx([1, 1, 1])


@pytest.mark.slow
@pytest.mark.parametrize(("buckets", "full_bets"), [((3, 2), (2, 4)), ((2, 2, 2), (2, 4, 4))])
def test_the_linear_program_and_cfr_plus_agree_on_the_value(buckets, full_bets):
    game = BucketGame(betting(full_bets, 1), any_network(*buckets))
    value, plans = best_plans(game)
    walks = BucketWalks(game)
    exact = walks.normalised(game.by_street(plans))
    assert walks.value(exact) == pytest.approx(value, abs=1e-9)
    assert walks.exploitability(exact) == pytest.approx(0, abs=1e-9)
    solver = BucketSolver(game)
    solver.run(500)
    assert walks.value(solver.strategies) == pytest.approx(value, abs=1e-4)


@pytest.mark.slow
def test_float32_solves_the_same_game():
    game = BucketGame(betting((2, 4), 3), any_network(3, 3))
    found = []
    for dtype in (np.float32, np.float64):
        solver = BucketSolver(game, dtype=dtype)
        solver.run(100)
        found.append(solver.walks.value(solver.strategies))
        assert solver.walks.exploitability(solver.strategies) < 0.02
    assert found[0] == pytest.approx(found[1], abs=1e-3)


def test_streets_have_the_published_number_of_betting_sequences():
    """Seven ways to the flop with four bets, and seven through a street with three."""
    tree = before_turn_ends()
    closed = (tree.kind == CHANCE) & (tree.street == 0)
    assert sorted(tree.pot[closed] // 2) == [2, 4, 4, 6, 6, 8, 8]
    tree = after_flop(4, 3)
    assert [((tree.kind == CHANCE) & (tree.street == street)).sum() for street in (0, 1)] == [7, 49]
    assert [tree.pot[0], tree.stake.max()] == [8, 4 + 6 + 12 + 12]


@pytest.mark.parametrize(
    ("tree", "max_bets"), [(after_flop(2, 3), 3), (after_flop(2, 4), 4), (before_turn_ends(), 4)]
)
def test_betting_sequences_distinguish_all_decisions(tree, max_bets):
    lines = Lines.of(tree, max_bets)
    decides = np.flatnonzero(tree.kind == DECISION)
    decision_keys = {(tree.street[n], lines.line[n], lines.code[n]) for n in decides}
    assert len(decision_keys) == len(decides)


def test_invalid_strategies_are_refused():
    game = BucketGame(betting((2, 4), 1), any_network(3, 2))
    walks = BucketWalks(game)
    first, second = walks.uniform()
    for wrong, message in (
        ([first], "strategies must be an array for each of 2 streets; got 1"),
        ([first, second[:, :1]], r"strategies\[1\] must be numbers of shape"),
        ([first * np.nan, second], r"strategies\[0\] must be finite numbers"),
        ([first, 2 * second], r"strategies\[1\]: the chances of the actions .* must sum to 1"),
    ):
        for ask in (walks.value, walks.exploitability, lambda s: walks.best_response(s, 0)):
            with pytest.raises(ValueError, match=message):
                ask(wrong)
    with pytest.raises(ValueError, match=r"player must be in 0 \.\. 1"):
        walks.best_response([first, second], 2)
    with pytest.raises(ValueError, match=r"weights\[0\] must be numbers of shape"):
        walks.normalised([first[:1], second])
    with pytest.raises(ValueError, match="strategy must be numbers of shape"):
        game.by_street(first)


def test_invalid_transition_networks_are_refused():
    tree, good = betting((2, 4), 1), any_network(3, 2)
    for wrong, message in (
        (good._replace(start=2 * good.start), "start: all chances must sum to 1"),
        (good._replace(start=good.start[:2]), "start must be numbers of shape"),
        (good._replace(steps=()), r"outcome must be numbers|steps must be 1 arrays"),
        (good._replace(steps=(good.steps[0][:, :2],)), r"steps\[0\] must be numbers of shape"),
        (good._replace(steps=(-good.steps[0],)), r"steps\[0\] must be finite numbers of at least"),
        (good._replace(outcome=3 * good.outcome), r"outcome must be finite numbers in -1 \.\. 1"),
    ):
        with pytest.raises(ValueError, match=message):
            BucketGame(tree, wrong)
