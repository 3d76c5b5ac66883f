"""Betting sequences of heads-up no-limit, by classes of bet sizes, as numbers.

Pots and stacks vary, so that exact lines hardly repeat. A finished street is described by its
*end*, the last bettor and the size class of that bet; earlier streets by their *history class*; a
decision of the opponent by its *spot*, the bet that it faces.
"""

from __future__ import annotations

import numpy as np

from agents.players.poki.action_frequencies import size_class
from agents.players.poki.records import N_SIZES
from nlhe_env.jit.array_types import Float, Int, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel

ALL_IN_SIZE = N_SIZES - 1
SIZES = (0.3, 0.6, 1.0, 2.0)
"""Representative sizes of the raise classes except all-in, in pots."""
NO_BET, OWN_BET, OPPONENT_BET = range(3)
"""Values for the last bettor or raiser of a street; blinds do not count as bets."""
N_ENDS = 1 + 2 * N_SIZES
N_COARSE = 5
"""Number of ends distinguished on later streets: no bet, or either bettor with up to 0.8 pots or
more."""
N_HISTORY_CLASSES = N_COARSE * 4
N_SPOTS = 2 + 2 * N_SIZES
_BIG = 2  # the first class of more than 0.8 pots


@kernel
def class_of(size: Float, is_all_in: Truth) -> Int:
    """Size class of a raise.

    Args:
        size: Size in pots after calling.
        is_all_in: Whether the raise is for the effective stack. All-in raises are a separate class
            only above 1.3 pots, because the price of smaller ones is more informative.
    """
    which = size_class(size, 0.0, 1.0, False)
    return ALL_IN_SIZE if is_all_in and which == N_SIZES - 2 else which


@inlined_kernel
def end_of(bettor: Int, size: Int) -> Int:
    """End of a street, 0..10: 0 for checked through, else last bettor and size class."""
    return 0 if bettor == NO_BET else 1 + (bettor - OWN_BET) * N_SIZES + size


@inlined_kernel
def coarse(end: Int) -> Int:
    """Coarse end of a street, 0..4, for later streets: last bettor, up to 0.8 pots or more."""
    return 0 if end == 0 else 1 + (end - 1) // N_SIZES * 2 + ((end - 1) % N_SIZES >= _BIG)


@kernel
def next_history_class(history_class: Int, coarse_end: Int) -> Int:
    """History class of a street: the previous street's end, and the last bettor before that.

    Args:
        history_class: History class of the previous street; 0 before the flop.
        coarse_end: End of the previous street, see ``coarse``.
    """
    last, own_bet, opponent_bet = history_class // 4, history_class % 4 // 2, history_class % 2
    own_bet = max(own_bet, np.int64(last == 1 or last == 2))
    opponent_bet = max(opponent_bet, np.int64(last > 2))
    return coarse_end * 4 + own_bet * 2 + opponent_bet


@inlined_kernel
def spot_of(bettor: Int, size: Int, has_bet: Int, has_checked: Int) -> Int:
    """Spot of the opponent, 0..11: the bet that it faces.

    Either no bet, as the first to act or after a check (before the flop: the button facing the big
    blind, or the big blind facing a call); or a bet of each class; or a raise of each class after a
    bet of its own.
    """
    if bettor == NO_BET:
        return np.int64(has_checked)
    return np.int64(2 + size + N_SIZES * has_bet)
