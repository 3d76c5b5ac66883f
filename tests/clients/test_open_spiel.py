"""Exploitability of random strategies beside OpenSpiel's.

pip install open_spiel
"""

import numpy as np
import pytest
from client_libraries import need

need("pyspiel", "open_spiel.python.algorithms.exploitability")

import pyspiel
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import tabular_policy_from_callable

from agents.solvers import GameTables, kuhn, leduc

pytestmark = pytest.mark.oracle

FOLD, CALL, RAISE = range(3)
NO_BOARD = -1


def chances(seed, rank, board, actions):
    """``(3,)`` weights of fold, call and raise in an information set."""
    return np.random.default_rng([seed, rank, board + 1, *actions]).random(3)


def kuhn_decision(state):
    """Rank, board and actions so far of a decision in OpenSpiel's Kuhn poker, and its ids."""
    cards, bets = state.history()[:2], state.history()[2:]
    actions = [(RAISE if bet else CALL) for bet in bets]
    ids = {0: FOLD, 1: CALL} if RAISE in actions else {0: CALL, 1: RAISE}
    return cards[state.current_player()], NO_BOARD, actions, ids


def leduc_decision(state):
    """The same in Leduc poker, which has two cards of each rank."""
    path = state.full_history()
    dealt = [step.action for step in path if step.player < 0]
    actions = [step.action for step in path if step.player >= 0]
    board = dealt[2] // 2 if len(dealt) > 2 else NO_BOARD
    ids = {action: action for action in state.legal_actions()}
    return dealt[state.current_player()] // 2, board, actions, ids


def theirs(name, decision, seed):
    def policy(state):
        rank, board, actions, ids = decision(state)
        weights = chances(seed, rank, board, actions)
        legal = {action: weights[ids[action]] for action in state.legal_actions()}
        total = sum(legal.values())
        return {action: weight / total for action, weight in legal.items()}

    game = pyspiel.load_game(name)
    return exploitability.exploitability(game, tabular_policy_from_callable(game, policy))


def ours(game, seed):
    tables = GameTables(game)
    n_hands = tables.observation_size - tables.public_size

    def policy(seen, masks):
        return np.array([weights_of(row) for row in seen])

    def weights_of(row):
        rank, public = int(row[:n_hands].argmax()), row[n_hands + 2 :]
        n_boards = 1 + (n_hands if game.tree.board.max() else 0)
        path = public[n_boards:].reshape(-1, tables.n_actions)
        actions = [int(step.argmax()) for step in path if step.any()]
        return chances(seed, rank, int(public[:n_boards].argmax()) - 1, actions)

    return game.exploitability(tables.strategy(policy))


@pytest.mark.parametrize(
    ("name", "decision", "make"),
    [("kuhn_poker", kuhn_decision, kuhn), ("leduc_poker", leduc_decision, leduc)],
)
def test_random_strategies_are_as_exploitable_as_open_spiel_finds_them(name, decision, make):
    found = [ours(make(), seed) for seed in range(5)]
    assert found == pytest.approx([theirs(name, decision, seed) for seed in range(5)], abs=1e-12)
    assert len(set(found)) == 5
