"""Records of players: long- and short-term aggressiveness, counts, hands won.

Source: Nicolai, MSc thesis (University of Regina, 2008), sections 4.1.3.7 to 4.1.3.9, eq. 4.8.
A player keeps one record for a whole tournament, at all tables.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.jit.array_types import F64, Float, Int, Record, Records
from nlhe_env.jit.compilation import kernel

RECENT_HANDS = 10

PLAYER = np.dtype(
    [
        ("entry_stack", np.int64),  # chips at the start of the tournament, or of a cash hand
        ("table", np.int64),
        ("seat", np.int64),
        ("place", np.float64),  # 1 is best; 0 while the player is in
        ("decisions", np.int64),  # of the whole tournament
        ("weight", np.float64),  # sum over these decisions
        ("recent_decisions", np.int64, (RECENT_HANDS,)),  # ring buffer over hands
        ("recent_weight", np.float64, (RECENT_HANDS,)),
        ("recent_hand", np.int64),  # slot of the current hand
        ("recent_decisions_sum", np.int64),  # over these hands
        ("recent_weight_sum", np.float64),
        ("long_term", np.float32),  # mean weight, 0 without decisions
        ("short_term", np.float32),  # mean weight over the last ten hands
        ("scratch", np.int64),
        ("chips", np.int64),  # scratch of `tournament`: chips that places are ranked by
        ("folds", np.int64),  # among the decisions
        ("raises", np.int64),  # among the decisions; the rest are checks and calls
        ("hands_won", np.int64),  # hands of which the player got a share of a pot
        ("chips_won", np.int64),  # net gains of the hands that gained, summed
        ("showdowns_lost", np.int64),  # hands shown down without a share of a pot
        ("chips_lost", np.int64),  # put into those
        ("hand_style", np.int64),  # what the player has done in this hand, see `style_counts`
        ("style_counts", np.int64, (N_STYLE_COUNTS,)),  # named by `STYLE_COUNTS`
    ],
    align=True,
)
PlayerRecord: TypeAlias = Record
"""A record of dtype ``PLAYER``."""
PlayerRecords: TypeAlias = Records
"""An array of records of dtype ``PLAYER``."""


@kernel
def decision_weight(action: Int, chips: Int, to_call: Int, big_blind: Int) -> Float:
    """Aggressiveness of one decision: chips put in over chips needed to call.

    A fold or check weighs 0, a call 1 (also all-in for less), a raise more than 1. A bet with
    nothing to call is relative to the big blind.

    Args:
        action: ``FOLD``, ``CHECK_OR_CALL`` or a raise.
        chips: Chips added by this action.
        to_call: Chips to call, not limited by the stack.
        big_blind: Chips.
    """
    if action == FOLD:
        return 0.0
    if action == CHECK_OR_CALL:
        return 1.0 if to_call > 0 else 0.0
    return chips / to_call if to_call > 0 else chips / big_blind


@kernel
def record_decision(player: PlayerRecord, action: Int, weight: Float) -> None:
    """Count a decision (``FOLD``, ``CHECK_OR_CALL`` or a raise) with its weight."""
    player.decisions += 1
    player.folds += action == FOLD
    player.raises += action > CHECK_OR_CALL
    slot = player.recent_hand
    player.recent_decisions[slot] += 1
    player.recent_decisions_sum += 1
    if weight != 0.0:
        player.weight += weight
        player.recent_weight[slot] += weight
        player.recent_weight_sum = _sum(player.recent_weight)
    player.long_term = player.weight / player.decisions
    player.short_term = player.recent_weight_sum / player.recent_decisions_sum


@kernel
def record_hand(player: PlayerRecord, won: Int, put_in: Int, shown: Int) -> None:
    """Count a paid hand.

    Args:
        player: The record of a player who was dealt in.
        won: Chips received from its pots.
        put_in: Chips put in, without returned uncalled bets.
        shown: Whether the player's cards went to showdown.
    """
    if won > 0:
        player.hands_won += 1
        player.chips_won += max(np.int64(0), won - put_in)
    elif shown:
        player.showdowns_lost += 1
        player.chips_lost += put_in


@kernel
def start_recent_hand(player: PlayerRecord) -> None:
    """Advance the window of recent hands by one hand."""
    slot = player.recent_hand + 1
    if slot == RECENT_HANDS:
        slot = 0
    player.recent_hand = slot
    left = player.recent_decisions[slot]
    if left == 0:
        return
    player.recent_decisions[slot] = 0
    player.recent_decisions_sum -= left
    if player.recent_weight[slot] != 0.0:
        player.recent_weight[slot] = 0.0
        player.recent_weight_sum = _sum(player.recent_weight)
    n = player.recent_decisions_sum
    player.short_term = player.recent_weight_sum / n if n > 0 else 0.0


@kernel
def _sum(weights: F64) -> Float:
    """Recomputed after every change, because a running sum would accumulate rounding errors."""
    total = 0.0
    for slot in range(RECENT_HANDS):
        total += weights[slot]
    return total
