"""Statistics of a Vexbot: opponent counts (memory) and prior.

Hands are described by their rank, on a histogram of cells or on the points between them.

Every observation is counted on five levels of abstraction, from the exact betting line to the
coarsest class (Billings 2006, 4.6.2). Levels 2 to 4 of hands shown are groups named in the thesis,
which leaves open their order and the levels of actions. Level 1 is ours, because later bets carry
more information.

=====  ==============================================  ==========================================
level  hands shown                                     actions
=====  ==============================================  ==========================================
0      the seat and the exact line                     the exact line
1      lines on turn and river, and what each player   lines on the street and the one before, and
       raised before, up to three                      what each raised before that, up to two
2      bets and raises of each player                  line on the street, and what each player
                                                       raised on the streets before, up to three
3      bets and raises of the opponent                 line on the street
4      bets and raises of both, up to eight            bets and raises on the street, up to two
=====  ==============================================  ==========================================
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from agents.theses.billings.vexbot.betting_sequences import (
    MOST_RAISES,
    N_BEGINNINGS,
    N_CODES,
    N_ENDS,
    N_LINES,
    N_NODES,
    owes,
    raises_of,
    raises_of_button,
)
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.table import PREFLOP, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int, Record
from nlhe_env.jit.compilation import inlined_kernel, kernel

N_CELLS = 20
"""Number of cells of a hand-rank histogram, each 0.05 wide."""
N_POINTS = N_CELLS + 1
"""Number of strength points, the edges of the cells; values are interpolated between them."""
N_SEATS = 2
BLIND, BUTTON = range(N_SEATS)
"""The seat of the Vexbot."""
N_ACTIONS = 3
FOLDS, CALLS, RAISES = range(N_ACTIONS)
"""Actions: all bets and raises have one size."""

N_WEIGHTS = 4
DECAY, LOG_MIXING, DEFAULTS, WIDTH = range(N_WEIGHTS)
"""Indices of the options in a player's weights."""


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


N_TOTALS = MOST_RAISES + 1
N_PAIRS = N_TOTALS**2
_MOST_BEFORE = 3
_N_BEFORE = (_MOST_BEFORE + 1) ** 2
_MOST_EARLIER = 2
_N_EARLIER = (_MOST_EARLIER + 1) ** 2
N_STREET_NODES = 4 * N_CODES
N_FACING = 3

_COARSE = [
    ("ranks_1", np.float32, (N_ENDS**2 * _N_BEFORE, N_CELLS)),
    ("ranks_2", np.float32, (N_PAIRS, N_CELLS)),
    ("ranks_3", np.float32, (N_TOTALS, N_CELLS)),
    ("ranks_4", np.float32, (N_TOTALS, N_CELLS)),
    ("actions_1", np.float32, (N_STREET_NODES * N_CODES * _N_EARLIER, N_ACTIONS)),
    ("actions_2", np.float32, (N_STREET_NODES * _N_BEFORE, N_ACTIONS)),
    ("actions_3", np.float32, (N_STREET_NODES, N_ACTIONS)),
    ("actions_4", np.float32, (N_FACING, N_ACTIONS)),
]

MEMORY = np.dtype(
    [
        *_COARSE,
        ("hands", np.float32),
        ("next_look", np.float32, (N_SEATS,)),  # number of hands at which values are recomputed
        ("code", np.float32),  # betting code of the street
        # Exact lines; hands shown are stored under the seat of the Vexbot.
        ("ranks_0", np.float32, (N_SEATS, N_LINES, N_CELLS)),
        ("shown", np.float32, (N_SEATS, N_LINES)),  # number of hands, with the same decay
        ("actions_0", np.float32, (N_NODES, N_ACTIONS)),
        # Derived and occasionally recomputed: the coarse levels combined, and the values of streets
        # in small bets by strength point and preceding line.
        ("wins", np.float32, (N_PAIRS, N_POINTS)),  # win probability against hands shown
        ("chances", np.float32, (N_STREET_NODES * _N_BEFORE, N_ACTIONS)),
        ("flops", np.float32, (N_SEATS, N_BEGINNINGS[1], N_POINTS)),
        ("turns", np.float32, (N_SEATS, N_BEGINNINGS[2], N_POINTS)),
        ("rivers", np.float32, (N_SEATS, N_BEGINNINGS[3], N_POINTS)),
    ]
)
"""Memory of a player; all fields are float32."""
MemoryRecord: TypeAlias = Record
"""A record of dtype ``MEMORY``."""
N_MEMORY = n_numbers(MEMORY)

PRIOR = np.dtype(
    [
        # Prior of a new opponent, with a mass of 1 in each context.
        *_COARSE,
        # Transition probabilities of strength: from hole-card classes to points on the flop, then
        # to the turn and to the river. Rows sum to 1.
        ("to_flop", np.float32, (N_PREFLOP, N_POINTS)),
        ("to_turn", np.float32, (N_POINTS, N_POINTS)),
        ("to_river", np.float32, (N_POINTS, N_POINTS)),
    ]
)
PriorRecord: TypeAlias = Record
"""A record of dtype ``PRIOR``."""


@kernel
def line_key(seat: Int, line: Int) -> Int:
    """Level 1 of hands shown: lines on turn and river, and earlier raises."""
    before = line // N_ENDS**2
    own: Int = np.int64(0)
    opponent: Int = np.int64(0)
    for street in range(2):
        code = (before // N_ENDS if street == PREFLOP else before % N_ENDS) + 1
        mine = raises_in_seat(street, code, seat)
        own += mine
        opponent += raises_of(street, code) - mine
    earlier = min(own, _MOST_BEFORE) * (_MOST_BEFORE + 1) + min(opponent, _MOST_BEFORE)
    return line % N_ENDS**2 * _N_BEFORE + earlier


@inlined_kernel
def pair_key(own: Int, opponent: Int) -> Int:
    """Level 2 of hands shown, by both players' bets and raises; level 3 is by the opponent's."""
    return own * N_TOTALS + opponent


@inlined_kernel
def total_key(own: Int, opponent: Int) -> Int:
    """Level 4 of hands shown."""
    return min(own + opponent, MOST_RAISES)


@kernel
def last_key(street: Int, beginning: Int, code: Int, seat: Int, own: Int, opponent: Int) -> Int:
    """Level 1 of actions: the line on the previous street, and earlier raises."""
    last: Int = np.int64(0)
    if street > PREFLOP:
        last = beginning % N_ENDS + 1
        mine = raises_in_seat(street - 1, last, seat)
        own -= mine
        opponent -= raises_of(street - 1, last) - mine
    earlier = min(own, _MOST_EARLIER) * (_MOST_EARLIER + 1) + min(opponent, _MOST_EARLIER)
    return (street_key(street, code) * N_CODES + last) * _N_EARLIER + earlier


@inlined_kernel
def before_key(street: Int, code: Int, own: Int, opponent: Int) -> Int:
    """Level 2 of actions, by both players' bets and raises on earlier streets."""
    before = min(own, _MOST_BEFORE) * (_MOST_BEFORE + 1) + min(opponent, _MOST_BEFORE)
    return street_key(street, code) * _N_BEFORE + before


@inlined_kernel
def street_key(street: Int, code: Int) -> Int:
    """Level 3 of actions."""
    return street * N_CODES + code


@inlined_kernel
def facing_key(street: Int, code: Int) -> Int:
    """Level 4 of actions."""
    return min(max(raises_of(street, code), np.int64(owes(street, code))), N_FACING - 1)


@inlined_kernel
def raises_in_seat(street: Int, code: Int, seat: Int) -> Int:
    """Number of bets and raises by a seat on a street."""
    on_button = raises_of_button(street, code)
    return on_button if seat == BUTTON else raises_of(street, code) - on_button
