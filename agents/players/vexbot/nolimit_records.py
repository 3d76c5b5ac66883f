"""Statistics of a no-limit Vexbot: opponent counts (memory) and prior.

Every observation is counted on four levels of abstraction. No level has exact lines, since bet
sizes make them too numerous.

=====  ==============================================  ==========================================
level  hands shown                                     actions
=====  ==============================================  ==========================================
1      seat, street of last bet, history class, end    seat, street, history class, spot
2      street, end of the street before, end           street, end of the street before, spot
3      street, end                                     street, spot
4      who bet last, and whether much                  spot
=====  ==============================================  ==========================================
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from agents.players.poki.records import N_SIZES
from agents.players.vexbot.nolimit_sequences import N_COARSE, N_ENDS, N_HISTORY_CLASSES, N_SPOTS
from agents.players.vexbot.records import (
    FIRST_RAISE,
    MOVES,
    N_CELLS,
    N_POINTS,
    N_SEATS,
    n_numbers,
)
from nlhe_env.jit.array_types import Int, Record
from nlhe_env.jit.compilation import inlined_kernel

N_ACTIONS = FIRST_RAISE + N_SIZES
"""Number of actions: fold, check or call, a raise of each class."""
N_STREETS = 4
DEPTHS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""Stack depths, in pots at the start of a street, at which streets are evaluated; interpolated
between."""
N_DEPTHS = len(DEPTHS)

_LEVELS = [
    ("ranks_1", np.float32, (N_SEATS * N_STREETS * N_HISTORY_CLASSES * N_ENDS, N_CELLS)),
    ("ranks_2", np.float32, (N_STREETS * N_COARSE * N_ENDS, N_CELLS)),
    ("ranks_3", np.float32, (N_STREETS * N_ENDS, N_CELLS)),
    ("ranks_4", np.float32, (N_COARSE, N_CELLS)),
    ("actions_1", np.float32, (N_SEATS * N_STREETS * N_HISTORY_CLASSES * N_SPOTS, N_ACTIONS)),
    ("actions_2", np.float32, (N_STREETS * N_COARSE * N_SPOTS, N_ACTIONS)),
    ("actions_3", np.float32, (N_STREETS * N_SPOTS, N_ACTIONS)),
    ("actions_4", np.float32, (N_SPOTS, N_ACTIONS)),
]

MEMORY = np.dtype(
    [
        *_LEVELS,
        ("hands", np.float32),
        ("next_look", np.float32, (N_SEATS,)),  # number of hands at which streets are recomputed
        # Betting of the current hand.
        ("history_class", np.float32),  # of the street
        ("bettor", np.float32),  # NO_BET, OWN_BET or OPPONENT_BET
        ("size", np.float32),  # size class of the last bet
        ("has_bet", np.float32),  # whether the opponent has bet on the street
        ("acts", np.float32),  # number of actions on the street by both players
        # Values at the start of the flop, turn and river, in pots, by strength point.
        (
            "street_values",
            np.float32,
            (N_SEATS * (N_STREETS - 1) * N_HISTORY_CLASSES * N_DEPTHS, N_POINTS),
        ),
    ]
)
"""Memory of a player; all fields are float32."""
MemoryRecord: TypeAlias = Record
"""A record of dtype ``MEMORY``."""
N_MEMORY = n_numbers(MEMORY)

PRIOR = np.dtype(
    [
        # Prior of a new opponent, with a mass of 1 in each context.
        *_LEVELS,
        *MOVES,
        ("flop_to_river", np.float32, (N_POINTS, N_POINTS)),
    ]
)
PriorRecord: TypeAlias = Record
"""A record of dtype ``PRIOR``."""


@inlined_kernel
def key_1(n: Int, seat: Int, street: Int, history_class: Int, what: Int) -> Int:
    """Index of level 1; ``what`` is one of ``n`` ends (hands shown) or spots (actions)."""
    return ((seat * N_STREETS + street) * N_HISTORY_CLASSES + history_class) * n + what


@inlined_kernel
def key_2(n: Int, street: Int, history_class: Int, what: Int) -> Int:
    """Index of level 2."""
    return (street * N_COARSE + history_class // 4) * n + what


@inlined_kernel
def key_3(n: Int, street: Int, what: Int) -> Int:
    """Index of level 3; level 4 is indexed by the spot alone, or by the coarse end."""
    return street * n + what


@inlined_kernel
def value_key(seat: Int, street: Int, history_class: Int, depth: Int) -> Int:
    """Index of the value of a street 1 to 3."""
    return (
        (seat * (N_STREETS - 1) + street - 1) * N_HISTORY_CLASSES + history_class
    ) * N_DEPTHS + depth
