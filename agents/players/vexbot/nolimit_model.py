"""Opponent model in no-limit: counts and estimates of its actions and shown hands."""

from __future__ import annotations

import numpy as np

from agents.players.vexbot.nolimit_records import N_ACTIONS, MemoryRecord, key_1, key_2, key_3
from agents.players.vexbot.nolimit_sequences import N_ENDS, N_SPOTS, coarse
from agents.players.vexbot.opponent_model import add_up, mix_coarsest, mix_level, observe
from agents.players.vexbot.records import CALLS, FIRST_RAISE, FOLDS, N_CELLS, cell_of
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel


@kernel
def observe_action(
    memory: MemoryRecord,
    seat: Int,
    street: Int,
    history_class: Int,
    spot: Int,
    action: Int,
    decay: Float,
) -> None:
    """Count an action of the opponent on all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: Seat of the Vexbot, ``BLIND`` or ``BUTTON``.
        street: Street of the action.
        history_class: History class of the street.
        spot: See ``nolimit_sequences.spot_of``.
        action: ``FOLDS``, ``CALLS`` or ``FIRST_RAISE`` plus a size class.
        decay: See ``opponent_model.observe``.
    """
    observe(memory.actions_1[key_1(N_SPOTS, seat, street, history_class, spot)], action, decay)
    observe(memory.actions_2[key_2(N_SPOTS, street, history_class, spot)], action, decay)
    observe(memory.actions_3[key_3(N_SPOTS, street, spot)], action, decay)
    observe(memory.actions_4[spot], action, decay)


@kernel
def observe_hand(
    memory: MemoryRecord,
    seat: Int,
    street: Int,
    history_class: Int,
    end: Int,
    strength: Float,
    decay: Float,
) -> None:
    """Count a hand shown by the opponent on all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: Seat of the Vexbot, ``BLIND`` or ``BUTTON``.
        street: The last street on which a player could bet.
        history_class: History class of this street.
        end: End of this street, see ``nolimit_sequences.end_of``.
        strength: Hand rank on the final board: the share of hands beaten, ties one half.
        decay: See ``opponent_model.observe``.
    """
    cell = cell_of(strength)
    observe(memory.ranks_1[key_1(N_ENDS, seat, street, history_class, end)], cell, decay)
    observe(memory.ranks_2[key_2(N_ENDS, street, history_class, end)], cell, decay)
    observe(memory.ranks_3[key_3(N_ENDS, street, end)], cell, decay)
    observe(memory.ranks_4[coarse(end)], cell, decay)


@kernel
def write_chances(
    memory: MemoryRecord,
    seat: Int,
    street: Int,
    history_class: Int,
    log_mixing: Float,
    plain: F32,
    chances: F32,
) -> None:
    """Write the opponent's action probabilities in every spot of a street, combining all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: Seat of the Vexbot, ``BLIND`` or ``BUTTON``.
        street: 0 to 3.
        history_class: History class of the street.
        log_mixing: See ``opponent_model.trust``.
        plain: ``(7,)`` scratch.
        chances: ``(12, 7)``, written.
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
def write_wins(
    memory: MemoryRecord,
    seat: Int,
    street: Int,
    history_class: Int,
    end: Int,
    log_mixing: Float,
    cells: F32,
    wins: F32,
) -> None:
    """Write the win probability at every final strength point, combining all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: Seat of the Vexbot, ``BLIND`` or ``BUTTON``.
        street: The last street on which a player could bet.
        history_class: History class of this street.
        end: End of this street.
        log_mixing: See ``opponent_model.trust``.
        cells: ``(40,)`` scratch.
        wins: ``(21,)``, written.
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
