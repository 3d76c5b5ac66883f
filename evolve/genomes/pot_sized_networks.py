"""Genomes of argmax networks that bet by the pot (``PotSizedNetworkPlayer``)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import agents
from agents.players.networks import PotSizedNetworkPlayer
from agents.players.networks.argmax_networks import POT_SIZED_NETWORK
from evolve.genomes.argmax_networks import ArgmaxNetworkKind, ArgmaxNetworks


@dataclass(frozen=True, eq=False)
class PotSizedNetworks(ArgmaxNetworks):
    """Pot-sized networks with the same inputs and equally many layers."""

    player_class = PotSizedNetworkPlayer
    kind = POT_SIZED_NETWORK

    def with_random_bias(self, deviation: float, rng: np.random.Generator) -> agents.PlayerBatch:
        """The networks with a random bias; every second one uses the published raise sizes.

        With a hundred big blinds these range from the minimum raise to many pots.
        """
        biased = self._biased(deviation, rng)
        odd = replace(biased, weights=biased.weights[1::2], hidden=biased.hidden[1::2])
        published = ArgmaxNetworks(odd.weights, odd.hidden, odd.inputs, odd.interpretation)
        return agents.concat(biased[::2].pack(), published.pack())


@dataclass(frozen=True, kw_only=True)
class PotSizedNetworkKind(ArgmaxNetworkKind):
    """Argmax networks with raises of half the pot, the pot, and all-in."""

    made_of = PotSizedNetworks
    player_kind = "pot-sized-network"

    inputs: str = "features_cash"
    """Observation of a network: "features_cash", fourteen centred numbers about pot, position and
    raises, or any other observation of fixed size."""
