"""Equities of hands and ranges against each other: mean shares of the pot at showdown.

Results are exact by enumeration if that takes at most a few seconds (``counting``). Otherwise deals
are sampled from a counter-based stream, in which deal ``i`` is a function of the
seed and ``i``. The division of work is independent of the number of threads, and so are the
results.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.arguments import whole_number
from nlhe_env.equity.calculator import open_boards as calculator_kernels
from nlhe_env.equity.calculator.counting import Count, count
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.equity.calculator.spot import HOLE_SETS, Spot, set_of
from nlhe_env.game.random_stream import make_seed
from nlhe_env.jit.array_types import F64
from nlhe_env.system.cores import n_cores
from nlhe_env.system.threads import Span, Threads, spans

DEFAULT_PRECISION = 0.0005
_SPAN_DEALS = 1 << 13
_ROUND_DEALS = 1 << 17
"""Deals between checks of precision and time."""
_MOST_LISTED = 200_000


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
            counted = count(spot, pool)
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
        if value is not None and not (isinstance(value, (int, float)) and 0 < value < math.inf):
            raise ValueError(f"{name} must be a positive number or None; got {value!r}")


def _sample(
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
            errors[player] = math.sqrt(max(square - shares[player] ** 2, 0) / n_deals)
    return EquityResult(
        equity=tuple(shares),
        win=tuple(row[0] / everything for row in weights),
        tie=tuple(math.fsum(row[1:]) / everything for row in weights),
        standard_error=tuple(errors),
        exact=exact,
        n_deals=n_deals,
    )
