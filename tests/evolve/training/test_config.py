"""Configurations: presets, TOML files and their complaints."""

from __future__ import annotations

import pytest

from evolve.training.config import RunConfig
from evolve.training.config_files import (
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


# Section 17 of the build notes on the thesis: sub-populations, population, elites, hall of fame,
# fitness and its weight.
PUBLISHED = {
    "baseline": (1, 1000, 100, 0, "place", 0.5),
    "hands-0": (1, 1000, 100, 0, "hands_won", 0.0),
    "hands-20": (1, 1000, 100, 0, "hands_won", 0.2),
    "hands-40": (1, 1000, 100, 0, "hands_won", 0.4),
    "hands-60": (1, 1000, 100, 0, "hands_won", 0.6),
    "hands-80": (1, 1000, 100, 0, "hands_won", 0.8),
    "hands-100": (1, 1000, 100, 0, "hands_won", 1.0),
    "mean-money": (1, 1000, 100, 0, "mean_money", 0.5),
    "2-pop": (2, 1000, 100, 0, "place", 0.5),
    "4-pop": (4, 1000, 100, 0, "place", 0.5),
    "large-hof": (1, 1000, 100, 1000, "place", 0.5),
    "small-hof": (1, 500, 50, 500, "place", 0.5),
    "hof-2-pop": (2, 1000, 100, 1000, "place", 0.5),
}


@pytest.mark.parametrize(("name", "values"), PUBLISHED.items())
def test_published_presets_have_the_published_values(name, values):
    config = load_preset(name)
    subs, population, elites, hall, fitness, weight = values
    assert config == RunConfig(
        name=name,
        generations=500,
        tournaments=500,
        population=population,
        elites=elites,
        sub_populations=subs,
        hall_of_fame=hall,
        fitness=fitness,
        hands_won_weight=weight,
        progress_champions=500,
        progress_tournaments=100_000 if hall else 10_000,
    )


@pytest.mark.parametrize("name", PUBLISHED)
def test_small_presets_have_the_same_proportions(name):
    large, small = load_preset(name), load_preset(f"{name}-small")
    assert small.name == f"{name}-small"
    for key in ("population", "elites", "hall_of_fame"):
        assert getattr(small, key) == 0.12 * getattr(large, key)
    same = ("fitness", "hands_won_weight", "sub_populations", "inputs", "mutation_deviation")
    assert all(getattr(small, key) == getattr(large, key) for key in same)
    assert (small.generations, small.tournaments) == (250, 400)


def test_a_file_may_extend_a_preset_and_scale_it(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('extends = "hof-2-pop"\nscale = 0.1\nelites = 20\n')
    config = load_config(file)
    assert (config.name, config.sub_populations) == ("mine", 2)
    assert (config.population, config.elites, config.hall_of_fame) == (100, 20, 100)


def test_scaling_keeps_sub_populations_equal():
    scaled = RunConfig(sub_populations=4, hall_of_fame=1000).scaled(0.1)
    assert (scaled.population, scaled.elites, scaled.hall_of_fame) == (100, 8, 100)
    assert RunConfig().scaled(0.003).elites == 1


def test_every_value_survives_writing():
    config = RunConfig(
        name="a.b-c_1",
        seed=2**63 - 1,
        blinds="50/100/10",
        initialisation="uniform",
        parents_mean=0.1 + 0.2,
        mutation_deviation=1e-7,
        hof_unique=True,
        hidden=(30, 10),
        fitness="sharing",
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
        (
            "sub_populations = 3",
            "population must be a multiple of sub_populations (3), which",
        ),
        ("sub_populations = 50\nelites = 75", "elites must be a multiple of sub_populations (50)"),
        (
            "sub_populations = 2\nhall_of_fame = 101",
            "hall_of_fame must be a multiple of sub_populations (2), which share it equally; got",
        ),
        ("extends = 'basline'", "preset 'basline' does not exist; did you mean 'baseline'?"),
        ("scale = 0", "scale must be a number above 0; got 0"),
        ("scale = 'half'", "scale must be a number above 0; got 'half'"),
        ("extends = ['a']", "preset ['a'] does not exist"),
        ("fitness = 'wins'", "fitness must be 'place' or 'hands_won' or"),
        ("hands_won_weight = 1.5", "hands_won_weight must be a number in 0..1; got 1.5"),
        ("hidden = []", "hidden must be the units of one to four hidden layers"),
        ("hidden = [20, 0]", "hidden must be the units of one to four hidden layers"),
        ("hidden = [9, 9, 9, 9, 9]", "hidden must be the units of one to four hidden layers"),
        ("hidden = 20", "hidden must be the units of one to four hidden layers"),
        ("hall_parents = 0.5", "hall_parents needs a hall of fame; got hall_parents = 0.5 and"),
        ("rollback = 3", "rollback needs a hall of fame; got rollback = 3 and hall_of_fame = 0"),
        ("champion_step = 0.5", "champion_step below 1 needs one elite in each sub-population"),
        ("champion_step = 0", "champion_step must be above 0"),
        ("phantom = 1", "phantom must be true or false; got 1"),
        ("brood = 0", "brood must be a whole number of at least 1; got 0"),
        ("hall_of_fame = 99", "hall_of_fame must be 0 (none) or have room for the elites (100)"),
        ("table_size = 11", "table_size must be a whole number in 2..10; got 11"),
        ("starting_stack = 0", "starting_stack must be a whole number of at least 1; got 0"),
        ("blinds = '10'", 'blinds must be "pokerstars", or fixed blinds as "SB/BB"'),
        ("blinds = '20/10'", "blinds '20/10': "),
        ("blinds = 10", "blinds must be"),
        ("inputs = 'raw'", "inputs must be 'features' or 'features_scaled' or"),
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
    assert RunConfig().make_game().blinds == BlindSchedule.pokerstars()
    assert RunConfig(blinds="50/100").make_game().blinds == BlindSchedule.of((50, 100))
    assert RunConfig(blinds="50/100/10").make_game().blinds == BlindSchedule.of((50, 100, 10))
