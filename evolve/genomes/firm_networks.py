"""Firm networks as genomes: networks that play their best output (``agents.FirmNetworkPlayer``)."""

from __future__ import annotations

from dataclasses import dataclass

import agents
from agents.compiled.firm_networks import FIRM_HIDDEN, FIRM_NETWORK
from agents.compiled.readings import Impossible
from evolve.genomes.network_kind import NetworkKind
from evolve.genomes.networks import Networks


@dataclass(frozen=True, eq=False)
class FirmNetworks(Networks):
    """Some firm networks with the same inputs and equally many layers."""

    player_class = agents.FirmNetworkPlayer
    kind = FIRM_NETWORK


@dataclass(frozen=True, kw_only=True)
class FirmNetworkKind(NetworkKind):
    """Networks of hyperbolic tangents that play their best output.

    Only the directions of their weights matter at the outputs; first weights have deviation 1.
    """

    made_of = FirmNetworks
    first_deviation = 1.0

    inputs: str = "features_core"
    """What a network sees: "features_core", ten centred numbers with the cards on the largest
    scale, or any other observation of fixed size."""

    hidden: tuple[int, ...] = FIRM_HIDDEN
    """Units of the hidden layers."""

    impossible_action: Impossible = "call"
    """An action of a network that is not legal: "call", a check or an (all-in) call, as with the
    static players; or "masked", the best legal one is played."""
