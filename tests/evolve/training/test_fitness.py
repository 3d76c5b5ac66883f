"""Fitness functions and the wins between players."""

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import agents
import nlhe_env
from evolve.training.fitness import (
    FITNESS,
    HandsWonFitness,
    MeanMoneyFitness,
    ScoreFitness,
    SharingFitness,
    earnings_by_opponent,
    majority,
    mix_places,
    normalised_earnings,
    places_by_hands_won,
    ratios,
    shared_fitness,
    win_percentages,
)
from nlhe_env.game.style_counts import N_STYLE_COUNTS


def results(places, **gains) -> agents.Tally:
    """The tally of some tournaments, zero where nothing is given."""
    points = np.rint(2 * np.array(places, np.float64)).astype(np.int64)
    names = ("hands_won", "chips_won", "showdowns_lost", "chips_lost")
    given = {name: np.array(gains.get(name, np.zeros_like(points)), np.int64) for name in names}
    n = len(points)
    counts = {"hands": np.full(n, 10), "decisions": np.full(n, 100)}
    rows = agents.Rows(points, **counts, **given, first_style=np.zeros((n, N_STYLE_COUNTS), int))
    tally = agents.Tally.of_points(points, unit=Fraction(1, 2), lower_is_better=True)
    return replace(tally, rows=rows)


def test_hands_won_mixes_two_places_as_published():
    # Thesis, eq. 4.13 at 50%: places 1 and 2, fifth and second by hands won.
    assert mix_places(np.array([1.0, 2.0]), np.array([5.0, 2.0]), weight=0.5).tolist() == [3.0, 2.0]
    places = [[1.0, 2.0, 3.0, 4.0, 5.0]]
    fitness = HandsWonFitness().measure(results(places, hands_won=[[0, 8, 9, 5, 6]]))
    assert fitness.values.tolist() == [3.0, 2.0, 2.0, 4.0, 4.0]
    assert fitness.ranking().tolist() == [1, 2, 0, 3, 4]
    assert np.isnan(fitness.errors).all()


def test_equal_numbers_of_hands_share_the_mean_place():
    assert places_by_hands_won(np.array([[7, 3, 7, 1], [0, 0, 0, 0]])).tolist() == [
        [1.5, 3.0, 1.5, 4.0],
        [2.5, 2.5, 2.5, 2.5],
    ]


def test_without_weight_hands_won_is_the_mean_place():
    rng = np.random.default_rng(1)
    places = np.argsort(rng.random((20, 9)), axis=1) + 1.0
    played = results(places, hands_won=rng.integers(0, 9, (20, 9)))
    plain = ScoreFitness().measure(played)
    mixed = HandsWonFitness(hands_won_weight=0.0).measure(played)
    np.testing.assert_array_equal(plain.values, mixed.values)
    assert HandsWonFitness(hands_won_weight=0.0).picks(played) is None
    np.testing.assert_allclose(plain.errors, mixed.errors)
    np.testing.assert_allclose(plain.errors, places.std(axis=0, ddof=1) / np.sqrt(20))


def test_mean_money_is_gain_per_win_minus_loss_per_lost_showdown():
    fitness = MeanMoneyFitness().measure(
        results(
            [[1, 2, 3], [1, 2, 3]],
            hands_won=[[2, 0, 0], [3, 0, 1]],
            chips_won=[[100, 0, 0], [400, 0, 50]],
            showdowns_lost=[[1, 0, 1], [1, 0, 1]],
            chips_lost=[[30, 0, 100], [50, 0, 300]],
        )
    )
    assert fitness.values.tolist() == [500 / 5 - 80 / 2, 0.0, 50.0 - 200.0]
    assert fitness.ranking().tolist() == [0, 1, 2]
    assert fitness.costs.tolist() == [-60.0, 0.0, 150.0]


def test_the_error_of_a_ratio_matches_repeated_samples():
    rng = np.random.default_rng(2)
    n, samples = 200, 2000
    counts = rng.poisson(5.0, (n, samples)) + 1
    amounts = counts * 20 + rng.integers(-50, 50, (n, samples))
    ratio, errors = ratios(amounts, counts)
    assert ratio.std() == pytest.approx(errors.mean(), rel=0.05)


def test_beating_rarely_beaten_players_scores_more():
    # 0 beats 1 and 2; 1 beats 3; 2 beats 3. Two players beat 3, so it counts a half for each.
    beats = np.zeros((4, 4), bool)
    beats[[0, 0, 1, 2], [1, 2, 3, 3]] = True
    assert shared_fitness(beats).tolist() == [2.0, 0.5, 0.5, 0.0]


def test_sharing_can_rank_differently_from_the_mean_place():
    # Player 0 is first or last: ahead of every player in most tournaments, behind on average.
    places = [[1, 2, 3, 4]] * 6 + [[4, 1, 2, 3]] * 5
    played = results(places)
    assert ScoreFitness().measure(played).ranking()[0] == 1
    assert SharingFitness().measure(played).ranking()[0] == 0


def test_majority_counts_tournaments_and_may_cycle():
    rng = np.random.default_rng(3)
    places = rng.integers(1, 6, (15, 8)) / 2 + 0.5
    beats = majority(places)
    for i in range(8):
        for j in range(8):
            ahead = (places[:, i] < places[:, j]).sum()
            assert beats[i, j] == (ahead > (places[:, i] > places[:, j]).sum())
    seating_order = majority(np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2]]))
    assert seating_order.tolist() == [
        [False, True, False],
        [False, False, True],
        [True, False, False],
    ]


def test_counting_all_pairs_takes_about_a_second():
    places = np.argsort(np.random.default_rng(4).random((500, 2000)), axis=1) + 1.0
    majority(places[:2])  # compiles
    start = time.process_time()
    majority(places)
    assert time.process_time() - start < 20  # measured 0.2; the machine may be busy


def test_the_phantom_player_gives_the_published_percentages():
    # Thesis, table 4.15: agent 1 beats 2, 3 and 4; 2 beats 3 and 4; 3 beats 4.
    beats = np.triu(np.ones((4, 4), bool), 1)
    assert win_percentages(beats).round().tolist() == [75.0, 67.0, 33.0, 25.0]


def test_the_phantom_is_left_out_without_an_unbeaten_player():
    seating_order = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], bool)
    assert win_percentages(seating_order).tolist() == [50.0, 50.0, 50.0]
    assert win_percentages(np.zeros((3, 3), bool)).tolist() == [50.0, 50.0, 50.0]


SHIPPED = [name for name, kind in FITNESS.items() if kind.__module__.startswith("evolve.")]
"""Without those of tests."""


@pytest.mark.parametrize("name", SHIPPED)
def test_every_fitness_ranks_real_tournaments(name):
    batch = agents.pack_players([agents.make(name) for name in agents.names(compiled=True)])
    game, schedule = nlhe_env.Game.tournament(), agents.Tournaments(30)
    played = agents.play(batch, schedule, game, seed=1, rows=FITNESS[name]().needs_rows)
    fitness = FITNESS[name]().measure(played)
    assert sorted(fitness.ranking().tolist()) == list(range(len(batch)))
    assert np.isfinite(fitness.values).all()
    assert np.isnan(fitness.errors).all() == (name == "sharing")


def test_only_the_mean_place_needs_no_rows():
    assert not ScoreFitness().needs_rows
    assert ScoreFitness(phantom=True).needs_rows
    assert ScoreFitness(champion_criterion="hands").needs_rows
    assert all(FITNESS[name]().needs_rows for name in ("hands_won", "mean_money", "sharing"))
    with pytest.raises(ValueError, match="without rows"):
        HandsWonFitness().measure(results([[1, 2], [2, 1]]).without_rows())


def test_champions_may_be_selected_by_hands_won():
    played = results([[1, 2, 3], [2, 1, 3]], hands_won=[[4, 0, 3], [0, 2, 3]])
    assert ScoreFitness().picks(played) is None
    assert ScoreFitness(champion_criterion="hands").picks(played).tolist() == [4.0, 2.0, 6.0]


def test_earnings_are_scaled_by_the_largest_win_against_each_opponent():
    # Three candidates, four blocks against the opponents 5, 2, 5, 2; a big blind is 100.
    scores = np.array(
        [[900.0, 40.0, 100.0, 20.0], [500.0, -40.0, 0.0, 0.0], [-2000.0, 30.0, 0.0, 10.0]]
    )
    met = np.array([5, 2, 5, 2])
    earnings = earnings_by_opponent(scores, met)
    assert earnings.tolist() == [[60.0, 1000.0], [-40.0, 500.0], [40.0, -2000.0]]
    # No player won a big blind from opponent 2.
    expected = [(0.6 + 1.0) / 2, (-0.4 + 0.5) / 2, (0.4 - 2.0) / 2]
    assert normalised_earnings(earnings, 100.0).tolist() == pytest.approx(expected)
    hands = np.array([4, 4])
    assert FITNESS["normalised"]().of_earnings(earnings, hands, 100.0).tolist() == pytest.approx(
        expected
    )


def test_the_root_of_earnings_limits_the_weight_of_one_opponent():
    # Sums of chips in 10 hands against the first opponent, 20 against the second.
    earnings = np.array([[8000.0, 0.0], [24_000.0, 16_000.0], [-24_000.0, -16_000.0]])
    hands = np.array([10, 20])
    fitness = FITNESS["square_root"]().of_earnings(earnings, hands, 100.0)
    assert fitness.tolist() == [1.0, 3.0, -3.0]  # 8 and 0, 24 and 8 big blinds a hand, and so lost
