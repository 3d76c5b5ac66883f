"""Walks that share the work below nodes of chance among threads.

Most of a tree from the turn or the flop on lies below the card that comes next. So a walk goes down
as far as that card, has every outcome valued on its own, and goes on above with the values found.
What is added up, and in which order, does not depend on the number of threads. A walk that was
stopped half-way goes on where it was, so that it need not be waited for.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from agents.solvers.cards import Cards
from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import CHANCE, DECISION, PublicTree
from agents.solvers.regret_updates import regret_matching
from agents.solvers.walk import LEARN, Traversal, add_dealt, deal, propagate_reach, start, walk
from agents.solvers.workspace import GameTree, RegretDiscounts, Strategies, Workspace
from nlhe_env.jit.array_types import I64, AnyArray, Bool, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.float_lanes import in_whole_lanes

_PARTS = 8
"""Into which the outcomes of all nodes of chance are divided; threads take one after the other."""


class Outcomes(NamedTuple):
    """Outcomes of the nodes of chance that no other is above."""

    nodes: I64
    """``(n,)`` each outcome's node."""
    parents: I64
    """``(n,)`` which of these nodes of chance is its parent."""


class ChanceReach(NamedTuple):
    """Reach probabilities at the nodes of chance that no other is above."""

    own: AnyArray
    """``(nodes, H)`` of the walking player."""
    other: AnyArray
    """``(nodes, H)`` of the other player."""


class ParallelWalks:
    """Walks through one game on several threads.

    Args:
        game: Game of hold'em, from the turn or the flop on.
        threads: 1 or more.
    """

    def __init__(self, game: PublicGame, threads: int) -> None:
        tree = game.tree
        self._game = game
        self._chance = _first_of_chance(game)
        children = [list(tree.children(int(node))) for node in self._chance]
        nodes = np.array([child for each in children for child in each], np.int64)
        counts = np.array([len(each) for each in children], np.int64)
        parents = np.repeat(np.arange(len(self._chance)), counts)
        self._outcomes = Outcomes(nodes, parents)
        edges = np.linspace(0, len(nodes), _PARTS + 1).astype(int).tolist()
        self._parts = list(pairwise(edges))
        hands = in_whole_lanes(int(game.cards.n_hands.max()))

        def rows(count: int) -> AnyArray:
            return np.zeros((count, hands), game.dtype)

        self._reach = ChanceReach(rows(len(self._chance)), rows(len(self._chance)))
        self._values = rows(len(nodes))
        self._dealt = rows(len(self._chance))
        self._above = game.space()
        self._below = [game.space() for _ in self._parts]
        self._valued: Bool = np.zeros(_PARTS, np.bool_)
        self._player = 0
        self._threads = ThreadPoolExecutor(threads)

    def learn(
        self, discounts: RegretDiscounts, strategies: Strategies, *, stop: Callable[[], bool]
    ) -> bool:
        """One iteration of regret minimisation, as ``walk.learn`` does it on one thread.

        Args:
            discounts: Discounts of this iteration.
            strategies: Strategies of both players, changed.
            stop: Asked now and then whether to leave the rest for the next call.

        Returns:
            Whether the iteration is complete.
        """
        while self.walk(self._player, LEARN, discounts, strategies, stop=stop):
            self._player = 1 - self._player
            if self._player == 0:
                return True
        return False

    def restart(self) -> None:
        """Forget what a walk that was stopped has done: the next one begins at the root."""
        self._valued[:] = False

    def walk(
        self,
        player: int,
        mode: int,
        discounts: RegretDiscounts,
        strategies: Strategies,
        *,
        stop: Callable[[], bool],
    ) -> bool:
        """Like the kernel from the root on, or the rest of a walk that was stopped.

        Returns:
            Whether it came to its end: then ``values`` are those of the player's hands.
        """
        game, space = self._game.arrays, self._above
        traversal = Traversal(player, mode, discounts)
        start(game.cards, player, space)
        _go_down(game, player, strategies.weights, space, self._reach)

        def value(part: int) -> None:
            if stop():
                return
            here = slice(*self._parts[part])
            _value_outcomes(
                game,
                traversal,
                strategies,
                self._below[part],
                Outcomes(self._outcomes.nodes[here], self._outcomes.parents[here]),
                self._reach,
                self._values[here],
                self._dealt[:0],
            )
            self._valued[part] = True

        list(self._threads.map(value, np.flatnonzero(~self._valued).tolist()))
        if not self._valued.all():
            return False
        self._valued[:] = False
        # Everything below chance is valued: walk through what is above, with these values.
        _add_outcomes(game.tree, game.cards, player, self._outcomes, self._values, self._dealt)
        start(game.cards, player, space)
        walk(game, traversal, strategies, space, 0, self._dealt)
        return True

    @property
    def values(self) -> AnyArray:
        """``(H,)`` what the hands of a player are worth by the last walk, until the next one."""
        values: AnyArray = self._above.values[0]
        return values


def _first_of_chance(game: PublicGame) -> I64:
    """``(n,)`` the nodes of chance that no other is above, but for runouts."""
    found: list[int] = []
    matrix = game.runouts.matrix
    for node in np.flatnonzero((game.tree.kind == CHANCE) & (matrix < 0)).tolist():
        if not found or node >= game.tree.end[found[-1]]:
            found.append(node)
    return np.array(found, np.int64)


@kernel
def _go_down(
    game: GameTree, player: Int, weights: AnyArray, space: Workspace, reach: ChanceReach
) -> None:
    """Write reach probabilities at the chance nodes; row 0 of the space has those at the root."""
    tree, cards, matrix = game.tree, game.cards, game.runouts.matrix
    space.own_row[0] = 0
    space.other_row[0] = 0
    node = np.int64(0)
    found = np.int64(0)
    # Invariant: rows :found of ``reach``, (nodes, H), are those of the nodes of chance before
    # ``node``; space.node[:level] is the path to it, whose nodes have their reach probabilities.
    # The walk goes on behind a node of chance; runouts do not count as such.
    while node < len(tree.kind):
        level = tree.depth[node]
        space.node[level] = node
        if level > 0:
            propagate_reach(tree, cards, player, LEARN, space, level, False)
        if tree.kind[node] == DECISION:
            regret_matching(tree, node, weights, space.chances, level * space.actions)
        if tree.kind[node] != CHANCE:
            node += 1
            continue
        if matrix[node] >= 0:
            node = tree.end[node]
            continue
        for h in range(reach.own.shape[1]):
            reach.own[found, h] = space.own[space.own_row[level], h]
            reach.other[found, h] = space.other[space.other_row[level], h]
        found += 1
        node = tree.end[node]


@kernel
def _value_outcomes(
    game: GameTree,
    traversal: Traversal,
    strategies: Strategies,
    space: Workspace,
    outcomes: Outcomes,
    reach: ChanceReach,
    values: AnyArray,
    dealt: AnyArray,
) -> None:
    """Walk through what follows some outcomes of chance."""
    cards, player = game.cards, traversal.player
    # Invariant: values[:i], (n, H), are the counterfactual values of the outcomes before i. Each is
    # walked through from the reach probabilities, (H,), of its parent, less hands with its card.
    for i in range(len(outcomes.nodes)):
        node, parent = outcomes.nodes[i], outcomes.parents[i]
        card = cards.new_card[game.tree.board[node]]
        deal(cards, player, card, reach.own[parent], space.own[0])
        deal(cards, 1 - player, card, reach.other[parent], space.other[0])
        walk(game, traversal, strategies, space, node, dealt)
        for h in range(values.shape[1]):
            values[i, h] = space.values[0, h]


@kernel
def _add_outcomes(
    tree: PublicTree,
    cards: Cards,
    player: Int,
    outcomes: Outcomes,
    values: AnyArray,
    dealt: AnyArray,
) -> None:
    """Back up outcomes to the values of their chance nodes."""
    dealt[:] = 0
    # Invariant: ``dealt``, (nodes of chance, H), are the sums of values[:i], each times its chance.
    for i in range(len(outcomes.nodes)):
        board = tree.board[outcomes.nodes[i]]
        add_dealt(cards, player, board, values[i], dealt[outcomes.parents[i]])
