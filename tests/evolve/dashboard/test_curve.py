"""Learning curves: measured against what never changes, or none at all."""

from __future__ import annotations

import csv
import io

from evolve.dashboard.viewed_run import as_csv, learning_curve

TESTS = [{"generation": 0, "score": 5.5, "error": 0.1}, {"generation": 10, "score": 4.0}]
PROGRESS = {
    "generations": [1, 6],
    "places": [4.0, 3.0],
    "errors": [0.1, 0.2],
    "static_players": {"random": 5.0, "caller": 4.5, "folder": 6.0},
}


def test_tests_take_precedence_over_final_tournaments():
    curve = learning_curve({"table_size": 10}, TESTS, PROGRESS)
    assert curve is not None
    assert (curve["measure"], curve["unit"]) == ("tests", "place of 10")
    assert curve["lower_is_better"]
    assert curve["values"] == [5.5, 4.0]
    assert curve["errors"] == [0.1, None]


def test_more_is_better_in_cash_games():
    curve = learning_curve({"game": "cash"}, TESTS, None)
    assert curve is not None
    assert (curve["unit"], curve["lower_is_better"]) == ("bb/100", False)


def test_final_tournaments_count_all_participants():
    curve = learning_curve({}, [], PROGRESS)
    assert curve is not None
    assert (curve["measure"], curve["unit"]) == ("final tournaments", "place of 5")


def test_places_within_a_run_do_not_count_as_progress():
    assert learning_curve({"table_size": 10}, [], None) is None


def test_figures_are_read_back_from_csv():
    rows = [{"generation": 1, "a.b": 0.5}, {"generation": 2, "won": True, "a.b": None}]
    read = list(csv.DictReader(io.StringIO(as_csv(rows))))
    assert read == [
        {"generation": "1", "a.b": "0.5", "won": ""},
        {"generation": "2", "a.b": "", "won": "True"},
    ]
    assert as_csv([]) == "\n"
