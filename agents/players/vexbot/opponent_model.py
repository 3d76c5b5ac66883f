"""Opponent counts on several levels of abstraction, and their mixture (Billings 2006, 4.6).

A context is a row of counts, of actions or of the histogram cells of hands shown. Every observation
is counted in one context of each level. An estimate gives each level, from the finest on, a share
of the remaining weight that rises with its number of observations.
"""

from __future__ import annotations

import numpy as np

from agents.players.vexbot.records import N_CELLS, N_POINTS
from nlhe_env.jit.array_types import F32, Float, Int, Record, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.portable_math import exp32


@kernel
def observe(counts: F32, what: Int, decay: Float) -> None:
    """Decay the counts of a context, and count one more observation.

    Args:
        counts: ``(n,)`` counts of the context.
        what: Index of the observation.
        decay: Factor of old counts, 0..1. With 0.95 the last twenty observations make up 64%.
    """
    for i in range(len(counts)):
        counts[i] *= decay
    counts[what] += np.float32(1.0)


@kernel
def add_defaults(memory: Record, prior: Record, weight: Float) -> None:
    """Initialise all contexts, except exact lines, with ``weight`` pseudo-observations."""
    _add_scaled(memory.ranks_1, prior.ranks_1, weight)
    _add_scaled(memory.ranks_2, prior.ranks_2, weight)
    _add_scaled(memory.ranks_3, prior.ranks_3, weight)
    _add_scaled(memory.ranks_4, prior.ranks_4, weight)
    _add_scaled(memory.actions_1, prior.actions_1, weight)
    _add_scaled(memory.actions_2, prior.actions_2, weight)
    _add_scaled(memory.actions_3, prior.actions_3, weight)
    _add_scaled(memory.actions_4, prior.actions_4, weight)


@kernel
def _add_scaled(counts: F32, defaults: F32, weight: Float) -> None:
    for i in range(counts.shape[0]):
        for j in range(counts.shape[1]):
            counts[i, j] += weight * defaults[i, j]


@kernel
def begin_hand(memory: Record, seat: Int, patience: Float) -> Truth:
    """Count a hand; returns whether the values of later streets must be recomputed.

    Args:
        memory: The memory of a Vexbot.
        seat: Seat of the Vexbot, ``BLIND`` or ``BUTTON``.
        patience: Relative growth of the number of hands before values are recomputed.
    """
    is_due = memory.hands >= memory.next_look[seat]
    if is_due:
        memory.next_look[seat] = memory.hands * (1 + patience)
    memory.hands += np.float32(1.0)
    return is_due


@inlined_kernel
def trust(mass: Float, log_mixing: Float) -> Float:
    """Share of the remaining weight for a level with n observations: 1 - m^n.

    Args:
        mass: Number of observations, n.
        log_mixing: Natural logarithm of the parameter m.
    """
    return np.float32(1.0) - exp32(np.float32(mass * log_mixing))


@kernel
def mix_level(counts: F32, log_mixing: Float, left: Float, mixed: F32) -> Float:
    """Add a level's estimate with its share of the remaining weight; returns the new remainder."""
    mass = np.float32(0.0)
    for i in range(len(counts)):
        mass += counts[i]
    if mass <= 0.0:
        return left
    share = left * trust(mass, log_mixing)
    for i in range(len(counts)):
        mixed[i] += share * counts[i] / mass
    return left - share


@kernel
def mix_coarsest(counts: F32, left: Float, plain: F32, mixed: F32) -> None:
    """Add the coarsest level, or without data ``plain``, with all remaining weight."""
    mass = np.float32(0.0)
    for i in range(len(counts)):
        mass += counts[i]
    for i in range(len(counts)):
        mixed[i] += left * (counts[i] / mass if mass > 0.0 else plain[i])


@kernel
def add_up(cells: F32, wins: F32) -> None:
    """Write the win probability at every strength point against an ``(N_CELLS,)`` histogram."""
    total = np.float32(0.0)
    for i in range(N_CELLS):
        wins[i] = total
        total += cells[i]
    wins[N_CELLS] = total
    for i in range(N_POINTS):
        wins[i] = wins[i] / total
