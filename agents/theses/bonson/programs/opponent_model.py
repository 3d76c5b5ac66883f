"""A team's memory of its opponent, and the 14 inputs that its programs read.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), section 4.2.2; order and initial values follow the code published with it. All
inputs are scaled to 0..10. A player that has not acted in a hand counts as average in it, and so
does a hand without calls and raises.

The memory is a row of ``MODEL`` float32 numbers, updated by the kernels below.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.game.betting import CALLS, FOLDS, RAISES
from nlhe_env.game.table import PREFLOP
from nlhe_env.jit.array_types import F32, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

INPUT_NAMES = (
    "hand strength",
    "effective potential",
    "pot odds",
    "betting position",
    "round",
    "chips",
    "opponent's last action",
    "opponent's aggressiveness in this hand",
    "opponent's long-term aggressiveness",
    "opponent tight or loose",
    "opponent passive or aggressive",
    "opponent's bluffing",
    "opponent's short-term aggressiveness",
    "own short-term aggressiveness",
)
"""Names of the inputs, in order."""
N_INPUTS = len(INPUT_NAMES)
MOST = 240.0
"""Maximum win or loss per hand in chips, which is 24 small bets."""

_WINDOW = 10  # hands in the short-term window
(
    _HANDS,
    _RESULTS,
    _AGGRESSIVENESS,
    _PLAYED,
    _RAISING,
    _SHOWDOWNS,
    _BLUFFS,
    _LAST_ACTION,
    _FOLDED_PREFLOP,
) = range(9)
_COUNTS = 9  # folds, calls and raises in this hand: the opponent's, then the player's
_RECENT = _COUNTS + 6  # aggressiveness in the last hands: the opponent's, then the player's
MODEL = _RECENT + 2 * _WINDOW
"""Length of a team's memory."""


@kernel
def begin_hand(memory: F32) -> None:
    """Clear the action counts of the last hand."""
    memory[_LAST_ACTION] = np.float32(0.5)
    memory[_FOLDED_PREFLOP] = np.float32(0.0)
    memory[_COUNTS : _COUNTS + 6] = np.float32(0.0)


@kernel
def note_action(memory: F32, is_own: Truth, action: Int, street: Int) -> None:
    """Count an action: fold, call (or check) or raise (or bet)."""
    memory[_COUNTS + 3 * np.int64(is_own) + action] += np.float32(1.0)
    if not is_own:
        memory[_LAST_ACTION] = np.float32(0.5 * action)
        if action == FOLDS and street == PREFLOP:
            memory[_FOLDED_PREFLOP] = np.float32(1.0)


@kernel
def note_shown(memory: F32, is_weak: Truth) -> None:
    """Record whether the hand shown by the opponent is weak."""
    memory[_SHOWDOWNS] += np.float32(1.0)
    memory[_BLUFFS] += np.float32(is_weak)


@kernel
def end_hand(memory: F32, chips: Int | Float) -> None:
    """Record the result of a hand in chips, from ``-MOST`` to ``MOST``."""
    place = np.int64(memory[_HANDS]) % _WINDOW
    opposing, own = aggressiveness(memory, _COUNTS), aggressiveness(memory, _COUNTS + 3)
    memory[_RECENT + place] = opposing
    memory[_RECENT + _WINDOW + place] = own
    memory[_HANDS] += np.float32(1.0)
    memory[_RESULTS] += np.float32((chips + MOST) / (2.0 * MOST))
    memory[_AGGRESSIVENESS] += opposing
    memory[_PLAYED] += np.float32(1.0) - memory[_FOLDED_PREFLOP]
    memory[_RAISING] += _raising(memory, 0.5)


@kernel
def aggressiveness(counts: F32, first: Int) -> Float:
    """Equation 4.5 for counted actions: 0 for always folding, 0.5 calling, 1 raising."""
    folds, calls, raises = counts[first], counts[first + 1], counts[first + 2]
    total = folds + calls + raises
    if total == 0.0:
        return np.float32(0.5)
    return np.float32((np.float32(0.5) * calls + raises) / total)


@kernel
def _raising(memory: F32, otherwise: Float) -> Float:
    """Equation 4.6: share of raises among the opponent's calls and raises in this hand."""
    calls, raises = memory[_COUNTS + CALLS], memory[_COUNTS + RAISES]
    return np.float32(raises / (calls + raises)) if calls + raises > 0.0 else np.float32(otherwise)


@kernel
def _mean(total: Float, n: Float, otherwise: Float) -> Float:
    return total / n if n > 0.0 else np.float32(otherwise)


@kernel
def write_inputs(
    memory: F32,
    strength: Float,
    potential: Float,
    to_call: Int,
    pot: Int,
    is_second: Truth,
    street: Int,
    inputs: F32,
) -> None:
    """Write the inputs of a decision.

    Args:
        memory: Memory of the player to act.
        strength: Strength of its hand, 0..1.
        potential: Effective potential of its hand, 0..1.
        to_call: Chips to call.
        pot: Chips in the pot, including the bets of this street.
        is_second: Whether the other player acts first on this street.
        street: 0 to 3.
        inputs: ``(N_INPUTS,)`` float32, written.
    """
    hands = memory[_HANDS]
    played: Int = np.int64(hands)
    recent = min(played, _WINDOW)
    opposing, own = np.float32(0.0), np.float32(0.0)
    for i in range(recent):
        opposing += memory[_RECENT + i]
        own += memory[_RECENT + _WINDOW + i]
    inputs[0] = strength
    inputs[1] = potential
    inputs[2] = to_call / (pot + to_call)
    inputs[3] = is_second
    inputs[4] = street / 3.0
    inputs[5] = _mean(memory[_RESULTS], hands, 0.5)
    inputs[6] = memory[_LAST_ACTION]
    inputs[7] = _raising(memory, 0.0)
    inputs[8] = _mean(memory[_AGGRESSIVENESS], hands, 0.5)
    inputs[9] = _mean(memory[_PLAYED], hands, 0.5)
    inputs[10] = _mean(memory[_RAISING], hands, 0.5)
    inputs[11] = _mean(memory[_BLUFFS], memory[_SHOWDOWNS], 0.0)
    inputs[12] = _mean(opposing, np.float32(recent), 0.5)
    inputs[13] = _mean(own, np.float32(recent), 0.5)
    for i in range(N_INPUTS):
        inputs[i] *= np.float32(10.0)
