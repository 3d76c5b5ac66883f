"""The decision rule of ASHE 1.0, and two players that apply it to their hand strength.

Source: Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
(PhD thesis, University of Texas at Austin, 2018), figures 4-2 and 4-3 and section 4.3.3. An
aggression o in -1..1 is how much a player is willing to put in now, as a share of its stack at the
start of the hand. The Candid Statistician of chapter 4 uses o = p^7, where p is the equity against
one random hand; its Scared Limper uses o = p^50 and always limps in.

Readings: amounts are rounded to the nearest multiple of the big blind (half down) and raised to the
minimum raise; a player willing to put in its remaining stack goes all-in.
"""

from __future__ import annotations

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind, whole_weight
from agents.policy.spots import N_PARAMETERS, check_or_fold, equity_against_one
from agents.policy.view import ChoicesRecord, Parameters, View, offer
from nlhe_env.game.betting import is_unraised
from nlhe_env.game.table import CHECK_OR_CALL, PREFLOP, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

PARAMETERS = ("power", "limps")
"""Power of p used as the aggression; 1 for opening with a call of the big blind pre-flop."""
MOST_POWER = 1000
_LEAST_SHARE = 0.25
_STEP, _MOST = 0.5, 2.0


@kernel
def act_by_aggression(view: View, aggression: Float, adjusted: Truth) -> Int:
    """Game action for an aggression.

    Args:
        view: View of the player to act.
        aggression: Maximum to put in, -1..1, as a share of the stack at the start of the hand.
        adjusted: Whether raises are 0.5, 1, 1.5 or 2 pots or all-in, with none below a quarter of
            the pot; otherwise amounts are multiples of the big blind.
    """
    table, choices = view.table, view.choices
    seat = table.actor
    stack, bet = table.stack[seat], table.street_bet[seat]
    wish = aggression * np.float64(stack + table.hand_bet[seat])
    to_call = table.current_bet - bet
    if wish < to_call:
        return check_or_fold(table)
    if choices.most == 0 or wish < choices.least - bet:
        return CHECK_OR_CALL
    if adjusted:
        return _in_pots(table, choices, wish - to_call)
    if wish >= stack:
        return choices.most
    # The nearest multiple, rounding half down; at least the minimum raise.
    blinds = np.int64(np.ceil(wish / table.big_blind - 0.5))
    least = choices.least - bet
    blinds = max(blinds, (least + table.big_blind - 1) // table.big_blind)
    return min(bet + blinds * table.big_blind, choices.most)


@kernel
def _in_pots(table: TableRecord, choices: ChoicesRecord, rise: Float) -> Int:
    """Nearest of the adjusted sizes to a raise of ``rise`` chips."""
    bet = table.street_bet[table.actor]
    pot = np.float64(table.pot + table.current_bet - bet)
    if rise < _LEAST_SHARE * pot:
        return CHECK_OR_CALL
    all_in = np.float64(choices.most - table.current_bet)
    size = min(max(np.ceil(rise / (_STEP * pot) - 0.5) * _STEP, _STEP), _MOST)
    chips = np.floor(size * pot + 0.5)
    if chips >= all_in or abs(rise - all_in) < abs(rise - chips):
        return choices.most
    return max(table.current_bet + np.int64(chips), choices.least)


@kernel
def aggression_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action for a power of the equity as the aggression, after an optional limp."""
    weights, table = parameters.weights, view.table
    to_call = table.current_bet - table.street_bet[table.actor]
    opens = table.street == PREFLOP and is_unraised(table) and to_call > 0
    if weights[1] > 0.0 and opens:
        offer(view, CHECK_OR_CALL, 1.0)
        return
    p = equity_against_one(table, view.strength_tables)
    aggression: Float = 1.0
    for _ in range(np.int64(weights[0])):  # pow of the C library is not the same on all machines
        aggression *= p
    offer(view, act_by_aggression(view, aggression, False), 1.0)


def _check_player(player: CompiledPlayer) -> None:
    whole_weight(player.weights, 0, MOST_POWER, 1)


AGGRESSION = register_kind(
    Kind(
        "aggression",
        aggression_policy,
        wants="table",
        answers="amounts",
        n_weights=N_PARAMETERS,
        looks_up=True,
        checks_player=_check_player,
    )
)
