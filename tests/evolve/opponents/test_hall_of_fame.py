"""Filling, replacement and ranks of the hall of fame."""

import numpy as np
import pytest

from evolve.genomes.networks import Networks
from evolve.opponents.hall_of_fame import REPLACEMENTS, HallOfFame, ranks_inside, spread_evenly

HALL = [2, 6, 9, 12, 15]


def replaced(procedure: str, elites: list[int]) -> list[int]:
    members = list(HALL)
    for member, elite in REPLACEMENTS[procedure](HALL, elites, kept=len(elites)):
        members[member] = elites[elite]
    return members


@pytest.mark.parametrize(
    ("procedure", "elites", "after"),
    [
        ("block", [1, 4, 13], [2, 6, 1, 4, 13]),
        ("block", [8, 14, 16], [2, 6, 8, 12, 14]),
        ("worst_first", [8, 14, 16], [2, 6, 9, 12, 8]),
        ("worst_first", [1, 4, 13], [2, 6, 9, 4, 1]),
        ("worst_first", [1, 3, 5], [2, 6, 5, 3, 1]),
    ],
)
def test_replacement_of_a_full_hall(procedure, elites, after):
    assert replaced(procedure, elites) == after


@pytest.mark.parametrize("procedure", REPLACEMENTS)
def test_an_equal_place_replaces_no_member(procedure):
    assert replaced(procedure, [12, 15, 15])[:4] == HALL[:4]
    assert REPLACEMENTS[procedure]([3, 3], [3, 3], kept=2) == []


def test_ranks_inside_the_hall_are_as_published():
    # Thesis table 4.14: agents 5, 102, 507 and 615, the last two in the hall.
    ranks = ranks_inside(np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, False, True, True]))
    assert ranks.tolist() == [-1, -1, 1, 2]


def networks(*values: float) -> Networks:
    weights = np.repeat(np.array(values, np.float32)[:, np.newaxis], 825, axis=1)
    return Networks.of_shape(weights, (20,), "features")


def filled(*values: float) -> HallOfFame:
    return HallOfFame(networks(*values), np.ones(len(values), np.int64))


def after(
    hall: HallOfFame, generation: int, costs, elites, elite_costs, capacity: int, **options
) -> HallOfFame:
    """A hall after a generation with these costs; elites are given by their weights."""
    costs, elite_costs = np.array(costs, np.float64), np.array(elite_costs, np.float64)
    given = {"costs": costs, "elites": networks(*elites), "elite_costs": elite_costs, **options}
    return hall.after_generation(generation, capacity=capacity, **given)


def first_weights(hall: HallOfFame) -> list[float]:
    return hall.genomes.weights[:, 0].tolist()


def test_a_hall_of_ten_times_the_elites_is_full_after_ten_generations():
    hall, sizes = HallOfFame(networks()), []
    for generation in range(1, 13):
        hall = after(hall, generation, [5] * len(hall), [generation, generation + 0.5], [1, 2], 20)
        sizes.append(len(hall))
    assert sizes == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 20, 20]
    assert np.count_nonzero(hall.entered == 12) == 2


def test_the_best_elites_fill_the_remaining_capacity():
    hall = after(filled(1.0), 2, [9], [2, 3], [1, 2], 2)
    assert first_weights(hall) == [1.0, 2.0]
    assert hall.entered.tolist() == [1, 2]


def test_replacement_visits_members_in_order_of_their_places():
    hall = filled(10.0, 20.0, 30.0)
    changed = after(hall, 2, [8, 1, 4], [40], [3], 3)
    assert first_weights(changed) == [20.0, 30.0, 40.0]
    assert changed.entered.tolist() == [1, 1, 2]
    assert first_weights(hall) == [10.0, 20.0, 30.0]


def test_an_elite_may_enter_again():
    assert first_weights(after(filled(1.0), 2, [2], [1, 2], [1, 2], 10)) == [1.0, 1.0, 2.0]


# Whom a hall keeps.


def grown(generations: int, **options) -> HallOfFame:
    """A hall after some generations of two elites, the later the better; all outrank it."""
    hall = HallOfFame(networks())
    for generation in range(1, generations + 1):
        elites = [generation, generation + 0.5]
        hall = after(hall, generation, 1000.0 - hall.entered, elites, [1, 2], **options)
    return hall


def entered(hall: HallOfFame) -> list[int]:
    return sorted(hall.entered.tolist())


def test_the_verbatim_replacement_forgets_the_first_generations():
    assert 1 not in entered(grown(12, capacity=10))


@pytest.mark.parametrize("replace", REPLACEMENTS)
@pytest.mark.parametrize("early", [1, 3, 5])
def test_the_first_generations_stay_for_good(early, replace):
    hall = grown(40, capacity=10, retention="keep-early", early=early, replace=replace)
    assert len(hall) == 10
    kept = [generation for generation in entered(hall) if generation <= early]
    assert kept == sorted([*range(1, early + 1)] * 2)
    others = [generation for generation in entered(hall) if generation > early]
    assert all(generation > 30 for generation in others)  # for them the procedure goes on


def test_keeping_every_member_keeps_all_generations():
    assert entered(grown(30, capacity=10, retention="all")) == sorted([*range(1, 31)] * 2)


@pytest.mark.parametrize("generations", [5, 6, 7, 10, 33, 200])
def test_a_uniform_hall_has_as_many_of_every_generation(generations):
    hall = grown(generations, capacity=10, retention="uniform")
    assert len(hall) == 10
    found, counts = np.unique(hall.entered, return_counts=True)
    assert (found[0], found[-1]) == (1, generations)
    if generations <= 10:
        assert found.tolist() == [*range(1, generations + 1)]
        assert counts.max() - counts.min() <= 1
    else:
        gaps = np.diff(found)
        assert gaps.max() <= 3 * gaps.min() + 1


def test_the_better_members_of_a_generation_stay():
    entered = np.array([1, 2, 1, 2, 1, 2])
    assert spread_evenly(entered, 4).tolist() == [0, 1, 2, 3]
    assert spread_evenly(entered, 2).tolist() == [0, 1]
    assert spread_evenly(entered, 1).tolist() == [1]
