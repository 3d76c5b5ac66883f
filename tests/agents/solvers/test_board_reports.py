"""Reports over several boards: each board as it is solved alone, means, files, interrupts."""

import csv
import threading
from itertools import combinations

import numpy as np
import pytest

from agents import solvers
from agents.solvers import board_reports
from nlhe_env import Rake, Range, format_cards, parse_cards

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


# --- boards drawn for reports ---------------------------------------------------------------------


TIGHT = ("AA, KhQh", "KK:0.5, AsQs")


def pairs_on(board, ranges):
    """Weight of the pairs of hands that can meet on a board, one by one."""
    held = [Range.parse(text) for text in ranges]
    return sum(
        first_weight * second_weight
        for first, first_weight in zip(held[0].combos.tolist(), held[0].weights, strict=True)
        for second, second_weight in zip(held[1].combos.tolist(), held[1].weights, strict=True)
        if len({*first, *second, *board}) == 4 + len(board)
    )


def all_pairs_on(boards, ranges):
    """``(boards,)`` how many pairs of hands of equal weight can meet."""
    held = [1 << Range.parse(text).combos.astype(np.int64) for text in ranges]
    first, second = (hands.sum(axis=1) for hands in held)
    pairs = np.array([a | b for a in first.tolist() for b in second.tolist() if not a & b])
    return np.array([(pairs & sum(1 << card for card in board) == 0).sum() for board in boards])


def test_the_same_seed_draws_the_same_boards():
    one, same, other = (solvers.draw_boards(20, "river", ("*", "*"), seed=s) for s in (4, 4, 5))
    assert one.boards == same.boards != other.boards
    np.testing.assert_array_equal(one.weights, same.weights)
    assert one.drawn
    assert len({frozenset(parse_cards(board)) for board in one.boards}) == 20
    assert {len(board) for board in one.boards} == {10}


def test_given_boards_weigh_as_many_pairs_of_hands_as_can_meet():
    boards = ["AhKsQd", "2c3d4h", "AsAc5d", "KdKh7c"]
    sample = solvers.weigh_boards(boards, TIGHT)
    expected = np.array([pairs_on(parse_cards(board), TIGHT) for board in boards])
    np.testing.assert_allclose(sample.weights, expected / expected.sum(), atol=1e-12)
    assert sample.boards == tuple(boards)
    assert not sample.drawn


@pytest.mark.slow
def test_boards_that_differ_by_symmetric_suits_are_one():
    sample = solvers.draw_boards(1755, "flop", ("*", "*"), seed=1)  # all there are
    # No flop is twice there, and each weighs as many as it stands for: AAA 4, suited 4, rainbow 24.
    weights = dict(zip(sample.boards, sample.weights * 22_100, strict=True))
    assert weights["AsAhAd"] == pytest.approx(4, rel=0.01)
    assert weights["AsKsQs"] == pytest.approx(4, rel=0.01)
    assert weights["AsKhQd"] == pytest.approx(24, rel=0.01)
    assert weights["AsAhKd"] == pytest.approx(12, rel=0.01)


def test_suits_count_where_a_range_has_certain_suits():
    sample = solvers.draw_boards(400, "flop", ("AsKs", "QQ"), seed=1)
    symmetric = {"s": "s", "h": "h", "d": "h", "c": "h"}
    in_spades = [b for b in sample.boards if b[1] == b[3] == b[5] == "s"]
    in_others = [b for b in sample.boards if b[1] == b[3] == b[5] and b[1] != "s"]
    assert in_spades
    assert in_others
    assert {symmetric[board[1]] for board in in_others} == {"h"}
    assert all(board[1] == "h" for board in in_others)  # one of three that are alike


def test_weighted_means_estimate_those_of_all_boards():
    """The share of paired flops and of flops with an ace, for ranges that hold many aces."""
    ranges = ("AA, AK", "AQ, KK")
    boards = list(combinations(range(52), 3))
    weights = all_pairs_on(boards, ranges)
    aces = np.array([max(board) >= 48 for board in boards])
    paired = np.array([len({card // 4 for card in board}) == 2 for board in boards])
    truth = weights @ np.stack([aces, paired], 1) / weights.sum()
    found = np.zeros(2)
    for seed in range(8):
        sample = solvers.draw_boards(150, "flop", ranges, seed=seed)
        drawn = [parse_cards(board) for board in sample.boards]
        found[0] += sample.weights @ [max(board) >= 48 for board in drawn] / 8
        found[1] += sample.weights @ [len({c // 4 for c in board}) == 2 for board in drawn] / 8
    assert found == pytest.approx(truth, abs=0.03)
    assert truth[0] < 0.15 < aces.mean()  # the ranges hold the aces


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, "river", TIGHT), "count must be at least 1"),
        ((2, "preflop", TIGHT), "street must be one of"),
        ((2, "river", ("AA",)), "ranges must be two"),
        ((2, "river", ("AsAh", "AsQs")), "ranges can never meet"),
        ((23, "flop", ("AA", "2Y")), "expected a rank"),
    ],
)
def test_impossible_draws_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        solvers.draw_boards(*arguments, seed=1)


def test_more_boards_than_there_are_are_refused(monkeypatch):
    monkeypatch.setattr("agents.solvers.board_reports._DEALS", 0)
    monkeypatch.setattr("agents.solvers.board_reports._DEALS_OF_BOARD", 2)
    with pytest.raises(ValueError, match=r"count must be at most the number of different flops"):
        solvers.draw_boards(1700, "flop", ("*", "*"), seed=1)


@pytest.mark.parametrize(
    ("boards", "words"),
    [
        ([], "boards must be a list"),
        ("KsTh7s", "boards must be a list"),
        (["KsTh"], r"boards\[0\] must be 3, 4 or 5 cards"),
        (["KsTh7s", "KsTh7s2d"], "boards must all be of the same street"),
        (["KsTh7s", "Th7sKs"], r"boards\[1\] is given twice"),
        (["2c2d2h3c3d", "AsAhAdKh2c"], r"boards\[1\] is impossible: the ranges"),
    ],
)
def test_impossible_lists_are_refused(boards, words):
    with pytest.raises(ValueError, match=words):
        solvers.weigh_boards(boards, TIGHT)


def test_boards_are_written_as_cards_are():
    sample = solvers.weigh_boards([" ks th 7s"], TIGHT)
    assert sample.boards == (format_cards(parse_cards("KsTh7s")),)
