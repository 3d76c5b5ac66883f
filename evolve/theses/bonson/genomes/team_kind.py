"""Settings of team genomes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from agents.players.networks.network import count_inputs
from evolve.genomes.base import GenomeKind
from evolve.theses.bonson.genomes.team_variation import TeamVariation
from evolve.theses.bonson.genomes.teams import Teams
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import AnyArray
from nlhe_env.spaces.actions import N_SIZED

_INSTRUCTION_BYTES = 64
"""Estimated bytes of an instruction, a tuple of a few numbers."""


class ProgramTeamKind(GenomeKind):
    """Base class of team kinds, for any inputs and bids of the programs."""

    variation = TeamVariation

    def genome_bytes(self, variation: TeamVariation) -> int:
        """Bytes of the instructions of two programs of medium length."""
        return _INSTRUCTION_BYTES * (variation.least_instructions + variation.most_instructions)

    @abstractmethod
    def none(self) -> Teams:
        """No teams."""

    def first(self, n: int, variation: TeamVariation, *, rng: np.random.Generator) -> Teams:
        """Teams of two random programs with different actions."""
        none = self.none()
        return replace(none, teams=variation.new_teams(n, none.n_actions, none.n_inputs, rng))

    def from_arrays(self, arrays: Mapping[str, AnyArray]) -> Teams:
        """Teams from the arrays of ``to_arrays``."""
        return self.none().with_arrays(arrays)


@dataclass(frozen=True, kw_only=True)
class TeamKind(ProgramTeamKind):
    """Teams of programs."""

    player_kind = "team"

    inputs: str = "features_unit"
    """Observation of the programs."""

    n_actions: int = N_SIZED
    """Number of actions that programs bid for: 5, or 3 in fixed-limit (fold, check or call,
    raise)."""

    def __post_init__(self) -> None:
        count_inputs(self.inputs)
        whole_number("n_actions", self.n_actions, least=2, most=N_SIZED)

    def none(self) -> Teams:
        """No teams."""
        return Teams((), self.inputs, self.n_actions)
