"""Configurations: sections, presets, TOML files and their complaints."""

import re
import tomllib
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
from agents.match.workers.base import thread_workers
from evolve.optimizers import OPTIMIZERS, make_optimizer, optimizer_names
from evolve.optimizers.map_elites import MAPElites
from evolve.optimizers.settings import settings_of
from evolve.training.block_schedule import score_per_block
from evolve.training.comparison_players import known_field
from evolve.training.config import CHOICES, Config, TournamentSettings
from evolve.training.config_files import (
    ConfigDraft,
    all_presets,
    load_config,
    load_preset,
    parse_config,
    to_toml,
)
from evolve.training.folder import RunFolder
from evolve.training.run import train
from evolve.training.state import State
from nlhe_env import BlindSchedule, Game

CASH = Config().with_values(
    game="cash",
    optimizer="cma-es",
    opponents="pool",
    schedule="blocks",
    inputs="features_scaled",
    init="zeros",
    test_blocks=500,
)


@pytest.mark.parametrize("name", all_presets())
def test_every_preset_round_trips(name):
    config = load_preset(name)
    assert config.name.startswith(name)
    assert parse_config(to_toml(config), source="", name="") == config


# Section 17 of the build notes on the thesis: sub-populations, population, elites, hall of fame,
# fitness and its weight.
PUBLISHED = {
    "baseline": (1, 1000, 100, 0, "score", None),
    "hands-0": (1, 1000, 100, 0, "hands_won", 0.0),
    "hands-20": (1, 1000, 100, 0, "hands_won", 0.2),
    "hands-40": (1, 1000, 100, 0, "hands_won", 0.4),
    "hands-60": (1, 1000, 100, 0, "hands_won", 0.6),
    "hands-80": (1, 1000, 100, 0, "hands_won", 0.8),
    "hands-100": (1, 1000, 100, 0, "hands_won", 1.0),
    "mean-money": (1, 1000, 100, 0, "mean_money", None),
    "2-pop": (2, 1000, 100, 0, "score", None),
    "4-pop": (4, 1000, 100, 0, "score", None),
    "large-hof": (1, 1000, 100, 1000, "score", None),
    "small-hof": (1, 500, 50, 500, "score", None),
    "hof-2-pop": (2, 1000, 100, 1000, "score", None),
}


@pytest.mark.parametrize(("name", "values"), PUBLISHED.items())
def test_published_presets_have_the_published_values(name, values):
    subs, population, elites, hall, fitness, weight = values
    expected = Config().with_values(
        name=name,
        generations=500,
        tournaments=500,
        population=population,
        elites=elites,
        sub_populations=subs,
        hall_of_fame=hall,
        fitness={"kind": fitness} | ({} if weight is None else {"hands_won_weight": weight}),
        progress_champions=500,
        progress_tournaments=100_000 if hall else 10_000,
    )
    assert load_preset(name) == expected
    # What the documents print and the defaults must hold.
    printed = {
        "table_size": 10,
        "starting_stack": 1000,
        "blinds": "pokerstars",
        "hidden": (20,),
        "parents_mean": 1.5,
        "mutation_rate": 0.1,
        "mutation_std": 0.1,
        "init": "normal",
    }
    assert printed.items() <= expected.values().items()


@pytest.mark.parametrize("name", PUBLISHED)
def test_small_presets_have_the_same_proportions(name):
    large, small = load_preset(name).values(), load_preset(f"{name}-small").values()
    assert small["name"] == f"{name}-small"
    for key in ("population", "elites", "hall_of_fame"):
        assert small[key] == 0.12 * large[key]
    changed = {"name", "population", "elites", "hall_of_fame", "generations", "tournaments"}
    changed |= {"progress_champions", "progress_tournaments"}
    assert {k: v for k, v in small.items() if k not in changed} == {
        k: v for k, v in large.items() if k not in changed
    }
    assert (small["generations"], small["tournaments"]) == (250, 400)


@pytest.mark.parametrize("optimizer", optimizer_names())
def test_game_presets_build_their_optimizers(optimizer):
    config = load_preset("heads-up", optimizer)
    assert config == load_preset(f"heads-up-{optimizer}")
    candidates = State.initial_state(config).optimizer.ask()
    assert candidates.weights.shape == (config.optimizer.population, 825)


def test_the_published_field_has_nine_seats_for_eight_players():
    config = load_preset("published-field")
    assert config.opponents.named == known_field()
    assert config.game.table_size == 9
    assert config.values()["optimizer"] == "cma-es"


def test_a_file_may_extend_a_preset_and_scale_it(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('extends = "hof-2-pop"\nscale = 0.1\nelites = 20\n')
    config = load_config(file)
    assert (config.name, config.optimizer.sub_populations) == ("mine", 2)
    assert (config.optimizer.population, config.optimizer.elites) == (100, 20)
    assert config.opponents.hall_of_fame == 100


def test_a_file_extends_a_preset_with_another_optimizer(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('extends = "heads-up"\noptimizer = "genetic"\nelites = 3\n')
    expected = load_preset("heads-up-genetic").with_values(elites=3, name="mine")
    assert load_config(file) == expected


def test_a_file_may_have_sections():
    text = """
        generations = 3
        [optimizer]
        kind = "openai-es"
        population = 10
        [opponents]
        kind = "pool"
        named = ["caller", "raiser"]
        [schedule]
        kind = "blocks"
        [game]
        kind = "cash"
    """
    flat = """
        generations = 3
        optimizer = "openai-es"
        population = 10
        opponents = "pool"
        named = ["caller", "raiser"]
        schedule = "blocks"
        game = "cash"
        progress_tournaments = 1000
    """
    config = parse_config(text, source="", name="a")
    assert config == parse_config(flat, source="", name="a")
    assert config.opponents.named == ("caller", "raiser")
    assert config.schedule.blocks == 100


def test_scaling_keeps_sub_populations_equal():
    scaled = Config().with_values(sub_populations=4, hall_of_fame=1000).scaled(0.1)
    assert (scaled.optimizer.population, scaled.optimizer.elites) == (100, 8)
    assert scaled.opponents.hall_of_fame == 100
    assert Config().scaled(0.003).optimizer.elites == 1


def test_every_value_round_trips():
    config = Config().with_values(
        name="a.b-c_1",
        seed=2**63 - 1,
        blinds="50/100/10",
        init="uniform",
        parents_mean=0.1 + 0.2,
        mutation_std=1e-7,
        mutate_copies=False,
        hidden=(30, 10),
        fitness="sharing",
    )
    assert parse_config(to_toml(config), source="", name="") == config


def test_an_empty_file_is_the_published_baseline_named_after_the_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("")
    assert load_config(file) == Config(name="mine")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("popluation = 50", "unknown key 'popluation'; did you mean 'population'?"),
        ("xyzzy = 50", "unknown key 'xyzzy'; nlhe presets PRESET shows the keys"),
        ("[run]\npopulation = 50", "unknown key 'run'"),
        ("[optimizer]\npopluation = 50", "[optimizer] has no key 'popluation'; did you mean"),
        ("blocks = 3", "blocks is a key of schedule 'blocks'"),
        ("sigma = 0.1", "sigma is a key of optimizer 'genetic' or"),
        ("optimizer = 'adam'", "optimizer 'adam' does not exist"),
        ("optimizer = 'cma-es'\nbrood_size = 2", "brood_size is a key of optimizer 'elitist'"),
        ("[optimizer]\nkind='cma-es'\n[variation]\nparents_mean=1", "[variation] has no key"),
        ("[schedule]\nkind = 'blocks'", 'opponents "hall" are ranked with the candidates'),
        ("[game]\nkind = 'cash'", 'schedule "tournaments" needs game "tournament"'),
        ("population = ", "not valid TOML"),
        ("a" + ".a" * 9 + " = 1", "not valid TOML: a key has too many parts"),
        ("population = 1", "population must be at least 2; got 1"),
        ("population = true", "population must be a whole number at least 2; got True"),
        ("population = 10.0", "population must be a whole number at least 2; got 10.0"),
        ("population = 50", "elites must not exceed the population (50); got 100"),
        ("sub_populations = 3", "population must be a multiple of sub_populations (3), which"),
        ("sub_populations = 50\nelites = 75", "elites must be a multiple of sub_populations (50)"),
        (
            "sub_populations = 2\nhall_of_fame = 101",
            "hall_of_fame must be a multiple of sub_populations (2), which share it equally; got",
        ),
        ("extends = 'basline'", "preset 'basline' does not exist; did you mean 'baseline'?"),
        ("scale = 0", "scale must be a finite number above 0; got 0"),
        ("scale = 'half'", "scale must be a finite number above 0; got 'half'"),
        ("extends = ['a']", "extends must be the name of a preset; got ['a']"),
        ("fitness = 'wins'", "fitness 'wins' does not exist (there are: score, normalised, "),
        ("fitness = 'hands_won'\nhands_won_weight = 1.5", "hands_won_weight must be a finite"),
        ("hidden = []", "hidden must be the units of one to four hidden layers"),
        ("hidden = [20, 0]", "hidden must be the units of one to four hidden layers"),
        ("hidden = [9, 9, 9, 9, 9]", "hidden must be the units of one to four hidden layers"),
        ("hidden = 20", "hidden must be the units of one to four hidden layers"),
        ("hidden = [1000000]", "a network may have at most 1,000,000 weights"),
        ("hall_parents = 0.5", "hall_parents needs a hall of fame; got hall_parents = 0.5 and"),
        ("rollback = 3", "rollback needs a hall of fame; got rollback = 3 and hall_of_fame = 0"),
        ("champion_step = 0.5", "champion_step below 1 needs one elite in each sub-population"),
        ("champion_step = 0", "champion_step must be above 0"),
        ("phantom = 1", "phantom must be true or false; got 1"),
        ("parents_by = 'best'", 'parents_by must be one of "elites", "rank", "novelty"'),
        ("phantom = true\nparents_by = 'rank'", "both select parents"),
        ("elite_memory = 1", "elite_memory must be true or false; got 1"),
        ("champion_step = 0.5\nelites = 1\nelite_memory = true", "champion_step must be 1; got"),
        ("brood_size = 0", "brood_size must be at least 1; got 0"),
        ("hall_of_fame = 99", "hall_of_fame must be 0 (none) or have room for the elites (100)"),
        ("table_size = 11", "table_size must be in 2 .. 10; got 11"),
        ("starting_stack = 0", "starting_stack must be at least 1; got 0"),
        ("blinds = '10'", 'blinds must be "pokerstars", or fixed blinds as "SB/BB"'),
        ("blinds = '20/10'", "blinds '20/10': "),
        ("blinds = 10", "blinds must be"),
        ("inputs = 'raw'", 'inputs must be one of "features"'),
        ("inputs = ['features']", "inputs must be"),
        ("mutation_rate = 1.5", "mutation_rate must be a finite number in 0 .. 1"),
        ("mutation_std = nan", "mutation_std must be a finite number"),
        ("mutation_std = 1e38", "mutation_std must be a finite number"),
        ("parents_mean = inf", "parents_mean must be a finite number of at least 0; got inf"),
        ("mutate_copies = 1", "mutate_copies must be true or false; got 1"),
        ("name = 'a/b'", "name must consist of letters"),
        ("seed = -1", "seed must be in 0 .. 9223372036854775807; got -1"),
        ("generations = 0", "hands or generations must be above 0"),
        ("seats = 4", "my.toml: unknown key 'seats'"),
        ("initialisation = 'zeros'", "my.toml: unknown key 'initialisation'"),
        ("fitness = 'place'", "my.toml: fitness 'place' does not exist"),
        ("extends = 3", "extends must be the name of a preset; got 3"),
        ("extends = 'heads-up'\noptimizer = 3", "optimizer must be a name, or a table"),
        ("extends = 'heads-up'\n[optimizer]\nkind = 3", "one as its kind; got 3"),
        ("extends = 'heads-up'\n[optimizer]\nkind = 'adam'", "optimizer 'adam' does not exist"),
        (
            "extends = 'heads-up'\noptimizer = 'elitist'",
            "preset 'heads-up' is for numeric optimizers",
        ),
        ("init = 3", "init must be a named initialisation, or the name or file of a player; got 3"),
        ("genomes = {kind = 'ashe', init = 3}", "init must be a named initialisation"),
        ("opponents = 'pool'\nnamed = 3", "named must be a list of names; got 3"),
        ("opponents = 'pool'\nnamed = {caller = 1}", "named must be a list of names; got {"),
        ("opponents = 'pool'\nnamed = [1]", "named must be a list of names; got (1,)"),
        ("test_blocks = ''", "test_blocks must be a whole number at least 0; got ''"),
        ("test_blocks = []", "test_blocks must be a whole number at least 0; got"),
        ("blinds = []", "blinds must be"),
        ("blinds = 0", "blinds must be"),
        ("test_players = true", "test_players must be a list of names; got True"),
        ("optimizer = 'genetic'\nsigma = 'x'", "sigma must be a finite number; got 'x'"),
        ("optimizer = 'genetic'\nsigma = true", "sigma must be a finite number; got True"),
        ("optimizer = 'genetic'\nelites = 'x'", "elites must be a whole number; got 'x'"),
        ("optimizer = 'genetic'\nelites = 1.5", "elites must be a whole number; got 1.5"),
        ("optimizer = 'genetic'\nelites = true", "elites must be a whole number; got True"),
        ("optimizer = 'genetic'\nnovelty = 1", "novelty must be true or false; got 1"),
        ("mutate_copies = 'x'", "mutate_copies must be true or false; got 'x'"),
        ("optimizer = 'map-elites'\ncells = 3", "cells must be a list; got 3"),
        ("optimizer = 'map-elites'\ncells = 'ab'", "cells must be a list; got 'ab'"),
        ("optimizer = 'map-elites'\ncells = [3, 1.5]", "every one of cells must be a whole number"),
        ("optimizer = 'map-elites'\ntrials = 1.5", "trials must be a whole number; got 1.5"),
        ("optimizer = 'tiered'\nturns = 3", "turns must be a list; got 3"),
        ("optimizer = 'openai-es'\nlearning_rate = 'x'", "learning_rate must be a finite number"),
    ],
)
def test_a_bad_file_gives_a_one_line_error(tmp_path, text, message):
    file = tmp_path / "my.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"my\.toml: ") as caught:
        load_config(file)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"learning_rate": 0.1}, "learning_rate is a key of optimizer 'openai-es'"),
        ({"named": ("nobody",)}, "nobody"),
        ({"named": "caller"}, "named must be a list of names; got 'caller'"),
        ({"named": ("caller", "caller")}, "named must not name a player twice"),
        ({"named": ()}, "named must not be empty if named_share is above 0"),
        ({"named": (), "named_share": 0, "pool_share": 1}, "test_players must not be empty"),
        ({"named_share": 0}, "shares must not be negative, or all 0"),
        ({"racing_rounds": 1, "optimizer": "openai-es"}, "racing_rounds must be 0 with optimizer"),
        ({"init": "middle"}, "init must be normal, uniform, zeros or a network: "),
        ({"init": "caller"}, "init must be a network with inputs 'features_scaled'"),
        ({"blinds": "pokerstars"}, "blinds of a cash game must not change"),
        ({"blocks": 1}, "blocks must be at least 2"),
        ({"phantom": True}, 'schedule "blocks" needs fitness "score" without phantom'),
        ({"priority": "easy"}, "priority must be one of"),
        ({"pool_capacity": 0}, "capacity must be at least 1"),
    ],
)
def test_invalid_values_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        CASH.with_values(**values)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"nowhere\.toml cannot be read"):
        load_config(tmp_path / "nowhere.toml")


def test_blinds_become_a_schedule():
    def blinds(text):
        return Config().with_values(blinds=text).make_game().blinds

    assert blinds("pokerstars") == BlindSchedule.pokerstars()
    assert blinds("50/100") == BlindSchedule.of((50, 100))
    assert blinds("50/100/10") == BlindSchedule.of((50, 100, 10))


def test_scores_are_big_blinds_in_100_hands_or_places():
    config = CASH.with_values(table_size=3, num_hands=10, blinds="50/100")
    # A block has 3 sessions of 10 hands: 6000 chips are 60 big blinds in 30 hands.
    assert score_per_block(config.make_game()) * 6000 == pytest.approx(200.0)
    assert score_per_block(CASH.with_values(game="tournament").make_game()) == 1.0


def test_training_starts_from_the_configured_player(tmp_path):
    assert not CASH.genomes.first_numbers(1).any()
    normal = CASH.with_values(init="normal").genomes
    assert normal.first_numbers(1).std() == pytest.approx(0.5, rel=0.1)
    path = tmp_path / "mine.npz"
    weights = np.arange(825, dtype=np.float32)
    agents.save_player(path, agents.NetworkPlayer(weights, inputs="features_scaled"))
    mine = CASH.with_values(init=str(path))
    np.testing.assert_array_equal(mine.genomes.first_numbers(1), weights)
    # Optimizers that breed begin with the player and its children.
    bred = Config().with_values(inputs="features_scaled", init=str(path), population=5, elites=1)
    first = State.initial_state(bred).optimizer.ask().weights
    np.testing.assert_array_equal(first[0], weights)
    assert 0 < (first[1:] != weights).mean() < 0.2


@pytest.mark.parametrize("config", [CASH, Config(), load_preset("ashe-1.0-smoke")])
def test_a_missing_initial_player_is_reported_only_at_start(tmp_path, monkeypatch, config):
    monkeypatch.chdir(tmp_path)
    config = config.with_values(init="gone\x7f.npz")  # TOML needs an escape
    assert config.genomes.init == str(tmp_path / "gone\x7f.npz")  # the same from any other folder
    assert parse_config(to_toml(config), source="", name="").genomes == config.genomes
    with pytest.raises(ValueError, match=r"init must be .* there is no player file"):
        State.initial_state(config)


def test_opponent_files_resolve_the_same_from_any_folder(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    weights = np.zeros(825, dtype=np.float32)
    rival = agents.NetworkPlayer(weights, inputs="features")
    agents.save_player(tmp_path / "mine/rival.npz", rival)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "caller").write_text("no player")  # a player of this name exists
    config = CASH.with_values(named=("mine/rival.npz", "caller"), test_players=("mine/rival.npz",))
    monkeypatch.chdir("mine")
    assert parse_config(to_toml(config), source="", name="").opponents == config.opponents
    whole = str(tmp_path / "mine/rival.npz")
    assert config.opponents.named == (whole, "caller")
    assert config.test.test_players == (whole,)
    with pytest.raises(ValueError, match="named must not name a player twice"):
        CASH.with_values(named=("rival.npz", whole))


@pytest.mark.parametrize(
    ("section", "kind", "key", "constant", "other"),
    [
        ("optimizer", "neat", "survival", "0.2", "0.5"),
        ("optimizer", "map-elites", "lowest", "[0.0, 0.0]", "[0.1, 0.0]"),
        ("optimizer", "tiered", "mutation_rate", "0.25", "0.1"),
        ("opponents", "pool", "priority_power", "2.0", "3.0"),
        ("genomes", "ashe", "game_cell", "10", "5"),
    ],
)
def test_what_is_constant_now_can_be_read_from_an_old_run(section, kind, key, constant, other):
    start = 'game = "cash"\nschedule = "blocks"\nopponents = "pool"\n'
    start = "\n".join(line for line in start.splitlines() if not line.startswith(section))
    start += '\ngenomes = "neat"\n' if kind == "neat" else "\n"
    start += "progress_tournaments = 0\n"
    text = f'{start}[{section}]\nkind = "{kind}"\n'
    expected = parse_config(text, source="old.toml", name="old")
    read = parse_config(f"{text}{key} = {constant}\n", source="old.toml", name="old")
    assert read == expected
    with pytest.raises(ValueError, match=rf"{key} is always .*; got .*which only nlhe-env 1\.0\.0"):
        parse_config(f"{text}{key} = {other}\n", source="old.toml", name="old")


def test_an_optimizer_brings_its_partners_unless_others_are_named():
    config = Config().with_values(optimizer="symbiosis")
    kinds = {name: config.kind(name) for name in ("genomes", "opponents", "schedule", "game")}
    assert list(kinds.values()) == ["limit-teams", "points", "matches", "cash"]
    assert config.with_values(optimizer="symbiosis", num_hands=2).game.num_hands == 2
    assert Config().with_values(optimizer="neat").kind("genomes") == "neat"
    with pytest.raises(ValueError, match='optimizer "symbiosis" needs genomes "limit-teams"; got'):
        Config().with_values(optimizer="symbiosis", genomes="teams")
    with pytest.raises(ValueError, match='schedule "matches" needs optimizer "symbiosis"; got'):
        Config().with_values(schedule="matches")


@pytest.mark.parametrize("preset", ["quick", "heads-up"])
def test_the_game_of_a_run_is_made_once(preset, monkeypatch):
    config = load_preset(preset)
    monkeypatch.setattr(Game, "__post_init__", lambda game: pytest.fail("a second game"))
    for one in (config, replace(config, name="other")):
        assert one.make_game() == config.make_game()
        assert one.compared_in.make() == config.compared_in.make()


def test_tournaments_with_fixed_blinds_end_though_all_fold():
    assert TournamentSettings().make().num_hands is None  # the blinds rise
    game = TournamentSettings(blinds="50/100", starting_stack=200_000).make()
    played = agents.play(["folder"] * 3, agents.Tournaments(1), game, seed=1)
    assert sorted(played.scores) == [1, 2, 3]


# --- wrong types ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "preset"), [("", "heads-up"), ('kind = "genetic"\n', "heads-up-genetic")]
)
def test_a_file_extends_a_game_with_a_table_of_its_optimizer(kind, preset):
    text = f'extends = "heads-up"\n[optimizer]\n{kind}population = 8\n'
    config = parse_config(text, source="", name="mine")
    assert config == load_preset(preset).with_values(population=8, name="mine")


def test_a_file_extends_an_experiment_with_another_optimizer_and_its_values():
    text = """
        extends = "large-hof"
        opponents = "pool"
        game = "cash"
        schedule = "blocks"
        optimizer = "cma-es"
    """
    values = parse_config(text, source="", name="mine").values()
    assert (values["optimizer"], values["opponents"]) == ("cma-es", "pool")


def test_numbers_of_numpy_and_whole_numbers_for_numbers_are_accepted():
    made = OPTIMIZERS["genetic"](population=8, sigma=1, elites=np.int64(2), parents_mean=2)
    assert (made.sigma, made.elites) == (1, 2)
    grid = OPTIMIZERS["map-elites"](population=8, cells=[5, 4], trials=2)
    assert grid.cells == (5, 4)
    assert OPTIMIZERS["mutation"](population=8, elites=None).elites is None


@pytest.mark.parametrize(
    ("values", "message"),
    [({"trials": 1.5}, "trials must be a whole number"), ({"cells": 3}, "cells must be a list")],
)
def test_types_can_be_checked_without_the_rest(values, message):
    with pytest.raises(ValueError, match=message):
        settings_of(MAPElites).check_types(values)
    with pytest.raises(ValueError, match=message):
        make_optimizer("map-elites", np.zeros(3), population=8, sigma=0.5, seed=1, **values)


# --- combinations of kinds ------------------------------------------------------------------------


ALL = [dict(zip(CHOICES, kinds, strict=True)) for kinds in product(*CHOICES.values())]
CLASS_NAME = re.compile(r"\b[A-Z][a-z]+[A-Z]\w*|\w+(Kind|Settings|Genomes|Schedule)\b")

SMALL: dict[str, dict[str, Any]] = {
    "networks": {"hidden": (3,)},
    "argmax-networks": {"hidden": (3,)},
    "pot-sized-networks": {"hidden": (3,)},
    "ashe": {"game_blocks": 1, "opponent_cell": 2, "decision_units": 2},
    "ashe-2": {
        "estimator_blocks": 1,
        "estimator_cell": 2,
        "tree_nodes": 64,
        "progress_tournaments": 0,
    },
    "limit-teams": {"betting": "fixed-limit", "progress_tournaments": 0},
    "elitist": {"elites": 2},
    "symbiosis": {"bid_sample": 20},
    "points": {"points": 54},
    "tournaments": {"tournaments": 2},
    "blocks": {"blocks": 2},
    "tables": {"rounds": 2},
    "matches": {
        "blinds": "5/10",
        "starting_stack": 1000,
        "validation_points": 36,
        "champion_points": 36,
        "validate_every": 9,
    },
    "cash": {"num_hands": 2},
}
"""Values of a tiny run for a kind, with which its players also support the game."""


@cache
def start(game: str, genomes: str) -> ConfigDraft:
    """A tiny game of a kind, which the players of these genomes support."""
    values = SMALL.get(game, {}) | SMALL.get(genomes, {})
    return ConfigDraft().with_values(
        game=game, genomes=genomes, table_size=2, generations=1, **values
    )


def draft(kinds: dict[str, str]) -> ConfigDraft:
    """A tiny run of these kinds."""
    parts = [kinds[name] for name in ("optimizer", "opponents", "schedule", "fitness")]
    values = {key: value for kind in parts for key, value in SMALL.get(kind, {}).items()}
    if kinds["opponents"] == "self-play" and kinds["schedule"] == "blocks":
        values["card_sensitivity_gate"] = 0.0
    return start(kinds["game"], kinds["genomes"]).with_values(**kinds, population=4, **values)


def accepted(config: ConfigDraft, refusals: list[str]) -> Config | None:
    """The finished configuration, or None and the reason among the refusals."""
    try:
        return config.checked()
    except ValueError as error:
        refusals.append(str(error))
        return None


@cache
def tiny_runs() -> tuple[list[tuple[dict[str, str], Config]], list[str]]:
    """The accepted combinations, each as a tiny run, and why the others are refused."""
    refusals: list[str] = []
    configs = [(kinds, accepted(draft(kinds), refusals)) for kinds in ALL]
    return [(kinds, config) for kinds, config in configs if config], refusals


@pytest.mark.slow
def test_every_combination_is_accepted_for_good_or_refused_in_the_words_of_options() -> None:
    usual = ConfigDraft()
    works, found = tiny_runs()
    refusals = [*found]
    for kinds in ALL:
        accepted(usual.with_values(**kinds), refusals)
    for _, config in works:
        State.initial_state(config)
    assert len(ALL) == 17_280
    assert len(works) > 500
    assert not [reason for reason in set(refusals) if CLASS_NAME.search(reason)]


def pairs(kinds: dict[str, str]) -> set[frozenset[tuple[str, str]]]:
    """All pairs of kinds in a combination, with their sections."""
    return set(map(frozenset, combinations(kinds.items(), 2)))


@pytest.mark.slow
def test_every_accepted_pair_of_kinds_trains_a_generation(tmp_path: Path) -> None:
    working = {i: (pairs(kinds), config) for i, (kinds, config) in enumerate(tiny_runs()[0])}
    missing = set().union(*(found for found, _ in working.values()))
    with thread_workers(2) as workers:
        while missing:
            best = max(working, key=lambda i: len(working[i][0] & missing))
            found, config = working.pop(best)
            missing -= found
            folder = RunFolder.create(tmp_path, config)
            state = train(folder, config, State.initial_state(config), workers=workers)
            assert state.generation == 1
            assert len(state.champion) == 1
            assert len(folder.champions()) == 1


# --- hostile values -------------------------------------------------------------------------------


VALUES = (
    *("1" + "0" * 400, "9" * 5000, "9223372036854775808", "-1", "0", "1.5", "1e308", "inf", "nan"),
    *('"x"', '"12"', '""', "[]", "true", "{a = 1}", "[[1]]", "2024-01-01", "[" * 3000),
)


def places() -> list[str]:
    """Every key of a configuration, as the beginning of a text."""
    found = ["scale = ", "extends = ", 'extends = "quick"\nscale = ']
    for key, value in tomllib.loads(to_toml(Config())).items():
        found.append(f"{key} = ")
        found += [f"[{key}]\n{field} = " for field in value] if isinstance(value, dict) else []
    return found


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value[:12])
def test_hostile_values_are_refused_or_read(value):
    for place in places():
        refusal = refusal_of(f"{place}{value}\n")
        assert refusal is None or "shared.toml" in refusal


def refusal_of(text):
    try:
        parse_config(text, source="shared.toml", name="x")
    except ValueError as error:
        return str(error)
    return None


def test_there_are_places():
    assert len(places()) > 60


@pytest.mark.parametrize("name", ["metrics.jsonl", "champion.npz", "timings.jsonl"])
def test_a_run_with_a_link_is_not_resumed_and_its_target_stays(tmp_path, name):
    config = Config()
    folder, precious = RunFolder.create(tmp_path, config), tmp_path / "precious"
    precious.write_text("kept")
    (folder.path / name).symlink_to(precious)
    with pytest.raises(ValueError, match=f"{name} is a symbolic link"):
        folder.restore(config, say=print)
    assert precious.read_text() == "kept"
