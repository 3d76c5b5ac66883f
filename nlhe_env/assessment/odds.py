"""Pot odds and related break-even frequencies of calls and bets, and the odds of higher pairs.

All are shares of 1. Amounts are in chips or any other common unit. Odds are often given as a ratio:
4 to 1 is a share of 1 / (4 + 1).
"""

from __future__ import annotations

import math
from fractions import Fraction
from math import comb, factorial

from nlhe_env.cards import RANKS
from nlhe_env.equity.tables.suits import MAX_OPPONENTS


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


def higher_pair_probability(pair: str, *, n_opponents: int = 1) -> float:
    """Probability that at least one opponent has a higher pocket pair.

    Before the flop, this is the main threat to a pocket pair (Nicolai's thesis, section 4.1.3.3).
    Equation 4.5: ``n * P_single`` less ``(i - 1) * P_i`` for ``i`` of 2 to n, exactly. Equation 4.6
    subtracts ``(n - 1) * P_i`` for ``i`` opponents with higher pairs, which is right for two
    opponents only: an event that the sum counts ``i`` times has to be taken off ``i - 1`` times.

    Args:
        pair: Such as ``"QQ"``.
        n_opponents: 1 to 9.

    Raises:
        ValueError: ``pair`` is not a pair, or ``n_opponents`` is outside 1..9.

    >>> round(higher_pair_probability("JJ"), 4)
    0.0147
    >>> round(higher_pair_probability("QQ", n_opponents=2), 4)
    0.0195
    """
    counts = higher_pair_counts(pair, n_opponents=n_opponents)
    expected = n_opponents * _all_hold(1, _ranks_above(pair))
    return float(expected - sum((i - 1) * counts[i] for i in range(2, n_opponents + 1)))


def higher_pair_counts(pair: str, *, n_opponents: int) -> tuple[Fraction, ...]:
    """Exact probabilities that exactly 0 to n opponents have a higher pocket pair.

    These are ``P_i`` of the thesis; arguments and errors are those of ``higher_pair_probability``.

    >>> higher_pair_counts("KK", n_opponents=1)
    (Fraction(1219, 1225), Fraction(6, 1225))
    """
    n_ranks = _ranks_above(pair)
    if n_opponents not in range(1, MAX_OPPONENTS + 1):
        raise ValueError(f"n_opponents must be 1..{MAX_OPPONENTS}; got {n_opponents!r}")
    all_hold = [_all_hold(k, n_ranks) for k in range(n_opponents + 1)]
    # Inclusion and exclusion: from "these k, perhaps others too" to "exactly i".
    return tuple(
        sum(
            (
                (-1) ** (k - i) * comb(n_opponents, k) * comb(k, i) * all_hold[k]
                for k in range(i, n_opponents + 1)
            ),
            Fraction(0),
        )
        for i in range(n_opponents + 1)
    )


def _ranks_above(pair: str) -> int:
    is_pair = isinstance(pair, str) and len(pair) == 2 and pair[0].upper() == pair[1].upper()
    if not is_pair or pair[0].upper() not in RANKS:
        raise ValueError(
            f'pair must be text such as "QQ", of one of the ranks {RANKS}; got {pair!r}'
        )
    return len(RANKS) - 1 - RANKS.index(pair[0].upper())


def _all_hold(n_players: int, n_ranks: int) -> Fraction:
    """The chance that certain players all hold pairs of ``n_ranks`` ranks, two cards being known.

    A rank gives no pair, one pair in 6 ways, or two pairs to two players in 6 ways.
    """
    ways = [1] + [0] * n_players  # by the number of players that have their pair
    for _ in range(n_ranks):
        ways = [
            ways[n]
            + (6 * n * ways[n - 1] if n >= 1 else 0)
            + (6 * comb(n, 2) * ways[n - 2] if n >= 2 else 0)
            for n in range(n_players + 1)
        ]
    deals = factorial(50) // factorial(50 - 2 * n_players) // 2**n_players
    return Fraction(ways[n_players], deals)
