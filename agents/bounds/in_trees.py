"""Local best response where all of a game can be walked through: its exact value."""

from __future__ import annotations

import numpy as np

from agents.solvers import PublicGame
from agents.solvers.public_tree import CHANCE, DECISION
from agents.solvers.terminals import write_met
from agents.solvers.walk import AS_IS, NO_LEARNING, Space, Strategies, deal, walk
from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.machine.array_types import AnyArray


def local_best_response(game: PublicGame, strategy: AnyArray, player: int) -> float:
    """What the local best response of a player wins against the other's strategy, chips a hand.

    The choices are those of ``LocalBestResponse``: the range of the other player is exact, and of
    every action what it wins is reckoned as if both checked and called from then on. They are no
    better than the best response, whose value ``game.best_response`` gives.

    Args:
        game: Such as ``agents.solvers.leduc()``.
        strategy: Of both players; the rows of ``player`` are not looked at.
        player: 0 or 1: who responds.

    >>> from agents.solvers import kuhn
    >>> game = kuhn()
    >>> round(local_best_response(game, game.uniform(), 0), 6)
    0.5
    >>> round(game.best_response(game.uniform(), 0), 6)
    0.5
    """
    response = _Response(game, strategy, player)
    response.choose(0, game.cards.weights[1 - player].astype(game.dtype))
    value = game.value(response.strategy)
    return value if player == 0 else -value


class _Response:
    """Fills in the rows of the player who responds, from the root down."""

    def __init__(self, game: PublicGame, strategy: AnyArray, player: int) -> None:
        self.game, self.player = game, player
        self.strategy = strategy.copy()
        passive = np.zeros_like(strategy)
        for node in np.flatnonzero(game.tree.kind == DECISION).tolist():
            passive[self._row(node, CHECK_OR_CALL)] = 1
        none = np.zeros((0, 0), game.dtype)
        self._passive = Strategies(passive, none, none)
        self._space = Space.for_game(game.tree, game.cards, game.dtype)

    def choose(self, node: int, reach: AnyArray) -> None:
        """Decide below a node.

        Args:
            node: Its number.
            reach: ``(H,)`` with which chances the other player comes here with each hand.
        """
        tree, cards, other = self.game.tree, self.game.cards, 1 - self.player
        children = tree.children(node)
        if tree.kind[node] == CHANCE:
            for child in children:
                dealt = reach.copy()
                if (card := cards.new_card[tree.board[child]]) >= 0:
                    deal(cards.cards[other], card, reach, dealt)
                self.choose(child, dealt)
        elif tree.kind[node] == DECISION and tree.actor[node] == other:
            for i, child in enumerate(children):
                self.choose(child, reach * self.strategy[tree.row[node] + i])
        elif tree.kind[node] == DECISION:
            worths = np.array([self._worth(child, reach) for child in children])
            rows = slice(int(tree.row[node]), int(tree.row[node]) + len(children))
            best = worths.argmax(axis=0)
            self.strategy[rows] = 0
            self.strategy[tree.row[node] + best, np.arange(len(best))] = 1
            for child in children:
                self.choose(child, reach)

    def _worth(self, child: int, reach: AnyArray) -> AnyArray:
        """What an action is worth with every hand, times the chances of the other's hands."""
        tree = self.game.tree
        raised = tree.kind[child] == DECISION and tree.step[child] > 0
        folds = raised and tree.step[child + 1] == FOLD
        if not folds:
            return self._check_down(child, reach)
        fold_row = self.strategy[tree.row[child]]
        worth = self._won_uncontested(child + 1, reach * fold_row)
        return worth + self._check_down(child, reach * (1 - fold_row))

    def _won_uncontested(self, node: int, reach: AnyArray) -> AnyArray:
        """The worth of a node where the other player has folded."""
        tree, cards = self.game.tree, self.game.cards
        met = np.zeros(len(reach))
        folded = reach.astype(np.float64)
        write_met(cards, self.player, tree.board[node], folded, np.zeros(52), met)
        worth: AnyArray = met * tree.stake[node]
        return worth

    def _check_down(self, node: int, reach: AnyArray) -> AnyArray:
        """The worth of a node if both check and call to the end."""
        space, game = self._space, self.game
        space.own[0] = 1
        space.other[0] = reach
        none = np.zeros((0, 0), game.dtype)
        walk(
            game.tree,
            game.cards,
            self.player,
            AS_IS,
            NO_LEARNING,
            self._passive,
            space,
            node,
            none,
        )
        worth: AnyArray = space.values[0].astype(np.float64)
        return worth

    def _row(self, node: int, step: int) -> int:
        """The row of an action of a decision."""
        tree = self.game.tree
        steps = [int(tree.step[child]) for child in tree.children(node)]
        return int(tree.row[node]) + steps.index(step)
