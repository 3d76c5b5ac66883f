"""Predictors of actions, and the choice between them (Billings 2006, 2.6.2, 2.6.3 and 2.7.2).

Each estimates how often a player folds, calls and raises in a situation. The best is the one with
the least surprise at this player's actions, recent ones weighing more.

One of them is a network with 19 inputs, four hidden units and three action probabilities. Every
opponent has its own, which is trained online on each observed decision (figure 2.7). Its outputs
scale the generic frequencies: untrained it predicts the generic player, and impossible actions have
probability 0. The thesis names few of the inputs; these are ours, all public.

======  =================================================================================
0, 1    pot odds; the bet to call as a share of the pot before it, at most 2
2       chips behind, in pots, at most 4
3       whether the player has put chips in on this street
4, 5    one bet to call; more
6, 7    turn; river
8, 9    the last action of this street was a call or check; a bet or raise
10, 11  unfolded players in tens; whether there are only two
12, 13  first to act on this street; last to act
14, 15  a pair on the board; three of a suit
16, 17  how often the generic player calls here; raises
18      the observer is still in the hand
======  =================================================================================
"""

from __future__ import annotations

import numpy as np

from agents.theses.billings.poki.action_frequencies import (
    count_action,
    generic_frequencies,
    write_specific,
)
from agents.theses.billings.poki.holdings import ranks_in
from agents.theses.billings.poki.records import (
    MODEL,
    N_HIDDEN,
    N_INPUTS,
    N_NETWORK,
    N_PREDICTORS,
    MemoryRecord,
    WorkRecord,
)
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.equity.tables.cells import SUIT
from nlhe_env.game.betting import CALLS, RAISES, amount_to_call
from nlhe_env.game.table import ACTIVE, ALL_IN, RIVER, TURN, TableRecord
from nlhe_env.jit.array_types import F32, F64, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.bits import popcount
from nlhe_env.numerics.portable_math import exp32, tanh32

_RATE = 0.05
_OUT = N_INPUTS * N_HIDDEN  # offset of the weights of the outputs
_START = 0.3  # initial weights of hidden units are below this
_MOST = 4.0  # bound on an output's logarithm
GENERIC_MODEL, SPECIFIC_MODEL, NETWORK_MODEL, BEST_MODEL = range(4)
MODELS = ("generic", "specific", "network", "best")
_KEPT = np.float32(0.98)


@kernel
def write_inputs(
    weights: F32, table: TableRecord, last: Int, context: Int, observer: Int, inputs: F32
) -> None:
    """Write the inputs of the network for the decision of the player to act.

    Args:
        weights: Weights of the predicting player.
        table: A table record with an actor.
        last: Last action kind on this street, ``CALLS`` or ``RAISES``; any other value for none.
        context: Context of this decision.
        observer: Seat of the predicting player.
        inputs: ``(19,)`` float32, written.
    """
    seat = table.actor
    to_call = amount_to_call(table)
    pot = max(table.pot, 1)
    cards = board_set(table.cards[2 * table.seats : 2 * table.seats + 5], table.board_cards)
    inputs[0] = to_call / (pot + to_call)
    inputs[1] = min(to_call / max(pot - to_call, 1), 2.0)
    inputs[2] = min(table.stack[seat] / pot, 4.0)
    inputs[3] = table.street_bet[seat] > 0
    inputs[4] = context % 3 == 1
    inputs[5] = context % 3 == 2
    inputs[6] = table.street == TURN
    inputs[7] = table.street == RIVER
    inputs[8] = last == CALLS
    inputs[9] = last == RAISES
    inputs[10] = 0.1 * table.unfolded
    inputs[11] = table.unfolded == 2
    waiting = 0
    for other in range(table.seats):
        if other != seat and table.status[other] == ACTIVE and table.bet_when_acted[other] < 0:
            waiting += 1
    inputs[12] = waiting == table.active - 1
    inputs[13] = waiting == 0
    inputs[14] = popcount(ranks_in(cards)) < table.board_cards
    inputs[15] = 0
    for suit in range(4):
        if popcount(cards >> 16 * suit & SUIT) >= 3:
            inputs[15] = 1
    inputs[16] = generic_frequencies(weights, context, CALLS)
    inputs[17] = generic_frequencies(weights, context, RAISES)
    inputs[18] = table.status[observer] == ACTIVE or table.status[observer] == ALL_IN


@kernel
def begin_network(network: F32) -> None:
    """Initialise a network with distinct small hidden weights and neutral outputs."""
    number = np.int64(12345)
    for k in range(N_NETWORK):
        number = (number * 1103515245 + 12345) & 0x7FFFFFFF
        share = (number >> 8) / (0x7FFFFFFF >> 8)
        network[k] = _START * (2.0 * share - 1.0) if k < _OUT else 0.0


@kernel
def write_predicted(
    network: F32, weights: F32, context: Int, inputs: F32, hidden: F64, frequencies: F64
) -> None:
    """Write the three predicted probabilities, and the hidden activations to ``hidden``."""
    for j in range(N_HIDDEN):
        total = np.float32(0.0)
        for i in range(N_INPUTS):
            total += network[j * N_INPUTS + i] * inputs[i]
        hidden[j] = tanh32(total)
    sum_ = 0.0
    for action_kind in range(3):
        first = _OUT + action_kind * (N_HIDDEN + 1)
        output: Float = np.float64(network[first + N_HIDDEN])
        for j in range(N_HIDDEN):
            output += network[first + j] * hidden[j]
        output = min(max(output, -_MOST), _MOST)
        frequencies[action_kind] = generic_frequencies(weights, context, action_kind) * exp32(
            np.float32(output)
        )
        sum_ += frequencies[action_kind]
    for action_kind in range(3):
        frequencies[action_kind] /= sum_


@kernel
def learn(network: F32, inputs: F32, hidden: F64, frequencies: F64, action_kind: Int) -> None:
    """One gradient step on the log loss of an observed action.

    Args:
        network: ``(95,)`` float32, updated.
        inputs: ``(19,)`` inputs of that decision.
        hidden: ``(4,)`` activations from ``write_predicted``.
        frequencies: ``(3,)`` predicted probabilities.
        action_kind: The observed action kind.
    """
    for j in range(N_HIDDEN):
        back = 0.0
        for k in range(3):
            error = np.float64(k == action_kind) - frequencies[k]
            place = _OUT + k * (N_HIDDEN + 1) + j
            back += error * network[place]
            network[place] += np.float32(_RATE * error * hidden[j])
        slope = np.float32(_RATE * back * (1.0 - hidden[j] * hidden[j]))
        for i in range(N_INPUTS):
            network[j * N_INPUTS + i] += slope * inputs[i]
    for k in range(3):
        place = _OUT + k * (N_HIDDEN + 1) + N_HIDDEN
        network[place] += np.float32(_RATE * (np.float64(k == action_kind) - frequencies[k]))


@kernel
def believed_model(weights: F32, memory: MemoryRecord, seat: Int) -> Int:
    """Predictor in use for the player in a seat."""
    model: Int = np.int64(weights[MODEL])
    if model == BEST_MODEL:
        model = GENERIC_MODEL
        for k in range(1, N_PREDICTORS):
            if memory.surprise[seat, k] < memory.surprise[seat, model]:
                model = k
    return model


@kernel
def predict(
    weights: F32,
    memory: MemoryRecord,
    seat: Int,
    context: Int,
    inputs: F32,
    work: WorkRecord,
    frequencies: F64,
) -> None:
    """Write the predicted action frequencies of the player in a seat: three probabilities.

    Args:
        weights: Weights of the predicting player.
        memory: Memory record of the predicting player.
        seat: Seat of the player to act.
        context: Context of the decision.
        inputs: ``(19,)`` inputs of the decision.
        work: Scratch record.
        frequencies: ``(3,)`` float64, written.
    """
    model = believed_model(weights, memory, seat)
    _predict_by(model, weights, memory, seat, context, inputs, work, frequencies)


@kernel
def predict_unseen(
    weights: F32, memory: MemoryRecord, seat: Int, context: Int, frequencies: F64
) -> None:
    """Write predicted frequencies for a hypothetical situation, such as after the player's own bet.

    Counts replace a network here, whose inputs would be unknown.
    """
    if believed_model(weights, memory, seat) == GENERIC_MODEL:
        for action_kind in range(3):
            frequencies[action_kind] = generic_frequencies(weights, context, action_kind)
    else:
        write_specific(weights, memory.counts[seat, context], context, frequencies)


@kernel
def _predict_by(
    model: Int,
    weights: F32,
    memory: MemoryRecord,
    seat: Int,
    context: Int,
    inputs: F32,
    work: WorkRecord,
    frequencies: F64,
) -> None:
    if model == SPECIFIC_MODEL:
        write_specific(weights, memory.counts[seat, context], context, frequencies)
    elif model == NETWORK_MODEL:
        write_predicted(memory.network[seat], weights, context, inputs, work.hidden, frequencies)
    else:
        for action_kind in range(3):
            frequencies[action_kind] = generic_frequencies(weights, context, action_kind)


@kernel
def learn_action(
    weights: F32,
    memory: MemoryRecord,
    seat: Int,
    context: Int,
    inputs: F32,
    action_kind: Int,
    work: WorkRecord,
) -> None:
    """Update all predictors and their errors with an action of the player in a seat."""
    model = np.int64(weights[MODEL])
    for k in range(N_PREDICTORS):
        if model in (BEST_MODEL, k):
            guess = work.guess
            _predict_by(k, weights, memory, seat, context, inputs, work, guess)
            error = 0.0
            for other in range(3):
                miss = np.float64(other == action_kind) - guess[other]
                error += miss * miss
            kept = memory.surprise[seat, k]
            memory.surprise[seat, k] = _KEPT * kept + (np.float32(1.0) - _KEPT) * error
            if k == NETWORK_MODEL:
                learn(memory.network[seat], inputs, work.hidden, guess, action_kind)
    count_action(memory.counts[seat, context], action_kind)
