"""Definitions shared by both Vexbots: strength points, histogram cells, seats, actions."""

from __future__ import annotations

import numpy as np

from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel

N_CELLS = 20
"""Number of cells of a hand-rank histogram, each 0.05 wide."""
N_POINTS = N_CELLS + 1
"""Number of strength points, the edges of the cells; values are interpolated between them."""
N_SEATS = 2
BLIND, BUTTON = range(N_SEATS)
"""The seat of the Vexbot."""
FOLDS, CALLS, FIRST_RAISE = range(3)
"""Actions; in no-limit, the size classes of raises begin at the last."""

N_WEIGHTS = 4
DECAY, LOG_MIXING, DEFAULTS, WIDTH = range(N_WEIGHTS)
"""Indices of the options in a player's weights."""

MOVES = [
    # Transition probabilities of strength: from hole-card classes to points on the flop, then to
    # the turn and to the river. Rows sum to 1.
    ("to_flop", np.float32, (N_PREFLOP, N_POINTS)),
    ("to_turn", np.float32, (N_POINTS, N_POINTS)),
    ("to_river", np.float32, (N_POINTS, N_POINTS)),
]
"""Fields of every prior."""


def n_numbers(dtype: np.dtype[np.void]) -> int:
    """Number of float32 numbers in a record."""
    return dtype.itemsize // np.dtype(np.float32).itemsize


@inlined_kernel
def seat_of(table: TableRecord, own: Int) -> Int:
    """Seat of a player, as ``BLIND`` or ``BUTTON``."""
    return BUTTON if table.button == own else BLIND


@kernel
def add_to_points(points: F32, strength: Float, weight: Float) -> None:
    """Add a weight at a strength in 0..1, split linearly between the two nearest points."""
    at = strength * N_CELLS
    cell: Int = np.int64(at)
    below = min(cell, N_CELLS - 1)
    part = at - below
    points[below] += np.float32(weight * (1.0 - part))
    points[below + 1] += np.float32(weight * part)


@kernel
def cell_of(strength: Float) -> Int:
    """Histogram cell of a hand rank."""
    cell: Int = np.int64(strength * N_CELLS)
    return min(cell, N_CELLS - 1)
