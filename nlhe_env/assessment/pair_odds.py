"""Probability that an opponent holds a higher pair (Nicolai's thesis, section 4.1.3.3).

Before the flop, a higher pair is the main threat to a pocket pair. Equation 4.6 of the thesis
subtracts ``(n - 1) * P_i`` for ``i`` opponents with higher pairs, which is right for two opponents
only: an event that the sum ``n * P_single`` counts ``i`` times has to be taken off ``i - 1`` times.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

from nlhe_env.cards import RANKS
from nlhe_env.equity.tables.suits import MAX_OPPONENTS


def higher_pair_probability(pair: str, *, n_opponents: int = 1) -> float:
    """Probability that at least one opponent has a higher pocket pair.

    Equation 4.5: ``n * P_single`` less ``(i - 1) * P_i`` for ``i`` of 2 to n, exactly.

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
    """Exact probabilities that 0, 1, ...

    n opponents have a higher pocket pair. These are ``P_i`` of the thesis; arguments and errors are
    those of ``higher_pair_probability``.

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
