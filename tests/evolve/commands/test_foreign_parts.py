"""Runs with parts of their own: looked at without their code, resumed when it is typed again."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest
from training_runs import evolve

import agents
from evolve.training.fitness import FITNESS
from evolve.training.folder import RunFolder
from nlhe_env.system import part_names

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
