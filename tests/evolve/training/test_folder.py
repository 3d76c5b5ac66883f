"""Run folders that hold other arrays than this version reads."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.commands.main import main
from evolve.files.safe import DamagedFileError, write_arrays
from evolve.training.config import Config
from evolve.training.config_files import to_toml
from evolve.training.folder import RunFolder

WEIGHTS = np.zeros((3, 825), np.float32)


def test_champions_without_an_array_give_a_one_line_error(tmp_path, capsys):
    folder = RunFolder.at(tmp_path / "run", Config())
    file = folder.path / "champions.npz"
    write_arrays(file, {"weights": WEIGHTS, "1_hidden": np.full((3, 1), 20)})
    refused = "champions.npz does not contain champions that this version can read: it has no array"
    with pytest.raises(DamagedFileError, match=f"{refused} 1_weights$"):
        folder.champions()
    with pytest.raises(DamagedFileError, match=f"{refused} generations$"):
        folder.generations()
    assert main(["evaluate", "progress", str(folder.path)]) == 1
    said = capsys.readouterr().err.strip()
    assert refused in said
    assert "\n" not in said


def test_a_checkpoint_without_an_array_says_how_to_train_again(tmp_path, capsys):
    config = Config()
    folder = RunFolder.at(tmp_path / "run", config)
    (folder.path / "checkpoints").mkdir()
    arrays = {"config": np.array(to_toml(config)), "generation": np.array(1)}
    write_arrays(folder.path / "checkpoints" / "000001.npz", arrays)
    assert main(["train", "--resume", str(folder.path)]) == 1
    said = capsys.readouterr().err.strip()
    assert "000001.npz is not a checkpoint that this version can read: it has no array" in said
    assert f"start again with: nlhe train --preset {folder.path / 'config.toml'}" in said
    assert "\n" not in said
