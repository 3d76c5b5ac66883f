"""Terminal nodes in batches, and the values of all hands of a player there, as kernels.

All kernels take the reach probability of each of the other player's hands (``reach``), and
write for each own hand how much of that it wins minus what it loses, for a stake of one chip.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.solvers.cards import Cards
from agents.solvers.public_tree import CHANCE, FOLDED, SHOWDOWN, PublicTree
from nlhe_env.jit.array_types import F64, I64, AnyArray, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.float_lanes import LANES, in_whole_lanes

_MOST = 64
"""Showdowns, and folds, of a batch: more would leave the processor's caches."""


@inlined_kernel
def _multiply(matrix: F64, n_hands: I64, player: Int, reach: AnyArray, values: AnyArray) -> None:
    """Write the product of a matrix and the other player's reach."""
    for h in range(n_hands[player]):
        value = 0.0
        for g in range(n_hands[1 - player]):
            value += matrix[h, g] * reach[g]
        values[h] = value


@kernel
def write_fold_values(
    cards: Cards, player: Int, board: Int, reach: AnyArray, sums: AnyArray, values: AnyArray
) -> None:
    """Weight of the other player's hands that each own hand can meet.

    Args:
        cards: Cards of the game.
        player: The player whose hands are valued.
        board: Number of the board.
        reach: ``(H,)`` of the other player; 0 for hands that the board does not allow.
        sums: ``(52,)`` work.
        values: ``(H,)`` is filled; what it says of hands that the board does not allow means
            nothing.
    """
    if cards.meetings.shape[1] > 0:
        _multiply(cards.meetings[player, board], cards.n_hands, player, reach, values)
        return
    n_other = cards.n_hands[1 - player]
    held = cards.cards[1 - player]
    of_card = sums
    of_card[:] = 0
    total = of_card[0]
    # Invariant: ``total`` and ``of_card``, (52,), are the reach probabilities of the hands before
    # h, of all and of those with each card.
    for h in range(n_other):
        weight = reach[h]
        total += weight
        of_card[held[h, 0]] += weight
        of_card[held[h, 1]] += weight
    # Hands with both own cards have been subtracted twice: the twin, with the same cards, is added.
    held = cards.cards[player]
    twins = cards.twins[player]
    for h in range(cards.n_hands[player]):
        met = total - of_card[held[h, 0]] - of_card[held[h, 1]]
        twin = twins[h]
        values[h] = met + reach[twin] if twin >= 0 else met


@kernel
def write_showdown_values(
    cards: Cards, player: Int, board: Int, reach: AnyArray, sums: AnyArray, values: AnyArray
) -> None:
    """Weight of the other player's hands that lose to each own hand, minus those that win.

    Hands are in ascending order of strength, in groups of equal strength. The sum of the weights
    before a group and the sum up to its end, minus the sum of all, is the value; hands with one of
    the own cards are left out of each. The arguments are those of ``write_fold_values``.
    """
    if cards.meetings.shape[1] > 0:
        _multiply(cards.outcomes[player, board], cards.n_hands, player, reach, values)
        return
    other = 1 - player
    own_order, other_order = cards.order[player, board], cards.order[other, board]
    own_end, other_end = cards.group_end[player, board], cards.group_end[other, board]
    own_held, other_held = cards.cards[player], cards.cards[other]
    of_card = sums
    of_card[:] = 0
    total = of_card[0]
    first, added = np.int64(0), np.int64(0)
    # Invariant: total and of_card, (52,), are reach probabilities summed over other_order[:added],
    # the groups passed so far. A twin is subtracted twice from the sum up to its group and from
    # that of all: this cancels out.
    for group in range(cards.groups[board]):
        end = np.int64(own_end[group])
        for place in range(first, end):
            h = own_order[place]
            values[h] = total - of_card[own_held[h, 0]] - of_card[own_held[h, 1]]
        while added < other_end[group]:
            h = other_order[added]
            weight = reach[h]
            total += weight
            of_card[other_held[h, 0]] += weight
            of_card[other_held[h, 1]] += weight
            added += 1
        for place in range(first, end):
            h = own_order[place]
            values[h] += total - of_card[own_held[h, 0]] - of_card[own_held[h, 1]]
        first = end
    # All hands are passed: what was added for each group, less the sum of all, is wins less losses.
    for place in range(first):
        h = own_order[place]
        values[h] -= total - of_card[own_held[h, 0]] - of_card[own_held[h, 1]]


class TerminalBatches(NamedTuple):
    """The batches of a tree; every end of the betting belongs to one.

    A batch has rows in a work array: those of its showdowns, and from the next whole lanes on those
    of its folds. With a rake its showdowns have rows again after them.
    """

    top: I64
    """``(nodes,)`` the node under which all ends are the batch of this one; -1 above batches."""
    row: I64
    """``(nodes,)`` the row of an end in its batch."""
    showdowns: I64
    """``(nodes,)`` below a node."""
    folds: I64
    met_row: I64
    """``(nodes,)`` the second row of a showdown, for the hands that meet; none without a rake."""

    @property
    def most(self) -> int:
        """Rows that a batch has at most."""
        times = 2 if len(self.met_row) else 1
        tops = np.unique(self.top[self.top >= 0])
        showdowns, folds = self.showdowns[tops], self.folds[tops]
        return max(
            times * in_whole_lanes(int(s)) + in_whole_lanes(int(f))
            for s, f in set(zip(showdowns.tolist(), folds.tolist(), strict=True))
        )

    @classmethod
    def of(cls, tree: PublicTree) -> TerminalBatches:
        """The largest batches that a tree allows."""
        before = {
            kind: np.concatenate([[0], np.cumsum(tree.kind == kind)])
            for kind in (CHANCE, FOLDED, SHOWDOWN)
        }
        below = {kind: counts[tree.end] - counts[:-1] for kind, counts in before.items()}
        fits = (below[CHANCE] == 0) & (below[SHOWDOWN] <= _MOST) & (below[FOLDED] <= _MOST)
        top = np.full(len(fits), -1)
        row = np.zeros(len(fits), np.int64)
        node = 0
        while node < len(fits):
            if not fits[node]:
                node += 1
                continue
            here = slice(node, int(tree.end[node]))
            top[here] = node
            for kind, first in (
                (SHOWDOWN, 0),
                (FOLDED, in_whole_lanes(int(below[SHOWDOWN][node]))),
            ):
                selected = tree.kind[here] == kind
                row[here][selected] = first + np.arange(selected.sum())
            node = here.stop
        met_row = np.zeros(0, np.int64)
        if tree.rake.any():
            first = LANES * (-(-below[SHOWDOWN] // LANES) - (-below[FOLDED] // LANES))
            met_row = row + np.where(top >= 0, first[top], 0)
        return cls(top, row, below[SHOWDOWN], below[FOLDED], met_row)
