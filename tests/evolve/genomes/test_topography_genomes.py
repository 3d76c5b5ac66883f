"""Topographies as genomes: how they are evolved."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env
from agents.match.workers.base import Workers, thread_workers
from agents.players.topographies import even, head_start
from evolve.genomes import Parents
from evolve.genomes.topographies import Hills, Topographies, TopographyKind
from evolve.training.config_files import load_preset
from evolve.training.folder import RunFolder
from evolve.training.run import step_generation, train
from evolve.training.state import State


def evolve(threads, **values):
    """The champion of the last generation."""
    config = load_preset("old-best").with_values(**values)
    state = State.initial_state(config)
    with thread_workers(threads) as workers:
        while state.generation < config.generations:
            state, _ = step_generation(state, config, workers=workers)
    return state.champion.player(0, name="champion")


SMALL_RUN = {"generations": 4, "population": 20, "elites": 4, "tournaments": 12}


def test_evolution_does_not_depend_on_threads_or_chunks(monkeypatch):
    first = evolve(1, **SMALL_RUN)
    monkeypatch.setattr(Workers, "target_s", 1e-9)
    second = evolve(3, **SMALL_RUN)
    np.testing.assert_array_equal(first.weights, second.weights)
    assert (evolve(2, seed=2, **SMALL_RUN).weights != first.weights).any()


def test_evolution_from_scratch_moves_away_from_its_start():
    evolved = evolve(2, init="scratch", generations=12, population=40, elites=4, tournaments=30)
    start = agents.TopographyPlayer(even(), name="start")
    batch = agents.pack_players([evolved] * 3 + [start] * 3)
    tally = agents.play(batch, agents.Blocks(100), nlhe_env.Game.tournament(), seed=1)
    difference, error = tally.difference(0, 3)  # places: less is better
    assert difference < -3.0 * error


def test_children_have_one_parent_and_added_hills():
    elites = Topographies(np.stack([head_start(), even()]))
    parents = Parents(elites, most=2)
    children = Hills().children(parents, 28, rng=np.random.default_rng(5)).rows
    assert children.shape == (28, 20, 20, 5)
    distances = np.abs(children[:, np.newaxis] - elites.rows).mean(axis=(2, 3, 4))
    assert (distances.min(axis=1) > 0).all()
    assert distances.min(axis=1).max() < 0.15  # near one parent: no crossover
    assert set(distances.argmin(axis=1)) == {0, 1}


def test_parents_are_sampled_and_may_come_from_the_hall():
    elites = Topographies(np.stack([head_start(), even()]))
    rng = np.random.default_rng(6)
    never = Parents(elites, most=2, chances=np.array([0.0, 3.0]))
    assert all(never.draw_one(rng).key(0) == elites.key(1) for _ in range(20))
    hall = Parents(elites[:1], most=1, hall=elites[1:], hall_chance=0.5)
    drawn = [hall.draw_one(rng).key(0) for _ in range(200)]
    assert 60 < drawn.count(elites.key(1)) < 140


def test_the_first_generation_is_the_start_and_its_children():
    first = TopographyKind(init="scratch").first(6, Hills(), rng=np.random.default_rng(7)).rows
    np.testing.assert_array_equal(first[0], even())
    assert (np.abs(first[1:] - even()).mean(axis=(1, 2, 3)) > 0).all()


def test_a_run_of_topographies_resumes_to_the_same_player(tmp_path):
    config = load_preset("old-scratch").with_values(**SMALL_RUN, hall_of_fame=4)
    whole, parts = (RunFolder.create(tmp_path / name, config) for name in ("whole", "parts"))
    with thread_workers(2) as workers:
        train(whole, config, whole.restore(config, say=print), workers=workers)
        for generations in (2, 4):
            some = config.with_values(generations=generations)
            train(parts, some, parts.restore(some, say=print), workers=workers)
    assert isinstance(whole.champion(), agents.TopographyPlayer)
    np.testing.assert_array_equal(whole.champion().weights, parts.champion().weights)
    for name in ("metrics.jsonl", "champions.npz", "hall_of_fame.npz"):
        assert (whole.path / name).read_bytes() == (parts.path / name).read_bytes()


def test_invalid_values_are_refused():
    preset = load_preset("old-best")
    with pytest.raises(ValueError, match="init must be one of"):
        preset.with_values(init="nowhere")
    with pytest.raises(ValueError, match='"cma-es" needs genomes of numbers'):
        preset.with_values(optimizer="cma-es")
