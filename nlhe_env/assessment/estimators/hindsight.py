"""Hindsight: what an action gives away if both hands lie open (EVAT).

The value of an action is the player's share of the pot without bets after it, a raise being called.
The value of the best action less that of the one taken is given away. Good play against hidden
cards gives away too: the measure has a bias, and is for comparison.

Source: D. Billings, "Algorithms and Assessment in Computer Poker", PhD thesis (University of
Alberta, 2006), chapter 5.
"""

from __future__ import annotations

from nlhe_env.game import betting
from nlhe_env.jit.compilation import kernel

FOLDS, CALLS, RAISES = range(3)


@kernel
def given_away(table, share, kind):
    """Chips that the player to act gives away.

    Args:
        table: Record of a heads-up hand at seats 0, the big blind, and 1.
        share: Share of the pot that the big blind's hand wins in the mean.
        kind: ``FOLDS``, ``CALLS`` or ``RAISES``, the least possible raise.
    """
    seat = table.actor
    edge = 2 * (share if seat == 0 else 1 - share) - 1
    mine, call = table.hand_bet[seat], max(table.hand_bet[0], table.hand_bet[1])
    worth = edge * call
    best, done = worth, worth
    if mine < call:
        worth = -1.0 * mine
        best = max(best, worth)
    if kind == FOLDS:
        done = -1.0 * mine
    least, most = betting.legal_raise(table)
    if most > 0:
        worth = edge * (mine - table.street_bet[seat] + least)
        best = max(best, worth)
        if kind == RAISES:
            done = worth
    return best - done
