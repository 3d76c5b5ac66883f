"""Tiered survival: survivors, unchanged and mutated members, and how children are made."""

import numpy as np
import pytest

from evolve.optimizers import make_optimizer
from evolve.theses.li.tiered import Tiered

N = 400


def tiered(population=50, **options) -> Tiered:
    options = {"sigma": 0.5, "seed": 3, "decline": 10, **options}
    return make_optimizer("tiered", np.zeros(N), population=population, **options)


def lines(optimizer, fitness):
    candidates = optimizer.ask()
    optimizer.tell(np.asarray(fitness, float))
    return candidates


@pytest.mark.parametrize(("population", "survivors"), [(50, 15), (80, 24), (4, 2)])
def test_the_best_thirty_percent_survive(population, survivors):
    assert tiered(population).n_selected == survivors


def test_elites_are_survivors_above_their_mean_and_stay_bit_for_bit():
    optimizer = tiered()
    # Survivors 15 .. 1 with one far ahead: a mean of 21.4, above which there is one; two is least.
    fitness = np.arange(50.0) - 34.0
    fitness[7] = 216.0
    first = lines(optimizer, fitness)
    assert optimizer.n_elites == 2
    np.testing.assert_array_equal(optimizer.ask()[:2], first[[7, 49]])
    optimizer = tiered()
    first = lines(optimizer, np.arange(50.0))  # 49 .. 35, of which 49 .. 43 are above 42
    assert optimizer.n_elites == 7
    second = optimizer.ask()
    np.testing.assert_array_equal(second[:7], first[:42:-1])
    np.testing.assert_array_equal(optimizer.recommend(), first[49])


def test_the_second_tier_survives_mutated():
    optimizer = tiered()
    first = lines(optimizer, np.arange(50.0))
    mutation_rate, deviation = optimizer.mutation_after(1)
    change = optimizer.ask()[7:15] - first[42:34:-1]
    assert (change != 0).mean() == pytest.approx(mutation_rate, abs=0.03)
    assert change[change != 0].std() == pytest.approx(deviation, rel=0.08)


def test_children_have_odd_and_even_genes_of_two_different_elites():
    optimizer = tiered(mutation_rate=0.0, final_mutation_rate=0.0)
    first = lines(optimizer, np.arange(50.0))
    elites, children = first[:42:-1], optimizer.ask()[15:]
    assert len(children) == 35
    pairs = []
    for child in children:
        even = [i for i, elite in enumerate(elites) if (elite[::2] == child[::2]).all()]
        odd = [i for i, elite in enumerate(elites) if (elite[1::2] == child[1::2]).all()]
        assert len(even) == len(odd) == 1
        pairs.append((even[0], odd[0]))
    assert all(even != odd for even, odd in pairs)
    assert len({even for even, _ in pairs}) == 7


def test_mutation_falls_linearly_over_the_generations():
    optimizer = tiered(decline=250)
    assert optimizer.mutation_after(0) == (0.25, 0.5)
    assert optimizer.mutation_after(249) == pytest.approx((0.05, 0.1))
    assert optimizer.mutation_after(124.5) == pytest.approx((0.15, 0.3))
    assert optimizer.mutation_after(1000) == pytest.approx((0.05, 0.1))


def test_first_candidates_are_normal_deviates_around_the_start():
    candidates = tiered().ask()
    assert candidates.std() == pytest.approx(0.5, rel=0.02)
    assert abs(candidates.mean()) < 0.02


def test_tiered_resumes_from_a_state():
    straight, rng = tiered(), np.random.default_rng(1)
    fitness = rng.normal(size=(6, 50))
    for row in fitness[:3]:
        lines(straight, row)
    fresh = tiered()
    fresh.restore(straight.state())
    for row in fitness[3:]:
        np.testing.assert_array_equal(lines(fresh, row), lines(straight, row))
    np.testing.assert_array_equal(fresh.recommend(), straight.recommend())


def test_parts_evolve_in_turn_from_copies_of_the_champion():
    optimizer = tiered(12, parts=(100, 300), turn=2)
    rng = np.random.default_rng(1)
    asked = [lines(optimizer, rng.normal(size=12)) for _ in range(2)]
    champion = optimizer.recommend()
    asked.append(optimizer.ask())
    # The first turn has changed the first part only.
    assert all((asked[0][:, 100:] == row[100:]).all(axis=1).any() for row in asked[1])
    assert (asked[1][4:, :100] != asked[0][4:, :100]).any()
    # The second begins with the champion, and copies of it with other genes in the second part.
    np.testing.assert_array_equal(asked[2][0], champion)
    assert (asked[2][:, :100] == champion[:100]).all()
    changed = asked[2][1:, 100:] != champion[100:]
    assert changed.mean() == pytest.approx(optimizer.mutation_after(2)[0], abs=0.03)
    assert optimizer.evolved_part(3) == slice(100, 400)
    assert optimizer.evolved_part(4) == slice(0, 100)


def test_turns_may_differ_in_length():
    optimizer = tiered(6, parts=(100, 300), turns=(4, 2))
    genes = [optimizer.evolved_part(generation) for generation in range(12)]
    assert genes == ([slice(0, 100)] * 4 + [slice(100, 400)] * 2) * 2
    rng, last = np.random.default_rng(1), None
    for generation in range(6):
        if generation:
            last = optimizer.recommend()
        asked = lines(optimizer, rng.normal(size=6))
        # A turn begins with copies of the champion: nothing but its part differs.
        if generation == 4:
            assert (asked[:, :100] == last[:100]).all()
    with pytest.raises(ValueError, match="turns must be a number of generations for each of 2"):
        tiered(parts=(100, 300), turns=(5,))


def test_tiered_finds_the_top_of_a_hill():
    optimizer = make_optimizer(
        "tiered", np.full(6, 1.0), population=30, sigma=0.3, seed=1, decline=60
    )
    for _ in range(60):
        candidates = optimizer.ask()
        optimizer.tell(-np.square(candidates.astype(float)).sum(axis=1))
    assert np.square(optimizer.recommend()).sum() < 0.3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": 3}, "population must be at least 4; got 3"),
        ({"survival": 1.5}, r"survival must be .* in 0 \.\. 1; got 1\.5"),
        ({"parts": (3, 4)}, r"parts must be lengths that sum to 400; got \(3, 4\)"),
        ({"decline": 0}, "decline must be at least 1"),
        ({"final_sigma": 0.0}, "final_sigma must be a finite number above 0; got 0"),
    ],
)
def test_invalid_values_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        tiered(**options)
