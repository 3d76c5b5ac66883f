"""Predictors of actions, and the choice between them (Billings 2006, 2.6.2 and 2.7.2).

Each estimates how often a player folds, calls and raises in a situation. The best is the one with
the least surprise at this player's actions, recent ones weighing more.
"""

from __future__ import annotations

import numpy as np

from agents.theses.billings.poki.action_frequencies import (
    count_action,
    generic_frequencies,
    write_specific,
)
from agents.theses.billings.poki.network import learn, write_predicted
from agents.theses.billings.poki.records import MODEL, N_PREDICTORS, MemoryRecord, WorkRecord
from nlhe_env.jit.array_types import F32, F64, Int
from nlhe_env.jit.compilation import kernel

GENERIC_MODEL, SPECIFIC_MODEL, NETWORK_MODEL, BEST_MODEL = range(4)
MODELS = ("generic", "specific", "network", "best")
_KEPT = np.float32(0.98)


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
