"""LSTM blocks by the printed formulas, in float64."""

from __future__ import annotations

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def plain_block(weights, inputs, cells, outputs):
    """One time step by the printed formulas (Li 2018, 3.3.1), in float64."""
    n, c = len(inputs), len(cells)
    weights = weights.astype(np.float64)
    links = weights[: (n + c) * 4 * c].reshape(n + c, 4 * c)
    biases, peepholes = np.split(weights[(n + c) * 4 * c :], [4 * c])
    sums = np.concatenate([inputs, outputs]) @ links + biases
    z, i, f, o = sums.reshape(4, c)
    p_i, p_f, p_o = peepholes.reshape(3, c)
    after = sigmoid(i + p_i * cells) * np.tanh(z) + sigmoid(f + p_f * cells) * cells
    return after, sigmoid(o + p_o * after) * np.tanh(after)
