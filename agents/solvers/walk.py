"""One walk through a public tree with all hands of both players at once, as kernels.

Depth first and without recursion: the state of a walk is a row of reach probabilities and values
for every depth. The same walk learns (regret minimisation in vector form: M. Johanson, N. Bard,
M. Lanctot, R. Gibson, M. Bowling, "Efficient Nash Equilibrium Approximation through Monte Carlo
Counterfactual Regret Minimization", AAMAS 2012, section 4), finds best responses, and evaluates
strategies.

At the node where a batch of terminal nodes begins, the other player's chances are followed down to
every end; then ends of the same kind are valued, sixteen at a time where cards are counted out. In
hold'em, the sums that ``terminals`` keeps for one node are kept in lanes for sixteen on the same
board: what costs time, finding out which sums a hand concerns, is done once for all. Input and
output are rows ``(LANES, H)``: the reach probabilities of the other player at each node, and the
values of own hands there, for a stake of one chip.

The arrays at a decision are those of ``Workspace`` and ``Strategies``: whole lanes of hands.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.solvers.cards import Cards
from agents.solvers.public_tree import CHANCE, DECISION, FOLDED, SHOWDOWN, PublicTree
from agents.solvers.terminals import TerminalBatches, write_fold_values, write_showdown_values
from agents.solvers.workspace import (
    ActionRows,
    GameTree,
    Lanes,
    RegretDiscounts,
    Strategies,
    Workspace,
)
from nlhe_env.jit.array_types import F64, U8, AnyArray, Int, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.float_lanes import (
    LANES,
    at_least,
    everywhere,
    load,
    store,
    transpose,
    where_above,
)

LEARN, BEST, AS_IS = range(3)
"""Modes of a walk: the player updates its strategy, best responds, or follows its strategy."""

_FEW = 2
"""Ends that take less time one by one than sixteen at once."""

_NOTHING = 1e-30
"""Weights that sum up to less count as none: their inverse could overflow."""


class Traversal(NamedTuple):
    """What a walk is for."""

    player: Int
    """The player whose hands are valued."""
    mode: Int
    """``LEARN``, ``BEST`` or ``AS_IS``."""
    discounts: RegretDiscounts
    """These count only where the mode is ``LEARN``."""


@kernel
def learn(
    game: GameTree,
    discount_rows: F64,
    strategies: Strategies,
    space: Workspace,
    dealt: AnyArray,
) -> None:
    """Iterations of regret minimisation, one for each row of discounts; players take turns."""
    # Invariant: ``strategies``, ``(rows, H)``, are regrets and average strategies after the
    # iterations before. A walk of a player updates that player's rows only, by the other's latest.
    for i in range(len(discount_rows)):
        discounts = RegretDiscounts(discount_rows[i, 0], discount_rows[i, 1], discount_rows[i, 2])
        for player in range(2):
            start(game.cards, player, space)
            walk(game, Traversal(player, LEARN, discounts), strategies, space, 0, dealt)


@kernel
def start(cards: Cards, player: Int, space: Workspace) -> None:
    """Write the reach probabilities of both players at the root: the weights of their hands."""
    init_reach(cards, player, space.own[0])
    init_reach(cards, 1 - player, space.other[0])


@inlined_kernel
def init_reach(cards: Cards, player: Int, reach: AnyArray) -> None:
    """Write the weights of a player's hands as its reach probabilities at the root."""
    reach[:] = 0
    for h in range(cards.n_hands[player]):
        reach[h] = cards.weights[player, h]


@kernel
def walk(
    game: GameTree,
    traversal: Traversal,
    strategies: Strategies,
    space: Workspace,
    first: Int,
    dealt: AnyArray,
) -> None:
    """Walk through the subtree of a node; row 0 of the space holds the reach probabilities there.

    Args:
        game: The game.
        traversal: What the walk is for.
        strategies: Strategies of both players; ``total`` counts only where the mode is ``LEARN``.
        space: Work arrays; row 0 of ``values`` holds the values of ``first`` afterwards.
        first: The node.
        dealt: ``(n, H)`` values of the nodes of chance, in their order, if they are known already:
            then the walk does not go below them. Empty if it does.
    """
    tree, batches, cards, runouts = game
    player, mode, _ = traversal
    base = tree.depth[first]
    last = tree.end[first]
    level = np.int64(-1)
    node = first
    next_dealt = np.int64(0)
    batched = np.int64(0)  # terminal nodes before this node are valued already
    # Invariant: space.node[:level + 1] is the path from first to the last node visited. Down it the
    # reach probabilities are known: at level l rows own_row[l] of own and other_row[l] of other,
    # both (H,). Up from all other nodes visited the counterfactual values are backed up.
    while True:
        depth = tree.depth[node] - base if node < last else np.int64(0)
        # Nodes are in preorder: subtrees on the path at this depth or deeper are complete. Before a
        # decision is backed up, rows of ``values`` from (level + 1) * actions on are the
        # counterfactual values of its children, (branches, H); afterwards value_row is its own.
        while level >= depth:
            back_up(game, traversal, strategies, space, level)
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
            _value_terminals(tree, batches, cards, player, strategies.weights, space, level)
            batched = tree.end[node]
        place = value_row(tree, space, level)
        if tree.kind[node] >= FOLDED:
            value_terminal(tree, batches, player, space, node, place)
        elif tree.kind[node] == CHANCE:
            space.values[place, :] = 0
            if runouts.matrix[node] >= 0:  # both are all-in: all rivers at once
                value_runout(game, player, space, level, place)
                node = tree.end[node]
                continue
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
def value_row(tree: PublicTree, space: Workspace, level: Int) -> Int:
    """Row of ``values`` for the node at a level: children of a decision have consecutive rows."""
    first = level * space.actions
    if level > 0 and tree.kind[space.node[level - 1]] == DECISION:
        return first + tree.branch[space.node[level]]
    return first


@inlined_kernel
def value_terminal(
    tree: PublicTree, batches: TerminalBatches, player: Int, space: Workspace, node: Int, place: Int
) -> None:
    """Write the value of a terminal node, from its row in the batch."""
    stake, rake = tree.stake[node], tree.rake[node]
    values, ends = space.values[place], space.ends[batches.row[node]]
    if tree.kind[node] == FOLDED:
        stake = -stake if tree.actor[node] == player else stake - rake
        rake = 0.0
    else:
        # Who wins pays all of the rake, who loses nothing: half of it against every hand that is
        # met, and half more or less.
        stake -= rake / 2
    factor = values.dtype.type(stake)
    # ``ends``, (H,), are the terminal values for a stake of one chip, which have the other player's
    # reach probabilities as a factor; so ``values``, (H,), are counterfactual.
    for h in range(len(values)):
        values[h] = ends[h] * factor
    if rake > 0:
        paid = values.dtype.type(rake / 2)
        met = space.ends[batches.met_row[node]]
        for h in range(len(values)):
            values[h] -= met[h] * paid


@kernel
def value_runout(game: GameTree, player: Int, space: Workspace, level: Int, place: Int) -> None:
    """Add up the value of a node of chance that only showdowns follow, in a row of zeros."""
    tree, cards, runouts = game.tree, game.cards, game.runouts
    node = space.node[level]
    values, reach = space.values[place], space.other[space.other_row[level]]
    outcomes = runouts.outcomes[player, runouts.matrix[node]]
    stake, rake = tree.stake[node + 1], tree.rake[node + 1]  # those of every showdown
    factor = values.dtype.type(stake - rake / 2)
    zero = values.dtype.type(0)
    # Invariant: ``values``, (H,), are the counterfactual values against the other player's hands
    # before g.
    for g in range(cards.n_hands[1 - player]):
        weight = reach[g] * factor
        if weight != zero:
            for h in range(len(values)):
                values[h] += weight * outcomes[g, h]
    if rake > 0:
        paid = values.dtype.type(rake / 2)
        met = space.spare
        write_fold_values(cards, player, tree.board[node], reach, space.sums, met)
        for h in range(cards.n_hands[player]):
            values[h] -= met[h] * paid


@inlined_kernel
def propagate_reach(
    tree: PublicTree,
    cards: Cards,
    player: Int,
    mode: Int,
    space: Workspace,
    level: Int,
    valued: Truth,
) -> None:
    """Propagate both reach probabilities from the parent.

    The other player's are of no use where the terminal nodes have been ``valued``, and the own ones
    only for learning.
    """
    node = space.node[level]
    above: Int = level - 1
    parent = space.node[above]
    # A step that leaves a player's reach as it is keeps the row of the level above: no copy.
    own_row, other_row = space.own_row[above], space.other_row[above]
    if tree.kind[parent] == CHANCE:
        card = cards.new_card[tree.board[node]]
        if card >= 0:
            deal(cards, player, card, space.own[own_row], space.own[level])
            deal(cards, 1 - player, card, space.other[other_row], space.other[level])
            own_row = level
            other_row = level
    else:
        chance = above * space.actions + tree.branch[node]
        if tree.actor[parent] == player:
            if mode == LEARN:
                _multiply_reach(space.own, own_row, space.chances, chance, space.own, level)
                own_row = level
        elif not valued:
            _multiply_reach(space.other, other_row, space.chances, chance, space.other, level)
            other_row = level
    space.own_row[level] = own_row
    space.other_row[level] = other_row


@inlined_kernel
def deal(cards: Cards, player: Int, card: Int, source: AnyArray, target: AnyArray) -> None:
    """Copy reach probabilities, but 0 for hands with the card dealt."""
    held = cards.cards[player]
    zero = source.dtype.type(0)
    target[:] = zero
    for h in range(cards.n_hands[player]):
        target[h] = zero if (held[h, 0] == card) | (held[h, 1] == card) else source[h]


@inlined_kernel
def back_up(
    game: GameTree, traversal: Traversal, strategies: Strategies, space: Workspace, level: Int
) -> None:
    """Back up the node's value; update regrets; add it to the chance node above, if any."""
    tree, player, mode = game.tree, traversal.player, traversal.mode
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
            _sum_child_values(space.values, first, n_actions, place)
        elif mode == BEST:
            _max_child_value(space.values, first, n_actions, place)
        else:
            _expected_value(space.values, first, space.chances, mine, n_actions, place)
            if mode == LEARN:
                _update_regrets(
                    ActionRows(space.values, first),
                    ActionRows(space.chances, mine),
                    n_actions,
                    place,
                    ActionRows(space.own, space.own_row[level]),
                    traversal.discounts,
                    (strategies, tree.row[node]),
                )
    if level > 0 and tree.kind[space.node[level - 1]] == CHANCE:
        above = space.values[value_row(tree, space, level - 1)]
        add_dealt(game.cards, player, tree.board[node], space.values[place], above)


@inlined_kernel
def add_dealt(cards: Cards, player: Int, board: Int, values: AnyArray, above: AnyArray) -> None:
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
    # Invariant: ``above``, (H,), is the sum over the outcomes backed up so far of their
    # counterfactual values, each times the chance of its card.
    for h in range(n):
        value = zero if (held[h, 0] == card) | (held[h, 1] == card) else values[h]
        above[h] += chance * value


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
def _value_terminals(
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
                    _multiply_reach(
                        space.other, row, space.chances, chance, space.ends, batches.row[node]
                    )
                    _repeat_showdown(tree, batches, space, node)
                    continue
                _multiply_reach(space.other, row, space.chances, chance, space.other, here)
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


@inlined_kernel
def regret_matching(
    tree: PublicTree, node: Int, weights: AnyArray, chances: AnyArray, first: Int
) -> None:
    """Regret matching: probabilities as the positive weights; uniform where there are none.

    Args:
        tree: ``PublicTree``.
        node: A decision.
        weights: Those of ``Strategies``.
        chances: Rows ``first`` and following are written, one for each action.
        first: Row.
    """
    row, n_actions = tree.row[node], tree.branches[node]
    even = everywhere(chances, 1.0 / n_actions)
    # Hands are independent: LANES of the columns at a time. Rows of ``weights`` from ``row`` on,
    # (n_actions, H), are regrets; afterwards a hand's ``chances`` sum to 1 over the actions.
    for h in range(0, chances.shape[1], LANES):
        total = everywhere(chances, 0)
        for action in range(n_actions):
            total = total + at_least(load(weights, row + action, h), 0)
        share = 1.0 / total  # of no use where the total is 0: ``even`` is taken there
        for action in range(n_actions):
            chance = at_least(load(weights, row + action, h), 0) * share
            store(chances, first + action, h, where_above(total, _NOTHING, chance, even))


@inlined_kernel
def _multiply_reach(
    reach: AnyArray, row: Int, chances: AnyArray, chance_row: Int, target: AnyArray, target_row: Int
) -> None:
    """Write the reach probabilities of a player after an action."""
    # Reach probabilities, (H,), go down: a hand's is the product of its chances on the path.
    for h in range(0, reach.shape[1], LANES):
        after = load(reach, row, h) * load(chances, chance_row, h)
        store(target, target_row, h, after)


@inlined_kernel
def _sum_child_values(values: AnyArray, first: Int, n_actions: Int, row: Int) -> None:
    """Back up a decision of the other player, whose reach is a factor of the values already."""
    # Counterfactual values go up: rows ``first`` and following are those of the children,
    # (n_actions, H), and row ``row``, (H,), that of the decision; so in the two kernels below.
    for h in range(0, values.shape[1], LANES):
        value = load(values, first, h)
        for action in range(1, n_actions):
            value = value + load(values, first + action, h)
        store(values, row, h, value)


@inlined_kernel
def _max_child_value(values: AnyArray, first: Int, n_actions: Int, row: Int) -> None:
    """Back up an own decision by a best response: the largest value of an action."""
    for h in range(0, values.shape[1], LANES):
        value = load(values, first, h)
        for action in range(1, n_actions):
            another = load(values, first + action, h)
            value = where_above(another - value, 0, another, value)
        store(values, row, h, value)


@inlined_kernel
def _expected_value(
    values: AnyArray, first: Int, chances: AnyArray, first_chance: Int, n_actions: Int, row: Int
) -> None:
    """Back up an own decision that follows its strategy: the expected value of an action."""
    for h in range(0, values.shape[1], LANES):
        value = everywhere(values, 0)
        for action in range(n_actions):
            value = value + load(values, first + action, h) * load(
                chances, first_chance + action, h
            )
        store(values, row, h, value)


@inlined_kernel
def _update_regrets(
    action_values: ActionRows,
    action_chances: ActionRows,
    n_actions: Int,
    row: Int,
    reach: ActionRows,
    discounts: RegretDiscounts,
    strategies: tuple[Strategies, Int],
) -> None:
    """Update regrets and average strategy at an own decision.

    Args:
        action_values: Counterfactual values of the actions.
        action_chances: Probabilities of the actions.
        n_actions: Number of actions.
        row: Row of the decision's own value, in the array of ``action_values``.
        reach: Own reach probabilities, one row.
        discounts: Discounts of this iteration.
        strategies: Strategies, and their row of the first action.
    """
    values, first = action_values
    chances, first_chance = action_chances
    own_reach, reach_row = reach
    (weights, totals), first_weight = strategies
    positive_discount = everywhere(values, discounts.positive_discount)
    negative_discount = everywhere(values, discounts.negative_discount)
    weight = everywhere(values, discounts.weight)
    for h in range(0, values.shape[1], LANES):
        value = load(values, row, h)
        share = load(own_reach, reach_row, h) * weight
        for action in range(n_actions):
            # Discount the regret so far by its sign, then add that of this iteration.
            old_regret = load(weights, first_weight + action, h)
            positive = at_least(old_regret, 0)
            kept = positive * positive_discount + (old_regret - positive) * negative_discount
            gain = load(values, first + action, h) - value
            store(weights, first_weight + action, h, kept + gain)
            # The average strategy weights this one by the own reach probability.
            total = load(totals, first_weight + action, h)
            total = total + share * load(chances, first_chance + action, h)
            store(totals, first_weight + action, h, total)
