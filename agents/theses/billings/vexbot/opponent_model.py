"""Opponent counts on several levels of abstraction, and their mixture (Billings 2006, 4.6).

A context is a row of counts, of actions or of the histogram cells of hands shown. Every observation
is counted in one context of each level. An estimate gives each level, from the finest on, a share
of the remaining weight that rises with its number of observations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.theses.billings.pseudo_optimal.book import MOST_BETS
from agents.theses.billings.vexbot.betting_sequences import CHECKED, N_CODES, node_number, owes
from agents.theses.billings.vexbot.records import (
    CALLS,
    FOLDS,
    N_ACTIONS,
    N_CELLS,
    N_POINTS,
    N_TOTALS,
    RAISES,
    MemoryRecord,
    before_key,
    cell_of,
    facing_key,
    last_key,
    line_key,
    pair_key,
    street_key,
    total_key,
)
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


class DecisionPoint(NamedTuple):
    """A decision of the opponent, described by the preceding betting sequence."""

    street: Int
    beginning: Int
    """Number of the betting sequence before the street."""
    code: Int
    """Betting code of the street before the action."""
    seat: Int
    """Seat of the Vexbot, ``BLIND`` or ``BUTTON``."""
    own: Int
    """Bets and raises of the Vexbot on earlier streets."""
    opponent: Int
    """Bets and raises of the opponent on earlier streets."""


# --- counting ------------------------------------------------------------------------------------


@kernel
def observe_action(memory: MemoryRecord, point: DecisionPoint, action: Int, decay: Float) -> None:
    """Count an action of the opponent on all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        point: The decision point before the action.
        action: ``FOLDS``, ``CALLS`` or ``RAISES``.
        decay: See ``opponent_model.observe``.
    """
    street, beginning, code, _, own, opponent = point
    last = last_key(*point)
    observe(memory.actions_0[node_number(street, beginning, code)], action, decay)
    observe(memory.actions_1[last], action, decay)
    observe(memory.actions_2[before_key(street, code, own, opponent)], action, decay)
    observe(memory.actions_3[street_key(street, code)], action, decay)
    observe(memory.actions_4[facing_key(street, code)], action, decay)


@kernel
def observe_hand(
    memory: MemoryRecord,
    seat: Int,
    line: Int,
    own: Int,
    opponent: Int,
    strength: Float,
    decay: Float,
) -> None:
    """Count a hand shown by the opponent on all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: Seat of the Vexbot, ``BLIND`` or ``BUTTON``.
        line: Number of the betting line.
        own: Bets and raises of the Vexbot in the hand.
        opponent: Bets and raises of the opponent in the hand.
        strength: Hand rank on the final board: the share of hands beaten, ties one half.
        decay: See ``opponent_model.observe``.
    """
    cell = cell_of(strength)
    memory.shown[seat, line] = memory.shown[seat, line] * decay + np.float32(1.0)
    observe(memory.ranks_0[seat, line], cell, decay)
    observe(memory.ranks_1[line_key(seat, line)], cell, decay)
    observe(memory.ranks_2[pair_key(own, opponent)], cell, decay)
    observe(memory.ranks_3[opponent], cell, decay)
    observe(memory.ranks_4[total_key(own, opponent)], cell, decay)


# --- mixing --------------------------------------------------------------------------------------


@kernel
def mix_coarse(memory: MemoryRecord, log_mixing: Float, scratch: F32) -> None:
    """Write the mixture of levels 2 to 4 to ``memory.wins`` and ``memory.chances``.

    Args:
        memory: A record of dtype ``MEMORY``.
        log_mixing: See ``opponent_model.trust``.
        scratch: ``(2 * N_CELLS,)`` scratch.
    """
    mixed, plain = scratch[:N_CELLS], scratch[N_CELLS : 2 * N_CELLS]
    plain[:] = np.float32(1.0)
    for own in range(N_TOTALS):
        for opponent in range(N_TOTALS):
            key = pair_key(own, opponent)
            mixed[:] = np.float32(0.0)
            left = mix_level(memory.ranks_2[key], log_mixing, np.float32(1.0), mixed)
            left = mix_level(memory.ranks_3[opponent], log_mixing, left, mixed)
            mix_coarsest(memory.ranks_4[total_key(own, opponent)], left, plain, mixed)
            add_up(mixed, memory.wins[key])
    plain[FOLDS], plain[CALLS], plain[RAISES] = 0.25, 0.5, 0.25
    n_before = len(memory.chances) // len(memory.actions_3)
    for key in range(len(memory.chances)):
        of_street = key // n_before
        street, code = of_street // N_CODES, of_street % N_CODES
        chances = memory.chances[key]
        chances[:] = np.float32(0.0)
        left = mix_level(memory.actions_2[key], log_mixing, np.float32(1.0), chances)
        left = mix_level(memory.actions_3[of_street], log_mixing, left, chances)
        mix_coarsest(memory.actions_4[facing_key(street, code)], left, plain, chances)


@kernel
def _make_possible(street: Int, code: Int, chances: F32) -> None:
    """Move the probability of folds when checking is free, and of capped raises, to calls."""
    if not owes(street, code):
        chances[CALLS] += chances[FOLDS]
        chances[FOLDS] = np.float32(0.0)
    if code % CHECKED == MOST_BETS:
        chances[CALLS] += chances[RAISES]
        chances[RAISES] = np.float32(0.0)


@kernel
def write_wins(
    memory: MemoryRecord,
    seat: Int,
    line: Int,
    own: Int,
    opponent: Int,
    log_mixing: Float,
    cells: F32,
    wins: F32,
) -> None:
    """Write the showdown win probability after a betting sequence, combining all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: Seat of the Vexbot, ``BLIND`` or ``BUTTON``.
        line: Number of the betting line.
        own: Bets and raises of the Vexbot in the hand.
        opponent: Bets and raises of the opponent in the hand.
        log_mixing: See ``opponent_model.trust``.
        cells: ``(N_CELLS,)`` scratch.
        wins: ``(N_POINTS,)``, written.
    """
    for i in range(N_CELLS):
        cells[i] = np.float32(0.0)
    left: Float = np.float32(1.0)
    if memory.shown[seat, line] > 0.0:
        left = mix_level(memory.ranks_0[seat, line], log_mixing, left, cells)
    left = mix_level(memory.ranks_1[line_key(seat, line)], log_mixing, left, cells)
    coarse = memory.wins[pair_key(own, opponent)]
    total = np.float32(0.0)
    for i in range(N_CELLS):
        wins[i] = total + left * coarse[i]
        total += cells[i]
    wins[N_CELLS] = total + left * coarse[N_CELLS]


@kernel
def write_chances(
    memory: MemoryRecord, point: DecisionPoint, log_mixing: Float, chances: F32
) -> None:
    """Write the opponent's ``(3,)`` action probabilities at a decision point from all levels."""
    for i in range(N_ACTIONS):
        chances[i] = np.float32(0.0)
    street, beginning, code, _, own, opponent = point
    node, last = node_number(street, beginning, code), last_key(*point)
    coarse = memory.chances[before_key(street, code, own, opponent)]
    left = mix_level(memory.actions_0[node], log_mixing, np.float32(1.0), chances)
    left = mix_level(memory.actions_1[last], log_mixing, left, chances)
    for i in range(N_ACTIONS):
        chances[i] += left * coarse[i]
    _make_possible(street, code, chances)
