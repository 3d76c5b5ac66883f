"""Equity from sampled deals."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

import numpy as np

from nlhe_env.equity.calculator import open_boards as calculator_kernels
from nlhe_env.equity.calculator.counting import Count
from nlhe_env.equity.calculator.spot import HOLE_SETS, Spot, set_of
from nlhe_env.jit.array_types import F64
from nlhe_env.system.threads import Span, Threads, spans

_SPAN_DEALS = 1 << 13
_ROUND_DEALS = 1 << 17
"""Deals between checks of precision and time."""
_MOST_LISTED = 200_000


def sample(
    spot: Spot, threads: Threads, seed: int, samples: int | None, seconds: float | None
) -> Iterator[Count]:
    """Yield the sums of all deals drawn so far, round by round, until a limit is reached.

    Raises:
        ValueError: There is no possible deal.
    """
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
        yield Count(totals, n_done)
