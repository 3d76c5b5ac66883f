"""``nlhe solve`` over several boards: the table, the file, words for what cannot be."""

import csv
import signal

import pytest
from interrupts import interruptible

from agents.commands import solve
from agents.commands.main import main
from agents.commands.solve import several_boards
from agents.solvers import board_reports, draw_boards, report_boards

RANGES = ("AA, 65s", "QQ, KJ")
SPOT = (*RANGES, "--pot", "100", "--stack", "250")
LIST = "KsTh7s4d2s, 8d8c2h2s5c,AhQh3h7d6c"


@pytest.fixture(autouse=True)
def _ctrl_c():
    """Python's own Ctrl-C, also where the tests run in the background of a shell."""
    with interruptible():
        yield


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_rivers_are_drawn_solved_and_printed(capsys, tmp_path):
    file = tmp_path / "rivers.csv"
    more = ("--seed", "3", "--target", "1", "--out", str(file))
    assert main(["solve", "5 rivers", *SPOT, *more]) == 0
    printed, progress = capsys.readouterr()
    sample = draw_boards(5, "river", RANGES, seed=3)
    expected = report_boards(sample, RANGES, pot=100, stack=250, target=1.0)
    lines = printed.splitlines()
    assert lines[0] == "player 0 at the start"
    assert "check  bet 50  bet 100  bet 250  player 0  player 1  exploitable" in lines[1]
    assert [line.split()[0] for line in lines[2:7]] == list(sample.boards)
    first, second = expected.mean_values
    assert f"{first:8.2f}  {second:8.2f}" in lines[7]
    assert lines[7].split()[1] == f"{expected.mean_frequencies[0]:.1%}"
    assert lines[8].startswith("standard error ")
    assert len(lines) == 9
    assert "5 boards, each " in progress
    assert "at most 1,000 iterations a board" in progress
    assert "5/5 " in progress
    assert [row["board"] for row in rows(file)] == list(sample.boards)
    for row, result in zip(rows(file), expected.results, strict=True):
        assert float(row["value_0"]) == pytest.approx(result.values[0], abs=1e-3)


def test_a_list_and_a_file_give_the_same_table(capsys, tmp_path):
    file = tmp_path / "boards.txt"
    file.write_text(LIST.replace(",", "\n") + "\n\n")
    tables = []
    for boards in (LIST, str(file)):
        assert main(["solve", boards, *SPOT, "--iterations", "20", "--at", "check"]) == 0
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1]
    lines = tables[0].splitlines()
    assert lines[0] == "player 1 after check"
    assert [line.split()[0] for line in lines[2:]] == [*LIST.replace(",", " ").split(), "mean"]


def test_progress_within_a_board_is_shown_before_the_river(capsys):
    assert main(["solve", "1 turn", *SPOT, "--bets", "all-in", "--iterations", "2"]) == 0
    board = draw_boards(1, "turn", RANGES, seed=1).boards[0]
    assert f"{board}: 1 iterations, " in capsys.readouterr().err


def test_an_interrupt_keeps_the_finished_boards(capsys, monkeypatch, tmp_path):
    solved, found = board_reports._result, []

    def interrupted(*arguments):
        found.append(arguments)
        if len(found) == 3:
            signal.raise_signal(signal.SIGINT)
        return solved(*arguments)

    monkeypatch.setattr(board_reports, "_result", interrupted)
    monkeypatch.setattr(solve, "n_cores", lambda: 1)
    file = tmp_path / "rivers.csv"
    more = ("--iterations", "20", "--out", str(file))
    assert main(["solve", LIST, *SPOT, *more]) == 130
    printed, progress = capsys.readouterr()
    assert "interrupted: 2 of 3 boards are finished" in progress
    boards = ["KsTh7s4d2s", "8d8c2h2s5c"]
    assert [line.split()[0] for line in printed.splitlines()[2:]] == [*boards, "mean"]
    assert [row["board"] for row in rows(file)] == boards
    assert sum(float(row["weight"]) for row in rows(file)) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("0 rivers",), "count must be at least 1"),
        (("KsTh7s, KsTh7s4d",), "boards must all be of the same street"),
        (("KsTh7s4d2s, AsAhAdAcZZ", "--hands"), "is not a card"),
        (("2 rivers", "--hands"), "--hands is for one board"),
        (("2 rivers", "--out", "a.npz"), "a.npz is for one board"),
        (("2 rivers", "--out", "no-such/a.csv"), "there is no folder no-such"),
        (("2 rivers", "--at", "raise"), "steps[0] must be one of check, bet"),
        (("2 turns", "--at", "check", "check", "2h"), "steps[2] must not be a card"),
        (("KsTh7s, 8d8c2h", "--bets", "50%, pot, 200%"), "too large"),
        (("2 rivers", "--out", "a.csv", "b.csv"), "one file of each ending"),
        (("2 rivers", "--target", "-1"), "target must be"),
        (("2 rivers", "--seed", "-1"), "seed must be"),
    ],
)
def test_an_impossible_report_gives_a_one_line_error(arguments, words, capsys):
    board, *options = arguments
    ranges = ("*", "*") if words == "too large" else RANGES
    stack = ("--stack", "950" if words == "too large" else "250")
    assert main(["solve", board, *ranges, "--pot", "100", *stack, *options]) == 2
    printed, error = capsys.readouterr()
    assert words in error
    assert not printed


def test_one_board_is_no_report():
    assert several_boards("KsTh7s4d2s", RANGES, 1) is None
    assert several_boards("KsTh", RANGES, 1) is None
