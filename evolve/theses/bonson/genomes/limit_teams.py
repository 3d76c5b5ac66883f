"""Teams of programs for heads-up limit, alone or in two layers, as genomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import agents
from agents.theses.bonson.programs.layered_teams import LayeredTeamPlayer
from agents.theses.bonson.programs.limit_teams import LimitTeamPlayer
from agents.theses.bonson.programs.opponent_model import N_INPUTS
from evolve.files.names import part, prefixed
from evolve.theses.bonson.genomes.team_kind import ProgramTeamKind
from evolve.theses.bonson.genomes.teams import Team, Teams
from nlhe_env.jit.array_types import I64, AnyArray


@dataclass(frozen=True, eq=False)
class LimitTeams(Teams):
    """Batch of teams for heads-up limit, with the inputs of ``LimitTeamPlayer``.

    Attributes:
        layered: Whether the programs of each team bid for teams of ``lower``, not for actions; all
            False if ``lower`` is empty.
        lower: Teams that the programs of layered teams bid for.
    """

    teams: tuple[Team, ...] = ()
    inputs: str = "limit"
    n_actions: int = 3
    layered: tuple[bool, ...] = ()
    lower: tuple[Team, ...] = ()

    def __post_init__(self) -> None:
        if not self.layered:
            object.__setattr__(self, "layered", (False,) * len(self.teams))

    @property
    def n_inputs(self) -> int:
        """Number of inputs of programs."""
        return N_INPUTS

    @classmethod
    def join(cls, *parts: Teams) -> LimitTeams:
        """All teams of one or more groups, in order, over the same lower teams."""
        limit_teams = [part for part in parts if isinstance(part, LimitTeams)]
        return cls(
            tuple(team for each in limit_teams for team in each.teams),
            layered=tuple(flag for each in limit_teams for flag in each.layered),
            lower=next((each.lower for each in limit_teams if each.lower), ()),
        )

    def __getitem__(self, rows: slice | I64) -> LimitTeams:
        chosen = np.arange(len(self))[rows].tolist()
        teams = tuple(self.teams[i] for i in chosen)
        return replace(self, teams=teams, layered=tuple(self.layered[i] for i in chosen))

    def key(self, i: int) -> bytes:
        """Bytes that are equal for equal teams."""
        return super().key(i) + (repr(self.lower).encode() if self.layered[i] else b"")

    def pack(self) -> agents.PlayerBatch:
        """The teams as a player batch."""
        return agents.pack_players([self.player(i, name=f"team {i}") for i in range(len(self))])

    def player(  # type: ignore[override]  # another kind of player
        self, i: int, *, name: str = "team", origin: Mapping[str, Any] | None = None
    ) -> agents.CompiledPlayer:
        """One of the teams as a fixed-limit player, for tables and predealt matches."""
        team = self.teams[i]
        if self.layered[i]:
            return LayeredTeamPlayer(team, self.lower, name=name, origin=origin)
        return LimitTeamPlayer(team, name=name, origin=origin)

    def to_arrays(self) -> dict[str, AnyArray]:
        """The teams, their layers, and the lower teams, as named arrays."""
        lower = Teams(self.lower, self.inputs, self.n_actions).to_arrays()
        layered = np.array(self.layered, np.bool_)
        return {**super().to_arrays(), "layered": layered, **prefixed("lower", lower)}

    def with_arrays(self, arrays: Mapping[str, AnyArray]) -> LimitTeams:
        """Teams from the arrays of ``to_arrays``."""
        none = Teams((), self.inputs, self.n_actions)
        teams = none.with_arrays(arrays).teams
        lower = none.with_arrays(part("lower", arrays)).teams
        return replace(self, teams=teams, layered=tuple(arrays["layered"].tolist()), lower=lower)


@dataclass(frozen=True, kw_only=True)
class LimitTeamKind(ProgramTeamKind):
    """Teams of programs for heads-up limit, with inputs about the opponent's past play."""

    player_kind = "limit-team"

    def none(self) -> LimitTeams:
        """An empty batch."""
        return LimitTeams()
