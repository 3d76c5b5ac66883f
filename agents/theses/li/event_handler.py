"""Event handler of ASHE 2: updates the trees and the estimators."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.players.networks.lstm_blocks import count_module_scratch
from agents.policy.events import ACTED, HAND_BEGINS, HAND_ENDS, SESSION_BEGINS, EventRecord
from agents.policy.spots import equity_of
from agents.policy.view import Parameters, View
from agents.theses.li import tree
from agents.theses.li.estimators import reset_estimators, step_estimator
from agents.theses.li.features import (
    N_LOOK,
    N_NODE_FEATURES,
    present_place,
    write_look,
    write_opponent_inputs,
    write_showdown_inputs,
    write_tree_features,
)
from agents.theses.li.shape import (
    BLOCKS,
    CELL,
    DEFAULT_NODES,
    HIDDEN,
    LEVEL,
    N_ACTION_INPUTS,
    N_ANSWERS,
    N_INPUTS,
    NODES,
    OPPONENT,
    SHOWDOWN,
    TEXTURED,
    ModelShape,
    default_begin,
    shape_of,
)
from nlhe_env.assessment.texture_kernels import TEXTURES, nearest_cluster, write_features
from nlhe_env.game.table import FOLDED, NO_PLAYER, TableRecord
from nlhe_env.jit.array_types import F32, I64, AnyArray, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer

_textures_at = record_pointer(TEXTURES)


class Scratch(NamedTuple):
    """Offsets of the parts of the scratch; each part ends where the next begins."""

    node_features: int
    other: int
    wins: int
    """Inputs of the showdown estimator."""
    acts: int
    """Inputs of the opponent estimator."""
    look: int
    answers: int
    hidden: int
    module: int
    states: int
    """A copy of the states of both estimators."""
    remaining: int


def count_scratch_numbers(shape: ModelShape) -> int:
    """Length of the scratch up to ``Scratch.remaining``."""
    small = 2 * N_NODE_FEATURES + N_INPUTS + N_ACTION_INPUTS + N_LOOK + N_ANSWERS
    states = 4 * shape.blocks * shape.cell
    return small + shape.hidden + count_module_scratch(shape.blocks, shape.cell) + states


def count_memory(sizes: I64) -> int:
    """Length of the memory: the trees, then the states of the opponent and showdown estimators."""
    shape = shape_of(sizes)
    return tree.count_numbers(shape.nodes) + 4 * shape.blocks * shape.cell


@kernel
def scratch_layout(sizes: I64) -> Scratch:
    """Layout of a player's scratch."""
    other = N_NODE_FEATURES
    wins = other + N_NODE_FEATURES
    acts = wins + N_INPUTS
    look = acts + N_ACTION_INPUTS
    answers = look + N_LOOK
    hidden = answers + N_ANSWERS
    module = hidden + sizes[HIDDEN]
    states = module + 4 * sizes[CELL] * (sizes[BLOCKS] + 1)
    remaining = states + 4 * sizes[BLOCKS] * sizes[CELL]
    return Scratch(0, other, wins, acts, look, answers, hidden, module, states, remaining)


@kernel
def states_begin(sizes: I64) -> Int:
    """Offset of the current states of both estimators in the memory."""
    return tree.HEAD + sizes[NODES] * tree.NODE


@kernel
def opponent_of(table: TableRecord, seat: Int) -> Int:
    """Seat of the opponent, heads-up."""
    for other in range(table.seats):
        if other != seat and table.player[other] >= 0:
            return other
    return NO_PLAYER


@kernel
def cluster_of(board: AnyArray, n_board: Int, book: Int, features: F32) -> Int:
    """Cluster of a board; ``features`` is ``(3,)`` scratch."""
    textures = _textures_at(book)
    write_features(board, n_board, textures, features)
    return nearest_cluster(features, n_board, textures)


@kernel
def ashe_on_session_event(
    parameters: Parameters, memory: F32, view: View, event: EventRecord
) -> None:
    """Event handler: follow the hand, step the estimators, update the trees after the hand."""
    sizes = parameters.traits.sizes
    default = memory[0:]
    if sizes[DEFAULT_NODES] > 0:
        default = parameters.weights[default_begin(sizes) :]
    table, seat = view.table, view.seat
    opponent = opponent_of(table, seat)
    what = event.what
    if what == SESSION_BEGINS:
        tree.clear_trees(memory)
    elif what == HAND_BEGINS:
        tree.begin_path(memory, seat == table.button)
        reset_estimators(parameters, memory[states_begin(sizes) :])
        _step(parameters, memory, default, view)
    elif what == ACTED:
        if event.seat != seat:
            tree.note_answer(memory, event)
        if table.actor != NO_PLAYER:
            label = tree.label_of(event, event.seat == seat, table.stack[event.seat] == 0)
            _go_on(sizes, memory, default, label)
            if table.street != event.street and sizes[LEVEL] >= TEXTURED:
                board = table.cards[2 * table.seats : 2 * table.seats + 5]
                features = view.scratch[:N_LOOK]
                cluster = cluster_of(board, table.board_cards, parameters.traits.book, features)
                _go_on(sizes, memory, default, tree.FIRST_BOARD + cluster)
            _step(parameters, memory, default, view)
    elif what == HAND_ENDS:
        shown = table.showdown == 1 and table.shown[opponent] == 1
        strength: Float = 0.0
        if shown:
            strength = equity_of(table, opponent, view.strength_tables)
        tree.learn_from_hand(memory, table.status[opponent] == FOLDED, shown, strength)


@kernel
def _go_on(sizes: I64, memory: F32, default: F32, label: Int) -> None:
    """Follow an action or a board in both trees."""
    tree.go_on(memory, sizes[NODES], label)
    if sizes[DEFAULT_NODES] > 0:
        tree.go_on_in(default, memory, label)


@kernel
def _step(parameters: Parameters, memory: F32, default: F32, view: View) -> None:
    """One time step of both estimators for the current nodes and state of the hand."""
    sizes, table, seat = parameters.traits.sizes, view.table, view.seat
    scratch, scratch_at = view.scratch, scratch_layout(sizes)
    write_tree_features(
        sizes,
        memory,
        default,
        present_place(sizes, memory),
        table.street,
        scratch[scratch_at.node_features : scratch_at.other],
        scratch[scratch_at.other : scratch_at.wins],
    )
    board = table.cards[2 * table.seats : 2 * table.seats + 5]
    look = scratch[scratch_at.look : scratch_at.answers]
    write_look(board, table.board_cards, parameters.traits.book, look)
    stack = np.float64(table.starting_stack[seat])
    own, opponent = table.hand_bet[seat] / stack, table.hand_bet[opponent_of(table, seat)] / stack
    strength = equity_of(table, seat, view.strength_tables)
    states = memory[states_begin(sizes) :]
    step_opponent(parameters, scratch, table.street, own, opponent, states)
    step_showdown(parameters, scratch, table.street, strength, own, opponent, states)


@kernel
def step_opponent(
    parameters: Parameters, scratch: F32, street: Int, own: Float, opponent: Float, states: F32
) -> None:
    """One time step of the opponent estimator.

    Args:
        parameters: Parameters of the player.
        scratch: Scratch with the features of the nodes and of the board.
        street: Street of the state.
        own: Chips put in by the player, as a share of the stack.
        opponent: Chips put in by the opponent, as a share of the stack.
        states: States of both estimators, updated.
    """
    sizes = parameters.traits.sizes
    scratch_at = scratch_layout(sizes)
    node_features, inputs = (
        scratch[scratch_at.node_features : scratch_at.other],
        scratch[scratch_at.acts : scratch_at.look],
    )
    look = scratch[scratch_at.look : scratch_at.answers]
    n = write_opponent_inputs(sizes[LEVEL], node_features, look, street, own, opponent, inputs)
    step_estimator(parameters, OPPONENT, inputs[:n], states, scratch[scratch_at.module :])


@kernel
def step_showdown(
    parameters: Parameters,
    scratch: F32,
    street: Int,
    strength: Float,
    own: Float,
    opponent: Float,
    states: F32,
) -> None:
    """One time step of the showdown estimator; ``strength`` is that of the player's hand."""
    scratch_at = scratch_layout(parameters.traits.sizes)
    node_features, inputs = (
        scratch[scratch_at.node_features : scratch_at.other],
        scratch[scratch_at.wins : scratch_at.acts],
    )
    write_showdown_inputs(node_features, street, strength, own, opponent, inputs)
    step_estimator(parameters, SHOWDOWN, inputs, states, scratch[scratch_at.module :])
