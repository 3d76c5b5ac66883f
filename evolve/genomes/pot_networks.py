"""Pot networks as genomes: firm networks that bet as people do (``agents.PotNetworkPlayer``)."""

from __future__ import annotations

from dataclasses import dataclass

import agents
from agents.compiled.pot_networks import POT_NETWORK
from evolve.genomes.firm_networks import FirmNetworkKind, FirmNetworks


@dataclass(frozen=True, eq=False)
class PotNetworks(FirmNetworks):
    """Some pot networks with the same inputs and equally many layers."""

    player_class = agents.PotNetworkPlayer
    kind = POT_NETWORK


@dataclass(frozen=True, kw_only=True)
class PotNetworkKind(FirmNetworkKind):
    """Firm networks whose raises are half the pot, the pot, and all-in."""

    made_of = PotNetworks

    inputs: str = "features_cash"
    """What a network sees: "features_cash", fourteen centred numbers that tell pot, position and
    raises, or any other observation of fixed size."""
