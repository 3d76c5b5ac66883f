"""Genomes of networks that play their best output (``ArgmaxNetworkPlayer``)."""

from __future__ import annotations

from dataclasses import dataclass

from agents.players.networks import ArgmaxNetworkPlayer
from agents.players.networks.argmax_networks import ARGMAX_HIDDEN, ARGMAX_NETWORK
from agents.policy.action_interpretation import IllegalActionRule
from evolve.genomes.network_kind import NetworkKind
from evolve.genomes.networks import Networks


@dataclass(frozen=True, eq=False)
class ArgmaxNetworks(Networks):
    """Argmax networks with the same inputs and equally many layers."""

    player_class = ArgmaxNetworkPlayer
    kind = ARGMAX_NETWORK


@dataclass(frozen=True, kw_only=True)
class ArgmaxNetworkKind(NetworkKind):
    """Networks of hyperbolic tangents that play the action of the largest output.

    The scale of the output weights has no effect; initial weights have standard deviation 1.
    """

    made_of = ArgmaxNetworks
    player_kind = "argmax-network"
    first_deviation = 1.0

    inputs: str = "features_core"
    """Observation of a network: "features_core", ten centred numbers with the cards on the largest
    scale, or any other observation of fixed size."""

    hidden: tuple[int, ...] = ARGMAX_HIDDEN
    """Number of units in each hidden layer."""

    illegal_action: IllegalActionRule = "call"
    """Handling of illegal actions: "call" plays a check or an (all-in) call, as the static players
    do; "masked" plays the legal action with the largest output."""
