"""Comparisons of models of diversity: tests of finished teams, reports, and the command."""

import numpy as np
import pytest

from agents.theses.bonson.dealt import OUTCOME, play_matches, rule_player, scores_of
from agents.theses.bonson.programs.instructions import Program
from agents.theses.bonson.programs.limit_teams import LimitTeamPlayer
from evolve.commands.main import main
from evolve.theses.bonson.studies.models import ModelComparison, compare_models
from evolve.theses.bonson.studies.pictures import draw_study
from evolve.theses.bonson.studies.test_suite import (
    SCENARIOS,
    TestSet,
    cumulative_scores,
    cumulative_wins,
    input_usage,
    load_teams,
    play_test,
    played_test,
    reference_scores,
    styles_of,
)
from evolve.theses.bonson.symbiosis.selection import GROUPS
from evolve.training.config_files import load_preset
from evolve.training.folder import RunFolder
from evolve.training.run import RunCallback, train
from evolve.training.state import State


@pytest.fixture
def run(tmp_path, library, workers):
    """The folder of a finished run."""
    config = load_preset("sbb-smoke")
    folder = RunFolder.create(tmp_path / "runs", config)
    train(folder, config, State.initial_state(config), workers=workers)
    return folder


def comparison(*models, seeds=1, **changes):
    return ModelComparison(variants=models, seeds=seeds, preset="sbb-smoke", changes=changes)


@pytest.fixture
def tested(run, library, workers):
    teams, test = load_teams(run), TestSet.draw(library, n=180)
    players = [teams.player(i) for i in range(len(teams))]
    return teams, test, play_test(test, players, workers=workers)


def test_there_are_ten_scenarios(tested, library):
    teams, test, found = tested
    assert tuple(found) == SCENARIOS
    balanced = np.bincount(library.categories[test.matches("bLA")])
    assert balanced.tolist() == [20] * 9
    alone = play_matches(
        library, test.unbalanced, LimitTeamPlayer(teams.teams[2]), rule_player(0.8, 0.85)
    )
    assert found["uTA"][2].tobytes() == alone.outcomes.tobytes()


def test_test_results_are_cached(run, library, workers):
    test, teams = TestSet.draw(library, n=90), load_teams(run)
    found = played_test(run, "ham_gen", 1, test, workers)
    again = played_test(run, "ham_gen", 1, test, workers)  # from its file
    assert again.rows() == found.rows()
    players = [teams.player(i) for i in range(len(teams))]
    outcomes = play_test(test, players, workers=workers)["uLP"]
    scores = scores_of(outcomes)
    row = found.rows()[SCENARIOS.index("uLP")]
    assert row["best"] == scores.mean(axis=1).max()
    assert row["cumulative"] == pytest.approx(scores.max(axis=0).mean())
    assert found.of("winning", "uLP") == pytest.approx((scores > 0.5).mean(axis=1))


def test_reference_players_score_their_winnings(library, workers):
    test = TestSet.draw(library, n=180)
    scores = reference_scores(test, workers=workers)
    assert tuple(scores) == SCENARIOS
    assert np.mean([of["random"] for of in scores.values()]) < 0.48
    assert np.mean([of["Bayesian"] for of in scores.values()]) > 0.5
    assert not any(of["Bayesian"] > of["ceiling"] for of in scores.values())
    usual = TestSet.draw(library, n=180, betting="standard")
    assert usual.ceiling("uLP") < test.ceiling("uLP")
    assert np.isnan(usual.best_response("uLP"))
    assert test.best_response("uLP") < test.ceiling("uLP")


def test_cumulative_scores_rise_to_the_best_of_all(tested):
    _, test, found = tested
    for scenario, outcomes in found.items():
        curve = cumulative_scores(outcomes)
        assert (np.diff(curve) >= 0).all()
        assert curve[0] == scores_of(outcomes).mean(axis=1).max()
        assert curve[-1] == pytest.approx(scores_of(outcomes).max(axis=0).mean())
        if scenario[1:] != "B":
            assert curve[-1] <= test.ceiling(scenario)
        assert (np.diff(cumulative_wins(outcomes)) >= 0).all()


def test_styles_match_a_worked_example():
    rows = [
        (-5, 0, 0, 1, 0, 0),  # folded at once
        (30, 3, 1, 0, 2, 2),  # the opponent gave up on the river: a bluff with a raise
        (-40, 3, -1, 0, 4, 0),  # called down with a weak hand, and shown
        (0, 3, -1, 0, 4, 4),  # a good hand
    ]
    outcomes = np.array(
        [rows], [(name, OUTCOME[name]) for name in
                 ("chips", "street", "folder", "folds", "calls", "raises")]
    )  # fmt: skip
    style = styles_of(outcomes, np.array([True, True, True, False]))
    assert style.aggressiveness == pytest.approx([(0 + 0.75 + 0.5 + 0.75) / 4])
    assert style.loose == pytest.approx([0.75])
    assert style.aggressive == pytest.approx([(0.5 + 0.5 + 0.0 + 0.5) / 4])
    assert style.bluffing == pytest.approx([2 / 3])
    assert style.bluff_raising == pytest.approx([1 / 3])
    assert style.winning == pytest.approx([0.25])


def test_used_inputs_are_counted():
    read = Program.read
    teams = [
        [read(1, "r[0] = r[0] + i[2]", "r[1] = r[1] + i[3]"), read(0, "r[0] = r[0] - i[0]")],
        [read(1, "r[0] = r[0] + i[2]"), read(2)],
    ]
    usage = input_usage(teams)
    assert (usage["pot odds"], usage["hand strength"], usage["betting position"]) == (1, 0.5, 0)
    assert next(iter(usage)) == "pot odds"


@pytest.mark.slow
def test_a_comparison_reports_and_resumes(tmp_path, library, workers):
    models = comparison("no_div", "gen", "ham", seeds=2)
    test, said = models.test_set(), list[str]()

    def compare():
        return compare_models(
            tmp_path, models, test, workers=workers, listener=RunCallback(), say=said.append
        )

    runs = compare()
    rows = [row for run in runs for row in run.rows()]
    assert len(rows) == 3 * 2 * 10
    report = (tmp_path / "report.md").read_text()
    assert "## cumulative" in report
    assert "p is by exact two-sided Mann-Whitney tests against no_div, 2 runs against 2" in report
    assert "with Holm's correction for 2; before it, p cannot be below 0.33" in report
    assert report.count("| p |  | 0.667 | ") + report.count("| p |  | 1.000 | ") == 3
    assert "procedure, whose p-values overstate" in report
    assert "Nemenyi (critical distance" in report
    assert "| against no_div | gen | ham |" in report
    assert "exact Wilcoxon tests of the same runs, whose p is at least 0.5" in report
    names = ["no_div-1", "gen-1", "ham-1", "no_div-2", "gen-2", "ham-2"]
    assert said == [f"{name}: 5 generations" for name in names]
    assert [row for run in compare() for row in run.rows()] == rows
    assert len(said) == 6  # nothing was left to train
    pytest.importorskip("matplotlib")
    references = reference_scores(TestSet.draw(library, n=90), workers=workers)
    pictures = draw_study(tmp_path, models.variants, runs, references)
    assert {picture.name for picture in pictures} == {
        "training.png", "curves.png", "wins.png", "styles.png", "bluffing.png"
    }  # fmt: skip


@pytest.mark.slow
def test_the_command_compares_models(tmp_path, library, capsys):
    arguments = ["study", "compare", "--preset", "sbb-smoke", "--variants", "gen", "--seeds", "1"]
    arguments += ["--out", str(tmp_path), "--workers", "1"]
    assert main([*arguments, "--generations", "3", "--compressor", "zlib"]) == 0
    assert "gen-1: 3 generations" in capsys.readouterr().out
    assert RunFolder.open(tmp_path / "gen-1").load_config().optimizer.compressor == "zlib"
    assert (tmp_path / "curves.png").is_file()
    assert main([*arguments, "--model", "gen"]) == 2
    assert "it has --variants" in capsys.readouterr().err
    assert main([*arguments, "--variants", "none"]) == 2
    assert main(arguments) == 2  # a folder of other settings


@pytest.mark.parametrize("group", GROUPS)
def test_groups_of_runs_are_models(group):
    models = GROUPS[group]
    assert comparison(*models).config(models[0], 1).optimizer.model == models[0]


def test_a_comparison_has_its_models():
    def layers(models, **changes):
        found = comparison(*models, generations=9, **changes)
        return [found.config(model, 1).optimizer.layer_after for model in models]

    assert layers(["gen+L"]) == [5]
    assert layers(["gen+L", "gen"], layer_after=7) == [7, 0]
    assert layers(["gen"], layer_after=7) == [7]
    assert comparison("ncd_gen+B").config("ncd_gen+B", 3).opponents.bayesian == 4
    with pytest.raises(ValueError, match="model must be"):
        comparison("nothing")
    with pytest.raises(ValueError, match="NAME\\+B"):
        comparison("ncd+LA")
    with pytest.raises(ValueError, match='need the optimizer "symbiosis"'):
        ModelComparison(variants=("gen",), seeds=1, preset="quick", changes={})
