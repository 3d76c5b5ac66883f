"""Novelty as a second objective of the genetic optimizers."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolve.optimizers import make_optimizer
from evolve.optimizers.novelty import NEIGHBOURS, novelty, nsga2_rank, update_novelty_archive
from evolve.training.config_files import load_preset
from evolve.training.state import State

both_optimizers = pytest.mark.parametrize("name", ["genetic", "mutation"])


def optimizer_of(name, *, seed=1, population=40, with_novelty=True, **options):
    if name == "genetic":
        options = {"mutation_rate": 1.0} | options
    init = np.zeros(2)
    return make_optimizer(
        name,
        init,
        population=population,
        sigma=0.3,
        seed=seed,
        initial_sigma=0.3,
        novelty=with_novelty,
        **options,
    )


def deceptive(candidates):
    """A hill of height 1 around the start; paths to the summit of 3, at (3, 0), lead down it."""
    x, y = candidates.astype(np.float64).T
    return np.maximum(1.0 - np.hypot(x, y) / 4.0, 3.0 - 2.0 * np.hypot(x - 3.0, y))


def place(candidates):
    return candidates[:, :2].astype(np.float64) / 10.0


def run(optimizer, generations, fitness=deceptive):
    asked = []
    for _ in range(generations):
        asked.append(optimizer.ask())
        optimizer.tell(fitness(asked[-1]), place(asked[-1]))
    return asked


def spread(asked):
    return np.mean([place(candidates).std(axis=0).mean() for candidates in asked])


@pytest.mark.slow
@both_optimizers
def test_novelty_spreads_behaviour_and_solves_a_deceptive_task(name):
    solved, ratios = {False: 0, True: 0}, []
    for seed in range(5):
        spreads = {}
        for with_novelty in (False, True):
            optimizer = optimizer_of(name, seed=seed, with_novelty=with_novelty)
            spreads[with_novelty] = spread(run(optimizer, 80)[10:])
            solved[with_novelty] += deceptive(optimizer.recommend()[np.newaxis])[0] > 1.2
        ratios.append(spreads[True] / spreads[False])
    assert min(ratios) > 1.8
    assert solved[False] == 0
    assert solved[True] >= 4


@both_optimizers
def test_the_fittest_still_survive_and_are_recommended(name):
    optimizer = optimizer_of(name, elites=2, population=20)
    asked = run(optimizer, 12)
    for before, after in itertools.pairwise(asked):
        best = before[np.argsort(-deceptive(before), kind="stable")[:2]]
        np.testing.assert_array_equal(after[:2], best)
    deployed = deceptive(optimizer.recommend()[np.newaxis])[0]
    assert deployed == max(deceptive(candidates).max() for candidates in asked[:-1])


@both_optimizers
def test_parents_are_the_first_by_both_objectives(name):
    optimizer = optimizer_of(name, elites=4, population=40)
    first = optimizer.ask()
    optimizer.tell(deceptive(first), place(first))
    far = novelty(place(first), k=NEIGHBOURS)
    order = nsga2_rank(deceptive(first), far)
    parents = optimizer.state()["parents"]
    np.testing.assert_array_equal(parents, first[order[: len(parents)]])
    assert set(order[:4]) != set(np.argsort(-deceptive(first))[:4])


@both_optimizers
def test_restored_search_continues_bit_for_bit(name):
    straight = optimizer_of(name)
    asked = run(straight, 20)
    interrupted = optimizer_of(name)
    run(interrupted, 11)
    state = interrupted.state()
    assert len(state["archive"]) > 0
    fresh = optimizer_of(name)
    fresh.restore(state)
    np.testing.assert_array_equal(run(fresh, 9), asked[11:])
    for key, array in straight.state().items():
        np.testing.assert_array_equal(fresh.state()[key], array)


def test_archive_stays_within_capacity_and_keeps_seen_behaviour(monkeypatch):
    monkeypatch.setattr("evolve.optimizers.novelty.ARCHIVE_CAPACITY", 30)
    optimizer = optimizer_of("mutation")
    asked = run(optimizer, 40)
    archive = optimizer.state()["archive"]
    assert archive.shape == (30, 2)
    seen = {tuple(row) for candidates in asked for row in place(candidates)}
    assert {tuple(row) for row in archive} <= seen


@both_optimizers
def test_missing_or_invalid_behaviour_leaves_candidates_pending(name):
    optimizer = optimizer_of(name, population=20)
    candidates = run(optimizer, 5) and optimizer.ask()
    with pytest.raises(ValueError, match="novelty needs the behaviour of the candidates; got none"):
        optimizer.tell(deceptive(candidates))
    with pytest.raises(ValueError, match=r"archive must have the shape \(m, 3\)"):
        optimizer.tell(deceptive(candidates), np.zeros((20, 3)))
    optimizer.tell(deceptive(candidates), place(candidates))


def test_novelty_needs_an_optimizer_with_parents():
    config = load_preset("heads-up-genetic").with_values(novelty=True)
    assert made(config).numbers.novelty
    assert not made(load_preset("heads-up-genetic")).numbers.novelty
    mutation = load_preset("heads-up-mutation")
    assert made(mutation).n_selected == 12
    assert made(mutation.with_values(novelty=True)).n_selected == 3
    with pytest.raises(ValueError, match="novelty is a key of optimizer 'genetic' or 'mutation'"):
        load_preset("heads-up").with_values(novelty=True)
    with pytest.raises(ValueError, match=r"novelty must be true or false; got 0\.5"):
        config.with_values(novelty=0.5)


def made(config):
    return State.initial_state(config).optimizer


# --- novelty and two objectives -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "m", "k"), [(30, 0, 5), (30, 50, 5), (5, 0, 15), (4, 3, 6), (1, 9, 2)]
)
def test_novelty_is_the_mean_distance_to_the_nearest(n, m, k):
    rng = np.random.default_rng(n + m)
    points, archive = rng.random((n, 6)), rng.random((m, 6))
    points[: n // 2] = points[0]  # twins
    found = novelty(points, archive, k=k)
    all_players = np.concatenate([points, archive])
    for i in range(n):
        distances = [np.linalg.norm(points[i] - all_players[j]) for j in range(n + m) if j != i]
        assert found[i] == pytest.approx(np.mean(sorted(distances)[:k]), abs=1e-12)


def test_novelty_without_neighbours_is_zero():
    assert novelty([[0.3, 0.4]]).tolist() == [0.0]


def test_invalid_descriptors_are_reported():
    with pytest.raises(ValueError, match="finite"):
        novelty([[np.nan], [0.0]])
    with pytest.raises(ValueError, match=r"archive must have the shape \(m, 1\); got \(2, 2\)"):
        novelty([[1.0]], np.zeros((2, 2)))
    with pytest.raises(ValueError, match="k must be"):
        novelty([[1.0]], k=0)
    with pytest.raises(ValueError, match="shapes"):
        nsga2_rank([1.0], [1.0, 2.0])


def brute_fronts(fitness, other):
    """Fronts by repeatedly removing the non-dominated points."""
    left, fronts, front = set(range(len(fitness))), [0] * len(fitness), 0
    while left:
        free = {
            i
            for i in left
            if not any(
                fitness[j] >= fitness[i]
                and other[j] >= other[i]
                and (fitness[j] > fitness[i] or other[j] > other[i])
                for j in left
            )
        }
        for i in free:
            fronts[i] = front
        left -= free
        front += 1
    return fronts


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=25))
def test_fronts_match_brute_force(pairs):
    fitness = [float(a) for a, _ in pairs]
    other = [float(b) for _, b in pairs]
    fronts = np.array(brute_fronts(fitness, other), np.int64)
    order = nsga2_rank(fitness, other)
    assert sorted(order.tolist()) == list(range(len(pairs)))
    assert (np.diff(fronts[order]) >= 0).all()


def test_within_a_front_extremes_come_first_then_sparse_points():
    # A front of five: gaps on both sides of the second are 1 and 1, of the third 1 and 4, ...
    fitness = np.array([0.0, 1.0, 2.0, 6.0, 10.0])
    order = nsga2_rank(fitness, 10.0 - fitness)
    assert order[:2].tolist() == [0, 4]
    # Boxes: 2 / 10 twice for 1; 5 / 10 for 2; 8 / 10 for 3.
    assert order[2:].tolist() == [3, 2, 1]


def test_the_archive_takes_a_random_share():
    behaviour_descriptors = np.arange(2000.0)[:, np.newaxis]
    archive = update_novelty_archive(
        np.full((3, 1), -1.0), behaviour_descriptors, chance=0.1, rng=np.random.default_rng(1)
    )
    assert (archive[:3] == -1.0).all()
    assert 150 < len(archive) - 3 < 250
    assert np.isin(archive[3:], behaviour_descriptors).all()
