"""Search steps: values of a node from its children's, for many strengths at once.

In miximax, the value of an opponent node is the mean under the opponent model, that of a Vexbot
node the maximum. Miximix mixes actions, here those within a width of the best, weighted by how
close they come (Billings 2006, 4.4, equations 4.1 to 4.4).

Values are ``(nodes, N_POINTS)``: a row per node and a column per strength point, or only the first
column for a known hand. ``child`` is the row after a raise at a node.
"""

from __future__ import annotations

import numpy as np

from agents.theses.billings.vexbot.records import CALLS, N_POINTS, RAISES
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel

IMPOSSIBLE = np.float32(-1.0e9)
"""Value of an impossible action."""
NO_NODE = -1
"""Child of an impossible raise."""


@inlined_kernel
def similarity_weight(value: Float, best: Float, width: Float) -> Float:
    """Weight of an action: 1 for the best, falling to 0 at ``width`` below it."""
    if width > 0.0:
        return max(np.float32(0.0), np.float32(1.0) - (best - value) / width)
    return np.float32(value == best)


@inlined_kernel
def choose(
    fold: Float,
    called: F32,
    nodes: F32,
    child: Int,
    width: Float,
    mixture: F32,
    n: Int,
    values: F32,
) -> None:
    """Write the values of a Vexbot node.

    Args:
        fold: Value of folding, or ``IMPOSSIBLE``.
        called: ``(N_POINTS,)`` values of checking or calling.
        nodes: ``(nodes, N_POINTS)`` values of nodes.
        child: Node after a raise, or ``NO_NODE``.
        width: Width of miximix; 0 for miximax.
        mixture: ``(2, N_POINTS)`` scratch for weights and weighted values.
        n: Number of strengths, in the first columns.
        values: ``(N_POINTS,)``, written.
    """
    for i in range(n):
        values[i] = max(fold, called[i])
    if child != NO_NODE:
        for i in range(n):
            values[i] = max(values[i], nodes[child, i])
    if width <= 0.0:
        return
    # The inner loops run over strengths, so that the compiler vectorises them.
    weights, totals = mixture[0], mixture[1]
    for i in range(n):
        part_fold = similarity_weight(fold, values[i], width)
        part_call = similarity_weight(called[i], values[i], width)
        weights[i] = part_fold + part_call
        totals[i] = part_fold * fold + part_call * called[i]
    if child != NO_NODE:
        for i in range(n):
            part = similarity_weight(nodes[child, i], values[i], width)
            weights[i] += part
            totals[i] += part * nodes[child, i]
    for i in range(n):
        values[i] = totals[i] / weights[i]


@inlined_kernel
def expect(
    won: Float,
    chances: F32,
    called: F32,
    nodes: F32,
    child: Int,
    n: Int,
    values: F32,
) -> None:
    """Write the values of an opponent node.

    Args:
        won: Expected win from folds: their probability times the pot.
        chances: ``(N_ACTIONS,)`` probabilities of the opponent's actions.
        called: ``(N_POINTS,)`` values after a check or call.
        nodes: ``(nodes, N_POINTS)`` values of nodes.
        child: Node after a raise, or ``NO_NODE``.
        n: Number of strengths, in the first columns.
        values: ``(N_POINTS,)``, written.
    """
    for i in range(n):
        values[i] = won + chances[CALLS] * called[i]
    if child != NO_NODE:
        for i in range(n):
            values[i] += chances[RAISES] * nodes[child, i]


@kernel
def carry(moves: F32, later: F32, now: F32) -> None:
    """Write the expectation, at every point, of the values after the next card.

    Args:
        moves: ``(N_POINTS, N_POINTS)`` transition probabilities between points.
        later: ``(N_POINTS,)`` values by strength after the next card.
        now: ``(N_POINTS,)``, written.
    """
    for i in range(N_POINTS):
        now[i] = weigh(moves[i], later)


@inlined_kernel
def weigh(points: F32, later: F32) -> Float:
    """Mean value of one hand under the distribution of its strength after the next card."""
    total = np.float32(0.0)
    for i in range(N_POINTS):
        total += points[i] * later[i]
    return total
