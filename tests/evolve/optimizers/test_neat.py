"""NEAT: species, shared offspring, and structure that grows where the task needs it."""

from dataclasses import dataclass

import numpy as np
import pytest
from helpers import with_constants

from agents.match.workers.base import thread_workers
from agents.players.networks import SparseNetworkPlayer, network_outputs
from evolve.genomes.neat import NeatKind, NeatVariation
from evolve.optimizers import CandidateScores
from evolve.optimizers.neat import NeatSettings
from evolve.training.config_files import load_preset
from evolve.training.folder import RunFolder
from evolve.training.run import train

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32)
WANTED = np.array([0, 1, 1, 0])


@dataclass(frozen=True, kw_only=True)
class Logic(NeatKind):
    """Networks of two inputs and one output."""

    n_inputs = 2
    n_outputs = 1


def outputs(genomes):
    return np.array([network_outputs(genomes.network(i), XOR)[:, 0] for i in range(len(genomes))])


def scores(genomes):
    """The fitness of section 4.1: four minus the errors, squared."""
    fitness = (4 - np.abs(outputs(genomes) - WANTED).sum(axis=1)) ** 2
    return CandidateScores(fitness.astype(np.float64), np.zeros((len(genomes), 0)))


def logic(seed=1, variation=None, **values):
    settings = with_constants(NeatSettings, **{"population": 150} | values)
    return settings.make(Logic(), variation or with_constants(NeatVariation, weight_step=2.5), seed)


def advance(optimizer, n=1):
    for _ in range(n):
        optimizer.tell(scores(optimizer.ask()))
    return optimizer


def solves(genomes):
    return ((outputs(genomes) > 0.5) == WANTED).all(axis=1)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_xor_is_solved_by_networks_that_grew_a_hidden_node(seed):
    """No network of a first generation can: XOR is not linearly separable."""
    optimizer = logic(seed)
    assert not solves(optimizer.ask()).any()
    for _ in range(150):  # the paper takes 32 on average, 90 at worst
        advance(optimizer)
        if solves(optimizer.recommend())[0]:
            break
    champion = optimizer.recommend()
    assert solves(champion)[0]
    assert champion.n_hidden(0) >= 1


def test_similar_candidates_share_a_species_and_strangers_do_not():
    optimizer = advance(logic(population=40, compatibility_threshold=1.0), 12)
    distances = {"excess": 1.0, "disjoint": 1.0, "weights": 0.4}
    before = {each.number: each.representative for each in optimizer.species}
    genomes = optimizer.ask()
    optimizer.tell(scores(genomes))
    seen = sorted(np.concatenate([each.members for each in optimizer.species]).tolist())
    assert seen == list(range(40))
    for species in optimizer.species:
        if species.number in before:
            joined = type(genomes).join(before[species.number], genomes[species.members])
            assert (joined.distances(0, **distances)[1:] < 1.0).all()
    assert len(optimizer.species) > 1


def test_offspring_are_in_proportion_to_the_mean_fitness_above_the_worst():
    optimizer = logic(population=60, compatibility_threshold=0.8, stagnation=0)
    optimizer.tell(scores(optimizer.ask()))
    fitness = optimizer._fitness - optimizer._fitness.min()
    means = np.array([fitness[each.members].mean() for each in optimizer.species])
    counts = optimizer.offspring()
    assert counts.sum() == 60
    assert (np.abs(counts - 60 * means / means.sum()) < 1).all()
    assert len(optimizer.ask()) == 60


def test_the_best_of_large_species_survive_unchanged():
    optimizer = advance(logic(population=50, compatibility_threshold=2.0), 5)
    large = [each for each in optimizer.species if len(each.members) > 5]
    kept = [optimizer._genomes.key(int(each.members[0])) for each in large]
    n = optimizer.n_survivors
    asked = optimizer.ask()
    assert 0 < n <= len(large)
    assert {asked.key(i) for i in range(n)} <= set(kept)


def test_a_species_that_no_longer_improves_has_no_children_beside_the_best_two():
    optimizer = logic(population=60, compatibility_threshold=0.6, stagnation=3)
    for _ in range(8):  # nothing ever improves, and all are alike
        n = len(optimizer.ask())
        optimizer.tell(CandidateScores(np.zeros(n), np.zeros((n, 0))))
    old = [each.improved <= optimizer.generation - 3 for each in optimizer.species]
    counts = optimizer.offspring()
    assert sum(old) > 2
    assert (counts[np.array(old)] > 0).sum() <= 2


def test_the_threshold_follows_the_number_of_species():
    few, many = (advance(logic(population=60, target_species=n), 30).species for n in (2, 12))
    assert len(few) < len(many)


def test_a_restored_optimizer_asks_for_the_same_candidates():
    whole = advance(logic(population=40, target_species=5), 9)
    again = logic(population=40, target_species=5)
    again.restore(whole.state())
    for _ in range(3):
        one, other = whole.ask(), again.ask()
        assert [one.key(i) for i in range(40)] == [other.key(i) for i in range(40)]
        assert np.array_equal(one.innovations.pairs, other.innovations.pairs)
        advance(whole)
        advance(again)
    assert whole.recommend().key(0) == again.recommend().key(0)


SMALL = {"population": 12, "tournaments": 6, "progress_tournaments": 0}


def test_a_run_resumes_to_the_same_files(tmp_path):
    config = load_preset("neat-small").with_values(
        **SMALL, generations=5, add_node=0.5, add_link=0.5
    )
    whole, parts = (RunFolder.create(tmp_path / name, config) for name in ("whole", "parts"))
    with thread_workers(2) as workers:
        train(whole, config, whole.restore(config, say=print), workers=workers)
        for generations in (2, 5):
            some = config.with_values(generations=generations)
            train(parts, some, parts.restore(some, say=print), workers=workers)
    assert isinstance(whole.champion(), SparseNetworkPlayer)
    assert whole.metrics()[-1]["hidden_nodes"] > 0
    for name in ("metrics.jsonl", "champions.npz", "champion.npz"):
        assert (whole.path / name).read_bytes() == (parts.path / name).read_bytes()


def test_the_genomes_also_breed_in_the_published_algorithm(tmp_path, workers):
    config = load_preset("quick").with_values(
        genomes="neat", elites=3, hall_of_fame=6, hall_parents=0.2, generations=3, **SMALL
    )
    folder = RunFolder.create(tmp_path, config)
    train(folder, config, folder.restore(config, say=print), workers=workers)
    assert len(folder.champions()) == 3


def test_parts_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match='optimizer "neat" needs genomes "neat"'):
        load_preset("neat-small").with_values(genomes="networks")
    with pytest.raises(ValueError, match='sub_populations must be 1 with genomes "neat"'):
        load_preset("quick").with_values(genomes="neat", sub_populations=2)
