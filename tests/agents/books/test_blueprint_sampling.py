"""Sampled training converges to the exact equilibrium, for any dealer and any interruption."""

import functools
import operator

import numpy as np
import pytest

from agents import solvers
from agents.books.blueprint.abstraction import betting_tree
from agents.books.blueprint.sampled_walk import WALKS, SampledDeals, Sums, next_unit, start_stream
from agents.books.blueprint.training import SampledSolver
from agents.solvers.bet_sizes import BetSizes
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


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_exploitability_converges_to_that_of_the_equilibrium(name):
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


def in_order(numbers):
    """Their sum as a loop adds them, which the built-in one does not do from Python 3.12 on."""
    return functools.reduce(operator.add, numbers, 0.0)


class PlainSampling:
    """The same learning as a recursion over arrays."""

    def __init__(self, tree, dealer, seed, hopeless):
        self.tree, self.dealer, self.seed, self.hopeless = tree, dealer, np.uint64(seed), hopeless
        shapes = list(zip(dealer.counts, tree.rows, strict=True))
        self.regrets = [np.zeros(shape, np.float32) for shape in shapes]
        self.totals = [np.zeros(shape) for shape in shapes]

    def iterate(self, number):
        deals = SampledDeals(np.zeros((1, 2, 2), np.uint16), np.zeros(1, np.int8))
        self.dealer.deal(number, deals)
        self.buckets, self.outcome = deals.buckets[0], int(deals.outcomes[0])
        self.state = start_stream(self.seed, WALKS, number)
        self.limit = -np.inf if number % 20 == 0 else self.hopeless
        for player in range(2):
            self.walk(0, player)

    def walk(self, at, player):
        node = self.tree.nodes[at]
        count, actor, stake = int(node["count"]), int(node["actor"]), float(node["stake"])
        if count == 0:
            first_wins = self.outcome if actor < 0 else (-1, 1)[actor]  # the folding player loses
            return stake * first_wins * (1, -1)[player]
        street, row = int(node["street"]), slice(int(node["row"]), int(node["row"]) + count)
        bucket = self.buckets[actor, street]
        regrets = self.regrets[street][bucket, row]
        positive = [max(float(regret), 0.0) for regret in regrets]
        total = in_order(positive)
        chances = [p * (1 / total) if total > 0 else 1 / count for p in positive]
        first = int(node["first"])
        children = [int(child) for child in self.tree.actions["child"][first : first + count]]
        if actor != player:
            self.totals[street][bucket, row] += chances
            self.state, left = next_unit(np.uint64(self.state))
            taken = 0
            for chance in chances:
                left -= chance
                taken += left >= 0
            return self.walk(children[min(taken, count - 1)], player)
        values = {
            a: self.walk(children[a], player)
            for a in range(count)
            if chances[a] > 0 or regrets[a] >= self.limit
        }
        value = in_order(chances[a] * values[a] for a in values)
        for a in values:
            regrets[a] += np.float32(values[a] - value)
        return value


@pytest.mark.parametrize("rules", [limit, no_limit])
def test_sampling_walks_match_a_plain_recursion(rules):
    tree = betting_tree(rules())
    solver = SampledSolver(tree, LeducCards(), seed=7)
    solver.hopeless = -15.0  # soon reached
    plain = PlainSampling(tree, LeducCards(), 7, solver.hopeless)
    solver.run(400)
    for number in range(400):
        plain.iterate(number)
    for street in range(2):
        totals, regrets = solver.street(street)
        np.testing.assert_array_equal(totals, plain.totals[street])
        np.testing.assert_array_equal(regrets, plain.regrets[street])


def test_results_do_not_depend_on_where_a_run_was_interrupted():
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


@pytest.mark.slow
def test_pruning_hopeless_actions_does_no_harm():
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


def test_every_row_of_a_street_is_used_once():
    tree = betting_tree(no_limit())
    for street, rows in enumerate(tree.rows):
        nodes = tree.nodes[(tree.nodes["street"] == street) & (tree.nodes["count"] > 0)]
        used = [int(node["row"]) + i for node in nodes for i in range(int(node["count"]))]
        assert sorted(used) == list(range(rows))
