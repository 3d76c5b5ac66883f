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
from nlhe_env.machine.array_types import I64
from nlhe_env.machine.compilation import kernel
from nlhe_env.machine.function_pointers import NO_FUNCTION, Signature

PARTS = 1 << 16
"""Into how many parts judges divide a chip."""

MOST_CHIPS = 1 << 32
"""At a table, so that sums of parts stay far inside int64."""

JUDGE = Signature(
    "a judge of hands",
    None,
    table=np.zeros(1, TABLE)[0],
    state=np.zeros(1, np.int64),
    fair=np.zeros(MAX_SEATS, np.int64),
)
"""``judge(table, state, fair)`` writes what each seat won in parts of a chip, luck taken out."""

_call_judge = JUDGE.call


class Judging(NamedTuple):
    """A judge at work in one thread, as kernels take it."""

    judge: int
    """Address of the judge; ``NO_FUNCTION`` for none."""
    state: I64
    """What the judge keeps, its own affair."""
    fair: I64
    """``(MAX_SEATS,)`` parts of a chip that each seat won in the last hand."""
    sums: I64
    """``(n_players,)`` parts of a chip that each player won."""
    ear: int = NO_FUNCTION
    """Address of what hears of decisions, ``agents.compiled.ears``; ``NO_FUNCTION`` for none."""


def nobody_judges(n_players: int) -> Judging:
    """For results as they fell."""
    state, fair, sums = (np.zeros(n, np.int64) for n in (0, 0, n_players))
    return Judging(NO_FUNCTION, state, fair, sums)


@kernel
def judge_hand(table, judging):
    """Add what the players of a paid hand won to the sums of a judge."""
    _call_judge(judging.judge, table, judging.state, judging.fair)
    for seat in range(table.seats):
        who = table.player[seat]
        if who >= 0 and table.status[seat] != EMPTY:
            judging.sums[who] += judging.fair[seat]


@kernel
def write_result(table, fair):
    """What the seats won as the cards fell."""
    for seat in range(table.seats):
        fair[seat] = (table.won[seat] - table.hand_bet[seat]) * PARTS
