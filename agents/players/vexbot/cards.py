"""Strength of a hand now and after the next card, as hand rank on a grid of points."""

from __future__ import annotations

import numpy as np

from agents.players.vexbot.records import N_POINTS, add_to_points
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.equity.tables.lookup import StrengthTablesRecord, hand_equity
from nlhe_env.game.table import PREFLOP, RIVER, TableRecord
from nlhe_env.jit.array_types import Float, Int, Record
from nlhe_env.jit.compilation import kernel

_N_CARDS = 52
_MOST_BOARD = 5


@kernel
def strength_on_river(table: TableRecord, seat: Int, tables: StrengthTablesRecord) -> Float:
    """Hand rank on a full board: the share of hands beaten, counting ties as one half."""
    return hand_equity(
        np.int64(table.cards[2 * seat]),
        np.int64(table.cards[2 * seat + 1]),
        table.cards[2 * table.seats : 2 * table.seats + _MOST_BOARD],
        _MOST_BOARD,
        1,
        tables,
    )


@kernel
def write_points(
    table: TableRecord,
    seat: Int,
    prior: Record,
    tables: StrengthTablesRecord,
    search: Record,
) -> None:
    """Write the distribution of strengths after the next card to ``search.points``.

    Before the flop it comes from the prior, later from enumeration of the next card; on the river
    it is the strength itself.

    Args:
        table: A table record.
        seat: Seat of the hand.
        prior: Prior of either Vexbot.
        tables: ``StrengthTables``.
        search: Search record of either Vexbot.
    """
    points = search.points
    hole_0, hole_1 = np.int64(table.cards[2 * seat]), np.int64(table.cards[2 * seat + 1])
    if table.street == PREFLOP:
        row = prior.to_flop[preflop_class(hole_0, hole_1)]
        for i in range(N_POINTS):
            points[i] = row[i]
        return
    for i in range(N_POINTS):
        points[i] = np.float32(0.0)
    if table.street == RIVER:
        add_to_points(points, strength_on_river(table, seat, tables), 1.0)
        return
    board, n_board = search.board, table.board_cards
    for i in range(n_board):
        board[i] = table.cards[2 * table.seats + i]
    seen = board_set(board, n_board) | card_bit(hole_0) | card_bit(hole_1)
    weight = 1.0 / (_N_CARDS - 2 - n_board)
    for card in range(_N_CARDS):
        if not seen & card_bit(card):
            board[n_board] = card
            add_to_points(
                points, hand_equity(hole_0, hole_1, board, n_board + 1, 1, tables), weight
            )
