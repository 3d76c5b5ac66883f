"""Estimator inputs of ASHE 2: tree statistics and the state of the hand.

Source: Li (PhD thesis, University of Texas at Austin, 2018), table 5-1 and sections 6.1 and 7.2.

====================  ==========================================================================
showdowns (11)        frequency of the node, share of folds, of showdowns, strength shown; street
(four), strength of the hand, chips of the opponent, own chips folds (11)            frequency,
share of folds; chance of a flush, of a straight, pairs on the board; street, chips of the opponent,
own chips actions (19)          frequency, shares of the nine next actions; the same nine as before
====================  ==========================================================================

Readings: the draws of a board are two numbers, the probabilities that a random hand makes a flush
and a straight. A node with fewer than ``min_node_visits`` visits has the features of an unvisited
node. The default tree is mixed in by features, not by counts; with it, the tree of the session
counts from its first hand on, and only the default node needs enough visits.
"""

from __future__ import annotations

import numpy as np

from agents.theses.li import tree
from agents.theses.li.shape import DEFAULT_NODES, N_ACTION_INPUTS, N_INPUTS, RECURSIVE, TRUST
from agents.theses.li.tree import (
    COUNT,
    FOLDS,
    HEAD,
    N_NEXT,
    NEXT,
    NODE,
    SHOWDOWNS,
    STRENGTH,
    UNKNOWN,
    TreePosition,
)
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.assessment.texture_kernels import TEXTURES, TexturesRecord, rank_set, suitedness
from nlhe_env.jit.array_types import F32, I64, AnyArray, Float, Int, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer
from nlhe_env.numerics.bits import popcount
from nlhe_env.numerics.portable_math import sigmoid32

N_NODE_FEATURES = 4 + N_NEXT
"""Frequency, share of folds, of showdowns, strength shown, shares of the next actions."""
N_LOOK = 3
"""Features of a board: flush and straight probabilities, pairs."""
LAMBDAS = (50.0, 20.0, 10.0, 5.0)
"""Number of hands, by street, after which the default tree is ignored."""
_PRIOR, _ENOUGH = 0.85, 5.0
_textures_at = record_pointer(TEXTURES)


@kernel
def count_of(nodes: F32, node: Int) -> Float:
    """Visits of a tree node; 0 for an unknown node."""
    return np.float64(nodes[HEAD + node * NODE + COUNT]) if node != UNKNOWN else 0.0


@kernel
def present_place(sizes: I64, memory: F32) -> TreePosition:
    """Position of the hand in both trees; without a default tree, twice in the session's tree."""
    place = tree.present_place(memory)
    if sizes[DEFAULT_NODES] > 0:
        return place
    return tree.TreePosition(place.now, place.above, place.now, place.above)


@kernel
def is_trusted(sizes: I64, memory: F32, default: F32, place: TreePosition) -> Truth:
    """Whether the current node of either tree has enough visits."""
    return max(count_of(memory, place.now), count_of(default, place.default)) > sizes[TRUST]


@kernel
def shown_strength(mean: Float, showdowns: Float) -> Float:
    """Expected strength shown, mixed with the default after few showdowns."""
    if showdowns > _ENOUGH:
        return np.float64(mean)
    return (_PRIOR * (_ENOUGH - showdowns) + mean * showdowns) / _ENOUGH


@kernel
def write_node(nodes: F32, above: Int, now: Int, min_node_visits: Int, node_features: F32) -> None:
    """Write the features of a node, or defaults where it has too few visits.

    Args:
        nodes: The tree.
        above: The last action node, source of all features except the next actions.
        now: The current node, source of the next actions.
        min_node_visits: Minimum number of visits of a node.
        node_features: ``(13,)`` float32, written.
    """
    count: Float
    count, folds, showdowns, mean = 0.0, 0.0, 0.0, 0.0
    if count_of(nodes, above) > min_node_visits:
        at = HEAD + above * NODE
        count = np.float64(nodes[at + COUNT])
        folds = np.float64(nodes[at + FOLDS])
        showdowns = np.float64(nodes[at + SHOWDOWNS])
        mean = np.float64(nodes[at + STRENGTH])
    node_features[0] = sigmoid32(np.float32(count / 10.0))
    node_features[1] = np.float32((folds + 1.0) / (count + 3.0))
    node_features[2] = np.float32((showdowns + 1.0) / (count + 3.0))
    node_features[3] = np.float32(shown_strength(mean, showdowns))
    count = count_of(nodes, now)
    believed = count > min_node_visits
    for k in range(N_NEXT):
        share = nodes[HEAD + now * NODE + NEXT + k] / count if believed else 0.0
        node_features[4 + k] = np.float32(share)


@kernel
def write_tree_features(
    sizes: I64,
    memory: F32,
    default: F32,
    place: TreePosition,
    street: Int,
    node_features: F32,
    other: F32,
) -> None:
    """Write the features of a position from both trees.

    Args:
        sizes: Sizes of the player.
        memory: Its memory.
        default: Its default trees, or its memory if it has none.
        place: ``tree.TreePosition``.
        street: Street of the position.
        node_features: ``(13,)`` float32, written.
        other: ``(13,)`` float32 scratch.
    """
    if sizes[DEFAULT_NODES] == 0:
        write_node(memory, place.above, place.now, sizes[TRUST], node_features)
        return
    write_node(default, place.default_above, place.default, sizes[TRUST], node_features)
    share = min(count_of(memory, place.above) / LAMBDAS[street], 1.0)
    if share > 0.0:
        write_node(memory, place.above, place.now, 0, other)
        for k in range(N_NODE_FEATURES):
            node_features[k] = np.float32(share * other[k] + (1.0 - share) * node_features[k])


@kernel
def write_look(board: AnyArray, n_board: Int, book: Int, look: F32) -> None:
    """Write a board's flush and straight probabilities and its pairs.

    Args:
        board: Card codes.
        n_board: Number of board cards.
        book: Address of the board textures.
        look: ``(3,)`` float32, written.
    """
    _write_look(board_set(board, n_board), n_board, _textures_at(book), look)


@kernel
def _write_look(cards: Int, n_board: Int, textures: TexturesRecord, look: F32) -> None:
    ranks = rank_set(cards)
    look[0] = np.float32(suitedness(cards, n_board, textures))
    look[1] = np.float32(textures.straight[n_board, ranks])
    look[2] = np.float32(min(1.0, 0.5 * (n_board - popcount(ranks))))


@kernel
def write_showdown_inputs(
    node_features: F32, street: Int, strength: Float, own: Float, opponent: Float, inputs: F32
) -> None:
    """Write the inputs of the showdown estimator.

    Args:
        node_features: Features of the nodes.
        street: Street of the state.
        strength: Strength of the player's hand.
        own: Chips put in by the player, as a share of the stack.
        opponent: Chips put in by the opponent, as a share of the stack.
        inputs: ``(11,)`` float32, written.
    """
    for k in range(4):
        inputs[k] = node_features[k]
        inputs[4 + k] = np.float32(street == k)
    inputs[8] = np.float32(strength)
    inputs[9] = np.float32(opponent)
    inputs[10] = np.float32(own)


@kernel
def write_opponent_inputs(
    level: Int, node_features: F32, look: F32, street: Int, own: Float, opponent: Float, inputs: F32
) -> Int:
    """Write the inputs of the opponent estimator; ``look`` holds the board features.

    Returns:
        Number of inputs written.
    """
    inputs[0] = node_features[0]
    n = 2
    if level < RECURSIVE:
        inputs[1] = node_features[1]
    else:
        n = 1 + N_NEXT
        for k in range(N_NEXT):
            inputs[1 + k] = node_features[4 + k]
    for k in range(N_LOOK):
        inputs[n + k] = look[k]
    for k in range(4):
        inputs[n + N_LOOK + k] = np.float32(street == k)
    inputs[n + 7] = np.float32(opponent)
    inputs[n + 8] = np.float32(own)
    return N_INPUTS if level < RECURSIVE else N_ACTION_INPUTS
