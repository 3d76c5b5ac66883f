"""Card buckets of blueprints, computed from the exact strength tables.

Before the flop there are the 169 classes of hole cards. On the flop and the turn, hands are divided
into steps by the mean square of their strength on the river, and within each step by the mean: of
two hands with the same mean, the more volatile one has the larger mean square. That is percentile
bucketing by E[HS^2] and E[HS] (M. Johanson, N. Burch, R. Valenzano, M. Bowling, "Evaluating
State-Space Abstractions in Extensive-Form Games", AAMAS 2013, section 4). On the river only the
equity counts. Earlier buckets are forgotten (imperfect recall).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.equity import StrengthTables
from nlhe_env.equity.tables.cells import preflop_class
from nlhe_env.equity.tables.lookup import StrengthTablesRecord, hand_equity, win_or_tie_probability
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.table import FLOP, PREFLOP
from nlhe_env.jit.array_types import F32, F64, I64, AnyArray, Float, Int
from nlhe_env.jit.compilation import kernel

N_STREETS = 4
_SHARPNESS = 1.5
"""Steps are narrower at the strong end: the best of n steps holds ``n ** -1.5`` of all hands."""


class Steps(NamedTuple):
    """Number of bins per street."""

    main: int
    """Steps by the mean square of the strength, on the river by the equity."""
    within: int
    """Parts of each step by the mean strength; 1 on the river."""


@kernel
def measures(
    hole_0: Int, hole_1: Int, board: AnyArray, n_board: Int, tables: StrengthTablesRecord
) -> tuple[Float, Float]:
    """Measures of a post-flop hand: for its step, and for its part of the step.

    Args:
        hole_0: Code of the first hole card.
        hole_1: Code of the second hole card.
        board: 1-D integer array of at least ``n_board`` card codes.
        n_board: 3 to 5.
        tables: ``StrengthTables``.
    """
    if n_board == 5:
        equity = hand_equity(hole_0, hole_1, board, n_board, 1, tables)
        return equity, equity
    # Against two opponents the table averages the square of the win-or-tie probability against one.
    square = win_or_tie_probability(hole_0, hole_1, board, n_board, 2, tables)
    return square, win_or_tie_probability(hole_0, hole_1, board, n_board, 1, tables)


@kernel
def find_step(edges: F32, first: Int, count: Int, value: Float) -> Int:
    """Number of edges not above a value, among ``count`` ascending ones from ``first`` on."""
    low, high = np.int64(0), np.int64(count)
    while low < high:
        middle = (low + high) >> 1
        if edges[first + middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def card_bucket(
    hole_0: Int,
    hole_1: Int,
    board: AnyArray,
    street: Int,
    main: Int,
    within: Int,
    edges: F32,
    tables: StrengthTablesRecord,
) -> Int:
    """Bucket number of a hand on a street.

    Args:
        hole_0: Code of the first hole card.
        hole_1: Code of the second hole card.
        board: 1-D integer array of the board's card codes.
        street: 0 to 3.
        main: ``Steps.main`` of the street.
        within: ``Steps.within``.
        edges: ``(n,)`` float32 of the street, as in ``Edges``.
        tables: ``StrengthTables``.
    """
    if street == PREFLOP:
        return np.int64(preflop_class(np.int64(hole_0), np.int64(hole_1)))
    first, second = measures(hole_0, hole_1, board, street + 2, tables)
    step = find_step(edges, 0, main - 1, np.float32(first))
    edge = main - 1 + step * (within - 1)
    return step * within + find_step(edges, edge, within - 1, np.float32(second))


class CardBuckets:
    """The buckets of every street.

    Args:
        steps: Steps on the flop, turn and river.
        edges: For the same streets, float32: ``main - 1`` ascending edges between the steps, then
            ``within - 1`` for each step.
    """

    def __init__(self, steps: tuple[Steps, ...], edges: tuple[F32, ...]) -> None:
        self.steps = steps
        self.edges = edges

    @classmethod
    def of(cls, steps: tuple[Steps, ...], tables: StrengthTables, *, samples: int) -> CardBuckets:
        """Buckets by quantiles of random hands; the result is deterministic.

        Args:
            steps: Steps on the flop, turn and river.
            tables: The exact strength tables.
            samples: Hands dealt for each street.
        """
        edges = []
        for street, wanted in enumerate(steps, FLOP):
            found = np.empty((samples, 2))
            _fill_measures(_random_cards(samples, street), street, tables, found)
            edges.append(_edges(found.astype(np.float32), wanted))
        return cls(steps, tuple(edges))

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of buckets of every street."""
        return (N_PREFLOP, *(steps.main * steps.within for steps in self.steps))


def _random_cards(samples: int, street: int) -> AnyArray:
    """``(samples, 7)`` different cards."""
    generator = np.random.default_rng(street)
    return generator.permuted(np.tile(np.arange(N_CARDS), (samples, 1)), axis=1)[:, :7]


@kernel
def _fill_measures(cards: I64, street: Int, tables: StrengthTablesRecord, found: F64) -> None:
    """Write the ``measures`` of many hands."""
    for i in range(len(cards)):
        hand = cards[i]
        found[i, 0], found[i, 1] = measures(hand[0], hand[1], hand[2:], street + 2, tables)


def _edges(found: F32, steps: Steps) -> F32:
    main = _quantiles(found[:, 0], _places(steps.main, _SHARPNESS))
    step = np.searchsorted(main, found[:, 0], side="right")
    within = [
        _quantiles(found[step == i, 1], _places(steps.within, 1.0)) for i in range(steps.main)
    ]
    return np.concatenate([main, *within])


def _places(count: int, sharpness: float) -> F64:
    """``(count - 1,)`` quantile levels of the edges."""
    above = 1.0 - np.arange(1, count) / count
    places: F64 = 1.0 - above**sharpness
    return places


def _quantiles(values: F32, places: F64) -> F32:
    """Quantiles of values; zeros if there are none."""
    if len(values) == 0:
        return np.zeros(len(places), np.float32)
    return np.sort(values)[(places * len(values)).astype(np.int64)]
