"""Values of the terminal nodes of a batch for all hands of a player, as a kernel.

The other player's chances are followed down from the node where the batch begins to every end; then
ends of the same kind are valued, sixteen at a time where cards are counted out.

In hold'em, the sums that ``terminals`` keeps for one node are kept in lanes for sixteen on the same
board: what costs time, finding out which sums a hand concerns, is done once for all. Input and
output are rows ``(LANES, H)``: the reach probabilities of the other player at each node, and the
values of own hands there, for a stake of one chip.
"""

from __future__ import annotations

from agents.solvers.cards import Cards
from agents.solvers.public_tree import DECISION, FOLDED, SHOWDOWN, PublicTree
from agents.solvers.regret_updates import multiply_reach, regret_matching
from agents.solvers.terminal_batches import TerminalBatches
from agents.solvers.terminals import write_fold_values, write_showdown_values
from agents.solvers.workspace import Lanes, Workspace
from nlhe_env.jit.array_types import U8, AnyArray, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.float_lanes import LANES, everywhere, load, store, transpose

_FEW = 2
"""Ends that take less time one by one than sixteen at once."""


@kernel
def fold_values_in_lanes(
    cards: Cards, player: Int, ends: AnyArray, first: Int, lanes: Lanes
) -> None:
    """Weight of the other player's hands that each own hand can meet at sixteen nodes.

    Args:
        cards: Cards of the game.
        player: The player whose hands are valued.
        ends: ``(n, H)``; rows ``first`` to ``first + LANES`` are read, and replaced.
        first: Row.
        lanes: ``Lanes``, work.
    """
    other: Int = 1 - player
    reach, values, sums = lanes.reach, lanes.values, lanes.sums
    _to_lanes(ends, first, cards.n_hands[other], reach)
    for card in range(len(sums)):
        store(sums, card, 0, everywhere(sums, 0))
    total = everywhere(sums, 0)
    held = cards.cards[other]
    # Invariant: ``total``, (LANES,), and ``sums``, (52, LANES), are the reach probabilities of the
    # hands before h, of all and of those with each card; a lane is a terminal node.
    for h in range(cards.n_hands[other]):
        weight = load(reach, h, 0)
        total = total + weight
        _add(sums, held, h, weight)
    # Hands with both own cards have been subtracted twice: the twin, with the same cards, is added.
    held = cards.cards[player]
    twins = cards.twins[player]
    for h in range(cards.n_hands[player]):
        met = total - _with_cards(sums, held, h)
        twin = twins[h]
        if twin >= 0:
            met = met + load(reach, twin, 0)
        store(values, h, 0, met)
    _from_lanes(values, cards.n_hands[player], ends, first)


@kernel
def showdown_values_in_lanes(
    cards: Cards, player: Int, board: Int, ends: AnyArray, first: Int, lanes: Lanes
) -> None:
    """Weight of the hands that lose to each own hand minus those that win, at sixteen nodes.

    The arguments are those of ``fold_values_in_lanes``, and the number of the board.
    """
    other: Int = 1 - player
    own_order, other_order = cards.order[player, board], cards.order[other, board]
    own_end, other_end = cards.group_end[player, board], cards.group_end[other, board]
    own_held, other_held = cards.cards[player], cards.cards[other]
    reach, values, sums = lanes.reach, lanes.values, lanes.sums
    _to_lanes(ends, first, cards.n_hands[other], reach)
    for card in range(len(sums)):
        store(sums, card, 0, everywhere(sums, 0))
    for h in range(cards.n_hands[player]):
        store(values, h, 0, everywhere(sums, 0))
    total = everywhere(sums, 0)
    start = 0
    added = 0
    # Invariant: total, (LANES,), and sums, (52, LANES), are reach probabilities summed over
    # other_order[:added], the groups passed so far. A twin is subtracted twice from the sum up to
    # its group and from that of all: this cancels out.
    for group in range(cards.groups[board]):
        end = own_end[group]
        for place in range(start, end):
            h = own_order[place]
            store(values, h, 0, total - _with_cards(sums, own_held, h))
        for place in range(added, other_end[group]):
            h = other_order[place]
            weight = load(reach, h, 0)
            total = total + weight
            _add(sums, other_held, h, weight)
        added = other_end[group]
        for place in range(start, end):
            h = own_order[place]
            store(values, h, 0, load(values, h, 0) + (total - _with_cards(sums, own_held, h)))
        start = end
    # All hands are passed: what was added for each group, less the sum of all, is wins less losses.
    for place in range(start):
        h = own_order[place]
        store(values, h, 0, load(values, h, 0) - (total - _with_cards(sums, own_held, h)))
    _from_lanes(values, cards.n_hands[player], ends, first)


@inlined_kernel
def _add(sums: AnyArray, held: U8, h: Int, weight: Lanes) -> None:
    low, high = held[h, 0], held[h, 1]
    store(sums, low, 0, load(sums, low, 0) + weight)
    store(sums, high, 0, load(sums, high, 0) + weight)


@inlined_kernel
def _with_cards(sums: AnyArray, held: U8, h: Int) -> Lanes:
    """Sum over the hands with the low card of a hand, plus that with its high card."""
    return load(sums, held[h, 0], 0) + load(sums, held[h, 1], 0)


@inlined_kernel
def _to_lanes(ends: AnyArray, first: Int, n_hands: Int, lanes: AnyArray) -> None:
    for h in range(0, n_hands, LANES):
        transpose(ends, first, h, lanes, h, 0)


@inlined_kernel
def _from_lanes(lanes: AnyArray, n_hands: Int, ends: AnyArray, first: Int) -> None:
    for h in range(0, n_hands, LANES):
        transpose(lanes, h, 0, ends, first, h)


@kernel
def value_terminals(
    tree: PublicTree,
    batches: TerminalBatches,
    cards: Cards,
    player: Int,
    weights: AnyArray,
    space: Workspace,
    level: Int,
) -> None:
    """Value all ends below a node of a batch: rows of ``space.ends``, for a stake of one chip.

    Args:
        tree: ``PublicTree``.
        batches: ``TerminalBatches``.
        cards: ``Cards``.
        player: The player whose hands are valued.
        weights: Those of ``Strategies``.
        space: ``Workspace``.
        level: Level of the node, whose reach probabilities are known.
    """
    top = batches.top[space.node[level]]
    _go_down(tree, batches, player, weights, space, level)
    board, showdowns = tree.board[top], batches.showdowns[top]
    _value(cards, player, SHOWDOWN, board, space, 0, showdowns)
    first = _in_whole_lanes(showdowns)
    _value(cards, player, FOLDED, board, space, first, batches.folds[top])
    if len(batches.met_row) > 0:
        first += _in_whole_lanes(batches.folds[top])
        _value(cards, player, FOLDED, board, space, first, showdowns)


@inlined_kernel
def _in_whole_lanes(count: Int) -> Int:
    return (count + LANES - 1) // LANES * LANES


@inlined_kernel
def _go_down(
    tree: PublicTree,
    batches: TerminalBatches,
    player: Int,
    weights: AnyArray,
    space: Workspace,
    level: Int,
) -> None:
    start = space.node[level]
    base = tree.depth[start] - level
    # Invariant: space.node is the path to ``node``; at each level row other_row of ``other``, (H,),
    # is the other player's reach probability there. Terminal nodes passed have it in their row of
    # ``ends``, (n, H). The own strategy does not matter: terminal values are counterfactual.
    for node in range(start, tree.end[start]):
        here = tree.depth[node] - base
        space.node[here] = node
        row = space.other_row[here]
        if node > start:
            parent = space.node[here - 1]
            row = space.other_row[here - 1]
            if tree.actor[parent] != player:
                chance = (here - 1) * space.actions + tree.branch[node]
                if tree.kind[node] >= FOLDED:
                    multiply_reach(
                        space.other, row, space.chances, chance, space.ends, batches.row[node]
                    )
                    _repeat_showdown(tree, batches, space, node)
                    continue
                multiply_reach(space.other, row, space.chances, chance, space.other, here)
                row = here
            space.other_row[here] = row
        if tree.kind[node] >= FOLDED:
            for h in range(0, space.ends.shape[1], LANES):
                store(space.ends, batches.row[node], h, load(space.other, row, h))
            _repeat_showdown(tree, batches, space, node)
        elif tree.kind[node] == DECISION and tree.actor[node] != player:
            regret_matching(tree, node, weights, space.chances, here * space.actions)


@inlined_kernel
def _repeat_showdown(
    tree: PublicTree, batches: TerminalBatches, space: Workspace, node: Int
) -> None:
    """Copy the reach probabilities at a showdown to its second row, if there is a rake."""
    if len(batches.met_row) > 0 and tree.kind[node] == SHOWDOWN:
        for h in range(0, space.ends.shape[1], LANES):
            store(space.ends, batches.met_row[node], h, load(space.ends, batches.row[node], h))


@inlined_kernel
def _value(
    cards: Cards, player: Int, kind: Int, board: Int, space: Workspace, first: Int, count: Int
) -> None:
    """Value terminal nodes of one kind, whose rows are consecutive."""
    last = first + count
    written_out = cards.meetings.shape[1] > 0
    # Invariant: rows first:row of ``ends`` are terminal values of own hands, (H,) each; those from
    # ``row`` on are still the other player's reach probabilities, which they replace.
    for row in range(first, last, LANES):
        if written_out or last - row < _FEW:
            for one in range(row, min(row + LANES, last)):
                reach, values = space.ends[one], space.spare
                if kind == SHOWDOWN:
                    write_showdown_values(cards, player, board, reach, space.sums, values)
                else:
                    write_fold_values(cards, player, board, reach, space.sums, values)
                for h in range(len(reach)):
                    reach[h] = values[h]
            continue
        for unused in range(last, row + LANES):
            space.ends[unused, :] = 0
        if kind == SHOWDOWN:
            showdown_values_in_lanes(cards, player, board, space.ends, row, space.lanes)
        else:
            fold_values_in_lanes(cards, player, space.ends, row, space.lanes)
