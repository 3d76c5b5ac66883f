"""The published genetic algorithm with the options of our own: parents by rank, elite memory."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.genomes import Parents
from evolve.genomes.network_kind import NetworkKind
from evolve.genomes.network_variation import NetworkVariation
from evolve.optimizers.base import CandidateScores
from evolve.optimizers.elitist import ElitistSettings

KIND = NetworkKind()


class Recording(NetworkVariation):
    """Remembers the parents it was asked to breed."""

    def children(self, parents, n, *, rng):
        seen.append(parents)
        return super().children(parents, n, rng=rng)


seen: list[Parents] = []


@pytest.fixture(autouse=True)
def nothing_seen():
    seen.clear()


def tell(optimizer, *fitness):
    optimizer.tell(CandidateScores(np.array(fitness, np.float64), np.zeros((len(fitness), 1))))


def optimizer(**values):
    settings = ElitistSettings(**{"population": 4, "elites": 2, **values})
    return settings.make(KIND, Recording(), 1)


def test_by_rank_everybody_may_breed_the_best_most_often():
    ga = optimizer(parents_by="rank")
    first = ga.ask()
    tell(ga, 0.0, 3.0, 1.0, 2.0)
    ga.ask()
    (parents,) = seen
    assert parents.genomes.weights.tobytes() == first.weights[[1, 3, 2, 0]].tobytes()
    assert parents.chances.tolist() == [4.0, 3.0, 2.0, 1.0]


def test_the_deviation_of_mutations_halves():
    variation = NetworkVariation(mutation_deviation=0.2, mutation_half_life=10.0)
    assert [variation.deviation_after(n) for n in (0, 10, 20)] == [0.2, 0.1, 0.05]
    assert NetworkVariation(mutation_deviation=0.2).deviation_after(100) == 0.2
    first = KIND.first(2, variation, rng=np.random.default_rng(1))

    def noise(generation):
        parents = Parents(first[:1], 1, generation=generation)
        children = variation.children(parents, 200, rng=np.random.default_rng(2))
        return float(np.std(children.weights - first.weights[0]))

    assert noise(20) == pytest.approx(noise(0) / 4, rel=1e-3)


@pytest.mark.parametrize(("memory", "survivor"), [(False, 3), (True, 0)])
def test_with_memory_one_lucky_generation_does_not_replace_a_proven_elite(memory, survivor):
    """The elite of nine first places comes second once, to a newcomer."""
    ga = optimizer(elites=1, elite_memory=memory)
    for _ in range(9):
        asked = ga.ask()
        tell(ga, 3.0, 2.0, 1.0, 0.0)
    asked = ga.ask()
    tell(ga, 2.0, 1.0, 0.0, 3.0)
    assert ga.recommend().weights.tobytes() == asked.weights[survivor].tobytes()


def test_memory_lets_go_of_an_elite_that_was_only_lucky():
    ga = optimizer(elites=1, elite_memory=True)
    ga.ask()
    tell(ga, 3.0, 2.0, 1.0, 0.0)
    asked = ga.ask()
    tell(ga, 0.0, 3.0, 1.0, 2.0)
    assert ga.recommend().weights.tobytes() == asked.weights[1].tobytes()
