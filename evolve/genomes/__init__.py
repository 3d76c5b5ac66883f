"""Genome kinds: creation, variation, and conversion to players.

A new kind consists of a ``GenomeKind``, its ``Genomes`` and its ``Variation``; ``register_genomes``
registers it, or it is named as ``FILE.py:NAME``.
"""

from __future__ import annotations

from evolve.genomes.argmax_networks import ArgmaxNetworkKind
from evolve.genomes.base import ArrayGenomes, GenomeKind, Genomes, Parents, Variation
from evolve.genomes.neat import NeatKind
from evolve.genomes.network_kind import NetworkKind
from evolve.genomes.networks import Networks
from evolve.genomes.pot_sized_networks import PotSizedNetworkKind
from evolve.genomes.topographies import TopographyKind
from evolve.parts import Register

__all__ = [
    "GENOMES",
    "ArgmaxNetworkKind",
    "ArrayGenomes",
    "GenomeKind",
    "Genomes",
    "NetworkKind",
    "Networks",
    "Parents",
    "PotSizedNetworkKind",
    "Variation",
    "register_genomes",
]

GENOMES: Register[GenomeKind] = Register(
    "genomes",
    "a kind of genomes",
    {
        "networks": NetworkKind,
        "argmax-networks": ArgmaxNetworkKind,
        "pot-sized-networks": PotSizedNetworkKind,
        "neat": NeatKind,
        "topographies": TopographyKind,
    },
    GenomeKind,
)
"""Genome kinds by their names in configurations."""


def register_genomes(name: str, kind: type[GenomeKind]) -> None:
    """Register a genome kind for configurations.

    Raises:
        ValueError: Another kind has this name.
    """
    GENOMES.register(name, kind)
