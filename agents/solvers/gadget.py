"""Gadget that makes solving a subgame safe: the other player need not enter it.

Whoever solves a subgame anew knows with which hands the other player comes there only if that
player followed the earlier solution. So in the gadget it may choose, hand by hand, between what the
hand was worth against the earlier strategy and playing on: a solution in which no hand would rather
play on cannot be exploited more than the earlier strategy (N. Burch, M. Johanson, M. Bowling,
"Solving Imperfect Information Games Using Decomposition", AAAI 2014).

That alone says nothing about hands that do not come. So a share of the other player's weight, the
``prior``, plays on with the hands that it is expected to hold: among the safe solutions it asks for
one that is good against those. With a prior of 0 the gadget is that of Burch et al.; with 1 there
is none, and the subgame is solved as if the ranges were known (unsafe).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from agents.solvers.public_game import PublicGame
from agents.solvers.workspace import RegretDiscounts
from nlhe_env.arguments import array, number, whole_number
from nlhe_env.jit.array_types import F64, AnyArray

USUAL_PRIOR = 0.5


@dataclass(frozen=True, eq=False)
class Gadget:
    """Values that bind the solution of a subgame.

    Args:
        player: The player whose strategy is to be safe, 0 or 1.
        values: ``(n,)`` counterfactual values of the other player's hands by a best response to the
            earlier strategy: ``PublicGame.values(strategy, 1 - player, BEST)`` of the subgame.
        prior: Share of the other player's weight that plays on with the hands of its range.

    Raises:
        ValueError: A number is out of range.
    """

    player: int
    values: F64
    prior: float = USUAL_PRIOR

    def __post_init__(self) -> None:
        whole_number("player", self.player, least=0, most=1)
        number("prior", self.prior, least=0, most=1)


class GadgetChoice:
    """How the other player enters a subgame, learned beside the strategies of the subgame.

    Args:
        game: The subgame.
        gadget: What binds it.

    Raises:
        ValueError: The values are not those of the other player's hands.
    """

    def __init__(self, game: PublicGame, gadget: Gadget) -> None:
        self.player = gadget.player
        self.other = 1 - gadget.player
        n = int(game.cards.n_hands[self.other])
        self._values = array("values", gadget.values, (n,), dtype=np.float64)
        self.game = replace(game, cards=game.cards._replace(weights=game.cards.weights.copy()))
        """The subgame, in which the other player's hands weigh as often as they enter it."""
        expected = game.cards.weights[self.other, :n]
        self._prior = gadget.prior * expected / expected.sum()
        met = game.met(self.other)
        possible = met > 0
        self._may_choose = (1.0 - gadget.prior) * possible / max(1, int(possible.sum()))
        # Regrets of both choices, to play on and to take the value.
        self._regrets = np.zeros((2, n))
        self._enter(np.full(n, 0.5))

    def _enter(self, chances: F64) -> None:
        self._chances = chances
        weights = self._prior + self._may_choose * chances
        self.game.cards.weights[self.other, : len(weights)] = weights

    def learn(self, values: AnyArray, discounts: RegretDiscounts) -> None:
        """Update the choices by regret matching.

        Args:
            values: ``(n,)`` counterfactual values of the other player's hands in the subgame.
            discounts: Discounts of this iteration.
        """
        gain = values[: len(self._values)] - self._values
        regrets = self._regrets
        regrets *= np.where(regrets > 0, discounts.positive_discount, discounts.negative_discount)
        regrets[0] += (1.0 - self._chances) * gain
        regrets[1] -= self._chances * gain
        positive = np.maximum(regrets, 0)
        total = positive.sum(axis=0)
        self._enter(np.where(total > 0, positive[0] / np.where(total > 0, total, 1), 0.5))
