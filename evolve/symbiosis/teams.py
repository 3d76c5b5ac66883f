"""Teams in evolution: their programs, what they have done, and how they are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import agents
from agents import Program
from agents.matches import MatchPlayer, layered_match_player, team_match_player
from evolve.genomes.teams import Team, Teams
from nlhe_env.jit.array_types import F64, AnyArray


@dataclass(frozen=True, eq=False)
class LimitTeams(Teams):
    """Genomes that are teams for heads-up limit, with the inputs of ``agents.LimitTeamPlayer``."""

    teams: tuple[Team, ...] = ()
    inputs: str = "limit"
    n_actions: int = 3

    def pack(self) -> agents.PlayerBatch:
        """The teams as players of a field."""
        return agents.pack_players([self.player(i, name=f"team {i}") for i in range(len(self))])

    def player(  # type: ignore[override]  # another kind of player
        self, i: int, *, name: str, origin: Mapping[str, Any] | None = None
    ) -> agents.LimitTeamPlayer:
        """One of them as a player."""
        return agents.LimitTeamPlayer(self.teams[i], name=name, origin=origin)


@dataclass(eq=False)
class Individual:
    """A team with what is known of it.

    Attributes:
        programs: Its programs.
        active: Those that have won a bid in its life.
        fitness: Mean score in the last generation.
        letters: Its behaviour there as text.
        below: In the second layer, the teams that its programs bid for.
    """

    programs: Team
    active: set[Program] = field(default_factory=set)
    fitness: float = 0.0
    letters: bytes = b""
    below: tuple[Team, ...] = ()

    def player(self, name: str = "team") -> MatchPlayer:
        """The team as a player of matches."""
        if self.below:
            return layered_match_player(self.programs, self.below, name)
        return team_match_player(self.programs, name)

    def table_player(self, name: str, origin: Mapping[str, Any]) -> agents.CompiledPlayer:
        """The team as a player of any table of fixed-limit."""
        if self.below:
            return agents.LayeredTeamPlayer(self.programs, self.below, name=name, origin=origin)
        return agents.LimitTeamPlayer(self.programs, name=name, origin=origin)

    def may_lose(self, program: Program) -> bool:
        """Whether it is a team without a program: two of them, with different actions."""
        remaining = [other for other in self.programs if other != program]
        return len({other.action for other in remaining}) > 1

    def without(self, program: Program) -> None:
        """Lose a program."""
        self.programs = tuple(other for other in self.programs if other != program)
        self.active.discard(program)

    def drop_idle(self) -> None:
        """Lose all programs that never won a bid, as far as it stays a team."""
        for program in self.programs:
            if program not in self.active and self.may_lose(program):
                self.without(program)


def to_arrays(individuals: Sequence[Individual]) -> dict[str, AnyArray]:
    """Teams, their active programs, fitness and behaviour as text, as named arrays."""
    arrays = LimitTeams(tuple(each.programs for each in individuals)).to_arrays()
    flags = [program in each.active for each in individuals for program in each.programs]
    texts = [each.letters for each in individuals]
    return arrays | {
        "active": np.array(flags, np.bool_),
        "fitness": np.array([each.fitness for each in individuals]),
        "letters": np.frombuffer(b"".join(texts), np.uint8),
        "letter_counts": np.array([len(text) for text in texts], np.int64),
        "layered": np.array([bool(each.below) for each in individuals], np.bool_),
    }


def from_arrays(arrays: Mapping[str, AnyArray], below: tuple[Team, ...] = ()) -> list[Individual]:
    """The teams that ``to_arrays`` wrote, over the teams of a first layer."""
    found, at, letter = list[Individual](), 0, 0
    teams = LimitTeams().with_arrays(arrays).teams
    fitness: F64 = arrays["fitness"]
    text = arrays["letters"].tobytes()
    for team, value, count, layered in zip(
        teams,
        fitness.tolist(),
        arrays["letter_counts"].tolist(),
        arrays["layered"].tolist(),
        strict=True,
    ):
        flags = arrays["active"][at : at + len(team)].tolist()
        active = {program for program, flag in zip(team, flags, strict=True) if flag}
        behaviour = text[letter : letter + count]
        found.append(Individual(team, active, value, behaviour, below if layered else ()))
        at, letter = at + len(team), letter + count
    return found


def shared(individuals: Sequence[Individual]) -> tuple[Program, ...]:
    """All programs, each once, in order."""
    return tuple(dict.fromkeys(program for each in individuals for program in each.programs))


def frozen(individual: Individual) -> Individual:
    """A copy that does not change with it."""
    return replace(individual, active=set(individual.active))
