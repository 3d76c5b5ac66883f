"""Data rows from played hands, for fitting a table of values.

A row of an event has the chips per unit of its cell's number, and the later result of the hand
minus the prediction by equity. Corrections of later events by the current table are subtracted from
that result, so fitting again improves the table.
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
    """Add the row of an event, if a table is being fitted.

    Args:
        spot: Argument of the value function.
        seat: Seat whose chips are counted.
        is_action: Whether the event is an action.
        moves: Chips per unit of its cell's number.
        expected: Chips that the seat wins in the hand by equity alone, before cards without them.
        aivat: Record to which the row is added; its corrections include the event.
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
            # Fits a factor for the change of shares, which is 1 by equity.
            aivat.products[cell] += (missed - moves) * moves
            aivat.squares[cell] += moves * moves
        aivat.counts[cell] += 1
