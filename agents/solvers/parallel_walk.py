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

import numpy as np

from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import CHANCE, DECISION
from agents.solvers.regret_updates import regret_matching
from agents.solvers.walk import LEARN, add_dealt, deal, propagate_reach, start, walk
from agents.solvers.workspace import RegretDiscounts, Strategies
from nlhe_env.jit.array_types import I64, AnyArray, Bool
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.float_lanes import in_whole_lanes

_PARTS = 8
"""Into which the outcomes of all nodes of chance are divided; threads take one after the other."""


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
        self._outcomes = np.array(
            [child for node in self._chance for child in tree.children(int(node))], np.int64
        )
        edges = np.linspace(0, len(self._outcomes), _PARTS + 1).astype(int).tolist()
        self._parts = list(pairwise(edges))
        hands = in_whole_lanes(int(game.cards.n_hands.max()))

        def rows(count: int) -> AnyArray:
            return np.zeros((count, hands), game.dtype)

        self._own, self._other = rows(len(self._chance)), rows(len(self._chance))
        self._values = rows(len(self._outcomes))
        self._dealt = rows(len(self._chance))
        self._above = game.space()
        self._below = [game.space() for _ in self._parts]
        self._of = np.repeat(
            np.arange(len(self._chance)), [len(tree.children(int(n))) for n in self._chance]
        )
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
        game, space = self._game, self._above
        start(game.cards, player, space)
        weights = strategies.weights
        _go_down(game.tree, game.cards, player, weights, space, self._own, self._other)

        def value(part: int) -> None:
            if stop():
                return
            first, last = self._parts[part]
            _value_outcomes(
                game.tree,
                game.batches,
                game.cards,
                player,
                mode,
                discounts,
                strategies,
                self._below[part],
                self._outcomes[first:last],
                self._of[first:last],
                self._own,
                self._other,
                self._values[first:last],
                self._dealt[:0],
            )
            self._valued[part] = True

        list(self._threads.map(value, np.flatnonzero(~self._valued).tolist()))
        if not self._valued.all():
            return False
        self._valued[:] = False
        # Everything below chance is valued: walk through what is above, with these values.
        _add_outcomes(
            game.tree, game.cards, player, self._outcomes, self._of, self._values, self._dealt
        )
        start(game.cards, player, space)
        walk(
            game.tree,
            game.batches,
            game.cards,
            player,
            mode,
            discounts,
            strategies,
            space,
            0,
            self._dealt,
        )
        return True

    @property
    def values(self) -> AnyArray:
        """``(H,)`` what the hands of a player are worth by the last walk, until the next one."""
        values: AnyArray = self._above.values[0]
        return values


def _first_of_chance(game: PublicGame) -> I64:
    """``(n,)`` the nodes of chance that no other is above."""
    found: list[int] = []
    for node in np.flatnonzero(game.tree.kind == CHANCE).tolist():
        if not found or node >= game.tree.end[found[-1]]:
            found.append(node)
    return np.array(found, np.int64)


@kernel
def _go_down(tree, cards, player, weights, space, own, other):
    """Write reach probabilities at the chance nodes; row 0 of the space has those at the root."""
    space.own_row[0] = 0
    space.other_row[0] = 0
    node = np.int64(0)
    found = np.int64(0)
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
        for h in range(own.shape[1]):
            own[found, h] = space.own[space.own_row[level], h]
            other[found, h] = space.other[space.other_row[level], h]
        found += 1
        node = tree.end[node]


@kernel
def _value_outcomes(
    tree,
    batches,
    cards,
    player,
    mode,
    discounts,
    strategies,
    space,
    outcomes,
    of,
    own,
    other,
    values,
    dealt,
):
    """Walk through what follows some outcomes of chance."""
    for i in range(len(outcomes)):
        card = cards.new_card[tree.board[outcomes[i]]]
        deal(cards, player, card, own[of[i]], space.own[0])
        deal(cards, 1 - player, card, other[of[i]], space.other[0])
        walk(
            tree,
            batches,
            cards,
            player,
            mode,
            discounts,
            strategies,
            space,
            outcomes[i],
            dealt,
        )
        for h in range(values.shape[1]):
            values[i, h] = space.values[0, h]


@kernel
def _add_outcomes(tree, cards, player, outcomes, of, values, dealt):
    """Back up outcomes to the values of their chance nodes."""
    dealt[:] = 0
    for i in range(len(outcomes)):
        add_dealt(cards, player, tree.board[outcomes[i]], values[i], dealt[of[i]])
