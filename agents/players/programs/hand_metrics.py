"""Inputs of programs about their cards: hand strength and effective potential by street.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), section 4.2.2. The strength is the share of holdings that are beaten now, ties
counting one half; before the flop two cards are compared as poker hands of two cards. The effective
potential is the chance to win against one random hand before the flop, scaled so that the worst
hand has 0 and the best 1; then the hand potential of equation 4.3, counted over all cards to come;
on the river the strength.
"""

from __future__ import annotations

import functools
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nlhe_env.assessment import potential_kernels
from nlhe_env.assessment.hand_potential import hand_strength
from nlhe_env.assessment.potential_kernels import ScratchRecord
from nlhe_env.cards import format_cards
from nlhe_env.equity.tables.cells import preflop_class
from nlhe_env.equity.tables.store import load_preflop
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.table import FLOP, PREFLOP, RIVER
from nlhe_env.jit.array_types import F32, I8, I64, Float, Int, Record, Truth
from nlhe_env.jit.compilation import kernel

STRONG, INTERMEDIATE, WEAK = range(3)
_STRONG_FROM, _INTERMEDIATE_FROM = 0.9, 0.6

DEAL = np.dtype(
    [
        ("hole", np.int8, (2, 2)),  # of the side on the button, and of the other
        ("board", np.int8, (5,)),
        ("strength", np.float32, (2, 4)),  # of each side on each street
        ("potential", np.float32, (2, 4)),
        ("result", np.int8),  # at showdown: 1 the button wins, -1 the other, 0 they tie
        ("category", np.int8, (2,)),  # as each side sees it
    ],
    align=True,
)
DealRecord: TypeAlias = Record
"""A record of dtype ``DEAL``."""


@functools.cache
def preflop_metrics() -> F32:
    """``(169, 2)`` strength and effective potential of hole cards by ``preflop_class``."""
    metrics = np.zeros((N_PREFLOP, 2), np.float32)
    tables = load_preflop()
    # Wins are what is beaten or tied, less the ties: shares count half of them.
    wins = 2.0 * tables["hand_equities"][:, 0] - tables["win_or_tie_probabilities"][:, 0]
    metrics[:, 1] = (wins - wins.min()) / (wins.max() - wins.min())
    for first in range(13):
        for second in range(13):
            for suit in range(2):
                cards = 4 * first, 4 * second + suit
                if cards[0] != cards[1]:
                    metrics[preflop_class(*cards), 0] = hand_strength(format_cards(cards))
    metrics.setflags(write=False)
    return metrics


@kernel
def hand_metrics(
    hole_0: Int, hole_1: Int, board: I8, street: Int, preflop: F32, scratch: ScratchRecord
) -> tuple[Float, Float]:
    """Strength and effective potential of hole cards on a street.

    Args:
        hole_0: Code of the first hole card.
        hole_1: Code of the second hole card.
        board: At least as many card codes as lie open.
        street: 0 to 3.
        preflop: ``preflop_metrics()``, flat.
        scratch: A record of dtype ``potential_kernels.SCRATCH``.

    Returns:
        Two float64 in [0, 1].
    """
    if street == PREFLOP:
        i = 2 * preflop_class(hole_0, hole_1)
        return np.float64(preflop[i]), np.float64(preflop[i + 1])
    if street == RIVER:
        strength = potential_kernels.hand_strength(hole_0, hole_1, board, 5, None)
        return strength, strength
    n_board = 3 if street == FLOP else 4
    potential_kernels.count(hole_0, hole_1, board, n_board, 5 - n_board, scratch)
    aa, at, ab, ta, tt, tb, ba, bt, bb = potential_kernels.transitions(None, scratch)
    ahead, tied, behind = aa + at + ab, ta + tt + tb, ba + bt + bb
    strength = (ahead + 0.5 * tied) / (ahead + tied + behind)
    return strength, (aa + ba + 0.5 * bt + ta) / (1.5 * behind + tied + ahead)


@kernel
def is_weak(strength: Float) -> Truth:
    """Whether a hand is of the class ``WEAK``."""
    return strength < _INTERMEDIATE_FROM


def classes_of(strengths: npt.ArrayLike) -> I64:
    """``STRONG``, ``INTERMEDIATE`` or ``WEAK`` hands: the best tenth, the next 30%, the others.

    >>> classes_of([0.95, 0.9, 0.6, 0.59])
    array([0, 0, 1, 2])
    """
    values = np.asarray(strengths)
    return np.where(
        values >= _STRONG_FROM, STRONG, np.where(values < _INTERMEDIATE_FROM, WEAK, INTERMEDIATE)
    )
