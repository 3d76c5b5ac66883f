"""Hold'em from the turn and the river on, against the same games written out hand by hand."""

import numpy as np
import pytest

from agents import solvers
from agents.solvers.cards import written_out
from agents.solvers.public_tree import DECISION, grow
from nlhe_env import Range, evaluator, parse_cards

RIVER = "KsTh7s4d2s"
TURN = "KsTh7s4d"


def written(subgame: solvers.Subgame) -> solvers.PublicGame:
    """A subgame with the chance of every pair of hands and board written out."""
    first = parse_cards(subgame.board)
    rivers = [first] if len(first) == 5 else [(*first, c) for c in range(52) if c not in first]
    hands = sorted({tuple(hand) for player in range(2) for hand in subgame.hands(player).tolist()})
    weights = np.zeros((2, len(hands)))
    for player, text in enumerate(subgame.ranges):
        held = Range.parse(text)
        for hand, weight in zip(held.combos.tolist(), held.weights, strict=True):
            if tuple(hand) in hands:
                weights[player, hands.index(tuple(hand))] = weight
    chances = np.zeros((len(rivers), len(hands), len(hands)))
    strengths = np.zeros((len(rivers), len(hands)), np.int64)
    for b, river in enumerate(rivers):
        for i, own in enumerate(hands):
            if not set(own) & set(river):
                strengths[b, i] = evaluator.evaluate(np.array([[*own, *river]]))[0]
            for j, other in enumerate(hands):
                apart = len({*own, *other, *river}) == 9
                chances[b, i, j] = weights[0, i] * weights[1, j] * apart
    chances /= chances.sum()
    if len(first) == 5:
        return solvers.PublicGame(
            grow(subgame.rules(), lambda board: ()), written_out(chances, strengths), np.float64
        )
    before = chances.sum(axis=0)[np.newaxis]
    cards = written_out(
        np.concatenate([before, chances]),
        np.concatenate([np.zeros((1, len(hands)), np.int64), strengths]),
    )
    tree = grow(subgame.rules(), lambda board: range(1, len(rivers) + 1))
    return solvers.PublicGame(tree, cards, np.float64)


def of_written(subgame, game, strategy):
    """The columns of a strategy of all hands, as the subgame orders its hands."""
    hands = sorted({tuple(hand) for player in range(2) for hand in subgame.hands(player).tolist()})
    taken = np.zeros((game.tree.rows, int(game.cards.n_hands.max())), np.float32)
    for node in np.flatnonzero(game.tree.kind == DECISION):
        player = int(game.tree.actor[node])
        columns = [hands.index(tuple(hand)) for hand in subgame.hands(player).tolist()]
        rows = slice(game.tree.row[node], game.tree.row[node] + game.tree.branches[node])
        taken[rows, : len(columns)] = strategy[rows][:, columns]
    return taken


SPOTS = [
    solvers.Subgame(
        RIVER, ("KK, QTs:0.5, AcKd, 65s", "77, AJo:0.25, Ts9s, 65s"), 100, 250, "pot, all-in"
    ),
    solvers.Subgame(RIVER, ("QQ, 72o", "QQ, A3s, KQs"), 60, (90, 40), "50%", "2.5x, all-in"),
    solvers.Subgame(RIVER, ("AA, 22", "KQo, 54s"), 12, 100, big_blind=2, betting="fixed-limit"),
    solvers.Subgame(TURN, ("KK, QJs, 65s:0.5", "TT, AsJs, QJs"), 40, 100, "pot"),
    solvers.Subgame(
        TURN, ("AKo:0.1, 76s", "Ts9s, 76s"), 12, 60, big_blind=2, betting="fixed-limit"
    ),
]


@pytest.mark.parametrize("subgame", SPOTS)
def test_strategies_are_worth_what_they_are_hand_by_hand(subgame):
    game, exact = subgame.game(), written(subgame)
    rng = np.random.default_rng(5)
    for _ in range(3):
        strategy = exact.normalised(
            rng.random((exact.tree.rows, int(exact.cards.n_hands.max()))) ** 4
        )
        same = of_written(subgame, game, strategy)
        scale = subgame.pot
        assert game.value(same) == pytest.approx(exact.value(strategy), abs=1e-5 * scale)
        for player in range(2):
            best = exact.best_response(strategy, player)
            assert game.best_response(same, player) == pytest.approx(best, abs=1e-5 * scale)


@pytest.mark.parametrize("subgame", [SPOTS[0], SPOTS[2], SPOTS[3]])
def test_the_value_is_that_of_the_linear_program(subgame):
    exact = solvers.equilibrium(written(subgame)).value
    found = solvers.solve(subgame.game(), iterations=2000)
    assert found.exploitability < 0.002 * subgame.pot
    assert found.value == pytest.approx(exact, abs=2 * found.exploitability + 1e-4)


def test_threads_do_not_change_a_bit():
    one, two = (
        solvers.solve(SPOTS[3].game(), iterations=30, threads=threads).strategy
        for threads in (1, 2)
    )
    np.testing.assert_array_equal(one, two)


def test_the_trees_of_the_published_benchmark_have_its_sizes():
    for bets, decisions, actions, terminals in (
        ("pot, all-in", 12, 32, 21),
        ("50%, pot, all-in", 60, 176, 117),
    ):
        tree = solvers.Subgame(RIVER, ("AA", "KK"), 1000, 9500, bets).game().tree
        kinds = tree.kind == DECISION
        assert (kinds.sum(), tree.rows, (~kinds).sum()) == (decisions, actions, terminals)


@pytest.mark.parametrize("subgame", SPOTS)
def test_the_size_is_known_before_the_tree_grows(subgame):
    size, tree = subgame.size(), subgame.game().tree
    assert (size.nodes, size.actions) == (len(tree.kind), tree.rows)


def test_the_nuts_never_fold_and_nobody_bluffs_who_cannot():
    solution = solvers.solve(SPOTS[0].game(), iterations=500)
    facing = solution.at(100)
    names = SPOTS[0].hand_names(1)
    straight_flush = [i for i, name in enumerate(names) if name == "Ts9s"]
    assert facing.actions[0] == "fold"
    assert facing.chances[0, straight_flush] == pytest.approx(0, abs=0.02)
    assert (facing.values[0] == pytest.approx(-50)) or np.isnan(facing.values[0]).any()


def test_the_values_of_actions_come_to_the_value_of_the_game():
    subgame = SPOTS[3]
    game = subgame.game()
    solution = solvers.solve(game, iterations=200)
    opening = solution.at()
    weights = opening.reach * game.met(0)
    per_hand = (opening.chances * opening.values).sum(axis=0)
    assert weights @ per_hand / weights.sum() == pytest.approx(solution.value, abs=1e-4)
    river = solution.at("check", "check", "2h")
    assert river.player == 0
    assert not np.isfinite(
        river.values[:, [("2h" in name) for name in subgame.hand_names(0)]]
    ).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"board": "KsTh"}, "board must be 3, 4 or 5 cards"),
        ({"ranges": ("AA", "KsKh, TT:0")}, r"ranges\[1\] is impossible"),
        ({"ranges": ("AA",)}, "ranges must be two"),
        ({"pot": 0}, "pot must be"),
        ({"stack": 0}, "stack must be"),
        ({"bets": "huge"}, "bet sizes must be"),
        ({"betting": "spread"}, "betting must be one of"),
        ({"bets": ""}, "bets must name at least one size"),
        ({"ranges": ("AsAh", "AsQs")}, "ranges can never meet"),
    ],
)
def test_wrong_arguments_are_named(change, message):
    good = {"board": RIVER, "ranges": ("AA", "QQ"), "pot": 10, "stack": 10}
    with pytest.raises(ValueError, match=message):
        solvers.Subgame(**good | change)


def test_what_is_too_large_says_how_large():
    with pytest.raises(ValueError, match=r"too large: [\d,]+ nodes.* MiB.*fewer bet sizes"):
        solvers.Subgame("KsTh7s", ("*", "*"), 10, 100, "50%, pot").game()
    with pytest.raises(ValueError, match="too large: more than 100,000 nodes"):
        solvers.Subgame("KsTh7s", ("*", "*"), 10, 1000, "every").game()
