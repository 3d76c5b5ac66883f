"""How the next generation is made: parents, brood, champions and rollback."""

import numpy as np
import pytest

import nlhe_env
from agents.match.workers.base import thread_workers
from evolve.genomes import Parents
from evolve.genomes.network_kind import NetworkKind, NetworkVariation, shares_of_one_shape
from evolve.genomes.networks import Networks
from evolve.optimizers.rollback import Rollback
from evolve.training.brood_selection import draw_tables, relative_places, select_children


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def constant(*values: float) -> Networks:
    """Networks whose weights are all the same number."""
    weights = np.repeat(np.array(values, np.float32)[:, np.newaxis], 825, axis=1)
    return Networks.of_shape(weights, (20,), "features")


def bred(
    networks: Networks, n: int, *, elites=5, hall=None, hall_parents=0.0, chances=None, **values
):
    """Children without mutation, unless ``values`` asks for it."""
    variation = NetworkVariation(**{"mutation_rate": 0.0, **values})
    possible = networks[:elites] if chances is None else networks
    parents = Parents(possible, elites, chances=chances, hall=hall, hall_chance=hall_parents)
    return variation.children(parents, n, rng=rng())


def first_networks(n: int, seed: int = 0, **values) -> Networks:
    return NetworkKind(**values).first(n, NetworkVariation(), rng=rng(seed))


def test_children_of_one_elite_are_that_elite_with_noise():
    champion = first_networks(2)
    copies = bred(champion, 4, elites=1)
    np.testing.assert_allclose(copies.weights, champion.weights[[0, 0, 0, 0]], rtol=1e-6)
    children = bred(champion, 4, elites=1, mutation_rate=0.1)
    assert (children.weights != copies.weights).any(axis=1).all()


def test_without_mutation_children_lie_between_their_parents():
    networks = first_networks(20)
    children = bred(networks, 500)
    elites = networks.weights[:5]
    assert children.weights.dtype == np.float32
    assert (children.weights >= elites.min(axis=0) - 1e-6).all()
    assert (children.weights <= elites.max(axis=0) + 1e-6).all()


def test_copies_of_one_parent_may_stay_exact():
    networks = constant(0.0, 1.0, 2.0)
    values = {"mutation_rate": 1.0, "parents_mean": 0.5}
    mutated = bred(networks, 400, elites=3, **values).weights
    exact = bred(networks, 400, elites=3, mutate_copies=False, **values).weights
    copies = (exact == exact[:, :1]).all(axis=1)
    assert 0.5 < copies.mean() < 0.8  # P(1) = 1 - exp(-1)
    assert not (mutated == mutated[:, :1]).all(axis=1).any()
    np.testing.assert_array_equal(exact[~copies], mutated[~copies])
    champion = bred(networks, 20, elites=1, mutate_copies=False, mutation_rate=1.0).weights
    assert not (champion == champion[:, :1]).all(axis=1).any()  # or nothing would ever change


def test_breeding_zero_children_is_possible():
    assert len(bred(first_networks(20), 0)) == 0


def test_with_probabilities_all_networks_are_parents_in_proportion():
    networks = constant(0.0, 1.0, 2.0)
    chances = np.array([0.0, 75.0, 25.0])
    children = bred(networks, 8000, elites=2, parents_mean=0.0, chances=chances)
    values, counts = np.unique(children.weights[:, 0], return_counts=True)
    assert values.tolist() == [1.0, 2.0]
    assert counts[0] / 8000 == pytest.approx(0.75, abs=0.02)


def test_without_any_wins_all_may_be_parents():
    children = bred(constant(0.0, 1.0, 2.0), 300, parents_mean=0.0, chances=np.zeros(3))
    assert np.unique(children.weights).tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("chance", [0.0, 0.3, 1.0])
def test_parents_come_from_the_hall_with_a_probability(chance):
    networks, hall = constant(*[0.0] * 5), constant(*[1.0] * 5)
    options = {"hall": hall, "hall_parents": chance}
    alone = bred(networks, 5000, parents_mean=0.0, **options)
    assert alone.weights.mean() == pytest.approx(chance, abs=0.02)
    assert set(np.unique(alone.weights)) <= {0.0, 1.0}
    several = bred(networks, 5000, **options)
    assert several.weights.mean() == pytest.approx(chance, abs=0.02)
    assert not bred(networks, 50, **{**options, "hall": hall[:0]}).weights.any()


def test_parents_of_another_shape_get_no_share():
    hidden = np.array([[20], [21], [20]])
    shares = shares_of_one_shape(hidden, np.array([[0, 1, 2], [1, 0, 2]]), np.full((2, 3), 0.5))
    assert shares.tolist() == [[0.5, 0.0, 0.5], [0.5, 0.0, 0.0]]


def test_children_of_unequal_networks_have_the_shape_of_a_parent():
    small = first_networks(10, 1, hidden=(3,))
    large = first_networks(10, 2, hidden=(6,))
    both = Networks.join(small[:3], large[:2])
    children = bred(both, 300, mutation_rate=0.1)
    assert set(children.hidden[:, 0].tolist()) == {3, 6}
    assert (children.weights[~children.used] == 0).all()


# Brood.


def test_every_player_sits_at_one_table_in_every_round():
    seated = draw_tables(23, 10, 4, rng=rng())
    assert [len(table) for table in seated] == [8, 8, 7] * 4
    for first in range(0, 12, 3):
        assert sorted(np.concatenate(seated[first : first + 3]).tolist()) == list(range(23))


def test_no_player_plays_alone():
    seated = draw_tables(5, 2, 3, rng=rng())
    assert [len(table) for table in seated] == [2, 2] * 3
    assert relative_places(seated[:2], [np.array([1.0, 2.0])] * 2, 5).tolist().count(0.5) == 1


def test_places_at_tables_of_different_sizes_are_comparable():
    seated = [np.array([0, 1, 2]), np.array([2, 0])]
    places = [np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0])]
    assert relative_places(seated, places, 3).tolist() == [0.5, 0.5, 0.5]


def test_a_brood_keeps_the_better_children():
    """Folders, which outlive wild raisers, are picked out of a mixed brood."""
    options = {"game": nlhe_env.Game.tournament(), "rounds": 20, "seed": 3, "rng": rng()}
    weights = np.zeros((30, 825), np.float32)
    weights[:, -5:] = [-20.0, -20.0, -20.0, -20.0, 20.0]  # bias of the outputs: raise large
    weights[::3, -5:] = [20.0, -20.0, -20.0, -20.0, -20.0]  # every third one folds
    children = Networks.of_shape(weights, (20,), "features")
    with thread_workers(2) as workers:
        kept = select_children(children, 10, **options, workers=workers)
    assert len(kept) == 10
    assert (kept.weights[:, -5] == 20.0).all()


# Going back.


def test_rollback_keeps_the_best_generation_and_counts_worse_ones():
    elites = np.array([10.0, 12.0])
    retreat = Rollback.none(constant())
    for generation, hall, behind in [
        (1, [], 0),
        (2, [15.0, 13.0, 40.0], 0),  # elites 3 ahead of the best two of the hall
        (3, [11.0, 12.0, 40.0], 0),  # half a place ahead
        (4, [10.0, 11.0, 40.0], 1),
        (5, [9.0, 9.0, 40.0], 2),
        (6, [30.0, 10.0, 10.5], 3),
    ]:
        retreat = retreat.after_generation(
            generation,
            genomes=constant(float(generation)),
            chances=np.empty(0),
            elites=elites,
            hall=np.array(hall),
        )
        assert retreat.behind == behind
    assert retreat.generation == 2
    assert retreat.advantage == 3.0
    assert retreat.genomes.weights[0, 0] == 2.0
    assert retreat.is_due(3)
    assert not retreat.is_due(4)
    assert not retreat.is_due(0)
    assert retreat.started_again().behind == 0
