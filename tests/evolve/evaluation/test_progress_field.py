"""The field of the best players of all generations, and its test of trend."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import agents
from agents.match.workers.base import Workers, thread_workers
from agents.players.networks import pack_networks
from evolve import seeds
from evolve.commands.main import main
from evolve.commands.progress import describe_trend
from evolve.evaluation.progress import Progress, load_fields, measure_progress, save_fields
from evolve.files.safe import DamagedFileError
from evolve.training.folder import RunFolder
from nlhe_env import Game

GAME = Game.tournament()
SEED = 3


@pytest.fixture(scope="module")
def champions():
    weights = np.random.default_rng(1).normal(0.0, 0.5, (10, 825)).astype(np.float32)
    return pack_networks(weights)


def measure(champions, *, tournaments=30, threads=2, sub_population=0, **arguments) -> Progress:
    with thread_workers(threads) as workers:
        return measure_progress(
            champions,
            GAME,
            seed=SEED,
            tournaments=tournaments,
            workers=workers,
            sub_population=sub_population,
            **arguments,
        )


@pytest.fixture(scope="module")
def field(champions):
    return measure(champions)


def test_field_places_match_its_tournaments(champions, field):
    seed = seeds.stream_seed(SEED, seeds.PROGRESS, 1)
    places = agents.play(champions, agents.Tournaments(30), GAME, seed=seed, rows=True).row_scores
    np.testing.assert_allclose(field.places, places.mean(axis=0))
    np.testing.assert_allclose(field.errors, stats.sem(places))
    assert np.mean(field.places) == pytest.approx(5.5)
    # Two players are a fifth of ten.
    last, first = places[:, -2:].mean(axis=1), places[:, :2].mean(axis=1)
    test = stats.ttest_rel(last, first)
    assert field.gain == pytest.approx(np.mean(last - first))
    assert field.trend.t == pytest.approx(test.statistic)
    assert field.trend.p == pytest.approx(test.pvalue)
    assert field.relative_gain == pytest.approx(field.gain / 10)
    low, high = test.confidence_interval()
    assert f" ± {(high - low) / 2:.2f} places of 10, p " in describe_trend(field, many=False)


def test_champions_of_some_generations_keep_their_numbers(champions):
    generations = list(range(0, 50, 5))
    some = measure(champions, generations=generations, most=4)
    plain = measure(champions, most=4)
    assert some.generations == [0, 15, 30, 45]
    assert replace(some, generations=plain.generations) == plain
    with pytest.raises(ValueError, match="a number for each of the 10 champions; got 9"):
        measure(champions, generations=generations[1:])


def test_threads_and_chunks_do_not_change_the_measured_field(champions, field, monkeypatch):
    monkeypatch.setattr(Workers, "target_s", 1e-9)
    assert measure(champions, threads=1) == field


def test_sub_populations_play_different_tournaments(champions, field):
    other = measure(champions, sub_population=1)
    assert other.sub_population == 1
    assert other.places != field.places


def test_fewer_champions_are_spread_over_the_generations(champions):
    assert measure(champions, tournaments=2, most=4).generations == [1, 4, 7, 10]


def test_smoothing_keeps_a_constant_and_dampens_a_jump():
    level = Progress(
        tournaments=10, generations=[1, 2, 3, 4, 5], places=[3.0] * 5, errors=[0.1] * 5
    )
    np.testing.assert_allclose(level.smoothed, 3.0)
    jump = replace(level, places=[3.0, 3.0, 8.0, 3.0, 3.0])
    assert 3.0 < jump.smoothed[2] < 8.0
    assert jump.smoothed.argmax() == 2


def test_tournament_fields_are_stored_and_read_back(field, tmp_path):
    _, csv_file = save_fields([field], tmp_path)
    assert load_fields(tmp_path) == [field]
    rows = list(csv.DictReader(csv_file.read_text().splitlines()))
    assert [int(row["generation"]) for row in rows] == list(range(1, 11))
    assert [float(row["mean_place"]) for row in rows] == field.places


def test_a_damaged_file_is_reported(tmp_path):
    assert load_fields(tmp_path) == []
    (tmp_path / "progress-field.json").write_text('[{"places": []}]')
    with pytest.raises(DamagedFileError, match=r"progress-field\.json is damaged"):
        load_fields(tmp_path)


@pytest.mark.parametrize(
    ("count", "tournaments", "message"),
    [(1, 30, "at least 2 generations; the run has 1"), (10, 1, "tournaments must be at least 2")],
)
def test_invalid_fields_are_refused(champions, count, tournaments, message):
    with pytest.raises(ValueError, match=message):
        measure(champions.take(np.arange(count)), tournaments=tournaments)


@pytest.mark.slow
def test_command_measures_every_sub_population(tmp_path, capsys):
    flags = "--population 8 --elites 2 --sub-populations 2 --generations 4 --tournaments 2"
    train = [*flags.split(), "--hall-of-fame", "0", "--progress-tournaments", "0"]
    assert main(["train", *train, "--runs", str(tmp_path)]) == 0
    run = RunFolder.latest(tmp_path).path
    assert main(["evaluate", "progress", str(run), "--tournaments", "5"]) == 0
    shown = capsys.readouterr().out
    assert "sub-population 2: last fifth against first fifth" in shown
    assert [field.sub_population for field in load_fields(run)] == [0, 1]
    assert (run / "progress-field.png").read_bytes().startswith(b"\x89PNG")
    opponents = ["--players", "caller", "folder", "--blocks", "4"]
    assert main(["evaluate", str(run), *opponents]) == 0
    assert {file.name for file in run.glob("evaluation-?.json")} == {
        "evaluation-1.json",
        "evaluation-2.json",
    }
    assert main(["evaluate", "progress", str(run), "--tournaments", "1"]) == 2
