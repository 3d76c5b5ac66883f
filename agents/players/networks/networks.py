"""Networks as players, singly or as a player batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agents.players.networks import network
from agents.policy.action_interpretation import DEFAULT_INTERPRETATION, ActionInterpretation
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind
from agents.policy.player_batch import PlayerBatch, distinct_rows
from agents.policy.view import MOST_SIZES
from nlhe_env.arguments import array
from nlhe_env.jit.array_types import F32, I64
from nlhe_env.spaces.observations import find_observation


class NetworkPlayer(CompiledPlayer):
    """A network with stochastic output; by default of the published shape, 35-20-5.

    Args:
        weights: ``(n_weights,)`` genome, laid out as in ``agents.players.networks.network``; 825
            weights by default.
        inputs: ``"features"`` (raw chips, as published), ``"features_scaled"``,
            ``"features_opponents"`` or ``"features_unit"``: the observation used in training.
        hidden: Units of one to four hidden layers.
        name: Name for tables and plots.
        origin: Origin as plain values, such as experiment and generation.
        interpretation: Interpretation of illegal actions.

    Raises:
        ValueError: The weights have another shape or are not finite.
    """

    def __init__(
        self,
        weights: Any,
        *,
        inputs: str = "features_scaled",
        hidden: Sequence[int] = network.PUBLISHED,
        name: str = "network",
        origin: Mapping[str, Any] | None = None,
        interpretation: ActionInterpretation = DEFAULT_INTERPRETATION,
    ) -> None:
        genome, sizes = checked_genome(weights, inputs, hidden)
        super().__init__(name, NETWORK, genome, inputs, sizes, origin, interpretation, checked=True)

    @property
    def hidden(self) -> tuple[int, ...]:
        """Units of the hidden layers."""
        return hidden_units(self.sizes)


def checked_genome(weights: Any, inputs: str, hidden: Sequence[int]) -> tuple[F32, I64]:
    """Validated weights of a network as stored, and the units of its layers.

    Raises:
        ValueError: The weights do not fit the network or are not finite.
    """
    n_inputs = network.count_inputs(inputs)
    sizes = network.layer_sizes(n_inputs, hidden)
    n_weights = network.count_weights(n_inputs, hidden)
    genome = np.ascontiguousarray(weights, np.float32)
    if genome.shape != (n_weights,) or not np.isfinite(genome).all():
        raise ValueError(f"weights must be {n_weights} finite numbers; got shape {genome.shape}")
    return genome, sizes


def hidden_units(sizes: I64) -> tuple[int, ...]:
    """Units of the hidden layers, from the sizes of a network."""
    return tuple(int(n) for n in sizes if n > 0)[1:-1]


def check_network(player: CompiledPlayer) -> None:
    """Check that a player's sizes describe a network with its inputs.

    Raises:
        ValueError: The sizes do not.
    """
    sizes = network.layer_sizes(network.count_inputs(player.inputs), hidden_units(player.sizes))
    if (player.sizes != sizes).any():
        raise ValueError(f"sizes must be {sizes.tolist()}; got {player.sizes.tolist()}")


NETWORK = register_kind(
    Kind(
        "network",
        network.network_policy,
        wants="inputs",
        scratch=network.count_scratch,
        n_weights=network.count_weights_of,
        looks_up=True,
        looks_up_late=True,
        checks_player=check_network,
        player_class=NetworkPlayer,
    )
)


def pack_networks(
    weights: F32,
    inputs: str = "features_scaled",
    hidden: Sequence[int] | I64 = network.PUBLISHED,
    interpretation: ActionInterpretation = DEFAULT_INTERPRETATION,
    kind: Kind = NETWORK,
) -> PlayerBatch:
    """A player batch of networks.

    Args:
        weights: ``(n, n_weights)`` genomes, with optional trailing padding.
        inputs: Observation of all networks.
        hidden: Units of the hidden layers: the same for all, or ``(n, depth)`` with zeros where a
            network has fewer layers.
        interpretation: Interpretation of illegal actions by all networks.
        kind: Kind of the players, with this layout of weights.

    Raises:
        ValueError: The genomes are too short for the networks, or not finite.
    """
    genomes: F32 = array("weights", weights, (None, None), dtype=np.float32)
    observation = find_observation(inputs, argument="inputs", of_fixed_size=True)
    shapes, which = distinct_rows(
        np.broadcast_to(np.asarray(hidden, np.int64), (len(genomes), np.shape(hidden)[-1]))
    )
    sizes = np.zeros((len(shapes), MOST_SIZES), np.int64)
    for i, shape in enumerate(shapes):
        sizes[i] = network.layer_sizes(observation.size or 0, [int(n) for n in shape if n > 0])
    first = np.zeros(len(genomes), np.int64)
    return PlayerBatch(
        (kind,),
        first,
        (observation,),
        first,
        sizes[which],
        genomes,
        np.full(len(genomes), interpretation.code, np.int64),
    )
