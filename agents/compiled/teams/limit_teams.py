"""Teams for heads-up fixed-limit that remember their opponent, as players of any table.

They read the 14 inputs of ``opponent_model``, and the registers of their programs last for a hand.
Programs run when the player is put to act, as an event; the policy reads the bids from memory.
Several teams may play together: then each has a vote.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from agents.compiled.events import ACTED, HAND_BEGINS, HAND_ENDS, SHOWN
from agents.compiled.kinds import Kind, make_sizes, register_kind, row
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
from agents.compiled.teams.team_players import MOST_PROGRAMS, Bid, from_weights, to_weights
from agents.compiled.view import CALL_ID, offer
from nlhe_env.arguments import whole_number
from nlhe_env.assessment.potential_kernels import SCRATCH, hand_strength
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD, PREFLOP
from nlhe_env.machine.array_types import F32, I64, AnyArray, Records
from nlhe_env.machine.compilation import kernel

_SCRATCH = SCRATCH.itemsize // np.dtype(np.float32).itemsize
_TABLE = 2 * N_PREFLOP
"""Weights begin with what is known of hole cards; then comes the team."""
_INPUTS = MODEL  # in the memory, after the model of the opponent
_PROGRAMS = _INPUTS + N_INPUTS
_OF_PROGRAM = N_REGISTERS + 1
"""Numbers in the memory for every program: its registers, and what it bid last."""
MOST_TEAMS = 64
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
    at, place = _TABLE + 1, _PROGRAMS
    for _ in range(np.int64(weights[_TABLE])):
        n_programs = np.int64(weights[at])
        at += 1
        for _ in range(n_programs):
            length = np.int64(weights[at + 1])
            registers = memory[place : place + N_REGISTERS]
            if weights[at] != RAISED or _may_raise(table):
                run_program(weights, at + 2, length, inputs, registers)
            memory[place + N_REGISTERS] = registers[0]
            at += 2 + length
            place += _OF_PROGRAM


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
        memory[_PROGRAMS:] = np.float32(0.0)
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
    """What most teams vote for: each the action of its highest bid among those that are legal.

    Of equal numbers of votes to check or call wins, then to raise.
    """
    weights, mask = parameters.weights, view.choices.mask
    folds, calls, raises = 0, 0, 0
    at, place = _TABLE + 1, _PROGRAMS + N_REGISTERS
    for _ in range(np.int64(weights[_TABLE])):
        n_programs = np.int64(weights[at])
        at += 1
        action, has_bid, highest = np.int64(CALL_ID), False, np.float32(0.0)
        for _ in range(n_programs):
            bids_for, bid = np.int64(weights[at]), memory[place]
            if mask[bids_for] and (not has_bid or bid > highest):
                has_bid, action, highest = True, bids_for, bid
            at += 2 + np.int64(weights[at + 1])
            place += _OF_PROGRAM
        folds += action == FOLDED
        calls += action == CALLED
        raises += action == RAISED
    choice = np.int64(CALLED)
    if raises > calls or folds > calls:
        choice = np.int64(RAISED if raises >= folds else FOLDED)
    offer(view, choice, 1.0)


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
        weights, sizes = _pack([tuple(programs)])
        super().__init__(name, LIMIT_TEAM, weights, sizes=sizes, origin=origin)
        self.programs = from_weights(self.weights[_TABLE + 1 :])

    def inputs_in(self, memory: F32) -> F32:
        """``(14,)`` what its programs read last, from its row of memory."""
        return np.asarray(memory[_INPUTS : _INPUTS + N_INPUTS].copy())

    def bids_in(self, memory: F32, mask: AnyArray) -> list[Bid]:
        """What its programs bid last, from its row of memory.

        Args:
            memory: Of this player.
            mask: ``(5,)`` 1 for legal actions.
        """
        bids = memory[_PROGRAMS + N_REGISTERS :: _OF_PROGRAM].tolist()
        return [
            Bid(program, bid, bool(mask[program.action]))
            for program, bid in zip(self.programs, bids, strict=False)
        ]

    def __str__(self) -> str:
        return "\n".join(map(str, self.programs))


class VotingPlayer(CompiledPlayer):
    """Several limit teams that share what they remember of the opponent, and vote.

    Args:
        teams: 1 to 64 teams, as ``LimitTeamPlayer`` takes them.
        name: For tables and plots.
        origin: Where it comes from; plain values.

    Attributes:
        teams: Without introns.

    Raises:
        ValueError: There are too few or too many teams, or one is not possible.
    """

    def __init__(
        self,
        teams: Iterable[Sequence[Program]],
        *,
        name: str = "limit-vote",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        weights, sizes = _pack([tuple(team) for team in teams])
        super().__init__(name, LIMIT_TEAM, weights, sizes=sizes, origin=origin)
        self.teams = _unpack(self.weights)


def _pack(teams: Sequence[tuple[Program, ...]]) -> tuple[F32, I64]:
    """Weights and sizes of some teams."""
    whole_number("number of teams", len(teams), least=1, most=MOST_TEAMS)
    for team in teams:
        whole_number("number of programs", len(team), least=1, most=MOST_PROGRAMS)
        for program in team:
            whole_number("action of a program", program.action, least=0, most=RAISED)
            if max(program.inputs(), default=0) >= N_INPUTS:
                raise ValueError(
                    f"a limit team has {N_INPUTS} inputs; a program reads number "
                    f"{max(program.inputs())}"
                )
    weights = [preflop_metrics().ravel(), row(len(teams)), *map(to_weights, teams)]
    return np.concatenate(weights), make_sizes(len(teams), sum(map(len, teams)))


def _unpack(weights: F32) -> tuple[tuple[Program, ...], ...]:
    """The teams that ``_pack`` was given.

    Raises:
        ValueError: These are not their weights.
    """
    teams, at = list[tuple[Program, ...]](), _TABLE + 1
    for _ in range(int(weights[_TABLE])):
        team = from_weights(weights[at:])
        teams.append(team)
        at += len(to_weights(team))
    return tuple(teams)


def _restore(
    weights: F32, sizes: I64, inputs: str, **traits: Any
) -> LimitTeamPlayer | VotingPlayer:
    teams = _unpack(weights)
    return LimitTeamPlayer(teams[0], **traits) if len(teams) == 1 else VotingPlayer(teams, **traits)


def _memory(sizes: I64) -> int:
    return _PROGRAMS + _OF_PROGRAM * int(sizes[1])


LIMIT_TEAM = register_kind(
    Kind(
        "limit-team",
        limit_policy,
        wants="table",
        hears=hear_limit,
        memory=_memory,
        scratch=_SCRATCH,
        checks=check_tables,
        two_calls=True,
        restore=_restore,
        tells="agents.compiled.teams.telling",
    )
)
