"""Weight tables: how likely each of the 1,326 holdings is for one player (Billings 2006, 4.3).

A weight in [0, 1] is the relative likelihood that the player would have come this far with that
holding. All weights are 1 before a hand, 0 where a card is known to be elsewhere, and are
multiplied by the chance of each action that the player takes. They are not shares: only their
proportions matter. ``Range.table`` is a weight table as well.
"""

from __future__ import annotations

from nlhe_env.jit.compilation import kernel


@kernel
def hole_number(hole_0, hole_1):
    """Number 0..1325 of two hole cards in any order: C(a,2) + b for cards a > b."""
    high = max(hole_0, hole_1)
    return (high * (high - 1) >> 1) + min(hole_0, hole_1)


@kernel
def remove_card(weights, card):
    """Set the weights of all holdings with ``card`` to 0, in place: it has been seen elsewhere."""
    for other in range(52):
        if other != card:
            weights[hole_number(card, other)] = 0.0


@kernel
def reweight(weights, chances, floor):
    """Multiply weights, in place, by the chance that each holding takes the action just seen.

    Args:
        weights: ``(1326,)`` float weights.
        chances: ``(1326,)`` chance of the action with each holding, a model's prediction.
        floor: No weight above 0 falls below it, so that one surprise does not rule a holding out;
            0.0 for none.
    """
    for i in range(len(weights)):
        if weights[i] > 0.0:
            weights[i] = max(weights[i] * chances[i], floor)


@kernel
def rescale(weights):
    """Divide weights, in place, by the largest; many actions would else make them vanish."""
    most = 0.0
    for i in range(len(weights)):
        most = max(most, weights[i])
    if most > 0.0:
        for i in range(len(weights)):
            weights[i] /= most
