"""Search nodes of the look-ahead of ASHE 2.2 and 2.3."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from agents.players.ashe.betting_transitions import OWN, BettingState
from agents.players.ashe.tree import TreePosition
from nlhe_env.jit.array_types import Float, Int, Records
from nlhe_env.jit.compilation import kernel

SEARCH_NODE = np.dtype(
    [
        # Nodes of both trees, see ``TreePosition``.
        ("now", np.int64),
        ("above", np.int64),
        ("default", np.int64),
        ("default_above", np.int64),
        # Of the betting, see ``BettingState``.
        ("turn", np.int64),
        ("street", np.int64),
        ("acted", np.int64),
        ("own", np.float32),
        ("opponent", np.float32),
        ("path", np.int64),  # of the board
        ("depth", np.int64),
        ("before", np.int64),  # the search node before it
        ("move", np.int64),  # that led here
        ("chance", np.float32),  # of that move
        ("win", np.float32),  # chance to win the showdown as it was before
        ("value", np.float32),  # so far
        ("weight", np.float32),  # sum of the chances of the moves in ``value``
        ("waits", np.int64),  # the search node to be visited after it
    ]
)
"""Without padding: the scratch it lies in begins at any multiple of four bytes."""
SearchNodes: TypeAlias = Records
"""An array of dtype ``SEARCH_NODE``."""
N_SEARCH_NODE = SEARCH_NODE.itemsize // np.dtype(np.float32).itemsize
"""Numbers of scratch that a search node takes."""
NO_VALUE = np.float32(-np.inf)


class Step(NamedTuple):
    """How the search comes to a node."""

    before: Int
    """The search node before it."""
    move: Int
    chance: Float
    """Chance of the move."""
    win: Float
    """Chance to win the showdown as it was before."""
    waits: Int
    """The search node to be visited after it."""


@kernel
def add_node(
    nodes: SearchNodes,
    i: Int,
    place: TreePosition,
    spot: BettingState,
    path: Int,
    depth: Int,
    step: Step,
) -> None:
    """Write a search node to be visited."""
    node = nodes[i]
    node.now, node.above = place.now, place.above
    node.default, node.default_above = place.default, place.default_above
    node.turn, node.street, node.acted = spot.turn, spot.street, spot.acted
    node.own, node.opponent = spot.own, spot.opponent
    node.path, node.depth = path, depth
    node.before, node.move, node.waits = step.before, step.move, step.waits
    node.chance, node.win = step.chance, step.win
    node.value = NO_VALUE if spot.turn == OWN else np.float32(0.0)
    node.weight = np.float32(0.0)


@kernel
def state_of(nodes: SearchNodes, i: Int) -> BettingState:
    """Betting state at a search node; its chips are computed with in float64."""
    node = nodes[i]
    own, opponent = np.float64(node.own), np.float64(node.opponent)
    return BettingState(node.turn, node.street, node.acted, own, opponent)


@kernel
def tree_nodes_of(nodes: SearchNodes, i: Int) -> TreePosition:
    """Nodes of both trees at a search node."""
    node = nodes[i]
    return TreePosition(node.now, node.above, node.default, node.default_above)


@kernel
def back_up(nodes: SearchNodes, i: Int, chance: Float, value: Float) -> None:
    """Back up a child: the maximum at own nodes, a probability-weighted sum elsewhere."""
    node = nodes[i]
    if node.turn == OWN:
        node.value = max(node.value, np.float32(value))
    else:
        node.value += np.float32(chance * value)
        node.weight += np.float32(chance)
