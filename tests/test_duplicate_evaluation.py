"""Duplicate tables and the statistics on them."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest
from scipy import stats

import agents
from evolve import chunks
from evolve.chunks import thread_workers
from evolve.duplicate import Evaluation, evaluate, save_evaluation
from evolve.statistics import compare_paired, standard_errors
from nlhe_env.equity import load_tables


@pytest.fixture(scope="module")
def tables():
    return load_tables()


def play(players, tables, *, revolutions=20, threads=2) -> Evaluation:
    names = [f"player-{i}" for i in range(len(players))]
    with thread_workers(threads) as workers:
        return evaluate(
            players,
            names,
            structure=agents.Structure(),
            revolutions=revolutions,
            seed=5,
            tables=tables,
            workers=workers,
        )


@pytest.mark.parametrize("name", ["caller", "folder"])
@pytest.mark.parametrize("n_players", [2, 7, 9])
def test_equal_deterministic_players_all_average_the_middle_place(tables, name, n_players):
    evaluation = play([agents.make(name) for _ in range(n_players)], tables)
    assert (evaluation.places == (n_players + 1) / 2).all()
    assert (evaluation.errors == 0.0).all()
    verdicts = {test.verdict for test in evaluation.comparisons().values()}
    assert verdicts == {"no difference shown"}


def test_places_of_a_revolution_average_the_middle_place(tables):
    evaluation = play([agents.make(name) for name in ("random", "raiser", "folder")], tables)
    np.testing.assert_allclose(evaluation.places.mean(axis=1), 2.0, rtol=1e-12)


def test_threads_and_chunks_do_not_change_the_places(tables, monkeypatch):
    players = [agents.make(name) for name in ("random", "raiser", "call-or-raise")]
    many = play(players, tables, revolutions=101, threads=3)
    monkeypatch.setattr(chunks, "TARGET_S", 1e-9)
    single = play(players, tables, revolutions=101, threads=1)
    assert many.places.tobytes() == single.places.tobytes()
    assert (many.hands, many.decisions) == (single.hands, single.decisions)


def test_folder_outlasts_the_active_static_players(tables):
    names = ("folder", "random", "raiser", "caller", "call-or-raise")
    evaluation = play([agents.make(name) for name in names], tables, revolutions=200)
    assert {test.verdict for test in evaluation.comparisons().values()} == {"better"}


@pytest.mark.parametrize(
    ("players", "revolutions", "message"),
    [
        (1, 20, "2 to 10 players; got 1"),
        (11, 20, "got 11"),
        (2, 1, "revolutions must be at least 2"),
    ],
)
def test_impossible_evaluations_are_refused(tables, players, revolutions, message):
    with pytest.raises(ValueError, match=message):
        play([agents.make("caller")] * players, tables, revolutions=revolutions)


def test_evaluation_is_stored_as_json_and_csv(tables, tmp_path):
    evaluation = play([agents.make(name) for name in ("folder", "random", "raiser")], tables)
    json_file, csv_file = save_evaluation(evaluation, tmp_path, seed=5)
    stored = json.loads(json_file.read_text())
    rows = list(csv.DictReader(csv_file.read_text().splitlines()))
    assert stored["judged"] == "player-0"
    assert stored["revolutions"] == 20
    assert [row["player"] for row in rows] == [row["player"] for row in stored["players"]]
    places = [row["mean_place"] for row in stored["players"]]
    assert places == sorted(places)
    assert sum(places) == pytest.approx(6.0)


def test_paired_test_follows_its_definition():
    rng = np.random.default_rng(1)
    first, second = rng.normal(3.0, 1.0, 50), rng.normal(3.5, 1.0, 50)
    test = compare_paired(first, second)
    differences = first - second
    t = differences.mean() / (differences.std(ddof=1) / math.sqrt(50))
    assert test.t == pytest.approx(t)
    assert test.p == pytest.approx(2 * stats.t.sf(abs(t), 49))
    assert test.difference / test.error == pytest.approx(t)


@pytest.mark.parametrize(
    ("shift", "verdict"), [(-1.0, "better"), (0.0, "no difference shown"), (1.0, "worse")]
)
def test_verdict_of_differences_without_spread(shift, verdict):
    second = np.array([1.0, 2.0, 3.0])
    test = compare_paired(second + shift, second)
    assert (test.difference, test.error, test.verdict) == (shift, 0.0, verdict)


def test_one_percent_of_equal_pairs_is_told_apart():
    rng = np.random.default_rng(2)
    places = rng.normal(4.0, 0.7, (2000, 2, 100))
    verdicts = [compare_paired(first, second).verdict for first, second in places]
    share = 1 - verdicts.count("no difference shown") / len(verdicts)
    assert share == pytest.approx(0.01, abs=0.008)


def test_standard_errors_are_those_of_the_mean():
    values = np.random.default_rng(3).normal(0.0, 2.0, (400, 3))
    np.testing.assert_allclose(standard_errors(values), stats.sem(values), rtol=1e-12)
    assert np.isnan(standard_errors(values[:1])).all()


def test_a_paired_test_needs_pairs():
    with pytest.raises(ValueError, match=r"got shapes \(3,\) and \(2,\)"):
        compare_paired(np.zeros(3), np.zeros(2))
