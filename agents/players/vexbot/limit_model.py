"""Opponent model in limit: counts and estimates of its actions and shown hands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.players.pseudo_optimal.book import MOST_BETS
from agents.players.vexbot.limit_records import (
    N_ACTIONS,
    N_TOTALS,
    RAISES,
    MemoryRecord,
    before_key,
    facing_key,
    last_key,
    line_key,
    pair_key,
    street_key,
    total_key,
)
from agents.players.vexbot.limit_sequences import CHECKED, N_CODES, node_number, owes
from agents.players.vexbot.opponent_model import add_up, mix_coarsest, mix_level, observe
from agents.players.vexbot.records import CALLS, FOLDS, N_CELLS, cell_of
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel


class DecisionPoint(NamedTuple):
    """A decision of the opponent, described by the preceding betting sequence."""

    street: Int
    beginning: Int
    """Number of the betting sequence before the street."""
    code: Int
    """Betting code of the street before the action."""
    seat: Int
    """Seat of the Vexbot, ``BLIND`` or ``BUTTON``."""
    own: Int
    """Bets and raises of the Vexbot on earlier streets."""
    opponent: Int
    """Bets and raises of the opponent on earlier streets."""


# --- counting ------------------------------------------------------------------------------------


@kernel
def observe_action(memory: MemoryRecord, point: DecisionPoint, action: Int, decay: Float) -> None:
    """Count an action of the opponent on all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        point: The decision point before the action.
        action: ``FOLDS``, ``CALLS`` or ``RAISES``.
        decay: See ``opponent_model.observe``.
    """
    street, beginning, code, _, own, opponent = point
    last = last_key(*point)
    observe(memory.actions_0[node_number(street, beginning, code)], action, decay)
    observe(memory.actions_1[last], action, decay)
    observe(memory.actions_2[before_key(street, code, own, opponent)], action, decay)
    observe(memory.actions_3[street_key(street, code)], action, decay)
    observe(memory.actions_4[facing_key(street, code)], action, decay)


@kernel
def observe_hand(
    memory: MemoryRecord,
    seat: Int,
    line: Int,
    own: Int,
    opponent: Int,
    strength: Float,
    decay: Float,
) -> None:
    """Count a hand shown by the opponent on all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: Seat of the Vexbot, ``BLIND`` or ``BUTTON``.
        line: Number of the betting line.
        own: Bets and raises of the Vexbot in the hand.
        opponent: Bets and raises of the opponent in the hand.
        strength: Hand rank on the final board: the share of hands beaten, ties one half.
        decay: See ``opponent_model.observe``.
    """
    cell = cell_of(strength)
    memory.shown[seat, line] = memory.shown[seat, line] * decay + np.float32(1.0)
    observe(memory.ranks_0[seat, line], cell, decay)
    observe(memory.ranks_1[line_key(seat, line)], cell, decay)
    observe(memory.ranks_2[pair_key(own, opponent)], cell, decay)
    observe(memory.ranks_3[opponent], cell, decay)
    observe(memory.ranks_4[total_key(own, opponent)], cell, decay)


# --- mixing --------------------------------------------------------------------------------------


@kernel
def mix_coarse(memory: MemoryRecord, log_mixing: Float, scratch: F32) -> None:
    """Write the mixture of levels 2 to 4 to ``memory.wins`` and ``memory.chances``.

    Args:
        memory: A record of dtype ``MEMORY``.
        log_mixing: See ``opponent_model.trust``.
        scratch: ``(2 * N_CELLS,)`` scratch.
    """
    mixed, plain = scratch[:N_CELLS], scratch[N_CELLS : 2 * N_CELLS]
    plain[:] = np.float32(1.0)
    for own in range(N_TOTALS):
        for opponent in range(N_TOTALS):
            key = pair_key(own, opponent)
            mixed[:] = np.float32(0.0)
            left = mix_level(memory.ranks_2[key], log_mixing, np.float32(1.0), mixed)
            left = mix_level(memory.ranks_3[opponent], log_mixing, left, mixed)
            mix_coarsest(memory.ranks_4[total_key(own, opponent)], left, plain, mixed)
            add_up(mixed, memory.wins[key])
    plain[FOLDS], plain[CALLS], plain[RAISES] = 0.25, 0.5, 0.25
    n_before = len(memory.chances) // len(memory.actions_3)
    for key in range(len(memory.chances)):
        of_street = key // n_before
        street, code = of_street // N_CODES, of_street % N_CODES
        chances = memory.chances[key]
        chances[:] = np.float32(0.0)
        left = mix_level(memory.actions_2[key], log_mixing, np.float32(1.0), chances)
        left = mix_level(memory.actions_3[of_street], log_mixing, left, chances)
        mix_coarsest(memory.actions_4[facing_key(street, code)], left, plain, chances)


@kernel
def _make_possible(street: Int, code: Int, chances: F32) -> None:
    """Move the probability of folds when checking is free, and of capped raises, to calls."""
    if not owes(street, code):
        chances[CALLS] += chances[FOLDS]
        chances[FOLDS] = np.float32(0.0)
    if code % CHECKED == MOST_BETS:
        chances[CALLS] += chances[RAISES]
        chances[RAISES] = np.float32(0.0)


@kernel
def write_wins(
    memory: MemoryRecord,
    seat: Int,
    line: Int,
    own: Int,
    opponent: Int,
    log_mixing: Float,
    cells: F32,
    wins: F32,
) -> None:
    """Write the showdown win probability after a betting sequence, combining all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: Seat of the Vexbot, ``BLIND`` or ``BUTTON``.
        line: Number of the betting line.
        own: Bets and raises of the Vexbot in the hand.
        opponent: Bets and raises of the opponent in the hand.
        log_mixing: See ``opponent_model.trust``.
        cells: ``(N_CELLS,)`` scratch.
        wins: ``(N_POINTS,)``, written.
    """
    for i in range(N_CELLS):
        cells[i] = np.float32(0.0)
    left: Float = np.float32(1.0)
    if memory.shown[seat, line] > 0.0:
        left = mix_level(memory.ranks_0[seat, line], log_mixing, left, cells)
    left = mix_level(memory.ranks_1[line_key(seat, line)], log_mixing, left, cells)
    coarse = memory.wins[pair_key(own, opponent)]
    total = np.float32(0.0)
    for i in range(N_CELLS):
        wins[i] = total + left * coarse[i]
        total += cells[i]
    wins[N_CELLS] = total + left * coarse[N_CELLS]


@kernel
def write_chances(
    memory: MemoryRecord, point: DecisionPoint, log_mixing: Float, chances: F32
) -> None:
    """Write the opponent's ``(3,)`` action probabilities at a decision point from all levels."""
    for i in range(N_ACTIONS):
        chances[i] = np.float32(0.0)
    street, beginning, code, _, own, opponent = point
    node, last = node_number(street, beginning, code), last_key(*point)
    coarse = memory.chances[before_key(street, code, own, opponent)]
    left = mix_level(memory.actions_0[node], log_mixing, np.float32(1.0), chances)
    left = mix_level(memory.actions_1[last], log_mixing, left, chances)
    for i in range(N_ACTIONS):
        chances[i] += left * coarse[i]
    _make_possible(street, code, chances)
