"""Card inputs of programs: hand strength and effective potential by street.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), section 4.2.2. The strength is the share of holdings beaten at present, ties
counting one half; before the flop, hole cards are compared as two-card poker hands. The effective
potential before the flop is the win probability against one random hand, scaled so that the worst
hand has 0 and the best 1; on the flop and the turn it is the hand potential of equation 4.3,
enumerated over all future cards; on the river it is the strength.
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
        ("hole", np.int8, (2, 2)),  # of the button, then of the other side
        ("board", np.int8, (5,)),
        ("strength", np.float32, (2, 4)),  # by side and street
        ("potential", np.float32, (2, 4)),
        ("result", np.int8),  # at showdown: 1 the button wins, -1 the other side wins, 0 tie
        ("category", np.int8, (2,)),  # of each side's hand
    ],
    align=True,
)
DealRecord: TypeAlias = Record
"""A record of dtype ``DEAL``."""


@functools.cache
def preflop_metrics() -> F32:
    """``(169, 2)`` strength and effective potential by ``preflop_class``."""
    metrics = np.zeros((N_PREFLOP, 2), np.float32)
    tables = load_preflop()
    # Wins without ties: equities count ties as one half, the probabilities count them as wins.
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
        board: Card codes, at least those dealt by this street.
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
    """Whether a hand is in class ``WEAK``."""
    return strength < _INTERMEDIATE_FROM


def classes_of(strengths: npt.ArrayLike) -> I64:
    """Classes of hands: ``STRONG`` (best 10%), ``INTERMEDIATE`` (next 30%) or ``WEAK``.

    >>> classes_of([0.95, 0.9, 0.6, 0.59])
    array([0, 0, 1, 2])
    """
    values = np.asarray(strengths)
    return np.where(
        values >= _STRONG_FROM, STRONG, np.where(values < _INTERMEDIATE_FROM, WEAK, INTERMEDIATE)
    )
