"""Preflop showdowns on all 1,712,304 boards without enumerating them.

Usually the ranks of a board alone decide. So boards are counted by the 6,188 multisets of their
ranks. Boards that give a player a flush are removed from the counts and played separately, by their
suited ranks and the ranks of their other cards; the rest is played by ranks. That takes some 50,000
table reads instead of 3.4 million hand evaluations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.equity.calculator.showdown_tables import (
    FIVE_SUITED,
    FOUR_SUITED,
    N_MULTISETS,
    TablesRecord,
)
from nlhe_env.equity.tables.cells import EVERY_SUIT, N_RANK_PAIRS, ONE_RANK, SUIT, rank_pair
from nlhe_env.jit.array_types import I32, I64, U16, Int
from nlhe_env.jit.compilation import allocating_kernel, kernel
from nlhe_env.numerics.bits import popcount

N_OFF = N_RANK_PAIRS + 14
"""Size of the scratch for the other cards of a flush board: pairs, single cards, none."""


class Scratch(NamedTuple):
    """Work arrays of a match-up."""

    ways: I64
    """``(13, 5)``."""
    n_off: I32
    """``(N_OFF,)``."""
    ranks: I64
    """``(n_players,)``."""
    flushes: I64
    """``(n_players,)``."""
    counts: I32
    """``(N_MULTISETS,)``."""


@allocating_kernel
def play_match_ups(
    rows: I64,
    first: Int,
    last: Int,
    sets: I64,
    holes: I64,
    dead: Int,
    tables: TablesRecord,
    histograms: I64,
) -> None:
    """Play match-ups ``first`` to ``last`` on all boards.

    Args:
        rows: ``(n, n_players)`` int64 numbers of the players' holdings, without repeated cards.
        first: The first match-up.
        last: One beyond the last match-up.
        sets: ``(1326,)`` holdings as sets of cards, by their number.
        holes: ``(1326, 2)`` cards of the holdings.
        dead: Set of dead cards.
        tables: ``ShowdownTables``.
        histograms: ``(n, n_players, n_players + 1)`` int64, filled in: the boards on which a
            player is one of m winners.
    """
    n_players = rows.shape[1]
    holdings = np.empty(n_players, np.int64)
    columns = np.empty(n_players, np.int64)
    scratch = Scratch(
        np.empty((13, 5), np.int64),
        np.empty(N_OFF, np.int32),
        np.empty(n_players, np.int64),
        np.empty(n_players, np.int64),
        np.empty(N_MULTISETS, np.int32),
    )
    for row in range(first, last):
        free = EVERY_SUIT & ~np.int64(dead)
        for player in range(n_players):
            number = rows[row, player]
            holdings[player] = sets[number]
            columns[player] = rank_pair(holes[number, 0] >> 2, holes[number, 1] >> 2)
            free &= ~sets[number]
        play_match_up(free, holdings, columns, tables, scratch, histograms[row])


@kernel
def play_match_up(
    free: Int,
    holdings: I64,
    columns: I64,
    tables: TablesRecord,
    scratch: Scratch,
    histogram: I64,
) -> None:
    """Play one match-up on all boards.

    Args:
        free: Set of possible board cards.
        holdings: ``(n_players,)`` int64 holdings as sets of cards.
        columns: ``(n_players,)`` int64 numbers of their ranks, see ``cells.rank_pair``.
        tables: ``ShowdownTables``.
        scratch: Work arrays with any content.
        histogram: ``(n_players, n_players + 1)`` int64 or larger, filled in: the boards on which a
            player is one of m winners.
    """
    histogram.fill(0)
    _count_boards(free, scratch.ways, scratch.counts)
    for suit in range(4):
        _play_flushes(suit, free, holdings, columns, tables, scratch, histogram)
    _play_ranks(scratch.counts, columns, tables["by_hole"], scratch.ranks, histogram)


@kernel
def _count_boards(free: Int, ways: I64, counts: I32) -> None:
    """Count the boards of each multiset of ranks."""
    for rank in range(13):
        n = popcount(free >> rank & ONE_RANK)
        ways[rank, 0] = 1
        for k in range(1, 5):
            ways[rank, k] = ways[rank, k - 1] * (n - k + 1) // k
    board = 0
    # Multisets in the order of their numbers: the highest rank changes last. A run of equal ranks
    # is counted at its end.
    for r4 in range(13):
        for r3 in range(r4 + 1):
            closed_3 = np.int64(1)
            run_3 = 2
            if r3 != r4:
                closed_3 = ways[r4, 1]
                run_3 = 1
            for r2 in range(r3 + 1):
                closed_2 = closed_3
                run_2 = run_3 + 1
                if r2 != r3:
                    closed_2 *= ways[r3, run_3]
                    run_2 = 1
                for r1 in range(r2 + 1):
                    closed_1 = closed_2
                    run_1 = run_2 + 1
                    if r1 != r2:
                        closed_1 *= ways[r2, run_2]
                        run_1 = 1
                    n_others = closed_1 * ways[r1, run_1]
                    for r0 in range(r1):
                        counts[board] = n_others * ways[r0, 1]
                        board += 1
                    counts[board] = closed_1 * ways[r1, run_1 + 1] if run_1 < 4 else 0
                    board += 1


@kernel
def _play_flushes(
    suit: Int,
    free: Int,
    holdings: I64,
    columns: I64,
    tables: TablesRecord,
    scratch: Scratch,
    histogram: I64,
) -> None:
    """Play the boards on which ``suit`` makes a flush, and subtract them from ``counts``."""
    _, n_off, ranks, flushes, counts = scratch
    boards = tables["flush_boards"]
    by_hole = tables["by_hole"]
    most = 0
    for player in range(len(holdings)):
        most = max(most, popcount(holdings[player] >> 16 * suit & SUIT))
    suited_free = free >> 16 * suit & SUIT
    off_free = free & ~(SUIT << 16 * suit)
    # The other cards beside the suited ones: two, one or none.
    pairs = n_off[:N_RANK_PAIRS]
    singles = n_off[N_RANK_PAIRS : N_RANK_PAIRS + 13]
    nothing = n_off[N_RANK_PAIRS + 13 :]
    nothing[0] = 1
    pair = 0
    for high in range(13):
        n_high = popcount(off_free >> high & ONE_RANK)
        singles[high] = n_high
        for low in range(high):
            pairs[pair] = n_high * singles[low]
            pair += 1
        pairs[pair] = n_high * (n_high - 1) >> 1
        pair += 1

    for size in range(5 - most, 6):
        number = 0
        suited = (1 << size) - 1
        while suited <= SUIT:
            if suited & ~suited_free == 0:
                for player in range(len(holdings)):
                    own = suited | holdings[player] >> 16 * suit & SUIT
                    flushes[player] = tables["flush"][own]  # 0 if none
                if size == 3:
                    some = boards[number * N_RANK_PAIRS : (number + 1) * N_RANK_PAIRS]
                    _play_some(some, pairs, flushes, columns, by_hole, ranks, counts, histogram)
                elif size == 4:
                    some = boards[FOUR_SUITED + number * 13 : FOUR_SUITED + (number + 1) * 13]
                    _play_some(some, singles, flushes, columns, by_hole, ranks, counts, histogram)
                else:
                    some = boards[FIVE_SUITED + number : FIVE_SUITED + number + 1]
                    _play_some(some, nothing, flushes, columns, by_hole, ranks, counts, histogram)
            # The next set of the same size: the highest rank of its lowest run moves up by one, and
            # the others of the run move to the bottom.
            lowest = suited & -suited
            moved = suited + lowest
            suited = moved | (suited ^ moved) >> popcount(lowest - 1) + 2
            number += 1


@kernel
def _play_some(
    boards: U16,
    n_boards: I32,
    flushes: I64,
    columns: I64,
    by_hole: U16,
    ranks: I64,
    counts: I32,
    histogram: I64,
) -> None:
    """Play multisets of ranks with the given flushes, and subtract them from ``counts``."""
    for i in range(len(boards)):
        counts[boards[i]] -= n_boards[i]
    if len(columns) == 2:
        _play_two(boards, n_boards, flushes, columns, by_hole, histogram)
        return
    for i in range(len(boards)):
        if n_boards[i] > 0:
            for player in range(len(columns)):
                ranks[player] = flushes[player]
                if ranks[player] == 0:
                    ranks[player] = by_hole[columns[player], boards[i]]
            add_winners(ranks, n_boards[i], histogram)


@kernel
def _play_two(
    boards: U16, n_boards: I32, flushes: I64, columns: I64, by_hole: U16, histogram: I64
) -> None:
    """Play the boards for two players, at least one with a flush."""
    n_all = np.int64(0)
    for i in range(len(boards)):
        n_all += n_boards[i]
    if flushes[0] > 0 and flushes[1] > 0:
        if flushes[0] == flushes[1]:
            histogram[0, 2] += n_all
            histogram[1, 2] += n_all
        else:
            histogram[np.int64(flushes[1] > flushes[0]), 1] += n_all
        return
    # A full house or better beats the only flush.
    flushed = np.int64(flushes[1] > 0)
    column = by_hole[columns[1 - flushed]]
    flush = flushes[flushed]
    n_lost = np.int64(0)
    for i in range(len(boards)):
        n_lost += n_boards[i] * np.int64(column[boards[i]] > flush)
    histogram[flushed, 1] += n_all - n_lost
    histogram[1 - flushed, 1] += n_lost


@kernel
def _play_ranks(counts: I32, columns: I64, by_hole: U16, ranks: I64, histogram: I64) -> None:
    """Play the boards without a flush for any player."""
    if len(columns) == 2:
        first = by_hole[columns[0]]
        second = by_hole[columns[1]]
        n_all = np.int64(0)
        n_won = np.int64(0)
        n_tied = np.int64(0)
        for board in range(N_MULTISETS):
            n_all += counts[board]
            n_won += counts[board] * np.int32(first[board] > second[board])
            n_tied += counts[board] * np.int32(first[board] == second[board])
        histogram[0, 1] += n_won
        histogram[1, 1] += n_all - n_won - n_tied
        histogram[0, 2] += n_tied
        histogram[1, 2] += n_tied
        return
    for board in range(N_MULTISETS):
        if counts[board] > 0:
            for player in range(len(columns)):
                ranks[player] = by_hole[columns[player], board]
            add_winners(ranks, counts[board], histogram)


@kernel
def add_winners(ranks: I64, count: Int, histogram: I64) -> None:
    """Add ``count`` deals to the histogram of winners."""
    best = np.int64(-1)
    n_best = 0
    for player in range(len(ranks)):
        if ranks[player] > best:
            best = ranks[player]
            n_best = 1
        elif ranks[player] == best:
            n_best += 1
    for player in range(len(ranks)):
        if ranks[player] == best:
            histogram[player, n_best] += count
