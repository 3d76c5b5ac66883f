"""Reports over several boards: each board as it is solved alone, means, files, interrupts."""

import csv
import threading

import numpy as np
import pytest

from agents import solvers
from agents.solvers import board_reports
from nlhe_env import Rake

RANGES = ("AA, 65s, KQs", "QQ, KJ, T9s")
BOARDS = ("KsTh7s4d2s", "8d8c2h2s5c", "AhQh3h7d6c")
SPOT = {"pot": 100, "stack": 150, "bets": "pot, all-in"}


def report(boards=BOARDS, **options):
    return solvers.report_boards(boards, RANGES, **SPOT, **options)


def test_every_board_is_solved_as_it_is_alone():
    found = report(target=0.5, steps=("check",), rake=Rake(share=0.05))
    assert [result.board for result in found.results] == list(BOARDS)
    for result in found.results:
        game = solvers.Subgame(result.board, RANGES, rake=Rake(share=0.05), **SPOT).game()
        alone = solvers.solve(game, target=0.5)
        decision = alone.at("check")
        assert (result.player, result.actions) == (1, decision.actions)
        np.testing.assert_array_equal(result.frequencies, decision.frequencies)
        assert result.values == (50 + alone.values[0], 50 + alone.values[1])
        assert sum(result.values) < 96
        assert result.iterations == alone.iterations
        assert result.exploitability == alone.exploitability <= 0.5
        checks = alone.at().frequencies[0]  # the share of deals in which player 0 checks
        assert result.reached == pytest.approx(checks, abs=1e-5)


def test_means_weigh_boards_by_pairs_of_hands_and_decisions_by_reach():
    found = report(iterations=20, steps=("check",))
    weights = solvers.weigh_boards(BOARDS, RANGES).weights
    assert len(set(weights.round(6))) > 1
    values = np.array([result.values for result in found.results])
    np.testing.assert_allclose(found.mean_values, weights @ values)
    assert found.mean_values.sum() == pytest.approx(100, abs=1e-3)
    reached = np.array([result.reached for result in found.results]) * weights
    frequencies = np.array([result.frequencies for result in found.results])
    np.testing.assert_allclose(found.mean_frequencies, reached @ frequencies / reached.sum())
    assert found.mean_frequencies.sum() == pytest.approx(1)
    assert found.standard_errors() is None  # the boards are no random sample


def test_the_standard_error_of_equal_weights_is_the_usual_one():
    sample = solvers.BoardSample(BOARDS, np.full(3, 1 / 3), drawn=True)
    found = report(sample, iterations=20)
    values = np.array([result.values for result in found.results])
    frequencies = np.array([result.frequencies for result in found.results])
    of_frequencies, of_values = found.standard_errors()
    np.testing.assert_allclose(of_values, values.std(axis=0, ddof=1) / np.sqrt(3))
    expected = frequencies.std(axis=0, ddof=1) / np.sqrt(3)
    np.testing.assert_allclose(of_frequencies, expected, atol=1e-6)


@pytest.mark.parametrize("street", ["turn", "river"])
def test_threads_do_not_change_a_bit_of_a_report(street):
    sample = solvers.draw_boards(4 if street == "river" else 2, street, RANGES, seed=2)
    one, three = (report(sample, iterations=25, threads=threads) for threads in (1, 3))
    for result, same in zip(one.results, three.results, strict=True):
        assert (result.board, result.values) == (same.board, same.values)
        np.testing.assert_array_equal(result.frequencies, same.frequencies)
        assert result.exploitability == same.exploitability


def test_the_file_has_a_row_for_each_board(tmp_path):
    found = report(iterations=20)
    found.write_csv(tmp_path / "boards.csv")
    with open(tmp_path / "boards.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == (
        "board weight reached check,bet 100,bet 150,value_0 value_1 exploitability "
        "exploitability_percent iterations"
    ).replace(" ", ",").replace("bet,", "bet ").split(",")
    assert [row["board"] for row in rows] == list(BOARDS)
    for row, result in zip(rows, found.results, strict=True):
        assert float(row["bet 100"]) == pytest.approx(result.frequencies[1], rel=1e-4)
        assert float(row["value_1"]) == pytest.approx(result.values[1], rel=1e-4)
        assert row["iterations"] == "20"
    assert sum(float(row["weight"]) for row in rows) == pytest.approx(1, abs=1e-4)
    assert list(tmp_path.iterdir()) == [tmp_path / "boards.csv"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "boards.csv"
    path.write_text("old")
    monkeypatch.setattr("os.replace", lambda *paths: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(OSError, match="full"):
        report(iterations=1).write_csv(path)
    assert path.read_text() == "old"


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_the_other_boards(threads, monkeypatch):
    """The first board is done at once, and the others would take for ever."""
    finished, stopped = [], []
    run_to = solvers.Solver.run_to

    def endless_but_first(solver, iterations, *, stop, **options):
        if threading.current_thread() is threading.main_thread():
            return run_to(solver, 5)
        if not stopped:
            stopped.append(solver)
            return run_to(solver, 5)
        return run_to(solver, 2**50, stop=stop)

    def interrupt(result):
        finished.append(result)
        raise KeyboardInterrupt

    monkeypatch.setattr(board_reports.Solver, "run_to", endless_but_first)
    with pytest.raises(KeyboardInterrupt):
        report(threads=threads, on_board=interrupt)
    assert len(finished) == 1
    assert finished[0].iterations == 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"threads": 0}, "threads must be"),
        ({"iterations": 0}, "iterations must be"),
        ({"target": -1}, "target must be"),
        ({"method": "magic"}, "method must be one of"),
        ({"steps": ("raise",)}, r"steps\[0\] must be one of check, bet 100"),
        ({"steps": ("check", "check")}, "no player makes a decision after .*the hand is over"),
        ({"steps": ("check", "2h")}, r"steps\[1\] must not be a card"),
        ({"boards": ["KsTh7s4d2s", "AA"]}, "is not a card"),
    ],
)
def test_impossible_reports_are_refused_before_solving(options, words, monkeypatch):
    monkeypatch.setattr(board_reports, "Solver", None)
    with pytest.raises(ValueError, match=words):
        report(**options)
