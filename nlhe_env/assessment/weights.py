"""Weight tables: relative likelihoods of one player's 1,326 holdings (Billings 2006, 2.5.2.4).

A weight in [0, 1] is the relative likelihood of the player's actions with that holding. Weights are
1 before a hand and 0 for known cards, and are multiplied by the probability of each action taken.
They are not normalised. ``Range.table`` is also a weight table.
"""

from __future__ import annotations

from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import hole_number
from nlhe_env.jit.array_types import F32, F64, Float, Int
from nlhe_env.jit.compilation import kernel


@kernel
def remove_card(weights: F32, card: Int) -> None:
    """Set the weights of all holdings with a known card to 0, in place."""
    for other in range(N_CARDS):
        if other != card:
            weights[hole_number(card, other)] = 0.0


@kernel
def reweight(weights: F32, chances: F64, floor: Float) -> None:
    """Multiply weights, in place, by each holding's probability of the observed action.

    Args:
        weights: ``(1326,)`` float weights.
        chances: ``(1326,)`` predicted probability of the action for each holding.
        floor: Lower limit of positive weights, so that one surprising action does not exclude a
            holding; 0.0 for none.
    """
    for i in range(len(weights)):
        if weights[i] > 0.0:
            weights[i] = max(weights[i] * chances[i], floor)


@kernel
def rescale(weights: F32) -> None:
    """Divide weights, in place, by the largest, which prevents underflow after many actions."""
    most = 0.0
    for i in range(len(weights)):
        most = max(most, weights[i])
    if most > 0.0:
        for i in range(len(weights)):
            weights[i] /= most
