"""Teams of programs as genomes. Programs with equal content are identical."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

import agents
from agents.players.networks.network import count_inputs
from agents.theses.bonson.programs.instructions import Instruction, Program
from agents.theses.bonson.programs.team_players import TeamPlayer
from evolve.genomes.base import Genomes
from nlhe_env.jit.array_types import I64, AnyArray

Team: TypeAlias = tuple[Program, ...]


@dataclass(frozen=True, eq=False)
class Teams(Genomes):
    """Batch of teams.

    Attributes:
        teams: Programs of each team.
        inputs: Name of the observation of all teams.
        n_actions: Number of actions that programs bid for.
    """

    teams: tuple[Team, ...]
    inputs: str
    n_actions: int

    @property
    def n_inputs(self) -> int:
        """Number of inputs of programs."""
        return count_inputs(self.inputs)

    @classmethod
    def join(cls, *parts: Teams) -> Teams:
        """All teams of one or more groups, in order."""
        teams = tuple(team for part in parts for team in part.teams)
        return replace(parts[0], teams=teams)

    def __len__(self) -> int:
        return len(self.teams)

    def __getitem__(self, rows: slice | I64) -> Teams:
        chosen = np.arange(len(self))[rows]
        return replace(self, teams=tuple(self.teams[i] for i in chosen))

    def key(self, i: int) -> bytes:
        """Bytes that are equal for equal teams."""
        return repr(self.teams[i]).encode()

    def pack(self) -> agents.PlayerBatch:
        """The teams as a player batch."""
        return agents.pack_players([TeamPlayer(team, inputs=self.inputs) for team in self.teams])

    def player(self, i: int, *, name: str, origin: Mapping[str, Any] | None = None) -> TeamPlayer:
        """One of the teams as a player."""
        return TeamPlayer(self.teams[i], inputs=self.inputs, name=name, origin=origin)

    def to_arrays(self) -> dict[str, AnyArray]:
        """Programs of each team, action and length of each program, and all instruction codes."""
        programs = [program for team in self.teams for program in team]
        codes = [each.code for program in programs for each in program.instructions]
        return {
            "n_programs": np.array([len(team) for team in self.teams], np.int64),
            "actions": np.array([program.action for program in programs], np.int64),
            "lengths": np.array([len(program.instructions) for program in programs], np.int64),
            "codes": np.array(codes, np.int64),
        }

    def with_arrays(self, arrays: Mapping[str, AnyArray]) -> Teams:
        """Teams from the arrays of ``to_arrays``, with the same inputs and actions."""
        codes = iter(arrays["codes"].tolist())
        programs = (
            Program(action, tuple(Instruction.of_code(next(codes)) for _ in range(length)))
            for action, length in zip(
                arrays["actions"].tolist(), arrays["lengths"].tolist(), strict=True
            )
        )
        sizes = arrays["n_programs"].tolist()
        return replace(self, teams=tuple(tuple(islice(programs, n)) for n in sizes))
