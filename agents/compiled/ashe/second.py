"""ASHE 2.0: it counts what every line of play came to, and does what is worth most by that.

Source: Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
(PhD thesis, University of Texas at Austin, 2018), chapter 5. A pattern recognition tree
(``ashe.tree``) remembers the session; two estimators (``ashe.estimators``) turn what it says and
the hand as it stands into the chance to win a showdown and the chance that the opponent folds to a
raise of each size. The action of the largest expected utility is played, as if an opponent that
calls went straight to the showdown. For two players.

The figure with the rule of decision is lost; the reading is that of its figure 7-1. Utilities are
counted from the start of the hand, of equal ones the less aggressive counts. Facing a 3-bet on the
button or a 4-bet in the big blind it calls, folds or goes all-in.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from agents.compiled.ashe import tree
from agents.compiled.ashe.estimators import (
    N_INPUTS,
    count_estimator,
    estimate,
    write_fold_state,
    write_node,
    write_state,
)
from agents.compiled.events import ACTED, HAND_BEGINS, HAND_ENDS, SESSION_BEGINS
from agents.compiled.kinds import Kind, make_sizes, register_kind
from agents.compiled.lstm_blocks import (
    GATES,
    count_module_scratch,
    reset_module,
    step_module,
)
from agents.compiled.players import CompiledPlayer
from agents.compiled.rules.spots import equity_of
from agents.compiled.view import offer
from nlhe_env.assessment.texture import texture_tables
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, FOLDED, NOBODY
from nlhe_env.machine.array_types import F32, I64, U8, Records
from nlhe_env.machine.compilation import kernel

MOST_UNITS = 4096
MOST_NODES = 100_000
_BLOCKS, _CELL, _HIDDEN, _TRUST, _NODES = range(5)
_SIZES = 4  # own raises of 0.5, 1, 1.5 and 2 pots
_NO_UTILITY = -np.inf


class ModelShape(NamedTuple):
    """Sizes of the estimators and trees of ASHE 2.0; by default as published."""

    blocks: int = 50
    """LSTM blocks of each estimator."""
    cell: int = 10
    """Numbers in the cell of each block."""
    hidden: int = 50
    """Hidden units of the network above them."""
    trust_after: int = 10
    """Hands in which a node must have been passed before it is trusted."""
    nodes: int = 4096
    """Capacity of both trees together, in nodes."""

    @property
    def parts(self) -> tuple[int, int]:
        """Genes of the estimator of folds, then of that of showdowns."""
        n = count_estimator(self.blocks, self.cell, self.hidden)
        return n, n


def _shape_of(sizes: I64) -> ModelShape:
    return ModelShape(*(int(n) for n in sizes[: len(ModelShape._fields)]))


def _count_weights(sizes: I64) -> int:
    return sum(_shape_of(sizes).parts)


def _count_memory(sizes: I64) -> int:
    """The trees, then cells and outputs of the estimators of folds and of showdowns."""
    shape = _shape_of(sizes)
    return tree.HEAD + shape.nodes * tree.NODE + 4 * shape.blocks * shape.cell


def _count_scratch(sizes: I64) -> int:
    """Both inputs, hidden units, a copy of a module, and what its steps work in."""
    shape = _shape_of(sizes)
    module = count_module_scratch(shape.blocks, shape.cell)
    return 2 * N_INPUTS + shape.hidden + 2 * shape.blocks * shape.cell + module


@kernel
def _starts(sizes):
    """Where the network above a module begins, its first cells, and the next estimator."""
    cell, n = sizes[_CELL], sizes[_BLOCKS] * sizes[_CELL]
    above = sizes[_BLOCKS] * (GATES * cell * (N_INPUTS + cell + 1) + 3 * cell)
    first_cells = above + (n + 2) * sizes[_HIDDEN] + 1
    return above, first_cells, first_cells + n


@kernel
def _opponent_of(table, seat):
    """The seat of the other one of two."""
    for other in range(table.seats):
        if other != seat and table.player[other] >= 0:
            return other
    return NOBODY


@kernel
def model_hears(parameters, memory, view, event):
    """Follow the hand through the tree, step the estimators, learn at the end."""
    sizes, table, seat = parameters.traits.sizes, view.table, view.seat
    opponent = _opponent_of(table, seat)
    what = event.what
    if what == SESSION_BEGINS:
        tree.clear_trees(memory)
    elif what == HAND_BEGINS:
        tree.begin_path(memory, seat == table.button)
        _, first_cells, whole = _starts(sizes)
        n = 2 * sizes[_BLOCKS] * sizes[_CELL]
        states = memory[tree.HEAD + sizes[_NODES] * tree.NODE :]
        reset_module(parameters.weights[first_cells:], states[:n])
        reset_module(parameters.weights[whole + first_cells :], states[n : 2 * n])
        _step_both(parameters, memory, view)
    elif what == ACTED:
        if table.actor != NOBODY:
            label = tree.label_of(event, event.seat == seat, table.stack[event.seat] == 0)
            tree.go_on(memory, sizes[_NODES], label)
            _step_both(parameters, memory, view)
    elif what == HAND_ENDS:
        shown = table.showdown == 1 and table.shown[opponent] == 1
        strength = 0.0
        if shown:
            strength = equity_of(table, opponent, view.strength_tables)
        tree.learn_from_hand(memory, table.status[opponent] == FOLDED, shown, strength)


@kernel
def _step_both(parameters, memory, view):
    """One time step of both estimators, by the present node and the hand as it stands."""
    sizes, weights, table = parameters.traits.sizes, parameters.weights, view.table
    seat = view.seat
    wins, folds = view.scratch[:N_INPUTS], view.scratch[N_INPUTS : 2 * N_INPUTS]
    stack = np.float64(table.starting_stack[seat])
    own, opponent = table.hand_bet[seat] / stack, table.hand_bet[_opponent_of(table, seat)] / stack
    write_node(memory, tree.present_node(memory), sizes[_TRUST], wins, folds)
    write_state(table, equity_of(table, seat, view.strength_tables), own, opponent, wins)
    write_fold_state(table, own, opponent, parameters.traits.book, folds)
    _, _, whole = _starts(sizes)
    n = 2 * sizes[_BLOCKS] * sizes[_CELL]
    states = memory[tree.HEAD + sizes[_NODES] * tree.NODE :]
    scratch = view.scratch[2 * N_INPUTS :]
    step_module(weights, sizes[_BLOCKS], sizes[_CELL], folds, states[:n], scratch)
    step_module(weights[whole:], sizes[_BLOCKS], sizes[_CELL], wins, states[n : 2 * n], scratch)


@kernel
def win_chance(parameters, memory, view):
    """What the estimator of showdowns says now."""
    sizes = parameters.traits.sizes
    above, _, whole = _starts(sizes)
    n = sizes[_BLOCKS] * sizes[_CELL]
    outputs = memory[tree.HEAD + sizes[_NODES] * tree.NODE + 3 * n :][:n]
    hidden = view.scratch[2 * N_INPUTS : 2 * N_INPUTS + sizes[_HIDDEN]]
    return np.float64(estimate(parameters.weights[whole + above :], outputs, hidden))


@kernel
def fold_chance(parameters, memory, view, label, total):
    """What the estimator of folds would say after an own raise; the memory stays as it is.

    Args:
        parameters: Of the player.
        memory: Its memory.
        view: Of its decision.
        label: Of the raise.
        total: What the player would have put in in the hand.
    """
    sizes, table, seat = parameters.traits.sizes, view.table, view.table.actor
    n = sizes[_BLOCKS] * sizes[_CELL]
    scratch = view.scratch
    wins, folds = scratch[:N_INPUTS], scratch[N_INPUTS : 2 * N_INPUTS]
    hidden = scratch[2 * N_INPUTS : 2 * N_INPUTS + sizes[_HIDDEN]]
    state = scratch[2 * N_INPUTS + sizes[_HIDDEN] :][: 2 * n]
    present = memory[tree.HEAD + sizes[_NODES] * tree.NODE :]
    for j in range(2 * n):
        state[j] = present[j]
    stack = np.float64(table.starting_stack[seat])
    node = tree.find_child(memory, tree.present_node(memory), label)
    write_node(memory, node, sizes[_TRUST], wins, folds)
    opponent = table.hand_bet[_opponent_of(table, seat)] / stack
    write_fold_state(table, total / stack, opponent, parameters.traits.book, folds)
    rest = scratch[2 * N_INPUTS + sizes[_HIDDEN] + 2 * n :]
    step_module(parameters.weights, sizes[_BLOCKS], sizes[_CELL], folds, state, rest)
    above, _, _ = _starts(sizes)
    return np.float64(estimate(parameters.weights[above:], state[n:], hidden))


@kernel
def utility_of_raise(win, folds, opponent_bet, total):
    """What a raise is worth: the pot if the opponent folds, else a showdown for what both put in.

    Args:
        win: Chance to win a showdown.
        folds: Chance that the opponent folds.
        opponent_bet: What it has put in.
        total: What both put in if it calls.
    """
    return folds * opponent_bet + (1.0 - folds) * (2.0 * win - 1.0) * total


@kernel
def model_policy(parameters, memory, view):
    """The action of the largest utility."""
    table, choices = view.table, view.choices
    seat = table.actor
    opponent = _opponent_of(table, seat)
    own_bet, opponent_bet = table.hand_bet[seat], table.hand_bet[opponent]
    to_call = amount_to_call(table)
    win = win_chance(parameters, memory, view)
    best, action = _NO_UTILITY, np.int64(FOLD)
    if to_call > 0:
        best = -np.float64(own_bet)
    calls = (2.0 * win - 1.0) * min(opponent_bet, own_bet + to_call)
    if calls > best:
        best, action = calls, np.int64(CHECK_OR_CALL)
    most = choices.most
    sizes = _SIZES if table.bets < (3 if seat == table.button else 4) else 0
    for k in range(sizes + 1 if most > 0 else 0):
        pot = np.float64(table.pot + to_call)
        amount = table.current_bet + np.int64(np.floor(0.5 * (k + 1) * pot + 0.5))
        label = tree.FIRST_OWN + k
        if k == sizes:
            amount, label = most, tree.ALL_IN_LABEL
        elif amount < choices.least or amount >= most:
            continue
        total = own_bet + amount - table.street_bet[seat]
        called = min(total, opponent_bet + table.stack[opponent])
        folds = fold_chance(parameters, memory, view, label, total)
        worth = utility_of_raise(win, folds, opponent_bet, called)
        if worth > best:
            best, action = worth, np.int64(amount)
    offer(view, action, 1.0)


def _two_players(tables: Records) -> None:
    if tables[0]["seats"] != 2:
        raise ValueError(
            f"ASHE 2.0 is for two players; got a table of {int(tables[0]['seats'])} seats"
        )


@functools.cache
def _book() -> U8:
    """The textures of boards as bytes."""
    return np.frombuffer(texture_tables().tobytes(), np.uint8)


class ModelPlayer(CompiledPlayer):
    """ASHE 2.0.

    Args:
        weights: ``(n,)`` genome: the estimator of folds, then that of showdowns, each with the
            weights of its module, those of the network above it and its first cells.
        shape: Its size.
        name: For tables and plots.
        origin: Where it comes from: experiment, generation and so on; plain values.
        inputs: Ignored; other players have it too.
        book: Ignored; textures are the same everywhere.

    Raises:
        ValueError: The weights do not fit the shape or are not finite.
    """

    def __init__(
        self,
        weights: Any,
        *,
        shape: ModelShape | None = None,
        name: str = "ashe-2",
        origin: Mapping[str, Any] | None = None,
        inputs: str = "features",
        book: U8 | None = None,
    ) -> None:
        shape = shape or ModelShape()
        check_model_shape(shape)
        genome = np.ascontiguousarray(weights, np.float32)
        if not np.isfinite(genome).all():
            raise ValueError("weights must be finite numbers")
        sizes = make_sizes(*shape)
        super().__init__(name, ASHE_2, genome, inputs, sizes, origin, book=_book())
        self.shape = shape


def check_model_shape(shape: ModelShape) -> None:
    """That estimators can have this shape.

    Raises:
        ValueError: They cannot.
    """
    if not (
        min(shape[:3]) >= 1
        and max(shape[:3]) <= MOST_UNITS
        and shape.trust_after >= 0
        and tree.ROOTS <= shape.nodes <= MOST_NODES
    ):
        raise ValueError(
            f"sizes must be from 1 to {MOST_UNITS}, trust_after at least 0, nodes from "
            f"{tree.ROOTS} to {MOST_NODES}; got {shape}"
        )


def _restore(weights: F32, sizes: I64, **traits: Any) -> ModelPlayer:
    return ModelPlayer(weights, shape=_shape_of(sizes), **traits)


ASHE_2 = register_kind(
    Kind(
        "ashe-2",
        model_policy,
        wants="table",
        answers="amounts",
        hears=model_hears,
        memory=_count_memory,
        scratch=_count_scratch,
        n_weights=_count_weights,
        looks_up=True,
        checks=_two_players,
        restore=_restore,
    )
)
