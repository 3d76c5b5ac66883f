"""Shares of the pots while the board runs out after an all-in, with the hands open."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

import numpy as np

from nlhe_env.equity.pot_shares import shares_of_pots
from nlhe_env.game.table import RIVER

_OPEN_CARDS = (0, 3, 4, 5)
"""Cards of the board by street."""


def run_out(
    table: np.void,
    pots: Sequence[tuple[int, Sequence[int]]],
    hole_cards: Sequence[str],
    board: Sequence[str],
) -> list[dict[str, Any]]:
    """Exact shares of all pots, street by street from the end of the betting on.

    Args:
        table: The record of a hand that has been paid.
        pots: Size and eligible seats of each.
        hole_cards: Cards by seat as far as the viewer knows them, ``""`` if not.
        board: Its five cards.

    Returns:
        For each street ``cards``, how many cards of the board are open, and ``shares`` by seat as
        text. Empty if the betting ended with a fold or on the river, or if the viewer does not
        know all hands that can win. Only the first street if the hand is run twice, since the
        boards share the pots.
    """
    if not table["showdown"] or table["street"] == RIVER:
        return []
    seats: Set[int] = {seat for _, eligible in pots for seat in eligible}
    if not all(hole_cards[seat] for seat in seats):
        return []
    streets = _OPEN_CARDS[int(table["street"]) :]
    found = []
    for n_open in streets[:1] if table["shared_cards"] < 5 else streets:
        shares = shares_of_pots(pots, hole_cards, "".join(board[:n_open]))
        by_seat = {str(seat): shares[seat] for seat in sorted(seats)}
        found.append({"cards": n_open, "shares": by_seat})
    return found
