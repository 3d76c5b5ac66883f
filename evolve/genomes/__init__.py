"""Genome kinds: creation, variation, and conversion to players.

A new kind consists of a ``GenomeKind``, its ``Genomes`` and its ``Variation``; ``register_genomes``
registers it, or it is named as ``FILE.py:NAME``.
"""

from __future__ import annotations

from evolve.genomes.argmax_networks import ArgmaxNetworkKind
from evolve.genomes.ashe import AsheKind
from evolve.genomes.ashe_models import ModelKind
from evolve.genomes.base import ArrayGenomes, GenomeKind, Genomes, Parents, Variation
from evolve.genomes.limit_teams import LimitTeamKind
from evolve.genomes.neat import NeatKind
from evolve.genomes.network_kind import NetworkKind
from evolve.genomes.pot_sized_networks import PotSizedNetworkKind
from evolve.genomes.team_kind import TeamKind
from evolve.genomes.topographies import TopographyKind
from nlhe_env.system.python_files import register_from_file

__all__ = [
    "GENOMES",
    "ArrayGenomes",
    "GenomeKind",
    "Genomes",
    "Parents",
    "Variation",
    "load_genomes",
    "register_genomes",
]

GENOMES: dict[str, type[GenomeKind]] = {
    "networks": NetworkKind,
    "argmax-networks": ArgmaxNetworkKind,
    "pot-sized-networks": PotSizedNetworkKind,
    "neat": NeatKind,
    "topographies": TopographyKind,
    "teams": TeamKind,
    "limit-teams": LimitTeamKind,
    "ashe": AsheKind,
    "ashe-2": ModelKind,
}
"""Genome kinds by their names in configurations."""


def register_genomes(name: str, kind: type[GenomeKind]) -> None:
    """Register a genome kind for configurations.

    Raises:
        ValueError: Another kind has this name.
    """
    if GENOMES.setdefault(name, kind) is not kind:
        raise ValueError(f"a kind of genomes named {name!r} already exists")


def load_genomes(name: str) -> None:
    """Registers the kind of a ``FILE.py:NAME`` under that name; ignores other names.

    Raises:
        ValueError: The file does not exist, or has no such kind.
        RuntimeError: The file raises an error.
    """
    register_from_file(GENOMES, name, "a kind of genomes", GenomeKind)
