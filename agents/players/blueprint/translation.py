"""Translation of bets of any size into bets of the tree.

A size between two of the tree is taken for the smaller one, A, with the chance

    f(x) = (B - x) (1 + A) / ((B - A) (1 + x))

and else for the larger one, B, all in pots: the pseudo-harmonic mapping (S. Ganzfried, T. Sandholm,
"Action Translation in Extensive-Form Games with Large Action Spaces: Axioms, Paradoxes, and the
Pseudo-Harmonic Mapping", IJCAI 2013). What is smaller or larger than all sizes of the tree is taken
for the smallest or the largest.
"""

from __future__ import annotations

import numpy as np

from agents.players.blueprint.book import ACTION, action_at
from nlhe_env.game.random_stream import philox, unit
from nlhe_env.jit.compilation import kernel

_ACTION_BYTES = ACTION.itemsize
_STREAM = np.uint64(0x5EED_B00C)


@kernel
def chance_of_smaller(size, smaller, larger):
    """Probability that a size is mapped to the smaller one; all in pots."""
    return (larger - size) * (1.0 + smaller) / ((larger - smaller) * (1.0 + size))


@kernel
def public_coin(hand, street, chips, pot):
    """A number in [0, 1) that depends on public information only.

    So the translation of a bet does not depend on the player's cards: its chances of all hands at a
    table belong together.
    """
    word, _ = philox(np.uint64(hand), np.uint64(street), np.uint64(chips), np.uint64(pot), _STREAM)
    return unit(word)


@kernel
def translated(actions, node, size, all_in, coin):
    """Action of a node that a raise is mapped to; -1 where the tree has none.

    Args:
        actions: Address of the actions of the tree.
        node: A record of dtype ``NODE``.
        size: What the raise adds, in pots after calling.
        all_in: Whether it leaves the raiser or the other player without chips.
        coin: In [0, 1).
    """
    smaller, larger = np.int64(-1), np.int64(-1)
    low, high = 0.0, 0.0
    for i in range(node.count):
        action = action_at(actions + (node.first + i) * _ACTION_BYTES)
        if action.size <= 0.0:
            continue
        if all_in and action.all_in:
            return np.int64(i)
        if action.size <= size:
            smaller, low = np.int64(i), np.float64(action.size)
        elif larger < 0:
            larger, high = np.int64(i), np.float64(action.size)
    if smaller < 0 or larger < 0:
        return max(smaller, larger)
    return smaller if coin < chance_of_smaller(size, low, high) else larger


@kernel
def nearest(actions, node, size, all_in):
    """Action of a node that the player's own raise was; -1 where the tree has none."""
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
