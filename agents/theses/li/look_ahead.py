"""Decision rule of ASHE 2.2 and 2.3: search to the end of the hand, then the best action.

Source: Li (PhD thesis, University of Texas at Austin, 2018), chapters 7 and 8, figure 7-1. Every
action is followed through the default tree and the session's tree in parallel. Values are maximised
over the player's actions and averaged over the opponent's actions (by the opponent estimator) and
over boards. At a showdown, the showdown estimator, which has seen the whole betting sequence, gives
the win probability. Positions unknown to both trees have the value of the rule of 2.0. After future
boards the estimators see means over the boards on the node's path.

Readings. Folds and showdowns need no tree nodes. The probabilities of the opponent's actions are
renormalised over those with a known outcome. An unknown position on the player's turn has the
better value of folding and calling. The search is depth first but not recursive, because recursive
kernels could not be cached on disk: estimator states are stored by depth, and values are backed up
from the last node to the first.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from agents.policy.view import Parameters, View, offer
from agents.theses.li import boards as of_boards
from agents.theses.li import tree
from agents.theses.li.betting_transitions import (
    BOARD_COMES,
    IMPOSSIBLE,
    LOST,
    N_MOVES,
    OPPONENTS,
    OWN,
    SHOWN_DOWN,
    WON,
    BettingState,
    after_board,
    after_move,
    label_of_move,
    possible_moves,
)
from agents.theses.li.boards import BOARD, LOOK, STRENGTH
from agents.theses.li.estimators import chance_of, make_distribution, read_estimator
from agents.theses.li.event_handler import (
    count_scratch_numbers,
    opponent_of,
    scratch_layout,
    states_begin,
    step_opponent,
    step_showdown,
)
from agents.theses.li.features import N_LOOK, is_trusted, present_place, write_tree_features
from agents.theses.li.one_step import N_OWN, NO_ACTION, own_action, utility_of_raise
from agents.theses.li.shape import (
    BLOCKS,
    BOARDS,
    CELL,
    DEFAULT_NODES,
    LEVEL,
    N_ANSWERS,
    OPPONENT,
    PRIVILEGED,
    RANGED,
    SHOWDOWN,
    ModelShape,
    default_begin,
)
from agents.theses.li.tree import UNKNOWN, TreePosition
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.equity.tables.lookup import N_RIVERS
from nlhe_env.evaluator import rank_set
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import CHECK_OR_CALL, TableRecord
from nlhe_env.jit.array_types import F32, I64, Float, Int, Records, Truth
from nlhe_env.jit.compilation import kernel

_SEARCH_NODE = np.dtype(
    [
        # Nodes of both trees, see ``TreePosition``.
        ("now", np.int64),
        ("above", np.int64),
        ("default", np.int64),
        ("default_above", np.int64),
        # Betting state, see ``BettingState``.
        ("turn", np.int64),
        ("street", np.int64),
        ("acted", np.int64),
        ("own", np.float32),
        ("opponent", np.float32),
        ("path", np.int64),  # of the board
        ("depth", np.int64),
        ("before", np.int64),  # parent search node
        ("move", np.int64),  # move from the parent
        ("chance", np.float32),  # probability of that move
        ("win", np.float32),  # showdown win probability at the parent
        ("value", np.float32),  # backed up so far
        ("weight", np.float32),  # sum of the probabilities of the moves in ``value``
        ("waits", np.int64),  # next node on the stack of nodes to visit
    ]
)
"""Without padding, because the scratch is aligned to four bytes only."""
_SearchNodes: TypeAlias = Records
"""An array of dtype ``_SEARCH_NODE``."""
_N_SEARCH_NODE = _SEARCH_NODE.itemsize // np.dtype(np.float32).itemsize
"""Length of a search node in the float32 scratch."""
_NO_VALUE = np.float32(-np.inf)
MOST_AHEAD = 4096
"""Maximum number of search nodes per decision."""
MOST_DEEP = 24
"""Maximum search depth in actions; deeper positions count as unknown."""
_N_CLUSTERS = 7


class Step(NamedTuple):
    """How the search reaches a node."""

    before: Int
    """Parent search node."""
    move: Int
    chance: Float
    """Probability of the move."""
    win: Float
    """Showdown win probability at the parent."""
    waits: Int
    """Next node on the stack of nodes to visit."""


@kernel
def add_node(
    nodes: _SearchNodes,
    i: Int,
    place: TreePosition,
    spot: BettingState,
    path: Int,
    depth: Int,
    step: Step,
) -> None:
    """Write a search node to be visited."""
    node = nodes[i]
    node.now, node.above = place.now, place.above
    node.default, node.default_above = place.default, place.default_above
    node.turn, node.street, node.acted = spot.turn, spot.street, spot.acted
    node.own, node.opponent = spot.own, spot.opponent
    node.path, node.depth = path, depth
    node.before, node.move, node.waits = step.before, step.move, step.waits
    node.chance, node.win = step.chance, step.win
    node.value = _NO_VALUE if spot.turn == OWN else np.float32(0.0)
    node.weight = np.float32(0.0)


@kernel
def _state_of(nodes: _SearchNodes, i: Int) -> BettingState:
    """Betting state at a search node, with chips in float64."""
    node = nodes[i]
    own, opponent = np.float64(node.own), np.float64(node.opponent)
    return BettingState(node.turn, node.street, node.acted, own, opponent)


@kernel
def _tree_nodes_of(nodes: _SearchNodes, i: Int) -> TreePosition:
    """Tree nodes at a search node."""
    node = nodes[i]
    return TreePosition(node.now, node.above, node.default, node.default_above)


@kernel
def _back_up(nodes: _SearchNodes, i: Int, chance: Float, value: Float) -> None:
    """Back up a child: maximum at the player's nodes, probability-weighted sum elsewhere."""
    node = nodes[i]
    if node.turn == OWN:
        node.value = max(node.value, np.float32(value))
    else:
        node.value += np.float32(chance * value)
        node.weight += np.float32(chance)


class _Ahead(NamedTuple):
    """State of the look-ahead search."""

    parameters: Parameters
    memory: F32
    default: F32
    """The default trees."""
    scene: View
    boards: F32
    n_boards: Int
    nodes: _SearchNodes
    states: F32
    """States of both estimators, by depth."""
    stack: Float
    """Effective stack in chips."""
    won: Float
    """Actual showdown result, used only at level ``PRIVILEGED``."""


@kernel
def see(ahead: _Ahead, i: Int, before: F32, states: F32) -> None:
    """Step the opponent estimator at a search node, from ``before`` to ``states``."""
    nodes, sizes, table = ahead.nodes, ahead.parameters.traits.sizes, ahead.scene.table
    spot, place = _state_of(nodes, i), _tree_nodes_of(nodes, i)
    scratch, scratch_at = ahead.scene.scratch, scratch_layout(sizes)
    path = nodes[i].path
    for j in range(len(states)):
        states[j] = before[j]
    node_features, other = (
        scratch[scratch_at.node_features : scratch_at.other],
        scratch[scratch_at.other : scratch_at.wins],
    )
    write_tree_features(
        sizes, ahead.memory, ahead.default, place, spot.street, node_features, other
    )
    for k in range(N_LOOK):
        what = LOOK + N_LOOK * spot.street + k
        scratch[scratch_at.look + k] = np.float32(
            of_boards.mean_of_boards(ahead.boards, ahead.n_boards, spot.street, path, what)
        )
    stack = np.float64(table.starting_stack[table.actor])
    own, opponent = spot.own / stack, spot.opponent / stack
    step_opponent(ahead.parameters, scratch, spot.street, own, opponent, states)


@kernel
def write_chances(ahead: _Ahead, states: F32, possible: Int) -> None:
    """Write the opponent's action probabilities to the answers in the scratch."""
    scratch, scratch_at = ahead.scene.scratch, scratch_layout(ahead.parameters.traits.sizes)
    answers = scratch[scratch_at.answers : scratch_at.answers + N_ANSWERS]
    read_estimator(ahead.parameters, OPPONENT, states, scratch[scratch_at.hidden :], answers)
    make_distribution(answers, possible)


@kernel
def _win_at(ahead: _Ahead, states: F32, street: Int, path: Int) -> Float:
    """Probability of winning the showdown, given the states of the estimators."""
    sizes, scratch = ahead.parameters.traits.sizes, ahead.scene.scratch
    if sizes[LEVEL] == PRIVILEGED:
        return ahead.won
    scratch_at = scratch_layout(sizes)
    answers = scratch[scratch_at.answers : scratch_at.answers + N_ANSWERS]
    read_estimator(ahead.parameters, SHOWDOWN, states, scratch[scratch_at.hidden :], answers)
    if sizes[LEVEL] < RANGED:
        return chance_of(answers[0])
    make_distribution(answers, (1 << N_ANSWERS) - 1)
    return of_boards.win_against_ranges(ahead.boards, ahead.n_boards, street, path, answers)


@kernel
def _value_now(ahead: _Ahead, i: Int, depth: Int) -> Float:
    """Value of a search node by the rule of 2.0, with its parent's win probability."""
    sizes = ahead.parameters.traits.sizes
    spot, win = _state_of(ahead.nodes, i), np.float64(ahead.nodes[i].win)
    shown = (2.0 * win - 1.0) * max(spot.own, spot.opponent)
    if spot.turn == OWN:
        return max(shown, -spot.own) if spot.opponent > spot.own else shown
    if spot.turn == BOARD_COMES or spot.own <= spot.opponent:
        return shown
    n_states = 4 * sizes[BLOCKS] * sizes[CELL]
    scratch_at = scratch_layout(sizes)
    states = ahead.scene.scratch[scratch_at.states : scratch_at.remaining]
    see(ahead, i, ahead.states[(depth - 1) * n_states : depth * n_states], states)
    write_chances(ahead, states, possible_moves(spot, ahead.stack, ahead.scene.table.big_blind))
    folds = np.float64(ahead.scene.scratch[scratch_at.answers])
    return utility_of_raise(win, folds, spot.opponent, spot.own)


@kernel
def _true_result(table: TableRecord, seat: Int, other: Int) -> Float:
    """Showdown result of a seat on the final board: 0, one half for a tie, or 1."""
    board = board_set(table.cards[2 * table.seats : 2 * table.seats + 5], 5)
    hole_0, hole_1 = hole_cards(table, seat)
    own = rank_set(board | card_bit(hole_0) | card_bit(hole_1))
    hole_0, hole_1 = hole_cards(table, other)
    rank = rank_set(board | card_bit(hole_0) | card_bit(hole_1))
    return 1.0 if own > rank else (0.5 if own == rank else 0.0)


def count_ahead(shape: ModelShape) -> int:
    """Length of the scratch."""
    boards = max(shape.boards, N_RIVERS)
    states = 4 * shape.blocks * shape.cell * (MOST_DEEP + 1)
    return (
        count_scratch_numbers(shape)
        + _N_SEARCH_NODE * MOST_AHEAD
        + BOARD * boards
        + N_CARDS
        + N_OWN
        + states
    )


@kernel
def decide_by_looking_ahead(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action with the largest utility; ties go to the less aggressive action."""
    begin = scratch_layout(parameters.traits.sizes).remaining
    values = view.scratch[begin : begin + N_OWN]
    write_values(parameters, memory, view, values)
    best: Float = _NO_VALUE
    action: Int = np.int64(CHECK_OR_CALL)
    for move in range(N_OWN):
        if values[move] > best:
            best, action = values[move], own_action(view.table, view.choices, move)
    offer(view, action, 1.0)


@kernel
def nodes_of_boards(sizes: I64) -> tuple[Int, Int]:
    """Start and end of the search's boards in the scratch."""
    begin = scratch_layout(sizes).remaining + N_OWN + _N_SEARCH_NODE * MOST_AHEAD
    return begin, begin + BOARD * max(sizes[BOARDS], N_RIVERS)


@kernel
def write_values(parameters: Parameters, memory: F32, view: View, values: F32) -> None:
    """Write the values of the player's actions, in chips from the start of the hand.

    Args:
        parameters: Parameters of the player.
        memory: Its memory.
        view: View of the table at its decision.
        values: ``(7,)`` float32, written; minus infinity for impossible actions.
    """
    sizes, table, scratch = parameters.traits.sizes, view.table, view.scratch
    default = memory[0:]
    if sizes[DEFAULT_NODES] > 0:
        default = parameters.weights[default_begin(sizes) :]
    a, (b, c) = scratch_layout(sizes).remaining + N_OWN, nodes_of_boards(sizes)
    d = c + N_CARDS
    boards, deck = scratch[b:c], scratch[c:d]
    n_boards = of_boards.write_boards(view, sizes, parameters.traits.book, boards, deck)
    seat = table.actor
    other = opponent_of(table, seat)
    stack = np.float64(min(table.starting_stack[seat], table.starting_stack[other]))
    won = _true_result(table, seat, other) if sizes[LEVEL] == PRIVILEGED else 0.0
    nodes, states = scratch[a:b].view(_SEARCH_NODE), scratch[d:]
    ahead = _Ahead(parameters, memory, default, view, boards, n_boards, nodes, states, stack, won)
    present = memory[states_begin(sizes) :]
    for j in range(4 * sizes[BLOCKS] * sizes[CELL]):
        states[j] = present[j]
    acted = np.int64(0)
    for one in range(table.seats):
        acted += table.calls[table.street, one] + table.raises[table.street, one]
    own, opponent = np.float64(table.hand_bet[seat]), np.float64(table.hand_bet[other])
    spot = BettingState(np.int64(OWN), table.street, acted, own, opponent)
    step = Step(0, 0, 1.0, 0.0, UNKNOWN)
    add_node(nodes, 0, present_place(sizes, memory), spot, 0, 0, step)
    possible = 0
    for move in range(N_OWN):
        values[move] = _NO_VALUE
        if own_action(table, view.choices, move) != NO_ACTION:
            possible |= 1 << move
    _search(ahead, possible, values)


@kernel
def _search(ahead: _Ahead, possible: Int, values: F32) -> None:
    """Search from node 0 and write the values of its moves; ``possible`` is their bit mask."""
    nodes = ahead.nodes
    win = _win_at(ahead, ahead.states, ahead.scene.table.street, 0)
    n, waits, _ = _expand(ahead, 0, 1, UNKNOWN, possible, win, values)
    while waits != UNKNOWN:
        i = waits
        n, waits = _look_at(ahead, i, n, nodes[i].waits)
    for i in range(n - 1, 0, -1):
        node = nodes[i]
        value = node.value if node.turn == OWN else node.value / node.weight
        if node.before == 0:
            values[node.move] = value
        else:
            _back_up(nodes, node.before, node.chance, value)


@kernel
def _expand(
    ahead: _Ahead, i: Int, n: Int, waits: Int, possible: Int, win: Float, values: F32
) -> tuple[Int, Int, Truth]:
    """Expand a search node.

    Args:
        ahead: State of the search; its scratch holds the opponent's action probabilities.
        i: The search node.
        n: Number of search nodes so far.
        waits: The top of the stack of nodes to visit.
        possible: Bit mask of the possible moves.
        win: Current probability of winning the showdown.
        values: Written for moves of node 0 that end the hand.

    Returns:
        ``n`` and ``waits`` afterwards, and whether any move has a known outcome.
    """
    nodes, parameters = ahead.nodes, ahead.parameters
    spot, place = _state_of(nodes, i), _tree_nodes_of(nodes, i)
    path, depth = nodes[i].path, nodes[i].depth
    answers = ahead.scene.scratch[scratch_layout(parameters.traits.sizes).answers :]
    blind, knows = ahead.scene.table.big_blind, False
    for move in range(N_MOVES):
        after = after_move(spot, move, ahead.stack, blind)
        if not possible >> move & 1 or after.turn == IMPOSSIBLE:
            continue
        chance = np.float64(answers[move]) if spot.turn == OPPONENTS else 1.0
        if after.turn >= SHOWN_DOWN:
            value = (2.0 * win - 1.0) * min(after.own, after.opponent)
            if after.turn == WON:
                value = after.opponent
            elif after.turn == LOST:
                value = -after.own
            if i == 0:
                values[move] = np.float32(value)
            else:
                _back_up(nodes, i, chance, value)
        else:
            label = label_of_move(spot.turn, move)
            there = tree.place_after(ahead.memory, ahead.default, place, label)
            if there.default == UNKNOWN and i > 0:
                continue
            step = Step(i, move, chance, win, waits)
            add_node(nodes, n, there, after, path, depth + 1, step)
            n, waits = n + 1, n
        knows = True
    return n, waits, knows


@kernel
def _look_at(ahead: _Ahead, i: Int, n: Int, waits: Int) -> tuple[Int, Int]:
    """Visit a search node; returns ``n`` and ``waits``, as ``_expand`` does."""
    nodes, sizes = ahead.nodes, ahead.parameters.traits.sizes
    spot, place = _state_of(nodes, i), _tree_nodes_of(nodes, i)
    path, depth = nodes[i].path, nodes[i].depth
    knows = n + N_MOVES <= MOST_AHEAD and depth <= MOST_DEEP
    if knows and spot.turn == BOARD_COMES:
        return _let_boards_come(ahead, i, n, waits)
    if knows and is_trusted(sizes, ahead.memory, ahead.default, place):
        n_states = 4 * sizes[BLOCKS] * sizes[CELL]
        states = ahead.states[depth * n_states : (depth + 1) * n_states]
        before = ahead.states[(depth - 1) * n_states : depth * n_states]
        see(ahead, i, before, states)
        what, table = STRENGTH + spot.street, ahead.scene.table
        strength = of_boards.mean_of_boards(ahead.boards, ahead.n_boards, spot.street, path, what)
        stack = np.float64(table.starting_stack[table.actor])
        own, opponent = spot.own / stack, spot.opponent / stack
        step_showdown(
            ahead.parameters, ahead.scene.scratch, spot.street, strength, own, opponent, states
        )
        win = _win_at(ahead, states, spot.street, path)
        possible = possible_moves(spot, ahead.stack, table.big_blind)
        if spot.turn == OPPONENTS:
            write_chances(ahead, states, possible)
        n, waits, knows = _expand(ahead, i, n, waits, possible, win, ahead.scene.scratch)
        if knows:
            return n, waits
    nodes[i].value = _value_now(ahead, i, depth)
    nodes[i].weight = np.float32(1.0)
    return n, waits


@kernel
def _let_boards_come(ahead: _Ahead, i: Int, n: Int, waits: Int) -> tuple[Int, Int]:
    """Expand a search node by the next street's clusters; returns ``n`` and ``waits``."""
    nodes, boards, n_boards = ahead.nodes, ahead.boards, ahead.n_boards
    spot, place, node = _state_of(nodes, i), _tree_nodes_of(nodes, i), nodes[i]
    path, street = node.path, spot.street + 1
    everything = of_boards.count_boards(boards, n_boards, spot.street, path)
    table = ahead.scene.table
    after = after_board(spot, table.actor == table.button)
    for cluster in range(_N_CLUSTERS):
        longer = of_boards.path_after(path, street, cluster)
        found = of_boards.count_boards(boards, n_boards, street, longer)
        if found > 0:
            label = tree.FIRST_BOARD + cluster
            there = tree.place_after(ahead.memory, ahead.default, place, label)
            step = Step(i, 0, found / everything, node.win, waits)
            add_node(nodes, n, there, after, longer, node.depth, step)
            n, waits = n + 1, n
    return n, waits
