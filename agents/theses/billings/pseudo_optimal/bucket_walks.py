"""Walks through a game of buckets, for all hands and all lines of a street at once.

What ``agents.solvers.walk`` does node by node for hands that stay what they are, this does for
hands that grow, in few and large steps: those of linear algebra.
"""

from __future__ import annotations

import math

import numpy as np

from agents.solvers.regret_minimisation import METHODS
from agents.theses.billings.pseudo_optimal.bucket_game import BucketGame
from nlhe_env.arguments import array, check_shares, one_of, whole_number
from nlhe_env.jit.array_types import AnyArray
from nlhe_env.system.command_interrupts import interrupts_wait

Strategies = list[AnyArray]
"""``(rows, hands)`` of every street, as ``BucketGame`` says."""


class BucketWalks:
    """The value of strategies in a game of buckets, and regret minimisation on it.

    ``learn`` and ``add_plan``, which are called over and over, take strategies as they are.

    Args:
        game: Game of two players.
        dtype: Type of the stored numbers.
    """

    def __init__(self, game: BucketGame, dtype: type[np.floating] = np.float64) -> None:
        self.game = game
        self._streets = game.streets
        self._buckets = game.network.buckets
        shapes = [(len(s.nodes), n) for s, n in zip(self._streets, game.hands, strict=True)]
        self._reach = [[np.zeros(shape, dtype) for shape in shapes] for _ in range(2)]
        self._values = [np.zeros(shape, dtype) for shape in shapes]
        # What hands of a player win from those of the other, for a stake of one chip.
        met = [each.astype(dtype) for each in game.meetings]
        won = game.won.astype(dtype)
        self._met = [[each.T.copy() for each in met], met]
        self._won = [won.T.copy(), -won]
        self._dtype = dtype

    def uniform(self) -> Strategies:
        """The strategies with all actions equally likely."""
        return self._normalised(self.zeros())

    def zeros(self) -> Strategies:
        """Zero for every action."""
        sizes = zip(self._streets, self.game.hands, strict=True)
        return [np.zeros((street.rows, n), self._dtype) for street, n in sizes]

    def normalised(self, weights: Strategies, otherwise: Strategies | None = None) -> Strategies:
        """Strategies from weights of actions.

        Args:
            weights: Not negative.
            otherwise: Chances where all weights are 0; by default every action is as likely.

        Raises:
            ValueError: They are no such arrays.
        """
        remaining = None if otherwise is None else self.checked(otherwise)
        return self._normalised(self._weights("weights", weights), remaining)

    def _normalised(self, weights: Strategies, otherwise: Strategies | None = None) -> Strategies:
        found = [np.empty_like(each) for each in weights]
        for street, (into, given) in enumerate(zip(found, weights, strict=True)):
            for group in self._streets[street].decisions:
                remaining = None if otherwise is None else otherwise[street][group.rows]
                into[group.rows] = _shares(given[group.rows], remaining)
        return found

    def checked(self, strategies: Strategies) -> Strategies:
        """Strategies of both players, street by street, of the type of the stored numbers.

        Raises:
            ValueError: They are not ``(rows, hands)`` finite numbers of at least 0 for every
                street, or the chances of the actions at a decision do not sum to 1.
        """
        found = self._weights("strategies", strategies)
        for i, (street, chances) in enumerate(zip(self._streets, found, strict=True)):
            for group in street.decisions:
                sums = chances[group.rows].sum(axis=1)
                check_shares(f"strategies[{i}]", sums, "the chances of the actions at a decision")
        return found

    def _weights(self, name: str, given: Strategies) -> Strategies:
        n_streets = len(self._streets)
        if len(given) != n_streets:
            raise ValueError(
                f"{name} must be an array for each of {n_streets} streets; got {len(given)}"
            )
        return [
            array(f"{name}[{i}]", each, (street.rows, n), dtype=self._dtype, least=0)
            for i, (each, street, n) in enumerate(
                zip(given, self._streets, self.game.hands, strict=True)
            )
        ]

    def value(self, strategies: Strategies) -> float:
        """Chips a hand that the first player wins when both follow their strategies.

        Raises:
            ValueError: The strategies are none, as ``checked`` says; so in what follows.
        """
        strategies = self.checked(strategies)
        self._propagate_reach(1, strategies)
        return self._walk(0, strategies, None)

    def best_response(self, strategies: Strategies, player: int) -> float:
        """Chips a hand that a player wins with the best response to the other's strategy."""
        whole_number("player", player, least=0, most=1)
        return self._best_response(self.checked(strategies), player)

    def _best_response(self, strategies: Strategies, player: int) -> float:
        self._propagate_reach(1 - player, strategies)
        return self._walk(player, None, None)

    def exploitability(self, strategies: Strategies) -> float:
        """Half of what both players' best responses win together: 0 in equilibrium, in chips."""
        strategies = self.checked(strategies)
        return math.fsum(self._best_response(strategies, player) for player in range(2)) / 2

    def learn(self, player: int, current: Strategies, regrets: Strategies) -> None:
        """Add to a player's regrets the gain of each action over its strategy.

        Args:
            player: The player who learns.
            current: Strategies of both players.
            regrets: Regrets of both players, changed.
        """
        self._propagate_reach(1 - player, current)
        self._walk(player, current, regrets)

    def add_plan(self, player: int, current: Strategies, weight: float, into: Strategies) -> None:
        """Add a player's strategy, weighted by its reach probabilities."""
        self._propagate_reach(player, current)
        for street, total in enumerate(into):
            reach = self._reach[player][street]
            for group in self._streets[street].decisions:
                if group.player == player:
                    chances = current[street][group.rows]
                    total[group.rows] += weight * reach[group.nodes][:, np.newaxis] * chances

    def reach(self, player: int, strategies: Strategies, street: int) -> AnyArray:
        """``(lines, hands)`` reach probabilities of a player where the betting of a street ends.

        Lines are those of ``Street.closed``.
        """
        whole_number("player", player, least=0, most=1)
        whole_number("street", street, least=0, most=len(self._streets) - 1)
        self._propagate_reach(player, self.checked(strategies))
        found: AnyArray = self._reach[player][street][self._streets[street].closed]
        return found

    def _propagate_reach(self, player: int, strategies: Strategies) -> None:
        """Propagate a player's reach probabilities from the root to every node."""
        reach = self._reach[player]
        # Invariant: reach[:street], (nodes, hands) each, are complete. Where a street opens, a hand
        # passes its reach probability on to each hand that it may become.
        for street, part in enumerate(self._streets):
            if street == 0:
                reach[0][part.opened] = 1
            else:
                closed = reach[street - 1][self._streets[street - 1].closed]
                reach[street][part.opened] = np.repeat(closed, self._buckets[street], axis=1)
            # Reach probabilities go down: groups from the first decision to the deepest, whose
            # nodes, (n, hands), give their children, (n, actions, hands), theirs.
            for group in part.decisions[::-1]:
                here = reach[street][group.nodes][:, np.newaxis]
                if group.player == player:
                    reach[street][group.children] = here * strategies[street][group.rows]
                else:
                    reach[street][group.children] = here

    def _walk(
        self, player: int, strategies: Strategies | None, regrets: Strategies | None
    ) -> float:
        """Back up counterfactual values from the last street to the first; the value of the game.

        Args:
            player: The player whose hands are valued.
            strategies: Strategies that it follows; None for a best response.
            regrets: Regrets to be added to, if any.
        """
        # Invariant: the counterfactual values of all later streets, (nodes, hands) each, are backed
        # up. Where the next street opens, those of the hands that a hand may become sum up.
        for street in range(len(self._streets) - 1, -1, -1):
            part, values = self._streets[street], self._values[street]
            self._settle(player, street)
            if street + 1 < len(self._streets):
                opened = self._values[street + 1][self._streets[street + 1].opened]
                shape = (len(opened), -1, self._buckets[street + 1])
                values[part.closed] = opened.reshape(shape).sum(axis=2)
            # Groups of decisions go from the deepest up: children, (n, actions, hands), are valued
            # already.
            for group in part.decisions:
                after = values[group.children]
                # Values are counterfactual, so those of the other player's actions sum up.
                if group.player != player:
                    values[group.nodes] = after.sum(axis=1)
                elif strategies is None:
                    values[group.nodes] = after.max(axis=1)
                else:
                    here = (after * strategies[street][group.rows]).sum(axis=1)
                    values[group.nodes] = here
                    if regrets is not None:
                        regrets[street][group.rows] += after - here[:, np.newaxis]
        return float(self._values[0][self._streets[0].opened].sum())

    def _settle(self, player: int, street: int) -> None:
        """Write the values of terminal nodes of a street."""
        part = self._streets[street]
        other = self._reach[1 - player][street]
        values = self._values[street]
        folded = part.folded >= 0
        signs = np.where(part.folded == player, -1, 1) * part.stakes
        for selected, matrix in ((folded, self._met[player][street]), (~folded, self._won[player])):
            if selected.any():
                ends = part.ends[selected]
                stakes = signs[selected].astype(self._dtype)[:, np.newaxis]
                values[ends] = stakes * (other[ends] @ matrix)


class BucketSolver:
    """Regret minimisation on a game of buckets; updates alternate between the players.

    Args:
        game: Game to solve.
        method: As of ``agents.solvers.Solver``.
        dtype: Type of the stored numbers.
    """

    def __init__(
        self, game: BucketGame, method: str = "cfr+", dtype: type[np.floating] = np.float64
    ) -> None:
        self.walks = BucketWalks(game, dtype)
        self.iterations = 0
        self._learning = METHODS[one_of("method", method, METHODS)]
        self._regrets = self.walks.zeros()
        self._totals = self.walks.zeros()
        self._current = self.walks.uniform()

    def run(self, iterations: int) -> None:
        """Go on for some iterations, each an update of both players."""
        for _ in range(whole_number("iterations", iterations, least=0)):
            with interrupts_wait():
                self._iterate()
                self.iterations += 1

    def _iterate(self) -> None:
        discounts = self._learning(self.iterations + 1)
        for player in range(2):
            self._discount(player, discounts.positive_discount, discounts.negative_discount)
            self.walks.learn(player, self._current, self._regrets)
            self.walks.add_plan(player, self._current, discounts.weight, self._totals)
            self._match(player)

    @property
    def strategies(self) -> Strategies:
        """The average strategies, which converge to an equilibrium.

        Hands that their player never plays so far are played by their regrets.
        """
        return self.walks.normalised(self._totals, self._current)

    def _discount(self, player: int, positive_discount: float, negative_discount: float) -> None:
        for street, regrets in enumerate(self._regrets):
            for group in self.walks.game.streets[street].decisions:
                if group.player == player:
                    here = regrets[group.rows]
                    regrets[group.rows] = np.where(
                        here > 0, positive_discount * here, negative_discount * here
                    )

    def _match(self, player: int) -> None:
        """Set a player's current strategy by regret matching."""
        for street, regrets in enumerate(self._regrets):
            for group in self.walks.game.streets[street].decisions:
                if group.player == player:
                    here = np.maximum(regrets[group.rows], 0)
                    self._current[street][group.rows] = _shares(here)


def _shares(weights: AnyArray, otherwise: AnyArray | None = None) -> AnyArray:
    """Chances of actions, along axis 1, by their weights; equal or others where all are 0."""
    total = weights.sum(axis=1, keepdims=True)
    remaining = 1.0 / weights.shape[1] if otherwise is None else otherwise
    shares: AnyArray = np.where(total > 0, weights / np.where(total > 0, total, 1), remaining)
    return shares
