"""Counts of players' actions during play: the raw data of playing styles.

The counts follow the definitions of poker trackers (PokerTracker, Hold'em Manager). They are sums
of integers, so totals over several games do not depend on the order of addition.
``agents.match.style`` computes style statistics from them.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.game.betting import is_unraised
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, PREFLOP, TableRecord
from nlhe_env.jit.array_types import I64, Int, Record, Truth
from nlhe_env.jit.compilation import kernel

STYLE_COUNTS = (
    "hands",  # dealt in
    "preflop_hands",  # of these, hands with a decision before the flop: walks are left out
    "entered",  # of these, hands with chips put in before the flop by a call or a raise
    "raised_preflop",  # of these, hands with a raise before the flop
    "flops",  # hands in which the player saw the flop, all-in or not
    "showdowns",  # of these, hands in which the player's cards were shown down
    "bets",  # bets and raises after the flop
    "calls",  # calls after the flop, checks not included
    "faced",  # decisions against a bet or raise on this street; blinds are no bets
    "folds_faced",  # of these, folds
    "sized",  # bets and raises on all streets
    "bet_over_pot",  # their sizes over the pot, summed in units of 1 / POT_UNITS
)
"""The counts of a player, in the order of their array."""
N_STYLE_COUNTS = len(STYLE_COUNTS)

(
    HANDS,
    PREFLOP_HANDS,
    ENTERED,
    RAISED_PREFLOP,
    FLOPS,
    SHOWDOWNS,
    BETS,
    CALLS,
    FACED,
    FOLDS_FACED,
    SIZED,
    BET_OVER_POT,
) = range(N_STYLE_COUNTS)

POT_UNITS = 65_536
"""Unit of bet sizes as a fraction of the pot; integer counts make the sum exact."""
MOST_POTS = 1_024
"""Maximum size of a bet in pots, which keeps the sum far within int64."""

# Bits of `hand_style`: actions of a player in the current hand.
_DECIDED = 1
_ENTERED = 2
_RAISED = 4
_LEFT = 8  # folded before the flop


@kernel
def count_decision(player: Record, table: TableRecord, action: Int, to_call: Int) -> None:
    """Count a decision of a table's actor before its execution.

    Args:
        player: The record of the actor.
        table: The table before the action.
        action: ``FOLD``, ``CHECK_OR_CALL`` or n >= 1, raise to n.
        to_call: Chips to call, not limited by the stack.
    """
    counts = player.style_counts
    preflop = table.street == PREFLOP
    # With two_calls a player whose raise was called acts again, with nothing to call.
    faced = np.int64(to_call > 0 and not is_unraised(table))
    counts[FACED] += faced
    done = _DECIDED * preflop
    if action == FOLD:
        counts[FOLDS_FACED] += faced
        done |= _LEFT * preflop
    elif action == CHECK_OR_CALL:
        counts[CALLS] += to_call > 0 and not preflop
        done |= _ENTERED * (to_call > 0 and preflop)
    else:
        counts[BETS] += not preflop
        counts[SIZED] += 1
        pots = min((action - table.current_bet) / (table.pot + to_call), np.float64(MOST_POTS))
        counts[BET_OVER_POT] += np.int64(pots * POT_UNITS + 0.5)
        done |= (_ENTERED | _RAISED) * preflop
    player.hand_style |= done


@kernel
def count_hand(player: Record, saw_board: Truth, shown: Int) -> None:
    """Count a paid hand.

    Args:
        player: The record of a player who was dealt in.
        saw_board: Whether the hand reached the flop.
        shown: Whether the player's cards went to showdown.
    """
    counts = player.style_counts
    done = player.hand_style
    counts[HANDS] += 1
    counts[PREFLOP_HANDS] += done & _DECIDED != 0
    counts[ENTERED] += done & _ENTERED != 0
    counts[RAISED_PREFLOP] += done & _RAISED != 0
    counts[FLOPS] += saw_board and done & _LEFT == 0
    counts[SHOWDOWNS] += shown
    player.hand_style = 0


@kernel
def add_style_counts(player: Record, totals: I64) -> None:
    """Add the counts of a record to ``(N_STYLE_COUNTS,)`` totals."""
    for i in range(N_STYLE_COUNTS):
        totals[i] += player.style_counts[i]
