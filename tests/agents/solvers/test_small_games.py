"""Small games have known values: of the game, of best answers, and of every iteration."""

import numpy as np
import pytest

from agents import solvers
from agents.exploitability import local_best_response
from agents.solvers import (
    GameTables,
    Subgame,
    kuhn,
    leduc,
    no_limit_leduc,
    small_game_aivat,
    solve,
    state_values,
)
from agents.solvers.public_tree import CHANCE, DECISION, FOLDED, Betting, grow
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD

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


# --- tables of small games ------------------------------------------------------------------------


GAMES = {"kuhn": kuhn, "leduc": leduc, "no-limit leduc": lambda: no_limit_leduc(9, 1)}


def draw(chances, rng):
    bounds = chances.cumsum(axis=1)
    return (bounds <= rng.random((len(bounds), 1)) * bounds[:, -1:]).sum(axis=1)


@pytest.mark.parametrize("make", GAMES.values(), ids=GAMES)
def test_winnings_are_on_average_what_strategies_are_worth(make):
    """A fixed random policy, played and valued by the solver's walk."""
    game = make()
    tables = GameTables(game, 4000)
    mixing = np.random.default_rng(1).normal(size=(tables.observation_size, tables.n_actions))

    def policy(seen, masks):
        return np.exp(seen @ mixing) * masks

    rng = np.random.default_rng(2)
    turns = tables.reset(seed=3)
    won = []
    for _ in range(40):
        chances = policy(turns.observation, turns.action_mask)
        turns = tables.step(draw(chances, rng))
        assert np.allclose(turns.rewards.sum(axis=1), 0)
        assert not turns.rewards[~turns.terminated].any()
        won.append(turns.rewards[turns.terminated, 0])
    results = np.concatenate(won)
    expected = game.value(tables.strategy(policy))
    # Hands of the last steps that are long are missing: a bias of less than a twentieth.
    assert results.mean() == pytest.approx(
        expected, abs=4 * results.std() / len(results) ** 0.5 + 0.05
    )


def test_a_policy_read_from_a_solution_has_its_exploitability():
    game = leduc()
    tables = GameTables(game)
    solved = solve(game, iterations=200)
    rows = iter(
        solved.strategy[game.tree.row[node] : game.tree.row[node] + game.tree.branches[node], hand]
        for node in np.flatnonzero(game.tree.kind == 0)
        for hand in range(3)
    )

    def policy(seen, masks):
        chances = masks.astype(float)
        chances[masks == 1] = np.concatenate([next(rows) for _ in seen])
        return chances

    found = tables.strategy(policy)
    np.testing.assert_allclose(found, solved.strategy)
    assert game.exploitability(found) < 0.02


def test_every_information_set_has_an_observation_of_its_own():
    tables = GameTables(leduc())
    seen = []

    def policy(observations, masks):
        seen.append(observations)
        return masks

    tables.strategy(policy)
    # With each of three ranks: six decisions, then six on each of three boards after five lines.
    assert len(np.unique(seen[0], axis=0)) == len(seen[0]) == 3 * (6 + 5 * 3 * 6)


@pytest.mark.oracle
@pytest.mark.parametrize(("make", "published"), [(kuhn, 11 / 12), (leduc, 4.747222222222222)])
def test_the_uniform_policy_loses_what_open_spiel_publishes(make, published):
    """Its tests of CFR against a best response: what both responses win together."""
    tables = GameTables(make())
    uniform = tables.strategy(lambda seen, masks: masks)
    assert 2 * tables.game.exploitability(uniform) == pytest.approx(published)


def test_games_of_hold_em_and_illegal_actions_are_refused():
    with pytest.raises(ValueError, match="must be small"):
        GameTables(Subgame("AsKsQs2d7h", ("AA", "KK"), pot=10, stack=10).game())
    tables = GameTables(kuhn(), 2)
    tables.reset(seed=1)
    with pytest.raises(ValueError, match="action 0 at table 0 is not legal"):
        tables.step([0, 1])


# --- AIVAT where nothing is sampled ---------------------------------------------------------------


@pytest.fixture(scope="module")
def solved():
    game = leduc()
    return game, solve(game, method="cfr+", iterations=300).strategy


STEPS = [
    ({"cards": False, "known": ()}, 3.4986),
    ({"known": ()}, 1.4853),
    ({"known": (0,)}, 1.0672),
    ({}, 0.0),
]
"""What is taken out, and the deviation that another program finds for its own equilibrium."""


@pytest.mark.parametrize(("taken_out", "deviation"), STEPS)
def test_deviations_in_leduc_fall_with_every_aivat_variant(solved, taken_out, deviation):
    result = small_game_aivat(*solved, **taken_out)
    assert result.deviation == pytest.approx(deviation, abs=5e-4)
    assert result.mean == pytest.approx(solved[0].value(solved[1]), abs=1e-12)


@pytest.mark.parametrize("player", [0, 1])
def test_with_imagined_hands_one_known_side_nearly_suffices(solved, player):
    # Against an equilibrium all actions of the other player have the same value for a whole range.
    one_sided = small_game_aivat(*solved, known=(player,)).deviation
    assert small_game_aivat(*solved, known=(player,), imagined=player).deviation < 0.05 < one_sided


def test_imagined_hands_alone_reduce_little_variance():
    game = leduc()
    strategy = game.uniform()
    held = small_game_aivat(game, strategy, cards=False, known=(0,), values=_nothing(game))
    imagined = small_game_aivat(
        game, strategy, cards=False, known=(0,), values=_nothing(game), imagined=0
    )
    assert held.mean == pytest.approx(imagined.mean, abs=1e-12)
    assert 0.6 * held.deviation < imagined.deviation < held.deviation


def _nothing(game):
    return np.zeros_like(state_values(game, game.uniform()))


@pytest.mark.parametrize("make", [kuhn, leduc])
@pytest.mark.parametrize("options", [{}, {"imagined": 1}, {"known": (0,), "imagined": 0}])
def test_no_value_function_changes_the_mean(make, options):
    game = make()
    random = np.random.default_rng(1)
    strategy = game.normalised(random.random((game.tree.rows, int(game.cards.n_hands[0]))))
    values = random.normal(size=state_values(game, strategy).shape)
    found = small_game_aivat(game, strategy, values=values, **options)
    assert found.mean == pytest.approx(game.value(strategy), abs=1e-12)
    assert found.deviation > small_game_aivat(game, strategy, **options).deviation


def test_unsupported_games_and_arguments_are_refused():
    with pytest.raises(ValueError, match="known players"):
        small_game_aivat(kuhn(), kuhn().uniform(), known=(0,), imagined=1)
    game = Subgame("Ks7d2c9h4s", ("AA, KK", "QQ, 77"), 100, 100).game()
    with pytest.raises(ValueError, match="small games"):
        state_values(game, game.uniform())


def test_arrays_of_another_game_are_refused():
    game, other = leduc(), kuhn()
    with pytest.raises(ValueError, match="strategy must be numbers of shape"):
        state_values(game, other.uniform())
    with pytest.raises(ValueError, match="values must be numbers of shape"):
        small_game_aivat(game, game.uniform(), values=state_values(other, other.uniform()))


# --- trees of bets, counted -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("max_bets", "continuing", "folded"),
    # D. Billings, "Algorithms and Assessment in Computer Poker", 2006, section 3.4.1: of 17 and
    # 13 ways to bet through a round.
    [(4, 9, 8), (3, 7, 6)],
)
def test_a_limit_round_has_the_published_number_of_sequences(max_bets, continuing, folded):
    betting = Betting((100, 100), (2, 2), pot=4, structure=FIXED_LIMIT, max_bets=max_bets)
    tree = grow(betting, lambda board: (board + 1,))
    first = tree.street == 0
    assert (tree.kind[first] == CHANCE).sum() == continuing
    assert (tree.kind[first] == FOLDED).sum() == folded


def test_with_blinds_the_button_acts_first_and_the_big_blind_is_a_bet():
    betting = Betting((100, 100), (2, 2), blinds=(1, 2), structure=FIXED_LIMIT, max_bets=4)
    tree = grow(betting, lambda board: (board + 1,))
    assert (tree.actor[0], tree.pot[0]) == (1, 3)
    closed = np.flatnonzero((tree.kind == CHANCE) & (tree.street == 0))
    assert sorted(tree.pot[closed]) == [4, 8, 8, 12, 12, 16, 16]
    # Folding at once costs the small blind; on the flop the big blind acts first.
    assert tree.stake[1] == 1
    assert tree.actor[1] == 1
    assert (tree.actor[closed + 1] == 0).all()
    assert (tree.kind[closed + 1] == DECISION).all()


def tree_of(**given):
    """The tree from a turn on, with three rivers."""
    rules = Subgame("KsTh7s4d", ("AA", "QQ"), 100, 1000, "pot", **given).rules()
    return grow(rules, lambda board: (1, 2, 3))


def test_a_size_of_the_line_is_added_where_it_was_bet_and_nowhere_else():
    plain, tree = tree_of(), tree_of(line=(0, 33))
    bet = tree.after((0, 33))
    assert bet is not None
    assert plain.after((0, 33)) is None
    assert tree.after((33,)) is None
    assert np.flatnonzero(tree.step == 33).tolist() == [bet]
    # Apart from what follows it, the tree is the plain one.
    kept = np.ones(len(tree.kind), bool)
    kept[bet : tree.end[bet]] = False
    np.testing.assert_array_equal(tree.kind[kept], plain.kind)
    np.testing.assert_array_equal(tree.stake[kept], plain.stake)


def test_a_line_of_sizes_that_the_menu_has_changes_nothing():
    for column, of_line in zip(tree_of(), tree_of(line=(0, 100, 0, 0, 300)), strict=True):
        np.testing.assert_array_equal(column, of_line)


def test_a_line_goes_on_after_any_card():
    tree = tree_of(line=(0, 0, 0, 33))
    on_river = np.flatnonzero((tree.step == 33) & (tree.street == 1))
    assert tree.board[on_river].tolist() == [1, 2, 3]


@pytest.mark.parametrize("line", [(1001,), (100, 101), (0, 0, 1001)])
def test_an_impossible_line_is_refused(line):
    with pytest.raises(ValueError, match="line must be legal actions in turn"):
        tree_of(line=line)


def test_what_follows_the_last_card_is_the_same_for_every_card():
    tree = tree_of()
    decides = tree.kind == DECISION
    rows = np.concatenate([[0], np.cumsum(tree.branches[decides])])
    np.testing.assert_array_equal(tree.row[decides], rows[:-1])
    for node in np.flatnonzero(tree.kind == CHANCE).tolist():
        first, *others = tree.children(node)
        for i, other in enumerate(others, 1):
            here, there = (slice(child, tree.end[child]) for child in (first, other))
            for name in ("kind", "actor", "depth", "branches", "stake", "street", "pot"):
                column = getattr(tree, name)
                np.testing.assert_array_equal(column[here], column[there])
            np.testing.assert_array_equal(tree.end[here] - first, tree.end[there] - other)
            assert set(tree.board[there].tolist()) == {i + 1}
            assert (tree.branch[other], tree.step[other]) == (i, i + 1)
