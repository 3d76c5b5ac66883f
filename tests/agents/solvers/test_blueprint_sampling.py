"""What sampling learns goes to the exact equilibrium, whoever deals and wherever it stops."""

from __future__ import annotations

import numpy as np
import pytest

from agents import solvers
from agents.solvers.bet_sizes import BetSizes
from agents.solvers.blueprint.answers import AnswerSolver
from agents.solvers.blueprint.betting_tree import betting_tree
from agents.solvers.blueprint.sampling import SampledSolver, Sums
from agents.solvers.public_tree import CHANCE, DECISION, Betting
from nlhe_env.game.table import FIXED_LIMIT

RANKS, DECK = 3, 6


class LeducCards:
    """One card each and one on the board; nothing is merged but suits."""

    counts = (RANKS, RANKS * RANKS)

    def deal(self, first, deals):
        for i in range(len(deals.outcomes)):
            bits = np.random.Philox(key=first + i).random_raw(3)
            places = [int(bits[k] % (DECK - k)) for k in range(3)]
            left = list(range(DECK))
            cards = [left.pop(place) // 2 for place in places]
            strengths = []
            for player in range(2):
                own, board = cards[player], cards[2]
                deals.buckets[i, player] = (own, RANKS * own + board)
                strengths.append(own + RANKS * (own == board))
            deals.outcomes[i] = np.sign(strengths[0] - strengths[1])


def limit():
    return Betting(stacks=(13, 13), full_bets=(2, 4), ante=1, structure=FIXED_LIMIT, max_bets=2)


def no_limit():
    menu = (BetSizes.of("pot, all-in"),) * 2
    return Betting(stacks=(5, 5), full_bets=(1, 1), ante=1, bets=menu, raises=menu)


GAMES = {
    "limit": (limit, solvers.leduc),
    "no-limit": (no_limit, lambda: solvers.no_limit_leduc(5, 1)),
}


def whole_strategy(game, tree, chances):
    """Chances of buckets as ``(rows, hands)`` of the game with all its boards."""
    public = game.tree
    strategy = np.zeros((public.rows, RANKS))

    def go(node, at, board):
        if public.kind[node] == CHANCE:
            for child in public.children(node):
                go(child, at, int(public.board[child]) - 1)
            return
        here = tree.nodes[at]
        assert here["pot"] == public.pot[node]
        assert here["stake"] == public.stake[node]
        if public.kind[node] != DECISION:
            assert here["count"] == 0
            return
        count, street = int(here["count"]), int(here["street"])
        assert (count, here["actor"]) == (public.branches[node], public.actor[node])
        for own in range(RANKS):
            bucket = own if street == 0 else RANKS * own + board
            row = int(here["row"])
            first = int(public.row[node])
            strategy[first : first + count, own] = chances[street][bucket, row : row + count]
        for i, child in enumerate(public.children(node)):
            go(child, int(tree.actions[int(here["first"]) + i]["child"]), board)

    go(0, 0, -1)
    return strategy


@pytest.mark.parametrize("name", GAMES)
def test_exploitability_falls_to_that_of_the_equilibrium(name):
    rules, make_game = GAMES[name]
    game = make_game()
    tree = betting_tree(rules())
    solver = SampledSolver(tree, LeducCards(), seed=3, period=500)
    found = []
    for iterations in (300, 3_000, 30_000):
        solver.run(iterations - solver.iterations)
        strategy = whole_strategy(game, tree, solver.chances())
        found.append(game.exploitability(strategy))
    uniform = game.exploitability(game.uniform())
    assert uniform > found[0] > 2 * found[1] > 4 * found[2]
    assert found[2] < 0.04 * uniform
    assert game.value(strategy) == pytest.approx(solvers.equilibrium(game).value, abs=0.03)


def test_what_is_learned_does_not_depend_on_where_a_run_stopped():
    tree = betting_tree(limit())

    def learned(*pieces):
        solver = SampledSolver(tree, LeducCards(), seed=1, period=70)
        for piece in pieces:
            solver.run(piece)
        return solver.sums

    whole = learned(500)
    for name, sums in zip(Sums._fields, learned(1, 68, 131, 300), strict=True):
        np.testing.assert_array_equal(sums, getattr(whole, name))
    other = SampledSolver(tree, LeducCards(), seed=2, period=70)
    other.run(500)
    assert (other.sums.regrets != whole.regrets).any()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("player", [0, 1])
def test_an_answer_goes_to_the_best_response(name, player):
    """To whoever plays evenly, and stays so."""
    rules, make_game = GAMES[name]
    game, tree = make_game(), betting_tree(rules())
    even = [np.ones((n, rows)) for n, rows in zip(LeducCards.counts, tree.rows, strict=True)]
    solver = AnswerSolver(tree, LeducCards(), even, player, seed=2, period=500)
    solver.run(12_000)
    answer = whole_strategy(game, tree, solver.chances())
    stays = np.repeat(
        game.tree.actor[game.tree.kind == DECISION] != player,
        game.tree.branches[game.tree.kind == DECISION],
    )
    answer[stays] = game.uniform()[stays]
    value = game.value(answer) * (1 if player == 0 else -1)
    assert value == pytest.approx(game.best_response(game.uniform(), player), rel=0.02)


def test_hopeless_actions_are_passed_over_without_harm():
    """With a threshold that is soon reached the equilibrium is found all the same."""
    game, tree = solvers.leduc(), betting_tree(limit())
    passing = SampledSolver(tree, LeducCards(), seed=3, period=500)
    passing.hopeless /= 2
    trying = SampledSolver(tree, LeducCards(), seed=3, period=500)
    trying.hopeless = -np.inf
    found = []
    for solver in (passing, trying):
        solver.run(30_000)
        found.append(game.exploitability(whole_strategy(game, tree, solver.chances())))
    assert found[0] != found[1]  # something was passed over
    assert max(found) < 0.04 * game.exploitability(game.uniform())


def test_rows_of_a_street_are_all_used_once():
    tree = betting_tree(no_limit())
    for street, rows in enumerate(tree.rows):
        nodes = tree.nodes[(tree.nodes["street"] == street) & (tree.nodes["count"] > 0)]
        used = [int(node["row"]) + i for node in nodes for i in range(int(node["count"]))]
        assert sorted(used) == list(range(rows))
