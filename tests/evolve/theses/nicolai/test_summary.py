"""Runs of several seeds together, the published claims, and the study."""

import csv
import json
import shutil
from dataclasses import replace

import pytest
from scipy import stats

from evolve.commands.main import main
from evolve.files.safe import DamagedFileError
from evolve.theses.nicolai import study as study_module
from evolve.theses.nicolai.published import Finding, decide, findings, load_published
from evolve.theses.nicolai.study import (
    STEPS,
    Scale,
    Speeds,
    Study,
    Unit,
    projected_total,
    study_presets,
)
from evolve.theses.nicolai.study_command import StudyCommand
from evolve.theses.nicolai.summary import (
    Experiment,
    RunResult,
    comparable,
    find_runs,
    load_result,
    order_tests,
    save_summary,
    summarise,
)
from evolve.training.folder import RunFolder


def run(experiment, seed, *controls, gains=(), folder=2.0) -> RunResult:
    return RunResult(
        run=f"{experiment}-{seed}",
        experiment=experiment,
        seed=seed,
        controls=controls,
        opponents={"folder": folder, "random": 6.0},
        gains=gains,
    )


def test_champions_of_one_run_count_as_one_value():
    (experiment,) = summarise([run("2-pop", 1, 4.0, 5.0), run("2-pop", 2, 3.0, 4.0)])
    assert experiment.place.values == (4.5, 3.5)
    assert experiment.place.mean == 4.0
    low, high = stats.t.interval(0.95, 1, loc=4.0, scale=stats.sem([4.5, 3.5]))
    assert experiment.place.interval() == pytest.approx((low, high))


def test_experiments_are_ordered_and_compared_by_welch_over_seeds():
    runs = [run("a", seed, place) for seed, place in enumerate((4.0, 4.2, 4.4), 1)]
    runs += [run("b", seed, place) for seed, place in enumerate((3.0, 3.1, 3.05), 1)]
    experiments = summarise(runs)
    assert [one.name for one in experiments] == ["b", "a"]
    (test,) = order_tests(experiments)
    theirs = stats.ttest_ind((3.0, 3.1, 3.05), (4.0, 4.2, 4.4), equal_var=False)
    assert test["p"] == pytest.approx(theirs.pvalue)
    assert test["p_holm"] == test["p"]
    assert test["difference"] == pytest.approx(-1.15)


def test_a_seed_counts_once():
    with pytest.raises(ValueError, match="a seed counts once"):
        summarise([run("a", 1, 4.0), run("a", 1, 4.1)])


def test_runs_against_different_opponents_are_not_mixed():
    other = RunResult("b-1", "b", 1, (4.0,), {"caller": 5.0}, ())
    with pytest.raises(ValueError, match="evaluated against different opponents"):
        summarise([run("a", 1, 4.0), other])


def test_incompatible_runs_are_left_out_with_a_reason():
    other = RunResult("b-1", "b", 1, (4.0,), {"caller": 5.0}, ())
    first, again = run("a", 1, 4.0), replace(run("a", 1, 4.1), run="a-1-again")
    second = run("a", 2, 4.2)
    shown, left_out = comparable([other, first, second, again])
    assert shown == [second, again]
    assert left_out == [
        (other, "evaluated against different opponents from most"),
        (first, "a-1-again has the same experiment and seed"),
    ]
    assert comparable([]) == ([], [])


def test_a_run_left_out_takes_no_other_with_it():
    first, second = run("a", 1, 4.0), run("a", 2, 4.2)
    again = replace(first, controls=(4.1,))  # in a folder of the same name
    elsewhere = replace(again, opponents={"caller": 5.0})
    reason = "a-1 has the same experiment and seed"
    assert comparable([first, second, again]) == ([second, again], [(first, reason)])
    reason = "evaluated against different opponents from most"
    assert comparable([first, second, elsewhere]) == ([first, second], [(elsewhere, reason)])


def test_summary_is_stored(tmp_path):
    runs = [run("a", 1, 4.0, gains=(-0.1, -0.3)), run("a", 2, 4.4, gains=(-0.2,)), run("b", 1, 3.0)]
    paths = save_summary(summarise(runs), tmp_path)
    stored = json.loads(paths[0].read_text())
    rows = list(csv.DictReader(paths[1].read_text().splitlines()))
    assert [row["experiment"] for row in rows] == ["b", "a"]
    assert float(rows[1]["gain"]) == pytest.approx(-0.2)
    assert stored["experiments"][0]["low"] is None
    assert len(stored["runs"]) == 3


def test_published_places_match_table_5_1():
    published = load_published()
    controls = sorted(place for one in published.experiments for place in one.controls)
    assert len(controls) == 17
    assert (controls[0], controls[-1]) == (2.85, 5.97)
    assert set(study_presets()) == {one.name for one in published.experiments}
    # As printed: four times 6.17 and two times 4.01; the nine places sum to 45.35, not to 45.
    field = published.baseline_field
    base = published.experiment("baseline")
    assert base is not None
    assert sum(field.values()) + base.place == pytest.approx(45.35)


@pytest.mark.parametrize(
    ("low", "high", "expected", "outcome"),
    [
        (-2.0, -1.0, "better", "agrees"),
        (1.0, 2.0, "better", "contradicts"),
        (1.0, 2.0, "worse", "agrees"),
        (-1.0, 1.0, "worse", "undecided"),
        (-1.0, 1.0, "none", "undecided"),
        (1.0, 2.0, "none", "contradicts"),
        (float("nan"), float("nan"), "better", "undecided"),
    ],
)
def test_an_interval_decides_a_claim(low, high, expected, outcome):
    assert decide(low, high, expected) == outcome


@pytest.mark.slow
def test_findings_follow_from_the_runs():
    def experiment(name, places, *, folder, gains):
        runs = (
            run(name, seed, place, gains=(gain,), folder=folder + 0.01 * seed)
            for seed, (place, gain) in enumerate(zip(places, gains, strict=True))
        )
        return Experiment(name, tuple(runs))

    ours = {
        "baseline": experiment("baseline", (4.0, 4.1, 4.2), folder=2.0, gains=(-0.2, -0.21, -0.22)),
        "large-hof": experiment("large-hof", (5.0, 5.1, 5.2), folder=2.5, gains=(-0.5, 0.5, 0.0)),
    }
    found = {finding.claim: finding for finding in findings(ours)}
    assert len(found) == len(load_published().claims)
    order = found["large-hof is better than baseline"]
    assert order.outcome == "contradicts"
    assert order.difference == pytest.approx(1.0)
    assert order.published == pytest.approx(2.85 - 4.73)
    assert order.published_size == "outside"
    assert found["baseline makes progress"].outcome == "agrees"
    assert found["large-hof makes progress"].outcome == "undecided"
    assert found["small-hof makes progress"].outcome == "not tested"
    assert found["baseline is worse than folder"].outcome == "agrees"
    harder = found["folder does worse against large-hof than against baseline"]
    assert (harder.outcome, round(harder.difference, 6)) == ("agrees", 0.5)


def test_the_published_size_is_inside_or_outside_an_interval():
    inside = Finding("claim", -0.5, -1.0, 0.1, published=-1.0)
    assert (inside.published_size, inside.outcome) == ("inside", "not tested")
    assert Finding("claim", -0.5, -1.0, 0.1, published=-1.1).published_size == "outside"
    assert not Finding("claim", -0.5, -1.0, 0.1).published_size  # none is published
    assert not Finding("claim", published=-1.1).published_size  # a single run


def test_claims_are_decided_under_every_tested_interpretation():
    def experiment(name, *places):
        return Experiment(name, tuple(run(name, i, place) for i, place in enumerate(places)))

    ours = {
        one.name: one
        for one in (
            experiment("baseline-revised", 4.0, 4.1, 4.2),
            experiment("large-hof-revised", 4.0, 4.1, 4.3),
            experiment("large-hof-revised-kept", 3.0, 3.1, 3.2),
        )
    }
    found = {finding.claim: finding for finding in findings(ours)}
    kept = found["large-hof-revised-kept is better than baseline-revised"]
    assert (kept.outcome, kept.published) == ("agrees", pytest.approx(2.85 - 4.73))
    assert found["large-hof-revised is better than baseline-revised"].outcome == "undecided"
    assert found["large-hof is better than baseline"].outcome == "not tested"
    assert not any("-kept is better than baseline-kept" in claim for claim in found)


SCALE = {
    "--experiments": "baseline 2-pop",
    "--seeds": "2",
    "--population": "20",
    "--generations": "4",
    "--tournaments": "2",
    "--blocks": "4",
    "--progress-tournaments": "3",
}
FLAGS = [word for flag, value in SCALE.items() for word in (flag, *value.split())]
NUMBERS = ("summary.json", "summary.csv", "summary-tests.csv", "findings.csv", "places.png")


@pytest.fixture
def speeds(monkeypatch):
    """No time is spent on measuring the speed."""
    measured = Speeds({20: 1e-3}, 1e-4)
    monkeypatch.setattr(
        "evolve.theses.nicolai.study_command.measure_speeds", lambda *_, **__: measured
    )


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """An uninterrupted study."""
    folder = tmp_path_factory.mktemp("straight")
    with pytest.MonkeyPatch.context() as patch:
        measured = Speeds({20: 1e-3}, 1e-4)
        patch.setattr(
            "evolve.theses.nicolai.study_command.measure_speeds", lambda *_, **__: measured
        )
        assert study(folder) == 0
    return folder


def study(folder, *more: str) -> int:
    places = ["--study", str(folder / "study"), "--out", str(folder / "results")]
    return main(["study", *FLAGS, *places, *more])


@pytest.mark.slow
def test_a_study_reports_every_experiment(straight):
    page = (straight / "results" / "index.md").read_text()
    assert "4 of 4 runs are finished" in page
    assert "| 2-pop | 4.56, 3.73 |" in page
    assert "baseline is better than hands-20" in page
    assert "| *a second Folder* |" in page
    second = json.loads((straight / "study" / "second-folder.json").read_text())
    assert second["evaluated"] == "second-folder"
    assert {row["player"] for row in second["players"]} >= {"folder", "second-folder"}
    for run_folder in Study.open(straight / "study").finished_runs():
        assert (run_folder.path / "permutation_importance.json").exists()
    for name in ("places.png", "gains.png", "progress-baseline.png", "progress-2-pop.png"):
        assert (straight / "results" / name).read_bytes().startswith(b"\x89PNG")
        assert f"({name})" in page


@pytest.mark.slow
@pytest.mark.parametrize("steps", [1, 5])
def test_an_interrupted_study_reaches_the_same_result(
    straight, speeds, tmp_path, monkeypatch, steps
):
    left, work = steps, Study.work

    def interrupted(self, *arguments, **keywords):
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        work(self, *arguments, **keywords)

    with monkeypatch.context() as patch:
        patch.setattr(Study, "work", interrupted)
        assert study(tmp_path) == 130
    assert study(tmp_path, "--workers", "1") == 0
    for name in NUMBERS:
        one, other = (folder / "results" / name for folder in (straight, tmp_path))
        assert one.read_bytes() == other.read_bytes(), name


@pytest.mark.slow
def test_a_finished_study_plays_nothing(straight, speeds, tmp_path, monkeypatch):
    shutil.copytree(straight / "study", tmp_path / "study")
    monkeypatch.setattr(Study, "work", None)
    assert study(tmp_path) == 0
    assert (tmp_path / "results" / "index.md").exists()


@pytest.mark.slow
def test_a_study_stays_balanced_whenever_it_ends(straight):
    found = Study.open(straight / "study")
    assert found is not None
    assert list(found.units()) == [
        Unit("baseline", 1),
        Unit("2-pop", 1),
        Unit("baseline", 2),
        Unit("2-pop", 2),
    ]
    assert not any(found.is_open(unit, step) for unit in found.units() for step in STEPS)


@pytest.mark.slow
def test_study_files_with_unknown_keys_give_a_one_line_error(straight, tmp_path):
    shutil.copytree(straight / "study", tmp_path / "study")
    found = Study.open(tmp_path / "study")
    assert found is not None
    unit = Unit("baseline", 1)
    folder = found.run_folder(unit)
    assert folder is not None
    for file in (folder.path / "evaluation.json", tmp_path / "study" / "study.json"):
        values = json.loads(file.read_text())
        values["revolutions"] = values.pop("blocks")
        file.write_text(json.dumps(values))
    with pytest.raises(
        DamagedFileError, match=r"^\S+ is not an evaluation .*: KeyError\('blocks'\)$"
    ):
        found.is_open(unit, "evaluate")
    message = (
        r"^\S+ is not the scale of a study: it has the keys .*revolutions.*; this version reads"
    )
    with pytest.raises(DamagedFileError, match=message):
        Study.open(tmp_path / "study")


def test_no_step_starts_after_the_time_limit(speeds, tmp_path, capsys):
    assert study(tmp_path, "--hours", "1e-9") == 0
    assert "The time is used up" in capsys.readouterr().out
    assert study(tmp_path, "--seeds", "3") == 2
    assert "seeds is 2 in the study" in capsys.readouterr().err


def test_an_interrupted_study_plays_nothing_more(speeds, tmp_path, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    reported = []
    monkeypatch.setattr(Study, "work", interrupted)
    monkeypatch.setattr(StudyCommand, "_report", lambda *_: reported.append(True))
    assert study(tmp_path) == 130
    assert not reported
    assert "add --only report" in capsys.readouterr().out


def test_a_damaged_line_of_times_is_dropped(tmp_path):
    study = Study.create(tmp_path, scale_of("baseline"))
    sound = '{"experiment": "baseline", "seed": 1, "step": "train", "seconds": 1.5}\n'
    study.times_file.write_text(f"{sound}\0\n{sound}{sound[:20]}")
    said: list[str] = []
    found = Study.open(tmp_path, say=said.append)
    assert found is not None
    assert found.seconds_spent()["train"] == 3.0
    assert said == [f"{study.times_file} is damaged in line 2, which is dropped."]


@pytest.mark.slow
def test_new_opponents_need_no_retraining(straight, monkeypatch):
    found = Study.open(straight / "study")
    assert found is not None
    monkeypatch.setattr(study_module, "known_field", lambda: ("caller", "newcomer"))
    unit = Unit("baseline", 1)
    assert [step for step in STEPS if found.is_open(unit, step)] == ["evaluate"]


def sizes(config):
    values = config.values()
    return tuple(values[key] for key in ("population", "elites", "hall_of_fame"))


def scale_of(*experiments, **values):
    few = dict.fromkeys(("generations", "tournaments", "blocks", "progress_tournaments"), 2)
    return Scale(experiments=experiments, **{"seeds": 1, "population": 100, **few, **values})


def test_sizes_scale_with_the_published_ones():
    scale = scale_of(*study_presets(), generations=5, tournaments=5)
    large, small = scale.config("large-hof", 1), scale.config("small-hof", 1)
    assert sizes(large) == (100, 10, 100)
    assert sizes(small) == (50, 5, 50)
    both = scale.config("hof-2-pop", 3)
    assert sizes(both) == (100, 10, 100)
    assert both.optimizer.n_sub_populations == 2
    assert (both.seed, both.generations, both.schedule.tournaments) == (3, 5, 5)


def test_champions_also_meet_opponents_that_interpret_actions_as_they_do(tmp_path, workers):
    sizes = {"population": 20, "generations": 2, "tournaments": 2, "blocks": 20}
    scale = scale_of("large-hof-revised-uniform", first_seed=7, progress_tournaments=0, **sizes)
    study = Study.create(tmp_path, scale)
    (unit,) = study.units()
    assert unit.seed == 7
    for step in ("train", "evaluate"):
        assert study.is_open(unit, step)
        study.work(unit, step, workers=workers, on_progress=lambda _: None)
    assert not study.is_open(unit, "evaluate")
    (experiment,) = summarise([load_result(study.run_folder(unit))])
    assert experiment.place_alike is not None
    # The opponents' free checks are no raises any more.
    assert experiment.place_alike.mean != experiment.place.mean
    (study.run_folder(unit).path / "evaluation-alike.json").unlink()
    assert study.is_open(unit, "evaluate")


@pytest.mark.slow
def test_projection_adds_up_all_steps():
    sizes = {"generations": 50, "tournaments": 10, "blocks": 1000, "progress_tournaments": 20}
    scale = scale_of("baseline", seeds=3, **sizes)
    speeds = Speeds({100: 0.01, 50: 0.004}, 0.001)
    assert projected_total(scale, speeds) == pytest.approx(3 * (50 * 10 * 0.01 + 1.0 + 20 * 0.004))
    most = study_module.fitting_generations(scale, speeds, 60.0)
    assert most % 10 == 0
    longer = [projected_total(replace(scale, generations=most + step), speeds) for step in (0, 10)]
    assert longer[0] <= 60.0 < longer[1]


@pytest.mark.slow
def test_summary_command_reads_a_folder_of_runs(straight, tmp_path, capsys):
    folders = [path.parent for path in (straight / "study").rglob("config.toml")]
    assert main(["study", "summary", *map(str, folders), "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "2-pop" in shown
    ours, theirs = tmp_path / "summary.json", straight / "results" / "summary.json"
    assert ours.read_bytes() == theirs.read_bytes()
    assert len(find_runs([straight / "study" / "2-pop-1"])) == 1
    assert main(["study", "summary", str(tmp_path)]) == 2
    assert "neither a run folder nor a folder of runs" in capsys.readouterr().err


@pytest.mark.slow
def test_summary_leaves_out_runs_that_are_not_evaluated(straight, tmp_path, capsys):
    for path in (straight / "study").glob("baseline-*"):
        shutil.copytree(path, tmp_path / path.name)
    bare = RunFolder.open(tmp_path / "baseline-2").path
    (bare / "evaluation.json").unlink()
    odd = tmp_path / "odd"
    odd.mkdir()
    (odd / "config.toml").write_text("population = [")
    assert main(["study", "summary", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert f"Left out, not evaluated: {bare}" in said
    assert f"Left out: {odd / 'config.toml'}: not valid TOML" in said


def test_scale_names_the_invalid_value():
    with pytest.raises(ValueError, match="seeds must be at least 1; got 0"):
        scale_of("baseline", seeds=0)
    with pytest.raises(ValueError, match="preset 'basline' does not exist"):
        scale_of("basline")
    for names in ((), ("2-pop", "2-pop")):
        with pytest.raises(ValueError, match="experiments must not be empty or repeat a name"):
            scale_of(*names)


@pytest.mark.parametrize("hours", ["inf", "nan", "0"])
def test_the_time_limit_is_a_number_of_hours(tmp_path, capsys, hours):
    assert study(tmp_path, "--hours", hours) == 2
    assert "hours must be a finite number" in capsys.readouterr().err
    assert not (tmp_path / "study").exists()
