"""The independent chip model: the value of chips in a tournament.

D. Harville, "Assigning Probabilities to the Outcomes of Multi-Entry Competitions", Journal of the
American Statistical Association 68 (1973); for poker M. Malmuth, "Gambling Theory and Other
Topics", 1987.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nlhe_env.arguments import array
from nlhe_env.jit.array_types import F64

MOST_PLAYERS = 10


def icm_equities(stacks: npt.ArrayLike, prizes: npt.ArrayLike) -> F64:
    """Expected prize of each player, by the model of Malmuth and Harville.

    A player is next to finish, from the first place down, with its share of the chips of all who
    are still without a place. Players without chips share the last places equally. All orders
    count, by dynamic programming over sets of players.

    Args:
        stacks: ``(players,)`` chips of 1 to 10 players, not all 0.
        prizes: ``(places,)`` prizes of the first places in descending order, in any unit, at most
            one for each player; all other places have none.

    Returns:
        ``(players,)`` expected prizes, which sum to the prizes.

    Raises:
        ValueError: There are too many players or prizes, the prizes are not in descending order, or
            a number is negative or not finite.

    >>> icm_equities([5000, 3000, 2000], [50, 30, 20]).round(2)
    array([38.39, 32.75, 28.86])
    """
    chips: F64 = array("stacks", stacks, (None,), least=0)
    paid: F64 = array("prizes", prizes, (None,), least=0)
    n = len(chips)
    if not 1 <= n <= MOST_PLAYERS:
        raise ValueError(f"stacks must be those of 1 to {MOST_PLAYERS} players; got {n}")
    if not chips.any():
        raise ValueError("stacks must not all be 0")
    if len(paid) > n:
        raise ValueError(f"prizes must be at most one for each of {n} players; got {len(paid)}")
    if (np.diff(paid) > 0).any():
        raise ValueError(f"prizes must be in descending order; got {paid.tolist()}")
    shares = chips / chips.max()  # sums of the largest floats would be infinite
    equities = np.zeros(n)
    # Sets of players are bits of a number, so that every set comes after its subsets. Invariant:
    # probabilities[:placed] are complete: that the first places are those of exactly this set.
    probabilities = np.zeros(1 << n)
    probabilities[0] = 1.0
    for placed in range(1 << n):
        place = placed.bit_count()
        if place >= len(paid) or probabilities[placed] == 0:
            continue
        others = [player for player in range(n) if not placed >> player & 1]
        weights = shares[others]
        if not weights.any():
            weights = np.ones(len(others))
        chances = probabilities[placed] * (weights / weights.sum())
        equities[others] += chances * paid[place]
        for player, chance in zip(others, chances, strict=True):
            probabilities[placed | 1 << player] += chance
    return equities
