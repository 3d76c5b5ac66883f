"""The published bet-size rule: chips for a small, medium or large bet.

Source: Nicolai, MSc thesis (University of Regina, 2008), GET_BET_AMOUNT (figure 4.7), table 4.9 and
equations 4.9 to 4.11; Nicolai and Hilderman (ICEC 2010), figure 2 and table 3. A size is a fraction
of the effective stack, with its own distribution for each class.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from nlhe_env.game import betting
from nlhe_env.game.table import ACTIVE, ALL_IN, TableRecord
from nlhe_env.jit.array_types import Float, Int, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.portable_math import normal_quantile

SMALL, MEDIUM, LARGE = range(3)

# Table 4.9.
_LO_UPPER = 0.06
_LO_INSIDE = 0.7
_MED_LOWER = 0.1
_MED_UPPER = 0.2
_MED_INSIDE = 0.6
_MED_OUT_LO = 0.1
_MED_OUT_HI = 0.3
_HI_POINT = 0.3
_HI_ABOVE = 0.95
_HI_BELOW = 0.05
_HI_ALL_IN = 0.1  # the 2010 paper's text says 0.05, its table 0.1

_MED_WIDE = _MED_UPPER - _MED_LOWER
_ROOT = math.sqrt(2 * math.pi)
_ROOT_2 = math.sqrt(2)
# Equation 4.9 as printed. It lacks the width factor 0.06 that would make the density continuous,
# but with it the rare all-in "small" bet of the text could not happen.
_LO_SIGMA = 2 * (1 - _LO_INSIDE) / (_LO_INSIDE * _ROOT)
_MED_SIGMA_LO = 2 * _MED_WIDE * _MED_OUT_LO / (_MED_INSIDE * _ROOT)
_MED_SIGMA_HI = 2 * _MED_WIDE * _MED_OUT_HI / (_MED_INSIDE * _ROOT)
# A large bet is all-in with probability 0.1: the share of the upper half-normal beyond 0.7.
_HI_SIGMA_HI = (1 - _HI_POINT) / NormalDist().inv_cdf(1 - _HI_ALL_IN / _HI_ABOVE / 2)
_HI_SIGMA_LO = _HI_SIGMA_HI * _HI_BELOW / _HI_ABOVE  # equal densities on both sides of 30%


@kernel
def _half_normal(u: Float, sigma: Float) -> Float:
    """Absolute value of a normal deviate with mean 0, from a uniform number in [0, 1)."""
    return -sigma * normal_quantile(0.5 - 0.5 * u)


@kernel
def bet_fraction(size: Int, part: Float, place: Float) -> Float:
    """Fraction of the effective stack before clamping, which may be outside 0 to 1.

    Args:
        size: ``SMALL``, ``MEDIUM`` or ``LARGE``.
        part: Uniform in [0, 1), selects the part of the distribution.
        place: Uniform in [0, 1), selects the position within that part.
    """
    if size == SMALL:
        if part < _LO_INSIDE:
            return place * _LO_UPPER
        return _LO_UPPER + _half_normal(place, _LO_SIGMA)
    if size == MEDIUM:
        if part < _MED_INSIDE:
            return _MED_LOWER + place * _MED_WIDE
        if part < _MED_INSIDE + _MED_OUT_LO:
            return _MED_LOWER - _half_normal(place, _MED_SIGMA_LO)
        return _MED_UPPER + _half_normal(place, _MED_SIGMA_HI)
    if part < _HI_ABOVE:
        return _HI_POINT + _half_normal(place, _HI_SIGMA_HI)
    return _HI_POINT - _half_normal(place, _HI_SIGMA_LO)


@kernel
def _share_below(x: Float, sigma: Float) -> Float:
    """Probability that ``_half_normal`` is below x."""
    return math.erf(x / (sigma * _ROOT_2)) if x > 0.0 else 0.0


@kernel
def chance_below(size: Int, fraction: Float) -> Float:
    """Probability that ``bet_fraction`` of a size is below a fraction."""
    if size == SMALL:
        inside = min(max(fraction / _LO_UPPER, 0.0), 1.0)
        outside = _share_below(fraction - _LO_UPPER, _LO_SIGMA)
        return _LO_INSIDE * inside + (1.0 - _LO_INSIDE) * outside
    if size == MEDIUM:
        below = 1.0 - _share_below(_MED_LOWER - fraction, _MED_SIGMA_LO)
        inside = min(max((fraction - _MED_LOWER) / _MED_WIDE, 0.0), 1.0)
        above = _share_below(fraction - _MED_UPPER, _MED_SIGMA_HI)
        return _MED_OUT_LO * below + _MED_INSIDE * inside + _MED_OUT_HI * above
    below = 1.0 - _share_below(_HI_POINT - fraction, _HI_SIGMA_LO)
    return _HI_BELOW * below + _HI_ABOVE * _share_below(fraction - _HI_POINT, _HI_SIGMA_HI)


@kernel
def sized_raise(
    table: TableRecord, size: Int, part: Float, place: Float, least: Int, most: Int
) -> Int:
    """Raise-to amount of the actor for a size class, if it may raise.

    The published rule gives the chips added by this action, between the amount to call (or the big
    blind) and the most that an opponent can match, rounded to whole chips. An amount below the
    minimum raise is increased to it by the rules of the table.

    Args:
        table: A record whose actor may raise.
        size: ``SMALL``, ``MEDIUM`` or ``LARGE``.
        part: See ``bet_fraction``.
        place: See ``bet_fraction``.
        least: Minimum raise-to chips.
        most: Maximum raise-to chips.
    """
    max_bet = effective_stack(table)
    to_call = betting.amount_to_call(table)
    min_bet = to_call if to_call > 0 else table.big_blind
    amount = published_bet(max_bet, min_bet, size, part, place)
    return min(max(table.street_bet[table.actor] + amount, least), most)


@kernel
def chance_of_raise(table: TableRecord, size: Int, amount: Int) -> Float:
    """Probability that ``sized_raise`` is an amount, over its two random numbers."""
    least, most = betting.legal_raise(table)
    if amount < least or amount > most:
        return 0.0
    upto = _chance_up_to(table, size, amount) if amount < most else 1.0
    below = _chance_up_to(table, size, amount - 1) if amount > least else 0.0
    return upto - below


@kernel
def _chance_up_to(table: TableRecord, size: Int, amount: Int) -> Float:
    """Probability that the published amount raises to no more than an amount."""
    chips = amount - table.street_bet[table.actor]
    max_bet = effective_stack(table)
    if chips >= max_bet:
        return 1.0
    return chance_below(size, (chips + 0.5) / max_bet)


@kernel
def effective_stack(table: TableRecord) -> Int:
    """Largest amount that the actor can add and an opponent can match: MaxBet of the source."""
    seat = table.actor
    matched = np.int64(0)
    for other in range(table.seats):
        if other != seat and (table.status[other] == ACTIVE or table.status[other] == ALL_IN):
            matched = max(matched, table.stack[other] + table.street_bet[other])
    return min(table.stack[seat], matched - table.street_bet[seat])


@kernel
def published_bet(max_bet: Int, min_bet: Int, size: Int, part: Float, place: Float) -> Int:
    """GET_BET_AMOUNT: chips to add, from the random numbers of ``bet_fraction``.

    Args:
        max_bet: The effective stack.
        min_bet: The amount to call, or the big blind if that is 0.
        size: See ``bet_fraction``.
        part: See ``bet_fraction``.
        place: See ``bet_fraction``.
    """
    if max_bet < min_bet:
        return max_bet
    amount = np.int64(np.floor(bet_fraction(size, part, place) * max_bet + 0.5))
    return min(max(amount, min_bet), max_bet)


@kernel
def is_a_call(table: TableRecord, size: Int, part: Float, place: Float) -> Truth:
    """Whether the published amount for a size is no more than the amount to call."""
    to_call = betting.amount_to_call(table)
    return is_bet_a_call(effective_stack(table), to_call, size, part, place)


@kernel
def is_bet_a_call(max_bet: Int, to_call: Int, size: Int, part: Float, place: Float) -> Truth:
    """``is_a_call`` by the effective stack and the amount to call."""
    return to_call > 0 and published_bet(max_bet, to_call, size, part, place) <= to_call


@kernel
def chance_of_a_call(table: TableRecord, size: Int) -> Float:
    """Probability that ``is_a_call``, over its two random numbers."""
    to_call, max_bet = betting.amount_to_call(table), effective_stack(table)
    if to_call <= 0:
        return 0.0
    if max_bet <= to_call:
        return 1.0
    return chance_below(size, (to_call + 0.5) / max_bet)
