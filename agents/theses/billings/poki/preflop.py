"""The pre-flop expert: income rates against thresholds (Billings 2006, 2.5.1).

An income rate is the mean profit of a holding per hand, in thousandths of a bet, if all remaining
players see five board cards for one bet. The thesis does not publish its thresholds; ours rise with
the number of players and of bets, and shift up for a tight player and down for a loose one.
"""

from __future__ import annotations

import numpy as np

from agents.policy.spots import hole_class, opponents
from agents.theses.billings.poki.action_frequencies import generic_frequencies
from agents.theses.billings.poki.predictors import predict_unseen
from agents.theses.billings.poki.records import INCOME, STYLE, MemoryRecord, WorkRecord
from nlhe_env.equity.tables.suits import MAX_OPPONENTS
from nlhe_env.game.action_kinds import CALLS, FOLDS, RAISES
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import F32, F64, Float
from nlhe_env.jit.compilation import kernel

# Thresholds with two players and with ten: to play, to raise, to re-raise, to continue.
_PLAY = (-220.0, 150.0)
_RAISE = (40.0, 420.0)
_RERAISE = (330.0, 950.0)
_CAP = (480.0, 1500.0)
_STYLE_STEP = 100.0
_HALF_RAMP = 60.0


@kernel
def income_rate(table: TableRecord, weights: F32) -> Float:
    """Income rate of the actor's holding against the remaining players."""
    return np.float64(weights[INCOME + hole_class(table) * MAX_OPPONENTS + opponents(table) - 1])


@kernel
def write_preflop_triple(
    weights: F32, table: TableRecord, memory: MemoryRecord, work: WorkRecord, triple: F64
) -> None:
    """Write the triple of the player to act, by its own cards."""
    opponent_share = (opponents(table) - 1.0) / (MAX_OPPONENTS - 1.0)
    shift = _STYLE_STEP * (0.5 + 0.5 * opponent_share) * weights[STYLE]
    play = _between(_PLAY, opponent_share) + shift
    rise = _between(_RAISE, opponent_share) + shift
    reraise = _between(_RERAISE, opponent_share) + shift
    cap = _between(_CAP, opponent_share) + shift
    doubt: Float = 1.0
    if table.bets > 1:
        # The raise of a player that raises any hand carries little information.
        doubt = _meaning(weights, table, memory, work)
        reraise = rise + doubt * (reraise - rise)
        cap = rise + doubt * (cap - rise)
    rate = income_rate(table, weights)

    raises = table.bets - 1
    to_call = amount_to_call(table)
    # Better pot odds lower the threshold of a call.
    price = min(to_call / max(table.big_blind, 1), 2.0)
    if raises == 0:
        call_from, raise_from = play, rise
    elif raises == 1:
        # Players in the blinds call for less.
        call_from = play + doubt * (rise - play) * (0.35 if price <= 1.0 else 0.9)
        raise_from = reraise
    else:
        call_from = play + doubt * (rise - play) * 0.5
        if price > 1.0:
            call_from = rise + 0.4 * (reraise - rise)
        raise_from = reraise if raises == 2 and price <= 1.0 else cap
    triple[RAISES] = _above(rate - raise_from)
    triple[FOLDS] = (1.0 - triple[RAISES]) * (1.0 - _above(rate - call_from))
    triple[CALLS] = 1.0 - triple[RAISES] - triple[FOLDS]


@kernel
def _meaning(weights: F32, table: TableRecord, memory: MemoryRecord, work: WorkRecord) -> Float:
    """Information in a raise, relative to an average player's; 0 if the player always raises."""
    seat = 0
    for other in range(table.seats):
        if other != table.actor and table.street_bet[other] == table.current_bet:
            seat = other
    usual: Float
    frequencies, raises, usual = work.frequencies, 0.0, 0.0
    for context in range(3):  # pre-flop contexts
        predict_unseen(weights, memory, seat, context, frequencies)
        raises += frequencies[RAISES]
        usual += generic_frequencies(weights, context, RAISES)
    return min((3.0 - raises) / (3.0 - usual), 1.5)


@kernel
def _between(ends: tuple[Float, Float], opponent_share: Float) -> Float:
    return ends[0] + opponent_share * (ends[1] - ends[0])


@kernel
def _above(x: Float) -> Float:
    return min(max(0.5 + 0.5 * x / _HALF_RAMP, 0.0), 1.0)
