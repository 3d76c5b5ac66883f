"""The independent chip model, against all orders of finishing."""

from itertools import permutations
from math import prod

import numpy as np
import pytest

from agents.solvers import icm_equities


def by_all_orders(stacks, prizes):
    """Expected prizes, order by order."""
    expected = np.zeros(len(stacks))
    for order in permutations(range(len(stacks))):
        left = [sum(stacks[player] for player in order[place:]) for place in range(len(order))]
        chance = prod(stacks[player] / chips for player, chips in zip(order, left, strict=True))
        for player, prize in zip(order, prizes, strict=False):
            expected[player] += chance * prize
    return expected


def test_a_worked_example():
    found = icm_equities([5000, 3000, 2000], [50, 30, 20])
    assert found.dtype == np.float64
    assert found.round(2).tolist() == [38.39, 32.75, 28.86]
    # By hand: the first place with 1/2, 3/10, 1/5; the second after each other winner.
    second = 0.3 * 5 / 7 + 0.2 * 5 / 8
    assert found[0] == pytest.approx(0.5 * 50 + second * 30 + (0.5 - second) * 20)


@pytest.mark.parametrize(
    ("stacks", "prizes"),
    [
        ([5000, 3000, 2000], [50, 30, 20]),
        ([1, 2, 3, 4, 5, 6, 7], [50, 25, 15, 10]),
        ([900, 10, 10, 80], [100]),
        ([300, 200, 500, 100], [4, 3, 3, 1]),
        ([10, 30], [7, 2]),
        ([5], [9]),
        ([8, 3, 2], []),
    ],
)
def test_equities_are_those_of_all_orders_of_finishing(stacks, prizes):
    expected = by_all_orders(stacks, prizes)
    np.testing.assert_allclose(icm_equities(stacks, prizes), expected, rtol=1e-12, atol=1e-15)


def test_equities_sum_to_the_prizes_and_grow_with_the_stack():
    rng = np.random.default_rng(1)
    for n in range(2, 11):
        stacks = np.sort(rng.integers(1, 10_000, n))
        prizes = np.sort(rng.random(rng.integers(1, n + 1)))[::-1]
        found = icm_equities(stacks, prizes)
        assert found.sum() == pytest.approx(prizes.sum(), rel=1e-12)
        assert (np.diff(found) >= -1e-12).all()


def test_equal_stacks_share_equally():
    np.testing.assert_allclose(icm_equities([700] * 10, [50, 30, 20]), 10.0)
    found = icm_equities([40, 10, 40, 10], [5, 3])
    assert found[0] == pytest.approx(found[2])
    assert found[1] == pytest.approx(found[3])


def test_one_prize_is_won_in_proportion_to_chips_in_any_unit():
    np.testing.assert_allclose(icm_equities([6, 3, 1], [10]), [6, 3, 1])
    np.testing.assert_allclose(icm_equities([1e308, 1e308], [1]), [0.5, 0.5])


def test_players_without_chips_share_the_last_places():
    expected = [*icm_equities([60, 40], [50, 30]), 10.0, 10.0]
    np.testing.assert_allclose(icm_equities([60, 40, 0, 0], [50, 30, 20]), expected)


@pytest.mark.parametrize(
    ("stacks", "prizes", "words"),
    [
        ([], [], "stacks must be those of 1 to 10 players; got 0"),
        ([1] * 11, [1], "stacks must be those of 1 to 10 players; got 11"),
        ([0, 0], [1], "stacks must not all be 0"),
        ([1, -1], [1], "stacks must be finite numbers of at least 0"),
        ([1, np.nan], [1], "stacks must be finite numbers"),
        ([[1, 2]], [1], r"stacks must be numbers of shape \(any,\)"),
        ([1, 2], [3, 2, 1], "prizes must be at most one for each of 2 players; got 3"),
        ([1, 2], [1, 2], "prizes must be in descending order"),
        ([1, 2], [-1], "prizes must be finite numbers of at least 0"),
        ("ab", [1], "stacks must be numbers"),
    ],
)
def test_impossible_arguments_are_named(stacks, prizes, words):
    with pytest.raises(ValueError, match=words):
        icm_equities(stacks, prizes)
