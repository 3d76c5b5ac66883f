"""Reports over many boards: the same ranges, pot, stacks and bets solved on each of them.

The boards are drawn as they are dealt to the ranges, or listed, with their weights.
"""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.solvers.public_tree import DECISION
from agents.solvers.regret_minimisation import METHODS, Solver
from agents.solvers.solution import Solution
from agents.solvers.subgames import Subgame
from nlhe_env.arguments import number, one_of, whole_number
from nlhe_env.cards import CARD_NAMES, N_CARDS, format_cards, parse_cards
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.equity.tables.suits import hole_numbers
from nlhe_env.jit.array_types import F64, I64, Bool
from nlhe_env.system.files import replacing
from nlhe_env.system.threads import Threads

_STREETS = {"flop": 3, "turn": 4, "river": 5}
"""Streets and the number of cards on the board."""

_ROUNDING = 1e-12
"""Share of all hands that may be left in a sum of hands that cancel out."""
_DECK = np.arange(N_CARDS)
_DEALS, _DEALS_OF_BOARD = 20_000, 50
"""Deals to try, and more for each board, before it is clear that there are no other boards."""


class BoardSample(NamedTuple):
    """Boards and how much each counts in an average over all boards."""

    boards: tuple[str, ...]
    """Cards of each board as text, the highest first if they were drawn."""
    weights: F64
    """``(boards,)`` weights, which sum to 1."""
    drawn: bool
    """Whether the boards are a random sample, so that averages have standard errors."""


def draw_boards(
    count: int, street: str, ranges: tuple[str | Range, str | Range], *, seed: int | None = None
) -> BoardSample:
    """Draw different boards as they are dealt, given that both players have their ranges.

    Two hands and a board are dealt until there are enough different boards. Boards that differ only
    by a change of suits which leaves both ranges as they are count as one. A board has the weight
    p / (1 - (1 - p)^d) where p is its probability in one deal and d the number of deals, so that a
    weighted mean estimates the mean over all deals (D. G. Horvitz, D. J. Thompson, 1952): weights
    are almost equal if few of all boards are drawn, and p if all are.

    Args:
        count: Number of boards.
        street: ``"flop"``, ``"turn"`` or ``"river"``.
        ranges: Ranges of both players.
        seed: Seed of the random draws; None draws other boards in each call.

    Raises:
        ValueError: An argument is out of range, the ranges can never meet, or they meet on fewer
            different boards.

    >>> draw_boards(2, "river", ("AA", "KK"), seed=1).boards
    ('KsJh4d3c2h', 'AsQhJh2s2d')
    """
    whole_number("count", count, least=1)
    n_cards = _STREETS[one_of("street", street, _STREETS)]
    rng = np.random.default_rng(None if seed is None else whole_number("seed", seed, least=0))
    first, second = _tables(ranges)
    met = first * _met(second)
    if not met.any():
        raise ValueError(_never_meet(ranges))
    first_sums = np.cumsum(met)
    changes = _symmetries(first, second)
    found: dict[tuple[int, ...], int] = {}  # boards and how many are the same up to suits
    deals = 0
    while len(found) < count:
        deals += 1
        if deals > _DEALS + _DEALS_OF_BOARD * count:
            raise ValueError(
                f"count must be at most the number of different {street}s on which these ranges "
                f"meet; got {count}, and {deals - 1:,} deals have only {len(found)}"
            )
        own = HOLES[_draw(first_sums, rng)]
        other = HOLES[_draw(np.cumsum(second * _without(own)), rng)]
        deck = np.delete(_DECK, [*own, *other])
        dealt = deck[rng.choice(len(deck), n_cards, replace=False)]
        same = {tuple(sorted(change[dealt].tolist(), reverse=True)) for change in changes}
        found[max(same)] = len(same)
    all_deals = met.sum() * comb(N_CARDS - 4, n_cards)
    chances = np.array([n * _weight(cards, first, second) for cards, n in found.items()])
    chances /= all_deals
    weights = chances / -np.expm1(deals * np.log1p(-chances))
    boards = tuple(format_cards(cards) for cards in found)
    return BoardSample(boards, weights / weights.sum(), drawn=True)


def weigh_boards(boards: Sequence[str], ranges: tuple[str | Range, str | Range]) -> BoardSample:
    """Weigh given boards by how often each is dealt while both players have their ranges.

    Args:
        boards: Different boards of one street, such as ``["KsTh7s", "8d8c2h"]``.
        ranges: Ranges of both players.

    Raises:
        ValueError: A board is impossible, given twice or of another street, or the ranges can never
            meet on it.

    >>> weigh_boards(["KsTh7s", "KcKdKh"], ("KK", "AA")).weights
    Traceback (most recent call last):
    ValueError: boards[1] is impossible: the ranges KK and AA can never meet on KcKdKh
    """
    if isinstance(boards, str) or not len(boards):
        raise ValueError(f"boards must be a list of at least one board; got {boards!r}")
    first, second = _tables(ranges)
    cards = [parse_cards(board) for board in boards]
    weights = np.zeros(len(cards))
    for i, board in enumerate(cards):
        if len(board) not in _STREETS.values():
            raise ValueError(f"boards[{i}] must be 3, 4 or 5 cards; got {boards[i]!r}")
        if len(board) != len(cards[0]):
            raise ValueError(
                f"boards must all be of the same street: boards[0] has {len(cards[0])} cards, "
                f"boards[{i}] has {len(board)}"
            )
        if set(board) in map(set, cards[:i]):
            raise ValueError(f"boards[{i}] is given twice: {boards[i]}")
        weights[i] = _weight(board, first, second)
        if weights[i] == 0:
            raise ValueError(
                f"boards[{i}] is impossible: the ranges {ranges[0]} and {ranges[1]} can never meet "
                f"on {boards[i]}"
            )
    return BoardSample(tuple(map(format_cards, cards)), weights / weights.sum(), drawn=False)


@dataclass(frozen=True, eq=False)
class BoardResult:
    """Solution on one board, at one decision."""

    place: int
    """Number of the board among those of the report, from 0."""
    board: str
    weight: float
    """Weight of the board in averages; the weights of all boards sum to 1."""
    player: int
    """Player to act at the decision, 0 or 1."""
    actions: tuple[str, ...]
    """Names of the actions at the decision, the same on every board."""
    frequencies: F64
    """``(actions,)`` how often each action is taken, as ``SolvedDecision.frequencies``."""
    reached: float
    """Probability that the decision is reached on this board."""
    values: tuple[float, float]
    """Final chips of each player minus its chips behind at the start: they sum to the pot, less
    the mean rake."""
    exploitability: float
    """Chips a hand, as ``Solution.exploitability``."""
    iterations: int
    """Iterations of the solver."""


@dataclass(frozen=True, eq=False)
class BoardReport:
    """Results on several boards, and averages over them.

    A board counts by its weight; for frequencies, also by how often the decision is reached.
    """

    results: tuple[BoardResult, ...]
    """At least one, in the order of the boards."""
    pot: int
    """Chips in the pot at the start."""
    drawn: bool
    """Whether the boards are a random sample."""

    @property
    def weights(self) -> F64:
        """``(boards,)`` weights of the boards in this report, which sum to 1."""
        weights = np.array([result.weight for result in self.results])
        return weights / weights.sum()

    @property
    def _reached(self) -> F64:
        """``(boards,)`` weights of the boards where the decision is reached."""
        weights = self.weights * [result.reached for result in self.results]
        return weights / max(float(weights.sum()), np.finfo(np.float64).tiny)

    @property
    def mean_frequencies(self) -> F64:
        """``(actions,)`` how often each action is taken; zeros if the decision is never reached."""
        frequencies = np.array([result.frequencies for result in self.results])
        return self._reached @ frequencies

    @property
    def mean_values(self) -> F64:
        """``(2,)`` chips of each player, as ``BoardResult.values``."""
        return self.weights @ [result.values for result in self.results]

    @property
    def mean_exploitability(self) -> float:
        """Chips a hand."""
        return float(self.weights @ [result.exploitability for result in self.results])

    def standard_errors(self) -> tuple[F64, F64] | None:
        """Standard errors of the mean frequencies and values, as estimates for all boards.

        Returns:
            ``(actions,)`` and ``(2,)``, by the usual linearisation of a ratio estimate (W. Cochran,
            "Sampling Techniques", 1977, section 6.4); None if the boards are no random sample, or
            only one.
        """
        n = len(self.results)
        if not self.drawn or n < 2:
            return None
        frequencies = np.array([result.frequencies for result in self.results])
        values = np.array([result.values for result in self.results])
        found = []
        for weights, numbers, mean in (
            (self._reached, frequencies, self.mean_frequencies),
            (self.weights, values, self.mean_values),
        ):
            deviations = weights[:, np.newaxis] * (numbers - mean)
            found.append(np.sqrt(n / (n - 1) * (deviations**2).sum(axis=0)))
        return found[0], found[1]

    def write_csv(self, path: str | Path) -> None:
        """Write a row for each board, in one step: the file is whole or is not there.

        The columns are ``board``, ``weight`` (its share of averages), ``reached``, a frequency for
        each action, named after it, ``value_0`` and ``value_1`` in chips, ``exploitability`` in
        chips, ``exploitability_percent`` of the pot and ``iterations``.

        Raises:
            OSError: The file cannot be written.
        """
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(
            [
                *("board", "weight", "reached", *self.results[0].actions, "value_0", "value_1"),
                *("exploitability", "exploitability_percent", "iterations"),
            ]
        )
        for result, weight in zip(self.results, self.weights, strict=True):
            numbers = [
                weight, result.reached, *result.frequencies, *result.values,
                result.exploitability, 100 * result.exploitability / self.pot,
            ]  # fmt: skip
            row = [result.board, *(f"{value:.6g}" for value in numbers), result.iterations]
            writer.writerow(row)
        with replacing(Path(path), through=True) as file:
            file.write(text.getvalue().encode())


class _StoppedError(Exception):
    """The other boards of an interrupted report are not needed."""


def report_boards(
    boards: BoardSample | Sequence[str],
    ranges: tuple[str | Range, str | Range],
    *,
    pot: int,
    stack: int | tuple[int, int],
    steps: tuple[str | int, ...] = (),
    target: float = 0.0,
    iterations: int = 1000,
    method: str = "discounted",
    threads: int = 1,
    on_board: Callable[[BoardResult], None] | None = None,
    on_progress: Callable[[str, int, float], None] | None = None,
    **rules: Any,
) -> BoardReport:
    """Solve the same situation on several boards.

    The result does not depend on the number of threads. After Ctrl-C, what has been solved
    is what ``on_board`` was called with.

    Args:
        boards: Sample from ``draw_boards``, or different boards of one street, which are weighted
            by how often they are dealt to these ranges.
        ranges: Ranges of both players.
        pot: Chips in the pot, half from each player.
        stack: Chips that each player has behind.
        steps: Betting before the decision that the report is about, as ``Solution.at`` takes it,
            without cards.
        target: Exploitability in chips at which to stop earlier.
        iterations: Maximum number of iterations on a board.
        method: ``"cfr"``, ``"cfr+"`` or ``"discounted"``.
        threads: Threads: rivers are solved side by side, earlier streets one after the other.
        on_board: Called in this thread with each result as soon as it is known.
        on_progress: Called now and then, on rivers in other threads, with the board, the number of
            iterations on it and the exploitability.
        **rules: Other arguments of ``Subgame``, such as ``bets``.

    Raises:
        ValueError: An argument is out of range, a board is impossible, or no player decides after
            the steps.

    >>> report = report_boards(["KsTh7s4d2s", "8d8c2h2s5c"], ("AA", "QQ"), pot=10, stack=10)
    >>> report.mean_values.sum().round(3)
    np.float64(10.0)
    """
    whole_number("threads", threads, least=1)
    whole_number("iterations", iterations, least=1)
    number("target", target, least=0)
    one_of("method", method, METHODS)
    sample = boards if isinstance(boards, BoardSample) else weigh_boards(boards, ranges)
    spots = [Subgame(board, ranges, pot=pot, stack=stack, **rules) for board in sample.boards]
    _check_steps(spots[0], steps)
    on_river = len(spots[0].cards) == 5
    stop = threading.Event()

    def solve_board(place: int) -> BoardResult:
        solver = Solver(spots[place].game(), method, threads=1 if on_river else threads)

        solver.run_to(
            iterations,
            target=target,
            on_progress=None if on_progress is None else partial(on_progress, sample.boards[place]),
            stop=stop.is_set,
        )
        if stop.is_set():
            raise _StoppedError
        solution = Solution(solver.game, solver.strategy, solver.iterations)
        return _result(place, sample, spots[place], solution, steps)

    results: list[BoardResult] = []

    def add(result: BoardResult) -> None:
        results.append(result)
        if on_board is not None:
            on_board(result)

    if on_river and threads > 1:
        with Threads(threads) as pool:
            futures = [pool.submit(partial(solve_board, place)) for place in range(len(spots))]
            try:
                for future in as_completed(futures):
                    add(future.result())
            finally:  # after an interrupt or an error the others end soon
                stop.set()
    else:
        for place in range(len(spots)):
            add(solve_board(place))
    results.sort(key=lambda result: result.place)
    return BoardReport(tuple(results), pot, sample.drawn)


def _check_steps(spot: Subgame, steps: tuple[str | int, ...]) -> None:
    """Long before anything is solved, that a player decides after the steps."""
    for i, step in enumerate(steps):
        if step in CARD_NAMES:
            raise ValueError(
                f"steps[{i}] must not be a card: not all boards allow the same cards; got {step!r}"
            )
    game = spot.game()
    solution = Solution(game, game.uniform(), 0)
    if game.tree.kind[solution.node(*steps)] != DECISION:
        solution.at(*steps)  # says why


def _result(
    place: int,
    sample: BoardSample,
    spot: Subgame,
    solution: Solution,
    steps: tuple[str | int, ...],
) -> BoardResult:
    decision = solution.at(*steps)
    first, second = solution.values
    return BoardResult(
        place=place,
        board=sample.boards[place],
        weight=float(sample.weights[place]),
        player=decision.player,
        actions=decision.actions,
        frequencies=decision.frequencies,
        reached=float(decision.weights.sum()) / solution.game.weight,
        values=(spot.pot / 2 + first, spot.pot / 2 + second),
        exploitability=solution.exploitability,
        iterations=solution.iterations,
    )


def _tables(ranges: tuple[str | Range, str | Range]) -> list[F64]:
    """``(1326,)`` weights of all holdings for each player."""
    if not isinstance(ranges, (tuple, list)) or len(ranges) != 2:
        raise ValueError(f"ranges must be two, one for each player; got {ranges!r}")
    return [(held if isinstance(held, Range) else Range.parse(held)).table for held in ranges]


def _never_meet(ranges: tuple[str | Range, str | Range]) -> str:
    return (
        "ranges can never meet: every holding of one shares a card with every holding of the "
        f"other; got {ranges[0]} and {ranges[1]}"
    )


def _draw(sums: F64, rng: np.random.Generator) -> int:
    """Draw an index, given the cumulative sums of the weights."""
    return int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))


def _without(cards: Iterable[int]) -> Bool:
    """``(1326,)`` whether a holding has none of some cards."""
    there = np.zeros(N_CARDS, np.bool_)
    there[list(cards)] = True
    without: Bool = ~(there[HOLES[:, 0]] | there[HOLES[:, 1]])
    return without


def _met(table: F64) -> F64:
    """``(1326,)`` weight of the holdings in a table that each holding can meet."""
    of_card = np.zeros(N_CARDS)
    for column in HOLES.T:
        np.add.at(of_card, column, table)
    # Its twin, the same two cards, has been subtracted twice.
    met = table.sum() - of_card[HOLES].sum(axis=1) + table
    return np.where(met > _ROUNDING * table.sum(), met, 0.0)


def _weight(board: tuple[int, ...], first: F64, second: F64) -> float:
    """Weight of all pairs of hands that can meet on a board."""
    possible = _without(board)
    return float((first * possible) @ _met(second * possible))


def _symmetries(first: F64, second: F64) -> list[I64]:
    """``(52,)`` card that each card becomes, by each change of suits that keeps both ranges."""
    found = []
    for suits in permutations(range(4)):
        change = _DECK // 4 * 4 + np.array(suits)[_DECK % 4]
        low, high = np.sort(change[HOLES], axis=1).T
        numbers = hole_numbers(high, low)
        if all(np.array_equal(table[numbers], table) for table in (first, second)):
            found.append(change)
    return found
