"""Roll-outs: the value of a pot if the baseline plays all later streets.

The equity after a street is the mean result over all future cards if both players follow the
baseline of ``divat_baseline`` (ROE). It replaces the all-in equity in the other form of DIVAT,
which is proven to be unbiased (Zinkevich et al., 2006).

Source: D. Billings, "Algorithms and Assessment in Computer Poker", PhD thesis (University of
Alberta, 2006), section 5.3.1.2 and figure 5.2.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.assessment.estimators.divat import equity, measure_strengths
from nlhe_env.assessment.estimators.divat_baseline import NOBODY_FOLDS, derive
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.evaluator import rank_set
from nlhe_env.game.table import FLOP, RIVER, TURN
from nlhe_env.jit.array_types import F64, I64, Float, Int, Record
from nlhe_env.jit.compilation import kernel

_NOT_PLAYED = -1


@kernel
def roll_out(street: Int, divat: Record, each: I64, values: F64) -> None:
    """Write the mean results of the big blind, for two sizes of the pot at once.

    Args:
        street: Street whose betting is over, ``FLOP`` to ``RIVER``.
        divat: Record of dtype ``DIVAT``: the hands and the board cards open on the street. The rest
            of the board, and the strengths of later streets, are scratch.
        each: ``(2,)`` int64: each player's chips in the pot, in both cases.
        values: ``(2,)`` float64, filled in.
    """
    values.fill(0.0)
    if street == FLOP:
        _add_turns(divat, each[0], each[1], 1.0, values)
    elif street == TURN:
        _add_rivers(divat, each[0], each[1], 1.0, values)
    else:
        _add_showdown(divat, each[0], each[1], 1.0, values)


@kernel
def roll_out_flops(flops: I64, divat: Record, each: I64, values: F64) -> None:
    """Write the mean results like ``roll_out``, before the flop, over the given flops.

    Args:
        flops: ``(n, 3)`` card codes that neither hand holds.
        divat: See ``roll_out``.
        each: See ``roll_out``.
        values: See ``roll_out``.
    """
    values.fill(0.0)
    weight = 1.0 / len(flops)
    for f in range(len(flops)):
        for i in range(3):
            divat.board[i] = flops[f, i]
        next_0, next_1 = _bet(FLOP, divat, each[0], each[1], weight, values)
        _add_turns(divat, next_0, next_1, weight, values)


@kernel
def roll_out_board(divat: Record, each: I64, values: F64) -> Float:
    """Write the results like ``roll_out``, before the flop, for the board of the record.

    Returns:
        1 if the big blind's hand wins on that board, -1 if it loses, else 0.
    """
    values.fill(0.0)
    each_0, each_1 = each[0], each[1]
    for street in range(FLOP, RIVER + 1):
        if each_0 != _NOT_PLAYED or each_1 != _NOT_PLAYED:
            each_0, each_1 = _bet(street, divat, each_0, each_1, 1.0, values)
    return _add_showdown(divat, each_0, each_1, 1.0, values)


@kernel
def _add_turns(divat: Record, each_0: Int, each_1: Int, weight: Float, values: F64) -> None:
    """Add the mean over the turn cards, with the baseline's betting and all later streets."""
    if each_0 == _NOT_PLAYED and each_1 == _NOT_PLAYED:
        return
    weight /= 45
    held = _held(divat, 3)
    for card in range(N_CARDS):
        if not held & card_bit(card):
            divat.board[3] = card
            next_0, next_1 = _bet(TURN, divat, each_0, each_1, weight, values)
            _add_rivers(divat, next_0, next_1, weight, values)


@kernel
def _add_rivers(divat: Record, each_0: Int, each_1: Int, weight: Float, values: F64) -> None:
    """Add the mean over the river cards."""
    if each_0 == _NOT_PLAYED and each_1 == _NOT_PLAYED:
        return
    weight /= 44
    held = _held(divat, 4)
    for card in range(N_CARDS):
        if not held & card_bit(card):
            divat.board[4] = card
            last_0, last_1 = _bet(RIVER, divat, each_0, each_1, weight, values)
            _add_showdown(divat, last_0, last_1, weight, values)


@kernel
def _bet(
    street: Int, divat: Record, each_0: Int, each_1: Int, weight: Float, values: F64
) -> tuple[Int, Int]:
    """The betting by the baseline on an open street, see ``_play``, in both cases."""
    measure_strengths(street, divat)
    next_0 = _play(street, divat, each_0, 0, weight, values)
    next_1 = _play(street, divat, each_1, 1, weight, values)
    return next_0, next_1


@kernel
def _add_showdown(divat: Record, each_0: Int, each_1: Int, weight: Float, values: F64) -> Float:
    """Add the results on the full board, and return the winner like ``roll_out_board``."""
    sign = _showdown(divat)
    if each_0 != _NOT_PLAYED:
        values[0] += weight * sign * each_0
    if each_1 != _NOT_PLAYED:
        values[1] += weight * sign * each_1
    return sign


@kernel
def _play(street: Int, divat: Record, each: Int, case: Int, weight: Float, values: F64) -> Int:
    """Chips of each player after the betting of a street by the baseline.

    If a player folds, or nothing is played, ``_NOT_PLAYED``; the result of a fold is added.
    """
    if each == _NOT_PLAYED:
        return np.int64(_NOT_PLAYED)
    first, second = divat.strength[street, 0], divat.strength[street, 1]
    bets, folds = derive(street, 2 * each, divat.bet[street], first, second, divat)
    if folds != NOBODY_FOLDS:
        values[case] += weight * equity(0.0, each, folds)
        return np.int64(_NOT_PLAYED)
    return each + bets * divat.bet[street]


@kernel
def _held(divat: Record, n_board: Int) -> Int:
    """Set of the dead cards."""
    held = np.int64(0)
    for player in range(2):
        held |= card_bit(divat.cards[player, 0]) | card_bit(divat.cards[player, 1])
    for i in range(n_board):
        held |= card_bit(divat.board[i])
    return held


@kernel
def _showdown(divat: Record) -> Float:
    """1 if the big blind's hand wins on the full board, -1 if it loses, else 0."""
    board = np.int64(0)
    for i in range(5):
        board |= card_bit(divat.board[i])
    ours = rank_set(board | card_bit(divat.cards[0, 0]) | card_bit(divat.cards[0, 1]))
    theirs = rank_set(board | card_bit(divat.cards[1, 0]) | card_bit(divat.cards[1, 1]))
    return np.float64(ours > theirs) - np.float64(ours < theirs)
