"""Pattern recognition trees: outcome statistics of each sequence of actions.

Source: Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
(PhD thesis, University of Texas at Austin, 2018), chapters 5 to 7. There is one tree per seat. A
node is a sequence of actions after which a player has to decide; it is created when the sequence
first occurs. Nodes do not depend on hole cards. From ASHE 2.1 on, the action that ends a street is
followed by a node for the board's cluster; its outcomes are read from the action node above, and
only the opponent's next actions from the node itself. After a hand, every visited node is updated
with the outcome.

Trees are stored in a player's memory, one node after another. Node 0 is the root on the button,
node 1 the root in the big blind. When the memory is full, new sequences stay unknown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.policy.events import EventRecord
from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.jit.array_types import F32, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

CHILD, SIBLING, LABEL, COUNT, SHOWDOWNS, FOLDS, STRENGTH, NEXT = range(8)
"""Fields of a node: first child, next sibling, label of its action; number of visits, of showdowns
and of folds by the opponent; mean strength of the hands that the opponent showed; counts of the
opponent's next actions."""
N_NEXT = 9
"""Number of actions of the opponent: fold, check or call, raise in one of seven buckets."""
NODE = NEXT + N_NEXT
"""Length of a node."""
ROOTS = 2
UNKNOWN = -1
MOST_DEPTH = 60
"""Maximum number of nodes updated per hand."""
_FREE, _NOW, _DEPTH, _ABOVE, _DEFAULT, _DEFAULT_ABOVE, _PATH = range(7)
HEAD = _PATH + MOST_DEPTH
"""Length of the header before the nodes: the next free node, the current node, the number of
visited nodes, the last action node; the current and last action node in the default tree; the
visited nodes."""

# Labels: check or call; the player's raises of 0.5, 1, 1.5 and 2 pots, all-in; the opponent's
# raises by size in pots, up to each of these limits; board clusters.
CALL_LABEL, FIRST_OWN, ALL_IN_LABEL, FIRST_BUCKET, FIRST_BOARD = 1, 2, 6, 7, 14
BUCKETS = (0.125, 0.375, 0.75, 1.25, 2.0, 4.0)


class TreePosition(NamedTuple):
    """Position of a hand: nodes in the session's tree, then in the default tree."""

    now: Int
    """The current node, which may be a board node."""
    above: Int
    """The last action node."""
    default: Int
    default_above: Int


def count_numbers(nodes: int) -> int:
    """Length of trees with this many nodes."""
    return HEAD + nodes * NODE


def check_trees(numbers: F32, nodes: int) -> None:
    """Check that trees can be followed: every node but the roots is reached once, in its place.

    ``go_on`` adds each node behind its parent and before its older siblings.

    Args:
        numbers: Trees; all zero for empty ones.
        nodes: Their capacity.

    Raises:
        ValueError: A number of nodes, a child or a sibling is impossible.
    """
    count = max(numbers[_FREE], ROOTS)
    if not (count == int(count) and count <= nodes):
        raise ValueError(f"trees must have {ROOTS} to {nodes} nodes; got {count}")
    tree = numbers[HEAD : count_numbers(int(count))].reshape(-1, NODE)
    child, sibling, own = tree[:, CHILD], tree[:, SIBLING], np.arange(len(tree))
    right = (child == 0) | ((child > own) & (child < count))
    right &= (sibling == 0) | ((sibling >= ROOTS) & (sibling < own))
    reached = np.sort(np.concatenate([child[child != 0], sibling[sibling != 0]]))
    if not (right.all() and np.array_equal(reached, own[ROOTS:])):
        raise ValueError("the children and siblings of trees must lead to every node once")


@kernel
def own_label(raised: Float, all_in: Truth) -> Int:
    """Label of one of the player's actions: nearest size in pots, call label for 0."""
    if all_in:
        return ALL_IN_LABEL
    if raised <= 0.0:
        return CALL_LABEL
    half_pots: Int = np.int64(np.ceil(2.0 * raised - 0.5))
    return FIRST_OWN + min(max(half_pots, 1), 4) - 1


@kernel
def opponent_label(raised: Float) -> Int:
    """Label of an opponent's action; a size at a limit belongs to the lower bucket."""
    if raised <= 0.0:
        return CALL_LABEL
    bucket: Int = 0
    for limit in BUCKETS:
        bucket += raised > limit
    return FIRST_BUCKET + bucket


@kernel
def label_of(event: EventRecord, is_own: Truth, all_in: Truth) -> Int:
    """Label of an event's action."""
    raised = 0.0
    if event.action > CHECK_OR_CALL:
        raised = np.float64(event.chips - event.to_call) / np.float64(event.pot + event.to_call)
    if is_own:
        return own_label(raised, all_in and raised > 0.0)
    return opponent_label(raised)


@kernel
def note_answer(memory: F32, event: EventRecord) -> None:
    """Count the opponent's action at the current node."""
    node = np.int64(memory[_NOW])
    if node == UNKNOWN:
        return
    answer = 0
    if event.action != FOLD:
        label = label_of(event, False, False)
        answer = 1 if label == CALL_LABEL else label - FIRST_BUCKET + 2
    memory[HEAD + node * NODE + NEXT + answer] += np.float32(1.0)


@kernel
def clear_trees(memory: F32) -> None:
    """Clear the trees: only the roots are left."""
    memory[: HEAD + ROOTS * NODE] = np.float32(0.0)
    memory[_FREE] = np.float32(ROOTS)


@kernel
def begin_path(memory: F32, on_button: Truth) -> None:
    """Go back to the root at the start of a hand."""
    root = 0 if on_button else 1
    memory[_NOW] = memory[_ABOVE] = np.float32(root)
    memory[_DEFAULT] = memory[_DEFAULT_ABOVE] = np.float32(root)
    memory[_DEPTH] = np.float32(1.0)
    memory[_PATH] = np.float32(root)


@kernel
def present_node(memory: F32) -> Int:
    """Number of the current node, or ``UNKNOWN``."""
    return np.int64(memory[_NOW])


@kernel
def present_place(memory: F32) -> TreePosition:
    """Current nodes in the session's tree and in the default tree."""
    return TreePosition(
        np.int64(memory[_NOW]),
        np.int64(memory[_ABOVE]),
        np.int64(memory[_DEFAULT]),
        np.int64(memory[_DEFAULT_ABOVE]),
    )


@kernel
def place_after(memory: F32, default: F32, place: TreePosition, label: Int) -> TreePosition:
    """Position after an action or a board."""
    now = find_child(memory, place.now, label)
    there = find_child(default, place.default, label)
    if label >= FIRST_BOARD:
        return TreePosition(now, place.above, there, place.default_above)
    return TreePosition(now, now, there, there)


@kernel
def find_child(memory: F32, node: Int, label: Int) -> Int:
    """Child of a node with a label, or ``UNKNOWN``."""
    if node == UNKNOWN:
        return UNKNOWN
    child = np.int64(memory[HEAD + node * NODE + CHILD])
    while child != 0:
        at = HEAD + child * NODE
        if np.int64(memory[at + LABEL]) == label:
            return child
        child = np.int64(memory[at + SIBLING])
    return UNKNOWN


@kernel
def go_on(memory: F32, most_nodes: Int, label: Int) -> None:
    """Follow an action to the next node, which is created if it is new."""
    node = np.int64(memory[_NOW])
    child = find_child(memory, node, label)
    free = np.int64(memory[_FREE])
    if child == UNKNOWN and node != UNKNOWN and free < most_nodes:
        child = free
        memory[_FREE] = np.float32(free + 1)
        parent, at = HEAD + node * NODE, HEAD + child * NODE
        memory[at : at + NODE] = np.float32(0.0)
        memory[at + LABEL] = np.float32(label)
        memory[at + SIBLING] = memory[parent + CHILD]
        memory[parent + CHILD] = np.float32(child)
    memory[_NOW] = np.float32(child)
    if label < FIRST_BOARD:
        memory[_ABOVE] = np.float32(child)
    depth = np.int64(memory[_DEPTH])
    if child != UNKNOWN and depth < MOST_DEPTH:
        memory[_PATH + depth] = np.float32(child)
        memory[_DEPTH] = np.float32(depth + 1)


@kernel
def go_on_in(default: F32, memory: F32, label: Int) -> None:
    """Follow an action or a board in the default tree, which does not change."""
    child = find_child(default, np.int64(memory[_DEFAULT]), label)
    memory[_DEFAULT] = np.float32(child)
    if label < FIRST_BOARD:
        memory[_DEFAULT_ABOVE] = np.float32(child)


@kernel
def learn_from_hand(memory: F32, opponent_folded: Truth, shown: Truth, strength: Float) -> None:
    """Update all nodes of a hand with its outcome.

    Args:
        memory: The memory with the trees.
        opponent_folded: Whether the opponent has folded.
        shown: Whether the opponent showed its hand.
        strength: Strength of the opponent's hand if shown, 0 to 1.
    """
    for k in range(np.int64(memory[_DEPTH])):
        at = HEAD + np.int64(memory[_PATH + k]) * NODE
        memory[at + COUNT] += np.float32(1.0)
        if opponent_folded:
            memory[at + FOLDS] += np.float32(1.0)
        if shown:
            seen = memory[at + SHOWDOWNS]
            mean = (memory[at + STRENGTH] * seen + strength) / (seen + np.float32(1.0))
            memory[at + STRENGTH] = np.float32(mean)
            memory[at + SHOWDOWNS] = seen + np.float32(1.0)
