"""``nlhe solve``: equilibrium strategies for flops, turns and rivers."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import tyro

from nlhe_env.arguments import number, one_of, whole_number
from nlhe_env.extras import needs_extra
from nlhe_env.game.rake import Rake
from nlhe_env.system.command_line import check_output_file, in_words
from nlhe_env.system.cores import n_cores

if TYPE_CHECKING:
    from agents.solvers import (
        BoardReport,
        BoardResult,
        BoardSample,
        HandGrid,
        Locked,
        PublicGame,
        Solution,
        Subgame,
        SubgameSize,
    )

_PERCENT = 100.0
_SECONDS_OF_SILENCE = 0.5
"""Least time between two lines of progress, and between two writes of the file."""

_COUNTED = re.compile(r"(\d{1,9})\s+(flop|turn|river)s?")


@dataclass(frozen=True, kw_only=True)
class Solve:
    """Solve a heads-up hand from the flop, turn or river on.

    The first range acts first on every street. The output is the frequency and value of each action
    at one decision; --hands adds a row for each hole-card class, and --out draws them. Values
    are a player's final chips minus its chips behind at the start. Ctrl-C shows the solution so
    far.

    With several boards, such as "10 rivers", the output is a table with a row for each board, and
    means over all boards. Ctrl-C keeps the boards that are finished.
    """

    board: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="BOARD")]
    """Three to five cards, such as AsKd7c2h9s; or several boards: "10 rivers", "25 turns" or
    "10 flops" to draw boards at random, given these ranges, a list with commas, or a file with one
    on each line; or a solution saved by --out, alone."""

    first: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="[RANGE]")] = ""
    """Range of the player who acts first, such as "22+, A2s+, KTs+, AJo+"; * is any hand. It is
    needed, as are the other range, --pot and --stack, unless a solution is shown."""

    second: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="[RANGE]")] = ""
    """Range of the other player."""

    pot: Annotated[int, tyro.conf.arg(metavar="CHIPS")] = 0
    """Chips in the pot, half from each player (default: none)."""

    stack: Annotated[tuple[int, ...], tyro.conf.arg(metavar="CHIPS [CHIPS]")] = ()
    """Chips behind: one number, or one for each player."""

    bets: Annotated[str, tyro.conf.arg(metavar="SIZES")] = "50%, pot, all-in"
    """Bet and raise sizes: shares of the pot, or all-in. Separate raise sizes follow a semicolon,
    also as multiples of the bet: "50%, pot; 2.5x, all-in"."""

    limit: Annotated[int | None, tyro.conf.arg(metavar="CHIPS")] = None
    """Play fixed-limit, with this bet on the flop and twice as much later (default: no-limit)."""

    rake: Annotated[str, tyro.conf.arg(metavar="SHARE[/CAP]")] = ""
    """House rake, such as 5%, or 5%/300 to cap it at 300 chips."""

    at: Annotated[tuple[str, ...], tyro.conf.arg(metavar="STEP ...")] = ()
    """Decision to show, given by the actions and cards that lead to it, such as check "bet 50", or
    check check 2h."""

    lock: Annotated[tuple[str, ...], tyro.conf.arg(metavar="LOCK ...")] = ()
    """Fixed play of some hands of a decision, such as "check, bet 50: 22-66 = fold", ": AA = check"
    for the first decision, or "check: KQ = bet 50 40%, check 60%"; the rest adapts."""

    iterations: Annotated[int, tyro.conf.arg(metavar="N")] = 1000
    """Maximum number of iterations."""

    target: Annotated[float, tyro.conf.arg(metavar="PERCENT")] = 0.3
    """Stop early at this exploitability, in percent of the pot."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """Seed for the boards that are drawn."""

    hands: bool = False
    """Print a row for each class of hole cards."""

    out: Annotated[tuple[Path, ...], tyro.conf.arg(metavar="FILE ...")] = ()
    """Files to write, one of each ending: .npz saves the whole solution; .png, .svg or .pdf draws
    the decision (needs the extra "plot"); .csv is for several boards, with a row for each."""

    def run(self) -> None:
        """Solves and shows it."""
        number("target", self.target, least=0)
        whole_number("iterations", self.iterations, least=1)
        self._check_files()
        if self.board.lower().endswith(".npz"):
            self._show_saved(Path(self.board))
            return
        if not (self.first and self.second and self.pot and self.stack):
            raise ValueError(
                "a board, two ranges, --pot and --stack are needed, or a saved solution"
            )
        boards = several_boards(self.board, (self.first, self.second), self.seed)
        if boards is not None:
            self._report_boards(boards)
            return
        if self._file(".csv"):
            raise ValueError("a .csv file is for several boards; .npz saves the solution of one")
        from agents.solvers import Solution, read_locks, save_solution

        spot = self._spot()
        size = spot.size()
        _print(f"{size}; at most {self.iterations:,} iterations")
        game = spot.game()
        Solution(game, game.uniform(), 0).at(*self.at)  # there is such a decision
        locked = read_locks(spot, game, self.lock) if self.lock else None
        solution, interrupted = self._solve(game, spot.pot, locked)
        self._show(spot, solution)
        if file := self._file(".npz"):
            save_solution(file, spot, solution)
        if interrupted:
            raise KeyboardInterrupt

    def _show_saved(self, path: Path) -> None:
        from agents.solvers import load_solution

        given = {each.name for each in fields(self) if getattr(self, each.name) != each.default}
        if given - {"board", "at", "hands", "out"}:
            raise ValueError(
                f"{path} is a saved solution: it goes with --at, --hands and --out alone"
            )
        if self._file(".npz") or self._file(".csv"):
            raise ValueError(f"{path} is a saved solution: --out draws it only")
        self._show(*load_solution(path))

    def _show(self, spot: Subgame, solution: Solution) -> None:
        """Prints, draws and writes the decision."""
        from agents.solvers import HandGrid, draw_hand_grid

        decision = solution.at(*self.at)
        hands = spot.hands(decision.player)
        grid = HandGrid.of(decision, hands)
        for line in _report(spot, solution, grid, self.at, decision.player, self.hands):
            print(line)
        for picture in self._pictures():
            where = "".join(f", {step}" for step in self.at)
            title = f"{spot.board}{where}: player {decision.player}, pot {spot.pot} at the start"
            draw_hand_grid(grid, picture, title=title)

    def _solve(self, game: PublicGame, pot: int, locked: Locked | None) -> tuple[Solution, bool]:
        """Solve; return the solution and whether Ctrl-C stopped it.

        An interrupt before the first iteration propagates.
        """
        from agents.solvers import Solution, Solver

        solver = Solver(game, threads=n_cores(), locked=locked)
        interrupted = False
        try:
            solver.run_to(
                self.iterations,
                target=self.target * pot / _PERCENT,
                on_progress=lambda n, found: _print(
                    f"{n:,} iterations: exploitability {found / pot:.2%} of the pot"
                ),
            )
        except KeyboardInterrupt:
            if solver.iterations == 0:
                raise
            interrupted = True
            _print("interrupted: the solution so far follows")
        return Solution(game, solver.strategy, solver.iterations), interrupted

    def _report_boards(self, boards: BoardSample) -> None:
        for option, given in (
            ("--hands", self.hands),
            ("--lock", bool(self.lock)),
            *((str(file), file.suffix.lower() != ".csv") for file in self.out),
        ):
            if given:
                raise ValueError(f"{option} is for one board; --out FILE.csv stores several")
        solving = {
            "steps": self.at,
            "target": self.target * self.pot / _PERCENT,
            "iterations": self.iterations,
            "threads": n_cores(),
        }
        _print_board_report(boards, self._rules(), solving, self._file(".csv"))

    def _file(self, suffix: str) -> Path | None:
        """The file to write with this ending."""
        return next((file for file in self.out if file.suffix.lower() == suffix), None)

    def _pictures(self) -> list[Path]:
        return [file for file in self.out if file.suffix.lower() not in (".npz", ".csv")]

    def _spot(self) -> Subgame:
        from agents.solvers import Subgame

        return Subgame(self.board, **self._rules())

    def _rules(self) -> dict[str, Any]:
        """Arguments of ``Subgame`` but for the board."""
        bets, semicolon, raises = self.bets.partition(";")
        fixed = {} if self.limit is None else {"betting": "fixed-limit", "big_blind": self.limit}
        return {
            "ranges": (self.first, self.second),
            "pot": self.pot,
            "stack": self.stack[0] if len(self.stack) == 1 else self.stack,
            "bets": bets,
            "raises": raises if semicolon else None,
            "rake": Rake.read(self.rake),
            **fixed,
        }

    def _check_files(self) -> None:
        """Long before they are written.

        Raises:
            MissingExtraError: Matplotlib is not installed.
            ValueError: A file cannot be written there.
            ValueError: The picture has a suffix that Matplotlib does not know.
        """
        if len({path.suffix.lower() for path in self.out}) < len(self.out):
            raise ValueError("--out takes one file of each ending")
        for path in self.out:
            check_output_file(path)
        for path in self._pictures():
            with needs_extra("plot", "a picture"):
                from agents.solvers.hand_grids import picture_formats

                formats = ("npz", "csv", *picture_formats())
            one_of(f"the ending of --out {path}", path.suffix[1:].lower(), formats)


def _report(
    spot: Subgame,
    solution: Solution,
    grid: HandGrid,
    steps: tuple[str, ...],
    player: int,
    hands: bool,
) -> Iterator[str]:
    """Lines that describe a decision."""
    half = spot.pot / 2
    share = solution.exploitability / spot.pot
    yield (
        f"{solution.iterations:,} iterations, exploitability {solution.exploitability:.4g} chips a "
        f"hand ({share:.2%} of the pot)"
    )
    first, second = solution.values
    house = f", the house {-first - second:z.2f}" if spot.rake is not None else ""
    yield f"player 0 gets {half + first:z.2f} chips, player 1 {half + second:z.2f}{house}"
    yield ""
    yield f"player {player} " + (f"after {', '.join(steps)}" if steps else "at the start")
    width = max(len(action) for action in grid.actions)
    for action, frequency in zip(grid.actions, grid.frequencies, strict=True):
        yield f"  {action:<{width}}  {frequency:6.1%}"
    if not hands:
        return
    yield ""
    yield "hand  holdings   value  " + "  ".join(f"{a:>{max(len(a), 6)}}" for a in grid.actions)
    for row, column in np.ndindex(grid.weights.shape):
        if grid.weights[row, column] > 0:
            chances = grid.chances[:, row, column]
            yield (
                f"{grid.name(row, column):<4}  {grid.weights[row, column]:8.2f}  "
                f"{half + grid.values[row, column]:z6.1f}  "
                + "  ".join(
                    f"{chance:>{max(len(a), 6)}.1%}"
                    for a, chance in zip(grid.actions, chances, strict=True)
                )
            )


def several_boards(text: str, ranges: tuple[str, str], seed: int) -> BoardSample | None:
    """The boards that an argument names.

    Args:
        text: Such as ``"10 rivers"``, boards separated by commas, or the path of a file with a
            board on each line.
        ranges: Ranges of both players.
        seed: Seed for boards that are drawn.

    Returns:
        None if the argument is one board.

    Raises:
        ValueError: The boards are impossible, or the file cannot be read.
    """
    from agents.solvers import draw_boards, weigh_boards

    if counted := _COUNTED.fullmatch(text.strip().lower()):
        return draw_boards(int(counted[1]), counted[2], ranges, seed=seed)
    if "," in text:
        return weigh_boards([board.strip() for board in text.split(",") if board.strip()], ranges)
    path = Path(text)
    if not path.is_file():
        return None
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        words = in_words(error) if isinstance(error, OSError) else f"{path} is not a text file"
        raise ValueError(words) from None
    return weigh_boards([line.strip() for line in lines if line.strip()], ranges)


def _print_board_report(
    sample: BoardSample, rules: dict[str, Any], solving: dict[str, Any], csv: Path | None
) -> None:
    """Solve every board and print the table; progress goes to standard error.

    Args:
        sample: The boards.
        rules: Arguments of ``Subgame`` but for the board.
        solving: Other arguments of ``report_boards``.
        csv: File for a row for each board, if any.

    Raises:
        ValueError: The boards cannot be solved so.
        KeyboardInterrupt: It was interrupted; the boards finished before have been printed.
    """
    from agents.solvers import BoardReport, Subgame, report_boards

    results: list[BoardResult] = []
    pot, n_boards = rules["pot"], len(sample.boards)
    began = shown = time.perf_counter()

    def report() -> BoardReport:
        ordered = sorted(results, key=lambda result: result.place)
        return BoardReport(tuple(ordered), pot, sample.drawn)

    def finish_board(result: BoardResult) -> None:
        nonlocal shown
        results.append(result)
        now = time.perf_counter()
        if len(results) < n_boards and now - shown < _SECONDS_OF_SILENCE:
            return
        shown = now
        if csv is not None:
            report().write_csv(csv)  # what is finished stays, whatever happens
        seconds = (now - began) / len(results)
        speed = f"{1 / seconds:.1f} boards a second" if seconds < 1 else f"{seconds:.1f} s a board"
        left = seconds * (n_boards - len(results))
        _print(
            f"{len(results)}/{n_boards} {result.board}: {result.iterations:,} iterations, "
            f"{result.exploitability / pot:.2%} of the pot; {speed}"
            + (f", about {_duration(left)} left" if len(results) < n_boards else "")
        )

    def show_progress(board: str, iterations: int, exploitability: float) -> None:
        _print(f"{board}: {iterations:,} iterations, {exploitability / pot:.2%} of the pot")

    size = Subgame(sample.boards[0], **rules).size()
    _print(_cost(size, n_boards, solving["iterations"], solving["threads"]))
    deals_cards = len(sample.boards[0]) < 2 * 5  # a river takes seconds at most
    try:
        report_boards(
            sample,
            on_board=finish_board,
            on_progress=show_progress if deals_cards else None,
            **rules,
            **solving,
        )
    except KeyboardInterrupt:
        if results:
            if csv is not None:
                report().write_csv(csv)
            _print(f"interrupted: {len(results)} of {n_boards} boards are finished")
            _print_table(report(), solving["steps"])
        raise
    _print_table(report(), solving["steps"])


def _cost(size: SubgameSize, n_boards: int, iterations: int, threads: int) -> str:
    """What the report will take, before it begins."""
    seconds = size.seconds * iterations
    boards = "board" if n_boards == 1 else "boards"
    return (
        f"{n_boards} {boards}, each {size}; at most {iterations:,} iterations a board, "
        f"{_duration(seconds * n_boards / threads)} for all"
    )


def _duration(seconds: float) -> str:
    """A duration in words.

    >>> _duration(0.2), _duration(90), _duration(5000)
    ('1 s', '90 s', '83 min')
    """
    if seconds < 120:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 120 * 60 else f"{seconds / 3600:.1f} h"


def _print_table(report: BoardReport, steps: tuple[str, ...]) -> None:
    for line in _table(report, steps):
        print(line)


def _table(report: BoardReport, steps: tuple[str, ...]) -> Iterator[str]:
    """Lines of the table."""
    first = report.results[0]
    widths = [max(len(action), 6) for action in first.actions]
    header = [f"{name:>{width}}" for name, width in zip(first.actions, widths, strict=True)]
    titles = ("player 0", "player 1", "exploitable")
    yield f"player {first.player} " + (f"after {', '.join(steps)}" if steps else "at the start")
    yield f"{'board':<14}  weight  " + "  ".join([*header, *titles])

    def row(name: str, weight: str, frequencies: Any, values: Any, exploitability: str) -> str:
        cells = [f"{f:>{width}.1%}" for f, width in zip(frequencies, widths, strict=True)]
        cells += [f"{value:z8.2f}" for value in values]
        return f"{name:<14}  {weight:>6}  " + "  ".join([*cells, f"{exploitability:>11}"]).rstrip()

    for result, weight in zip(report.results, report.weights, strict=True):
        share = f"{result.exploitability / report.pot:.2%}"
        yield row(result.board, f"{weight:.1%}", result.frequencies, result.values, share)
    share = f"{report.mean_exploitability / report.pot:.2%}"
    yield row("mean", "", report.mean_frequencies, report.mean_values, share)
    if (errors := report.standard_errors()) is not None:
        yield row("standard error", "", *errors, "")


def _print(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
