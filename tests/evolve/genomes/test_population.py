"""The genetic operators against the worked numbers of the published algorithm."""

import numpy as np
import pytest

import agents
import nlhe_env
from agents.match.workers.base import thread_workers
from agents.players.topographies import even, head_start
from evolve.genomes import Parents
from evolve.genomes.network_kind import first_weights
from evolve.genomes.operators import (
    choose_parents,
    choose_parents_by_chance,
    cross,
    mutate,
    parent_counts,
)
from evolve.genomes.topographies import Hills, Topographies, TopographyKind
from evolve.training.config_files import load_preset
from evolve.training.run import step_generation
from evolve.training.state import State

# Thesis tables 4.10 to 4.12: three agents with 2-2-1 networks, child of the first and third.
AGENTS = np.array(
    [
        [0.2, 0.1, -0.7, 0.5, 0.7, 0.2, -0.1, -0.3, 0.2],
        [0.4, -0.2, -0.3, 0.2, -0.5, 0.3, -0.2, 0.4, 0.7],
        [-0.1, 0.2, -0.2, -0.1, -0.2, 0.6, 0.8, -0.3, 0.5],
    ],
    np.float32,
)
CHILD = [0.05, 0.15, -0.45, 0.2, 0.25, 0.4, 0.35, -0.3, 0.35]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_crossover_gives_the_published_child():
    child = cross(AGENTS, np.array([[0, 2]]), np.array([[0.5, 0.5]]))
    np.testing.assert_allclose(child, [CHILD], atol=1e-6)


def test_crossover_divides_by_the_sum_of_the_shares():
    child = cross(AGENTS, np.array([[0, 2, 1]]), np.array([[3.0, 3.0, 0.0]]))
    np.testing.assert_allclose(child, [CHILD], atol=1e-6)


def test_parent_counts_have_the_published_distribution():
    n = 200_000
    counts = parent_counts(n, mean=1.5, most=100, rng=rng())
    shares = np.bincount(counts, minlength=11)[1:11] / n
    expected = [0.2835, 0.3487, 0.1790, 0.0919, 0.0472, 0.0242, 0.0124, 0.0064, 0.0033, 0.0017]
    np.testing.assert_allclose(shares, expected, atol=4 * 0.5 / np.sqrt(n))
    assert counts.mean() == pytest.approx(2.466, abs=0.02)


def test_the_number_of_parents_never_exceeds_the_elites():
    counts = parent_counts(1000, mean=1.5, most=3, rng=rng())
    assert set(counts) == {1, 2, 3}


def test_parents_of_a_child_are_different_and_all_equally_likely():
    parents = choose_parents(np.full(30_000, 3), 5, rng=rng())
    assert parents.shape == (30_000, 3)
    assert all(len(set(row)) == 3 for row in parents[:1000].tolist())
    shares = np.bincount(parents[:, 2], minlength=5) / len(parents)
    np.testing.assert_allclose(shares, 0.2, atol=0.012)


def test_mutation_changes_a_tenth_of_the_weights_by_a_tenth():
    networks = np.zeros((2000, 825))
    changes = mutate(networks, mutation_rate=0.1, deviation=0.1, rng=rng())
    changed = changes[changes != 0.0]
    assert np.count_nonzero(changes, axis=1).mean() == pytest.approx(82.5, abs=0.8)
    assert changed.mean() == pytest.approx(0.0, abs=0.001)
    assert changed.std() == pytest.approx(0.1, abs=0.001)
    assert not networks.any()


def test_random_parents_differ_and_come_in_proportion():
    chances = np.array([0.0, 1.0, 2.0, 5.0])
    counts = np.full(40_000, 2)
    parents = choose_parents_by_chance(counts, chances, rng=rng())
    assert (parents[:, 0] != parents[:, 1]).all()
    assert not (parents == 0).any()
    first = np.bincount(parents[:, 0], minlength=4) / len(parents)
    np.testing.assert_allclose(first, chances / 8, atol=0.012)
    # After 3 has been drawn, 1 and 2 share in proportion 1 to 2.
    second = parents[parents[:, 0] == 3, 1]
    np.testing.assert_allclose(np.mean(second == 2), 2 / 3, atol=0.015)


def test_initial_weights_have_the_published_distributions():
    normal = first_weights((500, 825), init="normal", rng=rng())
    uniform = first_weights((500, 825), init="uniform", rng=rng())
    assert normal.std() == pytest.approx(0.5, abs=0.003)
    assert normal.mean() == pytest.approx(0.0, abs=0.003)
    assert uniform.min() >= -1.0
    assert uniform.max() <= 1.0
    assert uniform.std() == pytest.approx(1 / np.sqrt(3), abs=0.003)


def test_all_weights_can_start_at_zero():
    assert not first_weights((3, 825), init="zeros", rng=rng()).any()


# --- topographies ---------------------------------------------------------------------------------


def evolve(threads, **values):
    """The champion of the last generation."""
    config = load_preset("old-best").with_values(**values)
    state = State.initial_state(config)
    with thread_workers(threads) as workers:
        while state.generation < config.generations:
            state, _ = step_generation(state, config, workers=workers)
    return state.champion.player(0, name="champion")


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


def test_invalid_values_are_refused():
    preset = load_preset("old-best")
    with pytest.raises(ValueError, match="init must be one of"):
        preset.with_values(init="nowhere")
    with pytest.raises(ValueError, match='"cma-es" needs genomes of numbers'):
        preset.with_values(optimizer="cma-es")
