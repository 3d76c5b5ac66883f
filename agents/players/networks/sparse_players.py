"""Sparse networks as players, with one output per action."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.players.networks.network import N_OUTPUTS, OUTPUT_SPACE, count_inputs
from agents.players.networks.sparse_network import (
    ACTIVATIONS,
    LINK_NUMBERS,
    NODE_NUMBERS,
    SparseNetwork,
    count_weights_of,
)
from agents.policy.action_interpretation import DEFAULT_INTERPRETATION, ActionInterpretation
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, make_sizes, register_kind
from agents.policy.view import Parameters, View, offer_weights
from nlhe_env.arguments import array
from nlhe_env.jit.array_types import F32, I64, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.portable_math import sigmoid32, tanh32

_SIGMOID, _TANH, _RELU = (ACTIVATIONS.index(name) for name in ("sigmoid", "tanh", "relu"))
_ZERO, _LIMIT = np.float32(0.0), np.float32(60.0)
_SIGMOID_SLOPE, _TANH_SLOPE = np.float32(5.0), np.float32(2.5)


@kernel
def activate(code: Int, total: Float) -> Float:
    """Value of a node, given the code of its activation and its sum."""
    if code == _SIGMOID:
        return sigmoid32(max(-_LIMIT, min(_LIMIT, _SIGMOID_SLOPE * total)))
    if code == _TANH:
        return tanh32(max(-_LIMIT, min(_LIMIT, _TANH_SLOPE * total)))
    if code == _RELU:
        return max(_ZERO, total)
    return total


@kernel
def forward_sparse(weights: F32, sizes: I64, inputs: F32, values: F32, outputs: F32) -> None:
    """Forward pass of a sparse network, node by node in the order of its record.

    Args:
        weights: Record from ``SparseNetwork.to_weights``; trailing numbers are ignored.
        sizes: Number of inputs, outputs, nodes and links.
        inputs: ``(sizes[0],)`` float32.
        values: ``(sizes[0] + sizes[2],)`` float32 scratch: inputs, then nodes.
        outputs: ``(sizes[1],)`` float32, written.
    """
    n_inputs, n_outputs = sizes[0], sizes[1]
    for i in range(n_inputs):
        values[i] = inputs[i]
    at: Int = np.int64(n_outputs)
    for k in range(sizes[2]):
        total: Any = weights[at + 1]
        n_links = np.int64(weights[at + 2])
        code = np.int64(weights[at])
        at += NODE_NUMBERS
        # Every source has a smaller index, so that its value is already computed.
        for _ in range(n_links):
            total += weights[at + 1] * values[np.int64(weights[at])]
            at += LINK_NUMBERS
        values[n_inputs + k] = activate(code, total)
    for k in range(n_outputs):
        outputs[k] = values[np.int64(weights[k])]


@kernel
def sparse_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the five actions, weighted by the outputs of a sparse network."""
    scratch = view.scratch
    outputs = scratch[:OUTPUT_SPACE]
    sizes = parameters.traits.sizes
    forward_sparse(parameters.weights, sizes, view.inputs, scratch[OUTPUT_SPACE:], outputs)
    offer_weights(view, outputs)


def network_outputs(network: SparseNetwork, inputs: Any) -> F32:
    """Outputs of a network, computed by the kernel used in play.

    Args:
        network: A network with any number of inputs and outputs.
        inputs: ``(n, n_inputs)`` numbers.

    Returns:
        ``(n, n_outputs)`` float32.

    Raises:
        ValueError: The inputs have another shape or are not finite.
    """
    rows = array("inputs", inputs, (None, network.n_inputs), dtype=np.float32)
    weights, sizes = network.to_weights(), make_sizes(*network.sizes)
    values = np.zeros(network.n_inputs + len(network.nodes), np.float32)
    outputs = np.zeros((len(rows), network.n_outputs), np.float32)
    for row, output in zip(rows, outputs, strict=True):
        forward_sparse(weights, sizes, row, values, output)
    return outputs


class SparseNetworkPlayer(CompiledPlayer):
    """A sparse network with stochastic output, such as one evolved by NEAT.

    Args:
        network: A network with one input for each number of ``inputs`` and five outputs: fold,
            call, small, medium, large raise. Negative outputs count as 0.
        inputs: Observation that the network was trained on, of fixed size.
        name: Name for tables and plots.
        origin: Origin as plain values, such as experiment and generation.
        interpretation: Interpretation of illegal actions.

    Raises:
        ValueError: The network has another number of inputs or outputs, or is not finite.
    """

    def __init__(
        self,
        network: SparseNetwork,
        *,
        inputs: str = "features_scaled",
        name: str = "sparse network",
        origin: Mapping[str, Any] | None = None,
        interpretation: ActionInterpretation = DEFAULT_INTERPRETATION,
    ) -> None:
        weights, sizes = network.to_weights(), make_sizes(*network.sizes)
        super().__init__(name, SPARSE_NETWORK, weights, inputs, sizes, origin, interpretation)

    @functools.cached_property
    def network(self) -> SparseNetwork:
        """The network, without nodes that no output depends on."""
        return SparseNetwork.from_weights(self.weights, self.sizes)


def _count_scratch(sizes: I64) -> int:
    return OUTPUT_SPACE + int(sizes[0] + sizes[2])


def _check_player(player: CompiledPlayer) -> None:
    n_inputs, n_outputs = (int(n) for n in player.sizes[:2])
    expected = count_inputs(player.inputs), N_OUTPUTS
    if (n_inputs, n_outputs) != expected:
        raise ValueError(
            f"a network for inputs {player.inputs!r} must have {expected[0]} inputs and "
            f"{expected[1]} outputs; got {n_inputs} and {n_outputs}"
        )
    SparseNetwork.from_weights(player.weights, player.sizes)


SPARSE_NETWORK = register_kind(
    Kind(
        "sparse-network",
        sparse_policy,
        wants="inputs",
        scratch=_count_scratch,
        n_weights=count_weights_of,
        checks_player=_check_player,
        player_class=SparseNetworkPlayer,
    )
)
