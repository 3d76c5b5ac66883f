"""Betting sequences of heads-up no-limit, by classes of bet sizes, as numbers.

Pots and stacks differ from hand to hand, so that hardly a line comes twice. A street that is over
is described by its *end*: who bet last, and in which class of sizes; all streets before by their
*history class*. Where the opponent is to act, the *spot* is what it faces.
"""

from __future__ import annotations

import numpy as np

from agents.players.poki.action_frequencies import size_class
from agents.players.poki.records import N_SIZES
from nlhe_env.jit.array_types import Float, Int, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel

ALL_IN_SIZE = N_SIZES - 1
SIZES = (0.3, 0.6, 1.0, 2.0)
"""Pots that stand for the classes of raises but all-in."""
NO_BET, OWN_BET, OPPONENT_BET = range(3)
"""Values of the player that bet or raised last on a street; the blinds are no bets."""
N_ENDS = 1 + 2 * N_SIZES
N_COARSE = 5
"""Number of ends distinguished on later streets: no bet; by either, up to 0.8 pots or more."""
N_HISTORY_CLASSES = N_COARSE * 4
N_SPOTS = 2 + 2 * N_SIZES
_BIG = 2  # the first class of more than 0.8 pots


@kernel
def class_of(size: Float, is_all_in: Truth) -> Int:
    """The class of a raise.

    Args:
        size: In pots as they are after a call.
        is_all_in: Whether it is all that both could put in; that is a class of its own only if it
            is more than 1.3 pots, else the price says more.
    """
    which = size_class(size, 0.0, 1.0, False)
    return ALL_IN_SIZE if is_all_in and which == N_SIZES - 2 else which


@inlined_kernel
def end_of(bettor: Int, size: Int) -> Int:
    """End of a street, 0..10: 0 checked through, else last bettor and class of the bet."""
    return 0 if bettor == NO_BET else 1 + (bettor - OWN_BET) * N_SIZES + size


@inlined_kernel
def coarse(end: Int) -> Int:
    """End of a street merged for later streets, 0..4: last bettor, up to 0.8 pots or more."""
    return 0 if end == 0 else 1 + (end - 1) // N_SIZES * 2 + ((end - 1) % N_SIZES >= _BIG)


@kernel
def next_history_class(history_class: Int, coarse_end: Int) -> Int:
    """History class of a street: the end of the one before, and the last bettor before that.

    Args:
        history_class: History class of the street before; 0 before the flop.
        coarse_end: End of that street, see ``coarse``.
    """
    last, own_bet, opponent_bet = history_class // 4, history_class % 4 // 2, history_class % 2
    own_bet = max(own_bet, np.int64(last == 1 or last == 2))
    opponent_bet = max(opponent_bet, np.int64(last > 2))
    return coarse_end * 4 + own_bet * 2 + opponent_bet


@inlined_kernel
def spot_of(bettor: Int, size: Int, has_bet: Int, has_checked: Int) -> Int:
    """Spot of the opponent where it acts, 0..11: what it faces.

    Nothing, as the first or after a check (before the flop the button faces the big blind, or the
    big blind who has called it); a bet of each class; a raise of each class after a bet of its own.
    """
    if bettor == NO_BET:
        return np.int64(has_checked)
    return np.int64(2 + size + N_SIZES * has_bet)
