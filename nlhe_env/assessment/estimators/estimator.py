"""Hand estimators: kernel signature and exact results.

An estimator is a kernel that reads a paid hand, including all cards, and writes the adjusted result
of each seat in chips: an estimate of the mean result with less variance. Sums must not depend on
the order of addition, so results are integers in units of 1/``PARTS`` chip. The estimator rounds
such that the results of all seats sum to minus the rake.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.game.table import EMPTY, MAX_SEATS, TABLE, TableRecord
from nlhe_env.jit.array_types import I64
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION, Signature

PARTS = 1 << 16
"""Parts per chip in the results of estimators."""

MOST_CHIPS = 1 << 32
"""Maximum chips at a table, so that sums of parts stay far within int64."""

ESTIMATOR = Signature(
    "an estimator of hands",
    None,
    table=np.zeros(1, TABLE)[0],
    state=np.zeros(1, np.int64),
    adjusted=np.zeros(MAX_SEATS, np.int64),
)
"""``kernel(table, state, adjusted)`` writes each seat's adjusted result in parts of a chip."""

_call_estimator = ESTIMATOR.call


class Estimator(NamedTuple):
    """An estimator with its state for one thread, for kernels."""

    kernel: int
    """Address of the estimator's kernel; ``NO_FUNCTION`` for none."""
    state: I64
    """State of the estimator, in its own format."""
    adjusted: I64
    """``(MAX_SEATS,)`` result of each seat in the last hand, in parts of a chip."""
    sums: I64
    """``(n_players,)`` total result of each player, in parts of a chip."""
    decision_hook: int = NO_FUNCTION
    """Address of a decision hook (``agents.policy.dispatch``); ``NO_FUNCTION`` for none."""


def no_estimator(n_players: int) -> Estimator:
    """No estimator: actual results are counted."""
    state, adjusted, sums = (np.zeros(n, np.int64) for n in (0, 0, n_players))
    return Estimator(NO_FUNCTION, state, adjusted, sums)


@kernel
def estimate_hand(table: TableRecord, estimator: Estimator) -> None:
    """Add the adjusted results of a paid hand to the sums of the players."""
    _call_estimator(estimator.kernel, table, estimator.state, estimator.adjusted)
    for seat in range(table.seats):
        player = table.player[seat]
        if player >= 0 and table.status[seat] != EMPTY:
            estimator.sums[player] += estimator.adjusted[seat]


@kernel
def write_result(table: TableRecord, adjusted: I64) -> None:
    """Write the unadjusted results of the seats in parts of a chip."""
    for seat in range(table.seats):
        adjusted[seat] = (table.won[seat] - table.hand_bet[seat]) * PARTS
