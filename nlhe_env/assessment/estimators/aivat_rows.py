"""Rows of data that a table of values is fitted to, from hands that were played.

Every event is a row: by how many chips a unit of its cell's number would move it, and the result of
the hand after it less the prediction by equity. Corrections of later events by the present table
are subtracted from that result, so that fitting again improves the table.
"""

from __future__ import annotations

from nlhe_env.assessment.estimators.aivat_values import cell_of
from nlhe_env.assessment.estimators.estimator import PARTS
from nlhe_env.jit.array_types import Float, Int, Record, Truth
from nlhe_env.jit.compilation import kernel


@kernel
def add_row(
    spot: Record, seat: Int, is_action: Truth, moves: Float, expected: Float, aivat: Record
) -> None:
    """Keep an event, if a table is fitted.

    Args:
        spot: Argument of the value function.
        seat: Seat whose chips are counted.
        is_action: Whether it is an action.
        moves: Chips that a unit of the number of its cell moves.
        expected: Chips that the seat wins in the hand by equity alone, before cards without them.
        aivat: Record that the row is added to; its corrections include the event.
    """
    if aivat.fits and aivat.n_rows < len(aivat.rows):
        row = aivat.rows[aivat.n_rows]
        row.cell = cell_of(spot)
        row.seat = seat
        row.is_action = is_action
        row.moves = moves
        row.expected = expected
        row.after = aivat.corrections[seat]
        aivat.n_rows += 1


@kernel
def write_rows(aivat: Record) -> None:
    """Add the rows of a hand whose results are known to the sums of the cells."""
    for i in range(aivat.n_rows):
        row = aivat.rows[i]
        later = aivat.corrections[row.seat] - row.after
        missed = aivat.base[row.seat] / PARTS - later - row.expected
        cell, moves = row.cell, row.moves
        if row.is_action:
            aivat.products[cell] += missed / moves
            aivat.squares[cell] += 1.0
        else:
            # A factor for the change of shares is wanted; equity's own is 1.
            aivat.products[cell] += (missed - moves) * moves
            aivat.squares[cell] += moves * moves
        aivat.counts[cell] += 1
