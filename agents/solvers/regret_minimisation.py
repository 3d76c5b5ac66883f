"""Equilibria of two-player games by regret minimisation: CFR, CFR+ and discounted CFR.

Walks share the work below nodes of chance among threads. Most of a tree from the turn or the flop
on lies below the card that comes next. So a walk goes down as far as that card, has every outcome
valued on its own, and goes on above with the values found. What is added up, and in which order,
does not depend on the number of threads. A walk that was stopped half-way goes on where it was, so
that it need not be waited for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from agents.solvers.cards import Cards
from agents.solvers.gadget import Gadget, GadgetChoice
from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import CHANCE, DECISION, PublicTree
from agents.solvers.walk import (
    BEST,
    LEARN,
    Traversal,
    add_dealt,
    deal,
    learn,
    propagate_reach,
    regret_matching,
    start,
    walk,
)
from agents.solvers.workspace import NO_DISCOUNTS, GameTree, RegretDiscounts, Strategies, Workspace
from nlhe_env.arguments import number, one_of, whole_number
from nlhe_env.jit.array_types import I64, AnyArray, Bool, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.float_lanes import in_whole_lanes
from nlhe_env.system.command_interrupts import interrupts_wait
from nlhe_env.system.threads import Threads

_SECONDS_AT_ONCE = 0.1
"""Duration of a call of a kernel, which Ctrl-C has to wait for."""


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
        self._threads = Threads(threads)

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


def _plain(iteration: int) -> RegretDiscounts:
    """M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, NIPS 2007."""
    return RegretDiscounts(1.0, 1.0, 1.0)


def _plus(iteration: int) -> RegretDiscounts:
    """O. Tammelin, "Solving Large Imperfect Information Games Using CFR+", 2014."""
    return RegretDiscounts(1.0, 0.0, float(iteration))


def _discounted(iteration: int) -> RegretDiscounts:
    """N. Brown, T. Sandholm, AAAI 2019: alpha 3/2, beta 0, gamma 2."""
    discount_base = float(iteration - 1) ** 1.5
    return RegretDiscounts(discount_base / (discount_base + 1.0), 0.5, float(iteration) ** 2)


METHODS: dict[str, Callable[[int], RegretDiscounts]] = {
    "cfr": _plain,
    "cfr+": _plus,
    "discounted": _discounted,
}


class Locked(NamedTuple):
    """Decisions whose strategy is given: a solver leaves them as they are."""

    rows: I64
    """``(n,)`` rows of strategies."""
    chances: AnyArray
    """``(n, H)`` what they are; not a number for hands whose strategy is free."""

    def write(self, strategy: AnyArray) -> None:
        """Write what is given into ``(rows, >= H)`` strategies."""
        found = strategy[self.rows, : self.chances.shape[1]]
        strategy[self.rows, : self.chances.shape[1]] = np.where(
            np.isnan(self.chances), found, self.chances
        )


class Solver:
    """Regret minimisation on one game; updates alternate between the players.

    Ctrl-C is followed within a small part of a second, or of an iteration if that takes longer.
    Afterwards ``iterations`` are those that are complete, and ``run`` goes on as if nothing had
    happened.

    Args:
        game: Game to solve.
        method: ``"cfr"``, ``"cfr+"`` or ``"discounted"``.
        threads: Threads that share what follows the next card; a river is solved by one.
        gadget: Values of an earlier solution that bind the strategy of one player; the other
            player's counts for nothing then.
        locked: Decisions whose strategy is given and stays.
    """

    def __init__(
        self,
        game: PublicGame,
        method: str = "discounted",
        *,
        threads: int = 1,
        gadget: Gadget | None = None,
        locked: Locked | None = None,
    ) -> None:
        self.game = game
        self.method = one_of("method", method, METHODS)
        self.iterations = 0
        whole_number("threads", threads, least=1)
        self._strategies = Strategies.none_yet(game.tree, game.cards, game.dtype)
        self._at_once = 1
        self._shared: ParallelWalks | None = None
        self._locked = locked
        self._lock()
        self._choice = None if gadget is None else GadgetChoice(game, gadget)
        self._walked = game if self._choice is None else self._choice.game
        if game.deals_cards:
            self._shared = ParallelWalks(self._walked, threads)
            self._judging = ParallelWalks(game, threads)

    @cached_property
    def _space(self) -> Workspace:
        """Work arrays of walks on one thread."""
        return self.game.space()

    def run(self, iterations: int, *, stop: Callable[[], bool] = lambda: False) -> None:
        """Run further iterations, each an update of both players.

        Args:
            iterations: Number of iterations.
            stop: Whether to end early; called every tenth of a second, or after each iteration if
                it takes longer.
        """
        last = self.iterations + whole_number("iterations", iterations, least=0)
        while self.iterations < last and not stop():
            if self._choice is not None or self._locked is not None:
                self._learn_by_walks()
                continue
            if self._shared is None:
                self._run_at_once(last - self.iterations)
                continue
            discounts = METHODS[self.method](self.iterations + 1)
            with interrupts_wait() as interrupted:
                if self._shared.learn(discounts, self._strategies, stop=interrupted):
                    self.iterations += 1

    def run_to(
        self,
        iterations: int,
        *,
        target: float = 0.0,
        on_progress: Callable[[int, float], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Go on until there are so many iterations altogether.

        Args:
            iterations: Iterations of this solver, those so far included.
            target: Exploitability in chips at which to stop earlier.
            on_progress: Called now and then with the number of iterations and the exploitability.
            stop: Whether to end early, as for ``run``.
        """
        whole_number("iterations", iterations, least=1)
        number("target", target, least=0)
        step = max(1, iterations // 20)
        while self.iterations < iterations and not stop():
            self.run(min(step, iterations - self.iterations), stop=stop)
            if target > 0 or on_progress is not None:
                exploitability = self.exploitability()
                if on_progress is not None:
                    on_progress(self.iterations, exploitability)
                if exploitability <= target:
                    break

    def _learn_by_walks(self) -> None:
        """One iteration walk by walk: the bound player first, then how the other one enters."""
        discounts = METHODS[self.method](self.iterations + 1)
        choice = self._choice
        with interrupts_wait():
            for player in (0, 1) if choice is None else (choice.player, choice.other):
                values = self._learn_of(player, discounts)
                self._lock()
            if choice is not None:
                choice.learn(values, discounts)
            self.iterations += 1

    def _lock(self) -> None:
        """Write the strategies of locked decisions again."""
        if self._locked is not None:
            self._locked.write(self._strategies.weights)

    def _learn_of(self, player: int, discounts: RegretDiscounts) -> AnyArray:
        """Update a player's strategy; ``(H,)`` counterfactual values of its hands at the root."""
        if self._shared is not None:
            self._shared.walk(player, LEARN, discounts, self._strategies, stop=lambda: False)
            return self._shared.values
        game, space = self._walked, self._space
        start(game.cards, player, space)
        traversal = Traversal(player, LEARN, discounts)
        walk(game.arrays, traversal, self._strategies, space, 0, np.zeros((0, 0), game.dtype))
        values: AnyArray = space.values[0]
        return values

    def _run_at_once(self, most: int) -> None:
        """As many iterations as one call of the kernel should take, by how long the last took."""
        game = self.game
        count = min(self._at_once, most)
        numbers = range(self.iterations + 1, self.iterations + count + 1)
        discounts_of_players = np.array(
            [METHODS[self.method](number) for number in numbers], np.float64
        )
        arrays, space, none = game.arrays, self._space, np.zeros((0, 0), game.dtype)
        with interrupts_wait():
            began = time.perf_counter()
            learn(arrays, discounts_of_players, self._strategies, space, none)
            self.iterations += count
        seconds = time.perf_counter() - began
        in_time = int(count * _SECONDS_AT_ONCE / max(seconds, 1e-9))
        if count == self._at_once or in_time < count:  # a call with less work says little
            self._at_once = max(1, min(in_time, 8 * count))

    @property
    def strategy(self) -> AnyArray:
        """``(rows, H)`` the average strategies of both, which converge to an equilibrium."""
        found = self.game.normalise(self._strategies.total[:, : self.game.shape[1]])
        if self._locked is not None:
            self._locked.write(found)
        return found

    def exploitability(self) -> float:
        """Exploitability of ``strategy``, in chips; no copy of it is made."""
        none = np.zeros((0, 0), self.game.dtype)
        average = Strategies(self._strategies.total, none)
        if self._shared is None:
            return self.game.exploitability_of(average)
        self._judging.restart()
        found = 0.0
        for player in range(2):
            done = False
            while not done:
                with interrupts_wait() as interrupted:
                    done = self._judging.walk(player, BEST, NO_DISCOUNTS, average, stop=interrupted)
            found += self.game.mean(self._judging.values, player)
        return (found + self.game.rake_of(average)) / 2
