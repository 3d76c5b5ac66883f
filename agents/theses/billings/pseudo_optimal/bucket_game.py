"""Games in which hands are a few buckets, and change their bucket from street to street.

A player remembers its buckets of all streets so far; that is a hand here. So hands grow: with 7
buckets a player holds one of 7 on the first street, of 49 on the second, of 343 on the third.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from agents.solvers.public_tree import DECISION, FOLDED, SHOWDOWN, PublicTree
from nlhe_env.arguments import array, check_shares
from nlhe_env.jit.array_types import F64, I64


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
