"""Optimizers in tables of files, and values of a wrong type: one clear line, never a traceback."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.optimizers import OPTIMIZERS, make_optimizer
from evolve.optimizers.map_elites import MAPElites
from evolve.optimizers.settings import settings_of
from evolve.training.config_files import load_preset, parse_config


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
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
def test_wrong_types_give_a_one_line_error(text, message):
    with pytest.raises(ValueError, match=r"^my\.toml: ") as caught:
        parse_config(text, source="my.toml", name="my")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


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
