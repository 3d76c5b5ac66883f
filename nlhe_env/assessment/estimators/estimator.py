"""What a judge of hands is, and the exact numbers that it writes.

A judge is a kernel that looks at a hand that has been paid, all cards included, and says how many
chips each seat should be taken to have won: an estimate of the mean result, with less luck in it.
Sums of such numbers must not depend on the order of adding, so they are whole numbers of ``PARTS``
to a chip; the judge rounds, and what all seats of a hand get still adds up to what the house takes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.game.table import EMPTY, MAX_SEATS, TABLE
from nlhe_env.jit.array_types import I64
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION, Signature

PARTS = 1 << 16
"""Into how many parts judges divide a chip."""

MOST_CHIPS = 1 << 32
"""At a table, so that sums of parts stay far inside int64."""

ESTIMATOR = Signature(
    "a judge of hands",
    None,
    table=np.zeros(1, TABLE)[0],
    state=np.zeros(1, np.int64),
    adjusted=np.zeros(MAX_SEATS, np.int64),
)
"""``kernel(table, state, adjusted)`` writes each seat's adjusted result in parts of a chip."""

_call_estimator = ESTIMATOR.call


class Estimator(NamedTuple):
    """A judge at work in one thread, as kernels take it."""

    kernel: int
    """Address of the judge; ``NO_FUNCTION`` for none."""
    state: I64
    """What the judge keeps, its own affair."""
    adjusted: I64
    """``(MAX_SEATS,)`` parts of a chip that each seat won in the last hand."""
    sums: I64
    """``(n_players,)`` parts of a chip that each player won."""
    decision_hook: int = NO_FUNCTION
    """Address of a decision hook (``agents.policy.decision_hooks``); ``NO_FUNCTION`` for none."""


def no_estimator(n_players: int) -> Estimator:
    """For results as they fell."""
    state, adjusted, sums = (np.zeros(n, np.int64) for n in (0, 0, n_players))
    return Estimator(NO_FUNCTION, state, adjusted, sums)


@kernel
def estimate_hand(table, estimator):
    """Add what the players of a paid hand won to the sums of a judge."""
    _call_estimator(estimator.kernel, table, estimator.state, estimator.adjusted)
    for seat in range(table.seats):
        player = table.player[seat]
        if player >= 0 and table.status[seat] != EMPTY:
            estimator.sums[player] += estimator.adjusted[seat]


@kernel
def write_result(table, adjusted):
    """What the seats won as the cards fell."""
    for seat in range(table.seats):
        adjusted[seat] = (table.won[seat] - table.hand_bet[seat]) * PARTS
