"""Suit isomorphism: numbering of hole cards and flops up to renaming of suits.

The suits of poker have no order, so the suits of hole cards and board may be renamed together. Two
(hole, flop) pairs share a cell of the flop table if and only if a renaming maps one to the other,
which gives 1,755 flops and 1,286,792 cells (Nicolai's thesis, table 4.2).
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import NamedTuple, TypeVar

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.jit.array_types import I32, I64, U16, AnyArray

N_PREFLOP = 169
N_HOLES = 1326
N_FLOPS = 22_100
N_FLOP_CLASSES = 1755
N_FLOP_CELLS = 1_286_792
MAX_OPPONENTS = 9

NO_CELL = 65535
"""Marks impossible hole cards in uint16 tables."""


FLOP_SHAPES = ("ONE_SUIT", "TWO_SUIT", "THREE_SUIT", "THREE_SUIT_PAIR", "THREE_SUIT_TRIPLE")

_RENAMINGS = np.array(list(permutations(range(4))))
"""All ways to rename the suits: suit ``s`` becomes ``_RENAMINGS[i, s]``."""


class FlopNumbering(NamedTuple):
    """Map of real flops and hole cards to cells of the flop table.

    Each class of flops is represented by one of them, its model; ``flops`` has the renaming of
    suits that maps a flop to its model.
    """

    models: AnyArray
    """``(1755, 3)`` int8 cards of the model of each class, descending; classes by FLOP_SHAPES."""
    sizes: I64
    """``(1755,)`` number of the 22,100 flops in each class."""
    flops: I32
    """``(22100, 3)``: class, first cell of the class, and the suit renaming: suit ``s`` becomes
    ``renaming >> 2 * s & 3``. The flop of cards a > b > c is row C(a,3) + C(b,2) + c."""
    hole_columns: U16
    """``(1755, 1326)`` column of each pair of (renamed) hole cards in the class, or ``NO_CELL``.
    The pair a > b is column C(a,2) + b."""

    def first_cells(self) -> I64:
        """``(1756,)`` first cell of each class, and the total number of cells."""
        reachable = np.where(self.hole_columns == NO_CELL, 0, self.hole_columns)
        widths = reachable.max(axis=1).astype(np.int64) + 1
        return np.concatenate([[0], np.cumsum(widths)])


def hole_pairs() -> AnyArray:
    """``(1326, 2)`` int8 hole cards a > b in the order of their number C(a,2) + b."""
    return np.array([(a, b) for a in range(N_CARDS) for b in range(a)], np.int8)


def flop_shape(flop: AnyArray) -> str:
    """The published table of three cards, one of ``FLOP_SHAPES``."""
    n_suits = len({int(card) & 3 for card in flop})
    n_ranks = len({int(card) >> 2 for card in flop})
    if n_suits < 3:
        return FLOP_SHAPES[n_suits - 1]
    return FLOP_SHAPES[5 - n_ranks]


def number_flops() -> FlopNumbering:
    """Numbering of all flops and their hole cards, computed in about 0.3 s."""
    flops = _all_flops()
    renamed = np.stack([_flop_number(_rename(flops, renaming)) for renaming in _RENAMINGS])
    # The model of a class is its flop with the lowest number.
    to_model = renamed.argmin(axis=0)
    models, flop_class, sizes = np.unique(
        renamed.min(axis=0), return_inverse=True, return_counts=True
    )
    by_shape = np.array([FLOP_SHAPES.index(flop_shape(flops[model])) for model in models])
    order = np.lexsort((models, by_shape))
    models, sizes = models[order], sizes[order]
    flop_class = np.argsort(order)[flop_class]

    numbering = FlopNumbering(
        models=flops[models].astype(np.int8),
        sizes=sizes,
        flops=np.empty((N_FLOPS, 3), np.int32),
        hole_columns=_hole_columns(models, renamed[:, models]),
    )
    numbering.flops[:, 0] = flop_class
    numbering.flops[:, 1] = numbering.first_cells()[flop_class]
    numbering.flops[:, 2] = (_RENAMINGS << 2 * np.arange(4)).sum(axis=1)[to_model]
    return numbering


def _all_flops() -> AnyArray:
    """``(22100, 3)`` cards a > b > c in the order of their number C(a,3) + C(b,2) + c."""
    return np.array(sorted(tuple(reversed(cards)) for cards in combinations(range(N_CARDS), 3)))


def _hole_columns(models: AnyArray, renamed: AnyArray) -> U16:
    """Number the hole cards of each model flop, equally if a renaming preserves the flop."""
    holes = hole_pairs().astype(np.int64)
    renamed_holes = np.stack([hole_numbers(*_rename(holes, renaming).T) for renaming in _RENAMINGS])
    flops = _all_flops()
    columns = np.full((len(models), N_HOLES), NO_CELL, np.uint16)
    for i, model in enumerate(models):
        keeps_flop = renamed[:, i] == model
        alike = renamed_holes[keeps_flop].min(axis=0)
        free = ~np.isin(holes, flops[model]).any(axis=1)
        columns[i, free] = np.unique(alike[free], return_inverse=True)[1]
    return columns


def _rename(cards: AnyArray, renaming: AnyArray) -> AnyArray:
    """Cards with their suits renamed, in descending order along the last axis."""
    return -np.sort(-(cards & ~3 | renaming[cards & 3]), axis=-1)


def _flop_number(cards: AnyArray) -> AnyArray:
    a, b, c = cards.T
    number: AnyArray = a * (a - 1) * (a - 2) // 6 + b * (b - 1) // 2 + c
    return number


_Cards = TypeVar("_Cards", int, AnyArray)


def hole_numbers(high: _Cards, low: _Cards) -> _Cards:
    """Numbers 0..1325 of hole cards high > low: the rows of ``hole_pairs``."""
    return high * (high - 1) // 2 + low
