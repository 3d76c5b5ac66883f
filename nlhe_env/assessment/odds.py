"""Pot odds and related break-even frequencies of calls and bets, all as shares of 1.

Sums of money are chips, or any other unit, as long as it is the same for all. Players often give
odds as a ratio: 4 to 1 is a share of 1 / (4 + 1).
"""

from __future__ import annotations

import math


def pot_odds(pot: float, to_call: float) -> float:
    """The share of showdowns that a call must win to break even, if no more is bet.

    Args:
        pot: The pot now, the opponents' bets of this round included.
        to_call: Price of the call.

    Raises:
        ValueError: An amount is negative, or there is nothing to win or lose.

    >>> pot_odds(60, 10)  # 6 to 1
    0.14285714285714285
    """
    return implied_odds(pot, to_call)


def implied_odds(pot: float, to_call: float, *, gain: float = 0, loss: float = 0) -> float:
    """The share of showdowns that a call must win to break even, with money expected later.

    With probability p the call wins ``pot + gain``, else it loses ``to_call + loss``; the p at
    which its mean is 0 is returned.

    Args:
        pot: As in ``pot_odds``.
        to_call: As in ``pot_odds``.
        gain: Mean later payment of the opponents if the hand turns out to win: implied odds.
        loss: Mean later cost if it does not: reverse implied odds.

    Raises:
        ValueError: An amount is negative, or there is nothing to win or lose.

    >>> round(implied_odds(60, 10, gain=40), 4)
    0.0909
    >>> round(implied_odds(60, 10, loss=20), 4)
    0.3333
    """
    _check(pot=pot, to_call=to_call, gain=gain, loss=loss)
    at_stake = pot + to_call + gain + loss
    if at_stake == 0:
        raise ValueError("there must be something in the pot or to call; got 0 and 0")
    return (to_call + loss) / at_stake


def showdown_odds(pot: float, to_call: float, later_bets: float) -> float:
    """The share of showdowns to win to break even if one calls down to the end.

    Args:
        pot: As in ``pot_odds``.
        to_call: As in ``pot_odds``.
        later_bets: Sum that each of the two players will add in the rounds to come.

    Raises:
        ValueError: An amount is negative, or there is nothing to win or lose.

    >>> showdown_odds(60, 10, 20)
    0.2727272727272727
    """
    _check(later_bets=later_bets)
    return implied_odds(pot, to_call, gain=later_bets, loss=later_bets)


def required_fold_equity(pot: float, bet: float) -> float:
    """Fold frequency that a bet needs to break even with a hand that never wins.

    It is also the fold frequency in equilibrium, where nothing is to come; one minus it is the
    minimum defence frequency (Billings 2006, 4.4: bs / (ps + bs)).

    Args:
        pot: The pot before the bet.
        bet: The size of the bet.

    Raises:
        ValueError: An amount is negative, or both are 0.

    >>> required_fold_equity(100, 50)
    0.3333333333333333
    """
    return implied_odds(pot, bet)


def optimal_bluff_ratio(pot: float, bet: float) -> float:
    """The share of bluffs among bets that leaves the opponent indifferent, nothing to come.

    It is the opponent's pot odds, bs / (ps + 2 bs); the arguments are those of
    ``required_fold_equity``.

    >>> optimal_bluff_ratio(100, 50)
    0.25
    """
    return pot_odds(pot + bet, bet)


def net_equity(share: float, pot: float, invested: float) -> float:
    """Value of a share of the pot less the sum put in (Billings 2006, chapter 5).

    >>> net_equity(0.25, pot=10, invested=5)
    -2.5
    """
    return share * pot - invested


def _check(**amounts: float) -> None:
    for name, amount in amounts.items():
        if not 0 <= amount < math.inf:
            raise ValueError(f"{name} must be 0 or more; got {amount!r}")
