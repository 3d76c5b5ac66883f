"""``nlhe solve``: a table, a picture, a saved solution, and words for what cannot be."""

import csv
import re
import signal

import numpy as np
import pytest
from interrupts import interruptible

from agents.commands import solve
from agents.commands.main import main
from agents.commands.solve import several_boards
from agents.solvers import (
    board_reports,
    draw_boards,
    load_solution,
    regret_minimisation,
    report_boards,
)
from nlhe_env.system.command_help import REPLACED_OPTIONS

SPOT = ("solve", "KsTh7s4d2s", "AA, 65s", "QQ, KJ", "--pot", "100", "--stack", "250")


@pytest.fixture(autouse=True)
def _ctrl_c():
    """Python's own Ctrl-C, also where the tests run in the background of a shell."""
    with interruptible():
        yield


def test_a_spot_is_solved_and_printed(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    picture, saved = tmp_path / "grid.png", tmp_path / "spot.npz"
    more = ("--at", "check", "--hands", "--out", str(picture), str(saved))
    assert main([*SPOT, "--target", "1", *more]) == 0
    printed, progress = capsys.readouterr()
    assert "% of the pot)" in printed
    assert "player 1 after check" in printed
    assert "QQ        6.00" in printed
    size, *_ = (line for line in progress.splitlines() if " nodes" in line)
    assert "MiB" in size
    assert picture.read_bytes().startswith(b"\x89PNG")
    spot, solution = load_solution(saved)
    found = solution.at("check")
    assert solution.exploitability <= 1
    assert found.player == 1
    assert list(found.actions) == ["check", "bet 50", "bet 100", "bet 250"]
    weights = found.reach * found.met
    checks = found.chances[0] @ weights / weights.sum()
    assert f"check    {checks:6.1%}" in printed
    # Aces and missed draws: the pot of 100 is queens' as often as they meet sixes and fives.
    assert 0 < (found.values[0, queens(spot)] + 50).mean() < 100


def queens(spot):
    """Places of player 1's hands of two queens."""
    return [i for i, hand in enumerate(spot.hand_names(1)) if hand[0] == hand[2] == "Q"]


def test_a_solution_with_locks_is_saved_and_shown_again(capsys, tmp_path):
    file, lock = str(tmp_path / "spot.NPZ"), "check: QQ = bet 50 25%, check 75%"
    shown = ("--at", "check", "--hands")
    assert main([*SPOT, "--iterations", "20", "--lock", lock, "--out", file, *shown]) == 0
    solved = capsys.readouterr().out
    assert re.search(r"QQ .* 75\.0%\s+25\.0%\s+0\.0%", solved)
    assert main(["solve", file, *shown]) == 0
    assert capsys.readouterr().out == solved
    wrong = ("--pot", "100"), ("--lock", lock), ("AA",), ("--bets", "33%"), ("--target", "1")
    for more in (*wrong, ("--out", f"{file}.npz")):
        assert main(["solve", file, *more]) == 2
        assert f"{file} is a saved solution: " in capsys.readouterr().err
    assert main(["solve", "KsTh7s4d2s", "AA", "QQ"]) == 2
    assert "--pot and --stack are needed, or a saved solution" in capsys.readouterr().err


def test_fixed_limit_and_sizes_of_raises(capsys):
    limit = ("--limit", "10", "--iterations", "2", "--at", "bet 20", "raise to 40")
    assert main([*SPOT, *limit]) == 0
    assert "raise to 60" in capsys.readouterr().out
    sizes = ("--bets", "50%; 3x", "--iterations", "2", "--at", "bet 50")
    assert main([*SPOT, *sizes]) == 0
    assert "raise to 150" in capsys.readouterr().out


@pytest.mark.parametrize(("gone", "now"), REPLACED_OPTIONS["solve"].items())
def test_a_removed_option_says_what_to_type(gone, now, capsys):
    assert main([*SPOT, gone, "1"]) == 2
    assert f"{gone} is now {now}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("KsKs7s4d2s", "AA", "QQ"), "Ks is given twice"),
        (("KsTh7s4d2s", "KsKh", "QQ"), "ranges[0] is impossible"),
        (("KsTh7s4d2s", "AA", "QY"), "expected a rank"),
        (("KsTh7s", "*", "*", "--bets", "50%, pot, 200%"), "nodes, "),
        (("KsTh7s4d2s", "AA", "QQ", "--at", "raise"), "steps[0] must be one of check, bet"),
        (("KsTh7s4d2s", "AA", "QQ", "--target", "-1"), "target must be"),
        (("KsTh7s4d2s", "AA", "QQ", "--stack", "9", "8", "7"), "stack must be one number, or two"),
    ],
)
def test_an_unsolvable_spot_gives_a_one_line_error(arguments, words, capsys):
    stack = () if "--stack" in arguments else ("--stack", "950")
    assert main(["solve", *arguments, "--pot", "100", *stack]) == 2
    assert words in capsys.readouterr().err


def test_an_unwritable_output_is_reported_before_solving(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "old.png").mkdir()
    for file, words in (
        ("a.xyz", "the ending of --out "),
        ("a", "got ''"),
        ("none/a.png", f"there is no folder {tmp_path / 'none'}"),
        ("old.png", "is a folder"),
        ("a.csv", "a .csv file is for several boards"),
    ):
        assert main([*SPOT, "--out", str(tmp_path / file)]) == 2
        printed, progress = capsys.readouterr()
        assert words in progress
        assert "nodes" not in printed + progress
    assert main([*SPOT, "--iterations", "1", "--out", str(tmp_path / "a.SVG")]) == 0
    assert "<svg" in (tmp_path / "a.SVG").read_text()


def test_an_interrupt_prints_the_solution_so_far(capsys, monkeypatch, tmp_path):
    learn, calls = regret_minimisation.learn, []

    def interrupted(*arguments):
        calls.append(len(arguments[1]))
        learn(*arguments)
        if len(calls) == 4:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(regret_minimisation, "learn", interrupted)
    saved = tmp_path / "spot.npz"
    more = ("--iterations", "1000000", "--target", "0", "--out", str(saved))
    assert main([*SPOT, *more]) == 130
    printed, progress = capsys.readouterr()
    assert "interrupted" in progress
    assert f"{sum(calls):,} iterations, exploitability " in printed
    assert "player 0 at the start" in printed
    assert load_solution(saved)[1].exploitability > 0


def test_an_interrupt_before_the_first_iteration_prints_nothing(capsys, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(regret_minimisation, "learn", interrupted)
    assert main([*SPOT]) == 130
    assert capsys.readouterr().out == ""


def test_a_hand_that_wins_nothing_has_no_sign(capsys):
    spot = ("AsKsQs2d3c", "4d4h", "JsTs", "--pot", "10", "--stack", "10", "--target", "0.01")
    assert main(["solve", *spot, "--hands"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^44 +1\.00 +0\.0 ", printed, re.MULTILINE)
    assert not re.search(r"-0\.0+\b", printed)


def test_printed_values_and_the_rake_sum_to_the_pot(capsys, tmp_path):
    saved = tmp_path / "spot.npz"
    more = ("--rake", "10%", "--at", "check", "--out", str(saved))
    assert main([*SPOT, "--iterations", "50", *more]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "player 0 gets" in line)
    first, second, house = (float(n) for n in re.findall(r"-?\d+\.\d+", line))
    assert first + second + house == pytest.approx(100, abs=0.02)
    assert 10 <= house < 60
    spot, solution = load_solution(saved)
    # A pot of 100 that is checked down pays 10.
    values = solution.at("check").values[0, queens(spot)] + 50
    assert np.nanmax(values) <= 90 + 1e-3


# --- several boards -------------------------------------------------------------------------------


RANGES = ("AA, 65s", "QQ, KJ")
SPOT_ON_BOARDS = (*RANGES, "--pot", "100", "--stack", "250")
LIST = "KsTh7s4d2s, 8d8c2h2s5c,AhQh3h7d6c"


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_rivers_are_drawn_solved_and_printed(capsys, tmp_path):
    file = tmp_path / "rivers.csv"
    more = ("--seed", "3", "--target", "1", "--out", str(file))
    assert main(["solve", "5 rivers", *SPOT_ON_BOARDS, *more]) == 0
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
        assert main(["solve", boards, *SPOT_ON_BOARDS, "--iterations", "20", "--at", "check"]) == 0
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1]
    lines = tables[0].splitlines()
    assert lines[0] == "player 1 after check"
    assert [line.split()[0] for line in lines[2:]] == [*LIST.replace(",", " ").split(), "mean"]


def test_progress_within_a_board_is_shown_before_the_river(capsys):
    assert main(["solve", "1 turn", *SPOT_ON_BOARDS, "--bets", "all-in", "--iterations", "2"]) == 0
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
    assert main(["solve", LIST, *SPOT_ON_BOARDS, *more]) == 130
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
