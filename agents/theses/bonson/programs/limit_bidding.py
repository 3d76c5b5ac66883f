"""Inputs, opponent memory and bidding of fixed-limit teams.

Weights begin with the metrics of hole cards and the number of teams, followed by the teams. For
precomputed hands, the player's book is a record of dtype ``DEAL``. The memory holds the opponent
model, the inputs of the last decision, and six numbers per program: its registers and its last bid.
"""

from __future__ import annotations

import numpy as np

from agents.exploitability.hand_metrics import DEAL, hand_metrics, is_weak
from agents.policy.events import ACTED, HAND_BEGINS, HAND_ENDS, SHOWN, EventRecord
from agents.policy.view import Parameters, View
from agents.theses.bonson.programs.instructions import N_REGISTERS, run_program
from agents.theses.bonson.programs.opponent_model import (
    MODEL,
    MOST,
    N_INPUTS,
    begin_hand,
    end_hand,
    note_action,
    note_shown,
    write_inputs,
)
from nlhe_env.assessment.potential_kernels import SCRATCH, hand_strength
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.action_kinds import RAISES, action_kind_of
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import PREFLOP, RIVER, TableRecord
from nlhe_env.jit.array_types import F32, I8, Float, Int, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.jit.record_pointers import record_pointer
from nlhe_env.spaces.actions import CALL_ID

SCRATCH_NUMBERS = SCRATCH.itemsize // np.dtype(np.float32).itemsize
TABLE = 2 * N_PREFLOP
"""Offset of the number of teams in the weights."""
TEAMS = TABLE + 1
"""Offset of the first team in the weights."""
INPUTS = MODEL
PROGRAMS = INPUTS + N_INPUTS
"""Offsets of the inputs and of the first program in the memory."""
OF_PROGRAM = N_REGISTERS + 1
ALL_LEGAL: I8 = np.zeros(0, np.int8)
"""Mask for ``highest_bid`` with all actions legal."""
_SMALL_BETS = 24.0  # maximum loss per hand with four bets a round

_deal_at = record_pointer(DEAL)


@inlined_kernel
def _side(table: TableRecord, seat: Int) -> Int:
    """Side of a seat in a record of dtype ``DEAL``: 0 has the button."""
    return np.int64(seat != table.button)


@kernel
def own_metrics(parameters: Parameters, view: View) -> tuple[Float, Float]:
    """Strength and effective potential of the player's hand, see ``hand_metrics``."""
    table, seat = view.table, view.seat
    if parameters.traits.book != 0:
        deal, side = _deal_at(parameters.traits.book), _side(table, seat)
        strength, potential = deal.strength[side, table.street], deal.potential[side, table.street]
        return np.float64(strength), np.float64(potential)
    hole_0, hole_1 = hole_cards(table, seat)
    return hand_metrics(
        hole_0,
        hole_1,
        table.cards[2 * table.seats : 2 * table.seats + 5],
        table.street,
        parameters.weights,
        view.scratch[:SCRATCH_NUMBERS].view(SCRATCH)[0],
    )


@kernel
def _shown_strength(parameters: Parameters, table: TableRecord, seat: Int) -> Float:
    """Strength of a hand shown after the river."""
    if parameters.traits.book != 0:
        deal = _deal_at(parameters.traits.book)
        return np.float64(deal.strength[_side(table, seat), RIVER])
    board = table.cards[2 * table.seats : 2 * table.seats + 5]
    hole_0, hole_1 = hole_cards(table, seat)
    return hand_strength(hole_0, hole_1, board, 5, None)


@kernel
def look(parameters: Parameters, memory: F32, view: View) -> None:
    """Write the inputs of a decision."""
    table = view.table
    strength, potential = own_metrics(parameters, view)
    has_button = view.seat == table.button
    write_inputs(
        memory,
        strength,
        potential,
        amount_to_call(table),
        table.pot,
        has_button != (table.street == PREFLOP),
        table.street,
        memory[INPUTS : INPUTS + N_INPUTS],
    )


@kernel
def may_raise(table: TableRecord) -> Truth:
    """Whether the round's cap allows a raise; players are never all-in in these games."""
    return table.max_bets == 0 or table.bets < table.max_bets


@kernel
def let_bid(weights: F32, at: Int, memory: F32, place: Int, may_raise: Truth) -> tuple[Int, Int]:
    """Run the programs of a team; those for a raise run only if one is possible.

    Args:
        weights: Weights of the player.
        at: Offset of the team in the weights.
        memory: Memory of the player.
        place: Offset of the team's first program in the memory.
        may_raise: Whether a raise is possible.

    Returns:
        Offsets of the next team in weights and memory.
    """
    inputs = memory[INPUTS : INPUTS + N_INPUTS]
    n_programs = np.int64(weights[at])
    at += 1
    for _ in range(n_programs):
        length = np.int64(weights[at + 1])
        registers = memory[place : place + N_REGISTERS]
        if weights[at] != RAISES or may_raise:
            run_program(weights, at + 2, length, inputs, registers)
        memory[place + N_REGISTERS] = registers[0]
        at += 2 + length
        place += OF_PROGRAM
    return at, place


@kernel
def highest_bid(weights: F32, at: Int, memory: F32, place: Int, mask: I8) -> tuple[Int, Int]:
    """The program of a team with the highest legal bid, and its action.

    Args:
        weights: Weights of the player.
        at: Offset of the team in the weights.
        memory: Memory of the player.
        place: Offset of the team's first program in the memory.
        mask: Mask of legal actions; empty if all are legal.

    Returns:
        The number of the program (the first of equal bids) and its action; -1 and check or call if
        there is no legal bid.
    """
    highest: Float = np.float32(0.0)
    winner: Int = np.int64(-1)
    action: Int = np.int64(CALL_ID)
    n_programs = np.int64(weights[at])
    at += 1
    for i in range(n_programs):
        bid_at: Int = place + N_REGISTERS
        bids_for, bid = np.int64(weights[at]), memory[bid_at]
        if (len(mask) == 0 or mask[bids_for]) and (winner < 0 or bid > highest):
            winner, action, highest = np.int64(i), bids_for, bid
        at += 2 + np.int64(weights[at + 1])
        place += OF_PROGRAM
    return winner, action


@kernel
def team_after(weights: F32, at: Int, place: Int) -> tuple[Int, Int]:
    """Offsets of the next team in weights and memory."""
    n_programs = np.int64(weights[at])
    at += 1
    for _ in range(n_programs):
        at += 2 + np.int64(weights[at + 1])
    return at, place + OF_PROGRAM * n_programs


@kernel
def remember(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> Truth:
    """Update the memory with an event; returns whether it is the player's turn."""
    table, seat = view.table, view.seat
    if event.what == HAND_BEGINS:
        begin_hand(memory)
        memory[PROGRAMS:] = np.float32(0.0)
    elif event.what == ACTED:
        note_action(memory, event.seat == seat, action_kind_of(event.action), event.street)
    elif event.what == SHOWN:
        if event.seat != seat:
            strength = _shown_strength(parameters, table, event.seat)
            note_shown(memory, is_weak(strength))
    elif event.what == HAND_ENDS:
        won = np.float64(table.won[seat] - table.hand_bet[seat])
        chips = won / (_SMALL_BETS * table.big_blind) * MOST
        end_hand(memory, min(max(chips, -MOST), MOST))
    return (event.what == HAND_BEGINS or event.what == ACTED) and table.actor == seat
