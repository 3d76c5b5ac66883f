"""Whole runs: interrupted and resumed, damaged, extended, and driven by the command line."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from interrupts import interruptible
from training_runs import TOURNAMENTS, Ending, evolve, go_on

import agents
from agents.match.workers.base import Workers, thread_workers
from evolve.files import safe as files
from evolve.files.safe import DamagedFileError, read_arrays, read_lines, write_arrays
from evolve.training.comparison_players import known_field
from evolve.training.config_files import load_preset, parse_config
from evolve.training.folder import RunFolder
from evolve.training.run import finish_run, train
from evolve.training.state import State
from nlhe_env.extras import install_command
from nlhe_env.system.folder_lock import FolderInUseError, locked

CONFIG = TOURNAMENTS.with_values(
    name="small", hall_of_fame=6, table_size=6, progress_champions=3, progress_tournaments=2
)
FLAGS = [
    *("--name", "small", "--generations", "5", "--population", "12", "--elites", "3"),
    *("--hall-of-fame", "6", "--tournaments", "3", "--table-size", "6"),
    *("--progress-champions", "3", "--progress-tournaments", "2"),
]


class Killed(BaseException):
    """Stands for the death of the process."""


@pytest.fixture(scope="module", autouse=True)
def _checkpoints_after_every_generation():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evolve.training.run.CHECKPOINT_PAUSE", 0.0)
        yield


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """An uninterrupted run of five generations."""
    folder = RunFolder.create(tmp_path_factory.mktemp("straight"), CONFIG)
    go_on(folder, CONFIG)
    return folder


@pytest.fixture
def finished(straight, tmp_path):
    """A copy of that run, to be damaged."""
    return RunFolder(Path(shutil.copytree(straight.path, tmp_path / "finished")))


def assert_same_results(one: RunFolder, other: RunFolder) -> None:
    for name in ("metrics.jsonl", "champions.npz", "hall_of_fame.npz"):
        assert (one.path / name).read_bytes() == (other.path / name).read_bytes(), name
    assert one.champion().weights.tobytes() == other.champion().weights.tobytes()
    assert one.champion().origin == other.champion().origin


def test_a_run_folder_has_the_expected_files(straight):
    assert straight.path.name.startswith("small-1-")
    assert straight.load_config() == CONFIG
    lines = read_lines(straight.metrics_file)
    assert [line["generation"] for line in lines] == [1, 2, 3, 4, 5]
    assert [line["players"] for line in lines] == [12, 15, 18, 18, 18]
    assert [line["hall_size"] for line in lines] == [0, 3, 6, 6, 6]
    assert all(line["hands"] > 0 and line["decisions"] > line["hands"] for line in lines)
    assert lines[0]["mean_place"] == 6.5
    assert len(read_lines(straight.timings_file)) == 5
    checkpoints = sorted(file.name for file in (straight.path / "checkpoints").iterdir())
    assert checkpoints == ["000004.npz", "000005.npz"]
    assert straight.champions().weights.shape == (5, 825)
    assert straight.champion().weights.tobytes() == straight.champions().weights[-1].tobytes()
    assert straight.champion().origin["mean_place"] == lines[-1]["best_place"]


def test_elites_survive_unchanged(straight):
    state = straight.restore(CONFIG, say=print)
    population = state.optimizer.ask(halls=state.opponents.halls())
    before = state.optimizer.sub_populations[0].genomes
    assert population.weights[:3].tobytes() == before.weights[:3].tobytes()
    assert len(population) == 12


def test_threads_and_chunks_do_not_change_the_result(straight, tmp_path, monkeypatch):
    monkeypatch.setattr(Workers, "target_s", 1e-9)
    folder = RunFolder.create(tmp_path, CONFIG)
    go_on(folder, CONFIG, threads=1)
    assert_same_results(folder, straight)


@pytest.mark.parametrize("generation", [1, 3, 5])
def test_an_interrupted_run_resumes_to_the_same_result(straight, tmp_path, generation):
    folder = RunFolder.create(tmp_path, CONFIG)
    with pytest.raises(KeyboardInterrupt):
        go_on(folder, CONFIG, listener=Ending(end_in=generation))
    assert len(read_lines(folder.metrics_file)) == generation - 1
    go_on(folder, CONFIG)
    assert_same_results(folder, straight)


@pytest.mark.parametrize("step", range(1, 9))
def test_a_kill_between_file_operations_loses_at_most_one_generation(
    straight, tmp_path, monkeypatch, step
):
    """Generation 3 writes two lines, four archives and renames; the run dies at one of them."""
    folder = RunFolder.create(tmp_path, CONFIG)
    listener = Ending()
    left = step

    def dying(operation):
        def call(*arguments, **keywords):
            nonlocal left
            if listener.generation == 3:
                left -= 1
                if left == 0:
                    raise Killed
            return operation(*arguments, **keywords)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(files, "append_line", dying(files.append_line))
        patch.setattr(files, "write_arrays", dying(files.write_arrays))
        patch.setattr(os, "replace", dying(os.replace))
        patch.setattr(agents, "save_player", dying(agents.save_player))
        with pytest.raises(Killed):
            go_on(folder, CONFIG, listener=listener)
    assert folder.restore(CONFIG, say=print).generation == 2
    go_on(folder, CONFIG)
    assert_same_results(folder, straight)


def test_a_partial_metrics_line_is_removed(straight, tmp_path):
    folder = RunFolder.create(tmp_path, CONFIG)
    with pytest.raises(KeyboardInterrupt):
        go_on(folder, CONFIG, listener=Ending(end_in=4))
    with folder.metrics_file.open("a") as file:
        file.write('{"generation": 4, "pla')
    go_on(folder, CONFIG)
    assert_same_results(folder, straight)


def flipped(file: Path, line: int, at: int, bit: int) -> None:
    """Flips a bit of a line, counted from 1; ``at`` counts its bytes, with its line feed."""
    lines = file.read_bytes().splitlines(keepends=True)
    changed = bytearray(lines[line - 1])
    changed[at] ^= 1 << bit
    lines[line - 1] = bytes(changed)
    file.write_bytes(b"".join(lines))


@pytest.mark.parametrize(
    ("at", "bit"), [(15, 1), (0, 7), (-1, 0), (3, 2)], ids=["number", "no-utf-8", "end", "key"]
)
def test_a_flipped_bit_in_a_line_is_named_and_repaired(straight, finished, at, bit):
    """The first byte is a brace; byte 15 is the number of the generation; the last is the end."""
    file = finished.metrics_file
    sound = file.read_bytes()
    flipped(file, 3, at, bit)
    with pytest.raises(DamagedFileError, match=r"metrics\.jsonl is damaged in line 3; repair it"):
        finished.metrics()
    said: list[str] = []
    state = finished.restore(CONFIG, say=said.append)
    assert said == [f"{file} is damaged in line 3; repairing it with the lines in the checkpoint."]
    assert file.read_bytes() == sound
    assert state.metrics == finished.metrics()[-1]
    assert_same_results(finished, straight)


def test_a_damaged_line_of_timings_is_named_and_skipped(finished):
    """A checkpoint holds no times: equal runs have equal checkpoints."""
    flipped(finished.timings_file, 3, 0, 7)
    said: list[str] = []
    finished.restore(CONFIG, say=said.append)
    assert said == [f"{finished.timings_file} is damaged in line 3, which is dropped."]
    assert [line["generation"] for line in read_lines(finished.timings_file)] == [1, 2, 4, 5]


def test_missing_lines_are_restored(straight, finished):
    finished.metrics_file.unlink()
    said: list[str] = []
    finished.restore(CONFIG, say=said.append)
    assert "metrics.jsonl is damaged in line 1" in said[0]
    assert_same_results(finished, straight)


def test_an_invalid_json_line_without_checkpoint_is_named(tmp_path):
    file = tmp_path / "lines.jsonl"
    file.write_bytes(b'{"a": 1}\n{"a\xff": 2}\n')
    with pytest.raises(DamagedFileError, match=r"lines\.jsonl is damaged in line 2"):
        read_lines(file)


def test_a_damaged_checkpoint_falls_back_to_the_previous_one(straight, finished):
    newest = finished.path / "checkpoints" / "000005.npz"
    content = bytearray(newest.read_bytes())
    content[len(content) // 2] ^= 1
    newest.write_bytes(content)
    said: list[str] = []
    state = finished.restore(CONFIG, say=said.append)
    assert state.generation == 4
    assert len(said) == 1
    assert "000005.npz is damaged" in said[0]
    go_on(finished, CONFIG)
    assert_same_results(finished, straight)


def test_a_run_without_a_valid_checkpoint_says_how_to_restart(finished):
    for checkpoint in (finished.path / "checkpoints").iterdir():
        checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    with pytest.raises(DamagedFileError, match="start again with: nlhe train --preset"):
        finished.restore(CONFIG, say=lambda _: None)


def test_a_state_before_the_newest_checkpoint_is_refused(finished):
    kept = finished.metrics_file.read_bytes()
    with (
        thread_workers(1) as workers,
        pytest.raises(ValueError, match=r"5 generations, the state has 0: .*RunFolder\.restore"),
    ):
        train(finished, CONFIG, State.initial_state(CONFIG), workers=workers)
    assert finished.metrics_file.read_bytes() == kept


def test_a_run_may_begin_in_an_empty_folder_but_not_in_another(tmp_path):
    (tmp_path / "empty").mkdir()
    assert RunFolder.at(tmp_path / "empty", CONFIG).load_config() == CONFIG
    with pytest.raises(ValueError, match="is not a run folder: it has no config"):
        RunFolder.at(tmp_path, CONFIG)


def test_a_checksum_detects_changed_numbers(tmp_path):
    file = tmp_path / "arrays.npz"
    write_arrays(file, {"numbers": np.arange(5)})
    assert read_arrays(file)["numbers"].tolist() == [0, 1, 2, 3, 4]
    with np.load(file) as archive:
        checksum = archive["sha256"]
    np.savez(file, numbers=np.arange(1, 6), sha256=checksum)
    with pytest.raises(DamagedFileError, match="checksum"):
        read_arrays(file)


# The command line.


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run made by the command line."""
    runs = tmp_path_factory.mktemp("runs")
    assert evolve("train", *FLAGS, "--runs", str(runs)) == 0
    return RunFolder.latest(runs)


def test_train_stores_the_same_result_as_the_library(trained, straight):
    assert_same_results(trained, straight)
    assert trained.progress_file.exists()
    assert trained.plot_file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_longer_run_extends_the_shorter_one(trained, tmp_path, capsys):
    longer = CONFIG.with_values(generations=7)
    folder = RunFolder.create(tmp_path, longer)
    go_on(folder, longer)
    assert evolve("train", *FLAGS, "--runs", str(tmp_path / "runs")) == 0
    shorter = RunFolder.latest(tmp_path / "runs")
    capsys.readouterr()
    assert evolve("train", "--resume", str(shorter.path), "--generations", "7") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == lines[-1] == f"Run folder: {shorter.path}"
    assert "Resuming after generation 5." in lines
    assert_same_results(shorter, folder)
    assert shorter.load_config().generations == 7


def test_evaluate_measures_the_champion(trained, capsys):
    assert evolve("evaluate", str(trained.path), "--blocks", "30") == 0
    shown = capsys.readouterr().out
    stored = json.loads((trained.path / "evaluation.json").read_text())
    names = {row["player"] for row in stored["players"]}
    assert names == {"champion", "generation-1", *known_field()}
    assert {"random", "raiser", "folder", "caller", "call-or-raise"} <= names
    assert all(name in shown for name in names)
    n = len(names)
    assert sum(row["mean_place"] for row in stored["players"]) == pytest.approx(n * (n + 1) / 2)
    assert (trained.path / "evaluation.csv").exists()


def test_every_sub_population_has_its_own_baseline(tmp_path):
    sizes = "--population 12 --elites 4 --sub-populations 2 --hall-of-fame 0 --tournaments 2"
    short = f"{sizes} --generations 1 --progress-tournaments 0 --workers 1"
    assert evolve("train", "--preset", "quick", *short.split(), "--runs", str(tmp_path)) == 0
    run = str(RunFolder.latest(tmp_path).path)
    again = ["evaluate", run, "--players", "caller", "random", "--blocks", "20", "--workers", "1"]
    assert evolve(*again) == 0
    assert evolve(*again, "--baseline", run) == 0
    for name in ("evaluation-1.json", "evaluation-2.json"):
        rows = json.loads((Path(run) / name).read_text())["players"]
        assert [row["change_percent"] for row in rows] == [0.0] * 3


def test_evaluate_takes_player_files(trained, tmp_path):
    rival = tmp_path / "rival.npz"
    rival.write_bytes((trained.path / "champion.npz").read_bytes())
    assert evolve("evaluate", str(trained.path), "--blocks", "5", "--players", str(rival)) == 0
    stored = json.loads((trained.path / "evaluation.json").read_text())
    assert {row["player"] for row in stored["players"]} == {"champion", "rival"}


@pytest.mark.parametrize("step", range(1, 3))
def test_a_full_disk_ends_the_run_with_a_message_and_loses_one_generation(
    straight, tmp_path, monkeypatch, capsys, step
):
    """A generation syncs two files; one of these fails and loses its end."""
    left = step + 2 + 2 * 2  # the run folder and two generations come before
    sync = os.fsync

    def full(number):
        nonlocal left
        left -= 1
        if left == 0:
            os.ftruncate(number, os.fstat(number).st_size - 10)
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(number)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert evolve("train", *FLAGS, "--runs", str(tmp_path)) == 1
    folder = RunFolder.latest(tmp_path)
    said = capsys.readouterr().err
    assert "the disk is full" in said
    assert f"nlhe train --resume {folder.path}" in said
    assert "Traceback" not in said
    assert not list(folder.path.rglob("*.tmp"))
    assert folder.restore(CONFIG, say=print).generation == 2
    go_on(folder, CONFIG)
    assert_same_results(folder, straight)


def test_a_run_in_use_is_refused_before_any_change(trained, capsys):
    path = trained.path
    files_before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        with locked(path):
            holding.set()
            done.wait(600)

    holder = threading.Thread(target=hold)
    holder.start()
    holding.wait()
    try:
        assert evolve("train", "--resume", str(path), "--generations", "99") == 1
        assert f"{path.name} is in use by process" in capsys.readouterr().err
        with pytest.raises(FolderInUseError, match="in use by process"):
            trained.restore(CONFIG, say=print)
    finally:
        done.set()
        holder.join()
    assert files_before == {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}


def test_a_process_that_is_refused_leaves_the_configuration_as_it_is(tmp_path):
    folder = RunFolder.at(tmp_path, CONFIG)
    longer, refused = CONFIG.with_values(generations=99), list[Exception]()

    def second() -> None:
        for begin in (
            lambda: RunFolder.at(tmp_path, longer),
            lambda: finish_run(tmp_path, longer, workers=None, listener=Ending(), say=print),
        ):
            try:
                begin()
            except FolderInUseError as error:
                refused.append(error)

    with locked(tmp_path):  # the first process trains here
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    assert len(refused) == 2
    assert folder.load_config() == CONFIG


def test_a_checkpoint_that_cannot_be_opened_falls_back_too(finished):
    newest = finished.path / "checkpoints" / "000005.npz"
    newest.unlink()
    newest.mkdir()
    said: list[str] = []
    assert finished.restore(CONFIG, say=said.append).generation == 4
    assert "000005.npz" in said[0]


def test_presets_are_listed_and_shown(capsys):
    assert evolve("presets") == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("hof-2-pop ", "hands-60 ", "champion-challenger "))
    assert evolve("presets", "hof-2-pop-small") == 0
    text = capsys.readouterr().out
    assert parse_config(text, source="", name="") == load_preset("hof-2-pop-small")
    assert evolve("presets", "nothing") == 2


def test_scale_changes_the_sizes_before_other_flags(tmp_path):
    flags = ["--preset", "2-pop", "--scale", "0.02", "--elites", "4", "--generations", "1"]
    flags += ["--tournaments", "2", "--progress-tournaments", "0", "--runs", str(tmp_path)]
    assert evolve("train", *flags) == 0
    config = RunFolder.latest(tmp_path).load_config()
    optimizer = config.optimizer
    assert (optimizer.population, optimizer.elites, optimizer.sub_populations) == (20, 4, 2)


@pytest.mark.slow
def test_the_environment_backend_stores_the_same_run(tmp_path):
    flags = [*FLAGS, "--generations", "1", "--tournaments", "1", "--starting-stack", "100"]
    flags += ["--population", "8", "--progress-tournaments", "0", "--table-size", "5", "--runs"]
    for backend in ("compiled", "environment"):
        assert evolve("train", *flags, str(tmp_path / backend), "--backend", backend) == 0
    one, other = (RunFolder.latest(tmp_path / backend) for backend in ("compiled", "environment"))
    assert_same_results(one, other)


def test_a_backend_that_cannot_play_the_schedule_is_refused_before_a_folder_is_made(
    tmp_path, capsys
):
    flags = ["--preset", "sbb-smoke", "--backend", "environment", "--runs", str(tmp_path / "runs")]
    assert evolve("train", *flags) == 2
    assert 'backend must be "compiled" with schedule "matches"' in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()


def test_without_matplotlib_the_run_lacks_only_the_plot(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert evolve("train", *FLAGS, "--runs", str(tmp_path)) == 0
    folder = RunFolder.latest(tmp_path)
    assert install_command("plot") in capsys.readouterr().out
    assert folder.progress_file.exists()
    assert not folder.plot_file.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("train --preset quik", "did you mean 'quick'?"),
        ("train --preset nowhere.toml", "nowhere.toml cannot be read"),
        ("train --population 1", "population must be at least 2; got 1"),
        ("train --scale -1", "scale must be a finite number above 0; got -1.0"),
        ("train --resume {run} --scale 2", "--scale cannot be used with --resume"),
        ("train --workers 0", "threads must be at least 1; got 0"),
        ("train --resume nowhere", "nowhere is not a run folder"),
        ("train --resume {run} --mutation-rate 0.5", "mutation_rate is 0.1 in the run"),
        ("train --resume {run} --generations 2", "generations must be at least 5"),
        ("train --population many", "--population"),
        ("train --popluation 50", "--population"),
        ("evaluate {run} --players nobody", "nobody"),
        ("evaluate {run} --players generation-9", "the run has generations 1..5"),
        ("evaluate {run} --players caller caller", "must have different names"),
        ("evaluate {run} --blocks 1", "blocks must be at least 2"),
        ("evaluate nowhere", "'nowhere' is neither a player nor a run folder"),
        (
            "evaluate foldr",
            "'foldr' is neither a player nor a run folder; did you mean \"folder\"?",
        ),
        ("evaluate behaviour tight-agressive:size=2", 'did you mean "tight-aggressive"?'),
        ("evaluate nowhere/latest", "there is no run in nowhere"),
        ("evaluate plot nowhere", "nowhere is not a run folder"),
        ("", "train"),
    ],
)
def test_bad_arguments_end_with_code_2_and_a_message(
    trained, tmp_path, monkeypatch, capsys, arguments, message
):
    monkeypatch.chdir(tmp_path)
    assert evolve(*arguments.format(run=trained.path).split()) == 2
    said = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert message in said
    assert "Traceback" not in said
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
@interruptible()
def test_a_process_stopped_at_any_time_resumes_to_the_same_result(tmp_path, number):
    flags = [*FLAGS, "--generations", "300", "--progress-tournaments", "0"]
    command = [sys.executable, "-m", "evolve", "train", *flags, "--runs"]
    process = subprocess.Popen(
        [*command, str(tmp_path / "stopped")], stdout=subprocess.PIPE, text=True
    )
    wait_for_generations(tmp_path / "stopped", 10)
    process.send_signal(number)
    said, _ = process.communicate(timeout=300)
    stopped = RunFolder.latest(tmp_path / "stopped")
    resume = ["train", "--resume", str(stopped.path)]
    assert len(read_lines_so_far(stopped.metrics_file)) < 300
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert f"nlhe {' '.join(resume)}" in said
    assert evolve(*resume) == 0
    assert evolve("train", *flags, "--runs", str(tmp_path / "straight")) == 0
    assert_same_results(stopped, RunFolder.latest(tmp_path / "straight"))


def wait_for_generations(runs: Path, count: int) -> None:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        for file in runs.glob("*/metrics.jsonl"):
            if len(read_lines_so_far(file)) >= count:
                return
        time.sleep(0.02)
    pytest.fail("the run does not come on")


def read_lines_so_far(file: Path) -> list[str]:
    return file.read_text().splitlines()
