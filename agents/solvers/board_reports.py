"""Reports over many boards: the same ranges, pot, stacks and bets solved on each of them."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from agents.solvers.board_sampling import BoardSample, weigh_boards
from agents.solvers.public_tree import DECISION
from agents.solvers.regret_minimisation import METHODS, Solver
from agents.solvers.solution import Solution
from agents.solvers.subgames import Subgame
from nlhe_env.arguments import number, one_of, whole_number
from nlhe_env.cards import CARD_NAMES
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.jit.array_types import F64
from nlhe_env.system.files import replacing
from nlhe_env.system.threads import Threads


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
