"""``nlhe solve``: a table, a picture, arrays, and words for what cannot be."""

import re
import signal

import numpy as np
import pytest
from interrupts import interruptible

from agents.commands.main import main
from agents.solvers import regret_minimisation

SPOT = ("solve", "KsTh7s4d2s", "AA, 65s", "QQ, KJ", "--pot", "100", "--stack", "250")


@pytest.fixture(autouse=True)
def _ctrl_c():
    """Python's own Ctrl-C, also where the tests run in the background of a shell."""
    with interruptible():
        yield


def test_a_spot_is_solved_and_printed(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    picture, arrays = tmp_path / "grid.png", tmp_path / "spot.npz"
    more = ("--at", "check", "--hands", "--picture", str(picture), "--arrays", str(arrays))
    assert main([*SPOT, "--target", "1", *more]) == 0
    printed, progress = capsys.readouterr()
    assert "% of the pot)" in printed
    assert "player 1 after check" in printed
    assert "QQ        6.00" in printed
    size, *_ = (line for line in progress.splitlines() if " nodes" in line)
    assert "MiB" in size
    assert picture.read_bytes().startswith(b"\x89PNG")
    with np.load(arrays) as found:
        assert found["exploitability"] <= 1
        assert found["player"] == 1
        assert list(found["actions"]) == ["check", "bet 50", "bet 100", "bet 250"]
        n = len(found["hands"])
        assert found["chances"].shape == found["values"].shape == (4, n)
        assert found["cards"].shape == (n, 2)
        weights = found["reach"] * found["met"]
        checks = found["chances"][0] @ weights / weights.sum()
        assert f"check    {checks:6.1%}" in printed
        # Aces and missed draws: the pot of 100 is queens' as often as they meet sixes and fives.
        queens = [i for i, hand in enumerate(found["hands"]) if hand[0] == hand[2] == "Q"]
        assert 0 < found["values"][0, queens].mean() < 100


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("KsKs7s4d2s", "AA", "QQ"), "Ks is given twice"),
        (("KsTh", "AA", "QQ"), "board must be 3, 4 or 5 cards"),
        (("KsTh7s4d2s", "KsKh", "QQ"), "ranges[0] is impossible"),
        (("KsTh7s4d2s", "AsAh", "AsQs"), "ranges can never meet"),
        (("KsTh7s4d2s", "AA", "QY"), "expected a rank"),
        (("KsTh7s4d2s", "AA", "QQ", "--bets", ""), "bets must name at least one size"),
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
    for option, file, words in (
        ("--picture", "a.xyz", 'the suffix of --picture must be one of "'),
        ("--picture", "a", "got ''"),
        ("--picture", "none/a.png", f"there is no folder {tmp_path / 'none'}"),
        ("--picture", "old.png", "is a folder"),
        ("--arrays", "none/a.npz", f"there is no folder {tmp_path / 'none'}"),
    ):
        assert main([*SPOT, option, str(tmp_path / file)]) == 2
        printed, progress = capsys.readouterr()
        assert words in progress
        assert "nodes" not in printed + progress
    assert main([*SPOT, "--iterations", "1", "--picture", str(tmp_path / "a.SVG")]) == 0
    assert "<svg" in (tmp_path / "a.SVG").read_text()


def test_an_interrupt_prints_the_solution_so_far(capsys, monkeypatch, tmp_path):
    learn, calls = regret_minimisation.learn, []

    def interrupted(*arguments):
        calls.append(len(arguments[1]))
        learn(*arguments)
        if len(calls) == 4:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(regret_minimisation, "learn", interrupted)
    arrays = tmp_path / "spot.npz"
    more = ("--iterations", "1000000", "--target", "0", "--arrays", str(arrays))
    assert main([*SPOT, *more]) == 130
    printed, progress = capsys.readouterr()
    assert "interrupted" in progress
    assert f"{sum(calls):,} iterations, exploitability " in printed
    assert "player 0 at the start" in printed
    with np.load(arrays) as found:
        assert found["exploitability"] > 0


def test_an_interrupt_before_the_first_iteration_prints_nothing(capsys, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(regret_minimisation, "learn", interrupted)
    assert main([*SPOT]) == 130
    assert capsys.readouterr().out == ""


def test_printed_values_and_the_rake_sum_to_the_pot(capsys, tmp_path):
    arrays = tmp_path / "spot.npz"
    more = ("--rake", "10%", "--at", "check", "--arrays", str(arrays))
    assert main([*SPOT, "--iterations", "50", *more]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "player 0 gets" in line)
    first, second, house = (float(n) for n in re.findall(r"-?\d+\.\d+", line))
    assert first + second + house == pytest.approx(100, abs=0.02)
    assert 10 <= house < 60
    with np.load(arrays) as found:
        # A pot of 100 that is checked down pays 10.
        queens = [i for i, hand in enumerate(found["hands"]) if hand[0] == hand[2] == "Q"]
        assert np.nanmax(found["values"][0, queens]) <= 90 + 1e-3
