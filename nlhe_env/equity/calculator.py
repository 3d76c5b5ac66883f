"""Equity of hands and ranges against each other: the share of the pot won at showdown.

Everything is counted where that takes a second or two at most:

- Boards that a renaming of suits turns into each other count once, with their number, as long as
  the renaming leaves all ranges, the open board and the dead cards as they are.
- Two ranges are not played out pair by pair. On each board all holdings are ranked and sorted
  once; the holdings that one beats and that share no card with it are ``all weaker ones - those
  with its first card - those with its second``.

Otherwise deals are drawn from a counter-based stream: deal ``i`` is a function of the seed and
``i``. Work is cut into chunks that do not depend on the number of threads and added up in their
order, so that neither does a result.
"""

from __future__ import annotations

import math
import operator
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, permutations
from typing import Any, NamedTuple

import numpy as np

from nlhe_env._cores import n_cores
from nlhe_env._types import F64, I64, AnyArray
from nlhe_env.cards import CARD_NAMES, format_cards, parse_cards
from nlhe_env.equity import calculator_kernels
from nlhe_env.equity.ranges import Range
from nlhe_env.equity.suits import hole_pairs
from nlhe_env.rng import make_seed

MIN_PLAYERS = 2
MAX_PLAYERS = 10
DEFAULT_PRECISION = 0.0005

_MOST_RANKED = 50_000_000
"""Count exactly if no more holdings than this have to be ranked; about 20 million a second and
core where holdings are sorted, 50 million where they are not."""
_MOST_LISTED = 200_000
"""Combinations of holdings that are listed one by one."""
_SMALL_WORK = 50_000
"""Holdings ranked in less time than it takes to start threads."""
_N_CHUNKS = 64
_CHUNK_DEALS = 1 << 13
_ROUND_DEALS = 1 << 17
"""Sampled deals between two looks at the precision and at the clock."""

_HOLES = hole_pairs()
_CARD_SETS = np.array([1 << ((card & 3) << 4 | card >> 2) for card in range(52)])
_HOLE_SETS = _CARD_SETS[_HOLES].sum(axis=1)
_HOLE_ORDER = np.argsort(_HOLE_SETS)

Totals = F64
"""``(n_players, n_players + 1)`` weight of the deals in which a player is one of ``m`` winners."""


class EquityResult(NamedTuple):
    """What ``equity`` finds; one number a player in the order of the arguments."""

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


def equity(
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
    """The share of the pot that each hand or range wins if all of them go to showdown.

    Holdings are compatible combinations of those in the ranges, each as likely as the product of
    its weights. The result is exact whenever that takes a second or two at most, and else
    sampled, until the first of the given limits is reached. It does not depend on ``threads``.

    Args:
        players: 2 to 10 hands or ranges, such as ``"AhKh"`` or ``"TT+, AQs+"``; see
            ``Range.parse``.
        board: No, three, four or five cards that lie open.
        dead: Cards that nobody can have.
        samples: Draw this many deals, even where all could be counted.
        precision: Draw until no standard error is above this; 0.0005 unless another limit is given.
        seconds: Draw for this long. The number of deals, and so the result, then depends on the
            machine.
        seed: Of the deals drawn; None for another one every time.
        threads: As many as there are cores unless given.

    Raises:
        ValueError: An argument is not understood or out of range, a card comes twice, or the
            ranges leave no possible deal.

    >>> result = equity(["AhKh", "QsQd"], "Qh7h2c")
    >>> [round(share, 4) for share in result.equity], result.exact, result.n_deals
    ([0.2556, 0.7444], True, 990)
    """
    spot = _Spot.of(players, board, dead)
    _check_limits(samples, precision, seconds)
    n_threads = n_cores() if threads is None else _whole("threads", threads)
    key = make_seed(seed)
    with _Workers(n_threads) as workers:
        if samples is None:
            exact = _count(spot, workers)
            if exact is not None:
                return exact
        if samples is None and precision is None and seconds is None:
            precision = DEFAULT_PRECISION
        return _sample(spot, workers, key, samples, precision, seconds)


# ------------------------------------------------------------------------------------- the spot


class _Spot(NamedTuple):
    """A checked question; cards are sets as in ``cells.card_bit``."""

    holdings: tuple[I64, ...]
    """The possible holdings of each player."""
    tables: tuple[F64, ...]
    """``(1326,)`` weight of every holding for each player."""
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @classmethod
    def of(cls, players: Sequence[str | Range], board: str, dead: str) -> _Spot:
        if isinstance(players, str) or not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
            n = 1 if isinstance(players, str) else len(players)
            raise ValueError(
                f"players must be {MIN_PLAYERS} to {MAX_PLAYERS} hands or ranges; got {n}"
            )
        board_cards = parse_cards(board)
        dead_cards = parse_cards(dead)
        if len(board_cards) not in (0, 3, 4, 5):
            raise ValueError(f"board must be 0, 3, 4 or 5 cards; got {board!r}")
        for card in dead_cards:
            if card in board_cards:
                raise ValueError(f"card {CARD_NAMES[card]} is both on the board and dead")
        n_needed = 2 * len(players) + 5 - len(board_cards)
        if n_needed > 52 - len(board_cards) - len(dead_cards):
            raise ValueError(f"{n_needed} cards are to be dealt, but {len(dead_cards)} are dead")
        gone = np.isin(_HOLES, board_cards + dead_cards).any(axis=1)
        tables = []
        for i, player in enumerate(players):
            held = player if isinstance(player, Range) else Range.parse(player)
            table = np.where(gone, 0.0, held.table)
            if not table.any():
                known = format_cards(board_cards + dead_cards)
                raise ValueError(
                    f'players[{i}], "{held}", is impossible: every holding has one of {known}'
                )
            tables.append(table)
        holdings = tuple(_HOLE_SETS[table > 0] for table in tables)
        return cls(holdings, tuple(tables), board_cards, dead_cards)

    @property
    def n_to_come(self) -> int:
        return 5 - len(self.board)

    @property
    def n_boards(self) -> int:
        """Boards that each compatible combination of holdings may get."""
        n_known = len(self.board) + len(self.dead) + 2 * len(self.holdings)
        return math.comb(52 - n_known, self.n_to_come)

    def weights(self, player: int) -> F64:
        """Weights of the possible holdings of a player."""
        return self.tables[player][self.tables[player] > 0]

    def is_any(self, player: int) -> bool:
        """Whether a player may have any two cards, all alike."""
        weights = self.weights(player)
        n_known = len(self.board) + len(self.dead)
        return len(weights) == math.comb(52 - n_known, 2) and bool((weights == weights[0]).all())

    def free_cards(self) -> I64:
        """Cards that may come on the board."""
        taken = {*self.board, *self.dead}
        for held in self.holdings:
            if len(held) == 1:
                taken |= {*np.flatnonzero(_CARD_SETS & held[0]).tolist()}
        return _sets(card for card in range(52) if card not in taken)

    def renamings(self) -> I64:
        """``(n, 4)``: the renamings of suits that change nothing in this spot."""
        return np.array([new for new in permutations(range(4)) if self._unchanged(new)])

    def _unchanged(self, new: tuple[int, ...]) -> bool:
        def renamed(cards: Iterable[int]) -> set[int]:
            return {card & ~3 | new[card & 3] for card in cards}

        if renamed(self.board) != set(self.board) or renamed(self.dead) != set(self.dead):
            return False
        cards = _HOLES & ~3 | np.array(new)[_HOLES & 3]
        high, low = cards.max(axis=1).astype(np.int64), cards.min(axis=1)
        numbers = high * (high - 1) // 2 + low
        return all(np.array_equal(table, table[numbers]) for table in self.tables)


def _sets(cards: Iterable[int]) -> I64:
    """Cards as sets of one card each."""
    return _CARD_SETS[list(cards)]


def _check_limits(samples: Any, precision: Any, seconds: Any) -> None:
    if samples is not None:
        _whole("samples", samples)
    for name, value in ("precision", precision), ("seconds", seconds):
        if value is not None and not (isinstance(value, (int, float)) and 0 < value < math.inf):
            raise ValueError(f"{name} must be a positive number or None; got {value!r}")


def _whole(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1 or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number of at least 1; got {value!r}")
    return number


class _Workers:
    """Threads that are started when there is work worth it."""

    def __init__(self, n_threads: int) -> None:
        self._n_threads = n_threads
        self._executor: ThreadPoolExecutor | None = None

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor:
            self._executor.shutdown(cancel_futures=True)

    def add_up(self, task: Callable[[int, int], Totals], spans: list[tuple[int, int]]) -> Totals:
        """The sum of ``task`` over spans of work, always added in their order."""
        if self._n_threads == 1 or len(spans) == 1:
            return sum((task(*span) for span in spans), np.zeros(()))
        self._executor = self._executor or ThreadPoolExecutor(self._n_threads)
        results = self._executor.map(task, *zip(*spans, strict=True))
        return sum(results, np.zeros(()))


def _spans(first: int, last: int, n_spans: int) -> list[tuple[int, int]]:
    n = last - first
    edges = [first + n * i // n_spans for i in range(n_spans + 1)]
    return [(a, b) for a, b in pairwise(edges) if a < b]


# ------------------------------------------------------------------------------------- counting


def _count(spot: _Spot, workers: _Workers) -> EquityResult | None:
    """All deals counted, or None if that would take too long."""
    n_players = len(spot.holdings)
    deals = _list_deals(spot)
    if deals is not None and not len(deals):
        raise ValueError("these hands and ranges cannot be held at the same time")
    free = spot.free_cards()
    n_boards = math.comb(len(free), spot.n_to_come)
    in_any = np.any([table > 0 for table in spot.tables], axis=0)
    by_pairs = n_players == 2 and (deals is None or len(deals) > 1)
    if by_pairs:
        n_ranked = n_boards * int(np.count_nonzero(in_any))
    elif deals is not None:
        n_ranked = n_boards * deals.size
    else:
        return None
    renamings = np.arange(4)[None]
    if n_ranked > _SMALL_WORK and n_boards > 1:
        renamings = spot.renamings()
        n_ranked //= len(renamings)
    if n_ranked > _MOST_RANKED:
        return None

    boards, counts = _boards(free, spot.n_to_come, int(_sets(spot.board).sum()), renamings)
    n_chunks = _N_CHUNKS if n_ranked > _SMALL_WORK else 1
    if by_pairs:
        totals = _count_two_ranges(spot, in_any, boards, counts, workers, n_chunks)
        n_combinations = _n_compatible(*spot.holdings)
    else:
        assert deals is not None
        totals = _count_deals(spot, deals, boards, counts, workers, n_chunks)
        n_combinations = len(deals)
    return _result(totals, n_combinations * spot.n_boards, exact=True)


def _n_compatible(holdings: I64, others: I64) -> int:
    """Pairs of holdings that share no card."""
    return int(sum(np.count_nonzero((others & held) == 0) for held in holdings))


def _list_deals(spot: _Spot) -> I64 | None:
    """``(n, n_players)`` all compatible holdings, or None if they are too many."""
    deals = np.zeros((1, 0), np.int64)
    taken = np.zeros(1, np.int64)
    # Small ranges first: what is impossible shows before the list grows.
    order = sorted(range(len(spot.holdings)), key=lambda i: len(spot.holdings[i]))
    for player in order:
        holdings = spot.holdings[player]
        if len(taken) * len(holdings) > _MOST_LISTED:
            return None
        rows, columns = np.nonzero((taken[:, None] & holdings) == 0)
        deals = np.column_stack([deals[rows], holdings[columns]])
        taken = taken[rows] | holdings[columns]
    return np.ascontiguousarray(deals[:, np.argsort(order)])


def _boards(free: I64, n_to_come: int, board: int, renamings: I64) -> tuple[I64, I64]:
    """Full boards that differ under the renamings, and how many real ones each stands for."""
    boards = np.zeros(1, np.int64)
    for k in range(1, n_to_come + 1):
        # A board of k cards is its last card and k - 1 of those before it, which come first.
        boards = np.concatenate(
            [boards[: math.comb(i, k - 1)] | free[i] for i in range(k - 1, len(free))]
        )
    counts = np.ones(len(boards), np.int64)
    if len(renamings) > 1:
        n_kept = calculator_kernels.fold_boards(boards, counts, renamings)
        boards, counts = boards[:n_kept], counts[:n_kept]
    return boards | board, counts


def _count_deals(
    spot: _Spot, deals: I64, boards: I64, counts: I64, workers: _Workers, n_chunks: int
) -> Totals:
    weights = np.ones(len(deals))
    for player, table in enumerate(spot.tables):
        places = np.searchsorted(_HOLE_SETS, deals[:, player], sorter=_HOLE_ORDER)
        weights *= table[_HOLE_ORDER[places]]
    over_boards = len(boards) > len(deals)

    def task(first: int, last: int) -> Totals:
        part = slice(first, last)
        n_players = deals.shape[1]
        totals = np.zeros((n_players, n_players + 1))
        histogram = np.empty(totals.shape, np.int64)
        ranks = np.empty(n_players, np.int64)
        if over_boards:
            calculator_kernels.play_deals(
                deals, weights, boards[part], counts[part], histogram, ranks, totals
            )
        else:
            calculator_kernels.play_deals(
                deals[part], weights[part], boards, counts, histogram, ranks, totals
            )
        return totals

    return workers.add_up(task, _spans(0, max(len(boards), len(deals)), n_chunks))


def _count_two_ranges(
    spot: _Spot, in_any: AnyArray, boards: I64, counts: I64, workers: _Workers, n_chunks: int
) -> Totals:
    holes = _HOLES[in_any].astype(np.int64)
    weights = np.column_stack([table[in_any] for table in spot.tables])

    def task(first: int, last: int) -> Totals:
        totals = np.zeros((2, 3))
        calculator_kernels.play_ranges(
            holes, _HOLE_SETS[in_any], weights, boards, counts, first, last, totals
        )
        return totals

    return workers.add_up(task, _spans(0, len(boards), n_chunks))


def _sample(
    spot: _Spot,
    workers: _Workers,
    seed: int,
    samples: int | None,
    precision: float | None,
    seconds: float | None,
) -> EquityResult:
    """Deals drawn until the first of the limits is reached."""
    deals = _list_deals(spot)
    if deals is not None and not len(deals):
        raise ValueError("these hands and ranges cannot be held at the same time")
    n_players = len(spot.holdings)
    # Players with any two cards get theirs last: others leave them equally many holdings always.
    any_cards = [i for i in range(n_players) if spot.is_any(i)]
    ranges = [held[:0] if i in any_cards else held for i, held in enumerate(spot.holdings)]
    holdings = np.concatenate(ranges)
    ends = np.cumsum([len(held) for held in ranges])
    shares = np.concatenate(
        [
            np.cumsum(spot.weights(i)[: len(ranges[i])]) / spot.weights(i).sum()
            for i in range(n_players)
        ]
    )
    seats = np.repeat(np.array(any_cards, np.int64), 2)
    free = spot.free_cards()
    board = int(_sets(spot.board).sum())

    def task(first: int, last: int) -> Totals:
        histogram = np.zeros((n_players, n_players + 1), np.int64)
        held = np.empty(n_players, np.int64)
        ranks = np.empty(n_players, np.int64)
        held_in = holdings, ends, shares
        key = np.uint64(seed)
        if not calculator_kernels.draw_deals(
            key, first, last, *held_in, seats, free, board, held, ranks, histogram
        ):
            raise ValueError("these ranges can hardly be held at the same time")
        return histogram.astype(np.float64)

    started = time.perf_counter()
    totals = np.zeros((n_players, n_players + 1))
    n_done = 0
    while True:
        n = _ROUND_DEALS if samples is None else min(_ROUND_DEALS, samples - n_done)
        totals += workers.add_up(task, _spans(n_done, n_done + n, math.ceil(n / _CHUNK_DEALS)))
        n_done += n
        result = _result(totals, n_done, exact=False)
        if (
            n_done == samples
            or (precision is not None and max(result.standard_error) <= precision)
            or (seconds is not None and time.perf_counter() - started >= seconds)
        ):
            return result


def _result(totals: Totals, n_deals: int, *, exact: bool) -> EquityResult:
    n_winners = np.arange(1, totals.shape[1])
    weights = totals[:, 1:]
    everything = (weights / n_winners).sum()
    shares = (weights / n_winners).sum(axis=1) / everything
    squares = (weights / n_winners**2).sum(axis=1) / everything
    errors = np.zeros(len(shares))
    if not exact:
        errors = np.sqrt(np.maximum(squares - shares**2, 0) / n_deals)
    return EquityResult(
        equity=tuple(shares.tolist()),
        win=tuple((weights[:, 0] / everything).tolist()),
        tie=tuple((weights[:, 1:].sum(axis=1) / everything).tolist()),
        standard_error=tuple(errors.tolist()),
        exact=exact,
        n_deals=n_deals,
    )
