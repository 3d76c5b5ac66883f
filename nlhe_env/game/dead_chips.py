"""What a player can win, in a pot with dead chips.

Dead chips are not bets: no player has to match them, and the winner of the main pot gets all of
them. An ante that the big blind pays for the table is the ``dead_ante`` of the table record, which
the ``hand_bet`` of the big blind includes. Other dead chips, such as missed blinds in a recorded
hand, are in the pot alone.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.game.betting import amount_owed, big_blind_seat
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import Int
from nlhe_env.jit.compilation import kernel


@kernel
def live_bet(table: TableRecord, seat: Int) -> Int:
    """Chips that a seat has put in during the hand, without dead chips."""
    if table.dead_ante > 0 and seat == big_blind_seat(table):
        return table.hand_bet[seat] - table.dead_ante
    return table.hand_bet[seat]


@kernel
def winnable_pot(table: TableRecord, seat: Int) -> Int:
    """Chips that a player would collect by winning now, after calling.

    The dead chips, and the sum over all players of the smaller of their and the player's own total
    bets: the pot less what exceeds the player's own.
    """
    owed = amount_owed(table, seat)
    pot = table.pot
    if pot == 0:  # the hand is paid
        for other in range(table.seats):
            pot += table.hand_bet[other]
    if table.dead_ante > 0:
        own = live_bet(table, seat) + owed
        for other in range(table.seats):
            pot -= max(np.int64(0), live_bet(table, other) - own)
        return pot
    own = table.hand_bet[seat] + owed
    for other in range(table.seats):
        pot -= max(np.int64(0), table.hand_bet[other] - own)
    return pot
