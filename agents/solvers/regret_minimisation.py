"""Equilibria of two-player games by regret minimisation: CFR, CFR+ and discounted CFR."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from agents.solvers.gadget import Gadget, GadgetChoice
from agents.solvers.parallel_walk import ParallelWalks
from agents.solvers.public_game import PublicGame
from agents.solvers.walk import BEST, LEARN, Traversal, learn, start, walk
from agents.solvers.workspace import NO_DISCOUNTS, RegretDiscounts, Strategies, Workspace
from nlhe_env.arguments import number, one_of, whole_number
from nlhe_env.jit.array_types import I64, AnyArray
from nlhe_env.jit.interrupts import interrupts_wait

_SECONDS_AT_ONCE = 0.1
"""Duration of a call of a kernel, which Ctrl-C has to wait for."""


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
    """``(n, H)`` what they are."""


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
            rows, chances = self._locked.rows, self._locked.chances
            self._strategies.weights[rows, : chances.shape[1]] = chances

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
            found[self._locked.rows] = self._locked.chances
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
