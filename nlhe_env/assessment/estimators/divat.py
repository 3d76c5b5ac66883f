"""DIVAT: the value of play in a hand of heads-up fixed-limit, without card luck.

For every street, the equity after the actual betting is compared with the equity after the betting
of a baseline strategy (``baseline``), with the actual play of earlier streets. The sum of the
differences is the gain from play, not from cards. This form uses all-in equity (AIE); ``divat_roe``
uses roll-outs.

Source: D. Billings, "Algorithms and Assessment in Computer Poker", PhD thesis (University of
Alberta, 2006), sections 5.2.2 (LFAT), 5.3.1.2 and 5.3.2, figure 5.1.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from nlhe_env.assessment.estimators.divat_baseline import (
    FIELDS,
    FIRST_FOLDS,
    MOST_OPPOSING,
    NOBODY_FOLDS,
    SECOND_FOLDS,
    Baseline,
    derive,
    write_strengths,
)
from nlhe_env.assessment.estimators.estimator import ESTIMATOR, PARTS, Estimator
from nlhe_env.equity import load_tables
from nlhe_env.equity.all_in.shares import COUNTER, CounterRecord, find_shares, new_counter
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.equity.tables.lookup import TABLES
from nlhe_env.game.table import EMPTY, FLOP, FOLDED, MAX_SEATS, PREFLOP, RIVER, TableRecord
from nlhe_env.jit.array_types import I64, Float, Int, Record
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer

DIVAT = np.dtype(
    [
        *FIELDS,
        ("strength_tables", np.int64),  # address of StrengthTables
        ("opposing_sets", np.int64, (MOST_OPPOSING,)),  # scratch of `write_strengths`
        ("ranks", np.int64, (MOST_OPPOSING,)),
        # The hand: cards of the big blind and of the button, the whole deck's board.
        ("cards", np.int64, (2, 2)),
        ("board", np.int64, (5,)),
        ("streets", np.int64),  # that were played
        ("bet", np.int64, (4,)),  # chips of a bet
        # By street: what both had put in before it, chips each.
        ("before", np.int64, (4,)),
        ("after", np.int64, (4,)),  # and after it
        ("folds", np.int64, (4,)),  # on it: NOBODY_FOLDS, FIRST_FOLDS or SECOND_FOLDS
        ("baseline_after", np.int64, (4,)),  # and chips after it by the baseline
        ("baseline_folds", np.int64, (4,)),
        ("strength", np.float64, (4, 2, 4)),  # measures of both hands
        ("share", np.float64, (4,)),  # of the pot that the big blind's hand wins on average
        # By street, in chips of the big blind: equity by the baseline and as it was, LFAT.
        ("baseline_equity", np.float64, (4,)),
        ("equity", np.float64, (4,)),
        ("luck", np.float64, (4,)),
        # Roll-outs: chips that each has put in, in two cases, and their values.
        ("each", np.int64, (2,)),
        ("rolled", np.float64, (2,)),
    ],
    align=True,
)
"""An assessed hand, one per thread; it follows a ``COUNTER`` in the same array of words."""
DivatRecord: TypeAlias = Record
"""A record of dtype ``DIVAT``."""

COUNTER_BYTES = COUNTER.itemsize
counter_at = record_pointer(COUNTER)
divat_at = record_pointer(DIVAT)
_tables_at = record_pointer(TABLES)


def new_state(baseline: Baseline | None = None) -> I64:
    """Scratch memory of ``assess``, as int64 words valid in this process."""
    record = np.zeros(1, DIVAT)
    (Baseline() if baseline is None else baseline).fill(record[0])
    record["strength_tables"] = load_tables()["checksums"].ctypes.data
    return np.concatenate([new_counter(), record.view(np.int64)])


def divat_of(state: I64) -> np.void:
    """The record of dtype ``DIVAT`` in the words of ``new_state``."""
    found: np.void = state[COUNTER.itemsize // 8 :].view(DIVAT)[0]
    return found


def divat_estimator(n_players: int, kernel: Any = None) -> Estimator:
    """DIVAT estimator for one thread: ``estimate_divat``, or ``kernel`` with the same state."""
    address = ESTIMATOR.address_of(estimate_divat if kernel is None else kernel)
    sums = np.zeros(n_players, np.int64)
    return Estimator(address, new_state(), np.zeros(MAX_SEATS, np.int64), sums)


@kernel
def estimate_divat(table: TableRecord, state: I64, adjusted: I64) -> None:
    """The signature ``ESTIMATOR`` for heads-up fixed-limit."""
    write_divat(table, assess_hand(table, state), adjusted)


@kernel
def assess_hand(table: TableRecord, state: I64) -> DivatRecord:
    """Record of a paid hand with assessments of all played streets."""
    address = state.ctypes.data
    counter, divat = counter_at(address), divat_at(address + COUNTER_BYTES)
    take_hand(table, divat)
    for street in range(divat.streets):
        assess(street, counter, divat)
    return divat


@kernel
def write_divat(table: TableRecord, divat: Record, adjusted: I64) -> None:
    """Credit an assessed hand's DIVAT to the big blind and debit the button."""
    pay_divat(table, divat_of_hand(divat), adjusted)


@kernel
def divat_of_hand(divat: Record) -> Float:
    """The DIVAT of an assessed hand, in chips of the big blind."""
    total = 0.0
    for street in range(divat.streets):
        total += divat.equity[street] - divat.baseline_equity[street]
    return total


@kernel
def pay_divat(table: TableRecord, total: Float, adjusted: I64) -> None:
    """Pay chips to the big blind, and take them from the button."""
    parts = np.int64(np.floor(total * PARTS + 0.5))
    for seat in range(table.seats):
        if table.status[seat] != EMPTY:
            adjusted[seat] = -parts if seat == table.button else parts


@kernel
def take_hand(table: TableRecord, divat: Record) -> None:
    """Read cards and betting of a paid hand."""
    divat.streets = table.street + 1
    for i in range(5):
        divat.board[i] = table.cards[2 * table.seats + i]
    first = 0
    for seat in range(table.seats):
        if table.status[seat] != EMPTY and seat != table.button:
            first = seat
    for i in range(2):
        divat.cards[0, i] = table.cards[2 * first + i]
        divat.cards[1, i] = table.cards[2 * table.button + i]
    put_in = np.int64(0)
    for street in range(4):
        divat.bet[street] = table.big_blind * (1 if street <= FLOP else 2)
        divat.before[street] = put_in
        put_in += min(table.street_chips[street, first], table.street_chips[street, table.button])
        divat.after[street] = put_in
        divat.folds[street] = NOBODY_FOLDS
    last = divat.streets - 1
    if table.status[first] == FOLDED:
        divat.folds[last] = FIRST_FOLDS
    elif table.status[table.button] == FOLDED:
        divat.folds[last] = SECOND_FOLDS


@kernel
def assess(street: Int, counter: CounterRecord, divat: Record) -> None:
    """Assess a street in the record, after all earlier streets."""
    measure(street, counter, divat)
    before, share = divat.before[street], divat.share[street]
    each, folds = by_baseline(street, before, divat)
    divat.baseline_after[street] = each
    divat.baseline_folds[street] = folds
    divat.baseline_equity[street] = equity(share, each, folds)
    divat.equity[street] = equity(share, divat.after[street], divat.folds[street])
    # Before the deal both players have half of the pot of two blinds.
    share_before = divat.share[street - 1] if street > PREFLOP else 0.5
    dealt_for = before if street > PREFLOP else divat.bet[PREFLOP]
    divat.luck[street] = 2 * dealt_for * (share - share_before)


@kernel
def measure(street: Int, counter: CounterRecord, divat: Record) -> None:
    """Strengths and share of the pot on a street."""
    measure_strengths(street, divat)
    for player in range(2):
        for i in range(2):
            counter.cards[player, i] = divat.cards[player, i]
    counter.n = 2
    counter.dead = 0
    counter.board = 0
    if street > PREFLOP:
        for i in range(street + 2):
            counter.board |= card_bit(divat.board[i])
    find_shares(counter)
    divat.share[street] = counter.share[0]


@kernel
def measure_strengths(street: Int, divat: Record) -> None:
    """Strengths of both hands on a street."""
    write_strengths(
        divat.cards,
        divat.board,
        street,
        _tables_at(divat.strength_tables),
        divat.opposing_sets,
        divat.ranks,
        divat.strength[street],
    )


@kernel
def by_baseline(street: Int, before: Int, divat: Record) -> tuple[Int, Int]:
    """Chips of each player after the baseline's betting on a street, and the folding player.

    Args:
        street: A measured street.
        before: Each player's chips in the pot before it.
        divat: The hand.
    """
    first, second = divat.strength[street, 0], divat.strength[street, 1]
    bets, folds = derive(street, 2 * before, divat.bet[street], first, second, divat)
    return (before if street > PREFLOP else 0) + bets * divat.bet[street], folds


@kernel
def equity(share: Float, each: Int, folds: Int) -> Float:
    """Net chips of the big blind if both have bet ``each``: a share of the pot, or all of it."""
    if folds == FIRST_FOLDS:
        return -1.0 * each
    if folds == SECOND_FOLDS:
        return 1.0 * each
    return (2 * share - 1) * each


@kernel
def baseline_result(counter: CounterRecord, divat: Record) -> Float:
    """Net chips of the big blind if both players follow the baseline (Dcash).

    The complete board must be known; unplayed streets are measured.
    """
    each: Int
    folds: Int
    each, folds = np.int64(0), NOBODY_FOLDS
    for street in range(4):
        if street >= divat.streets:
            measure(street, counter, divat)
        each, folds = by_baseline(street, each, divat)
        if folds != NOBODY_FOLDS:
            break
    return equity(divat.share[RIVER], each, folds)
