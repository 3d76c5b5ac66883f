"""Games of buckets, against the same games as linear programs and hand by hand."""

from itertools import pairwise

import numpy as np
import pytest

from agents import solvers
from agents.solvers.public_tree import CHANCE, DECISION, SHOWDOWN, Betting, grow
from agents.solvers.regret_minimisation import Solver
from agents.solvers.sequence_form import best_plans
from agents.theses.billings.pseudo_optimal import hands, models
from agents.theses.billings.pseudo_optimal.abstractions import (
    MERGED_BETS,
    AfterFlop,
    compare_forms,
    flop_differences,
)
from agents.theses.billings.pseudo_optimal.bucket_game import (
    BucketGame,
    BucketSolver,
    BucketWalks,
    Network,
    next_street,
)
from agents.theses.billings.pseudo_optimal.iterated_roll_outs import (
    NEAR_THRESHOLD,
    RollOuts,
    action_values,
    compare,
    roll_out_repeatedly,
)
from agents.theses.billings.pseudo_optimal.models import (
    SMALL_BET,
    Lines,
    after_flop,
    before_turn_ends,
    preflop_holdem,
)
from agents.theses.billings.pseudo_optimal.sizes import Sizes
from nlhe_env.assessment.income_rates import class_names
from nlhe_env.equity import load_tables
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT


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


# --- rejected abstractions of betting -------------------------------------------------------------


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


# --- iterated roll-outs against the equilibrium ---------------------------------------------------


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
