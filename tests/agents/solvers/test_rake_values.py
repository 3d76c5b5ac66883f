"""Values of both players under a rake, against every pair of hands played out."""

import numpy as np
import pytest

from agents import solvers
from agents.solvers.public_tree import DECISION, FOLDED
from nlhe_env import Rake, evaluator, parse_cards
from nlhe_env.game.table import CHECK_OR_CALL, FOLD

RAKE = Rake(share=0.05, cap=12)
SPOT = solvers.Subgame(
    "KsTh7s4d2s", ("KK, 65s, QTs:0.5", "77, 65s, QTs"), 100, 250, "50%, pot", rake=RAKE
)


def played_out(game, strategy):
    """Mean chips of each player and mean rake, by every path of every pair of hands."""
    tree, board = game.tree, parse_cards(SPOT.board)
    hands = [SPOT.hands(player).tolist() for player in range(2)]
    strengths = [[evaluator.evaluate(np.array([[*hand, *board]]))[0] for hand in h] for h in hands]

    def outcome(node, pair, put):
        """Chips of the players and the rake from a node on, and the half pots put in so far."""
        if tree.kind[node] == DECISION:
            actor = tree.actor[node]
            mean = np.zeros(3)
            for i, child in enumerate(tree.children(node)):
                step, paid = tree.step[child], list(put)
                if step == CHECK_OR_CALL:
                    paid[actor] = max(put)
                elif step != FOLD:
                    paid[actor] = SPOT.pot / 2 + step
                chance = strategy[tree.row[node] + i, pair[actor]]
                mean += chance * outcome(child, pair, paid)
            return mean
        rake = RAKE.of(int(2 * min(put)))  # an uncalled bet returns first
        won = -np.full(2, min(put))
        first, second = strengths[0][pair[0]], strengths[1][pair[1]]
        if tree.kind[node] == FOLDED:
            winners = [1 - tree.actor[node]]
        else:
            winners = [0, 1] if first == second else [int(first < second)]
        won[winners] += (2 * min(put) - rake) / len(winners)
        return np.array([*won, rake])

    total, weight = np.zeros(3), 0.0
    weights = game.cards.weights
    for i, own in enumerate(hands[0]):
        for j, other in enumerate(hands[1]):
            if not set(own) & set(other):
                likely = weights[0, i] * weights[1, j]
                total += likely * outcome(0, (i, j), [SPOT.pot / 2] * 2)
                weight += likely
    return total / weight


def test_values_of_both_players_are_those_of_all_hands_played_out():
    game = SPOT.game()
    strategy = game.normalised(np.random.default_rng(3).random(game.shape) ** 3)
    solution = solvers.Solution(game, strategy, 0)
    first, second, rake = played_out(game, solution.strategy.astype(float))
    assert 5 < rake < 12  # some pots pay the cap and some do not
    assert solution.values == pytest.approx((first, second), abs=1e-3)
    assert sum(solution.values) == pytest.approx(-rake, abs=1e-3)
    assert solution.value == solution.values[0] == game.value(strategy)
    assert game.value(strategy, 1) == solution.values[1]


def test_action_values_of_the_second_player_average_to_its_value():
    """Player 0 always checks, so that all of player 1's value comes after the check."""
    game = SPOT.game()
    uniform = game.uniform()
    checks = np.zeros_like(uniform[: game.tree.branches[0]])
    checks[0] = 1
    uniform[: len(checks)] = checks
    solution = solvers.Solution(game, uniform, 0)
    after = solution.at("check")
    per_hand = (after.chances * after.values).sum(axis=0)
    mean = after.weights @ per_hand / after.weights.sum()
    assert mean == pytest.approx(solution.values[1], abs=1e-3)


def test_without_a_rake_values_sum_to_zero():
    game = solvers.Subgame(SPOT.board, SPOT.ranges, 100, 250, "pot").game()
    values = solvers.Solution(game, game.uniform(), 0).values
    assert sum(values) == pytest.approx(0, abs=1e-3)
    assert abs(values[0]) > 0.1
