"""DIVAT averaged over several baselines, which smooths decisions close to a threshold.

Source: D. Billings, "Algorithms and Assessment in Computer Poker", PhD thesis (University of
Alberta, 2006), section 5.3.5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlhe_env.assessment.estimators.divat import (
    assess_hand,
    divat_of_hand,
    new_state,
    pay_divat,
)
from nlhe_env.assessment.estimators.divat_baseline import Baseline
from nlhe_env.assessment.estimators.divat_roe import assess_by_roll_outs
from nlhe_env.assessment.estimators.estimator import ESTIMATOR, Estimator
from nlhe_env.game.table import MAX_SEATS, TableRecord
from nlhe_env.jit.array_types import I64, Int
from nlhe_env.jit.compilation import kernel


def divat_average_estimator(
    n_players: int, baselines: Sequence[Baseline], weights: Sequence[float], *, roll_outs: bool
) -> Estimator:
    """Estimator by the mean of DIVAT over baselines, with its state for one thread.

    Args:
        n_players: Players of the match.
        baselines: At least one.
        weights: One positive weight per baseline; they need not sum to 1.
        roll_outs: Whether to use roll-outs for the equities.
    """
    shares = np.array(weights, np.float64) / np.sum(weights)
    states = [new_state(baseline) for baseline in baselines]
    # The number of baselines, whether equities are rolled out, the shares as words, and the states.
    head = np.array([len(states), roll_outs], np.int64)
    state = np.concatenate([head, shares.view(np.int64), *states])
    sums = np.zeros(n_players, np.int64)
    return Estimator(ESTIMATOR.address_of(_average), state, np.zeros(MAX_SEATS, np.int64), sums)


@kernel
def _average(table: TableRecord, state: I64, adjusted: I64) -> None:
    """The signature ``ESTIMATOR``."""
    n, roll_outs, size = state[0], state[1] == 1, _words_of_each(state)
    shares = state[2 : 2 + n].view(np.float64)
    total = 0.0
    for i in range(n):
        begin = 2 + n + i * size
        baseline = state[begin : begin + size]
        divat = assess_by_roll_outs(table, baseline) if roll_outs else assess_hand(table, baseline)
        total += shares[i] * divat_of_hand(divat)
    pay_divat(table, total, adjusted)


@kernel
def _words_of_each(state: I64) -> Int:
    """Words of the state of one baseline."""
    return (len(state) - 2 - state[0]) // state[0]
