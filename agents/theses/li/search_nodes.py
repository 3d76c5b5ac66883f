"""Search nodes of the look-ahead of ASHE 2.2 and 2.3."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from agents.theses.li.betting_transitions import OWN, BettingState
from agents.theses.li.tree import TreePosition
from nlhe_env.jit.array_types import Float, Int, Records
from nlhe_env.jit.compilation import kernel

SEARCH_NODE = np.dtype(
    [
        # Nodes of both trees, see ``TreePosition``.
        ("now", np.int64),
        ("above", np.int64),
        ("default", np.int64),
        ("default_above", np.int64),
        # Betting state, see ``BettingState``.
        ("turn", np.int64),
        ("street", np.int64),
        ("acted", np.int64),
        ("own", np.float32),
        ("opponent", np.float32),
        ("path", np.int64),  # of the board
        ("depth", np.int64),
        ("before", np.int64),  # parent search node
        ("move", np.int64),  # move from the parent
        ("chance", np.float32),  # probability of that move
        ("win", np.float32),  # showdown win probability at the parent
        ("value", np.float32),  # backed up so far
        ("weight", np.float32),  # sum of the probabilities of the moves in ``value``
        ("waits", np.int64),  # next node on the stack of nodes to visit
    ]
)
"""Without padding, because the scratch is aligned to four bytes only."""
SearchNodes: TypeAlias = Records
"""An array of dtype ``SEARCH_NODE``."""
N_SEARCH_NODE = SEARCH_NODE.itemsize // np.dtype(np.float32).itemsize
"""Length of a search node in the float32 scratch."""
NO_VALUE = np.float32(-np.inf)


class Step(NamedTuple):
    """How the search reaches a node."""

    before: Int
    """Parent search node."""
    move: Int
    chance: Float
    """Probability of the move."""
    win: Float
    """Showdown win probability at the parent."""
    waits: Int
    """Next node on the stack of nodes to visit."""


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
    """Betting state at a search node, with chips in float64."""
    node = nodes[i]
    own, opponent = np.float64(node.own), np.float64(node.opponent)
    return BettingState(node.turn, node.street, node.acted, own, opponent)


@kernel
def tree_nodes_of(nodes: SearchNodes, i: Int) -> TreePosition:
    """Tree nodes at a search node."""
    node = nodes[i]
    return TreePosition(node.now, node.above, node.default, node.default_above)


@kernel
def back_up(nodes: SearchNodes, i: Int, chance: Float, value: Float) -> None:
    """Back up a child: maximum at the player's nodes, probability-weighted sum elsewhere."""
    node = nodes[i]
    if node.turn == OWN:
        node.value = max(node.value, np.float32(value))
    else:
        node.value += np.float32(chance * value)
        node.weight += np.float32(chance)
