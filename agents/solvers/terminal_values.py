"""Values of the terminal nodes of a batch for all hands of a player, as a kernel.

The other player's chances are followed down from the node where the batch begins to every end; then
ends of the same kind are valued, sixteen at a time where cards are counted out.
"""

from __future__ import annotations

from agents.solvers.batched_terminals import fold_values_in_lanes, showdown_values_in_lanes
from agents.solvers.cards import Cards
from agents.solvers.public_tree import DECISION, FOLDED, SHOWDOWN, PublicTree
from agents.solvers.regret_updates import multiply_reach, regret_matching
from agents.solvers.terminal_batches import TerminalBatches
from agents.solvers.terminals import write_fold_values, write_showdown_values
from agents.solvers.workspace import Workspace
from nlhe_env.jit.array_types import AnyArray, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.float_lanes import LANES, load, store

_FEW = 2
"""Ends that take less time one by one than sixteen at once."""


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
