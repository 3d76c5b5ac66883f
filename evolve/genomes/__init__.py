"""Genomes: how they are made, vary, and become players.

A new kind is a ``GenomeKind``, its ``Genomes`` and its ``Variation``, made known by
``register_genomes``.
"""

from __future__ import annotations

from evolve.genomes.argmax_networks import ArgmaxNetworkKind
from evolve.genomes.ashe import AsheKind
from evolve.genomes.ashe_models import ModelKind
from evolve.genomes.base import ArrayGenomes, GenomeKind, Genomes, Parents, Variation
from evolve.genomes.network_kind import NetworkKind
from evolve.genomes.pot_sized_networks import PotSizedNetworkKind
from evolve.genomes.team_kind import TeamKind
from evolve.genomes.topographies import TopographyKind

__all__ = [
    "GENOMES",
    "ArrayGenomes",
    "GenomeKind",
    "Genomes",
    "Parents",
    "Variation",
    "register_genomes",
]

GENOMES: dict[str, type[GenomeKind]] = {
    "networks": NetworkKind,
    "argmax-networks": ArgmaxNetworkKind,
    "pot-sized-networks": PotSizedNetworkKind,
    "topographies": TopographyKind,
    "teams": TeamKind,
    "ashe": AsheKind,
    "ashe-2": ModelKind,
}
"""The kinds by the names that configurations give them."""


def register_genomes(name: str, kind: type[GenomeKind]) -> None:
    """Makes a kind of genome known to configurations.

    Raises:
        ValueError: There is another kind of this name.
    """
    if GENOMES.setdefault(name, kind) is not kind:
        raise ValueError(f"there is a kind of genomes named {name!r} already")
