"""The published network: 35 inputs, 20 hidden and 5 output units, sigmoids throughout.

Source: Nicolai, MSc thesis (University of Regina, 2008), sections 4.1.2 to 4.1.5, eqs. 4.1 to 4.3;
Nicolai and Hilderman (ICEC 2010), section 4.2.
"""

from __future__ import annotations

import numpy as np

from nlhe_env._jit import kernel
from nlhe_env._math import sigmoid32
from nlhe_env.features import N_FEATURES

N_INPUTS = N_FEATURES
N_HIDDEN = 20
N_OUTPUTS = 5

# A genome is one flat vector, so that crossover is element-wise: the links from input i to hidden
# unit j at i * 20 + j, the links of the bias unit to the hidden units, the links from hidden unit j
# to output k at j * 5 + k, and the links of the bias unit to the outputs.
HIDDEN_BIAS = N_INPUTS * N_HIDDEN
OUTPUT_LINKS = HIDDEN_BIAS + N_HIDDEN
OUTPUT_BIAS = OUTPUT_LINKS + N_HIDDEN * N_OUTPUTS
N_WEIGHTS = OUTPUT_BIAS + N_OUTPUTS

# Scratch is rounded up to whole vector registers, so that the sigmoids need no scalar remainder;
# their loops run over the length of the scratch, because the compiler unrolls a short constant loop
# before it can turn it into vector code.
HIDDEN_SPACE = 24
OUTPUT_SPACE = 8


@kernel
def forward(weights, inputs, hidden, outputs):
    """One pass through the network.

    Args:
        weights: ``(825,)`` float32 genome.
        inputs: ``(35,)`` float32.
        hidden: ``(24,)`` float32 scratch.
        outputs: ``(8,)`` float32, its first five filled with values in 0..1: fold, call, small,
            medium, large raise.
    """
    for j in range(N_HIDDEN):
        total = weights[HIDDEN_BIAS + j]
        for i in range(N_INPUTS):
            total += inputs[i] * weights[i * N_HIDDEN + j]
        hidden[j] = total
    for j in range(len(hidden)):
        hidden[j] = sigmoid32(hidden[j])
    for k in range(N_OUTPUTS):
        total = weights[OUTPUT_BIAS + k]
        for j in range(N_HIDDEN):
            total += hidden[j] * weights[OUTPUT_LINKS + j * N_OUTPUTS + k]
        outputs[k] = total
    for k in range(len(outputs)):
        outputs[k] = sigmoid32(outputs[k])


@kernel
def draw_action(outputs, mask, u):
    """The action that a uniform number picks from the outputs, illegal ones set to zero.

    Args:
        outputs: ``(5,)`` non-negative float32 weights of the actions.
        mask: ``(5,)`` int8, 1 where legal; checking or calling always is.
        u: Uniform in [0, 1).

    Returns:
        The id of a legal action; to check or call when every legal weight is zero.
    """
    total = 0.0
    for k in range(N_OUTPUTS):
        if mask[k]:
            total += np.float64(outputs[k])
    left = u * total
    chosen = 1
    for k in range(N_OUTPUTS):
        if mask[k] and outputs[k] > 0:
            chosen = k
            left -= np.float64(outputs[k])
            if left < 0.0:
                break
    return chosen
