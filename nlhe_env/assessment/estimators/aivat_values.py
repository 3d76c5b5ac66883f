"""Value functions of AIVAT: values of situations in a hand, as shares of the pot.

A value function is a kernel with parameters (numbers). Its argument is a ``SPOT``: after an action,
it estimates the acting player's final share of the pot; before cards, the effect of a change of
shares on the pot. Any function is unbiased, because only the difference from its expectation
counts; a worse one removes less variance.

The effect of a card is a factor, fixed before the card is dealt, times the change of the exact
all-in shares. A new card does not change their mean, so no sum over flops is needed.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.game.table import MAX_SEATS, PREFLOP
from nlhe_env.jit.array_types import F64, Float, Int, Record
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.function_pointers import Signature

AFTER_ACTION, BEFORE_CARDS, BEFORE_HANDS = range(3)
"""Events: an action, cards of the board, hole cards."""

# Classes of the taken action.
CHECKS_OR_CALLS, ENDS_STREET, RAISES_LITTLE, RAISES, RAISES_MUCH = range(5)
_N_ACTION_KINDS = 5

SPOT = np.dtype(
    [
        ("event", np.int64),  # AFTER_ACTION, BEFORE_CARDS or BEFORE_HANDS
        ("street", np.int64),  # of the action, or that the cards open
        ("action_kind", np.int64),  # after an action: CHECKS_OR_CALLS ... RAISES_MUCH
        ("is_last", np.int64),  # after an action: no player can bet any more
        ("live", np.int64),  # players in the hand
        ("position", np.int64),  # before hole cards: seats after the button, 0 for the button
        ("share", np.float64),  # of the pot that the hand wins without further bets, by all
        # cards; before cards that of the hand that has most
        ("pot", np.float64),  # chips, the action included
        ("room", np.float64),  # chips that may still be bet, in pots
        ("big_blind", np.float64),
    ],
    align=True,
)
"""Argument of a value function."""

N_NUMBERS = 2048
"""Maximum number of parameters of a value function."""

VALUE_KERNEL = Signature(
    "a value function", np.float64, spot=np.zeros(1, SPOT)[0], numbers=np.zeros(1)
)
"""``kernel(spot, numbers)``. After an action: the share of the pot that the player who acted will
win in the end, less what it will still put in, in pots: ``spot.share`` without further bets.
Before cards: chips for a share of the pot, in pots: 1 without further bets. Before hole cards:
big blinds for a share of a pot."""

_N_STREETS = 4
_SHARES = 12
_ROOMS = 7
_FIRST_CARD = _N_STREETS * _N_ACTION_KINDS * _ROOMS * _SHARES
_FIRST_HAND = _FIRST_CARD + _N_STREETS * _ROOMS * _SHARES
N_CELLS = _FIRST_HAND + MAX_SEATS + 1


@kernel
def _room_of(room: Float) -> Int:
    """Index of seven depths: all-in, then by the remaining bets in pots."""
    if room < 0.02:
        return 0
    if room < 0.4:
        return 1
    if room < 1.0:
        return 2
    if room < 2.5:
        return 3
    if room < 6.0:
        return 4
    return 5 if room < 16.0 else 6


@kernel
def cell_of(spot: Record) -> Int:
    """Cell number of a table by event, street, depth and share of the pot."""
    if spot.event == BEFORE_HANDS:
        return _FIRST_HAND + (MAX_SEATS if spot.live == 2 else spot.position)
    share: Int = np.int64(spot.share * _SHARES)
    share = min(share, _SHARES - 1)
    place = _room_of(spot.room) * _SHARES + share
    if spot.event == BEFORE_CARDS:
        return _FIRST_CARD + spot.street * _ROOMS * _SHARES + place
    return (spot.street * _N_ACTION_KINDS + spot.action_kind) * _ROOMS * _SHARES + place


@kernel
def value_by_equity(spot: Record, numbers: F64) -> Float:
    """``VALUE_KERNEL`` without further bets and fitted parameters."""
    return spot.share if spot.event == AFTER_ACTION else 1.0


@kernel
def value_by_table(spot: Record, numbers: F64) -> Float:
    """``VALUE_KERNEL`` by a table, whose numbers correct ``value_by_equity`` in each cell."""
    if spot.event == AFTER_ACTION and spot.is_last:
        return spot.share
    return value_by_equity(spot, numbers) + numbers[cell_of(spot)]


@kernel
def raise_class(fraction: Float, street: Int) -> Int:
    """Class of a raise, by its fraction of the pot after calling."""
    if street == PREFLOP:
        fraction *= 0.5
    if fraction <= 0.6:
        return RAISES_LITTLE
    return RAISES if fraction <= 1.2 else RAISES_MUCH
