"""Card buckets of hold'em and transitions between them, estimated from many deals.

Both hands of every deal are followed to the river, so that transitions are as accurate as the
number of deals allows: with 100,000 deals, a probability of 5% has an error of some 0.1%.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from agents.policy.spots import class_sizes
from agents.theses.billings.pseudo_optimal.book import N_MODEL_STREETS, Buckets
from agents.theses.billings.pseudo_optimal.bucket_game import Network
from agents.theses.billings.pseudo_optimal.player import strength_and_potential
from nlhe_env.assessment.potential_kernels import SCRATCH
from nlhe_env.cards import N_CARDS
from nlhe_env.equity import StrengthTables
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.equity.tables.lookup import StrengthTablesRecord
from nlhe_env.equity.tables.store import load_preflop
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.evaluator.ranks import rank_set
from nlhe_env.jit.array_types import F32, F64, I64, Bool, Float, Records
from nlhe_env.jit.compilation import kernel

_CUTS = ((0.0, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1.0), (0.0, 0.30, 0.50, 0.67, 0.80, 0.92, 1.0))
"""Shares of hands below the edges of six ordered buckets, which are narrower at the strong end, as
in the thesis; the numbers are ours. Other bucket counts are interpolated linearly."""
WEAK = 0.6
POTENTIAL = 0.2
_SEED = 2006


class Deals(NamedTuple):
    """Two hands and a board, ``n`` times; axes are deals, players, streets from the flop on."""

    classes: I64
    """``(n, 2)`` hole-card classes."""
    strengths: F32
    """``(n, 2, 3)`` equity against a random hand."""
    draws: Bool
    """``(n, 2, 3)`` whether a hand is weak and has potential."""
    outcomes: I64
    """``(n,)`` 1 if the first hand wins, 0 for ties, -1 if it loses."""

    @classmethod
    def at_random(cls, count: int, tables: StrengthTables) -> Deals:
        """Deterministic sample of deals, each used for both assignments of the hands.

        Args:
            count: Number of deals.
            tables: The exact strength tables.
        """
        generator = np.random.default_rng(_SEED)
        cards = generator.permuted(np.tile(np.arange(N_CARDS), (count, 1)), axis=1)[:, :9]
        classes = np.zeros((count, 2), np.int64)
        measured = np.zeros((count, 2, N_MODEL_STREETS, 2), np.float32)
        outcomes = np.zeros(count, np.int64)
        scratch = np.zeros(1, SCRATCH)
        _measure(cards, WEAK, tables, scratch, classes, measured, outcomes)
        draws = measured[..., 1] >= POTENTIAL
        return cls(
            np.concatenate([classes, classes[:, ::-1]]),
            np.concatenate([measured[..., 0], measured[:, ::-1, :, 0]]),
            np.concatenate([draws, draws[:, ::-1]]),
            np.concatenate([outcomes, -outcomes]),
        )


@kernel
def _measure(
    cards: I64,
    weak: Float,
    tables: StrengthTablesRecord,
    scratch: Records,
    classes: I64,
    measured: F32,
    outcomes: I64,
) -> None:
    for i in range(len(cards)):
        board = cards[i, 4:]
        on_board = np.int64(0)
        for k in range(5):
            on_board |= card_bit(board[k])
        first_rank = np.int64(0)
        for player in range(2):
            hole_0, hole_1 = cards[i, 2 * player], cards[i, 2 * player + 1]
            classes[i, player] = preflop_class(hole_0, hole_1)
            for street in range(3):
                strength, positive = strength_and_potential(
                    hole_0, hole_1, board, street + 3, weak, tables, scratch[0]
                )
                measured[i, player, street, 0] = strength
                measured[i, player, street, 1] = positive
            rank = np.int64(rank_set(on_board | card_bit(hole_0) | card_bit(hole_1)))
            if player == 0:
                first_rank = rank
            else:
                outcomes[i] = np.int64(first_rank > rank) - np.int64(first_rank < rank)


def cuts(count: int) -> F64:
    """``(count - 1,)`` shares of hands below the edges of ordered buckets."""
    return np.interp(np.arange(1, count) / count, *_CUTS)


def find_buckets(deals: Deals, count: int, parts: int) -> Buckets:
    """Buckets of every street, with edges at the quantiles of ``cuts``.

    Args:
        deals: The sampled deals.
        count: Number of buckets, including one for draws, which the river omits.
        parts: Number of equally frequent parts of each bucket.
    """
    edges, within = [], []
    for street in range(N_MODEL_STREETS):
        strengths = deals.strengths[:, :, street].ravel()
        sorted_strengths = np.sort(strengths)
        edges.append(sorted_strengths[(cuts(count - 1) * len(strengths)).astype(np.int64)])
        numbers = _numbers(deals, edges[-1], street, count).ravel()
        n = count - (street == N_MODEL_STREETS - 1)
        places = np.arange(1, parts) / parts
        within.append(np.zeros((n, parts - 1), np.float32))
        for bucket in range(n):
            inside = np.sort(strengths[numbers == bucket])
            if len(inside) > 0:
                within[-1][bucket] = inside[(places * len(inside)).astype(np.int64)]
    return Buckets(tuple(edges), tuple(within), WEAK, POTENTIAL)


def _numbers(deals: Deals, edges: F32, street: int, count: int) -> I64:
    """``(n, 2)`` bucket of each hand on a street."""
    found = np.searchsorted(edges, deals.strengths[:, :, street], side="right")
    return np.where(deals.draws[:, :, street], count - 1, found)


def numbers_of(deals: Deals, buckets: Buckets) -> I64:
    """``(n, 2, 3)`` bucket of each hand on every street."""
    count = buckets.counts[0]
    streets = [_numbers(deals, edges, i, count) for i, edges in enumerate(buckets.edges)]
    return np.stack(streets, axis=2)


def preflop_buckets(count: int) -> tuple[I64, F64]:
    """Assignment of hole-card classes to ordered buckets.

    Returns:
        ``(169,)`` bucket of each class, by its midpoint; ``(169, 2)`` interval of each class within
        its bucket, 0 the weakest.
    """
    sizes = class_sizes().astype(np.float64) / N_HOLES
    order = np.argsort(load_preflop()["hand_equities"][:, 0], kind="stable")
    end = np.cumsum(sizes[order])
    middle = end - sizes[order] / 2
    buckets = np.zeros(len(sizes), np.int64)
    buckets[order] = np.searchsorted(cuts(count), middle, side="right")
    places = np.zeros((len(sizes), 2))
    for bucket in range(count):
        inside = order[buckets[order] == bucket]
        share = sizes[inside] / sizes[inside].sum()
        places[inside, 1] = np.cumsum(share)
        places[inside, 0] = places[inside, 1] - share
    return buckets, places


def network(
    numbers: I64, outcomes: I64, counts: Sequence[int], weights: F64 | None = None
) -> Network:
    """Transitions between pairs of buckets.

    Args:
        numbers: ``(n, 2, streets)`` buckets of both hands.
        outcomes: ``(n,)`` showdown results.
        counts: Number of buckets on each street.
        weights: ``(n,)`` weights of the deals on the first street; later transitions depend only on
            the pair of buckets.
    """
    start = _count_pairs(numbers[:, :, 0], counts[0], weights)
    steps = []
    for street in range(1, len(counts)):
        n, m = counts[street - 1], counts[street]
        before = numbers[:, 0, street - 1] * n + numbers[:, 1, street - 1]
        after = numbers[:, 0, street] * m + numbers[:, 1, street]
        met = np.bincount(before * m * m + after, minlength=n * n * m * m).reshape(n * n, m * m)
        total = met.sum(axis=1, keepdims=True)
        steps.append((met / np.maximum(total, 1)).reshape(n, n, m, m))
    shown = _count_pairs(numbers[:, :, -1], counts[-1])
    won = _count_pairs(numbers[:, :, -1], counts[-1], outcomes.astype(np.float64))
    outcome = won / np.where(shown > 0, shown, 1)
    return Network(start / start.sum(), tuple(steps), outcome)


def _count_pairs(numbers: I64, count: int, weights: F64 | None = None) -> F64:
    pairs = numbers[:, 0] * count + numbers[:, 1]
    found: F64 = np.bincount(pairs, weights, count * count).astype(np.float64)
    return found.reshape(count, count)
