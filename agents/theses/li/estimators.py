"""The estimators of ASHE 2: a module of LSTM blocks under a network with one hidden layer.

Source: Li (PhD thesis, University of Texas at Austin, 2018), sections 5.1.2, 7.2 and 8.2. With one
output an estimator gives a probability: of a fold to a raise, or of winning the showdown. With nine
outputs it gives a distribution: over the opponent's next actions, or over the ranges of its hand.
Modules are reset with every hand.
"""

from __future__ import annotations

import numpy as np

from agents.players.networks.dense_kernels import write_sums
from agents.players.networks.lstm_blocks import reset_module, step_module, tanh_all
from agents.policy.view import Parameters
from agents.theses.li.shape import (
    BLOCKS,
    CELL,
    HIDDEN,
    OPPONENT,
    SHOWDOWN,
    begin_of,
    count_answers,
    places_of,
)
from nlhe_env.jit.array_types import F32, I64, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.portable_math import exp32, sigmoid32


@kernel
def module_at(sizes: I64, which: Int) -> tuple[Int, Int]:
    """Start and end of an estimator's cells and outputs within the states of both."""
    n = 2 * sizes[BLOCKS] * sizes[CELL]
    return which * n, which * n + n


@kernel
def reset_estimators(parameters: Parameters, states: F32) -> None:
    """Reset the estimators at the start of a hand."""
    sizes = parameters.traits.sizes
    for which in (OPPONENT, SHOWDOWN):
        _, first_cells, _ = places_of(sizes, which)
        first = parameters.weights[begin_of(sizes, which) + first_cells :]
        begin, end = module_at(sizes, which)
        reset_module(first, states[begin:end])


@kernel
def step_estimator(
    parameters: Parameters, which: Int, inputs: F32, states: F32, scratch: F32
) -> None:
    """One time step of an estimator.

    Args:
        parameters: Parameters of the player.
        which: ``OPPONENT`` or ``SHOWDOWN``.
        inputs: Float32, one for each input of the estimator.
        states: ``(4 * blocks * cell,)`` float32 states of both estimators, updated.
        scratch: Scratch for a module.
    """
    sizes = parameters.traits.sizes
    begin, end = module_at(sizes, which)
    weights = parameters.weights[begin_of(sizes, which) :]
    step_module(weights, sizes[BLOCKS], sizes[CELL], inputs, states[begin:end], scratch)


@kernel
def read_estimator(
    parameters: Parameters, which: Int, states: F32, hidden: F32, answers: F32
) -> None:
    """Write the raw outputs of an estimator.

    Args:
        parameters: Parameters of the player.
        which: ``OPPONENT`` or ``SHOWDOWN``.
        states: States of both estimators.
        hidden: Scratch for the hidden units, float32.
        answers: ``(9,)`` float32; the outputs of the estimator are written first.
    """
    sizes = parameters.traits.sizes
    above, _, _ = places_of(sizes, which)
    n = sizes[BLOCKS] * sizes[CELL]
    begin, end = module_at(sizes, which)
    outputs = states[begin + n : end]
    links = parameters.weights[begin_of(sizes, which) + above :]
    n_hidden, n_answers = sizes[HIDDEN], count_answers(sizes, which)
    hidden = hidden[:n_hidden]
    biases = links[n * n_hidden :]
    write_sums(links, outputs, outputs[:0], biases[:n_hidden], hidden)
    tanh_all(hidden)
    last = biases[n_hidden:]
    for k in range(n_answers):
        answers[k] = last[n_hidden * n_answers + k]
    for j in range(n_hidden):
        for k in range(n_answers):
            answers[k] += hidden[j] * last[j * n_answers + k]


@kernel
def chance_of(answer: Float) -> Float:
    """Probability of a single output."""
    return np.float64(sigmoid32(answer))


@kernel
def make_distribution(answers: F32, possible: Int) -> None:
    """Masked softmax of nine outputs in place; ``possible`` is a non-empty bit mask."""
    most = np.float32(-np.inf)
    for k in range(len(answers)):
        if possible >> k & 1:
            most = max(most, answers[k])
    total = np.float32(0.0)
    for k in range(len(answers)):
        answers[k] = exp32(answers[k] - most) if possible >> k & 1 else np.float32(0.0)
        total += answers[k]
    for k in range(len(answers)):
        answers[k] /= total
