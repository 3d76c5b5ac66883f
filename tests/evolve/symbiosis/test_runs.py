"""Runs: every model, resumed, with any threads; what teams must stay; tests of finished teams."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import agents
from agents.matches import (
    OUTCOME,
    make_matches,
    play_matches,
    rule_match_player,
    scores_of,
    team_match_player,
)
from evolve.commands.main import main
from evolve.files import safe
from evolve.files.safe import read_lines
from evolve.symbiosis import (
    GROUPS,
    MODELS,
    Symbiosis,
    SymbiosisSettings,
    SymbiosisStudy,
    load_run,
    run_study,
    train_teams,
)
from evolve.symbiosis.pictures import draw_study
from evolve.symbiosis.run import match_players
from evolve.symbiosis.test_results import played_test
from evolve.symbiosis.test_suite import (
    SCENARIOS,
    TestSet,
    cumulative_scores,
    cumulative_wins,
    input_usage,
    play_test,
    reference_scores,
    styles_of,
)
from evolve.workers import thread_workers


@pytest.fixture(scope="module")
def library():
    return make_matches(8000, seed=4)


@pytest.fixture(scope="module")
def workers():
    with thread_workers(1) as one:
        yield one


def smoke(**values):
    return SymbiosisSettings.of_size("smoke", **values)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_runs(tmp_path, library, workers, model):
    run = train_teams(tmp_path, smoke(model=model, archive_size=12), library, workers=workers)
    assert len(run.teams) == 5
    lines = read_lines(tmp_path / "metrics.jsonl")
    assert [line["generation"] for line in lines] == [1, 2, 3, 4, 5]
    measures = MODELS[model].measures
    if measures:
        expected = [measures[g % len(measures)] for g in range(5)]
        assert [line["measure"] for line in lines] == expected
    for team in run.teams:
        assert 2 <= len(team.programs) <= 16
        assert len({program.action for program in team.programs}) > 1
        assert all(5 <= len(program.instructions) <= 40 for program in team.programs)
    champion = agents.load_player(tmp_path / "champion.npz")
    assert isinstance(champion, agents.LimitTeamPlayer)
    assert lines[-1]["champion_by_opponent"].keys() == {"LA", "LP", "TA", "TP"}


@pytest.mark.parametrize("model", ["bid", "nov", "ham_gen"])
def test_a_run_that_is_interrupted_comes_to_the_same(tmp_path, library, workers, model):
    settings = smoke(
        model=model, generations=6, validate_every=2, archive_size=12, bayesian=4, points=90
    )
    train_teams(tmp_path / "whole", settings, library, workers=workers)

    def stop(line):
        if line["generation"] == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_teams(tmp_path / "cut", settings, library, workers=workers, on_generation=stop)
    assert load_run(tmp_path / "cut").generation == 3
    with (tmp_path / "cut" / "metrics.jsonl").open("a") as file:
        file.write('{"generation": 4}\n')  # of a generation after the last state
    with thread_workers(2) as two:
        train_teams(tmp_path / "cut", settings, library, workers=two)
    for name in ("metrics.jsonl", "state.npz"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize("dies_at", ["write_arrays", "save_player"])
def test_a_run_killed_between_two_files_ends_with_its_champion(
    tmp_path, library, workers, monkeypatch, dies_at
):
    settings = smoke(model="gen")
    train_teams(tmp_path / "whole", settings, library, workers=workers)
    expected = agents.load_player(tmp_path / "whole" / "champion.npz")

    class Killed(BaseException):
        """Stands for the death of the process."""

    def dying(*arguments, **keywords):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(*((safe, dies_at) if hasattr(safe, dies_at) else (agents, dies_at)), dying)
        with pytest.raises(Killed):
            train_teams(tmp_path / "cut", settings, library, workers=workers)
    train_teams(tmp_path / "cut", settings, library, workers=workers)
    champion = agents.load_player(tmp_path / "cut" / "champion.npz")
    assert champion.weights.tobytes() == expected.weights.tobytes()
    assert champion.origin == expected.origin


def test_a_finished_run_writes_a_champion_again_that_is_gone(tmp_path, library, workers):
    train_teams(tmp_path, smoke(model="gen"), library, workers=workers)
    champion = (tmp_path / "champion.npz").read_bytes()
    (tmp_path / "champion.npz").unlink()
    train_teams(tmp_path, smoke(model="gen"), library, workers=workers)
    assert (tmp_path / "champion.npz").read_bytes() == champion


def test_a_damaged_line_is_named_and_mended(tmp_path, library, workers):
    train_teams(tmp_path, smoke(model="gen"), library, workers=workers)
    file, said = tmp_path / "metrics.jsonl", []
    sound = file.read_bytes()
    file.write_bytes(sound.replace(b'"generation": 4', b'"generation": 6'))
    train_teams(tmp_path, smoke(model="gen"), library, workers=workers, say=said.append)
    assert said == [f"{file} is damaged in line 4; mending it with the lines in the checkpoint."]
    assert file.read_bytes() == sound


def test_a_folder_holds_one_run(tmp_path, library, workers):
    train_teams(tmp_path, smoke(), library, workers=workers)
    with pytest.raises(ValueError, match="run of other settings"):
        train_teams(tmp_path, smoke(seed=2), library, workers=workers)


@pytest.mark.parametrize(("layer_of", "below"), [("all", 5), ("top", 3), ("hall", 3)])
def test_a_second_layer_chooses_among_teams_of_the_first(
    tmp_path, library, workers, layer_of, below
):
    """Runs in one go, and cut before and after the change."""
    settings = smoke(
        model="bid", generations=6, second_layer=3, layer_of=layer_of, layer_top=3, hall_every=2
    )
    run = train_teams(tmp_path / "whole", settings, library, workers=workers)
    assert len(run.below) == below
    assert run.champion.below == run.below
    for team in run.teams:
        assert team.below == run.below
        assert len({program.action for program in team.programs}) > 1
        assert all(program.action < below for program in team.programs)
    champion = agents.load_player(tmp_path / "whole" / "champion.npz")
    assert isinstance(champion, agents.LayeredTeamPlayer)
    assert len(champion.teams) == below

    def stop(line):
        if line["generation"] in (2, 3, 5):
            raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            train_teams(tmp_path / "cut", settings, library, workers=workers, on_generation=stop)
    train_teams(tmp_path / "cut", settings, library, workers=workers)
    for name in ("metrics.jsonl", "state.npz"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_the_first_layer_is_the_same_with_and_without_a_second(tmp_path, library, workers):
    one = smoke(model="gen", generations=3)
    two = smoke(model="gen", generations=5, second_layer=2)
    lines = []
    for settings in (one, two):
        folder = tmp_path / str(settings.second_layer)
        train_teams(folder, settings, library, workers=workers)
        lines.append(read_lines(folder / "metrics.jsonl"))
    fitness = [[line["mean_fitness"] for line in each[:3]] for each in lines]
    assert fitness[0] == fitness[1]
    below = load_run(tmp_path / "2").below
    assert below == tuple(team.programs for team in load_run(tmp_path / "0").teams)


def test_the_hall_of_fame_has_its_size_and_plays(library, workers):
    run = Symbiosis.begin(smoke(generations=8, hall_every=2, hall_size=3), library)
    hands = []
    while not run.is_over:
        before = run.hands
        run.step(library, workers)
        hands.append(run.hands - before)
        assert len(run.hall) <= 3
        assert run.hall_distances.shape == (len(run.hall), len(run.hall))
        assert len({member.programs for member in run.hall}) == len(run.hall)
    assert hands == [360, 360, 450, 450, 540, 540, 540, 540]


def test_children_of_the_bid_model_act_in_their_own_way(library, workers):
    run = Symbiosis.begin(smoke(model="bid", teams=20), library)
    run.step(library, workers)
    profiles = Counter(run._profile(team) for team in run.teams)
    children = [run._profile(team) for team in run.teams[10:]]
    assert len(run.sample) > 20
    assert all(profiles[child] == 1 for child in children)


def test_evolution_finds_better_teams(library, workers):
    """Against rules that random teams lose to."""
    settings = SymbiosisSettings.of_size(
        "small", generations=20, model="no_div", champion_points=360
    )
    run = Symbiosis.begin(settings, library)
    lines = [run.step(library, workers) for _ in range(20)]
    assert lines[-1]["mean_fitness"] > lines[0]["mean_fitness"] + 0.015
    assert lines[-1]["validation_mean"] > lines[0]["mean_fitness"] + 0.01  # on other matches


@pytest.fixture(scope="module")
def tested(library, workers):
    run = Symbiosis.begin(smoke(), library)
    while not run.is_over:
        run.step(library, workers)
    test = TestSet.draw(library, n=180)
    return run, test, play_test(test, match_players(run), workers=workers)


def test_ten_scenarios(tested, library):
    run, test, found = tested
    assert tuple(found) == SCENARIOS
    balanced = np.bincount(library.categories[test.matches("bLA")])
    assert balanced.tolist() == [20] * 9
    alone = play_matches(
        library,
        test.unbalanced,
        team_match_player(run.teams[2].programs),
        rule_match_player(0.8, 0.85),
    )
    assert found["uTA"][2].tobytes() == alone.outcomes.tobytes()


def test_what_a_test_came_to_is_kept(tmp_path, library, workers):
    run = train_teams(tmp_path, smoke(), library, workers=workers)
    test = TestSet.draw(library, n=90)
    found = played_test(tmp_path, "ham_gen", 1, test, workers)
    again = played_test(tmp_path, "ham_gen", 1, test, workers)  # from its file
    assert again.rows() == found.rows()
    outcomes = play_test(test, match_players(run), workers=workers)["uLP"]
    scores = scores_of(outcomes)
    row = found.rows()[SCENARIOS.index("uLP")]
    assert row["best"] == scores.mean(axis=1).max()
    assert row["cumulative"] == pytest.approx(scores.max(axis=0).mean())
    assert found.of("winning", "uLP") == pytest.approx((scores > 0.5).mean(axis=1))


def test_others_score_what_they_win(library, workers):
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


def test_styles_by_hand():
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


def test_inputs_that_count_are_counted():
    read = agents.Program.read
    teams = [
        [read(1, "r[0] = r[0] + i[2]", "r[1] = r[1] + i[3]"), read(0, "r[0] = r[0] - i[0]")],
        [read(1, "r[0] = r[0] + i[2]"), read(2)],
    ]
    usage = input_usage(teams)
    assert (usage["pot odds"], usage["hand strength"], usage["betting position"]) == (1, 0.5, 0)
    assert next(iter(usage)) == "pot odds"


def test_a_study_reports_and_goes_on(tmp_path, library, workers):
    study = SymbiosisStudy(("no_div", "gen", "ham"), 2, smoke())
    runs = run_study(tmp_path, study, library, workers=workers)
    rows = [row for run in runs for row in run.rows()]
    assert len(rows) == 3 * 2 * 10
    report = (tmp_path / "report.md").read_text()
    assert "## cumulative" in report
    assert "Nemenyi (critical distance" in report
    assert "| against no_div | gen | ham |" in report
    pytest.importorskip("matplotlib")
    test = TestSet.draw(library, n=90)
    pictures = draw_study(tmp_path, study.models, runs, reference_scores(test, workers=workers))
    assert {picture.name for picture in pictures} == {
        "training.png", "curves.png", "wins.png", "styles.png", "bluffing.png"
    }  # fmt: skip
    began = []
    again = run_study(tmp_path, study, library, workers=workers, on_run=began.append)
    assert [row for run in again for row in run.rows()] == rows
    assert began == ["no_div-1", "gen-1", "ham-1", "no_div-2", "gen-2", "ham-2"]


def test_the_command(tmp_path, library, monkeypatch, capsys):
    monkeypatch.setattr("evolve.commands.symbiosis.load_matches", lambda: library)
    arguments = ["symbiosis", str(tmp_path), "--models", "gen", "--size", "smoke", "--workers", "1"]
    assert main([*arguments, "--settings", "generations", "3", "compressor", "zlib"]) == 0
    assert "generation 3: 1,080 hands" in capsys.readouterr().out
    assert load_run(tmp_path / "gen-1").settings.compressor == "zlib"
    assert (tmp_path / "curves.png").is_file()
    assert main([*arguments, "--settings", "no_such", "3"]) == 2
    assert main([*arguments, "--settings", "generations", "many"]) == 2
    assert main([*arguments, "--models", "none"]) == 2
    assert main(arguments) == 2  # a folder of other settings


def test_teams_that_no_memory_holds_are_refused(tmp_path, library, workers):
    settings = smoke(teams=10**12)
    with pytest.raises(ValueError, match=r"teams is too much for this machine, .* needs at least"):
        train_teams(tmp_path, settings, library, workers=workers)
    assert not list(tmp_path.glob("*.json"))  # the folder is still free for other settings


@pytest.mark.parametrize("group", GROUPS)
def test_groups_are_models(group):
    models = GROUPS[group]
    assert SymbiosisStudy(models, 1, smoke()).of(models[0], 1).model == models[0]


def test_models_of_a_study():
    layered = SymbiosisStudy(("gen+L",), 1, smoke(generations=9)).of("gen+L", 1)
    assert (layered.first_layer, layered.second_layer) == (5, 4)
    both = SymbiosisStudy(("gen+L", "gen"), 1, smoke(generations=9, second_layer=2))
    assert [both.of(model, 1).second_layer for model in both.models] == [2, 0]
    assert SymbiosisStudy(("gen",), 1, smoke(second_layer=2)).of("gen", 1).second_layer == 2
    study = SymbiosisStudy(("ncd_gen+B",), 1, smoke())
    assert study.of("ncd_gen+B", 3).bayesian == 4
    with pytest.raises(ValueError, match="model must be"):
        SymbiosisStudy(("nothing",), 1, smoke())
    with pytest.raises(ValueError, match="NAME\\+B"):
        SymbiosisStudy(("ncd+LA",), 1, smoke())
