"""Genomes of networks that play their best output (``agents.ArgmaxNetworkPlayer``)."""

from __future__ import annotations

from dataclasses import dataclass

import agents
from agents.players.networks.argmax_networks import ARGMAX_HIDDEN, ARGMAX_NETWORK
from agents.policy.action_interpretation import IllegalActionRule
from evolve.genomes.network_kind import NetworkKind
from evolve.genomes.networks import Networks


@dataclass(frozen=True, eq=False)
class ArgmaxNetworks(Networks):
    """Argmax networks with the same inputs and equally many layers."""

    player_class = agents.ArgmaxNetworkPlayer
    kind = ARGMAX_NETWORK


@dataclass(frozen=True, kw_only=True)
class ArgmaxNetworkKind(NetworkKind):
    """Networks of hyperbolic tangents that play the action of the largest output.

    The scale of the output weights has no effect; initial weights have standard deviation 1.
    """

    made_of = ArgmaxNetworks
    first_deviation = 1.0

    inputs: str = "features_core"
    """Observation of a network: "features_core", ten centred numbers with the cards on the largest
    scale, or any other observation of fixed size."""

    hidden: tuple[int, ...] = ARGMAX_HIDDEN
    """Units of the hidden layers."""

    illegal_action: IllegalActionRule = "call"
    """An action of a network that is not legal: "call", a check or an (all-in) call, as with the
    static players; or "masked", the best legal one is played."""
