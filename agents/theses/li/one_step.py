"""Decision rule of ASHE 2.0 and 2.1: the best action if every call led straight to showdown.

Source: Li (PhD thesis, University of Texas at Austin, 2018), section 5.1.3. The figure with the
rule is missing there, so the rule follows figure 7-1. Utilities are counted from the start of the
hand; ties go to the less aggressive action. Facing a 3-bet on the button or a 4-bet in the big
blind, the player calls, folds or goes all-in.
"""

from __future__ import annotations

import numpy as np

from agents.policy.view import ChoicesRecord, Parameters, View, offer
from agents.theses.li import tree
from agents.theses.li.estimators import chance_of, read_estimator
from agents.theses.li.event_handler import (
    opponent_of,
    scratch_layout,
    states_begin,
    step_opponent,
)
from agents.theses.li.features import present_place, write_look, write_tree_features
from agents.theses.li.shape import BLOCKS, CELL, DEFAULT_NODES, OPPONENT, SHOWDOWN, default_begin
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel

N_OWN = 7
"""The player's actions: fold, check or call, raise 0.5, 1, 1.5 or 2 pots, all-in; except for the
fold they equal their labels."""
NO_ACTION = -2
_NO_UTILITY = -np.inf


@kernel
def win_chance(parameters: Parameters, memory: F32, view: View) -> Float:
    """Current probability of winning a showdown, by the showdown estimator."""
    sizes, scratch = parameters.traits.sizes, view.scratch
    scratch_at = scratch_layout(sizes)
    answers, hidden = scratch[scratch_at.answers :], scratch[scratch_at.hidden :]
    states = memory[states_begin(sizes) :]
    read_estimator(parameters, SHOWDOWN, states, hidden, answers)
    return chance_of(answers[0])


@kernel
def fold_chance(parameters: Parameters, memory: F32, view: View, label: Int, total: Int) -> Float:
    """Probability of a fold to a raise; see ``write_answers_after``."""
    answers = view.scratch[scratch_layout(parameters.traits.sizes).answers :]
    write_answers_after(parameters, memory, view, label, total, answers)
    return chance_of(answers[0])


@kernel
def write_answers_after(
    parameters: Parameters, memory: F32, view: View, label: Int, total: Int, answers: F32
) -> None:
    """Write the outputs of the opponent estimator after the player's raise.

    The memory does not change.

    Args:
        parameters: Parameters of the player.
        memory: Its memory.
        view: View of the table at its decision.
        label: Label of the raise.
        total: Chips put in by the player over the hand after the raise.
        answers: ``(9,)`` float32, written.
    """
    sizes, table, seat = parameters.traits.sizes, view.table, view.table.actor
    default = memory[0:]
    if sizes[DEFAULT_NODES] > 0:
        default = parameters.weights[default_begin(sizes) :]
    scratch, scratch_at = view.scratch, scratch_layout(sizes)
    states = scratch[scratch_at.states : scratch_at.remaining]
    present = memory[states_begin(sizes) :]
    for j in range(2 * sizes[BLOCKS] * sizes[CELL]):  # the opponent estimator
        states[j] = present[j]
    place = tree.place_after(memory, default, present_place(sizes, memory), label)
    node_features, other = (
        scratch[scratch_at.node_features : scratch_at.other],
        scratch[scratch_at.other : scratch_at.wins],
    )
    write_tree_features(sizes, memory, default, place, table.street, node_features, other)
    board = table.cards[2 * table.seats : 2 * table.seats + 5]
    look = scratch[scratch_at.look : scratch_at.answers]
    write_look(board, table.board_cards, parameters.traits.book, look)
    stack = np.float64(table.starting_stack[seat])
    opponent = table.hand_bet[opponent_of(table, seat)] / stack
    step_opponent(parameters, scratch, table.street, total / stack, opponent, states)
    read_estimator(parameters, OPPONENT, states, scratch[scratch_at.hidden :], answers)


@kernel
def utility_of_raise(
    win: Float, folds: Float, opponent_bet: Int | Float, total: Int | Float
) -> Float:
    """Value of a raise: a fold wins the opponent's chips, a call leads to a showdown.

    Args:
        win: Probability of winning a showdown.
        folds: Probability that the opponent folds.
        opponent_bet: Chips put in by the opponent so far.
        total: Chips put in by each player after a call.
    """
    return folds * opponent_bet + (1.0 - folds) * (2.0 * win - 1.0) * total


@kernel
def own_action(table: TableRecord, choices: ChoicesRecord, k: Int) -> Int:
    """Game action for one of the player's actions, ``NO_ACTION`` if it is impossible."""
    to_call = amount_to_call(table)
    if k == 0:
        return np.int64(FOLD if to_call > 0 else NO_ACTION)
    if k == 1:
        return np.int64(CHECK_OR_CALL)
    if choices.most == 0:
        return np.int64(NO_ACTION)
    if k == tree.ALL_IN_LABEL:
        return np.int64(choices.most)
    if table.bets >= (3 if table.actor == table.button else 4):
        return np.int64(NO_ACTION)
    pot = np.float64(table.pot + to_call)
    amount = table.current_bet + np.int64(np.floor(0.5 * (k - 1) * pot + 0.5))
    return amount if choices.least <= amount < choices.most else np.int64(NO_ACTION)


@kernel
def decide_at_once(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action with the largest utility."""
    table, choices = view.table, view.choices
    seat = table.actor
    opponent = opponent_of(table, seat)
    own_bet, opponent_bet = table.hand_bet[seat], table.hand_bet[opponent]
    win = win_chance(parameters, memory, view)
    best: Float = _NO_UTILITY
    action: Int = np.int64(FOLD)
    for k in range(N_OWN):
        what = own_action(table, choices, k)
        if what == NO_ACTION:
            continue
        if k == 0:
            utility: Float = -np.float64(own_bet)
        elif k == 1:
            utility = (2.0 * win - 1.0) * min(opponent_bet, own_bet + amount_to_call(table))
        else:
            total = own_bet + what - table.street_bet[seat]
            called = min(total, opponent_bet + table.stack[opponent])
            folds = fold_chance(parameters, memory, view, k, total)
            utility = utility_of_raise(win, folds, opponent_bet, called)
        if utility > best:
            best, action = utility, what
    offer(view, action, 1.0)
