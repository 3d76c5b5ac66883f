"""Equities of hands and ranges against each other: mean shares of the pot at showdown.

Results are exact by enumeration if that takes at most a few seconds. Otherwise deals are sampled
from a counter-based stream, in which deal ``i`` is a function of the seed and ``i``. The division
of work is independent of the number of threads, and so are the results.

Deals are enumerated so:

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
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.arguments import number, whole_number
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.calculator import match_ups
from nlhe_env.equity.calculator import open_boards as calculator_kernels
from nlhe_env.equity.calculator.open_boards import Boards, Holdings
from nlhe_env.equity.calculator.ranges import Range
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
from nlhe_env.game.random_stream import make_seed
from nlhe_env.jit.array_types import F64, I64, AnyArray
from nlhe_env.system.cores import n_cores
from nlhe_env.system.threads import Span, Threads, spans

DEFAULT_PRECISION = 0.0005
_SPAN_DEALS = 1 << 13
_ROUND_DEALS = 1 << 17
"""Deals between checks of precision and time."""

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


class _Count(NamedTuple):
    """All deals of a spot."""

    totals: F64
    """``(n_players, n_players + 1)`` weight of the deals in which a player is one of m winners."""
    n_deals: int


class EquityResult(NamedTuple):
    """Result of ``equities``, with one number per player in the order of the arguments."""

    equity: tuple[float, ...]
    """Share of the pot: a pot tied between m players counts 1 / m. They add up to 1."""
    win: tuple[float, ...]
    """Share of the deals won alone."""
    tie: tuple[float, ...]
    """Share of the deals in which the player is one of several winners."""
    standard_error: tuple[float, ...]
    """Standard error of ``equity``, 0.0 where it is exact."""
    exact: bool
    """Whether all deals were counted."""
    n_deals: int
    """Deals counted or drawn: holdings of all players and the rest of the board."""


def equities(
    players: Sequence[str | Range],
    board: str = "",
    dead: str = "",
    *,
    samples: int | None = None,
    precision: float | None = None,
    seconds: float | None = None,
    seed: int | None = 0,
    threads: int | None = None,
) -> EquityResult:
    """Equity of each hand or range in a showdown between all of them.

    Compatible combinations of holdings have probabilities proportional to the products of their
    weights. The result is exact if that takes at most a few seconds. Otherwise it is sampled until
    the first of the given limits. It does not depend on ``threads``.

    Args:
        players: 2 to 10 hands or ranges, such as ``"AhKh"`` or ``"TT+, AQs+"``; see
            ``Range.parse``.
        board: Zero, three, four or five board cards.
        dead: Cards removed from the deck.
        samples: Number of sampled deals; disables enumeration.
        precision: Largest standard error; default without another limit: 0.0005.
        seconds: Sampling time. The number of deals, and therefore the result, then depends on the
            machine.
        seed: Seed of sampled deals; None for a random seed.
        threads: Number of threads; default: one per core.

    Raises:
        ValueError: An argument is invalid, a card is repeated, or the ranges have no possible deal.

    >>> result = equities(["AhKh", "QsQd"], "Qh7h2c")
    >>> [round(share, 4) for share in result.equity], result.exact, result.n_deals
    ([0.2556, 0.7444], True, 990)
    """
    spot = Spot.of(players, board, dead)
    _check_limits(samples, precision, seconds)
    n_threads = n_cores() if threads is None else whole_number("threads", threads, least=1)
    key = make_seed(seed)
    with Threads(n_threads) as pool:
        if samples is None:
            counted = _count(spot, pool)
            if counted is not None:
                return _result(counted.totals, counted.n_deals, exact=True)
            if precision is None and seconds is None:
                precision = DEFAULT_PRECISION
        for drawn in _sample(spot, pool, key, samples, seconds):
            result = _result(drawn.totals, drawn.n_deals, exact=False)
            if precision is not None and max(result.standard_error) <= precision:
                break
        return result


def _check_limits(samples: Any, precision: Any, seconds: Any) -> None:
    if samples is not None:
        whole_number("samples", samples, least=1)
    for name, value in ("precision", precision), ("seconds", seconds):
        if value is not None:
            number(name, value, least=0.0, above=True)


def _sample(
    spot: Spot, threads: Threads, seed: int, samples: int | None, seconds: float | None
) -> Iterator[_Count]:
    """Yield the sums of all deals drawn so far, round by round, until a limit is reached."""
    started = time.perf_counter()
    spot.deals(_MOST_LISTED)  # there is one
    n_players = spot.n_players
    # Players with any two cards get theirs last, from a constant number of holdings.
    any_cards = [i for i in range(n_players) if spot.is_any(i)]
    ranges = [held[:0] if i in any_cards else held for i, held in enumerate(spot.holdings)]
    holdings = HOLE_SETS[np.concatenate(ranges)]
    ends = np.cumsum([len(held) for held in ranges])
    shares = np.concatenate(
        [
            np.cumsum(spot.weights[i][: len(ranges[i])]) / spot.weights[i].sum()
            for i in range(n_players)
        ]
    )
    seats = np.repeat(np.array(any_cards, np.int64), 2)
    source = calculator_kernels.DealSource(
        holdings, ends, shares, seats, spot.free_cards(), set_of(spot.board)
    )
    key = np.uint64(seed)

    def task(span: Span) -> F64:
        histogram = np.zeros((n_players, n_players + 1), np.int64)
        held = np.empty(n_players, np.int64)
        ranks = np.empty(n_players, np.int64)
        if not calculator_kernels.draw_deals(key, *span, source, held, ranks, histogram):
            raise ValueError("these ranges share too many cards to be dealt together")
        return histogram.astype(np.float64)

    totals = np.zeros((n_players, n_players + 1))
    n_done = 0
    while n_done != samples and (
        seconds is None or n_done == 0 or time.perf_counter() - started < seconds
    ):
        n = _ROUND_DEALS if samples is None else min(_ROUND_DEALS, samples - n_done)
        for part in threads.map(task, spans(n_done, n_done + n, math.ceil(n / _SPAN_DEALS))):
            totals += part
        n_done += n
        yield _Count(totals, n_done)


def _result(totals: F64, n_deals: int, *, exact: bool) -> EquityResult:
    """Shares of each player, from the weights of deals with m winners."""
    weights = [row[1:] for row in totals.tolist()]
    everything = math.fsum(weight / m for row in weights for m, weight in enumerate(row, 1))
    shares = [
        math.fsum(weight / m for m, weight in enumerate(row, 1)) / everything for row in weights
    ]
    errors = [0.0] * len(shares)
    if not exact:
        for player, row in enumerate(weights):
            square = math.fsum(weight / m**2 for m, weight in enumerate(row, 1)) / everything
            variance = max(square - shares[player] ** 2, 0)
            errors[player] = math.sqrt(variance / (n_deals - 1)) if n_deals > 1 else math.nan
    return EquityResult(
        equity=tuple(shares),
        win=tuple(row[0] / everything for row in weights),
        tie=tuple(math.fsum(row[1:]) / everything for row in weights),
        standard_error=tuple(errors),
        exact=exact,
        n_deals=n_deals,
    )


# Core-seconds on a machine of 2026, for deciding feasibility and the division of the work.
def _count(spot: Spot, threads: Threads) -> _Count | None:
    """Count of all deals, or None if that would take too long."""
    if not spot.board:
        return _count_before_flop(spot, threads)
    if spot.n_players > 2:
        return _count_many(spot, threads)
    for hand in 0, 1:
        if len(spot.holdings[hand]) == 1:
            return _count_hand(spot, hand, threads)
    return _count_ranges(spot, threads)


# -------------------------------------------------------------------------------- before the flop


def _count_before_flop(spot: Spot, threads: Threads) -> _Count | None:
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
    return _Count(totals, n_deals)


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


def _count_hand(spot: Spot, hand: int, threads: Threads) -> _Count:
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
    return _Count(totals[::-1] if hand else totals, len(opposing) * spot.n_boards)


def _count_ranges(spot: Spot, threads: Threads) -> _Count | None:
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
    return _Count(totals, n_pairs * spot.n_boards)


def _n_compatible(holdings: I64, opposing: I64) -> int:
    """Number of pairs of holdings without a common card."""
    n_with_card = [
        np.bincount(HOLES[held].ravel(), minlength=N_CARDS) for held in (holdings, opposing)
    ]
    # Pairs of identical holdings have been subtracted twice.
    n_same = len(np.intersect1d(holdings, opposing))
    return len(holdings) * len(opposing) - int(n_with_card[0] @ n_with_card[1]) + n_same


def _count_many(spot: Spot, threads: Threads) -> _Count | None:
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
    return _Count(totals, len(deals) * spot.n_boards)
