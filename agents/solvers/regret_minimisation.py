"""Equilibria of two-player games by regret minimisation: CFR, CFR+ and discounted CFR."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from agents.solvers.dealing import SharedWalks
from agents.solvers.public_game import PublicGame
from agents.solvers.space import Learning, Strategies
from agents.solvers.walk import learn
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.machine.array_types import AnyArray


def _plain(iteration: int) -> Learning:
    """M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, NIPS 2007."""
    return Learning(1.0, 1.0, 1.0)


def _plus(iteration: int) -> Learning:
    """O. Tammelin, "Solving Large Imperfect Information Games Using CFR+", 2014."""
    return Learning(1.0, 0.0, float(iteration))


def _discounted(iteration: int) -> Learning:
    """N. Brown, T. Sandholm, AAAI 2019: alpha 3/2, beta 0, gamma 2."""
    past = float(iteration - 1) ** 1.5
    return Learning(past / (past + 1.0), 0.5, float(iteration) ** 2)


METHODS: dict[str, Callable[[int], Learning]] = {
    "cfr": _plain,
    "cfr+": _plus,
    "discounted": _discounted,
}


class Solver:
    """Regret minimisation on one game; updates alternate between the players.

    Args:
        game: What is solved.
        method: ``"cfr"``, ``"cfr+"`` or ``"discounted"``.
        threads: Threads that share what follows the next card; a river is solved by one.
    """

    def __init__(self, game: PublicGame, method: str = "discounted", *, threads: int = 1) -> None:
        self.game = game
        self.method = one_of("method", method, METHODS)
        self.iterations = 0
        whole_number("threads", threads, least=1)
        self._strategies = Strategies.none_yet(game.tree, game.cards, game.dtype)
        self._space = game.space()
        self._shared = SharedWalks(game, threads) if game.deals_cards else None

    def run(self, iterations: int) -> None:
        """Go on for some iterations, each an update of both players."""
        whole_number("iterations", iterations, least=0)
        numbers = range(self.iterations + 1, self.iterations + iterations + 1)
        learnings = np.array([METHODS[self.method](number) for number in numbers], np.float64)
        if self._shared is not None:
            for learning in learnings:
                self._shared.learn(Learning(*learning), self._strategies)
        else:
            game = self.game
            none = np.zeros((0, 0), game.dtype)
            learn(
                game.tree,
                game.batches,
                game.cards,
                learnings,
                self._strategies,
                self._space,
                none,
            )
        self.iterations += iterations

    @property
    def strategy(self) -> AnyArray:
        """``(rows, H)`` the average strategies of both, which converge to an equilibrium."""
        return self.game.normalised(self._strategies.total[:, : int(self.game.cards.n_hands.max())])
