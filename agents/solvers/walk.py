"""One walk through a public tree with all hands of both players at once, as kernels.

Depth first and without recursion: the state of a walk is a row of reach probabilities and values
for every depth. The same walk learns (regret minimisation in vector form: M. Johanson, N. Bard,
M. Lanctot, R. Gibson, M. Bowling, "Efficient Nash Equilibrium Approximation through Monte Carlo
Counterfactual Regret Minimization", AAMAS 2012, section 4), finds best responses, and evaluates
strategies.
"""

from __future__ import annotations

import numpy as np

from agents.solvers.public_tree import CHANCE, DECISION, FOLDED
from agents.solvers.regret_updates import (
    expected_value,
    max_child_value,
    multiply_reach,
    regret_matching,
    sum_child_values,
    update_regrets,
)
from agents.solvers.terminal_values import value_terminals
from agents.solvers.workspace import RegretDiscounts
from nlhe_env.jit.compilation import inlined_kernel, kernel

LEARN, BEST, AS_IS = range(3)
"""Modes of a walk: the player updates its strategy, best responds, or follows its strategy."""


@kernel
def learn(tree, batches, cards, discount_rows, strategies, space, dealt):
    """Iterations of regret minimisation, one for each row of discounts; players take turns."""
    for i in range(len(discount_rows)):
        discounts = RegretDiscounts(discount_rows[i, 0], discount_rows[i, 1], discount_rows[i, 2])
        for player in range(2):
            start(cards, player, space)
            walk(tree, batches, cards, player, LEARN, discounts, strategies, space, 0, dealt)


@kernel
def start(cards, player, space):
    """Write the reach probabilities of both players at the root: the weights of their hands."""
    init_reach(cards, player, space.own[0])
    init_reach(cards, 1 - player, space.other[0])


@inlined_kernel
def init_reach(cards, player, reach):
    """Write the weights of a player's hands as its reach probabilities at the root."""
    reach[:] = 0
    for h in range(cards.n_hands[player]):
        reach[h] = cards.weights[player, h]


@kernel
def walk(tree, batches, cards, player, mode, discounts, strategies, space, first, dealt):
    """Walk through the subtree of a node; row 0 of the space holds the reach probabilities there.

    Args:
        tree: ``PublicTree``.
        batches: ``TerminalBatches`` of the tree.
        cards: ``Cards``.
        player: The player whose hands are valued.
        mode: ``LEARN``, ``BEST`` or ``AS_IS``.
        discounts: ``RegretDiscounts``; counts only where ``mode`` is ``LEARN``.
        strategies: ``Strategies``; ``total`` counts only where ``mode`` is ``LEARN``.
        space: ``Workspace``; row 0 of ``values`` holds the values of ``first`` afterwards.
        first: The node.
        dealt: ``(n, H)`` values of the nodes of chance, in their order, if they are known already:
            then the walk does not go below them. Empty if it does.
    """
    base = tree.depth[first]
    last = tree.end[first]
    level = np.int64(-1)
    node = first
    next_dealt = np.int64(0)
    batched = np.int64(0)  # terminal nodes before this node are valued already
    # Invariant: space.node[:level + 1] is the path from first to the last node visited. Its nodes
    # have their reach probabilities, but are not backed up; all other nodes visited are.
    while True:
        depth = tree.depth[node] - base if node < last else np.int64(0)
        # Nodes are in preorder: subtrees on the path at this depth or deeper are complete.
        while level >= depth:
            back_up(tree, cards, player, mode, discounts, strategies, space, level)
            level -= 1
        if node >= last:
            break
        level = depth
        space.node[level] = node
        if level == 0:
            space.own_row[0] = 0
            space.other_row[0] = 0
        else:
            propagate_reach(tree, cards, player, mode, space, level, node < batched)
        if node >= batched and batches.top[node] >= 0:
            value_terminals(tree, batches, cards, player, strategies.weights, space, level)
            batched = tree.end[node]
        place = value_row(tree, space, level)
        if tree.kind[node] >= FOLDED:
            value_terminal(tree, batches, player, space, node, place)
        elif tree.kind[node] == CHANCE:
            space.values[place, :] = 0
            if len(dealt) > 0:  # the value is known: skip the subtree
                for h in range(dealt.shape[1]):
                    space.values[place, h] = dealt[next_dealt, h]
                next_dealt += 1
                node = tree.end[node]
                continue
        # In a batch, the other player's strategy is in the values of the terminal nodes already.
        elif node >= batched or tree.actor[node] == player:
            regret_matching(tree, node, strategies.weights, space.chances, level * space.actions)
        node += 1


@inlined_kernel
def value_row(tree, space, level):
    """Row of ``values`` for the node at a level: children of a decision have consecutive rows."""
    first = level * space.actions
    if level > 0 and tree.kind[space.node[level - 1]] == DECISION:
        return first + tree.branch[space.node[level]]
    return first


@inlined_kernel
def value_terminal(tree, batches, player, space, node, place):
    """Write the value of a terminal node, from its row in the batch."""
    stake = tree.stake[node]
    if tree.kind[node] == FOLDED and tree.actor[node] == player:
        stake = -stake
    values, ends = space.values[place], space.ends[batches.row[node]]
    factor = values.dtype.type(stake)
    for h in range(len(values)):
        values[h] = ends[h] * factor


@inlined_kernel
def propagate_reach(tree, cards, player, mode, space, level, valued):
    """Propagate both reach probabilities from the parent.

    The other player's are of no use where the terminal nodes have been ``valued``, and the own ones
    only for learning.
    """
    node = space.node[level]
    parent = space.node[level - 1]
    # A step that leaves a player's reach as it is keeps the row of the level above: no copy.
    own_row, other_row = space.own_row[level - 1], space.other_row[level - 1]
    if tree.kind[parent] == CHANCE:
        card = cards.new_card[tree.board[node]]
        if card >= 0:
            deal(cards, player, card, space.own[own_row], space.own[level])
            deal(cards, 1 - player, card, space.other[other_row], space.other[level])
            own_row = level
            other_row = level
    else:
        chance = (level - 1) * space.actions + tree.branch[node]
        if tree.actor[parent] == player:
            if mode == LEARN:
                multiply_reach(space.own, own_row, space.chances, chance, space.own, level)
                own_row = level
        elif not valued:
            multiply_reach(space.other, other_row, space.chances, chance, space.other, level)
            other_row = level
    space.own_row[level] = own_row
    space.other_row[level] = other_row


@inlined_kernel
def deal(cards, player, card, source, target):
    """Copy reach probabilities, but 0 for hands with the card dealt."""
    held = cards.cards[player]
    zero = source.dtype.type(0)
    target[:] = zero
    for h in range(cards.n_hands[player]):
        target[h] = zero if (held[h, 0] == card) | (held[h, 1] == card) else source[h]


@inlined_kernel
def back_up(tree, cards, player, mode, discounts, strategies, space, level):
    """Back up the node's value; update regrets; add it to the chance node above, if any."""
    node = space.node[level]
    place = value_row(tree, space, level)
    if tree.kind[node] == DECISION:
        first, mine, n_actions = (
            (level + 1) * space.actions,
            level * space.actions,
            tree.branches[node],
        )
        # Values are counterfactual: the other player's reach is a factor of them, so they sum up.
        if tree.actor[node] != player:
            sum_child_values(space.values, first, n_actions, place)
        elif mode == BEST:
            max_child_value(space.values, first, n_actions, place)
        else:
            expected_value(space.values, first, space.chances, mine, n_actions, place)
            if mode == LEARN:
                update_regrets(
                    space.values,
                    first,
                    space.chances,
                    mine,
                    n_actions,
                    place,
                    (space.own, space.own_row[level]),
                    discounts,
                    (strategies, tree.row[node]),
                )
    if level > 0 and tree.kind[space.node[level - 1]] == CHANCE:
        above = space.values[value_row(tree, space, level - 1)]
        add_dealt(cards, player, tree.board[node], space.values[place], above)


@inlined_kernel
def add_dealt(cards, player, board, values, above):
    """Add the value of one outcome of chance; hands with the card dealt have none."""
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
