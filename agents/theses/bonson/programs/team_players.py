"""Teams of programs as players: every program bids, and the highest bid decides the action.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), section 4.1. Details that the thesis leaves open follow the code published with
it: only programs with a legal action bid, the first of equal bids wins, and a team without a legal
bid checks or calls.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.players.networks.network import count_inputs
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import MOST_WHOLE, Kind, register_kind, whole_weight
from agents.policy.view import Parameters, View, offer
from agents.theses.bonson.programs.instructions import (
    FIRST_INPUT,
    N_REGISTERS,
    Instruction,
    Program,
    run_program,
)
from nlhe_env.arguments import array, whole_number
from nlhe_env.jit.array_types import F32, AnyArray, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import CALL_ID, N_SIZED

MOST_PROGRAMS = 64
_HEADER = 2  # per program: action and number of instructions


class Bid(NamedTuple):
    """Bid of a program."""

    program: Program
    bid: float
    is_legal: bool


def winner(bids: Sequence[Bid]) -> int | None:
    """Index of the highest legal bid, the first of equals; None if there is none."""
    legal = [i for i, bid in enumerate(bids) if bid.is_legal]
    return max(legal, key=lambda i: bids[i].bid, default=None)


def to_weights(programs: Sequence[Program]) -> F32:
    """Weights of a team: number of programs, then each one's action, length and code.

    Introns are omitted.
    """
    numbers: list[int] = [len(programs)]
    for program in programs:
        code = [each.code for each in program.effective()]
        numbers += [program.action, len(code), *code]
    return np.array(numbers, np.float32)


def n_weights(programs: Sequence[Program]) -> int:
    """Length of ``to_weights`` for programs without introns."""
    return 1 + sum(_HEADER + len(program.instructions) for program in programs)


def from_weights(weights: F32) -> tuple[Program, ...]:
    """Programs, without introns, from ``to_weights``.

    Raises:
        ValueError: The weights do not describe a team.
    """
    programs, at = list[Program](), 1
    try:
        for _ in range(whole_weight(weights, 0, MOST_PROGRAMS)):
            action = whole_weight(weights, at, MOST_WHOLE)
            length = whole_weight(weights, at + 1, len(weights) - at - _HEADER)
            at += _HEADER
            code = [whole_weight(weights, at + i, MOST_WHOLE) for i in range(length)]
            at += length
            programs.append(Program(action, tuple(Instruction.of_code(each) for each in code)))
    except ValueError as error:
        raise ValueError(f"weights do not describe a team of programs: {error}") from None
    return tuple(programs)


def check_programs(team: Sequence[Program], n_actions: int, n_inputs: int) -> None:
    """Check the number of programs of a team, and their actions and inputs.

    Raises:
        ValueError: There are too few or too many programs, or one has an unknown action or input.
    """
    whole_number("number of programs", len(team), least=1, most=MOST_PROGRAMS)
    for program in team:
        whole_number("action of a program", program.action, least=0, most=n_actions - 1)
        # All instructions, since the kernel loads the sources of introns as well.
        last = max((each.source for each in program.instructions), default=0) - FIRST_INPUT
        if last >= n_inputs:
            raise ValueError(f"there are {n_inputs} inputs; a program reads number {last}")


def checked_mask(mask: AnyArray) -> AnyArray:
    """Validated ``(5,)`` mask of legal actions."""
    return array("mask", mask, (N_SIZED,), least=0, most=1)


@kernel
def team_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action of the highest legal bid."""
    codes, mask = parameters.weights, view.choices.mask
    registers = view.scratch[:N_REGISTERS]
    at: Int
    action, highest, at = np.int64(CALL_ID), np.float32(0.0), 1
    has_bid = False
    for _ in range(np.int64(codes[0])):
        bids_for, length = np.int64(codes[at]), np.int64(codes[at + 1])
        at += _HEADER
        if mask[bids_for]:
            registers[:] = np.float32(0.0)
            run_program(codes, at, length, view.inputs, registers)
            if not has_bid or registers[0] > highest:
                has_bid, action, highest = True, bids_for, registers[0]
        at += length
    offer(view, action, 1.0)


class TeamPlayer(CompiledPlayer):
    """A team of programs; it always takes the action of the highest legal bid.

    Args:
        programs: 1 to 64 programs, whose actions are ids of the sized encoding, 0 to 4.
        inputs: Observation read by the programs, such as ``"features_unit"``.
        name: Name for tables and plots.
        origin: Origin as plain values, such as experiment and generation.

    Raises:
        ValueError: There are too few or too many programs, an action is unknown, or a program reads
            an input that the observation does not have.
    """

    def __init__(
        self,
        programs: Iterable[Program],
        *,
        inputs: str = "features_unit",
        name: str = "team",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        team = tuple(programs)
        whole_number("number of programs", len(team), least=1, most=MOST_PROGRAMS)
        super().__init__(name, TEAM, to_weights(team), inputs, origin=origin)

    @functools.cached_property
    def programs(self) -> tuple[Program, ...]:
        """The programs without introns."""
        return from_weights(self.weights)

    def bids(self, inputs: F32, mask: AnyArray) -> list[Bid]:
        """Bids of all programs.

        Args:
            inputs: ``(n_inputs,)`` observation of the team.
            mask: ``(5,)`` mask, 1 for legal actions.

        Raises:
            ValueError: An array has another shape or value.
        """
        seen = array("inputs", inputs, (count_inputs(self.inputs),), dtype=np.float32)
        mask = checked_mask(mask)
        found = []
        for program in self.programs:
            code = np.array([each.code for each in program.instructions], np.float32)
            registers = np.zeros(N_REGISTERS, np.float32)
            run_program(code, 0, len(code), seen, registers)
            found.append(Bid(program, float(registers[0]), bool(mask[program.action])))
        return found

    def __str__(self) -> str:
        return "\n".join(map(str, self.programs))


def _check_player(player: CompiledPlayer) -> None:
    check_programs(from_weights(player.weights), N_SIZED, count_inputs(player.inputs))


TEAM = register_kind(
    Kind(
        "team",
        team_policy,
        wants="inputs",
        scratch=N_REGISTERS,
        looks_up=True,
        checks_player=_check_player,
        player_class=TeamPlayer,
        explained_by="agents.theses.bonson.programs.explain",
    )
)
