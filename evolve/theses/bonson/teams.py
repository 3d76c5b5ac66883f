"""Teams of programs as genomes, for no-limit and for heads-up limit. Equal programs are identical.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), sections 4.1.2 to 4.1.4. A child starts with the programs of one parent, which it
shares; a mutation replaces a program by a changed copy only in the child.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, TypeAlias

import numpy as np

import agents
from agents.players.networks.network import count_inputs
from agents.theses.bonson.programs.instructions import (
    FIRST_INPUT,
    N_REGISTERS,
    OPERATORS,
    Instruction,
    Program,
    random_instruction,
    random_source,
)
from agents.theses.bonson.programs.layered_teams import LayeredTeamPlayer
from agents.theses.bonson.programs.limit_teams import LimitTeamPlayer
from agents.theses.bonson.programs.opponent_model import N_INPUTS
from agents.theses.bonson.programs.team_players import TeamPlayer
from evolve.files.safe import part, prefixed
from evolve.genomes.base import GenomeKind, Genomes, Parents, Variation
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import I64, AnyArray
from nlhe_env.spaces.actions import N_SIZED

Team: TypeAlias = tuple[Program, ...]
_INSTRUCTION_BYTES = 64
"""Estimated bytes of an instruction, a tuple of a few numbers."""


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


@dataclass(frozen=True, kw_only=True)
class TeamVariation(Variation):
    """Mutation alone: programs leave, join and change; the defaults are those of the thesis."""

    most_programs: ClassVar[int] = 16
    """Maximum number of programs in a team; the minimum is two, with different actions."""

    delete_program: ClassVar[float] = 0.7
    """A child loses one program if possible, with this probability a second one, with its square a
    third, and so on."""

    add_program: ClassVar[float] = 0.7
    """A child gains one program from any parent if possible, with this probability a second one,
    and so on."""

    mutate_program: ClassVar[float] = 0.2
    """Probability that a program is replaced by a mutated copy; at least one is."""

    least_instructions: ClassVar[int] = 5
    """Minimum number of instructions in a program."""

    most_instructions: ClassVar[int] = 40
    """Maximum number of instructions in a program."""

    delete_instruction: ClassVar[float] = 0.5
    """Probability that a copy loses an instruction."""

    change_instruction: ClassVar[float] = 1.0
    """Probability that part of an instruction is redrawn."""

    insert_instruction: ClassVar[float] = 0.5
    """Probability that a copy gains an instruction."""

    swap_instructions: ClassVar[float] = 1.0
    """Probability that two instructions are exchanged."""

    change_action: ClassVar[float] = 0.1
    """Probability that a copy bids for another action."""

    def new_program(self, action: int, n_inputs: int, rng: np.random.Generator) -> Program:
        """A program with random instructions."""
        least, most = self.least_instructions, self.most_instructions
        length = int(rng.integers(least, most, endpoint=True))
        return Program(action, tuple(random_instruction(n_inputs, rng) for _ in range(length)))

    def new_teams(
        self, n: int, n_actions: int, n_inputs: int, rng: np.random.Generator
    ) -> tuple[Team, ...]:
        """Teams of two random programs with different actions."""
        teams = list[Team]()
        for _ in range(n):
            actions = rng.choice(n_actions, size=2, replace=False).tolist()
            teams.append(tuple(self.new_program(each, n_inputs, rng) for each in actions))
        return tuple(teams)

    def children(self, parents: Parents[Teams], n: int, *, rng: np.random.Generator) -> Teams:
        """Children of one parent each."""
        possible = parents.genomes
        pool = shared_programs(possible.teams)
        children = list[Team]()
        for _ in range(n):
            parent = parents.draw_one(rng, alone=True).teams[0]
            children.append(self.child(parent, pool, possible.n_inputs, possible.n_actions, rng))
        return replace(possible, teams=tuple(children))

    def child(
        self,
        parent: Team,
        pool: Sequence[Program],
        n_inputs: int,
        n_actions: int,
        rng: np.random.Generator,
    ) -> Team:
        """A child of one parent, which may gain programs from the pool."""
        team = list(parent)
        self._delete(team, rng)
        self._add(team, pool, rng)
        self._mutate(team, n_inputs, n_actions, rng)
        return tuple(team)

    def _delete(self, team: list[Program], rng: np.random.Generator) -> None:
        chance = 1.0
        while len(team) > 2 and rng.random() < chance:
            i = int(rng.integers(len(team)))
            if is_team([*team[:i], *team[i + 1 :]]):
                del team[i]
            chance *= self.delete_program

    def _add(self, team: list[Program], pool: Sequence[Program], rng: np.random.Generator) -> None:
        chance = 1.0
        while len(team) < self.most_programs and rng.random() < chance:
            program = pool[int(rng.integers(len(pool)))]
            if program not in team:
                team.append(program)
            chance *= self.add_program

    def _mutate(
        self, team: list[Program], n_inputs: int, n_actions: int, rng: np.random.Generator
    ) -> None:
        chosen = np.flatnonzero(rng.random(len(team)) < self.mutate_program).tolist()
        for i in chosen or [int(rng.integers(len(team)))]:
            changed = self.changed(team[i], n_inputs, n_actions, rng)
            if is_team([*team[:i], changed, *team[i + 1 :]]):
                team[i] = changed
            elif len(team) < self.most_programs:
                team.append(changed)

    def changed(
        self, program: Program, n_inputs: int, n_actions: int, rng: np.random.Generator
    ) -> Program:
        """A changed copy of a program."""
        code, action = list(program.instructions), program.action
        if len(code) > self.least_instructions and rng.random() < self.delete_instruction:
            del code[int(rng.integers(len(code)))]
        if rng.random() < self.change_instruction:
            i = int(rng.integers(len(code)))
            code[i] = _with_new_part(code[i], n_inputs, rng)
        if len(code) < self.most_instructions and rng.random() < self.insert_instruction:
            code.insert(int(rng.integers(len(code) + 1)), random_instruction(n_inputs, rng))
        if rng.random() < self.swap_instructions:
            i, j = rng.integers(len(code), size=2).tolist()
            code[i], code[j] = code[j], code[i]
        if rng.random() < self.change_action:
            action = (action + int(rng.integers(1, n_actions))) % n_actions
        return Program(action, tuple(code))

    def describe(self, genomes: Teams) -> dict[str, float]:
        """Mean numbers of programs per team and of effective instructions per program."""
        programs = [program for team in genomes.teams for program in team]
        return {
            "programs": len(programs) / len(genomes),
            "effective_instructions": float(np.mean([len(each.effective()) for each in programs])),
        }


def is_team(programs: Sequence[Program]) -> bool:
    """Whether programs form a team: at least two, with at least two different actions."""
    return len({program.action for program in programs}) > 1


def shared_programs(teams: Sequence[Team]) -> tuple[Program, ...]:
    """Distinct programs of the teams, in order."""
    return tuple(dict.fromkeys(program for team in teams for program in team))


def _with_new_part(each: Instruction, n_inputs: int, rng: np.random.Generator) -> Instruction:
    """An instruction with a new random target, operator or source, of either kind."""
    part, reads_input = int(rng.integers(4)), each.source >= FIRST_INPUT
    if part == 0:
        return each._replace(source=random_source(not reads_input, n_inputs, rng))
    if part == 1:
        return each._replace(target=int(rng.integers(N_REGISTERS)))
    if part == 2:
        return each._replace(operator=int(rng.integers(len(OPERATORS))))
    return each._replace(source=random_source(reads_input, n_inputs, rng))


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
