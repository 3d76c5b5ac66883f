"""Estimates of ASHE 2.2 and 2.3 at a search node: the opponent's action and the winner.

Source: Li (PhD thesis, University of Texas at Austin, 2018), sections 7.2 and 8.2. After future
boards the estimators see means over the boards on the node's path.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.policy.view import Parameters, View
from agents.theses.li import boards as of_boards
from agents.theses.li.betting_transitions import BOARD_COMES, OWN, possible_moves
from agents.theses.li.boards import LOOK
from agents.theses.li.estimators import chance_of, make_distribution, read_estimator
from agents.theses.li.event_handler import scratch_layout, step_opponent
from agents.theses.li.features import N_LOOK, write_tree_features
from agents.theses.li.one_step import utility_of_raise
from agents.theses.li.search_nodes import SearchNodes, state_of, tree_nodes_of
from agents.theses.li.shape import (
    BLOCKS,
    CELL,
    LEVEL,
    N_ANSWERS,
    OPPONENT,
    PRIVILEGED,
    RANGED,
    SHOWDOWN,
)
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.evaluator import rank_set
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel


class Ahead(NamedTuple):
    """State of the look-ahead search."""

    parameters: Parameters
    memory: F32
    default: F32
    """The default trees."""
    scene: View
    boards: F32
    n_boards: Int
    nodes: SearchNodes
    states: F32
    """States of both estimators, by depth."""
    stack: Float
    """Effective stack in chips."""
    won: Float
    """Actual showdown result, used only at level ``PRIVILEGED``."""


@kernel
def see(ahead: Ahead, i: Int, before: F32, states: F32) -> None:
    """Step the opponent estimator at a search node, from ``before`` to ``states``."""
    nodes, sizes, table = ahead.nodes, ahead.parameters.traits.sizes, ahead.scene.table
    spot, place = state_of(nodes, i), tree_nodes_of(nodes, i)
    scratch, scratch_at = ahead.scene.scratch, scratch_layout(sizes)
    path = nodes[i].path
    for j in range(len(states)):
        states[j] = before[j]
    node_features, other = (
        scratch[scratch_at.node_features : scratch_at.other],
        scratch[scratch_at.other : scratch_at.wins],
    )
    write_tree_features(
        sizes, ahead.memory, ahead.default, place, spot.street, node_features, other
    )
    for k in range(N_LOOK):
        what = LOOK + N_LOOK * spot.street + k
        scratch[scratch_at.look + k] = np.float32(
            of_boards.mean_of_boards(ahead.boards, ahead.n_boards, spot.street, path, what)
        )
    stack = np.float64(table.starting_stack[table.actor])
    own, opponent = spot.own / stack, spot.opponent / stack
    step_opponent(ahead.parameters, scratch, spot.street, own, opponent, states)


@kernel
def write_chances(ahead: Ahead, states: F32, possible: Int) -> None:
    """Write the opponent's action probabilities to the answers in the scratch."""
    scratch, scratch_at = ahead.scene.scratch, scratch_layout(ahead.parameters.traits.sizes)
    answers = scratch[scratch_at.answers : scratch_at.answers + N_ANSWERS]
    read_estimator(ahead.parameters, OPPONENT, states, scratch[scratch_at.hidden :], answers)
    make_distribution(answers, possible)


@kernel
def win_at(ahead: Ahead, states: F32, street: Int, path: Int) -> Float:
    """Probability of winning the showdown, given the states of the estimators."""
    sizes, scratch = ahead.parameters.traits.sizes, ahead.scene.scratch
    if sizes[LEVEL] == PRIVILEGED:
        return ahead.won
    scratch_at = scratch_layout(sizes)
    answers = scratch[scratch_at.answers : scratch_at.answers + N_ANSWERS]
    read_estimator(ahead.parameters, SHOWDOWN, states, scratch[scratch_at.hidden :], answers)
    if sizes[LEVEL] < RANGED:
        return chance_of(answers[0])
    make_distribution(answers, (1 << N_ANSWERS) - 1)
    return of_boards.win_against_ranges(ahead.boards, ahead.n_boards, street, path, answers)


@kernel
def value_now(ahead: Ahead, i: Int, depth: Int) -> Float:
    """Value of a search node by the rule of 2.0, with its parent's win probability."""
    sizes = ahead.parameters.traits.sizes
    spot, win = state_of(ahead.nodes, i), np.float64(ahead.nodes[i].win)
    shown = (2.0 * win - 1.0) * max(spot.own, spot.opponent)
    if spot.turn == OWN:
        return max(shown, -spot.own) if spot.opponent > spot.own else shown
    if spot.turn == BOARD_COMES or spot.own <= spot.opponent:
        return shown
    n_states = 4 * sizes[BLOCKS] * sizes[CELL]
    scratch_at = scratch_layout(sizes)
    states = ahead.scene.scratch[scratch_at.states : scratch_at.remaining]
    see(ahead, i, ahead.states[(depth - 1) * n_states : depth * n_states], states)
    write_chances(ahead, states, possible_moves(spot, ahead.stack, ahead.scene.table.big_blind))
    folds = np.float64(ahead.scene.scratch[scratch_at.answers])
    return utility_of_raise(win, folds, spot.opponent, spot.own)


@kernel
def true_result(table: TableRecord, seat: Int, other: Int) -> Float:
    """Showdown result of a seat on the final board: 0, one half for a tie, or 1."""
    board = board_set(table.cards[2 * table.seats : 2 * table.seats + 5], 5)
    hole_0, hole_1 = hole_cards(table, seat)
    own = rank_set(board | card_bit(hole_0) | card_bit(hole_1))
    hole_0, hole_1 = hole_cards(table, other)
    rank = rank_set(board | card_bit(hole_0) | card_bit(hole_1))
    return 1.0 if own > rank else (0.5 if own == rank else 0.0)
