"""Small games have known values: of the game, of best answers, and of every iteration."""

import numpy as np
import pytest

from agents import solvers
from agents.exploitability import local_best_response
from agents.solvers.public_tree import DECISION
from nlhe_env.game.table import CHECK_OR_CALL, FOLD

RIVER = solvers.Subgame("KsTh7s4d2s", ("AA, 65s", "QQ, KJ"), 100, 250)
TURN = solvers.Subgame("KsTh7s4d", ("AA, 65s", "QQ"), 100, 100, "pot")

NO_LIMIT = [
    # stack, ante, sizes, value, NashConv of the uniform strategies
    (300, 100, "pot, all-in", -2.298851, 80.8333),
    (300, 100, "50%, pot, all-in", -2.139918, 125.9259),
    (500, 100, "pot, all-in", -7.553538, 189.8148),
    # OpenSpiel leaves out half a pot where a whole one would be all-in: -7.989920 and 191.3542.
    (500, 100, "50%, pot, all-in", -8.0270907, 211.70718),
    (1200, 100, "pot, all-in", -6.556422, 445.4630),
    (1200, 100, "50%, pot, all-in", -7.113485, 467.5625),
    (3, 1, "every", -0.0213992, 1.259259),
    (4, 1, "every", -0.0442010, 1.873611),
    (5, 1, "every", -0.0804173, 2.578283),
    (6, 1, "every", -0.0833270, 3.329191),
]


def always(game, *wishes):
    """The strategies that take the first of these steps that there is; -2 is the largest raise."""
    tree = game.tree
    weights = np.zeros((tree.rows, int(game.cards.n_hands.max())))
    for node in np.flatnonzero(tree.kind == DECISION):
        steps = [int(tree.step[child]) for child in tree.children(int(node))]
        wanted = [max(steps) if wish == -2 and max(steps) > 0 else wish for wish in wishes]
        taken = next(step for step in wanted if step in steps)
        weights[tree.row[node] + steps.index(taken)] = 1
    return weights


def test_the_value_of_kuhn_is_minus_one_eighteenth():
    game = solvers.kuhn()
    found = solvers.equilibrium(game)
    assert found.value == pytest.approx(-1 / 18, abs=1e-12)
    assert game.exploitability(found.strategy) == pytest.approx(0, abs=1e-12)
    assert 2 * game.exploitability(game.uniform()) == pytest.approx(0.9166667, abs=1e-7)


@pytest.mark.parametrize("player", [0, 1])
def test_best_responses_in_kuhn(player):
    game = solvers.kuhn()
    passing = always(game, FOLD, CHECK_OR_CALL)
    betting = always(game, -2, CHECK_OR_CALL)
    assert game.best_response(passing, player) == pytest.approx(1)
    assert game.best_response(betting, player) == pytest.approx(1 / 3)


def test_leduc_has_the_published_value_and_sizes():
    game = solvers.leduc()
    found = solvers.equilibrium(game)
    assert found.value == pytest.approx(-0.085606424078, abs=1e-11)
    assert game.exploitability(found.strategy) == pytest.approx(0, abs=1e-11)
    assert 2 * game.exploitability(game.uniform()) == pytest.approx(4.7472222, abs=1e-7)
    decisions = game.tree.kind == DECISION
    assert 3 * decisions.sum() == 288  # information sets with suits merged


@pytest.mark.parametrize("player", [0, 1])
def test_best_responses_in_leduc(player):
    game = solvers.leduc()
    calling = always(game, CHECK_OR_CALL)
    raising = always(game, -2, CHECK_OR_CALL)
    folding = always(game, FOLD, CHECK_OR_CALL)
    assert game.best_response(calling, player) == pytest.approx(1.4666667, abs=1e-7)
    assert game.best_response(raising, player) == pytest.approx(2.3666667, abs=1e-7)
    assert game.best_response(folding, player) == pytest.approx(1)


@pytest.mark.parametrize(
    ("game", "method", "at"),
    [
        (solvers.kuhn, "cfr", {10: 0.0687, 100: 0.00823, 1000: 0.000938}),
        (solvers.kuhn, "cfr+", {10: 0.0327, 100: 0.001194, 1000: 8.74e-5}),
        (solvers.leduc, "cfr", {10: 0.8886, 100: 0.09572, 300: 0.03552}),
        # Later on, rounding decides which regrets are exactly 0: 0.0023187 and 0.0022903 after 300.
        (solvers.leduc, "cfr+", {10: 0.6104, 100: 0.013415995}),
    ],
)
def test_exploitability_falls_as_in_openspiel(game, method, at):
    game = game()
    solver = solvers.Solver(game, method)
    for iterations, expected in at.items():
        solver.run(iterations - solver.iterations)
        digits = len(f"{expected:.10g}".lstrip("0.").replace("e-05", "").replace(".", ""))
        found = game.exploitability(solver.strategy)
        assert float(f"{found:.{digits}g}") == expected


@pytest.mark.parametrize(("stack", "ante", "sizes", "value", "nash_conv"), NO_LIMIT)
def test_no_limit_leduc_has_its_exact_values(stack, ante, sizes, value, nash_conv):
    game = solvers.no_limit_leduc(stack, ante, sizes)
    found = solvers.equilibrium(game)
    assert found.value == pytest.approx(value, rel=1e-6, abs=6e-8)
    assert game.exploitability(found.strategy) == pytest.approx(0, abs=1e-9)
    assert 2 * game.exploitability(game.uniform()) == pytest.approx(nash_conv, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["cfr+", "discounted"])
def test_all_methods_converge_to_the_linear_program_value(method):
    game = solvers.no_limit_leduc(500, 100, "50%, pot, all-in", ranks=4, suits=3)
    exact = solvers.equilibrium(game).value
    found = solvers.solve(game, method=method, iterations=5_000)
    assert found.exploitability < 5e-2
    assert found.value == pytest.approx(exact, abs=found.exploitability * 2)


def test_a_solution_lists_the_strategy_of_every_decision():
    game = solvers.kuhn()
    solution = solvers.solve(game, method="cfr+", iterations=20_000)
    opening = solution.at()
    assert (opening.player, opening.actions) == (0, ("check", "bet 1"))
    bluff, never, value_bet = opening.chances[1]
    assert never == pytest.approx(0, abs=0.01)
    assert value_bet == pytest.approx(3 * bluff, abs=0.02)  # H. W. Kuhn's family of equilibria
    facing = solution.at("bet 1")
    assert facing.actions == ("fold", "call")
    np.testing.assert_allclose(facing.chances[1], [0, 1 / 3, 1], atol=0.01)
    np.testing.assert_allclose(facing.values[0], -1)
    assert facing.values[1, 2] == pytest.approx(2)
    assert facing.frequencies.sum() == pytest.approx(1)


def test_invalid_arguments_are_named():
    with pytest.raises(ValueError, match=r'method must be one of .*"cfr\+"'):
        solvers.Solver(solvers.kuhn(), "cfr++")
    with pytest.raises(ValueError, match='sizes must be "50%"'):
        solvers.no_limit_leduc(300, 100, "half")
    with pytest.raises(ValueError, match=r"steps\[0\] must be one of check, bet 1"):
        solvers.solve(solvers.kuhn(), iterations=1).at("call")
    with pytest.raises(ValueError, match="the hand is over"):
        solvers.solve(solvers.kuhn(), iterations=1).at("check", "check")
    with pytest.raises(ValueError, match="iterations must be"):
        solvers.solve(solvers.kuhn(), iterations=0)


WRONG_STRATEGIES = [
    (lambda s: s[:0], "strategy must be numbers of shape"),
    (lambda s: s[:-1], "strategy must be numbers of shape"),
    (lambda s: s[:, :-1], "strategy must be numbers of shape"),
    (lambda s: s[0], "strategy must be numbers of shape"),
    (lambda s: s.astype(str), "strategy must be numbers of shape"),
    (lambda s: s * np.nan, "strategy must be finite numbers of at least 0; got nan"),
    (lambda s: np.ones_like(s), "the chances of the actions at a decision must sum to 1"),
    (lambda s: s * 0, "the chances of the actions at a decision must sum to 1"),
    (lambda s: s - 2 * s[0], "strategy must be finite numbers of at least 0; got -"),
]


@pytest.mark.parametrize("game", [solvers.kuhn(), RIVER.game()])
@pytest.mark.parametrize(("change", "message"), WRONG_STRATEGIES)
def test_every_evaluation_refuses_invalid_strategies(game, change, message):
    wrong = change(game.uniform())
    for ask in (
        game.value,
        game.exploitability,
        lambda strategy: game.best_response(strategy, 1),
        lambda strategy: game.values(strategy, 0, 1),
        lambda strategy: local_best_response(game, strategy, 0),
        lambda strategy: solvers.Solution(game, strategy, 1),
    ):
        with pytest.raises(ValueError, match=message):
            ask(wrong)


def test_other_array_types_of_a_strategy_give_the_same_value():
    game = solvers.leduc()
    strategy = solvers.solve(game, iterations=20).strategy
    expected = game.value(strategy)
    for same in (strategy.tolist(), np.asfortranarray(strategy), strategy.astype(">f8")):
        assert game.value(same) == expected
    assert game.value(strategy.astype(np.float32)) == pytest.approx(expected, abs=1e-6)


def test_invalid_player_indices_are_refused():
    game = solvers.kuhn()
    for ask in (
        lambda: game.best_response(game.uniform(), 2),
        lambda: game.met(-1),
        lambda: local_best_response(game, game.uniform(), 2),
    ):
        with pytest.raises(ValueError, match=r"player must be in 0 \.\. 1"):
            ask()
    with pytest.raises(ValueError, match=r"mode must be in 1 \.\. 2"):
        game.values(game.uniform(), 0, 0)


def test_negative_action_weights_are_refused():
    game = solvers.kuhn()
    with pytest.raises(ValueError, match="weights must be finite numbers of at least 0"):
        game.normalised(-game.uniform())
    with pytest.raises(ValueError, match="weights must be numbers of shape"):
        game.normalised(game.uniform()[:3])


def test_leduc_sizes_need_a_first_bet():
    with pytest.raises(ValueError, match="sizes must name at least one size for a first bet"):
        solvers.no_limit_leduc(300, 100, "2x")


@pytest.mark.parametrize("game", [solvers.leduc, RIVER.game, TURN.game])
def test_exploitability_of_a_solver_makes_no_copy(game):
    solver = solvers.Solver(game())
    solver.run(20)
    known = solver.game.exploitability(solver.strategy)
    assert solver.exploitability() == pytest.approx(known, rel=1e-4)
