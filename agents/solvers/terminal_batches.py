"""Batches of terminal nodes that are valued together: those below one node, on one board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.solvers.public_tree import CHANCE, FOLDED, SHOWDOWN, PublicTree
from nlhe_env.jit.array_types import I64
from nlhe_env.numerics.float_lanes import LANES, in_whole_lanes

_MOST = 64
"""Showdowns, and folds, of a batch: more would leave the processor's caches."""


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
