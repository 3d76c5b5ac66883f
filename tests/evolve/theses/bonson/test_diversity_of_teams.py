"""Distances, selection, points and archive by the worked numbers of the thesis."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.theses.bonson.dealt import CATEGORIES, OUTCOME
from evolve.theses.bonson.match_schedule import Points
from evolve.theses.bonson.symbiosis.diversity import (
    BehaviourArchive,
    CompressionDistance,
    genotypic_distances,
    hamming_distances,
    hamming_symbols,
    sparseness,
)
from evolve.theses.bonson.symbiosis.selection import GROUPS, dominance, keep, most_dominated
from evolve.training.config_files import load_preset

# Five hands of the thesis: their text, and what each comes to.
PRINTED = (
    "13643121f",
    "40412110c11r11r11c21r21r21c00r00r00r00c",
    "10458011r11f",
    "15872122f",
    "19489021r21f",
)
PRINTED_SYMBOLS = [0, 2, 1, 0, 1]


def outcomes_of(texts):
    found = np.zeros(len(texts), OUTCOME)
    for outcome, text in zip(found, texts, strict=True):
        for name, letter in (("folds", "f"), ("calls", "c"), ("raises", "r")):
            outcome[name] = text.count(letter)
    return found


def test_symbols_of_the_published_hands():
    assert hamming_symbols(outcomes_of(PRINTED)).tolist() == PRINTED_SYMBOLS


def test_hamming_is_the_share_of_differences():
    distances = hamming_distances(np.array([[0, 2, 1, 0, 1], [0, 2, 2, 0, 0]], np.uint8))
    assert distances.tolist() == [[0.0, 0.4], [0.4, 0.0]]


def test_genotype_distance_counts_shared_programs():
    distances = genotypic_distances([{1, 2}, {2, 3}, {1, 2}, {3, 4}])
    assert distances[0].round(3).tolist() == [0.0, 0.667, 0.0, 1.0]


@pytest.mark.parametrize("compressor", ["bz2", "zlib"])
def test_compression_distance_of_examples(compressor):
    rng = np.random.default_rng(1)
    texts = [bytes(rng.integers(48, 58, 12_000, np.uint8)) for _ in range(2)]
    distance = CompressionDistance(compressor)
    assert distance(texts[0], texts[0]) == 0.0
    unrelated = distance(*texts)
    near = distance(texts[0], texts[0][:11_900] + texts[1][:100])
    assert near < unrelated <= 1.0
    assert unrelated > 0.6
    assert distance(*texts) == distance(*texts[::-1])


def test_compression_distances_of_many_match_pairs():
    texts = [bytes([48 + i]) * 50 + bytes(range(i, 100)) for i in range(4)]
    distance = CompressionDistance()
    whole = distance.distances(texts[:3], texts[3:])
    assert whole.shape == (3, 4)
    assert (whole[:, :3] == whole[:, :3].T).all()
    assert whole[0, 3] == distance(texts[0], texts[3])
    threads = CompressionDistance(threads=2).distances(texts[:3], texts[3:])
    assert threads.tobytes() == whole.tobytes()


def test_sparseness_looks_at_the_nearest():
    distances = np.array([[0.0, 0.1, 0.5, 0.9], [0.1, 0.0, 0.2, 0.3]])
    assert sparseness(distances, 2).tolist() == pytest.approx([0.3, 0.15])
    assert sparseness(distances, 10).tolist() == pytest.approx([0.5, 0.2])
    assert sparseness(np.zeros((1, 1)), 10).tolist() == [0.0]


values = st.lists(st.floats(0, 1), min_size=6, max_size=6).map(np.array)


@given(values, values)
def test_a_cycle_has_no_dominating_member(fitness, diversity):
    dominates = dominance(fitness, diversity)
    assert not dominates.diagonal().any()


@given(values, values, st.integers(1, 6))
def test_kept_members_are_not_dominated_by_dropped_ones(fitness, diversity, n):
    fitness, diversity = fitness.round(2), diversity.round(2)
    kept = keep(n, fitness, diversity).tolist()
    assert len(set(kept)) == n
    out = [i for i in range(6) if i not in kept]
    front = dominance(fitness, diversity).sum(axis=0) == 0
    if any(front[i] for i in out):  # the front alone is too large
        assert all(front[i] for i in kept)


def test_selection_matches_a_worked_example():
    fitness, diversity = np.array([0.9, 0.5, 0.1, 0.05]), np.array([0.1, 0.5, 0.9, 0.05])
    assert keep(3, fitness, diversity).tolist() == [0, 1, 2]
    assert keep(2, fitness, None).tolist() == [0, 1]
    assert keep(2, None, diversity).tolist() == [2, 1]
    assert most_dominated(fitness, diversity) == 3
    # In a front that is too large, the members that dominate most others stay.
    fitness, diversity = np.array([0.9, 0.5, 0.1, 0.4]), np.array([0.1, 0.5, 0.9, 0.4])
    assert keep(1, fitness, diversity).tolist() == [1]


def test_points_are_balanced_over_categories_and_opponents(library):
    points = Points.draw(library, 600, 6, np.random.default_rng(1))
    assert points.matches.shape == (9, 66)  # 594: what is left over is not played
    for _, of_slot in points.sessions([None] * 6):
        assert len(of_slot) == 99
        assert np.bincount(library.categories[of_slot]).tolist() == [11] * CATEGORIES


def test_the_oldest_points_are_replaced(library):
    rng = np.random.default_rng(1)
    points = Points.draw(library, 108, 2, rng)
    first = points.matches.copy()
    for _ in range(4):
        before = points.matches.copy()
        points.refresh(library, 0.25, rng)
        assert (points.matches != before).sum() == 9 * 3
        assert all(len(set(row)) == 12 for row in points.matches.tolist())
        for category, row in enumerate(points.matches):
            assert set(library.categories[row].tolist()) == {category}
    assert not (points.matches == first).any()  # all of them, once


def test_the_archive_adds_the_most_novel_and_drops_the_least():
    distance = CompressionDistance()
    rng = np.random.default_rng(3)
    archive = BehaviourArchive()
    for _ in range(4):
        texts = [bytes(rng.integers(48, 52, 400, np.uint8)) for _ in range(5)]
        distances = distance.distances(texts, archive.texts)
        novelty = sparseness(distances, 2)
        before = list(archive.texts)
        archive.extend(texts, distances, novelty, size=5, turnover=2, k=2)
        new = [text for text in archive.texts if text not in before]
        assert set(new) == {texts[i] for i in np.argsort(-novelty)[:2]}
        assert len(archive.texts) <= 5
        there = distance.distances(archive.texts)
        np.testing.assert_allclose(archive.distances, there)
    read = BehaviourArchive.from_arrays(archive.to_arrays())
    assert read.texts == archive.texts


def test_default_settings_match_the_thesis():
    config = load_preset("sbb")
    opponents = config.opponents
    assert opponents.slots == 6
    assert [opponents.hall_opponents(g) for g in (1, 100, 101, 200, 201, 300)] == [0, 0, 1, 1, 2, 2]
    hands = sum(
        config.optimizer.population * 99 * (4 + opponents.hall_opponents(g)) for g in range(1, 301)
    )
    assert hands == 14_850_000
    assert len(GROUPS["models"]) == 9
    with pytest.raises(ValueError, match="model must be"):
        config.with_values(model="none")
