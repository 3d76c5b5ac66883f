"""Counts of every preflop match-up of two hands over all 1,712,304 boards.

Up to renaming of suits and the order of the two players there are 47,008 match-ups. Their counts
ship with the package; ``count_preflop_pairs`` recomputes them in a few seconds.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import numpy as np

from nlhe_env.equity.calculator.match_ups import play_match_ups
from nlhe_env.equity.calculator.open_boards import fold_deals
from nlhe_env.equity.calculator.showdown_tables import showdown_tables
from nlhe_env.equity.calculator.spot import HOLE_SETS, HOLES, renamed_holes
from nlhe_env.equity.tables.cells import preflop_class
from nlhe_env.equity.tables.suits import N_HOLES, N_PREFLOP, hole_numbers
from nlhe_env.jit.array_types import I64, AnyArray, Int, Record
from nlhe_env.jit.compilation import kernel
from nlhe_env.system.cores import n_cores
from nlhe_env.system.threads import Span, once, spans, thread_map

PAIRS_FILE = Path(__file__).with_name("preflop_pairs.npy")
"""``(N_MATCH_UPS, 2)`` uint32: boards that the first hand wins and ties, by match-up."""

N_MATCH_UPS = 47_008
N_BOARDS = 1_712_304
"""Boards, C(48,5), once two hands are known."""

PREFLOP_PAIRS = np.dtype(
    [
        # Boards that a hand of this class wins and ties against these hole cards, with the suits
        # renamed so that the first hand's high card has suit 0 and its low card suit 0 or 1.
        ("wins", np.uint32, (N_PREFLOP, N_HOLES)),
        ("ties", np.uint32, (N_PREFLOP, N_HOLES)),
    ],
    align=True,
)
PreflopPairsRecord: TypeAlias = Record
"""A record of dtype ``PREFLOP_PAIRS``."""


@kernel
def count_pair(
    hole_0: Int, hole_1: Int, other_0: Int, other_1: Int, pairs: PreflopPairsRecord
) -> tuple[Int, Int]:
    """Numbers of boards on which a hand beats another, and on which they tie.

    Args:
        hole_0: A card code.
        hole_1: The other card of the first hand.
        other_0: A card of the second hand.
        other_1: The other card of the second hand.
        pairs: Record of dtype ``PREFLOP_PAIRS``.
    """
    high, low = max(hole_0, hole_1), min(hole_0, hole_1)
    # The suit of the high card becomes 0, that of the low card 0 or 1; the others follow in order.
    first, second = high & 3, low & 3
    renaming = np.int64(0)
    name = np.int64(1)
    if second != first:
        renaming = np.int64(1) << 2 * second
        name = np.int64(2)
    for suit in range(4):
        if suit != first and suit != second:
            renaming |= name << 2 * suit
            name += 1
    a = other_0 & ~3 | renaming >> 2 * (other_0 & 3) & 3
    b = other_1 & ~3 | renaming >> 2 * (other_1 & 3) & 3
    column = (max(a, b) * (max(a, b) - 1) >> 1) + min(a, b)
    row = preflop_class(high, low)
    return np.int64(pairs.wins[row, column]), np.int64(pairs.ties[row, column])


@once
def preflop_pairs() -> np.void:
    """Counts of all match-ups, as a read-only record of dtype ``PREFLOP_PAIRS``."""
    counts = np.load(PAIRS_FILE).astype(np.int64)
    rows, columns, numbers, exchanged = _match_ups()
    wins, ties = counts[numbers].T
    records = np.zeros(1, PREFLOP_PAIRS)
    records["wins"][0, rows, columns] = np.where(exchanged, N_BOARDS - wins - ties, wins)
    records["ties"][0, rows, columns] = ties
    records.setflags(write=False)
    pairs: np.void = records[0]
    return pairs


def count_preflop_pairs(n_threads: int | None = None) -> AnyArray:
    """Content of ``PAIRS_FILE``, recomputed."""
    keys = np.unique(_keys()[2])
    deals = np.ascontiguousarray(np.column_stack([keys % N_HOLES, keys // N_HOLES]))
    histograms = np.empty((len(deals), 2, 3), np.int64)
    tables = showdown_tables()

    def task(span: Span) -> None:
        play_match_ups(deals, *span, HOLE_SETS, HOLES, 0, tables, histograms)

    list(thread_map(task, spans(0, len(deals), 64), n_threads or n_cores()))
    return histograms[:, 0, 1:].astype(np.uint32)


def _keys() -> tuple[I64, I64, I64, AnyArray]:
    """Rows and columns of all possible cells, with the keys of their match-ups.

    A match-up has the same key with exchanged seats; the last array marks the exchanged cells.
    """
    cells = np.arange(N_PREFLOP)
    # Rows in the order of `preflop_class`: suited hands have the higher rank first.
    ranks = np.column_stack([cells // 13, cells % 13])
    suited = ranks[:, 0] > ranks[:, 1]
    high, low = 4 * ranks.max(axis=1), 4 * ranks.min(axis=1) + ~suited
    holes = hole_numbers(np.maximum(high, low), np.minimum(high, low))
    rows, columns = np.nonzero(HOLE_SETS[holes][:, None] & HOLE_SETS == 0)
    deals = np.column_stack([holes[rows], columns])
    renamings = np.arange(24)
    keys, mirrored_keys = np.empty(len(deals), np.int64), np.empty(len(deals), np.int64)
    fold_deals(deals, renamings, renamed_holes(), keys)
    fold_deals(np.ascontiguousarray(deals[:, ::-1]), renamings, renamed_holes(), mirrored_keys)
    return rows, columns, np.minimum(keys, mirrored_keys), mirrored_keys < keys


def _match_ups() -> tuple[I64, I64, I64, AnyArray]:
    """Rows and columns as in ``_keys``, with match-up numbers for keys."""
    rows, columns, keys, exchanged = _keys()
    _, numbers = np.unique(keys, return_inverse=True)
    return rows, columns, numbers, exchanged
