"""Counts of the opponent's actions and hands shown, and estimates made of them."""

from __future__ import annotations

import numpy as np

from agents.players.pseudo_optimal.book import MOST_BETS
from agents.players.vexbot.betting_sequences import CHECKED, N_CODES, node_number, owes
from agents.players.vexbot.memory import (
    CALLS,
    FOLDS,
    N_ACTIONS,
    N_CELLS,
    N_POINTS,
    N_TOTALS,
    RAISES,
    before_key,
    cell_of,
    facing_key,
    last_key,
    line_key,
    pair_key,
    street_key,
    total_key,
)
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.portable_math import exp32

# --- counting ------------------------------------------------------------------------------------


@kernel
def observe(counts, what, decay):
    """Decay the counts of a context, and count one more observation.

    Args:
        counts: ``(n,)`` counts of the context.
        what: Index of the observation.
        decay: What is left of old data, 0..1. With 0.95 the last twenty make up 64 %.
    """
    for i in range(len(counts)):
        counts[i] *= decay
    counts[what] += np.float32(1.0)


@kernel
def observe_action(memory, street, beginning, code, seat, own, others, action, decay):
    """Count an action of the opponent, on all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        street: Street of the action.
        beginning: Number of the betting sequence that led to the street.
        code: Code of the street before the action.
        seat: ``BLIND`` or ``BUTTON``, where the Vexbot sits.
        own: Bets and raises of the Vexbot on the streets before.
        others: Bets and raises of the opponent.
        action: ``FOLDS``, ``CALLS`` or ``RAISES``.
        decay: See ``observe``.
    """
    last = last_key(street, beginning, code, seat, own, others)
    observe(memory.actions_0[node_number(street, beginning, code)], action, decay)
    observe(memory.actions_1[last], action, decay)
    observe(memory.actions_2[before_key(street, code, own, others)], action, decay)
    observe(memory.actions_3[street_key(street, code)], action, decay)
    observe(memory.actions_4[facing_key(street, code)], action, decay)


@kernel
def observe_hand(memory, seat, line, own, others, strength, decay):
    """Count a hand that the opponent has shown, on all levels.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: ``BLIND`` or ``BUTTON``, where the Vexbot sat.
        line: Number of the line of betting.
        own: Bets and raises of the Vexbot in the hand.
        others: Bets and raises of the opponent.
        strength: Share of hands that it beat on the last board, ties one half.
        decay: See ``observe``.
    """
    cell = cell_of(strength)
    memory.shown[seat, line] = memory.shown[seat, line] * decay + np.float32(1.0)
    observe(memory.ranks_0[seat, line], cell, decay)
    observe(memory.ranks_1[line_key(seat, line)], cell, decay)
    observe(memory.ranks_2[pair_key(own, others)], cell, decay)
    observe(memory.ranks_3[others], cell, decay)
    observe(memory.ranks_4[total_key(own, others)], cell, decay)


@kernel
def add_defaults(memory, prior, weight):
    """Initialise all contexts, except exact lines, with so many pseudo-observations."""
    _add_scaled(memory.ranks_1, prior.ranks_1, weight)
    _add_scaled(memory.ranks_2, prior.ranks_2, weight)
    _add_scaled(memory.ranks_3, prior.ranks_3, weight)
    _add_scaled(memory.ranks_4, prior.ranks_4, weight)
    _add_scaled(memory.actions_1, prior.actions_1, weight)
    _add_scaled(memory.actions_2, prior.actions_2, weight)
    _add_scaled(memory.actions_3, prior.actions_3, weight)
    _add_scaled(memory.actions_4, prior.actions_4, weight)


@kernel
def _add_scaled(counts, defaults, weight):
    for i in range(counts.shape[0]):
        for j in range(counts.shape[1]):
            counts[i, j] += weight * defaults[i, j]


# --- mixing --------------------------------------------------------------------------------------


@inlined_kernel
def trust(mass, log_mixing):
    """Share of the remaining weight that a level with so many observations gets: 1 - m^n.

    Args:
        mass: Observations, n.
        log_mixing: Natural logarithm of the parameter m.
    """
    return np.float32(1.0) - exp32(np.float32(mass * log_mixing))


@kernel
def mix_level(counts, log_mixing, left, mixed):
    """Add the estimate of a level by its share of the remaining weight; returns what remains."""
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
def mix_coarsest(counts, left, plain, mixed):
    """Add the coarsest level with all remaining weight; the plain default without data."""
    mass = np.float32(0.0)
    for i in range(len(counts)):
        mass += counts[i]
    for i in range(len(counts)):
        mixed[i] += left * (counts[i] / mass if mass > 0.0 else plain[i])


@kernel
def mix_coarse(memory, log_mixing, scratch):
    """Write the mixture of levels 2 to 4 to ``memory.wins`` and ``memory.chances``.

    Args:
        memory: A record of dtype ``MEMORY``.
        log_mixing: See ``trust``.
        scratch: ``(2 * N_CELLS,)`` to work in.
    """
    mixed, plain = scratch[:N_CELLS], scratch[N_CELLS : 2 * N_CELLS]
    plain[:] = np.float32(1.0)
    for own in range(N_TOTALS):
        for others in range(N_TOTALS):
            key = pair_key(own, others)
            mixed[:] = np.float32(0.0)
            left = mix_level(memory.ranks_2[key], log_mixing, np.float32(1.0), mixed)
            left = mix_level(memory.ranks_3[others], log_mixing, left, mixed)
            mix_coarsest(memory.ranks_4[total_key(own, others)], left, plain, mixed)
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
def _make_possible(street, code, chances):
    """Count folds where nothing is to be called, and raises of a capped street, as calls."""
    if not owes(street, code):
        chances[CALLS] += chances[FOLDS]
        chances[FOLDS] = np.float32(0.0)
    if code % CHECKED == MOST_BETS:
        chances[CALLS] += chances[RAISES]
        chances[RAISES] = np.float32(0.0)


@kernel
def add_up(cells, wins):
    """The chance to beat a hand of a histogram, ``(N_CELLS,)``, at every point of strength."""
    total = np.float32(0.0)
    for i in range(N_CELLS):
        wins[i] = total
        total += cells[i]
    wins[N_CELLS] = total
    for i in range(N_POINTS):
        wins[i] = wins[i] / total


@kernel
def write_wins(memory, seat, line, own, others, log_mixing, cells, wins):
    """Write the chance to win a showdown after a betting sequence: all levels together.

    Args:
        memory: A record of dtype ``MEMORY``.
        seat: ``BLIND`` or ``BUTTON``, where the Vexbot sits.
        line: Number of the line.
        own: Bets and raises of the Vexbot in it.
        others: Bets and raises of the opponent.
        log_mixing: See ``trust``.
        cells: ``(N_CELLS,)`` to work in.
        wins: ``(N_POINTS,)`` is written.
    """
    for i in range(N_CELLS):
        cells[i] = np.float32(0.0)
    left = np.float32(1.0)
    if memory.shown[seat, line] > 0.0:
        left = mix_level(memory.ranks_0[seat, line], log_mixing, left, cells)
    left = mix_level(memory.ranks_1[line_key(seat, line)], log_mixing, left, cells)
    coarse = memory.wins[pair_key(own, others)]
    total = np.float32(0.0)
    for i in range(N_CELLS):
        wins[i] = total + left * coarse[i]
        total += cells[i]
    wins[N_CELLS] = total + left * coarse[N_CELLS]


@kernel
def write_chances(memory, street, beginning, code, seat, own, others, log_mixing, chances):
    """Action probabilities of the opponent at a decision point, ``(3,)``: all levels together."""
    for i in range(N_ACTIONS):
        chances[i] = np.float32(0.0)
    node = node_number(street, beginning, code)
    last = last_key(street, beginning, code, seat, own, others)
    coarse = memory.chances[before_key(street, code, own, others)]
    left = mix_level(memory.actions_0[node], log_mixing, np.float32(1.0), chances)
    left = mix_level(memory.actions_1[last], log_mixing, left, chances)
    for i in range(N_ACTIONS):
        chances[i] += left * coarse[i]
    _make_possible(street, code, chances)
