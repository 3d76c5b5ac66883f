"""Novelty and two objectives, against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolve.optimizers.novelty import novelty, nsga2_rank, update_novelty_archive


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
