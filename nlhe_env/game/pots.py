"""Division of the chips after the betting: uncalled bet, rake, pots, odd chips.

Like ``betting``, this is independent of the cards: the ranks of hands are given as numbers. An ante
that the big blind paid for the table belongs to the main pot and need not be matched, so
``hand_bet`` must not include it here.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.game.rake import rake_of
from nlhe_env.game.table import ACTIVE, ALL_IN, TableRecord
from nlhe_env.jit.array_types import I64, Int
from nlhe_env.jit.compilation import kernel


@kernel
def return_uncalled(table: TableRecord) -> None:
    """Return the unmatched part of the largest contribution."""
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
def pay_last(table: TableRecord) -> None:
    """Pay the pot to the only unfolded seat; its cards stay hidden."""
    table.rake = rake_of(table, table.pot)
    table.pot -= table.rake
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
def pay_board(table: TableRecord, ranks: I64, board: Int, boards: Int) -> None:
    """Pay every pot by the ranks on the only board, or half of it by those on one of two.

    Args:
        table: A record after ``make_pots``.
        ranks: ``(10,)`` int64: the rank of every unfolded seat's hand on this board, higher wins.
        board: 0 for the first board, whose half has the odd chip, or 1.
        boards: 1 or 2.
    """
    for pot in range(table.pots):
        chips = table.pot_size[pot]
        if boards == 2:
            chips = chips // 2 if board == 1 else chips - chips // 2
        winners = _split(table, ranks, pot, chips)
        if board == 0:
            table.pot_winners[pot] = winners
        else:
            table.second_winners[pot] = winners


@kernel
def make_pots(table: TableRecord) -> None:
    """Show the hands, divide the chips into pots, and deduct the rake.

    Args:
        table: A record whose betting is over; uncalled chips have been returned.
    """
    table.showdown = 1
    for seat in range(table.seats):
        table.shown[seat] = table.status[seat] == ACTIVE or table.status[seat] == ALL_IN

    below = np.int64(0)
    divided = np.int64(0)
    dead = table.dead_ante
    while table.pot > 0:
        # Next contribution level of an all-in player with a claim.
        level = np.int64(0)
        for seat in range(table.seats):
            chips = table.hand_bet[seat]
            if table.shown[seat] and chips > below and (level == 0 or chips < level):
                level = chips
        size = dead
        dead = np.int64(0)
        eligible_bits = 0
        for seat in range(table.seats):
            if table.hand_bet[seat] > below:
                size += min(table.hand_bet[seat], level) - below
            if table.shown[seat] and table.hand_bet[seat] >= level:
                eligible_bits |= 1 << seat
        divided += size
        rake = rake_of(table, divided) - table.rake
        table.rake += rake
        table.pot_size[table.pots] = size - rake
        table.pot_eligible[table.pots] = eligible_bits
        table.pots += 1
        table.pot -= size
        below = level


@kernel
def _split(table: TableRecord, ranks: I64, pot: Int, chips: Int) -> Int:
    """Split chips of a pot among its best hands; returns the bits of their seats."""
    best = np.int64(-1)
    winners = 0
    winner = 0
    winner_bits = 0
    for seat in range(table.seats):
        if (table.pot_eligible[pot] >> seat) & 1:
            if ranks[seat] > best:
                best = ranks[seat]
                winners = 1
                winner = seat
                winner_bits = 1 << seat
            elif ranks[seat] == best:
                winners += 1
                winner_bits |= 1 << seat
    if winners == 1:
        table.stack[winner] += chips
        table.won[winner] += chips
        return winner_bits
    share = chips // winners
    odd = chips - share * winners
    seat = table.button
    for _ in range(table.seats):
        seat += 1
        if seat == table.seats:
            seat = 0
        if (winner_bits >> seat) & 1:
            won = share
            if odd > 0:  # odd chips, one each from the first winner left of the button
                won += 1
                odd -= 1
            table.stack[seat] += won
            table.won[seat] += won
    return winner_bits
