"""Networks that play their best output, against a plain network in NumPy."""

import itertools

import numpy as np
import pytest

import agents
from agents.players.networks import ArgmaxNetworkPlayer, pack_networks
from agents.players.networks.argmax_networks import (
    ARGMAX_NETWORK,
    forward_argmax,
    forward_argmax_any,
)
from agents.players.networks.network import OUTPUT_SPACE, count_weights, layer_sizes
from agents.policy.action_probabilities import policy_of_inputs

N_INPUTS = 10


def outputs(weights: np.ndarray, hidden: tuple[int, ...], inputs: np.ndarray) -> np.ndarray:
    """The sums at the end of a network of hyperbolic tangents, ``(n_situations, 5)``."""
    sizes, values, first = (N_INPUTS, *hidden, 5), inputs.astype(np.float64), 0
    for i, (rows, columns) in enumerate(itertools.pairwise(sizes)):
        links = weights[first : first + (rows + 1) * columns].reshape(rows + 1, columns)
        values = values @ links[:-1] + links[-1]
        if i < len(hidden):
            values = np.tanh(values)
        first += (rows + 1) * columns
    return values


@pytest.mark.parametrize("hidden", [(4,), (3, 6), (2, 5, 3, 4)])
@pytest.mark.parametrize("impossible", ["call", "masked"])
def test_the_best_output_is_played(hidden, impossible):
    rng = np.random.default_rng(3)
    weights = rng.normal(size=(6, count_weights(N_INPUTS, hidden))).astype(np.float32)
    seen = rng.normal(size=(200, N_INPUTS)).astype(np.float32)
    masks = (rng.random((200, 5)) < 0.6).astype(np.int8)
    masks[:, 1] = 1  # the actor may always check or call
    batch = pack_networks(
        weights,
        inputs="features_core",
        hidden=hidden,
        interpretation=agents.ActionInterpretation(illegal_action=impossible),
        kind=ARGMAX_NETWORK,
    )
    chances = policy_of_inputs(batch, seen, masks)
    for i, genome in enumerate(weights):
        sums = outputs(genome, hidden, seen)
        if impossible == "masked":
            sums[masks == 0] = -np.inf
        best = sums.argmax(axis=1)
        best[masks[np.arange(200), best] == 0] = 1
        np.testing.assert_array_equal(chances[i], np.eye(5)[best])


@pytest.mark.parametrize(("n_inputs", "hidden"), [(10, 4), (14, 8), (10, 8), (14, 4)])
def test_specialised_kernels_equal_the_generic_kernel_bit_for_bit(n_inputs, hidden):
    rng = np.random.default_rng(6)
    sizes, units = layer_sizes(n_inputs, (hidden,)), np.zeros(64, np.float32)
    for _ in range(100):
        weights = rng.normal(size=count_weights(n_inputs, (hidden,))).astype(np.float32)
        inputs = rng.normal(0, 3, n_inputs).astype(np.float32)
        found, expected = np.zeros((2, OUTPUT_SPACE), np.float32)
        forward_argmax(weights, sizes, inputs, units, found)
        forward_argmax_any(weights, sizes, inputs, units, expected)
        np.testing.assert_array_equal(found[:5].view(np.int32), expected[:5].view(np.int32))


def test_scaling_output_weights_changes_no_decision():
    rng = np.random.default_rng(4)
    genome = rng.normal(size=count_weights(N_INPUTS, (4,))).astype(np.float32)
    longer = genome.copy()
    longer[(N_INPUTS + 1) * 4 :] *= 8.0  # a power of two: the same bits
    batch = agents.pack_players([ArgmaxNetworkPlayer(one) for one in (genome, longer)])
    seen = rng.normal(size=(500, N_INPUTS)).astype(np.float32)
    one, other = policy_of_inputs(batch, seen, np.ones((500, 5), np.int8))
    np.testing.assert_array_equal(one, other)


def test_weights_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="weights must be 69 finite numbers"):
        ArgmaxNetworkPlayer(np.zeros(68))
