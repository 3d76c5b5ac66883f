"""Values of streets when they begin, for all strengths and for one hand.

Actions of the opponent and hands shown depend on the betting alone. So later streets are worked out
once for every history class, ten depths of stacks and twenty-one strengths, and serve all hands
until enough has been learnt. A street is then searched with the worth of the next one at hand.
"""

from __future__ import annotations

import numpy as np

from agents.players.vexbot.memory import BLIND, N_POINTS
from agents.players.vexbot_nolimit.betting_sequences import (
    N_COARSE,
    N_ENDS,
    N_HISTORY_CLASSES,
    NOBODY_BET,
    next_history_class,
)
from agents.players.vexbot_nolimit.learning import carry, weigh, write_chances, write_wins
from agents.players.vexbot_nolimit.memory import DEPTHS, N_ACTIONS, N_DEPTHS, value_key
from agents.players.vexbot_nolimit.tree import init_root, search_tree
from nlhe_env.game.table import FLOP, PREFLOP, RIVER, TURN
from nlhe_env.jit.compilation import kernel


@kernel
def look_ahead(memory, prior, search, seat, log_mixing, width):
    """Compute the values of flops, turns and rivers in a seat.

    Args:
        memory: A record of dtype ``MEMORY``.
        prior: A record of dtype ``PRIOR``.
        search: A record of dtype ``SEARCH``.
        seat: ``BLIND`` or ``BUTTON``.
        log_mixing: See ``vexbot.learning.trust``.
        width: Width of miximix, in pots.
    """
    for back in range(RIVER):
        street = RIVER - back
        for history_class in range(N_HISTORY_CLASSES):
            if street == FLOP and history_class % 4 > 0:
                continue  # nothing was before the only street before
            write_opponent(memory, search, seat, street, history_class, log_mixing)
            _write_shown(memory, prior, search, seat, street, history_class, log_mixing)
            if street < RIVER:
                _write_ahead(memory, prior, search, seat, street, history_class)
            for depth in range(N_DEPTHS):
                search.pot = np.float32(1.0)
                search.cap = np.float32(DEPTHS[depth])
                search.is_first = search.can_raise = 1
                search.i_act = np.int32(seat == BLIND)  # who acts first after the flop
                init_root(search, 0.0, 0.0, 0.0, NOBODY_BET, 0, 0)
                search_tree(search, width, N_POINTS)
                worth = memory.worth[value_key(seat, street, history_class, depth)]
                for i in range(N_POINTS):
                    worth[i] = search.values[0, 0, i]


@kernel
def write_opponent(memory, search, seat, street, history_class, log_mixing):
    """Write the opponent's action probabilities on a street to ``search.chances``."""
    search.street = street
    plain = search.cells[:N_ACTIONS]
    write_chances(memory, seat, street, history_class, log_mixing, plain, search.chances)


@kernel
def _write_shown(memory, prior, search, seat, street, history_class, log_mixing):
    """Write the chances to win after every end without more bets, by strength: ``search.shown``."""
    cells = search.cells
    for end in range(N_ENDS):
        write_wins(memory, seat, street, history_class, end, log_mixing, cells, search.shown[end])
        if street < RIVER:
            for i in range(N_POINTS):
                search.wins[i] = search.shown[end, i]
            moves = prior.flop_to_river if street == FLOP else prior.to_river
            carry(moves, search.wins, search.shown[end])


@kernel
def _write_ahead(memory, prior, search, seat, street, history_class):
    """Write the values of the next street by strength now, in pots: ``search.ahead``."""
    moves = prior.to_turn if street == FLOP else prior.to_river
    for end in range(N_COARSE):
        after = next_history_class(history_class, end)
        for depth in range(N_DEPTHS):
            later = memory.worth[value_key(seat, street + 1, after, depth)]
            carry(moves, later, search.ahead[end * N_DEPTHS + depth])


@kernel
def weigh_hand(memory, prior, search, seat, street, history_class, log_mixing):
    """Write the first column of both for one hand, by its ``search.points``."""
    points, far = search.points, search.called
    for j in range(N_POINTS):
        far[j] = points[j]
    if street < TURN:
        moves = prior.flop_to_river if street == PREFLOP else prior.to_river
        for j in range(N_POINTS):
            far[j] = np.float32(0.0)
            for i in range(N_POINTS):
                far[j] += points[i] * moves[i, j]
    for end in range(N_ENDS):
        write_wins(memory, seat, street, history_class, end, log_mixing, search.cells, search.wins)
        search.shown[end, 0] = weigh(far, search.wins)
    if street < RIVER:
        for end in range(N_COARSE):
            after = next_history_class(history_class, end)
            for depth in range(N_DEPTHS):
                later = memory.worth[value_key(seat, street + 1, after, depth)]
                search.ahead[end * N_DEPTHS + depth, 0] = weigh(points, later)
