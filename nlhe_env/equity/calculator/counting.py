"""Equity counted over all deals.

- Before the flop, suit-isomorphic holdings are one match-up, which is played on multisets of ranks
  (``match_ups``).
- From the flop on, isomorphic boards are counted once with their number, for renamings of suits
  that preserve all ranges, the open board and the dead cards.
- Two ranges are not compared pair by pair. On each board all holdings are ranked and sorted once;
  the holdings beaten by one that share no card with it are ``all weaker ones - those with its
  first card - those with its second``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.equity.calculator import match_ups
from nlhe_env.equity.calculator import open_boards as calculator_kernels
from nlhe_env.equity.calculator.open_boards import Boards, Holdings
from nlhe_env.equity.calculator.showdown_tables import showdown_tables
from nlhe_env.equity.calculator.spot import (
    HOLE_SETS,
    HOLES,
    IMPOSSIBLE,
    RANK_PAIRS,
    Spot,
    renamed_holes,
    set_of,
)
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.jit.array_types import F64, I64, AnyArray
from nlhe_env.system.threads import Span, Threads, spans

# Core-seconds on a machine of 2026, for deciding feasibility and the division of the work.
_MOST_S = 6.0
"""Maximum core-seconds for exact counting."""
_S_A_SPAN = 0.0005
"""Core-seconds of work per task of a thread."""
_WORTH_FOLDING_S = 0.0015
_S_A_MATCH_UP = 0.00012
_S_A_MATCH_UP_OF_MANY = 0.0003
"""Core-seconds per player of a match-up of three or more players."""
_S_IN_PLAY_HAND = 1.5e-9
_S_IN_PLAY_RANGES = 12e-9
_S_IN_PLAY_DEALS = 20e-9
_S_A_BOARD = 20e-9

_MOST_PAIRS = N_HOLES**2
_MOST_LISTED = 200_000
"""Maximum combinations of holdings to list for three or more players."""
_MOST_FOLDED_PLAYERS = 6
"""Maximum players: the number of a deal, below ``1326 ** n_players``, must fit into 63 bits."""
_MOST_SPANS = 64


class Count(NamedTuple):
    """All deals of a spot."""

    totals: F64
    """``(n_players, n_players + 1)`` weight of the deals in which a player is one of m winners."""
    n_deals: int


def count(spot: Spot, threads: Threads) -> Count | None:
    """Count of all deals, or None if that would take too long.

    Raises:
        ValueError: There is no possible deal.
    """
    if not spot.board:
        return _count_before_flop(spot, threads)
    if spot.n_players > 2:
        return _count_many(spot, threads)
    for hand in 0, 1:
        if len(spot.holdings[hand]) == 1:
            return _count_hand(spot, hand, threads)
    return _count_ranges(spot, threads)


# -------------------------------------------------------------------------------- before the flop


def _count_before_flop(spot: Spot, threads: Threads) -> Count | None:
    n_players = spot.n_players
    deals = spot.deals(_MOST_PAIRS if n_players == 2 else _MOST_LISTED)
    if deals is None:
        return None
    n_deals = len(deals) * spot.n_boards
    # Weights in seat order, and for match-ups of two with exchanged seats.
    weights = exchanged = spot.deal_weights(deals)
    if len(deals) > 1 and n_players <= _MOST_FOLDED_PLAYERS:
        deals, weights, exchanged = _fold(spot, deals, weights)
    cost_s = _S_A_MATCH_UP if n_players == 2 else _S_A_MATCH_UP_OF_MANY * n_players
    if cost_s * len(deals) > _MOST_S:
        return None

    histograms = np.empty((len(deals), n_players, n_players + 1), np.int64)
    dead = set_of(spot.dead)
    tables = showdown_tables()

    def task(span: Span) -> None:
        match_ups.play_match_ups(deals, *span, HOLE_SETS, HOLES, dead, tables, histograms)

    list(threads.map(task, spans(0, len(deals), min(len(deals) // 2 + 1, _MOST_SPANS))))
    totals = (weights[:, None, None] * histograms).sum(axis=0)
    if exchanged is not weights:
        totals += (exchanged[:, None, None] * histograms[:, ::-1]).sum(axis=0)
    return Count(totals, n_deals)


def _fold(spot: Spot, deals: I64, weights: F64) -> tuple[I64, F64, F64]:
    """One deal of each class of suit-isomorphic deals, and their weights."""
    n_players = deals.shape[1]
    renamings = spot.renamings_of_dead()
    keys = np.empty(len(deals), np.int64)
    calculator_kernels.fold_deals(deals, renamings, renamed_holes(), keys)
    is_exchanged = np.zeros(len(deals), np.bool_)
    if n_players == 2:
        # A against B is B against A with exchanged seats.
        mirrored_keys = np.empty_like(keys)
        calculator_kernels.fold_deals(deals[:, ::-1], renamings, renamed_holes(), mirrored_keys)
        is_exchanged = mirrored_keys < keys
        keys = np.minimum(keys, mirrored_keys)
    kept, places = np.unique(keys, return_inverse=True)
    folded = np.column_stack([kept // N_HOLES**seat % N_HOLES for seat in range(n_players)])
    folded = np.ascontiguousarray(folded, np.int64)

    def total(counted: AnyArray) -> F64:
        return np.bincount(places, np.where(counted, weights, 0.0), len(kept)).astype(np.float64)

    as_they_are = total(~is_exchanged)
    exchanged = as_they_are
    if is_exchanged.any():
        exchanged = total(is_exchanged)
    return folded, as_they_are, exchanged


# ---------------------------------------------------------------------------------- on open boards


def _boards(spot: Spot, free: I64, cost_s: float) -> tuple[Boards, int]:
    """Folded boards of a spot, and the number of parts of the work on them.

    ``cost_s``, the core-seconds of all boards, decides both.
    """
    boards = np.zeros(1, np.int64)
    for k in range(1, spot.n_to_come + 1):
        # A board of k cards is its last card and k - 1 lower ones, which come first.
        boards = np.concatenate(
            [boards[: math.comb(i, k - 1)] | free[i] for i in range(k - 1, len(free))]
        )
    counts = np.ones(len(boards), np.int64)
    if cost_s > _WORTH_FOLDING_S and len(boards) > 1:
        renamings = spot.renamings()
        n_kept = calculator_kernels.fold_boards(boards, counts, renamings)
        boards, counts = boards[:n_kept], counts[:n_kept]
        cost_s /= len(renamings)
    n_spans = max(1, min(int(cost_s / _S_A_SPAN), _MOST_SPANS))
    return Boards(boards | set_of(spot.board), counts), n_spans


def _count_hand(spot: Spot, hand: int, threads: Threads) -> Count:
    """Count a single holding, of player ``hand``, against a range."""
    held = int(spot.holdings[hand][0])
    opposing = spot.holdings[1 - hand]
    possible = HOLE_SETS[opposing] & HOLE_SETS[held] == 0
    opposing = opposing[possible]
    weights = spot.weights[1 - hand][possible]
    if not len(opposing):
        raise ValueError(IMPOSSIBLE)
    holdings = Holdings(HOLE_SETS[opposing], RANK_PAIRS[opposing], weights)
    free = spot.free_cards()
    n_boards = math.comb(len(free), spot.n_to_come)
    boards, n_spans = _boards(spot, free, n_boards * (_S_A_BOARD + _S_IN_PLAY_HAND * len(opposing)))
    tables = showdown_tables()

    def task(span: Span) -> F64:
        totals = np.zeros((2, 3))
        calculator_kernels.play_hand(
            HOLE_SETS[held], RANK_PAIRS[held], holdings, boards, *span, tables, totals
        )
        return totals

    totals = sum(threads.map(task, spans(0, len(boards.sets), n_spans)), np.zeros(()))
    return Count(totals[::-1] if hand else totals, len(opposing) * spot.n_boards)


def _count_ranges(spot: Spot, threads: Threads) -> Count | None:
    n_pairs = _n_compatible(*spot.holdings)
    if n_pairs == 0:
        raise ValueError(IMPOSSIBLE)
    either = np.union1d(*spot.holdings)
    weights = np.zeros((len(either), 2))
    for player in 0, 1:
        places = np.searchsorted(either, spot.holdings[player])
        weights[places, player] = spot.weights[player]
    free = spot.free_cards()
    n_boards = math.comb(len(free), spot.n_to_come)
    boards, n_spans = _boards(spot, free, n_boards * _S_IN_PLAY_RANGES * len(either))
    holdings = Holdings(HOLE_SETS[either], RANK_PAIRS[either], weights)
    tables = showdown_tables()

    def task(span: Span) -> F64:
        totals = np.zeros((2, 3))
        calculator_kernels.play_ranges(HOLES[either], holdings, boards, *span, tables, totals)
        return totals

    totals = sum(threads.map(task, spans(0, len(boards.sets), n_spans)), np.zeros(()))
    return Count(totals, n_pairs * spot.n_boards)


def _n_compatible(holdings: I64, opposing: I64) -> int:
    """Number of pairs of holdings without a common card."""
    n_with_card = [
        np.bincount(HOLES[held].ravel(), minlength=N_CARDS) for held in (holdings, opposing)
    ]
    # Pairs of identical holdings have been subtracted twice.
    n_same = len(np.intersect1d(holdings, opposing))
    return len(holdings) * len(opposing) - int(n_with_card[0] @ n_with_card[1]) + n_same


def _count_many(spot: Spot, threads: Threads) -> Count | None:
    """Count three players or more, by listing their holdings."""
    deals = spot.deals(_MOST_LISTED)
    if deals is None:
        return None
    free = spot.free_cards()
    cost_s = math.comb(len(free), spot.n_to_come) * deals.size * _S_IN_PLAY_DEALS
    if cost_s > 24 * _MOST_S:
        return None
    boards, n_spans = _boards(spot, free, cost_s)
    if len(boards.sets) * deals.size * _S_IN_PLAY_DEALS > _MOST_S:
        return None
    weights = spot.deal_weights(deals)
    held = HOLE_SETS[deals]
    over_boards = len(boards.sets) > len(deals)

    def task(span: Span) -> F64:
        part = slice(*span)
        n_players = deals.shape[1]
        totals = np.zeros((n_players, n_players + 1))
        histogram = np.empty(totals.shape, np.int64)
        ranks = np.empty(n_players, np.int64)
        some = (
            (held, weights, boards.sets[part], boards.counts[part])
            if over_boards
            else (held[part], weights[part], boards.sets, boards.counts)
        )
        calculator_kernels.play_deals(*some, histogram, ranks, totals)
        return totals

    n_pieces = max(len(boards.sets), len(deals))
    totals = sum(threads.map(task, spans(0, n_pieces, n_spans)), np.zeros(()))
    return Count(totals, len(deals) * spot.n_boards)
