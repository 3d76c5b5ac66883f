"""Translation of arbitrary bet sizes into those of the tree.

A size x between two sizes of the tree is read as the smaller one, A, with the share

    f(x) = (B - x) (1 + A) / ((B - A) (1 + x))

and otherwise as the larger one, B, all in pots. This is the pseudo-harmonic mapping (S. Ganzfried,
T. Sandholm, "Action Translation in Extensive-Form Games with Large Action Spaces: Axioms,
Paradoxes, and the Pseudo-Harmonic Mapping", IJCAI 2013). Below the smallest size of the tree, A is
the check or call; sizes above the largest are read as the largest.

A random choice between the two, drawn from public data, could be exploited: an opponent who can
query the policy would bet strong hands in sizes read as small and weak ones in sizes read as large.
"""

from __future__ import annotations

import numpy as np

from agents.players.blueprint.book import ACTION, CALLS, NodeRecord, action_at
from nlhe_env.jit.array_types import Float, Int, Truth
from nlhe_env.jit.compilation import kernel

_ACTION_BYTES = ACTION.itemsize


@kernel
def share_of_smaller(size: Float, smaller: Float, larger: Float) -> Float:
    """Share with which a size is read as the smaller one; all sizes in pots."""
    return (larger - size) * (1.0 + smaller) / ((larger - smaller) * (1.0 + size))


@kernel
def neighbours(
    actions: Int, node: NodeRecord, size: Float, all_in: Truth
) -> tuple[Int, Int, Float]:
    """The two actions of a node that a raise is read as, and the share of the first.

    Args:
        actions: Address of the actions of the tree.
        node: A record of dtype ``NODE``.
        size: Size of the raise in pots after calling.
        all_in: Whether the raise puts either player all-in.

    Returns:
        The smaller and the larger action with the share of the smaller; a single candidate twice
        with share 1; -1 if the node has no raise.
    """
    smaller, larger = np.int64(-1), np.int64(-1)
    low, high = 0.0, 0.0
    for i in range(node.count):
        action = action_at(actions + (node.first + i) * _ACTION_BYTES)
        if action.size < CALLS:
            continue
        if action.all_in and (all_in or action.size <= size):
            return np.int64(i), np.int64(i), 1.0
        if action.size <= size:
            smaller, low = np.int64(i), np.float64(action.size)
        elif larger < 0:
            larger, high = np.int64(i), np.float64(action.size)
    if larger < 0:
        found = smaller if low > CALLS else np.int64(-1)
        return found, found, 1.0
    return smaller, larger, share_of_smaller(size, low, high)


@kernel
def nearest(actions: Int, node: NodeRecord, size: Float, all_in: Truth) -> Int:
    """Action of a node nearest to the player's own raise; -1 if the tree has no raise there."""
    found, gap = np.int64(-1), np.inf
    for i in range(node.count):
        action = action_at(actions + (node.first + i) * _ACTION_BYTES)
        if action.size <= 0.0:
            continue
        if all_in and action.all_in:
            return np.int64(i)
        if abs(action.size - size) < gap:
            found, gap = np.int64(i), np.float64(abs(action.size - size))
    return found
