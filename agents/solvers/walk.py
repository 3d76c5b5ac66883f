"""One walk through a public tree with all hands of both players at once, as kernels.

Depth first and without recursion: the state of a walk is one row of chances and values for every
depth. The same walk learns (regret minimisation in vector form: M. Johanson, N. Bard, M. Lanctot,
R. Gibson, M. Bowling, "Efficient Nash Equilibrium Approximation through Monte Carlo Counterfactual
Regret Minimization", AAMAS 2012, section 4), answers best, and values strategies as they are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.solvers.cards import MOST_CARDS, Cards
from agents.solvers.public_tree import CHANCE, DECISION, FOLDED, SHOWDOWN, PublicTree
from agents.solvers.terminals import write_met, write_showdown
from nlhe_env.machine.array_types import I64, AnyArray
from nlhe_env.machine.compilation import inlined_kernel, kernel

LEARN, BEST, AS_IS = range(3)
"""What the walking player does: change its strategy, take the best actions, follow its strategy."""


class Learning(NamedTuple):
    """What an iteration of regret minimisation does to sums of the past.

    All methods are this one rule (N. Brown, T. Sandholm, "Solving Imperfect-Information Games via
    Discounted Regret Minimization", AAAI 2019).
    """

    gains: float
    """Factor of positive regrets before the new ones are added."""
    losses: float
    """Factor of negative regrets."""
    weight: float
    """Of this iteration in the average strategy."""


class Strategies(NamedTuple):
    """Of both players; a row is an action of a decision, a column a hand of who decides."""

    current: AnyArray
    """``(rows, H)`` chances."""
    regrets: AnyArray
    """``(rows, H)``, summed and discounted."""
    total: AnyArray
    """``(rows, H)`` weighted sum of the chances so far."""


class Space(NamedTuple):
    """Work arrays of a walk, a row for each depth."""

    own: AnyArray
    """``(depths, H)`` chances with which the walking player comes here."""
    other: AnyArray
    """The same of the other player."""
    values: AnyArray
    """Of the walking player's hands, times the chances of the other."""
    own_row: I64
    """``(depths,)`` which row of ``own`` holds here: most steps change only one player's."""
    other_row: I64
    node: I64
    """``(depths,)``."""
    sums: AnyArray
    """``(52,)`` of hands with each card."""
    gains: AnyArray
    """``(H,)`` of all actions of a decision."""

    @classmethod
    def for_game(cls, tree: PublicTree, cards: Cards, dtype: type[np.floating]) -> Space:
        """Enough for the whole tree."""
        depths = int(tree.depth.max()) + 1
        hands = int(cards.n_hands.max())

        def rows() -> AnyArray:
            return np.zeros((depths, hands), dtype)

        def numbers() -> I64:
            return np.zeros(depths, np.int64)

        return cls(
            own=rows(),
            other=rows(),
            values=rows(),
            own_row=numbers(),
            other_row=numbers(),
            node=numbers(),
            sums=np.zeros(MOST_CARDS, dtype),
            gains=np.zeros(hands, dtype),
        )


NO_LEARNING = Learning(0.0, 0.0, 0.0)


@kernel
def learn(tree, cards, learnings, strategies, space, dealt):
    """Iterations of regret minimisation, a row of ``learnings`` each; players take turns."""
    for i in range(len(learnings)):
        learning = Learning(learnings[i, 0], learnings[i, 1], learnings[i, 2])
        for player in range(2):
            start(cards, player, space)
            walk(tree, cards, player, LEARN, learning, strategies, space, 0, dealt)


@kernel
def start(cards, player, space):
    """Both players come to the root with their weights."""
    for h in range(cards.n_hands[player]):
        space.own[0, h] = cards.weights[player, h]
    for h in range(cards.n_hands[1 - player]):
        space.other[0, h] = cards.weights[1 - player, h]


@kernel
def walk(tree, cards, player, what, learning, strategies, space, first, dealt):
    """Walk through the subtree of a node; row 0 of the space says how players come to it.

    Args:
        tree: ``PublicTree``.
        cards: ``Cards``.
        player: Whose hands are valued.
        what: ``LEARN``, ``BEST`` or ``AS_IS``.
        learning: ``Learning``; counts only where ``what`` is ``LEARN``.
        strategies: ``Strategies``; ``current`` is followed.
        space: ``Space``; row 0 of ``values`` holds the values of ``first`` afterwards.
        first: The node.
        dealt: ``(n, H)`` values of the nodes of chance, in their order, if they are known already:
            then the walk does not go below them. Empty if it does.
    """
    base = tree.depth[first]
    last = tree.end[first]
    level = np.int64(-1)
    node = first
    next_dealt = np.int64(0)
    while True:
        depth = tree.depth[node] - base if node < last else np.int64(0)
        while level >= depth:
            _leave(tree, cards, player, what, learning, strategies, space, level)
            level -= 1
        if node >= last:
            break
        level = depth
        space.node[level] = node
        _enter(tree, cards, player, strategies.current, space, level)
        if tree.kind[node] == CHANCE and len(dealt) > 0:
            for h in range(cards.n_hands[player]):
                space.values[level, h] = dealt[next_dealt, h]
            next_dealt += 1
            node = tree.end[node]
        else:
            node += 1


@inlined_kernel
def _enter(tree, cards, player, current, space, level):
    """Work out who comes here with what, and what that is worth if the betting is over."""
    node = space.node[level]
    if level > 0:
        come(tree, cards, player, current, space, level)
    else:
        space.own_row[0] = 0
        space.other_row[0] = 0
    values = space.values[level]
    kind = tree.kind[node]
    if kind >= FOLDED:
        other = space.other[space.other_row[level]]
        stake = tree.stake[node]
        if kind == SHOWDOWN:
            write_showdown(cards, player, tree.board[node], other, space.sums, values)
        else:
            write_met(cards, player, tree.board[node], other, space.sums, values)
            if tree.actor[node] == player:
                stake = -stake
        factor = values.dtype.type(stake)
        for h in range(cards.n_hands[player]):
            values[h] *= factor
    else:
        for h in range(cards.n_hands[player]):
            values[h] = 0


@inlined_kernel
def come(tree, cards, player, current, space, level):
    """The chances of this node from those of its parent."""
    node = space.node[level]
    parent = space.node[level - 1]
    own_row, other_row = space.own_row[level - 1], space.other_row[level - 1]
    if tree.kind[parent] == CHANCE:
        card = cards.new_card[tree.board[node]]
        if card >= 0:
            deal(cards.cards[player], card, space.own[own_row], space.own[level])
            deal(cards.cards[1 - player], card, space.other[other_row], space.other[level])
            own_row = level
            other_row = level
    else:
        actor = tree.actor[parent]
        chances = current[tree.row[parent] + tree.branch[node]]
        if actor == player:
            source = space.own[own_row]
            own_row = level
            target = space.own[level]
        else:
            source = space.other[other_row]
            other_row = level
            target = space.other[level]
        for h in range(cards.n_hands[actor]):
            target[h] = source[h] * chances[h]
    space.own_row[level] = own_row
    space.other_row[level] = other_row


@inlined_kernel
def deal(held, card, source, target):
    """Copy chances, but 0 for hands with a card that lies on the board."""
    zero = source.dtype.type(0)
    for h in range(len(held)):
        target[h] = zero if (held[h, 0] == card) | (held[h, 1] == card) else source[h]


@inlined_kernel
def _leave(tree, cards, player, what, learning, strategies, space, level):
    """Everything below is done: learn, and tell the parent what this node is worth."""
    node = space.node[level]
    values = space.values[level]
    n = cards.n_hands[player]
    if what == LEARN and tree.kind[node] == DECISION and tree.actor[node] == player:
        own = space.own[space.own_row[level]]
        _learn(tree, node, n, own, values, learning, strategies, space.gains)
    if level == 0:
        return
    parent = space.node[level - 1]
    above = space.values[level - 1]
    if tree.kind[parent] == CHANCE:
        add_dealt(cards, player, tree.board[node], values, above)
    elif tree.actor[parent] != player:
        for h in range(n):
            above[h] += values[h]
    elif what == BEST:
        if tree.branch[node] == 0:
            for h in range(n):
                above[h] = values[h]
        else:
            for h in range(n):
                above[h] = max(above[h], values[h])
    else:
        row = tree.row[parent] + tree.branch[node]
        chances = strategies.current[row]
        for h in range(n):
            above[h] += chances[h] * values[h]
        if what == LEARN:
            regrets = strategies.regrets[row]
            gains = values.dtype.type(learning.gains)
            losses = values.dtype.type(learning.losses)
            zero = values.dtype.type(0)
            for h in range(n):
                regrets[h] = regrets[h] * (gains if regrets[h] > zero else losses) + values[h]


@inlined_kernel
def add_dealt(cards, player, board, values, above):
    """Add the value of one outcome of chance; hands with the card that came have none."""
    card = cards.new_card[board]
    n = cards.n_hands[player]
    if card < 0:
        for h in range(n):
            above[h] += values[h]
        return
    chance = values.dtype.type(cards.chance[board])
    zero = values.dtype.type(0)
    held = cards.cards[player]
    for h in range(n):
        value = zero if (held[h, 0] == card) | (held[h, 1] == card) else values[h]
        above[h] += chance * value


@inlined_kernel
def _learn(tree, node, n, own, values, learning, strategies, gains):
    """End the update of a decision: average, regrets against what was done, next strategy."""
    row, n_actions = tree.row[node], tree.branches[node]
    weight = values.dtype.type(learning.weight)
    for i in range(row, row + n_actions):
        total, current = strategies.total[i], strategies.current[i]
        for h in range(n):
            total[h] += weight * own[h] * current[h]
    zero = values.dtype.type(0)
    for h in range(n):
        gains[h] = zero
    for i in range(row, row + n_actions):
        regrets = strategies.regrets[i]
        for h in range(n):
            regret = regrets[h] - values[h]
            regrets[h] = regret
            gains[h] += max(zero, regret)
    even = values.dtype.type(1.0 / n_actions)
    for i in range(row, row + n_actions):
        regrets, current = strategies.regrets[i], strategies.current[i]
        for h in range(n):
            regret = max(zero, regrets[h])
            current[h] = regret / gains[h] if gains[h] > zero else even
