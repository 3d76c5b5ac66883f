"""Configurations whose parts cannot work together, or of which a value would change nothing."""

import numpy as np
import pytest

from evolve.commands.main import main
from evolve.files.safe import DamagedFileError, write_arrays
from evolve.training.config import Config
from evolve.training.config_files import to_toml
from evolve.training.folder import RunFolder
from evolve.training.state import State

BRED = Config().with_values(
    population=8, elites=2, game="cash", schedule="blocks", opponents="pool", hidden=(2,)
)
SELF_PLAY = BRED.with_values(opponents="self-play", card_sensitivity_gate=0.0)
TOURNAMENTS = Config().with_values(population=8, elites=2)
NUMBERS = Config().with_values(optimizer="cma-es-diagonal")


@pytest.mark.parametrize("genomes", ["teams", "topographies", "ashe"])
def test_only_networks_move_towards_each_other(genomes):
    step = {"elites": 1, "champion_step": 0.5}
    with pytest.raises(ValueError, match=f'must be 1 with genomes "{genomes}", which cannot move'):
        TOURNAMENTS.with_values(genomes=genomes, **step)
    for networks in ("networks", "argmax-networks", "pot-sized-networks"):
        TOURNAMENTS.with_values(genomes=networks, **step)


@pytest.mark.parametrize("share", ["population_share", "pool_share"])
def test_without_initial_opponents_a_named_player_is_required(share):
    alone = {share: 1.0, "named_share": 0.0}
    with pytest.raises(ValueError, match='named_share must be above 0 with optimizer "elitist"'):
        BRED.with_values(**alone)
    BRED.with_values(optimizer="cma-es", **alone)  # the start is there to meet


@pytest.mark.parametrize("values", [{"random_share": 0.0}, {"biased_share": 0.2}])
def test_without_initial_opponents_the_pool_may_be_empty(values):
    with pytest.raises(ValueError, match="the pool may still be empty"):
        SELF_PLAY.with_values(**values)
    SELF_PLAY.with_values(optimizer="cma-es", **values)
    tables = {"schedule": "tables", "card_sensitivity_gate": 0.05, "table_size": 4, **values}
    with pytest.raises(ValueError, match="the pool may still be empty"):
        SELF_PLAY.with_values(pool_every=2, **tables)
    SELF_PLAY.with_values(pool_every=1, **tables)  # it has a member before the gate opens


@pytest.mark.parametrize("genomes", ["teams", "topographies", "ashe", "ashe-2"])
def test_self_play_needs_networks(genomes):
    with pytest.raises(ValueError, match=rf"need genomes 'networks' or .*; got '{genomes}'"):
        SELF_PLAY.with_values(genomes=genomes, progress_tournaments=0)


@pytest.mark.parametrize("values", [{"phantom": True}, {"champion_criterion": "hands"}])
def test_only_optimizers_that_breed_have_parents_and_champions(values):
    with pytest.raises(ValueError, match=f'{next(iter(values))} .* with optimizer "cma-es-diag'):
        NUMBERS.with_values(**values)
    TOURNAMENTS.with_values(**values)


@pytest.mark.parametrize(
    "values",
    [
        {"opponents": "pool", "priority": "hard"},
        {"opponents": "self-play", "pool_priority": "even"},
        {"opponents": "self-play", "random_share": 0.3},
    ],
)
def test_no_opponent_is_sampled_when_all_play_every_tournament(values):
    key = list(values)[1]
    with pytest.raises(ValueError, match=f'{key} has no effect with schedule "tournaments"'):
        TOURNAMENTS.with_values(**values)
    TOURNAMENTS.with_values(opponents=values["opponents"])


# --- arrays of run folders ------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, "it has no array weights"),
        ({"generation": np.ones(2, int)}, "arrays can be converted to Python scalars"),
        ({"lines_metrics": np.zeros(0, np.uint8)}, "it has no metrics"),
    ],
)
def test_a_checkpoint_with_other_arrays_says_how_to_train_again(changes, why, tmp_path, capsys):
    config = Config()
    folder = RunFolder.at(tmp_path / "run", config)
    (folder.path / "checkpoints").mkdir()
    arrays = {"config": np.array(to_toml(config)), "generation": np.array(1)}
    if changes:
        lines = {f"lines_{name}": np.ones(1, np.uint8) for name in ("metrics", "tests")}
        arrays = {**State.initial_state(config).to_arrays(), **lines, **arrays, **changes}
    write_arrays(folder.path / "checkpoints" / "000001.npz", arrays)
    assert main(["train", "--resume", str(folder.path)]) == 1
    said = capsys.readouterr().err.strip()
    assert "000001.npz is not a checkpoint that this version can read: " in said
    assert why in said
    assert f"start again with: nlhe train --preset {folder.path / 'config.toml'}" in said
    assert "\n" not in said
