"""Hindsight loss of an action with both hands open (EVAT).

The value of an action is the player's share of the pot without further bets, with raises called.
The loss is the value of the best action minus the value of the actual action. Good play with hidden
cards also has losses, so the measure is biased and only for comparison.

Source: D. Billings, "Algorithms and Assessment in Computer Poker", PhD thesis (University of
Alberta, 2006), section 5.2.2.
"""

from __future__ import annotations

from nlhe_env.game import betting
from nlhe_env.game.action_kinds import FOLDS, RAISES
from nlhe_env.game.dead_chips import live_bet
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import Float, Int
from nlhe_env.jit.compilation import kernel


@kernel
def given_away(table: TableRecord, share: Float, kind: Int) -> Float:
    """Hindsight loss of the player to act, in chips.

    Args:
        table: Record of a heads-up hand at seats 0, the big blind, and 1.
        share: The big blind's mean share of the pot.
        kind: ``FOLDS``, ``CALLS`` or ``RAISES`` (the smallest raise).
    """
    seat = table.actor
    edge = 2 * (share if seat == 0 else 1 - share) - 1
    mine, call = live_bet(table, seat), max(live_bet(table, 0), live_bet(table, 1))
    value_function = edge * call
    best, done = value_function, value_function
    if mine < call:
        value_function = -1.0 * mine
        best = max(best, value_function)
    if kind == FOLDS:
        done = -1.0 * mine
    least, most = betting.legal_raise(table)
    if most > 0:
        value_function = edge * (mine - table.street_bet[seat] + least)
        best = max(best, value_function)
        if kind == RAISES:
            done = value_function
    return best - done
