"""Games in which hands are a few buckets, and change their bucket from street to street.

A player remembers its buckets of all streets so far; that is a hand here. So hands grow: with 7
buckets a player holds one of 7 on the first street, of 49 on the second, of 343 on the third.

What ``agents.solvers.walk`` does node by node for hands that stay what they are, ``BucketWalks``
does for hands that grow, in few and large steps: those of linear algebra.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from agents.solvers.public_tree import DECISION, FOLDED, SHOWDOWN, PublicTree
from agents.solvers.regret_minimisation import METHODS
from nlhe_env.arguments import array, check_shares, one_of, whole_number
from nlhe_env.jit.array_types import F64, I64, AnyArray
from nlhe_env.system.command_interrupts import interrupts_wait

Strategies = list[AnyArray]
"""``(rows, hands)`` of every street, as ``BucketGame`` says."""


class Network(NamedTuple):
    """Transitions between buckets of two players; indices are first, second player."""

    start: F64
    """``(n, n)`` chance of each pair of buckets on the first street."""
    steps: tuple[F64, ...]
    """For every later street ``(n, n, m, m)``: chance of a pair after a pair. Sums over the last
    two axes are 1, or 0 after pairs that never come."""
    outcome: F64
    """``(m, m)`` on the last street: chance that the first player wins minus that it loses."""

    @property
    def buckets(self) -> tuple[int, ...]:
        """Number of buckets on every street."""
        return (len(self.start), *(step.shape[2] for step in self.steps))


@dataclass(frozen=True)
class BucketGame:
    """A betting tree and what lies behind it.

    Strategies are an array for every street, ``(rows, hands)``: a row for each action of the
    decisions there, in the order of the nodes, a column for each hand.

    Raises:
        ValueError: The network is not of chances, or not of as many streets as the tree.
    """

    tree: PublicTree
    """Tree with one board on each street, as ``next_street`` grows it."""
    network: Network

    def __post_init__(self) -> None:
        start, steps, outcome = self.network
        n = len(start)
        start = array("start", start, (n, n), least=0)
        check_shares("start", start.sum(keepdims=True), "all chances")
        found = []
        for i, step in enumerate(steps):
            name = f"steps[{i}]"
            m = np.shape(step)[-1] if np.ndim(step) else 0
            found.append(array(name, step, (n, n, m, m), least=0))
            sums = found[-1].sum(axis=(2, 3))
            check_shares(name, sums[sums > 0], "chances after a pair that comes")
            n = m
        streets = int(self.tree.street.max()) + 1
        if len(found) != streets - 1:
            raise ValueError(
                f"steps must be {streets - 1} arrays for a tree of {streets} streets; got "
                f"{len(found)}"
            )
        outcome = array("outcome", outcome, (n, n), least=-1, most=1)
        object.__setattr__(self, "network", Network(start, tuple(found), outcome))

    @cached_property
    def hands(self) -> tuple[int, ...]:
        """Number of hands on every street."""
        return tuple(int(n) for n in np.cumprod(self.network.buckets))

    @cached_property
    def meetings(self) -> tuple[F64, ...]:
        """For every street ``(hands, hands)``: chance that the two players hold these."""
        found = [self.network.start]
        for step in self.network.steps:
            n, m = step.shape[1:3]
            before = found[-1].reshape(-1, n, len(found[-1]) // n, n)
            # Axes: what was before, the last bucket, and the new one, of both players.
            pairs = np.einsum("aibj,ijxy->aixbjy", before, step)
            found.append(pairs.reshape(len(found[-1]) * m, -1))
        return tuple(found)

    @cached_property
    def won(self) -> F64:
        """``(hands, hands)`` of the last street: those chances, times what a showdown brings."""
        n = len(self.network.outcome)
        meetings = self.meetings[-1]
        pairs = meetings.reshape(-1, n, len(meetings) // n, n)
        found: F64 = (pairs * self.network.outcome[:, np.newaxis]).reshape(meetings.shape)
        return found

    @cached_property
    def streets(self) -> tuple[BucketStreet, ...]:
        """The parts of the tree."""
        return tuple(BucketStreet.of(self.tree, street) for street in range(len(self.hands)))

    def payoffs(self, node: int) -> F64:
        """``(hands, hands)`` chips that the first player wins at an end, times the chances."""
        if self.tree.kind[node] == SHOWDOWN:
            won = self.won
        else:
            won = self.meetings[self.tree.street[node]] * (1 if self.tree.actor[node] == 1 else -1)
        found: F64 = won * self.tree.stake[node]
        return found

    def n_hands(self, node: int, player: int) -> int:
        """Number of hands of a player at a node."""
        return self.hands[int(self.tree.street[node])]

    def earlier_hands(self, node: int, player: int, row: int) -> I64:
        """``(hands,)`` for each hand at a node, which it was at the decision of an earlier row."""
        now = self.hands[int(self.tree.street[node])]
        then = self.hands[int(self.street_of_row[row])]
        found: I64 = np.arange(now) // (now // then)
        return found

    @cached_property
    def street_of_row(self) -> I64:
        """``(rows,)`` of the tree."""
        decisions = self.tree.kind == DECISION
        streets: I64 = np.repeat(self.tree.street[decisions], self.tree.branches[decisions])
        return streets

    def by_street(self, strategy: F64) -> list[F64]:
        """Strategies of ``(rows, most hands)``, as of ``sequence_form``, street by street."""
        shape = (self.tree.rows, max(self.hands))
        strategy = array("strategy", strategy, shape, least=0)
        return [strategy[self.street_of_row == street, :n] for street, n in enumerate(self.hands)]


class BucketStreet(NamedTuple):
    """The nodes of a street, by their places among them."""

    nodes: I64
    """Their numbers in the tree."""
    decisions: tuple[Decisions, ...]
    """The deepest first."""
    ends: I64
    """Where the betting of the hand is over."""
    folded: I64
    """``(len(ends),)`` who has folded, -1 at a showdown."""
    stakes: F64
    """``(len(ends),)`` chips."""
    opened: I64
    """Where the street begins."""
    closed: I64
    """Where the next one follows: ``opened`` of it has them in the same order."""
    rows: int

    @classmethod
    def of(cls, tree: PublicTree, street: int) -> BucketStreet:
        """A street of a tree."""
        nodes = np.flatnonzero(tree.street == street)
        place = np.full(len(tree.kind), -1, np.int64)
        place[nodes] = np.arange(len(nodes))
        is_end = (tree.kind[nodes] == FOLDED) | (tree.kind[nodes] == SHOWDOWN)
        ends = nodes[is_end]
        decides = nodes[tree.kind[nodes] == DECISION]
        first = np.zeros(len(tree.kind), np.int64)
        first[decides] = np.cumsum(tree.branches[decides]) - tree.branches[decides]
        groups = []
        for depth in np.unique(tree.depth[decides])[::-1]:
            for player in range(2):
                selected = decides[(tree.depth[decides] == depth) & (tree.actor[decides] == player)]
                for count in np.unique(tree.branches[selected]):
                    group = selected[tree.branches[selected] == count]
                    children = np.array([tree.children(int(node)) for node in group])
                    rows = first[group][:, np.newaxis] + np.arange(count)
                    groups.append(Decisions(player, place[group], place[children], rows))
        are_internal = (~is_end) & (tree.kind[nodes] != DECISION)
        above = {int(child) for node in nodes for child in tree.children(int(node))}
        return cls(
            nodes,
            tuple(groups),
            place[ends],
            np.where(tree.kind[ends] == FOLDED, tree.actor[ends], -1),
            tree.stake[ends],
            place[[node for node in nodes if int(node) not in above]],
            np.flatnonzero(are_internal),
            int(tree.branches[decides].sum()),
        )


class Decisions(NamedTuple):
    """Some decisions of one player that have as many actions and lie equally deep."""

    player: int
    nodes: I64
    """``(n,)`` places in the street."""
    children: I64
    """``(n, actions)`` places of what follows."""
    rows: I64
    """``(n, actions)`` of the street's strategies."""


def next_street(board: int) -> tuple[int]:
    """For ``grow``: one board a street, whose number is that of the street."""
    return (board + 1,)


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
