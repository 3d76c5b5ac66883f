"""Mean shares of a pot for its eligible hands, over all future boards.

All hands and all dead cards are known, and results are exact. Before the flop, two hands without
dead cards are looked up (``preflop_pairs``). More hands or dead cards are counted by the rank
multisets of the boards, with a cache of recent results, because duplicate tables repeat them. On
the flop and the turn all boards are enumerated.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from nlhe_env.equity.all_in.preflop_pairs import (
    N_BOARDS,
    PREFLOP_PAIRS,
    count_pair,
    preflop_pairs,
)
from nlhe_env.equity.calculator.match_ups import N_OFF, Scratch, add_winners, play_match_up
from nlhe_env.equity.calculator.showdown_tables import N_MULTISETS, TABLES, showdown_tables
from nlhe_env.equity.tables.cells import EVERY_SUIT, card_bit, rank_pair
from nlhe_env.evaluator import rank_sets
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.jit.array_types import I64, Int, Record
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer
from nlhe_env.numerics.bits import popcount

_KEPT = 1 << 12
_MOST_KEPT_HANDS = 3
_KEY = 1 + _MOST_KEPT_HANDS
_ROW = _KEY + _MOST_KEPT_HANDS * (_MOST_KEPT_HANDS + 1)

_MOST_BOARDS = 990
"""Number of boards with a given flop, C(45,2), for two known hands."""

COUNTER = np.dtype(
    [
        ("pairs", np.int64),  # address of a record of PREFLOP_PAIRS
        ("showdowns", np.int64),  # address of ShowdownTables
        ("knows_folded", np.int64),  # 1 where the cards of folded hands are known
        # The question.
        ("n", np.int64),  # hands
        ("cards", np.int64, (MAX_SEATS, 2)),
        ("board", np.int64),  # open cards, as a set
        ("dead", np.int64),  # other cards that cannot come, as a set
        # The answer: boards on which a hand is one of m winners, and shares of the pot.
        ("histogram", np.int64, (MAX_SEATS, MAX_SEATS + 1)),
        ("share", np.float64, (MAX_SEATS,)),
        # Scratch.
        ("sets", np.int64, (MAX_SEATS,)),
        ("columns", np.int64, (MAX_SEATS,)),
        ("ranks", np.int64, (MAX_SEATS,)),
        ("flushes", np.int64, (MAX_SEATS,)),
        ("ways", np.int64, (13, 5)),
        ("n_off", np.int32, (N_OFF,)),
        ("counts", np.int32, (N_MULTISETS,)),
        ("boards", np.int64, (_MOST_BOARDS,)),
        ("hands", np.int64, (_MOST_BOARDS,)),
        ("ranks_on", np.int64, (MAX_SEATS, _MOST_BOARDS)),
        # Answers before the flop: cards that cannot come and hands, then the histogram.
        ("kept", np.int64, (_KEPT, _ROW)),
    ],
    align=True,
)
"""Input and result of a share computation, with its tables and scratch; one per thread."""
CounterRecord: TypeAlias = Record
"""A record of dtype ``COUNTER``."""

_pairs_at = record_pointer(PREFLOP_PAIRS)
_showdowns_at = record_pointer(TABLES)


def new_counter(*, knows_folded: bool = True) -> I64:
    """A counter as int64 words, valid in this process; ``COUNTER`` is its layout."""
    records = np.zeros(1, COUNTER)
    records["knows_folded"] = knows_folded
    records["pairs"] = preflop_pairs()["wins"].ctypes.data
    records["showdowns"] = showdown_tables()["by_board"].ctypes.data
    return records.view(np.int64)


@kernel
def find_shares(counter: CounterRecord) -> None:
    """Write the shares for the input of a counter, in [0, 1] and with sum 1."""
    n = counter.n
    if counter.board == 0 and counter.dead == 0 and n == 2:
        pairs = _pairs_at(counter.pairs)
        cards = counter.cards
        wins, ties = count_pair(cards[0, 0], cards[0, 1], cards[1, 0], cards[1, 1], pairs)
        counter.share[0] = (wins + 0.5 * ties) / N_BOARDS
        counter.share[1] = (N_BOARDS - wins - 0.5 * ties) / N_BOARDS
        return
    free = EVERY_SUIT & ~(counter.board | counter.dead)
    for i in range(n):
        high, low = counter.cards[i, 0], counter.cards[i, 1]
        counter.sets[i] = card_bit(high) | card_bit(low)
        counter.columns[i] = rank_pair(high >> 2, low >> 2)
        free &= ~counter.sets[i]
    if counter.board == 0:
        _count_before_flop(counter, n, free)
    else:
        _deal(counter, n, free)
    _share(counter, n)


@kernel
def _share(counter: CounterRecord, n: Int) -> None:
    everything = 0.0
    for i in range(n):
        # A board with m winners is counted once for each of them.
        share = 0.0
        for m in range(1, n + 1):
            share += counter.histogram[i, m] / m
        counter.share[i] = share
        everything += share
    for i in range(n):
        counter.share[i] /= everything


@kernel
def _deal(counter: CounterRecord, n: Int, free: Int) -> None:
    """Count all boards that complete three or more open cards."""
    boards = counter.boards
    n_boards = _complete(counter.board, free, boards)
    hands = counter.hands[:n_boards]
    for i in range(n):
        for b in range(n_boards):
            hands[b] = boards[b] | counter.sets[i]
        rank_sets(hands, counter.ranks_on[i, :n_boards])
    histogram = counter.histogram
    if n == 2:
        won, tied = np.int64(0), np.int64(0)
        for b in range(n_boards):
            won += np.int64(counter.ranks_on[0, b] > counter.ranks_on[1, b])
            tied += np.int64(counter.ranks_on[0, b] == counter.ranks_on[1, b])
        histogram[0, 1], histogram[1, 1] = won, n_boards - won - tied
        histogram[0, 2] = histogram[1, 2] = tied
        return
    ranks = counter.ranks[:n]
    histogram.fill(0)
    for b in range(n_boards):
        for i in range(n):
            ranks[i] = counter.ranks_on[i, b]
        add_winners(ranks, 1, histogram)


@kernel
def _complete(board: Int, free: Int, boards: I64) -> Int:
    """Write all complete boards from three or more open cards; returns their number."""
    n_boards = 0
    n_to_come = 5 - popcount(board)
    if n_to_come == 0:
        boards[0] = board
        return 1
    while free:
        card = free & -free
        free &= free - 1
        if n_to_come == 1:
            boards[n_boards] = board | card
            n_boards += 1
        second_cards = free if n_to_come == 2 else np.int64(0)
        while second_cards:
            boards[n_boards] = board | card | second_cards & -second_cards
            second_cards &= second_cards - 1
            n_boards += 1
    return n_boards


@kernel
def _count_before_flop(counter: CounterRecord, n: Int, free: Int) -> None:
    if n > _MOST_KEPT_HANDS:
        _count_match_up(counter, n, free)
        return
    # Each cache slot keeps the last result.
    key = counter.dead
    for i in range(n):
        key = (key ^ key >> 29 ^ counter.sets[i]) * np.int64(0x2545F4914F6CDD1D)
    place = (key >> 40) & (_KEPT - 1)
    row = counter.kept[place]
    known = row[0] == counter.dead
    for i in range(_MOST_KEPT_HANDS):
        known &= row[1 + i] == (counter.sets[i] if i < n else 0)
    if not known:
        _count_match_up(counter, n, free)
        row[0] = counter.dead
        for i in range(_MOST_KEPT_HANDS):
            row[1 + i] = counter.sets[i] if i < n else 0
        for i in range(n):
            for m in range(n + 1):
                row[_KEY + i * (n + 1) + m] = counter.histogram[i, m]
        return
    for i in range(n):
        for m in range(n + 1):
            counter.histogram[i, m] = row[_KEY + i * (n + 1) + m]


@kernel
def _count_match_up(counter: CounterRecord, n: Int, free: Int) -> None:
    play_match_up(
        free,
        counter.sets[:n],
        counter.columns[:n],
        _showdowns_at(counter.showdowns),
        Scratch(
            counter.ways, counter.n_off, counter.ranks[:n], counter.flushes[:n], counter.counts
        ),
        counter.histogram,
    )
