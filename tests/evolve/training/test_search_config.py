"""Configurations, presets and comparisons of searches."""

from __future__ import annotations

import dataclasses
import sys

import numpy as np
import pytest

import agents
import nlhe_env
from evolve.commands.main import main
from evolve.evaluation.contestants import known_field
from evolve.training.config_files import to_toml
from evolve.training.search import (
    SearchConfig,
    load_search_config,
    load_search_preset,
    search_preset_names,
)
from evolve.training.search.presets import OPTIMIZERS, parse_search_config, search_games
from nlhe_env.extras import install_command


@pytest.mark.parametrize("name", search_preset_names())
def test_presets_can_be_loaded_and_written(name):
    config = load_search_preset(name)
    assert config.name.startswith(name)
    assert parse_search_config(to_toml(config), source="", name="") == config


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_presets_make_their_optimizers(optimizer):
    config = load_search_preset("heads-up", optimizer)
    assert config == load_search_preset(f"heads-up-{optimizer}")
    made = config.make_optimizer()
    assert (made.population, made.n_parameters) == (config.population, 825)


def test_published_field_has_nine_seats_for_eight_published_players():
    config = load_search_preset("published-field")
    assert config.named == known_field()
    assert (config.seats, config.optimizer, config.unit) == (9, "cma-es", "place")
    assert config.make_game() == nlhe_env.Game.tournament()


def test_file_extends_a_preset_with_another_optimizer(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('extends = "heads-up"\noptimizer = "genetic"\nelites = 3\n')
    config = load_search_config(file)
    assert config == dataclasses.replace(
        load_search_preset("heads-up-genetic"), elites=3, name="mine"
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"optimizer": "adam"}, "optimizer must be 'cma-es' or"),
        ({"learning_rate": 0.1}, "learning_rate is no option of the optimizer 'cma-es', which has"),
        ({"hands": 0}, "hands or generations must be above 0"),
        ({"seats": 11}, r"seats must be a whole number in 2\.\.10; got 11"),
        ({"named": ("nobody",)}, "nobody"),
        ({"named": "caller"}, "named must be a list of names; got 'caller'"),
        ({"named": ("caller", "caller")}, "named must name every player once"),
        ({"named": ()}, "named must not be empty while named_share is above 0"),
        ({"named": (), "named_share": 0, "pool_share": 1}, "test_players must not be empty"),
        ({"named_share": 0}, "shares must not be negative, nor all 0"),
        ({"racing_rounds": 1, "optimizer": "openai-es"}, "racing_rounds must be 0 with optimizer"),
        ({"start": "middle"}, "start must be zeros, normal, uniform or a network: "),
        ({"start": "caller"}, "start must be a network with inputs 'features_scaled'"),
        ({"blinds": "pokerstars"}, "blinds of a cash game do not change"),
        ({"blocks": 1}, "blocks must be a whole number of at least 2"),
        ({"game": "sit-and-go"}, "game must be 'cash' or 'tournament'"),
        ({"name": "a b"}, "name must consist of letters"),
        ({"priority": "easy"}, "priority must be 'hard' or 'even' or 'uniform'"),
        ({"pool_capacity": 0}, "capacity must be at least 1"),
    ],
)
def test_impossible_values_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        SearchConfig(**values)


def test_impossible_commands_are_refused(tmp_path, capsys, monkeypatch):
    def error(*arguments: str) -> str:
        assert main(list(arguments)) == 2
        return capsys.readouterr().err

    runs = ["--runs", str(tmp_path)]
    assert "did you mean 'heads-up'" in error("optimize", "--preset", "heads-upp", *runs)
    assert "learning_rate is no option" in error("optimize", "--learning-rate", "0.1", *runs)
    assert "elites" in error("optimize", "--preset", "heads-up-genetic", "--elites", "64", *runs)
    assert "no run in" in error("optimize", "--resume", "latest", *runs)
    assert "not a run folder" in error("optimize", "--resume", str(tmp_path), *runs)
    monkeypatch.setitem(sys.modules, "ribs", None)  # as if it were not installed
    missing = f"error: map-elites needs pyribs: {install_command('qd')}\n"
    assert error("optimize", "--preset", "heads-up-map-elites", *runs) == missing
    out = ["--out", str(tmp_path / "out")]
    assert error("compare", "--optimizers", "map-elites", *out) == missing
    assert "it has --first-seed" in error("compare", "--seed", "1", "--out", str(tmp_path / "out"))
    assert "holds no finished search" in error("compare", "--show", "--out", str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_scores_are_big_blinds_in_100_hands_or_places():
    config = SearchConfig(seats=3, session=10, blinds="50/100")
    # A block has 3 sessions of 10 hands: 6000 chips are 60 big blinds in 30 hands.
    assert config.per_block * 6000 == pytest.approx(200.0)
    assert SearchConfig(game="tournament").per_block == 1.0


def test_search_starts_where_it_should(tmp_path):
    assert not SearchConfig().start_weights().any()
    deviations = SearchConfig(start="normal").start_weights().std()
    assert deviations == pytest.approx(0.5, rel=0.1)
    path = tmp_path / "mine.npz"
    weights = np.arange(825, dtype=np.float32)
    agents.save_player(path, agents.NetworkPlayer(weights, inputs="features_scaled"))
    np.testing.assert_array_equal(SearchConfig(start=str(path)).start_weights(), weights)


def test_comparison_runs_every_optimizer_with_every_seed_and_goes_on(tmp_path, capsys):
    arguments = ["compare", "--preset", "heads-up", "--seeds", "2", "--out", str(tmp_path / "out")]
    arguments += ["--optimizers", "openai-es", "mutation", "--hands", "4000", "--blocks", "2"]
    arguments += ["--population", "16", "--test-blocks", "10"]
    arguments += ["--first-seed", "4"]
    assert main(arguments) == 0
    out = tmp_path / "out"
    assert "mean over the seeds" in capsys.readouterr().out
    names = sorted(path.name for path in out.iterdir() if path.is_dir())
    assert names == ["mutation-4", "mutation-5", "openai-es-4", "openai-es-5"]
    curves = (out / "curves.csv").read_text().splitlines()
    assert len(curves) == 1 + 2 * 50
    before = {file.name: file.read_bytes() for file in out.glob("*.*")}
    assert "comparison.png" in before
    assert main(arguments) == 0  # nothing is left to play
    assert {file.name: file.read_bytes() for file in out.glob("*.*")} == before
    assert main([*arguments, "--test-blocks", "12"]) == 2
    assert "test_blocks is 10 in the run and 12 now" in capsys.readouterr().err


def test_flags_of_a_comparison_count_for_all_even_where_they_equal_a_preset(tmp_path):
    """The step is 0.1 in the preset of the first optimizer, and 0.3 in that of the second."""
    out = tmp_path / "out"
    arguments = ["compare", "--out", str(out), "--seeds", "1", "--generations", "1"]
    arguments += ["--optimizers", "genetic", "cma-es", "--step", "0.1", "--blocks", "2"]
    arguments += ["--population", "16", "--test-blocks", "2", "--hands", "1000"]
    assert main(arguments) == 0
    for name in ("genetic-1", "cma-es-1"):
        assert load_search_config(out / name / "config.toml").step == 0.1


def test_comparison_takes_options_of_its_optimizers(tmp_path):
    out = tmp_path / "out"
    arguments = ["compare", "--out", str(out), "--seeds", "1", "--generations", "1", "--novelty"]
    arguments += ["--optimizers", "mutation", "genetic", "--blocks", "2", "--test-blocks", "2"]
    assert main(arguments) == 0
    assert all(load_search_config(file).novelty for file in sorted(out.glob("*/config.toml")))


def test_every_game_is_described(capsys):
    assert main(["presets"]) == 0
    shown = capsys.readouterr().out
    assert all(f"\n{game} " in shown for game in search_games())
    assert main(["presets", "six-max-genetic"]) == 0
    assert 'optimizer = "genetic"' in capsys.readouterr().out
