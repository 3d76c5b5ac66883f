"""Data of a walk through a public tree: strategies, regret discounts, work arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.solvers.cards import Cards
from agents.solvers.public_tree import DECISION, PublicTree
from agents.solvers.runouts import Runouts
from agents.solvers.terminals import TerminalBatches
from nlhe_env.cards import N_CARDS
from nlhe_env.jit.array_types import I64, AnyArray, Int
from nlhe_env.numerics.float_lanes import LANES, in_whole_lanes


class GameTree(NamedTuple):
    """A game as walks take it: its public tree, terminal batches, cards and all-in runouts."""

    tree: PublicTree
    batches: TerminalBatches
    cards: Cards
    runouts: Runouts


class ActionRows(NamedTuple):
    """Rows of an array of two dimensions: one for each action of a decision, or only one."""

    array: AnyArray
    first: Int
    """The first row."""


class RegretDiscounts(NamedTuple):
    """Discounts of an iteration of regret minimisation on the sums so far.

    All methods are this one rule (N. Brown, T. Sandholm, "Solving Imperfect-Information Games via
    Discounted Regret Minimization", AAAI 2019).
    """

    positive_discount: float
    """Factor of positive regrets before the new ones are added."""
    negative_discount: float
    """Factor of negative regrets."""
    weight: float
    """Weight of this iteration in the average strategy."""


NO_DISCOUNTS = RegretDiscounts(0.0, 0.0, 0.0)


class Strategies(NamedTuple):
    """Strategies of both players: a row for each action of a decision, a column for each hand.

    There are whole lanes of columns, more than hands.
    """

    weights: AnyArray
    """``(rows, H)``: probabilities of actions are as their positive weights. While strategies are
    learnt these are regrets, summed and discounted."""
    total: AnyArray
    """``(rows, H)`` weighted sum of the strategies so far."""

    @classmethod
    def none_yet(cls, tree: PublicTree, cards: Cards, dtype: type[np.floating]) -> Strategies:
        """Strategies before the first iteration."""
        shape = (tree.rows, in_whole_lanes(int(cards.n_hands.max())))
        return cls(np.zeros(shape, dtype), np.zeros(shape, dtype))

    @classmethod
    def of(cls, strategy: AnyArray, dtype: type[np.floating]) -> Strategies:
        """Strategies that are followed as they are, ``(rows, n)`` with a column for each hand."""
        rows, n = strategy.shape
        weights = np.zeros((rows, in_whole_lanes(n)), dtype)
        weights[:, :n] = strategy
        return cls(weights, np.zeros((0, 0), dtype))


class Lanes(NamedTuple):
    """Work arrays for ``LANES`` terminal nodes that are valued together."""

    reach: AnyArray
    """``(H, LANES)`` reach probabilities of the other player."""
    values: AnyArray
    """``(H, LANES)`` values of own hands."""
    sums: AnyArray
    """``(52, LANES)`` sums over the hands with each card."""


class Workspace(NamedTuple):
    """Work arrays of a walk, with a row for each depth, or for each action at each depth."""

    own: AnyArray
    """``(depths, H)`` reach probabilities of the walking player."""
    other: AnyArray
    """``(depths, H)`` reach probabilities of the other player."""
    own_row: I64
    """``(depths,)`` row of ``own`` that holds here: most steps change only one player's."""
    other_row: I64
    node: I64
    """``(depths,)`` path from the root of the walk."""
    chances: AnyArray
    """``(depths * actions, H)`` probabilities of each action of a decision."""
    values: AnyArray
    """``(depths * actions, H)`` counterfactual values of the walking player's hands; a row for each
    child of the same decision."""
    actions: int
    """Actions of a decision, at most."""
    ends: AnyArray
    """``(n, H)`` of a batch: reach probabilities of the other player, then values."""
    spare: AnyArray
    """``(H,)`` work array."""
    sums: AnyArray
    """``(52,)`` sums over the hands with each card."""
    lanes: Lanes

    @classmethod
    def of_game(
        cls, tree: PublicTree, batches: TerminalBatches, cards: Cards, dtype: type[np.floating]
    ) -> Workspace:
        """Work arrays that suffice for the whole tree."""
        depths = int(tree.depth.max()) + 1
        hands = in_whole_lanes(int(cards.n_hands.max()))
        actions = int(tree.branches[tree.kind == DECISION].max(initial=1))

        def rows(count: int) -> AnyArray:
            return np.zeros((count, hands), dtype)

        def numbers() -> I64:
            return np.zeros(depths, np.int64)

        def lanes(count: int) -> AnyArray:
            return np.zeros((count, LANES), dtype)

        return cls(
            own=rows(depths),
            other=rows(depths),
            own_row=numbers(),
            other_row=numbers(),
            node=numbers(),
            chances=rows(depths * actions),
            values=rows(depths * actions),
            actions=actions,
            ends=rows(batches.most),
            spare=rows(1)[0],
            sums=np.zeros(N_CARDS, dtype),
            lanes=Lanes(lanes(hands), lanes(hands), lanes(N_CARDS)),
        )
