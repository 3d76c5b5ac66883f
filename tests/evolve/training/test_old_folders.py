"""Run folders of version 0.1: their players can be used, and how to train on is told."""

from __future__ import annotations

import numpy as np
import pytest
from test_config import OLD_OPTIMIZE, OLD_TRAIN

import agents
from evolve.commands.main import main
from evolve.files.safe import append_line, write_arrays
from evolve.training.folder import RunFolder


def networks(n):
    return np.random.default_rng(1).normal(0.0, 0.5, (n, 825)).astype(np.float32)


@pytest.fixture(params=["train", "optimize"])
def old(request, tmp_path):
    """A finished run of one of the two forms that there were, with three champions."""
    folder, weights = tmp_path / "old", networks(3)
    folder.mkdir()
    if request.param == "train":
        text, hidden = OLD_TRAIN, np.full((3, 1), 20)
        champions = {"1_weights": weights, "1_hidden": hidden}
        state = {"1_population_weights": weights, "1_population_hidden": hidden}
    else:
        text = OLD_OPTIMIZE
        champions = {"weights": weights, "generations": np.array([0, 2, 4])}
        state = {"optimizer_generation": np.array(4)}
    (folder / "config.toml").write_text(text)
    write_arrays(folder / "champions.npz", champions)
    player = agents.NetworkPlayer(weights[-1], inputs="features_scaled", name="champion")
    agents.save_player(folder / "champion.npz", player)
    append_line(folder / "metrics.jsonl", {"generation": 1})
    (folder / "checkpoints").mkdir()
    common = {"config": np.array(text), "generation": np.array(1)}
    write_arrays(folder / "checkpoints" / "000001.npz", common | state)
    return folder


def test_champions_of_old_runs_can_be_used(old, capsys):
    run = RunFolder.open(old)
    np.testing.assert_array_equal(run.champions().weights, networks(3))
    generations = [0, 2, 4] if "optimizer" in old.joinpath("config.toml").read_text() else [1, 2, 3]
    assert run.generations().tolist() == generations
    flags = ["--blocks", "2", "--players", "caller", f"generation-{generations[0]}"]
    assert main(["evaluate", str(old), *flags]) == 0
    assert main(["progress", str(old), "--tournaments", "2"]) == 0


def test_an_old_run_says_in_one_line_how_to_train_again(old, capsys):
    assert main(["train", "--resume", str(old)]) == 1
    said = capsys.readouterr().err.strip()
    assert "\n" not in said
    assert "another version of this program" in said
    assert f"start again with --config {old / 'config.toml'}" in said
    runs = old.parent / "runs"
    flags = ["--config", str(old / "config.toml"), "--runs", str(runs), "--generations", "1"]
    assert main(["train", *flags, "--progress-tournaments", "0"]) == 0
    assert len(RunFolder.latest(runs).champions()) > 0
