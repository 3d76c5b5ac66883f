"""What both Vexbots describe hands and decisions by: points of strength, cells, seats, actions."""

from __future__ import annotations

import numpy as np

from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel

N_CELLS = 20
"""Cells of a histogram of hand ranks, each 0.05 wide."""
N_POINTS = N_CELLS + 1
"""Edges of the cells: what depends on a hand's strength is known there, and linear between."""
N_SEATS = 2
BLIND, BUTTON = range(N_SEATS)
"""The seat of the Vexbot."""
FOLDS, CALLS, FIRST_RAISE = range(3)
"""Actions; in no-limit the classes of raises come from the last on."""

N_WEIGHTS = 4
DECAY, LOG_MIXING, DEFAULTS, WIDTH = range(N_WEIGHTS)
"""Weights of a player: its options."""

MOVES = [
    # How strength moves from street to street, rows sum to 1: from classes of hole cards to
    # points on the flop, from there to the turn, and to the river.
    ("to_flop", np.float32, (N_PREFLOP, N_POINTS)),
    ("to_turn", np.float32, (N_POINTS, N_POINTS)),
    ("to_river", np.float32, (N_POINTS, N_POINTS)),
]
"""Fields of every prior."""


def n_numbers(dtype: np.dtype[np.void]) -> int:
    """How many float32 numbers a record takes."""
    return dtype.itemsize // np.dtype(np.float32).itemsize


@inlined_kernel
def seat_of(table: TableRecord, own: Int) -> Int:
    """``BLIND`` or ``BUTTON``, for the seat of a player at a table."""
    return BUTTON if table.button == own else BLIND


@kernel
def add_to_points(points: F32, strength: Float, weight: Float) -> None:
    """Interpolate a strength in 0..1 between the two points next to it."""
    at = strength * N_CELLS
    cell: Int = np.int64(at)
    below = min(cell, N_CELLS - 1)
    part = at - below
    points[below] += np.float32(weight * (1.0 - part))
    points[below + 1] += np.float32(weight * part)


@kernel
def cell_of(strength: Float) -> Int:
    """The cell of a histogram that a hand rank falls into."""
    cell: Int = np.int64(strength * N_CELLS)
    return min(cell, N_CELLS - 1)
