"""Dominance among tournament players, and fitness values from it.

All players play in all tournaments. If "beats" meant the better mean place, the relation would be a
total order: none could beat the best, and every fitness from the relation would rank like the mean
place. So here one player beats another if it finished ahead in more of their tournaments than
behind. This majority relation can be cyclic: A beats B, B beats C and C beats A.

Source: G. Nicolai, MSc thesis (University of Regina, 2008), sections 4.2.1 (fitness sharing) and
4.2.3 (phantom parasite); the relation is our reading.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.jit.array_types import F64, I32, Bool
from nlhe_env.jit.compilation import kernel


@kernel
def _count_leads(places: I32, leads: I32) -> None:
    """``(n, n)`` tournaments with i ahead of j, minus those with i behind j."""
    n, n_tournaments = places.shape
    for i in range(n):
        for j in range(i):
            lead = np.int32(0)
            for t in range(n_tournaments):
                mine, other = places[i, t], places[j, t]
                lead += np.int32(mine < other) - np.int32(mine > other)
            leads[i, j] = lead
            leads[j, i] = -lead


def majority(places: F64) -> Bool:
    """Majority relation: who finished ahead of whom more often than behind.

    Args:
        places: ``(n_tournaments, n_players)`` places; 1 is best, halves for ties.

    Returns:
        ``(n_players, n_players)``: whether the player of the row beats that of the column.

    >>> majority(np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2]])).astype(int)
    array([[0, 1, 0],
           [0, 0, 1],
           [1, 0, 0]])
    """
    # Twice the place is an integer; the places of one player are contiguous.
    doubled = np.ascontiguousarray((2 * places).T.astype(np.int32))
    leads = np.zeros((len(doubled), len(doubled)), np.int32)
    _count_leads(doubled, leads)
    ahead: Bool = leads > 0
    return ahead


def shared_fitness(beats: Bool) -> F64:
    """Fitness sharing: for each opponent beaten, 1 over the number of players that beat it.

    Args:
        beats: ``(n, n)`` whether the player of the row beats that of the column.

    Returns:
        ``(n,)`` fitness, larger is better; the sum is the number of beaten players.
    """
    rewards = 1.0 / np.maximum(beats.sum(axis=0), 1)
    # No matrix product: its order of additions would depend on the linear-algebra library.
    fitness: F64 = np.where(beats, rewards, 0.0).sum(axis=1)
    return fitness


def win_percentages(beats: Bool) -> F64:
    """Percentage of decided comparisons that each player wins, the phantom parasite's included.

    The phantom beats a player that beats all others, and loses to one that loses to all, so no
    percentage is 0 or 100.

    Args:
        beats: ``(n, n)`` whether the player of the row beats that of the column; n at least 2.

    Returns:
        ``(n,)`` percentages; 50 for a player that neither beats any other nor is beaten.

    The published example (table 4.15), in which every agent beats those after it:

    >>> win_percentages(np.triu(np.ones((4, 4), bool), 1)).round()
    array([75., 67., 33., 25.])
    """
    recent_candidates = len(beats) - 1
    wins, losses = beats.sum(axis=1), beats.sum(axis=0)
    phantom_wins, phantom_losses = wins == recent_candidates, losses == recent_candidates
    wins, losses = wins + phantom_losses, losses + phantom_wins
    decided = wins + losses
    percentages: F64 = np.where(decided > 0, 100.0 * wins / np.maximum(decided, 1), 50.0)
    return percentages
