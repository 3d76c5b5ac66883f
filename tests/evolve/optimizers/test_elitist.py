"""The published genetic algorithm with options: parents by rank or novelty, elite memory."""

import itertools

import numpy as np
import pytest

from evolve.genomes import Parents
from evolve.genomes.network_kind import NetworkKind, NetworkVariation
from evolve.optimizers import OPTIMIZERS
from evolve.optimizers.base import CandidateScores
from evolve.optimizers.elitist import ElitistSettings
from evolve.optimizers.novelty import novelty, nsga2_rank

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


def test_with_rank_selection_all_breed_and_the_best_most_often():
    ga = optimizer(parents_by="rank")
    first = ga.ask()
    tell(ga, 0.0, 3.0, 1.0, 2.0)
    ga.ask()
    (parents,) = seen
    assert parents.genomes.weights.tobytes() == first.weights[[1, 3, 2, 0]].tobytes()
    assert parents.chances.tolist() == [4.0, 3.0, 2.0, 1.0]


def test_with_novelty_parents_are_the_first_by_both_objectives_and_the_log_has_their_ranks():
    ga = optimizer(population=12, elites=3, parents_by="novelty")
    first, fitness = ga.ask(), np.arange(12.0)
    behaviour = np.random.default_rng(2).random((12, 2))
    ga.tell(CandidateScores(fitness, behaviour))
    order = nsga2_rank(fitness, novelty(behaviour))[:3]
    second = ga.ask()
    assert second.weights[:3].tobytes() == first.weights[[11, 10, 9]].tobytes()
    (parents,) = seen
    assert parents.genomes.weights.tobytes() == first.weights[order].tobytes()
    ga.tell(CandidateScores(fitness, behaviour))
    (line,) = ga.genealogy()
    ranks = set(itertools.chain(*line["parents"][3:]))
    assert ranks <= {11 - int(candidate) for candidate in order}
    assert ranks - {0, 1, 2}


@pytest.mark.parametrize(("memory", "survivor"), [(False, 3), (True, 0)])
def test_with_memory_one_lucky_score_does_not_replace_a_proven_elite(memory, survivor):
    """The elite of nine first places comes second once, to a newcomer."""
    ga = optimizer(elites=1, elite_memory=memory)
    for _ in range(9):
        asked = ga.ask()
        tell(ga, 3.0, 2.0, 1.0, 0.0)
    asked = ga.ask()
    tell(ga, 2.0, 1.0, 0.0, 3.0)
    assert ga.recommend().weights.tobytes() == asked.weights[survivor].tobytes()


def test_memory_drops_an_elite_that_was_only_lucky():
    ga = optimizer(elites=1, elite_memory=True)
    ga.ask()
    tell(ga, 3.0, 2.0, 1.0, 0.0)
    asked = ga.ask()
    tell(ga, 0.0, 3.0, 1.0, 2.0)
    assert ga.recommend().weights.tobytes() == asked.weights[1].tobytes()


def test_sub_populations_of_equal_size_breed_apart_and_go_on_from_a_state():
    values = {"population": 6, "elites": 2, "sub_populations": 2}
    ga, other = optimizer(**values), optimizer(**values)
    assert ga.groups == [slice(0, 3), slice(3, 6)]
    assert (ga.n_elites, ga.n_survivors) == (1, 0)
    for _ in range(2):
        first = ga.ask()
        tell(ga, 1.0, 3.0, 2.0, 6.0, 4.0, 5.0)
        for group, best in enumerate((1, 3)):
            one = first.weights[best].tobytes()
            assert ga.elites(group).weights.tobytes() == one
            assert ga.recommend(group).weights.tobytes() == one
    assert [parents.genomes.weights.shape for parents in seen] == [(1, 825)] * 2
    other.restore(ga.state())
    assert ga.ask().weights.tobytes() == other.ask().weights.tobytes()
    for group in range(2):
        assert other.recommend(group).weights.tobytes() == ga.recommend(group).weights.tobytes()
        assert other.elites(group).weights.tobytes() == ga.elites(group).weights.tobytes()


def test_a_hall_that_stays_ahead_brings_back_the_generation_furthest_ahead():
    ga = optimizer(rollback=2)
    reported, asked = [], []
    for hall in (0.0, 9.0, 9.0, 9.0):  # elites 2.5 on the average
        asked.append(ga.ask())
        fitness = np.array([0.0, 3.0, 1.0, 2.0])
        scores = CandidateScores(fitness, np.zeros((4, 1)), halls=[np.full(3, hall)])
        reported.append(ga.tell(scores)[0]["rolled_back_to"])
    assert reported == [None, None, 1, None]
    # The first two of the fourth generation are the elites of the first.
    assert asked[3].weights[:2].tobytes() == asked[0].weights[[1, 3]].tobytes()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"elites": 5}, r"elites must not exceed the population \(4\); got 5"),
        ({"sub_populations": 3}, r"population must be a multiple of sub_populations \(3\)"),
        ({"champion_step": 0.0}, "champion_step must be above 0"),
        ({"champion_step": 0.5}, "one elite in each sub-population; got 2"),
        ({"brood_size": 0}, "brood_size must be at least 1; got 0"),
        ({"brood_tournaments": 0}, "brood_tournaments must be at least 1; got 0"),
        ({"rollback": -1}, "rollback must be at least 0; got -1"),
        ({"hall_parents": 1.5}, "hall_parents must be"),
        ({"parents_by": "age"}, "parents_by must be one of"),
    ],
)
def test_impossible_values_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        optimizer(**values)


def test_the_champion_is_picked_by_picks_and_else_by_fitness():
    fitness = np.array([5.0, 1.0, 3.0, 2.0, 4.0])
    rows = slice(1, 5)
    assert CandidateScores(fitness, np.zeros((5, 1))).champion(rows) == 4
    picks = np.array([9.0, 1.0, 1.0, 8.0, 2.0])
    assert CandidateScores(fitness, np.zeros((5, 1)), picks=picks).champion(rows) == 3


@pytest.mark.parametrize("lineages", [1, 2])
def test_searches_of_numbers_have_a_tenth_as_elites_and_go_on_from_a_state(lineages):
    settings = OPTIMIZERS["openai-es"](population=20, lineages=lineages)
    search, other = (settings.make(KIND, NetworkVariation(), 1) for _ in range(2))
    asked = search.ask()
    assert len(asked) == 20 * lineages
    fitness = np.random.default_rng(1).permutation(20.0 * np.arange(len(asked)))
    search.tell(CandidateScores(fitness, np.zeros((len(asked), 1))))
    for group, rows in enumerate(search.groups):
        best = rows.start + np.argsort(-fitness[rows])[: search.n_elites]
        assert search.n_elites == 2
        assert search.elites(group).weights.tobytes() == asked.weights[best].tobytes()
    other.restore(search.state())
    assert other.ask().weights.tobytes() == search.ask().weights.tobytes()
