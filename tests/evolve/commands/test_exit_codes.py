"""The functions behind the command line return an exit code for every error, with one line."""

import json
import re
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from training_runs import evolve

import agents
from agents.commands.main import main as of_agents
from agents.match.workers import dask_cluster
from agents.match.workers.base import WorkersError
from agents.match.workers.parsing import parse_workers
from evolve.commands import train as train_command
from evolve.commands.main import main
from evolve.training.config_files import load_preset
from evolve.training.fitness import FITNESS
from evolve.training.folder import RunFolder
from evolve.training.state import State
from nlhe_env.__main__ import main as of_cards
from nlhe_env.extras import MissingExtraError
from nlhe_env.system import part_names
from nlhe_env.system.cores import n_cores

Main = Callable[[list[str]], int]


@pytest.mark.parametrize(
    ("main", "line", "code"),
    [
        (main, "", 2),
        (main, "--help", 0),
        (main, "train --help", 0),
        (main, "trian", 2),
        (main, "train --config mine.toml", 2),
        (main, "train --preset nobody", 2),
        (main, "train --optimizer genetic --genomes teams", 2),
        (main, "train --preset heads-up --genomes teams", 2),
        (main, "train --preset heads-up --track parents", 2),
        (main, "train --preset quick --track bounds:1", 2),
        (main, "train --preset heads-up --track bounds:0", 2),
        (main, "evaluate nowhere", 2),
        (of_agents, "", 2),
        (of_agents, "solve", 2),
        (of_agents, "solve --help", 0),
        (of_agents, "bench", 2),
        (of_agents, "players nobody", 2),
        (of_cards, "", 2),
        (of_cards, "equity AhKh --bord Qs", 2),
        (of_cards, "hands nowhere\x1b.txt", 1),
    ],
)
def test_an_error_is_a_line_and_an_exit_code(
    main: Main,
    line: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(line.split()) == code
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "\x1b" not in said.err
    assert bool(said.err) == bool(code)
    assert not list(tmp_path.iterdir())  # such as the folder of a run


def test_an_error_of_a_command_has_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = {ValueError("wrong"): 2, OSError("gone"): 1, RuntimeError("failed"): 1}
    for error, code in {**errors, KeyboardInterrupt(): 130, SystemExit("ended"): 1}.items():

        def run(command: object, reporter: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr("evolve.commands.presets.Presets.run", run)
        assert main(["presets"]) == code


# --- the option --workers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("3", "ThreadWorkers", 3),
        ("threads://3", "ThreadWorkers", 3),
        ("processes://3", "ProcessWorkers", 3),
        (None, "ThreadWorkers", n_cores()),
        ("processes://", "ProcessWorkers", n_cores()),
    ],
)
def test_the_option_names_workers(text, kind, count):
    with parse_workers(text) as workers:
        assert (type(workers).__name__, workers.count) == (kind, count)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "many",
            "workers must be N or threads://N, processes://N, or dask://HOST:PORT; got 'many'",
        ),
        ("ray://host:1", "workers must be N"),
        ("dask://host", "workers must be N"),
        ("threads://x", "workers must be N"),
        ("-1", "threads must be at least 1; got -1"),
        ("processes://0", "processes must be at least 1; got 0"),
    ],
)
def test_other_texts_are_refused(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_workers(text)


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.delitem(sys.modules, "agents.match.workers.dask_cluster")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[dask\]'"):
        parse_workers("dask://127.0.0.1:1")


def test_an_unresponsive_scheduler_is_reported(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(dask_cluster, "_ANSWER_S", 0.2)
    monkeypatch.chdir(tmp_path)
    assert main(["train", "--workers", "dask://127.0.0.1:1"]) == 1
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()


def test_a_run_that_lost_its_workers_says_how_to_resume(monkeypatch, capsys, tmp_path):
    def gone(*_, **__):
        raise WorkersError("the workers are gone")

    monkeypatch.setattr(train_command, "train", gone)
    assert main(["train", "--runs", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "the workers are gone; no generation was finished yet." in said
    assert f"--resume {tmp_path}" in said


# --- players that do not know the game ------------------------------------------------------------


VEXBOT = "vexbot cannot play this game: Vexbot plays heads-up fixed-limit only"
TEAM = "limit-team cannot play this game: a limit team plays heads-up"
PSOPTI = "psopti-0 cannot play this game: pseudo-optimal players play heads-up fixed-limit only"
CLOSING = "progress_tournaments must be 0: genomes 'ashe-2' cannot play this game"
MODELS = "train --preset heads-up --genomes ashe-2 --optimizer openai-es"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("evaluate caller --players vexbot --blocks 3", VEXBOT),
        ("evaluate vexbot --players caller --blocks 3", VEXBOT),
        ("evaluate {run} --players limit-team --blocks 3", TEAM),
        ("evaluate behaviour limit-team", TEAM),
        ("evaluate behaviour vexbot", VEXBOT),
        ("evaluate behaviour caller --players folder vexbot", VEXBOT),
        ("evaluate behaviour {run} --players vexbot", VEXBOT),
        ("evaluate behaviour {run} --seed -1", "seed must be in 0 .. 18446744073709551615; got -1"),
        ("evaluate behaviour caller --seed 99999999999999999999999", "seed must be in 0 .. "),
        ("evaluate exploitability limit-team --blocks 2", TEAM),
        ("evaluate exploitability caller --by local:hands=3", "hands must be in 20 .. 1326; got 3"),
        ("evaluate exploitability caller --blocks 1 --by local", "blocks must be at least 2"),
        ("evaluate exploitability caller --by evolved:hands=-1", "hands must be a whole number"),
        ("evaluate exploitability random --seed -1 --by local", "seed must be in 0 .. "),
        ("evaluate exploitability random --out no-such/a.json", "there is no folder no-such"),
        ("evaluate exploitability random --by exact --out a.json", "exact prints its result: it"),
        ("train --preset heads-up --named psopti-0", f"named: {PSOPTI}"),
        (
            "train --preset heads-up --named-later psopti-0 --named-generations 3",
            f"named_later: {PSOPTI}",
        ),
        ("train --preset quick --test-players psopti-0", f"test_players: {PSOPTI}"),
        (f"{MODELS} --table-size 3", "genomes 'ashe-2' cannot play this game: ASHE 2 plays"),
        (f"{MODELS} --progress-tournaments 2", CLOSING),
        ("train --preset heads-up --betting fixed-limit --named nobody", "nobody"),
    ],
)
def test_unsuitable_players_are_reported_before_play_or_storage(
    tiny_run, tmp_path, monkeypatch, capsys, command, message
):
    monkeypatch.chdir(tmp_path)
    run = tiny_run.path
    files = sorted(run.rglob("*"))
    assert evolve(*command.format(run=run).split()) == 2
    assert message in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []
    assert sorted(run.rglob("*")) == files


def test_players_may_be_named_in_a_game_they_support():
    config = load_preset("heads-up").with_values(betting="fixed-limit", named=("psopti-0",))
    assert State.initial_state(config).generation == 0


def test_checking_players_does_not_fill_default_trees(monkeypatch):
    def fill(*_):
        raise AssertionError("this takes seconds")

    monkeypatch.setattr("evolve.theses.li.ashe_models.Preliminary.fill", fill)
    assert State.initial_state(load_preset("ashe-2.2")).generation == 0


# --- parts of one's own ---------------------------------------------------------------------------


STEADY = """
from dataclasses import dataclass
import evolve

@dataclass(frozen=True, kw_only=True)
class Steady(evolve.FitnessSettings):
    caution: float = 1.0
    reads_rows = False

    def measure(self, tally):
        return evolve.Fitness(tally.scores + self.caution * tally.errors, tally.errors)
"""
SMALL = [
    *("--generations", "1", "--population", "4", "--elites", "2", "--hall-of-fame", "0"),
    *("--tournaments", "2", "--progress-tournaments", "0", "--workers", "1"),
]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with a Python file and a run that uses it."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "steady.py").write_text(STEADY)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        options = ["--fitness", "steady.py:Steady", "--caution", "2", "--runs", "runs"]
        assert evolve("train", *options, *SMALL) == 0
        path = RunFolder.latest(Path("runs")).path
        path.rename("run")
    return folder


@pytest.fixture
def run(trained, tmp_path, monkeypatch):
    """A copy of the run, of which this process knows nothing; running its code fails."""
    shutil.copytree(trained, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(part_names, "_allowed", set())
    monkeypatch.setattr("evolve.training.config.CHOICES", _without_files())
    (tmp_path / "steady.py").write_text("raise SystemExit('this code ran')")
    return RunFolder.open(tmp_path / "run")


def _without_files():
    from evolve.training.config import CHOICES

    for name in [name for name in FITNESS if name.endswith("Steady")]:
        del FITNESS[name]
    return CHOICES


def test_a_run_is_looked_at_without_its_code(run, capsys):
    config = run.load_config()
    assert config.values()["fitness"] == "steady.py:Steady"
    assert config.fitness.caution == 2.0
    assert config.make_game() == config.compared_in.make()
    assert len(run.champions()) == 1
    assert run.sub_populations == 1
    with pytest.raises(ValueError, match=r"\[fitness\] names 'steady.py:Steady', but a file"):
        config.fitness.measure(None)
    assert evolve("evaluate", "plot", str(run.path)) == 0
    assert "Picture" in capsys.readouterr().out


@pytest.mark.parametrize("typed", [["--fitness"], ["--part"]])
def test_a_run_is_resumed_when_its_parts_are_typed(run, capsys, typed):
    arguments = ["train", "--resume", str(run.path), "--generations", "2"]
    assert evolve(*arguments) == 2
    assert "if you trust it, add: --part steady.py:Steady" in capsys.readouterr().err
    Path("steady.py").write_text(STEADY)
    assert evolve(*arguments, *typed, "steady.py:Steady") == 0
    values = tomllib.loads((run.path / "config.toml").read_text())
    assert values["fitness"]["kind"] == "steady.py:Steady"
    assert values["fitness"]["caution"] == 2.0
    assert run.newest_saved() == 2


def test_a_preset_of_somebody_else_needs_its_parts_typed(run, capsys):
    Path("mine.toml").write_text('extends = "quick"\n[fitness]\nkind = "steady.py:Steady"\n')
    assert evolve("train", "--preset", "mine.toml", *SMALL) == 2
    assert "mine.toml names 'steady.py:Steady', but a file may not" in capsys.readouterr().err
    Path("steady.py").write_text(STEADY)
    options = ["--fitness", "steady.py:Steady", "--runs", "runs"]
    assert evolve("train", "--preset", "mine.toml", *SMALL, *options) == 0


def test_genomes_of_an_unknown_kind_are_named(run):
    text = (run.path / "config.toml").read_text()
    text = text.replace('kind = "networks"', 'kind = "steady.py:Kind"')
    (run.path / "config.toml").write_text(text)
    with pytest.raises(ValueError, match=r"\[genomes\] names 'steady.py:Kind', but a file may not"):
        run.champions()
    assert run.champion().kind.name == "network"


def test_the_inputs_of_a_player_file_do_not_choose_code(run):
    with np.load(run.path / "champion.npz") as file:
        about = json.loads(str(file["about"])) | {"inputs": "steady.py:PRICE"}
        np.savez("other.npz", **{**file, "about": np.array(json.dumps(about))})
    with pytest.raises(ValueError, match=r"other\.npz' names 'steady\.py:PRICE', but a file may"):
        agents.load_player("other.npz")
