"""The report of ``nlhe solve`` over several boards."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.commands.common import in_words

if TYPE_CHECKING:
    from agents.solvers import BoardReport, BoardResult, BoardSample, SubgameSize

_SECONDS_OF_SILENCE = 0.5
"""Least time between two lines of progress, and between two writes of the file."""

_COUNTED = re.compile(r"(\d{1,9})\s+(flop|turn|river)s?")


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


def print_board_report(
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
        cells += [f"{value:8.2f}" for value in values]
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
