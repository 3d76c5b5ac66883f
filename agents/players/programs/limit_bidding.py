"""Inputs, opponent memory and bidding of teams for fixed-limit.

Weights begin with the metrics of hole cards and the number of teams; then come the teams. The
memory is the model of the opponent, the inputs of the last decision, then six numbers for every
program: its registers, and its last bid.
"""

from __future__ import annotations

import numpy as np

from agents.players.programs.hand_metrics import hand_metrics, is_weak
from agents.players.programs.instructions import N_REGISTERS
from agents.players.programs.interpreter import run_program
from agents.players.programs.opponent_model import (
    CALLED,
    FOLDED,
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
from agents.policy.events import ACTED, HAND_BEGINS, HAND_ENDS, SHOWN
from agents.policy.view import CALL_ID
from nlhe_env.assessment.potential_kernels import SCRATCH, hand_strength
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, PREFLOP
from nlhe_env.jit.compilation import kernel

SCRATCH_NUMBERS = SCRATCH.itemsize // np.dtype(np.float32).itemsize
TABLE = 2 * N_PREFLOP
"""Offset of the number of teams in the weights."""
TEAMS = TABLE + 1
"""Offset of the first of them."""
INPUTS = MODEL
PROGRAMS = INPUTS + N_INPUTS
"""Offsets of the inputs and of the first program in the memory."""
OF_PROGRAM = N_REGISTERS + 1
_SMALL_BETS = 24.0  # that can be lost in a hand of four bets a round


@kernel
def _hole(table, seat, i):
    return np.int64(table.cards[2 * seat + i])


@kernel
def look(weights, memory, view):
    """Write the inputs of a decision."""
    table, seat = view.table, view.seat
    strength, potential = hand_metrics(
        _hole(table, seat, 0),
        _hole(table, seat, 1),
        table.cards[2 * table.seats : 2 * table.seats + 5],
        table.street,
        weights,
        view.scratch[:SCRATCH_NUMBERS].view(SCRATCH)[0],
    )
    has_button = seat == table.button
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
def may_raise(table):
    """Whether the cap of the round leaves room; no player is all-in in the right games."""
    return table.max_bets == 0 or table.bets < table.max_bets


@kernel
def let_bid(weights, at, memory, place, may_raise):
    """Run the programs of a team; those that bid for a raise only where one is possible.

    Args:
        weights: Weights of the player.
        at: Where the team begins in them.
        memory: Memory of the player.
        place: Offset of the team's first program in it.
        may_raise: Whether a raise is possible.

    Returns:
        Where the next team begins, in weights and memory.
    """
    inputs = memory[INPUTS : INPUTS + N_INPUTS]
    n_programs = np.int64(weights[at])
    at += 1
    for _ in range(n_programs):
        length = np.int64(weights[at + 1])
        registers = memory[place : place + N_REGISTERS]
        if weights[at] != RAISED or may_raise:
            run_program(weights, at + 2, length, inputs, registers)
        memory[place + N_REGISTERS] = registers[0]
        at += 2 + length
        place += OF_PROGRAM
    return at, place


@kernel
def decided(weights, at, memory, place, mask):
    """Action of a team that has bid: that of its highest bid among the legal ones.

    Returns:
        The action, and where the next team begins as for ``let_bid``.
    """
    action, has_bid, highest = np.int64(CALL_ID), False, np.float32(0.0)
    n_programs = np.int64(weights[at])
    at += 1
    for _ in range(n_programs):
        bids_for, bid = np.int64(weights[at]), memory[place + N_REGISTERS]
        if mask[bids_for] and (not has_bid or bid > highest):
            has_bid, action, highest = True, bids_for, bid
        at += 2 + np.int64(weights[at + 1])
        place += OF_PROGRAM
    return action, at, place


@kernel
def remember(memory, view, event):
    """Update the memory with an event; returns whether it is the player's turn."""
    table, seat = view.table, view.seat
    if event.what == HAND_BEGINS:
        begin_hand(memory)
        memory[PROGRAMS:] = np.float32(0.0)
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
    return (event.what == HAND_BEGINS or event.what == ACTED) and table.actor == seat
