"""Search nodes of the look-ahead of ASHE 2.2 and 2.3: records in a row of numbers."""

from __future__ import annotations

import numpy as np

from agents.players.ashe.betting_transitions import OWN, BettingState
from agents.players.ashe.tree import Place
from nlhe_env.jit.compilation import kernel

# A place that is looked at: nodes, betting, path of the board, depth; the place before it, the move
# that led here, its chance, the chance to win as it was before; value and chance so far; which
# place waits to be looked at after it.
(
    AT_NOW,
    AT_ABOVE,
    AT_DEFAULT,
    AT_DEFAULT_ABOVE,
    AT_TURN,
    AT_STREET,
    AT_ACTED,
    AT_OWN,
    AT_OPPONENT,
    AT_PATH,
    AT_DEPTH,
    AT_BEFORE,
    AT_MOVE,
    AT_CHANCE,
    AT_WIN,
    AT_VALUE,
    AT_WEIGHT,
    AT_WAITS,
) = range(18)
N_FIELDS = 18
NO_VALUE = np.float32(-np.inf)


@kernel
def add_node(places, i, place, spot, path, depth, before, move, chance, win, waits):
    """Write a search node to be visited."""
    at = i * N_FIELDS
    places[at + AT_NOW] = np.float32(place.now)
    places[at + AT_ABOVE] = np.float32(place.above)
    places[at + AT_DEFAULT] = np.float32(place.default)
    places[at + AT_DEFAULT_ABOVE] = np.float32(place.default_above)
    places[at + AT_TURN] = np.float32(spot.turn)
    places[at + AT_STREET] = np.float32(spot.street)
    places[at + AT_ACTED] = np.float32(spot.acted)
    places[at + AT_OWN] = np.float32(spot.own)
    places[at + AT_OPPONENT] = np.float32(spot.opponent)
    places[at + AT_PATH] = np.float32(path)
    places[at + AT_DEPTH] = np.float32(depth)
    places[at + AT_BEFORE] = np.float32(before)
    places[at + AT_MOVE] = np.float32(move)
    places[at + AT_CHANCE] = np.float32(chance)
    places[at + AT_WIN] = np.float32(win)
    places[at + AT_VALUE] = NO_VALUE if spot.turn == OWN else np.float32(0.0)
    places[at + AT_WEIGHT] = np.float32(0.0)
    places[at + AT_WAITS] = np.float32(waits)


@kernel
def state_of(places, i):
    """Betting state at a search node."""
    at = i * N_FIELDS
    return BettingState(
        np.int64(places[at + AT_TURN]),
        np.int64(places[at + AT_STREET]),
        np.int64(places[at + AT_ACTED]),
        np.float64(places[at + AT_OWN]),
        np.float64(places[at + AT_OPPONENT]),
    )


@kernel
def tree_nodes_of(places, i):
    """Nodes of both trees at a search node."""
    at = i * N_FIELDS
    return Place(
        np.int64(places[at + AT_NOW]),
        np.int64(places[at + AT_ABOVE]),
        np.int64(places[at + AT_DEFAULT]),
        np.int64(places[at + AT_DEFAULT_ABOVE]),
    )


@kernel
def back_up(places, i, chance, value):
    """Back up a child: the maximum at own nodes, a probability-weighted sum elsewhere."""
    at = i * N_FIELDS
    if places[at + AT_TURN] == OWN:
        places[at + AT_VALUE] = max(places[at + AT_VALUE], np.float32(value))
    else:
        places[at + AT_VALUE] += np.float32(chance * value)
        places[at + AT_WEIGHT] += np.float32(chance)
