"""The public API of ``agents.players.networks``, with the modules that define it."""

from agents.players.networks.argmax_networks import ArgmaxNetworkPlayer as ArgmaxNetworkPlayer
from agents.players.networks.argmax_networks import (
    MixedPotSizedNetworkPlayer as MixedPotSizedNetworkPlayer,
)
from agents.players.networks.argmax_networks import (
    PotSizedNetworkPlayer as PotSizedNetworkPlayer,
)
from agents.players.networks.lstm import RecurrentPlayer as RecurrentPlayer
from agents.players.networks.network import PUBLISHED as PUBLISHED
from agents.players.networks.network import count_weights as count_weights
from agents.players.networks.networks import NetworkPlayer as NetworkPlayer
from agents.players.networks.networks import pack_networks as pack_networks
from agents.players.networks.sparse_network import NetworkLink as NetworkLink
from agents.players.networks.sparse_network import NetworkNode as NetworkNode
from agents.players.networks.sparse_network import SparseNetwork as SparseNetwork
from agents.players.networks.sparse_network import SparseNetworkPlayer as SparseNetworkPlayer
from agents.players.networks.sparse_network import network_outputs as network_outputs
