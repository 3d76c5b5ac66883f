"""Win probabilities and equities by the user interfaces: texts, and arrays of hands."""

import os
import subprocess
import sys

import numpy as np
import pytest

from nlhe_env import equity
from nlhe_env.equity import hand_equities, load_tables, win_or_tie_probabilities
from nlhe_env.equity.tables import lookup

TOLERANCE = 1e-6


# ------------------------------------------------------------------------------------------- texts


def test_win_probability_of_text():
    assert equity.win_or_tie_probability("AsAh") == pytest.approx(0.854755, abs=TOLERANCE)
    assert equity.win_or_tie_probability("As Ah", n_opponents=9) == pytest.approx(
        0.347566, abs=TOLERANCE
    )


def test_win_probability_of_text_with_board():
    chance = equity.win_or_tie_probability("AhKh", "QhJh2c", n_opponents=2)
    assert chance == pytest.approx(0.653250, abs=TOLERANCE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hole": "As"}, "hole must be two cards; got 'As'"),
        ({"hole": "AsKs", "board": "2c3c"}, "board must be 0, 3, 4 or 5 cards; got '2c3c'"),
        ({"hole": "AsKs", "board": "2c3cAs"}, "card As is in both"),
        ({"hole": "AsKs", "n_opponents": 0}, r"n_opponents must be 1..9; got 0"),
        ({"hole": "AsKs", "n_opponents": 10}, r"n_opponents must be 1..9; got 10"),
        ({"hole": "AsXs"}, "'Xs' in 'AsXs' is not a card"),
    ],
)
def test_invalid_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        equity.win_or_tie_probability(**arguments)


def test_equity_of_text():
    result = equity.equities(["AhKh", "*"], "QhJh2c3d")
    assert equity.hand_equity("AhKh", "QhJh2c3d") == pytest.approx(result.equity[0], abs=1e-12)
    assert equity.hand_equity("7c2d", "AsKsQsJsTs", n_opponents=3) == pytest.approx(1 / 4)
    assert equity.hand_equity("AsAh") == pytest.approx(0.854755 - 0.005436 / 2, abs=TOLERANCE)


# ------------------------------------------------------------------------------------------ arrays


def deal_rows(n, seed=0):
    return np.argsort(np.random.default_rng(seed).random((n, 52)), axis=1)[:, :7]


@pytest.mark.parametrize("n_board", [0, 3, 4, 5])
@pytest.mark.parametrize(
    ("look_up_all", "look_up"),
    [
        (win_or_tie_probabilities, lookup.win_or_tie_probability),
        (hand_equities, lookup.hand_equity),
    ],
    ids=["win_or_tie_probabilities", "hand_equities"],
)
def test_arrays_match_single_hands(n_board, look_up_all, look_up):
    cards = deal_rows(500)
    holes, boards = cards[:, :2], cards[:, 2 : 2 + n_board]
    opponents = np.arange(500) % 9 + 1
    tables = load_tables()
    expected = [
        look_up(*hole, board, n_board, n, tables)
        for hole, board, n in zip(holes, boards, opponents, strict=True)
    ]
    assert look_up_all(holes, boards, opponents).tolist() == expected
    assert look_up_all(holes.astype(np.uint8), boards.tolist(), opponents).tolist() == expected


@pytest.mark.parametrize("n_board", [0, 3, 4, 5])
def test_threads_change_nothing(n_board):
    cards = deal_rows(20_000)
    holes, boards = cards[:, :2], cards[:, 2 : 2 + n_board]
    for look_up_all in (win_or_tie_probabilities, hand_equities):
        one = look_up_all(holes, boards, 2)
        assert np.array_equal(look_up_all(holes, boards, 2, n_threads=3), one)


def test_one_board_applies_to_all_hands():
    board = [0, 5, 10, 15, 20]
    holes = [[1, 2], [3, 4], [50, 51]]
    assert np.array_equal(
        win_or_tie_probabilities(holes, board), win_or_tie_probabilities(holes, [board] * 3)
    )


def test_no_hands_give_empty_results():
    assert win_or_tie_probabilities(np.empty((0, 2), int), np.empty((0, 5), int)).shape == (0,)
    assert hand_equities(np.empty((0, 2), int)).shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2],), r"holes must have shape \(n, 2\); got \(2,\)"),
        (([[1, 2, 3]],), r"holes must have shape \(n, 2\); got \(1, 3\)"),
        (([[1, 2]], [[3, 4]]), r"boards must have shape \(1, k\) or \(k,\).*; got \(1, 2\)"),
        (([[1, 2]], [[3, 4, 5]] * 2), r"boards must have shape .*; got \(2, 3\)"),
        (([[1.0, 2.0]],), "holes must be integers; got dtype float64"),
        (([[1, 2], [1, 52]],), r"card codes must be in 0..51; got \[1, 52\] in row 1 of holes"),
        (([[1, 2]], [[3, 4, 300]]), r"got \[3, 4, 300\] in row 0 of boards"),
        (([[1, 2], [3, 3]],), "card 2s appears twice in row 1"),
        (([[1, 2]], [3, 4, 1]), "card 2d appears twice in row 0"),
        (([[1, 2]], None, 0), r"n_opponents must be 1..9; got 0"),
        (([[1, 2], [3, 4]], None, [1, 10]), r"n_opponents must be 1..9; got 10"),
        (([[1, 2], [3, 4]], None, [1, 2, 3]), r"n_opponents must be one integer or 2; got shape"),
    ],
)
def test_invalid_arrays_are_named(arguments, message):
    for look_up_all in (win_or_tie_probabilities, hand_equities):
        with pytest.raises(ValueError, match=message):
            look_up_all(*arguments)


def test_an_invalid_number_of_threads_is_reported():
    with pytest.raises(ValueError, match="n_threads must be at least 1; got 0"):
        win_or_tie_probabilities([[1, 2]], n_threads=0)


def test_preflop_needs_no_tables(tmp_path):
    script = "import nlhe_env.equity as e; e.hand_equities; e.win_or_tie_probabilities([[0, 1]])"
    environment = {**os.environ, "NLHE_ENV_CACHE": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    assert not list(tmp_path.glob("strength*"))
