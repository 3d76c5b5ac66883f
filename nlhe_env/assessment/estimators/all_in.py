"""All-in equity: after the end of betting, players get their expected value over the board.

If betting ends before the river, cards alone decide the hand. Each pot is divided by the exact
shares of its eligible hands over all possible boards, in fractions of a chip. Cards of folded hands
are excluded from the boards: players fold because of their cards, so treating them as unknown would
bias the estimate. The estimate is therefore unbiased for any players.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nlhe_env.assessment.estimators.estimator import ESTIMATOR, PARTS, Estimator, write_result
from nlhe_env.equity.all_in.shares import COUNTER, CounterRecord, find_shares, new_counter
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.game.table import (
    EMPTY,
    MAX_SEATS,
    NO_PLAYER,
    PREFLOP,
    RIVER,
    TABLE,
    TableRecord,
    TableRecords,
)
from nlhe_env.jit.array_types import I64, Int, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer

_counter_at = record_pointer(COUNTER)


def all_in_estimator(n_players: int) -> Estimator:
    """Estimator by all-in equity, with its state for one thread."""
    adjusted = np.zeros(MAX_SEATS, np.int64)
    return Estimator(
        ESTIMATOR.address_of(estimate_all_in),
        new_counter(),
        adjusted,
        np.zeros(n_players, np.int64),
    )


def all_in_ev(record: np.void, *, folded_known: bool = True) -> dict[int, float]:
    """Chips won by each seat in a paid hand, with all-ins at their exact expected value.

    Args:
        record: A table record after the hand, such as ``env.unwrapped.table`` or the last one of
            ``nlhe_env.hand_history.play_hand``.
        folded_known: Whether the cards of folded hands are known and excluded from the board.

    Returns:
        Seat -> net chips, in multiples of 1/65,536 chip.

    Raises:
        ValueError: ``record`` is not a table record with a paid hand.

    >>> import nlhe_env
    >>> game = nlhe_env.Game.cash(starting_stack=1000, num_hands=1)
    >>> env = nlhe_env.raw_env(2, game=game, actions="chips")
    >>> cards = {"player_0": "AsAh", "player_1": "KdKc"}
    >>> env.reset(options={"button": 0, "hole_cards": cards, "board": "Kh7s2c3d4h"})
    >>> env.step(1000)  # all-in
    >>> env.step(1)
    >>> {seat: round(net, 1) for seat, net in nlhe_env.all_in_ev(env.tables[0]).items()}
    {0: 625.1, 1: -625.1}
    """
    table: Any = np.atleast_1d(record)
    if table.dtype != TABLE:
        raise ValueError(f"record must be a table record; got an array of {table.dtype}")
    if table["actor"][0] != NO_PLAYER or table["pots"][0] == 0:
        raise ValueError("record must be of a finished hand; in this one a player is to act")
    adjusted = np.zeros(MAX_SEATS, np.int64)
    _estimate(table, new_counter(knows_folded=folded_known), adjusted)
    dealt_in = np.flatnonzero(table["status"][0] != EMPTY).tolist()
    return {seat: float(adjusted[seat]) / PARTS for seat in dealt_in}


@kernel
def _estimate(tables: TableRecords, state: I64, adjusted: I64) -> None:
    estimate_all_in(tables[0], state, adjusted)


@kernel
def estimate_all_in(table: TableRecord, state: I64, adjusted: I64) -> None:
    """The signature ``ESTIMATOR``; ``state`` is a ``COUNTER``."""
    write_result(table, adjusted)
    if is_all_in(table):
        counter = _counter_at(state.ctypes.data)
        take_question(table, counter)
        for seat in range(table.seats):
            adjusted[seat] = -table.hand_bet[seat] * PARTS
        for pot in range(table.pots):
            pay_shares(table, pot, counter, adjusted)


@kernel
def is_all_in(table: TableRecord) -> Truth:
    """Whether cards after the end of betting decided a paid hand."""
    return table.showdown != 0 and table.street < RIVER


@kernel
def take_question(table: TableRecord, counter: CounterRecord) -> None:
    """Write the board at the end of betting into the counter."""
    counter.board = 0
    n_board = table.street + 2 if table.street > PREFLOP else 0
    for i in range(2 * table.seats, 2 * table.seats + n_board):
        counter.board |= card_bit(table.cards[i])


@kernel
def pay_shares(table: TableRecord, pot: Int, counter: CounterRecord, adjusted: I64) -> None:
    """Divide a pot among its eligible hands; the last one gets the remainder."""
    eligible, size = table.pot_eligible[pot], table.pot_size[pot]
    counter.dead = 0
    counter.n = 0
    last = 0
    for seat in range(table.seats):
        if table.status[seat] == EMPTY:
            continue
        if eligible >> seat & 1:
            for i in range(2):
                counter.cards[counter.n, i] = table.cards[2 * seat + i]
            counter.n += 1
            last = seat
        elif counter.knows_folded or table.shown[seat]:
            for i in range(2):
                counter.dead |= card_bit(table.cards[2 * seat + i])
    left = size * PARTS
    if counter.n > 1:
        find_shares(counter)
        i = 0
        for seat in range(last):
            if eligible >> seat & 1:
                parts = np.int64(np.floor(counter.share[i] * size * PARTS + 0.5))
                adjusted[seat] += parts
                left -= parts
                i += 1
    adjusted[last] += left
