"""Heads-up hold'em deals, assigned to buckets."""

from __future__ import annotations

import numpy as np

from agents.books.blueprint.sampling_arrays import SampledDeals
from agents.books.blueprint.streams import CARDS, next_unit, start_stream
from agents.players.blueprint.card_buckets import N_STREETS, CardBuckets, card_bucket
from nlhe_env.cards import N_CARDS
from nlhe_env.equity import StrengthTables
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.equity.tables.lookup import StrengthTablesRecord
from nlhe_env.evaluator.ranks import rank_set
from nlhe_env.jit.array_types import F32, I64, Int
from nlhe_env.jit.compilation import kernel


class HoldemCards:
    """Source of hold'em deals.

    Args:
        buckets: Number of buckets on every street.
        tables: The exact strength tables.
        seed: Seed of the cards.
    """

    def __init__(self, buckets: CardBuckets, tables: StrengthTables, *, seed: int = 0) -> None:
        self.buckets = buckets
        self.counts = buckets.counts
        self._tables = tables
        self._seed = seed
        self._steps = np.array(buckets.steps, np.int64)
        most = max(len(edges) for edges in buckets.edges)
        self._edges = np.zeros((len(buckets.edges), most), np.float32)
        for row, edges in zip(self._edges, buckets.edges, strict=True):
            row[: len(edges)] = edges
        self._cards = np.zeros(9, np.int64)

    def deal(self, first: int, deals: SampledDeals) -> None:
        """Fill the deals numbered from ``first`` on."""
        seed = np.uint64(self._seed)
        _deal(first, seed, self._steps, self._edges, self._tables, self._cards, deals)


@kernel
def _deal(
    first: Int,
    seed: Int,
    steps: I64,
    edges: F32,
    tables: StrengthTablesRecord,
    cards: I64,
    deals: SampledDeals,
) -> None:
    for i in range(len(deals.outcomes)):
        state = start_stream(seed, CARDS, first + i)
        dealt = np.int64(0)
        n = 0
        while n < 9:
            state, u = next_unit(state)
            card = np.int64(N_CARDS * u)
            bit = np.int64(card_bit(card))
            if dealt & bit == 0:
                dealt |= bit
                cards[n] = card
                n += 1
        board = cards[4:]
        on_board = np.int64(0)
        for k in range(5):
            on_board |= np.int64(card_bit(board[k]))
        ranks = (np.int64(0), np.int64(0))
        for player in range(2):
            high, low = cards[2 * player], cards[2 * player + 1]
            for street in range(N_STREETS):
                j = max(street - 1, 0)
                deals.buckets[i, player, street] = card_bucket(
                    high, low, board, street, steps[j, 0], steps[j, 1], edges[j], tables
                )
            hole = np.int64(card_bit(high)) | np.int64(card_bit(low))
            ranks = (ranks[1], np.int64(rank_set(on_board | hole)))
        deals.outcomes[i] = np.sign(ranks[0] - ranks[1])
