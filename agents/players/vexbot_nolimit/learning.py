"""Counts of the opponent's actions and hands shown, and the mixture of all levels."""

from __future__ import annotations

import numpy as np

from agents.players.vexbot.learning import add_up, mix_coarsest, mix_level, observe
from agents.players.vexbot.memory import N_CELLS, N_POINTS, cell_of
from agents.players.vexbot_nolimit.betting_sequences import N_ENDS, N_SPOTS, coarse
from agents.players.vexbot_nolimit.memory import (
    CALLS,
    FIRST_RAISE,
    FOLDS,
    N_ACTIONS,
    key_1,
    key_2,
    key_3,
)
from nlhe_env.jit.compilation import kernel


@kernel
def observe_action(memory, seat, street, history_class, spot, action, decay):
    """Count an action of the opponent, on all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: ``BLIND`` or ``BUTTON``, where the Vexbot sits.
        street: Street of the action.
        history_class: History class of the street.
        spot: See ``lines.spot_of``.
        action: ``FOLDS``, ``CALLS`` or ``FIRST_RAISE`` plus a class.
        decay: See ``observe``.
    """
    observe(memory.actions_1[key_1(N_SPOTS, seat, street, history_class, spot)], action, decay)
    observe(memory.actions_2[key_2(N_SPOTS, street, history_class, spot)], action, decay)
    observe(memory.actions_3[key_3(N_SPOTS, street, spot)], action, decay)
    observe(memory.actions_4[spot], action, decay)


@kernel
def observe_hand(memory, seat, street, history_class, end, strength, decay):
    """Count a hand that the opponent has shown, on all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: ``BLIND`` or ``BUTTON``, where the Vexbot sat.
        street: The last street on which a player could bet.
        history_class: History class of this street.
        end: How it ended, see ``lines.end_of``.
        strength: Share of hands that it beat on the last board, ties one half.
        decay: See ``observe``.
    """
    cell = cell_of(strength)
    observe(memory.ranks_1[key_1(N_ENDS, seat, street, history_class, end)], cell, decay)
    observe(memory.ranks_2[key_2(N_ENDS, street, history_class, end)], cell, decay)
    observe(memory.ranks_3[key_3(N_ENDS, street, end)], cell, decay)
    observe(memory.ranks_4[coarse(end)], cell, decay)


@kernel
def write_chances(memory, seat, street, history_class, log_mixing, plain, chances):
    """Write the opponent's action probabilities in every spot of a street: all levels together.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: ``BLIND`` or ``BUTTON``, where the Vexbot sits.
        street: 0 to 3.
        history_class: History class of the street.
        log_mixing: See ``vexbot.learning.trust``.
        plain: ``(7,)`` to work in.
        chances: ``(12, 7)`` is written.
    """
    plain[FOLDS], plain[CALLS] = 0.25, 0.5
    plain[FIRST_RAISE:N_ACTIONS] = np.float32(0.05)
    for spot in range(N_SPOTS):
        mixed = chances[spot]
        mixed[:] = np.float32(0.0)
        first = memory.actions_1[key_1(N_SPOTS, seat, street, history_class, spot)]
        left = mix_level(first, log_mixing, np.float32(1.0), mixed)
        second = memory.actions_2[key_2(N_SPOTS, street, history_class, spot)]
        left = mix_level(second, log_mixing, left, mixed)
        left = mix_level(memory.actions_3[key_3(N_SPOTS, street, spot)], log_mixing, left, mixed)
        mix_coarsest(memory.actions_4[spot], left, plain, mixed)


@kernel
def write_wins(memory, seat, street, history_class, end, log_mixing, cells, wins):
    """Write the chance to win a showdown at every point of strength on the last board: all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: ``BLIND`` or ``BUTTON``, where the Vexbot sits.
        street: The last street on which a player could bet.
        history_class: History class of this street.
        end: How it ended.
        log_mixing: See ``vexbot.learning.trust``.
        cells: ``(40,)`` to work in.
        wins: ``(21,)`` is written.
    """
    mixed, plain = cells[:N_CELLS], cells[N_CELLS : 2 * N_CELLS]
    plain[:] = np.float32(1.0 / N_CELLS)
    mixed[:] = np.float32(0.0)
    first = memory.ranks_1[key_1(N_ENDS, seat, street, history_class, end)]
    left = mix_level(first, log_mixing, np.float32(1.0), mixed)
    left = mix_level(
        memory.ranks_2[key_2(N_ENDS, street, history_class, end)], log_mixing, left, mixed
    )
    left = mix_level(memory.ranks_3[key_3(N_ENDS, street, end)], log_mixing, left, mixed)
    mix_coarsest(memory.ranks_4[coarse(end)], left, plain, mixed)
    add_up(mixed, wins)


@kernel
def carry(moves, later, now):
    """Write the values now for given values after the next card: means at every point.

    Args:
        moves: ``(21, 21)`` chances to move from point to point.
        later: ``(21,)`` values by the strength after it.
        now: ``(21,)`` is written.
    """
    for i in range(N_POINTS):
        total = np.float32(0.0)
        for j in range(N_POINTS):
            total += moves[i, j] * later[j]
        now[i] = total


@kernel
def weigh(points, later):
    """Mean value for one hand, by the distribution of its strengths after the next card."""
    total = np.float32(0.0)
    for i in range(N_POINTS):
        total += points[i] * later[i]
    return total
