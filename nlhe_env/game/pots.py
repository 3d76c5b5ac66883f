"""What becomes of the chips when the betting is over: uncalled bet, main pot, side pots, odd chips.

Like ``betting`` this knows nothing of cards: who holds the better hand is a number a seat.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.game.table import ACTIVE, ALL_IN
from nlhe_env.machine.compilation import kernel


@kernel
def return_uncalled(table):
    """Give back what nobody matched of the largest contribution."""
    largest = np.int64(0)
    second = np.int64(0)
    owner = 0
    for seat in range(table.seats):
        chips = table.hand_bet[seat]
        if chips > largest:
            second = largest
            largest = chips
            owner = seat
        elif chips > second:
            second = chips
    uncalled = largest - second
    table.hand_bet[owner] -= uncalled
    table.stack[owner] += uncalled
    table.pot -= uncalled


@kernel
def pay_last(table):
    """Pay the pot to the only seat that has not folded; its cards stay hidden."""
    for seat in range(table.seats):
        if table.status[seat] == ACTIVE or table.status[seat] == ALL_IN:
            table.stack[seat] += table.pot
            table.won[seat] = table.pot
            table.pot_eligible[0] = 1 << seat
            table.pot_winners[0] = 1 << seat
    table.pot_size[0] = table.pot
    table.pots = 1
    table.pot = 0


@kernel
def pay_showdown(table, ranks):
    """Pay every pot to the best hands that contributed to it.

    Args:
        table: A record whose betting is over; uncalled chips have been returned.
        ranks: ``(10,)`` int64: the rank of every unfolded seat's hand, higher wins.
    """
    table.showdown = 1
    for seat in range(table.seats):
        table.shown[seat] = table.status[seat] == ACTIVE or table.status[seat] == ALL_IN

    below = np.int64(0)
    while table.pot > 0:
        # The next level at which somebody with a claim stopped contributing.
        level = np.int64(0)
        for seat in range(table.seats):
            chips = table.hand_bet[seat]
            if table.shown[seat] and chips > below and (level == 0 or chips < level):
                level = chips
        size = np.int64(0)
        for seat in range(table.seats):
            if table.hand_bet[seat] > below:
                size += min(table.hand_bet[seat], level) - below
        _pay_pot(table, ranks, size, level)
        table.pot -= size
        below = level


@kernel
def _pay_pot(table, ranks, size, level):
    """Split one pot among the best hands that contributed up to ``level``."""
    best = np.int64(-1)
    winners = 0
    eligible_bits = 0
    winner_bits = 0
    for seat in range(table.seats):
        if table.shown[seat] and table.hand_bet[seat] >= level:
            eligible_bits |= 1 << seat
            if ranks[seat] > best:
                best = ranks[seat]
                winners = 1
                winner_bits = 1 << seat
            elif ranks[seat] == best:
                winners += 1
                winner_bits |= 1 << seat
    share = size // winners
    odd = size - share * winners
    seat = table.button
    for _ in range(table.seats):
        seat += 1
        if seat == table.seats:
            seat = 0
        if (winner_bits >> seat) & 1:
            chips = share
            if odd > 0:  # odd chips, one each from the first winner left of the button
                chips += 1
                odd -= 1
            table.stack[seat] += chips
            table.won[seat] += chips
    table.pot_size[table.pots] = size
    table.pot_eligible[table.pots] = eligible_bits
    table.pot_winners[table.pots] = winner_bits
    table.pots += 1
