"""Configurations: presets, TOML files and their complaints."""

from __future__ import annotations

import pytest

from evolve.config import (
    RunConfig,
    load_config,
    load_preset,
    parse_config,
    preset_names,
    to_toml,
)
from nlhe_env import BlindSchedule


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_loads_and_survives_writing(name):
    config = load_preset(name)
    assert config.name == name
    assert parse_config(to_toml(config), source="", name="") == config


def test_published_presets_have_the_published_sizes():
    baseline, large_hof = load_preset("baseline"), load_preset("large-hof")
    for config in (baseline, large_hof):
        assert (config.generations, config.population, config.elites) == (500, 1000, 100)
        assert (config.tournaments, config.inputs) == (500, "features")
        assert (config.mutation_likelihood, config.mutation_deviation) == (0.1, 0.1)
    assert (baseline.hall_of_fame, large_hof.hall_of_fame) == (0, 1000)


def test_every_value_survives_writing():
    config = RunConfig(
        name="a.b-c_1",
        seed=2**63 - 1,
        blinds="50/100/10",
        initialisation="uniform",
        parents_mean=0.1 + 0.2,
        mutation_deviation=1e-7,
        hof_unique=True,
    )
    assert parse_config(to_toml(config), source="", name="") == config


def test_an_empty_file_is_the_published_baseline_named_after_the_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("")
    assert load_config(file) == RunConfig(name="mine")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("popluation = 50", "unknown key 'popluation'; did you mean 'population'?"),
        ("xyzzy = 50", "unknown key 'xyzzy' (there are: name, seed, generations"),
        ("[run]\npopulation = 50", "unknown key 'run'"),
        ("population = ", "not valid TOML"),
        ("population = 1", "population must be a whole number of at least 2; got 1"),
        ("population = true", "population must be a whole number of at least 2; got True"),
        ("population = 10.0", "population must be a whole number of at least 2; got 10.0"),
        ("population = 50", "elites must not exceed the population (50); got 100"),
        ("hall_of_fame = 99", "hall_of_fame must be 0 (none) or have room for the elites (100)"),
        ("table_size = 11", "table_size must be a whole number in 2..10; got 11"),
        ("starting_stack = 0", "starting_stack must be a whole number of at least 1; got 0"),
        ("blinds = '10'", 'blinds must be "pokerstars", or fixed blinds as "SB/BB"'),
        ("blinds = '20/10'", "blinds '20/10': "),
        ("blinds = 10", "blinds must be"),
        ("inputs = 'raw'", "inputs must be 'features' or 'features_scaled'; got 'raw'"),
        ("inputs = ['features']", "inputs must be"),
        ("mutation_likelihood = 1.5", "mutation_likelihood must be a number in 0..1; got 1.5"),
        ("mutation_deviation = nan", "mutation_deviation must be a number of at least 0; got nan"),
        ("parents_mean = inf", "parents_mean must be a number of at least 0; got inf"),
        ("hof_unique = 1", "hof_unique must be true or false; got 1"),
        ("name = 'a/b'", "name must consist of letters"),
        ("seed = -1", "seed must be a whole number in 0..9223372036854775807; got -1"),
    ],
)
def test_a_bad_file_is_told_in_one_clear_line(tmp_path, text, message):
    file = tmp_path / "my.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"my\.toml") as caught:
        load_config(file)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"nowhere\.toml: cannot be read"):
        load_config(tmp_path / "nowhere.toml")


def test_an_unknown_preset_gets_the_nearest_name():
    with pytest.raises(ValueError, match="did you mean 'baseline'"):
        load_preset("basline")


def test_blinds_become_a_schedule():
    assert RunConfig().structure().blinds == BlindSchedule.pokerstars()
    assert RunConfig(blinds="50/100").structure().blinds == BlindSchedule.of((50, 100))
    assert RunConfig(blinds="50/100/10").structure().blinds == BlindSchedule.of((50, 100, 10))
