"""Local best response where all of a game can be walked through: its exact value."""

from __future__ import annotations

import numpy as np

from agents.solvers import PublicGame
from agents.solvers.cards import MOST_CARDS
from agents.solvers.public_tree import CHANCE, DECISION, FOLDED
from agents.solvers.terminals import write_met, write_showdown
from nlhe_env.arguments import whole_number
from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.machine.array_types import AnyArray


def local_best_response(game: PublicGame, strategy: AnyArray, player: int) -> float:
    """What the local best response of a player wins against the other's strategy, chips a hand.

    The choices are those of ``LocalBestResponse``: the range of the other player is exact, and
    each action is valued as if both checked and called from then on. They are no better than the
    best response, whose value ``game.best_response`` gives.

    Args:
        game: Such as ``agents.solvers.leduc()``.
        strategy: Of both players; the rows of ``player`` do not change the result.
        player: 0 or 1: who responds.

    Raises:
        ValueError: The strategies are none of this game, or there is no such player.

    >>> from agents.solvers import kuhn
    >>> game = kuhn()
    >>> round(local_best_response(game, game.uniform(), 0), 6)
    0.5
    >>> round(game.best_response(game.uniform(), 0), 6)
    0.5
    """
    whole_number("player", player, least=0, most=1)
    response = _Response(game, game.checked(strategy), player)
    response.choose(0, game.cards.weights[1 - player].astype(game.dtype))
    value = game.value(response.strategy)
    return value if player == 0 else -value


class _Response:
    """Fills in the rows of the player who responds, from the root down."""

    def __init__(self, game: PublicGame, strategy: AnyArray, player: int) -> None:
        self.game, self.player = game, player
        self.strategy = strategy.copy()

    def choose(self, node: int, reach: AnyArray) -> None:
        """Decide below a node.

        Args:
            node: Its number.
            reach: ``(H,)`` with which chances the other player comes here with each hand.
        """
        tree, other = self.game.tree, 1 - self.player
        children = tree.children(node)
        if tree.kind[node] == CHANCE:
            for child in children:
                self.choose(child, reach * self._allowed(other, child))
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
        return self._end(child + 1, reach * fold_row) + self._check_down(
            child, reach * (1 - fold_row)
        )

    def _check_down(self, node: int, reach: AnyArray) -> AnyArray:
        """The worth of a node if both check and call to the end."""
        tree, cards = self.game.tree, self.game.cards
        children = tree.children(node)
        if tree.kind[node] == DECISION:
            passive = next(child for child in children if tree.step[child] == CHECK_OR_CALL)
            return self._check_down(passive, reach)
        if tree.kind[node] != CHANCE:
            return self._end(node, reach)
        worth: AnyArray = np.zeros(len(reach))
        for child in children:
            dealt = reach * self._allowed(1 - self.player, child)
            chance = self._allowed(self.player, child) * cards.chance[tree.board[child]]
            worth += chance * self._check_down(child, dealt)
        return worth

    def _end(self, node: int, reach: AnyArray) -> AnyArray:
        """The worth of a node where the betting is over."""
        tree, cards = self.game.tree, self.game.cards
        write = write_met if tree.kind[node] == FOLDED else write_showdown
        worth = np.zeros(len(reach))
        come = reach.astype(np.float64)
        write(cards, self.player, tree.board[node], come, np.zeros(MOST_CARDS), worth)
        lost = tree.kind[node] == FOLDED and tree.actor[node] == self.player
        stake = float(tree.stake[node])
        return worth * (-stake if lost else stake)

    def _allowed(self, player: int, node: int) -> AnyArray:
        """``(H,)`` 1 for hands of a player without the card that has just been dealt, else 0."""
        cards = self.game.cards
        card = int(cards.new_card[self.game.tree.board[node]])
        allowed: AnyArray = np.ones(cards.weights.shape[1])
        if card >= 0:
            allowed[(cards.cards[player] == card).any(axis=1)] = 0.0
        return allowed
