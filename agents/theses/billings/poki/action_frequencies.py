"""Action frequencies of players in twelve contexts: four streets, and none, one or more bets.

Generic frequencies are those of an average player. Specific frequencies count a player's own
actions on top of some pseudo-decisions with the generic frequencies, which are the estimate for a
new player; counts decay, so that a player may change (Billings 2006, 2.6.2).
"""

from __future__ import annotations

import numpy as np

from agents.theses.billings.poki.records import FREQUENCIES, N_SIZES
from nlhe_env.game.table import FIXED_LIMIT, PREFLOP, TURN
from nlhe_env.jit.array_types import F32, F64, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

_IMAGINED = 8.0
"""Number of pseudo-decisions with the generic frequencies."""
_KEPT = np.float32(0.995)
"""Decay of a count per decision in its context: a memory of 200 decisions."""
_SIZES_BELOW = (0.4, 0.8, 1.3)
_USUAL_SIZES = (0.15, 0.4, 0.25, 0.1, 0.1)

GENERIC = (
    # folds, calls, raises, facing no bet, one bet, more; before the flop
    (0.00, 0.60, 0.40),
    (0.40, 0.38, 0.22),
    (0.35, 0.50, 0.15),
    # on the flop
    (0.00, 0.55, 0.45),
    (0.35, 0.47, 0.18),
    (0.25, 0.60, 0.15),
    # on the turn
    (0.00, 0.58, 0.42),
    (0.35, 0.52, 0.13),
    (0.25, 0.63, 0.12),
    # on the river
    (0.00, 0.60, 0.40),
    (0.38, 0.52, 0.10),
    (0.25, 0.65, 0.10),
)


@kernel
def context_of(betting: Int, street: Int, to_call: Int, pot: Int, big_blind: Int) -> Int:
    """Number of a context, 0..11.

    In fixed-limit, bets are counted. Otherwise a bet of at most half the pot (before the flop, a
    blind) counts as one bet and a larger one as more.

    Args:
        betting: The betting structure.
        street: 0..3.
        to_call: Chips to call.
        pot: Chips in the pot, including the bet faced.
        big_blind: The big blind in chips.
    """
    faced = 0
    if to_call > 0:
        if betting == FIXED_LIMIT:
            is_one = to_call <= (2 * big_blind if street >= TURN else big_blind)
        elif street == PREFLOP:
            is_one = to_call <= big_blind
        else:
            is_one = 3 * to_call <= pot
        faced = 1 if is_one else 2
    return 3 * street + faced


@kernel
def count_action(counts: F32, action_kind: Int) -> None:
    """Count an action, or the class of a raise, in decaying ``(n,)`` counts."""
    for k in range(len(counts)):
        counts[k] *= _KEPT
    counts[action_kind] += np.float32(1.0)


@kernel
def size_class(chips: Int | Float, to_call: Int | Float, pot: Int | Float, is_all_in: Truth) -> Int:
    """Class of a no-limit raise: up to 0.4, 0.8 or 1.3 pots, more, or all-in.

    Args:
        chips: Chips put in for the raise, including the call.
        to_call: Chips to call before the raise.
        pot: Chips in the pot before the raise.
        is_all_in: Whether the raise is all-in.
    """
    if is_all_in:
        return N_SIZES - 1
    size = (chips - to_call) / max(pot + to_call, 1)
    for k in range(N_SIZES - 2):
        if size < _SIZES_BELOW[k]:
            return k
    return N_SIZES - 2


@kernel
def share_of_size(sizes: F32, which: Int) -> Float:
    """Share of a player's raises in this class or a larger one.

    Larger raises come from stronger holdings: a raise of a class is attributed to this share of the
    raising holdings, the best ones.
    """
    total, larger = 0.0, 0.0
    for k in range(N_SIZES):
        seen = sizes[k] + _IMAGINED * _USUAL_SIZES[k]
        total += seen
        if k >= which:
            larger += seen
    return larger / total


@kernel
def generic_frequencies(weights: F32, context: Int, action_kind: Int) -> Float:
    """Frequency of an action kind in a context for an average player."""
    return np.float64(weights[FREQUENCIES + 3 * context + action_kind])


@kernel
def write_specific(weights: F32, counts: F32, context: Int, frequencies: F64) -> None:
    """Write a player's estimated action frequencies in a context: three probabilities."""
    seen = np.float64(counts[0]) + counts[1] + counts[2] + _IMAGINED
    for action_kind in range(3):
        imagined = _IMAGINED * generic_frequencies(weights, context, action_kind)
        frequencies[action_kind] = (counts[action_kind] + imagined) / seen
