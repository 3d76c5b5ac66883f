"""Pot networks as genomes: firm networks that bet as people do (``agents.PotNetworkPlayer``)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import agents
from agents.compiled.pot_networks import POT_NETWORK
from evolve.genomes.firm_networks import FirmNetworkKind, FirmNetworks


@dataclass(frozen=True, eq=False)
class PotNetworks(FirmNetworks):
    """Some pot networks with the same inputs and equally many layers."""

    player_class = agents.PotNetworkPlayer
    kind = POT_NETWORK

    def inclined(self, deviation: float, rng: np.random.Generator) -> agents.Field:
        """As other networks, and every second one raises by the published sizes.

        With a hundred big blinds these are anything from the least raise to many pots.
        """
        bent = self._inclined(deviation, rng)
        odd = replace(bent, weights=bent.weights[1::2], hidden=bent.hidden[1::2])
        published = FirmNetworks(odd.weights, odd.hidden, odd.inputs, odd.readings)
        return agents.join(bent[::2].pack(), published.pack())


@dataclass(frozen=True, kw_only=True)
class PotNetworkKind(FirmNetworkKind):
    """Firm networks whose raises are half the pot, the pot, and all-in."""

    made_of = PotNetworks

    inputs: str = "features_cash"
    """What a network sees: "features_cash", fourteen centred numbers that tell pot, position and
    raises, or any other observation of fixed size."""
