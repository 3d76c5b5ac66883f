"""DIVAT by roll-outs, which is proven to be unbiased.

If actual and baseline betting end a street alike, no roll-out is needed. Otherwise the equity after
each is the mean over all future cards (``roll_out``). Preflop this would be 17,296 flops with all
continuations. There boards are sampled, with the all-in equity as a control variate: only the
effect of future betting depends on the sample. The sample depends only on the cards of the hand, so
a hand always has the same estimate.

Source: M. Zinkevich, M. Bowling, N. Bard, M. Kan, D. Billings, "Optimal Unbiased Estimators for
Evaluating Agent Performance", AAAI-06; D. Billings, PhD thesis (2006), 5.3.1.2 and 5.3.4.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.assessment.estimators.divat import assess_hand, divat_estimator, write_divat
from nlhe_env.assessment.estimators.divat_baseline import NOBODY_FOLDS
from nlhe_env.assessment.estimators.estimator import Estimator
from nlhe_env.assessment.estimators.roll_out import roll_out, roll_out_board
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.game.random_stream import EQUITY_DEALS, digit, draw
from nlhe_env.game.table import PREFLOP, TableRecord
from nlhe_env.jit.array_types import I64, Int, Record
from nlhe_env.jit.compilation import kernel

BOARDS = 32
"""Boards drawn for the betting before the flop."""


def divat_roe_estimator(n_players: int) -> Estimator:
    """DIVAT estimator with roll-outs and its state for one thread."""
    return divat_estimator(n_players, estimate_divat_roe)


@kernel
def estimate_divat_roe(table: TableRecord, state: I64, adjusted: I64) -> None:
    """The signature ``ESTIMATOR`` for heads-up fixed-limit."""
    write_divat(table, assess_by_roll_outs(table, state), adjusted)


@kernel
def assess_by_roll_outs(table: TableRecord, state: I64) -> Record:
    """Record of a paid hand, with roll-outs on streets with different endings."""
    divat = assess_hand(table, state)
    key_0, key_1 = _key(divat)
    # From the last street on: roll-outs take cards of later streets out of the record.
    for street in range(divat.streets - 1, -1, -1):
        folds, baseline_folds = divat.folds[street], divat.baseline_folds[street]
        after, baseline_after = divat.after[street], divat.baseline_after[street]
        if after == baseline_after and folds == baseline_folds:
            continue
        divat.each[0], divat.each[1] = baseline_after, after
        if folds == NOBODY_FOLDS or baseline_folds == NOBODY_FOLDS:
            if street == PREFLOP:
                roll_boards(divat, key_0, key_1)
            else:
                roll_out(street, divat, divat.each, divat.rolled)
        if folds == NOBODY_FOLDS:
            divat.equity[street] = divat.rolled[1]
        if baseline_folds == NOBODY_FOLDS:
            divat.baseline_equity[street] = divat.rolled[0]
    return divat


@kernel
def _key(divat: Record) -> tuple[Int, Int]:
    """Two numbers that identify the cards of a hand."""
    key_0, key_1 = np.int64(0), np.int64(0)
    for player in range(2):
        for i in range(2):
            key_0 = key_0 * N_CARDS + divat.cards[player, i]
    for i in range(5):
        key_1 = key_1 * N_CARDS + divat.board[i]
    return key_0, key_1


@kernel
def roll_boards(divat: Record, key_0: Int, key_1: Int) -> None:
    """Write the values of ``each`` before the flop into ``rolled``, by boards from two keys."""
    edge = 2 * divat.share[PREFLOP] - 1
    each_0, each_1 = divat.each[0], divat.each[1]
    sum_0, sum_1 = 0.0, 0.0
    for i in range(BOARDS):
        _draw_board(divat, i, key_0, key_1)
        sign = roll_out_board(divat, divat.each, divat.rolled)
        sum_0 += divat.rolled[0] - sign * each_0
        sum_1 += divat.rolled[1] - sign * each_1
    divat.rolled[0] = edge * each_0 + sum_0 / BOARDS
    divat.rolled[1] = edge * each_1 + sum_1 / BOARDS


@kernel
def _draw_board(divat: Record, number: Int, key_0: Int, key_1: Int) -> None:
    """Draw a board from the cards that neither hand holds."""
    held = np.int64(0)
    for player in range(2):
        held |= card_bit(divat.cards[player, 0]) | card_bit(divat.cards[player, 1])
    n = 0
    for card in range(N_CARDS):
        if not held & card_bit(card):
            divat.opposing_sets[n] = card
            n += 1
    for_flop, for_rest = draw(0, EQUITY_DEALS, number, key_0, key_1, 0)
    for i in range(5):
        word = for_flop if i < 3 else for_rest
        chosen, word = digit(word, np.uint64(n - i))
        if i < 3:
            for_flop = word
        else:
            for_rest = word
        at = i + np.int64(chosen)
        card = divat.opposing_sets[at]
        divat.opposing_sets[at] = divat.opposing_sets[i]
        divat.board[i] = card
