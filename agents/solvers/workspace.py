"""What walks through a public tree work on: strategies, what changes them, arrays of a walk."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.solvers.cards import MOST_CARDS, Cards
from agents.solvers.public_tree import DECISION, PublicTree
from agents.solvers.terminal_batches import TerminalBatches
from nlhe_env.jit.array_types import I64, AnyArray
from nlhe_env.numerics.float_lanes import LANES, in_whole_lanes


class RegretDiscounts(NamedTuple):
    """What an iteration of regret minimisation does to sums of the past.

    All methods are this one rule (N. Brown, T. Sandholm, "Solving Imperfect-Information Games via
    Discounted Regret Minimization", AAAI 2019).
    """

    positive_discount: float
    """Factor of positive regrets before the new ones are added."""
    negative_discount: float
    """Factor of negative regrets."""
    weight: float
    """Of this iteration in the average strategy."""


NO_DISCOUNTS = RegretDiscounts(0.0, 0.0, 0.0)


class Strategies(NamedTuple):
    """Of both players; a row is an action of a decision, a column a hand of who decides.

    There are whole lanes of columns, more than hands.
    """

    weights: AnyArray
    """``(rows, H)``: chances of actions are as their positive weights. While strategies are learnt
    these are regrets, summed and discounted."""
    total: AnyArray
    """``(rows, H)`` weighted sum of the chances so far."""

    @classmethod
    def none_yet(cls, tree: PublicTree, cards: Cards, dtype: type[np.floating]) -> Strategies:
        """Before the first iteration."""
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
    """Sixteen ends of the betting side by side."""

    reach: AnyArray
    """``(H, LANES)`` of the other player."""
    values: AnyArray
    """``(H, LANES)`` of own hands."""
    sums: AnyArray
    """``(52, LANES)`` of hands with each card."""


class Workspace(NamedTuple):
    """Work arrays of a walk, with a row for each depth, or for each action at each depth."""

    own: AnyArray
    """``(depths, H)`` chances with which the walking player comes here."""
    other: AnyArray
    """The same of the other player."""
    own_row: I64
    """``(depths,)`` which row of ``own`` holds here: most steps change only one player's."""
    other_row: I64
    node: I64
    """``(depths,)``."""
    chances: AnyArray
    """``(depths * actions, H)`` of each action of a decision."""
    values: AnyArray
    """``(depths * actions, H)`` of the walking player's hands, times the chances of the other; a
    row for each node below the same decision."""
    actions: int
    """The most that a decision has."""
    ends: AnyArray
    """``(n, H)`` of a batch: how the other player comes to each, then what each is worth."""
    spare: AnyArray
    """``(H,)``."""
    sums: AnyArray
    """``(52,)`` of hands with each card."""
    lanes: Lanes

    @classmethod
    def of_game(
        cls, tree: PublicTree, batches: TerminalBatches, cards: Cards, dtype: type[np.floating]
    ) -> Workspace:
        """Enough for the whole tree."""
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
            sums=np.zeros(MOST_CARDS, dtype),
            lanes=Lanes(lanes(hands), lanes(hands), lanes(MOST_CARDS)),
        )
