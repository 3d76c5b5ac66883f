"""NEAT genomes: innovation numbers, distances, crossover and mutations of structure."""

import numpy as np
import pytest
from helpers import with_constants

from agents.players.networks import network_outputs
from evolve.genomes.base import Parents
from evolve.genomes.neat import (
    Genes,
    InnovationLog,
    NeatGenomes,
    NeatKind,
    NeatVariation,
    compatibility_distances,
    cross,
)

KIND = NeatKind(inputs="features_core")  # ten inputs
ALWAYS = NeatVariation(add_node=1.0, add_link=1.0)


def rng(seed=0):
    return np.random.default_rng(seed)


def genes(**weights):
    """Genes by innovation numbers, as ``genes(g1=0.5)``."""
    numbers = sorted(int(name[1:]) for name in weights)
    values = np.array([weights[f"g{i}"] for i in numbers], np.float32)
    return Genes(np.array(numbers), values, np.ones(len(numbers), bool))


def grown(generations, n=20, variation=ALWAYS, seed=0):
    genomes = KIND.first(n, variation, rng=rng(seed))
    for i in range(generations):
        genomes = variation.children(Parents(genomes, most=2), n, rng=rng(seed + i + 1))
    return genomes


def test_first_networks_link_every_input_and_the_bias_to_every_output():
    genomes = KIND.first(3, NeatVariation(), rng=rng())
    assert [len(each.innovations) for each in genomes.genes] == [11 * 5] * 3
    assert genomes.network(0).sizes == (10, 5, 5, 50)
    sparse = with_constants(NeatKind, inputs="features_core", connected=0.2).first(
        200, NeatVariation(), rng=rng()
    )
    assert np.mean([len(each.innovations) for each in sparse.genes]) == pytest.approx(15, abs=1)


def test_equal_structures_get_equal_innovation_numbers():
    log = InnovationLog(KIND.none().innovations, 5)
    node = log.node_in(7, set())
    assert node == 5
    assert log.link(-2, node) == log.link(-2, node) == 55
    assert log.node_in(7, set()) == node  # the same split by another genome
    assert log.node_in(7, {node}) == 6  # this one has been split there before
    again = InnovationLog(log.innovations(), 5)
    assert (again.link(-2, node), again.node_in(7, set())) == (55, node)
    assert again.innovations().is_after(KIND.none().innovations)
    assert not KIND.none().innovations.is_after(log.innovations())


def test_distance_counts_excess_disjoint_and_weights():
    """Eq. 1 with the genes of figure 4: three disjoint, two excess genes, and five matching."""
    one = genes(g1=0.0, g2=0.0, g3=0.0, g4=0.0, g5=0.0, g8=0.0)
    other = genes(g1=1.0, g2=1.0, g3=1.0, g4=1.0, g5=2.0, g6=0, g7=0, g9=0, g10=0)
    for values, expected in (((1, 0, 0), 2), ((0, 1, 0), 3), ((0, 0, 1), 1.2), ((1, 1, 0.5), 5.6)):
        coefficients = dict(zip(("excess", "disjoint", "weights"), values, strict=True))
        for first, second in ((one, other), (other, one)):
            found = compatibility_distances(first, [second, first], **coefficients)
            np.testing.assert_allclose(found, [expected, 0], rtol=1e-6)


def test_distances_of_large_genomes_are_divided_by_their_size():
    one = genes(**{f"g{i}": 0.0 for i in range(40)})
    other = genes(**{f"g{i}": 0.0 for i in range(30)})
    found = compatibility_distances(one, [other], excess=2.0, disjoint=0.0, weights=0.0)
    assert found == pytest.approx([2.0 * 10 / 40])


def test_children_have_the_structure_of_the_fitter_parent_and_weights_of_both():
    one = genes(g1=1.0, g2=1.0, g3=1.0, g5=1.0)
    other = genes(g1=2.0, g2=2.0, g4=2.0, g9=2.0)
    drawn = [cross(one, other, stay_disabled=0.75, rng=rng(i)) for i in range(200)]
    assert {tuple(child.innovations) for child in drawn} == {(1, 2, 3, 5)}
    weights = np.array([child.weights for child in drawn])
    assert (weights[:, 2:] == 1.0).all()
    assert 0.35 < (weights[:, :2] == 2.0).mean() < 0.65


def test_a_gene_disabled_in_a_parent_mostly_stays_disabled():
    one, other = genes(g1=1.0, g2=1.0, g3=1.0), genes(g1=1.0, g2=1.0)
    other = other._replace(enabled=np.array([True, False]))
    one = one._replace(enabled=np.array([True, True, False]))
    drawn = [cross(one, other, stay_disabled=0.75, rng=rng(i)).enabled for i in range(400)]
    np.testing.assert_allclose(1 - np.mean(drawn, axis=0), [0, 0.75, 0.75], atol=0.08)


def test_a_new_node_splits_a_link_into_one_of_weight_one_and_one_of_its_weight():
    parent = KIND.first(1, NeatVariation(), rng=rng())
    variation = with_constants(
        NeatVariation, mutate_weights=0.0, crossover=0.0, add_node=1.0, add_link=0.0
    )
    child = variation.children(Parents(parent, most=1), 1, rng=rng(4))
    before, after = parent.genes[0], child.genes[0]
    (split,) = np.flatnonzero(~after.enabled)
    source, target = child.innovations.pairs[before.innovations[split]]
    new = [child.innovations.pairs[i].tolist() for i in after.innovations[-2:]]
    assert new == [[source, 5], [5, target]]
    assert after.weights[-2:].tolist() == [1.0, before.weights[split]]


def test_networks_stay_without_cycles_as_they_grow():
    genomes = grown(40)
    assert np.mean([genomes.n_hidden(i) for i in range(20)]) > 15
    for i in range(20):
        genomes.network(i)  # it refuses cycles
        numbers = genomes.genes[i].innovations
        assert (np.diff(numbers) > 0).all()
    pairs = genomes.innovations.pairs.tolist()
    assert len({tuple(pair) for pair in pairs}) == len(pairs)


def test_genomes_play_as_their_networks():
    genomes = grown(10)
    batch = genomes.pack()
    assert len(batch) == 20
    player = genomes.player(3, name="x")
    inputs = rng(1).normal(size=(4, 10))
    np.testing.assert_array_equal(
        network_outputs(player.network, inputs), network_outputs(genomes.network(3), inputs)
    )
    np.testing.assert_array_equal(batch.weights[3, : len(player.weights)], player.weights)


def test_genomes_round_trip_through_arrays():
    genomes = grown(6)
    for some in (genomes, genomes[:1], genomes[:0]):
        again = KIND.from_arrays(some.to_arrays())
        assert [again.key(i) for i in range(len(again))] == [some.key(i) for i in range(len(some))]
        np.testing.assert_array_equal(again.innovations.pairs, genomes.innovations.pairs)


def test_only_genomes_of_one_history_can_be_joined():
    early, late, other = grown(1), grown(2), grown(1, seed=50)
    assert len(NeatGenomes.join(early, late)) == 40
    assert NeatGenomes.join(late, early).innovations is late.innovations
    with pytest.raises(ValueError, match="different histories"):
        NeatGenomes.join(early, other)
