"""Duplicate tables and the statistics on them."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from helpers import assert_equal
from scipy import stats

import agents
import nlhe_env
from agents.match.workers.base import Workers, thread_workers
from agents.measure import duplicate
from agents.measure.duplicate import Evaluation, EvaluationInterruptedError, evaluate
from agents.statistics.estimates import holm
from evolve.commands.main import main
from evolve.evaluation.evaluation_files import load_places, rows_with_changes, save_evaluation

TOURNAMENT = nlhe_env.Game.tournament()


def play(players, *, blocks=20, threads=2, game=TOURNAMENT, **arguments) -> Evaluation:
    names = [f"player-{i}" for i in range(len(players))]
    with thread_workers(threads) as workers:
        return evaluate(
            players,
            names,
            game=game,
            blocks=blocks,
            seed=5,
            workers=workers,
            **arguments,
        )


@pytest.mark.parametrize("name", ["caller", "folder"])
@pytest.mark.parametrize("n_players", [2, 7, 9])
def test_equal_deterministic_players_all_average_the_middle_place(name, n_players):
    evaluation = play([agents.make(name) for _ in range(n_players)])
    assert (evaluation.tally.scores == (n_players + 1) / 2).all()
    assert (evaluation.tally.errors == 0.0).all()
    verdicts = {test.verdict for test in evaluation.tests().values()}
    assert verdicts == {"no difference shown"}


def test_places_of_a_block_average_the_middle_place():
    evaluation = play([agents.make(name) for name in ("random", "raiser", "folder")])
    assert evaluation.tally.scores.mean() == pytest.approx(2.0, rel=1e-12)
    # The points of all players together are the same in every block: no variance.
    tally = evaluation.tally
    assert tally.products.sum() * tally.count == tally.totals.sum() ** 2


def test_evaluation_matches_the_places_of_its_blocks():
    players = [agents.make(name) for name in ("random", "raiser", "folder", "caller")]
    evaluation = play(players, blocks=40)
    tally = agents.play(players, agents.Blocks(40), TOURNAMENT, seed=5, rows=True)
    places = tally.row_scores
    np.testing.assert_allclose(evaluation.tally.scores, places.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(evaluation.tally.errors, stats.sem(places), rtol=1e-9)
    for pair in evaluation.pairs():
        i, j = (evaluation.names.index(pair[key]) for key in ("first", "second"))
        test = stats.ttest_rel(places[:, i], places[:, j])
        assert pair["t"] == pytest.approx(test.statistic)
        assert pair["p"] == pytest.approx(test.pvalue, rel=1e-6)
    assert len(evaluation.pairs()) == 6
    corrected = holm([pair["p"] for pair in evaluation.pairs()])
    assert [pair["p_holm"] for pair in evaluation.pairs()] == corrected
    assert evaluation.tally.hands == tally.hands


def test_threads_and_chunks_do_not_change_the_places(monkeypatch):
    players = [agents.make(name) for name in ("random", "raiser", "call-or-raise")]
    many = play(players, blocks=101, threads=3)
    monkeypatch.setattr(Workers, "target_s", 1e-9)
    single = play(players, blocks=101, threads=1)
    assert_equal(many.tally, single.tally)
    assert json.dumps(many.rows()) == json.dumps(single.rows())


def test_winning_chips_is_better():
    players = [agents.make("folder"), agents.make("raiser")]
    cash = play(players, game=nlhe_env.Game.cash())
    assert [row["player"] for row in cash.rows()] == ["player-1", "player-0"]
    assert cash.rows()[0]["mean_chips"] > 0.0
    assert cash.tests()["player-1"].verdict == "worse"
    (pair,) = cash.pairs()
    assert (pair["first"], pair["verdict"]) == ("player-1", "better")
    assert cash.spread()["best"] == cash.rows()[0]["mean_chips"]


def test_uncompiled_players_are_evaluated_the_same():
    class Folder:
        def act(self, observation, info) -> int:
            return 0 if observation["action_mask"][0] else 1

    opponents = [agents.make("random"), agents.make("raiser")]
    outside, compiled = (play([one, *opponents]) for one in (Folder(), agents.make("folder")))
    assert_equal(outside.tally, compiled.tally)


def test_folder_outlasts_the_active_static_players():
    names = ("folder", "random", "raiser", "caller", "call-or-raise")
    evaluation = play([agents.make(name) for name in names], blocks=200)
    assert {test.verdict for test in evaluation.tests().values()} == {"better"}


@pytest.mark.parametrize(
    ("players", "blocks", "message"),
    [
        (1, 20, "2 to 10 players; got 1"),
        (11, 20, "got 11"),
        (2, 1, "blocks must be at least 2"),
    ],
)
def test_invalid_evaluations_are_refused(players, blocks, message):
    with pytest.raises(ValueError, match=message):
        play([agents.make("caller")] * players, blocks=blocks)


def test_evaluation_stops_at_the_requested_standard_error(monkeypatch):
    monkeypatch.setattr(duplicate, "STEP", 50)
    players = [agents.make(name) for name in ("random", "raiser")]
    evaluation = play(players, blocks=10_000, standard_error=0.025)
    assert evaluation.blocks % 50 == 0
    assert evaluation.tally.errors[0] <= 0.025
    shorter = play(players, blocks=evaluation.blocks - 50)
    assert shorter.tally.errors[0] > 0.025
    straight = play(players, blocks=evaluation.blocks)
    assert evaluation.rows() == straight.rows()


def test_the_block_limit_stops_before_the_requested_error():
    players = [agents.make(name) for name in ("random", "raiser")]
    assert play(players, blocks=30, standard_error=1e-6).blocks == 30


def test_ctrl_c_keeps_the_blocks_that_are_finished(monkeypatch):
    players = [agents.make(name) for name in ("random", "raiser", "folder")]
    done = 0

    def interrupt(count):
        nonlocal done
        done += count
        if done >= 20:
            raise KeyboardInterrupt

    with pytest.raises(EvaluationInterruptedError) as interrupted:
        play(players, blocks=200_000, on_progress=interrupt)
    partial = interrupted.value.evaluation
    assert 20 <= partial.blocks < 200_000
    assert partial.rows() == play(players, blocks=partial.blocks).rows()


def test_evaluation_is_stored_as_json_and_csv(tmp_path):
    evaluation = play([agents.make(name) for name in ("folder", "random", "raiser")])
    json_file, csv_file, pairs_file = save_evaluation(evaluation, tmp_path, about={"seed": 5})
    stored = json.loads(json_file.read_text())
    rows = list(csv.DictReader(csv_file.read_text().splitlines()))
    assert (stored["evaluated"], stored["blocks"], stored["seed"]) == ("player-0", 20, 5)
    assert [row["player"] for row in rows] == [row["player"] for row in stored["players"]]
    places = [row["mean_place"] for row in stored["players"]]
    assert places == sorted(places)
    assert sum(places) == pytest.approx(6.0)
    assert (stored["best_mean_place"], stored["worst_mean_place"]) == (places[0], places[-1])
    assert stored["median_mean_place"] == places[1]
    pairs = list(csv.DictReader(pairs_file.read_text().splitlines()))
    assert [(pair["first"], pair["second"]) for pair in pairs] == [
        (rows[0]["player"], rows[1]["player"]),
        (rows[0]["player"], rows[2]["player"]),
        (rows[1]["player"], rows[2]["player"]),
    ]


def test_change_against_a_baseline_is_in_percent_of_its_places(tmp_path):
    players = [agents.make(name) for name in ("caller", "random", "raiser")]
    before = play(players, blocks=30)
    files = save_evaluation(before, tmp_path)
    after = play([agents.make("folder"), *players[1:]], blocks=30)
    for source in (tmp_path, *files[:2]):
        rows = rows_with_changes(after, load_places(source))
        for row in rows:
            i = after.names.index(row["player"])
            then = before.tally.scores[i]
            expected = 100.0 * (after.tally.scores[i] - then) / then
            assert row["change_percent"] == pytest.approx(expected)
            assert row["change_error"] > 0


def test_published_changes_follow_from_the_published_places():
    """The computed column of table 5.1: LargeHOF 2.85 and Hands20 5.97 against 4.73."""
    from evolve.evaluation.evaluation_files import change

    assert change(2.85, 0.0, 4.73, 0.0)[0] == pytest.approx(-39.7, abs=0.05)
    assert change(5.97, 0.0, 4.73, 0.0)[0] == pytest.approx(26.2, abs=0.05)


def test_command_evaluates_any_player(tmp_path, capsys):
    command = ["evaluate", "caller", "--players", "folder", "random", "--blocks", "20"]
    assert main([*command, "--out", str(tmp_path / "one")]) == 0
    assert main([*command, "--workers", "1", "--out", str(tmp_path / "two")]) == 0
    for name in ("evaluation.json", "evaluation.csv", "evaluation-pairs.csv", "evaluation.png"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    capsys.readouterr()
    assert main([*command, "--baseline", str(tmp_path / "one" / "evaluation.csv")]) == 0
    shown = capsys.readouterr().out
    assert "Not stored" in shown
    assert "0.0%" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("caller --players folder generation-1", "no run is evaluated"),
        ("caller --players folder --standard-error 0", "standard_error must be above 0"),
        ("caller --players folder --baseline nowhere.json", "contains no evaluation"),
        ("caller --players folder --blocks 0", "blocks must be at least 2; got 0"),
        ("caller --players folder --seed -1", "seed must not be negative"),
    ],
)
def test_invalid_arguments_are_reported_before_play(tmp_path, capsys, arguments, message):
    assert main(["evaluate", *arguments.split()]) == 2
    assert message in capsys.readouterr().err
