"""A game in the form that is solved, and what strategies are worth in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agents.solvers.batches import Batches
from agents.solvers.cards import MOST_CARDS, Cards
from agents.solvers.public_tree import DECISION, FOLDED, PublicTree
from agents.solvers.space import NO_LEARNING, Space, Strategies
from agents.solvers.terminals import write_met
from agents.solvers.walk import AS_IS, BEST, start, walk
from nlhe_env.machine.array_types import F64, I64, AnyArray


@dataclass(frozen=True)
class PublicGame:
    """What both players see, what they may hold, and how exactly numbers are kept.

    Strategies of both players are one array ``(rows, H)``: decisions have a row for each action, as
    ``tree.row`` and ``tree.branches`` say, and a column for each hand of who decides.
    """

    tree: PublicTree
    cards: Cards
    dtype: type[np.floating]
    """float64 for small games, float32 for hold'em."""

    @cached_property
    def batches(self) -> Batches:
        """Which ends of the betting are valued together."""
        return Batches.of(self.tree)

    def space(self) -> Space:
        """Work arrays for walks."""
        return Space.for_game(self.tree, self.batches, self.cards, self.dtype)

    @property
    def deals_cards(self) -> bool:
        """Whether cards of hold'em are still to come."""
        return len(self.cards.order) > 0 and self.cards.order.shape[1] > 1

    def met(self, player: int) -> F64:
        """``(n,)``: weight of the other player's hands that each hand of a player can meet."""
        met = np.zeros(int(self.cards.n_hands[player]))
        reach = self.cards.weights[1 - player]
        write_met(self.cards, player, 0, reach, np.zeros(MOST_CARDS), met)
        return met

    @cached_property
    def weight(self) -> float:
        """Sum over all pairs of hands that the two can hold together."""
        met = self.met(0)
        return float(self.cards.weights[0, : len(met)] @ met)

    def n_hands(self, node: int, player: int) -> int:
        """Number of hands a player may have, the same at every node."""
        return int(self.cards.n_hands[player])

    def earlier_hands(self, node: int, player: int, row: int) -> I64:
        """Hands stay what they are."""
        return np.arange(self.cards.n_hands[player])

    def payoffs(self, node: int) -> F64:
        """``(n, n)`` chips that player 0 wins at an end of a small game, times the chances."""
        tree, cards = self.tree, self.cards
        won = cards.outcomes[0, tree.board[node]]
        if tree.kind[node] == FOLDED:
            won = cards.meetings[0, tree.board[node]] * (1 if tree.actor[node] == 1 else -1)
        found: F64 = won * tree.stake[node]
        return found

    def uniform(self) -> AnyArray:
        """The strategies with all actions equally likely."""
        return self.normalised(np.zeros((self.tree.rows, int(self.cards.n_hands.max()))))

    def normalised(self, weights: AnyArray) -> AnyArray:
        """Strategies from weights of actions; where all are 0 all actions are equally likely."""
        chances = np.empty(weights.shape, self.dtype)
        for node in np.flatnonzero(self.tree.kind == DECISION):
            first, count = int(self.tree.row[node]), int(self.tree.branches[node])
            here = weights[first : first + count]
            total = here.sum(axis=0)
            chances[first : first + count] = np.where(
                total > 0, here / np.where(total > 0, total, 1), 1.0 / count
            )
        return chances

    def value(self, strategy: AnyArray) -> float:
        """Chips a hand that player 0 wins when both follow their strategies."""
        return self._walk(strategy, 0, AS_IS)

    def best_response(self, strategy: AnyArray, player: int) -> float:
        """Chips a hand that a player wins with the best answer to the other's strategy."""
        return self._walk(strategy, player, BEST)

    def exploitability(self, strategy: AnyArray) -> float:
        """Half of what both players' best responses win together: 0 in equilibrium, in chips."""
        return sum(self.best_response(strategy, player) for player in range(2)) / 2

    def _walk(self, strategy: AnyArray, player: int, what: int) -> float:
        values = self.values(strategy, player, what)
        return float(self.cards.weights[player, : len(values)] @ values) / self.weight

    def values(self, strategy: AnyArray, player: int, what: int) -> AnyArray:
        """``(n,)`` what the hands of a player are worth, times the chances of the other's."""
        space = self.space()
        strategies = Strategies.of(strategy, self.dtype)
        none = np.zeros((0, 0), self.dtype)
        start(self.cards, player, space)
        walk(
            self.tree,
            self.batches,
            self.cards,
            player,
            what,
            NO_LEARNING,
            strategies,
            space,
            0,
            none,
        )
        return space.values[0, : int(self.cards.n_hands[player])]
