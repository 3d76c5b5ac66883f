"""Pot odds and related break-even frequencies of calls and bets, all as shares of 1.

Amounts are in chips or any other common unit. Odds are often given as a ratio: 4 to 1 is a share of
1 / (4 + 1).
"""

from __future__ import annotations

import math


def pot_odds(pot: float, to_call: float) -> float:
    """Break-even winning probability of a call without further bets.

    Args:
        pot: The current pot, including the opponents' bets of this round.
        to_call: Cost of the call.

    Raises:
        ValueError: An amount is negative, or all are 0.

    >>> pot_odds(60, 10)  # 6 to 1
    0.14285714285714285
    """
    return implied_odds(pot, to_call)


def implied_odds(pot: float, to_call: float, *, gain: float = 0, loss: float = 0) -> float:
    """Break-even winning probability of a call with expected later bets.

    The call wins ``pot + gain`` with probability p and otherwise loses ``to_call + loss``; the
    result is the p with mean 0.

    Args:
        pot: As in ``pot_odds``.
        to_call: As in ``pot_odds``.
        gain: Mean later winnings from the opponents if the hand wins (implied odds).
        loss: Mean later cost if the hand loses (reverse implied odds).

    Raises:
        ValueError: An amount is negative, or all are 0.

    >>> round(implied_odds(60, 10, gain=40), 4)
    0.0909
    >>> round(implied_odds(60, 10, loss=20), 4)
    0.3333
    """
    _check(pot=pot, to_call=to_call, gain=gain, loss=loss)
    at_stake = pot + to_call + gain + loss
    if at_stake == 0:
        raise ValueError("there must be chips in the pot or to call; got 0 and 0")
    return (to_call + loss) / at_stake


def showdown_odds(pot: float, to_call: float, later_bets: float) -> float:
    """Break-even winning probability of calling down to the showdown.

    Args:
        pot: As in ``pot_odds``.
        to_call: As in ``pot_odds``.
        later_bets: Amount that each of the two players adds in later rounds.

    Raises:
        ValueError: An amount is negative, or all are 0.

    >>> showdown_odds(60, 10, 20)
    0.2727272727272727
    """
    _check(later_bets=later_bets)
    return implied_odds(pot, to_call, gain=later_bets, loss=later_bets)


def required_fold_equity(pot: float, bet: float) -> float:
    """Fold frequency at which a pure bluff breaks even.

    On the river it is also the equilibrium fold frequency; one minus it is the minimum defence
    frequency (Billings 2006, 5.3.3: bs / (ps + bs)).

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
    """Share of bluffs among river bets that makes the opponent indifferent.

    It equals the opponent's pot odds, bs / (ps + 2 bs); the arguments are those of
    ``required_fold_equity``.

    >>> optimal_bluff_ratio(100, 50)
    0.25
    """
    return pot_odds(pot + bet, bet)


def net_equity(share: float, pot: float, invested: float) -> float:
    """Share of the pot minus the amount bet (Billings 2006, 5.3.1.2).

    >>> net_equity(0.25, pot=10, invested=5)
    -2.5
    """
    return share * pot - invested


def _check(**amounts: float) -> None:
    for name, amount in amounts.items():
        if not 0 <= amount < math.inf:
            raise ValueError(f"{name} must be 0 or more; got {amount!r}")
