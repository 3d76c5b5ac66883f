"""Teams for heads-up fixed-limit that remember their opponent, as players of any table.

They read the 14 inputs of ``opponent_model``, and the registers of their programs last for a hand.
Programs run when the player is put to act, as an event; the policy reads the bids from memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from agents.compiled.events import ACTED, HAND_BEGINS, HAND_ENDS, SHOWN
from agents.compiled.kinds import Kind, register_kind
from agents.compiled.players import CompiledPlayer
from agents.compiled.teams.hand_metrics import hand_metrics, is_weak, preflop_metrics
from agents.compiled.teams.interpreter import run_program
from agents.compiled.teams.opponent_model import (
    CALLED,
    FOLDED,
    INPUT_NAMES,
    MODEL,
    MOST,
    N_INPUTS,
    RAISED,
    begin_hand,
    end_hand,
    note_action,
    note_shown,
    write_inputs,
)
from agents.compiled.teams.programs import N_REGISTERS, Program
from agents.compiled.teams.team_players import MOST_PROGRAMS, from_weights, to_weights
from agents.compiled.view import CALL_ID, offer
from nlhe_env.arguments import whole_number
from nlhe_env.assessment.potential_kernels import SCRATCH, hand_strength
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD, PREFLOP
from nlhe_env.machine.array_types import F32, I64, Records
from nlhe_env.machine.compilation import kernel

_SCRATCH = SCRATCH.itemsize // np.dtype(np.float32).itemsize
_TABLE = preflop_metrics().size
"""Weights begin with what is known of hole cards; then comes the team."""
_INPUTS = MODEL  # in the memory, after the model of the opponent
_BIDS = _INPUTS + N_INPUTS
_REGISTERS = _BIDS + MOST_PROGRAMS
_MEMORY = _REGISTERS + N_REGISTERS * MOST_PROGRAMS
_SMALL_BETS = 24.0  # that can be lost in a hand of four bets a round


@kernel
def _hole(table, seat, i):
    return np.int64(table.cards[2 * seat + i])


@kernel
def _run_programs(weights, memory, view):
    """Look at the table, and let all programs bid."""
    table, seat = view.table, view.seat
    strength, potential = hand_metrics(
        _hole(table, seat, 0),
        _hole(table, seat, 1),
        table.cards[2 * table.seats : 2 * table.seats + 5],
        table.street,
        weights,
        view.scratch[:_SCRATCH].view(SCRATCH)[0],
    )
    has_button = seat == table.button
    inputs = memory[_INPUTS : _INPUTS + N_INPUTS]
    write_inputs(
        memory,
        strength,
        potential,
        amount_to_call(table),
        table.pot,
        has_button != (table.street == PREFLOP),
        table.street,
        inputs,
    )
    at = _TABLE + 1
    for i in range(np.int64(weights[_TABLE])):
        length = np.int64(weights[at + 1])
        first = _REGISTERS + i * N_REGISTERS
        if weights[at] != RAISED or _may_raise(table):
            run_program(weights, at + 2, length, inputs, memory[first : first + N_REGISTERS])
        memory[_BIDS + i] = memory[first]
        at += 2 + length


@kernel
def _may_raise(table):
    """Whether the cap of the round leaves room; who is all-in cannot be in the right games."""
    return table.max_bets == 0 or table.bets < table.max_bets


@kernel
def hear_limit(parameters, memory, view, event):
    """Remember what happens; when it is one's turn, let the programs bid."""
    table, seat = view.table, view.seat
    if event.what == HAND_BEGINS:
        begin_hand(memory)
        memory[_REGISTERS:_MEMORY] = np.float32(0.0)
    elif event.what == ACTED:
        action = CALLED if event.action == CHECK_OR_CALL else RAISED
        if event.action == FOLD:
            action = FOLDED
        note_action(memory, event.seat == seat, action, event.street)
    elif event.what == SHOWN:
        if event.seat != seat:
            strength = hand_strength(
                _hole(table, event.seat, 0),
                _hole(table, event.seat, 1),
                table.cards[2 * table.seats : 2 * table.seats + 5],
                5,
                None,
            )
            note_shown(memory, is_weak(strength))
    elif event.what == HAND_ENDS:
        won = np.float64(table.won[seat] - table.hand_bet[seat])
        chips = won / (_SMALL_BETS * table.big_blind) * MOST
        end_hand(memory, min(max(chips, -MOST), MOST))
    if (event.what == HAND_BEGINS or event.what == ACTED) and table.actor == seat:
        _run_programs(parameters.weights, memory, view)


@kernel
def limit_policy(parameters, memory, view):
    """The action of the highest bid among those that are legal."""
    weights, mask = parameters.weights, view.choices.mask
    action, has_bid, highest, at = np.int64(CALL_ID), False, np.float32(0.0), _TABLE + 1
    for i in range(np.int64(weights[_TABLE])):
        bids_for = np.int64(weights[at])
        bid = memory[_BIDS + i]
        if mask[bids_for] and (not has_bid or bid > highest):
            has_bid, action, highest = True, bids_for, bid
        at += 2 + np.int64(weights[at + 1])
    offer(view, action, 1.0)


def check_tables(tables: Records) -> None:
    """Accept tables of heads-up fixed-limit.

    Raises:
        ValueError: The game is another.
    """
    if (tables["betting"] != FIXED_LIMIT).any() or (tables["seats"] != 2).any():
        raise ValueError('a limit team plays heads-up with betting="fixed-limit" only')


class LimitTeamPlayer(CompiledPlayer):
    """A team of programs for heads-up fixed-limit that remembers its opponent.

    Args:
        programs: 1 to 64 of them, whose actions are 0 (fold), 1 (check or call) and 2 (raise), and
            whose inputs are those of ``inputs_are``.
        name: For tables and plots.
        origin: Where it comes from; plain values.

    Attributes:
        programs: Without their introns.

    Raises:
        ValueError: There are too few or too many programs, or one has another action or inputs.
    """

    inputs_are = INPUT_NAMES

    def __init__(
        self,
        programs: Iterable[Program],
        *,
        name: str = "limit-team",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        team = tuple(programs)
        whole_number("number of programs", len(team), least=1, most=MOST_PROGRAMS)
        for program in team:
            whole_number("action of a program", program.action, least=0, most=RAISED)
            if max(program.inputs(), default=0) >= N_INPUTS:
                raise ValueError(
                    f"a limit team has {N_INPUTS} inputs; a program reads number "
                    f"{max(program.inputs())}"
                )
        weights = np.concatenate([preflop_metrics().ravel(), to_weights(team)])
        super().__init__(name, LIMIT_TEAM, weights, origin=origin)
        self.programs = from_weights(self.weights[_TABLE:])

    def __str__(self) -> str:
        return "\n".join(map(str, self.programs))


def _restore(weights: F32, sizes: I64, inputs: str, **traits: Any) -> LimitTeamPlayer:
    return LimitTeamPlayer(from_weights(weights[_TABLE:]), **traits)


LIMIT_TEAM = register_kind(
    Kind(
        "limit-team",
        limit_policy,
        wants="table",
        hears=hear_limit,
        memory=_MEMORY,
        scratch=_SCRATCH,
        checks=check_tables,
        restore=_restore,
    )
)
