"""Networks that gain or lose a hidden unit.

Nicolai's thesis (2008, section 6.2) leaves the number of hidden units for later work. Here a child
may gain a unit, whose outgoing links are zero so that the network decides as before until mutation
uses it, or lose one.
"""

from __future__ import annotations

import numpy as np

from agents.players.networks.network import count_inputs
from evolve.genomes.networks import Networks, layer_shapes
from nlhe_env.jit.array_types import F32

_FIRST_WEIGHT_DEVIATION = 0.5  # as in a first generation


def split_layers(genome: F32, n_inputs: int, hidden: list[int]) -> list[F32]:
    """The weights of each layer, ``(inputs + 1, units)``; the last row belongs to the bias."""
    layers, first = [], 0
    for rows, columns in layer_shapes(n_inputs, hidden):
        layers.append(genome[first : first + rows * columns].reshape(rows, columns))
        first += rows * columns
    return layers


def add_unit(
    genome: F32, n_inputs: int, hidden: list[int], *, layer: int, rng: np.random.Generator
) -> F32:
    """The genome with an additional last unit in hidden layer ``layer``.

    Its incoming weights are random as in a first generation, and its outgoing weights are zero, so
    the outputs of the network do not change.
    """
    layers = split_layers(genome, n_inputs, hidden)
    incoming = rng.normal(0.0, _FIRST_WEIGHT_DEVIATION, len(layers[layer]))
    layers[layer] = np.column_stack([layers[layer], incoming.astype(np.float32)])
    after = layers[layer + 1]
    # Insert before the last row, which is the bias.
    layers[layer + 1] = np.insert(after, len(after) - 1, np.float32(0.0), axis=0)
    return np.concatenate([weights.ravel() for weights in layers])


def remove_unit(genome: F32, n_inputs: int, hidden: list[int], *, layer: int, unit: int) -> F32:
    """The genome without one unit of hidden layer ``layer``."""
    layers = split_layers(genome, n_inputs, hidden)
    layers[layer] = np.delete(layers[layer], unit, axis=1)
    layers[layer + 1] = np.delete(layers[layer + 1], unit, axis=0)
    return np.concatenate([weights.ravel() for weights in layers])


def mutate_topology(
    networks: Networks, *, grow: float, shrink: float, rng: np.random.Generator
) -> Networks:
    """The networks, some with a unit added to or removed from a hidden layer.

    Args:
        networks: Networks, not modified.
        grow: Probability that a network gains a unit.
        shrink: Probability that a network loses a unit; the last unit of a layer stays.
        rng: Random generator.
    """
    n_inputs = count_inputs(networks.inputs)
    genomes, hidden = [], networks.hidden.copy()
    for i, sizes in enumerate(hidden):
        genome = networks.genome(i)
        grows, shrinks = rng.random(2) < (grow, shrink)
        if grows:
            layer = int(rng.integers(len(sizes)))
            genome = add_unit(genome, n_inputs, sizes.tolist(), layer=layer, rng=rng)
            sizes[layer] += 1
        if shrinks:
            layer = int(rng.integers(len(sizes)))
            if sizes[layer] > 1:
                unit = int(rng.integers(sizes[layer]))
                genome = remove_unit(genome, n_inputs, sizes.tolist(), layer=layer, unit=unit)
                sizes[layer] -= 1
        genomes.append(genome)
    return type(networks).of_genomes(genomes, hidden, networks.inputs, networks.interpretation)
