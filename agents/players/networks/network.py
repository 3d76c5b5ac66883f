"""Feed-forward networks: the published shape (35 inputs, 20 hidden, 5 output units) and others.

Sigmoids throughout. Source: Nicolai, MSc thesis (University of Regina, 2008), sections 4.1.2 to
4.1.5, eqs. 4.1 to 4.3; Nicolai and Hilderman (ICEC 2010), section 4.2. Hidden layers of any number
and size follow a proposal of section 6.2.

A genome is one flat vector, so that crossover is element-wise. It holds, layer by layer, the links
of the first input to all units, those of the second input and so on, and finally those of the bias
unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from agents.players.networks.dense_kernels import write_sums
from agents.players.networks.layer import make_layer
from agents.policy.kinds import make_sizes
from agents.policy.view import Parameters, View, offer_weights
from nlhe_env.jit.array_types import F32, I64, Float, LaneValues, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.lane_math import all_outside, all_outside_alike, choose, store_lanes
from nlhe_env.numerics.portable_math import SIGMOID_HIGH, SIGMOID_LOW, sigmoid32, tanh32
from nlhe_env.spaces.features import N_FEATURES, WIN_CHANCE, look_up_late
from nlhe_env.spaces.observations import find_observation

N_HIDDEN = 20
N_OUTPUTS = 5

PUBLISHED = (N_HIDDEN,)
"""The hidden layers of the published network."""
MAX_LAYERS = 6
"""Inputs, at most four hidden layers, outputs."""

_MOST_UNITS = 4096  # per hidden layer


def count_inputs(inputs: str) -> int:
    """Size of an observation that can serve as network inputs.

    Raises:
        ValueError: The name is unknown.

    >>> count_inputs("features_scaled")
    35
    """
    return find_observation(inputs, argument="inputs", of_fixed_size=True).size or 0


def count_weights(n_inputs: int, hidden: Sequence[int]) -> int:
    """Length of a network's genome, including one bias link per unit.

    >>> count_weights(35, (20,))
    825
    """
    sizes = (n_inputs, *hidden, N_OUTPUTS)
    return sum((before + 1) * after for before, after in pairwise(sizes))


def layer_sizes(n_inputs: int, hidden: Sequence[int]) -> I64:
    """Sizes of a network: the units of every layer, inputs first.

    Raises:
        ValueError: The number of hidden layers is not 1 to 4, or a layer has no units or too many.

    >>> layer_sizes(35, (20,))
    array([35, 20,  5,  0,  0,  0,  0,  0])
    """
    if not 1 <= len(hidden) <= MAX_LAYERS - 2 or not 1 <= min(hidden) <= max(hidden) <= _MOST_UNITS:
        raise ValueError(
            f"hidden must give the units of one to {MAX_LAYERS - 2} hidden layers, each at least 1 "
            f"and at most {_MOST_UNITS}; got {tuple(hidden)}"
        )
    return make_sizes(n_inputs, *hidden, N_OUTPUTS)


def count_weights_of(sizes: I64) -> int:
    """Like ``count_weights``, from the units of all layers."""
    n_inputs, *hidden = (int(n) for n in sizes if n > 0)
    return count_weights(n_inputs, hidden[:-1])


def count_scratch(sizes: I64) -> int:
    """Length of the scratch of ``network_policy``."""
    return OUTPUT_SPACE + 2 * int(sizes.max(initial=OUTPUT_SPACE))


N_WEIGHTS = count_weights(N_FEATURES, PUBLISHED)
_to_hidden = make_layer(N_FEATURES, N_HIDDEN, 0)
_to_hidden_ends = make_layer(N_FEATURES, N_HIDDEN, 0, open_input=WIN_CHANCE)
_to_outputs = make_layer(N_HIDDEN, N_OUTPUTS, (N_FEATURES + 1) * N_HIDDEN)

OUTPUT_SPACE = 8  # the outputs, rounded up to a vector register


_ZERO, _ONE = np.float32(0.0), np.float32(1.0)


@inlined_kernel
def _hidden_output(sums: LaneValues | Float) -> LaneValues | Float:
    """Sigmoid, with its minimum replaced by 0.

    This changes no sum of an output unit, but the product of the minimum and a link is a subnormal
    number, which costs some 50 ns on Intel processors.
    """
    return choose(sums > SIGMOID_LOW, sigmoid32(sums), _ZERO)


@inlined_kernel
def forward(weights: F32, inputs: F32, outputs: F32) -> None:
    """Forward pass of the published network.

    Args:
        weights: ``(825,)`` float32 genome.
        inputs: ``(35,)`` float32.
        outputs: ``(8,)`` float32, its first five filled with values in 0..1: fold, call, small,
            medium, large raise.
    """
    most, remaining = _to_hidden(weights, inputs)
    # With inputs in chips all units are usually saturated, and no sigmoid needs computing.
    if all_outside(most, SIGMOID_LOW, SIGMOID_HIGH) and all_outside(
        remaining, SIGMOID_LOW, SIGMOID_HIGH
    ):
        hidden = _at_ends(most), _at_ends(remaining)
    else:
        hidden = _hidden_output(most), _hidden_output(remaining)
    (sums,) = _to_outputs(weights, hidden)
    store_lanes(outputs, sigmoid32(sums))


@inlined_kernel
def forward_for_any_win_chance(weights: F32, inputs: F32, outputs: F32) -> Truth:
    """``forward`` if the outputs do not depend on the win chance, bit for bit.

    This is common with inputs in chips, where a number in [0, 1] does not matter to a saturated
    unit.

    Returns:
        Whether that is the case; otherwise nothing is written.
    """
    most, remaining, most_at_one, rest_at_one = _to_hidden_ends(weights, inputs)
    if not all_outside_alike(most, most_at_one, SIGMOID_LOW, SIGMOID_HIGH):
        return False
    if not all_outside_alike(remaining, rest_at_one, SIGMOID_LOW, SIGMOID_HIGH):
        return False
    (sums,) = _to_outputs(weights, (_at_ends(most), _at_ends(remaining)))
    store_lanes(outputs, sigmoid32(sums))
    return True


@inlined_kernel
def _at_ends(sums: LaneValues) -> LaneValues:
    """Sigmoid of sums that all lie in its saturated regions."""
    return choose(sums > _ZERO, _ONE, _ZERO)


@kernel
def forward_any(weights: F32, sizes: I64, inputs: F32, units: F32, outputs: F32) -> None:
    """Forward pass for any shape; equal to ``forward`` bit for bit where both apply.

    Args:
        weights: Float32 genome; trailing numbers are ignored.
        sizes: Units of every layer, with optional trailing zeros.
        inputs: ``(sizes[0],)`` float32.
        units: ``(2 * w,)`` float32 scratch for hidden layers of up to ``w`` units.
        outputs: ``(8,)`` float32, its first five filled.
    """
    write_output_sums(weights, sizes, inputs, units, outputs, False)
    for k in range(N_OUTPUTS):
        outputs[k] = sigmoid32(outputs[k])


@inlined_kernel
def write_output_sums(
    weights: F32, sizes: I64, inputs: F32, units: F32, outputs: F32, hyperbolic: Truth
) -> None:
    """Write the sums of the output units, before any activation, for any shape.

    Arguments are those of ``forward_any``; ``hyperbolic`` selects hyperbolic tangents instead of
    sigmoids as hidden units.
    """
    half = len(units) // 2
    first = np.int64(0)
    n_before = sizes[0]
    before = inputs[:n_before]
    layer = 1
    while True:
        n = sizes[layer]
        is_last = layer + 1 == MAX_LAYERS or sizes[layer + 1] == 0
        after = units[half : half + n] if layer & 1 else units[:n]
        if is_last:
            after = outputs[:n]
        bias = first + n_before * n
        write_sums(weights[first:bias], before, before[:0], weights[bias : bias + n], after)
        if is_last:
            return
        for j in range(n):
            after[j] = tanh32(after[j]) if hyperbolic else _hidden_output(after[j])
        first = bias + n
        n_before = n
        before = after
        layer += 1


@kernel
def network_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the five actions, weighted by the outputs of a network of any shape."""
    weights, sizes = parameters.weights, parameters.traits.sizes
    inputs, scratch = view.inputs, view.scratch
    outputs = scratch[:OUTPUT_SPACE]
    if sizes[0] != N_FEATURES:
        forward_any(weights, sizes, inputs, scratch[OUTPUT_SPACE:], outputs)
    # The published shape has faster kernels.
    elif sizes[1] == N_HIDDEN and sizes[2] == N_OUTPUTS and sizes[3] == 0:
        is_open = np.isnan(inputs[WIN_CHANCE])
        if not (is_open and forward_for_any_win_chance(weights, inputs, outputs)):
            look_up_late(view.table, view.seat, view.strength_tables, inputs)
            forward(weights, inputs, outputs)
    else:
        look_up_late(view.table, view.seat, view.strength_tables, inputs)
        forward_any(weights, sizes, inputs, scratch[OUTPUT_SPACE:], outputs)
    offer_weights(view, outputs)
