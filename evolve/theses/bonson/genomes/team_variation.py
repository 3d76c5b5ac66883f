"""Variation of teams of programs.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), sections 4.1.2 to 4.1.4. A child starts with the programs of one parent, which it
shares; a mutation replaces a program by a changed copy only in the child.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from agents.theses.bonson.programs.instructions import (
    FIRST_INPUT,
    N_REGISTERS,
    OPERATORS,
    Instruction,
    Program,
    random_instruction,
    random_source,
)
from evolve.genomes.base import Parents, Variation
from evolve.theses.bonson.genomes.teams import Team, Teams

MOST_INSTRUCTIONS = 10_000
"""Limit of a program, so that a team fits into memory; published programs have at most 40."""


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
