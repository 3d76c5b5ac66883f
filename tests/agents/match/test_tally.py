"""Tallies: exact sums, and what is read from them."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import agents
import nlhe_env
from agents import Tally
from agents.match.tally import Rows
from nlhe_env import Game

POINTS = arrays.arrays(
    np.int64,
    st.tuples(st.integers(2, 30), st.integers(2, 5)),
    elements=st.integers(-(10**6), 10**6),
)


def tally_of(points, *, unit=Fraction(1), lower_is_better=False) -> Tally:
    return Tally.of_points(np.asarray(points, np.int64), unit=unit, lower_is_better=lower_is_better)


@given(POINTS)
def test_means_and_errors_match_the_scores(points):
    tally = tally_of(points, unit=Fraction(1, 18))
    scores = points / 18
    n = len(points)
    np.testing.assert_allclose(tally.scores, scores.mean(axis=0), rtol=1e-9, atol=1e-9)
    deviations = scores.std(axis=0, ddof=1)
    np.testing.assert_allclose(tally.deviations, deviations, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(tally.errors, deviations / math.sqrt(n), rtol=1e-6, atol=1e-6)
    mean, error = tally.difference(0, 1)
    gaps = scores[:, 0] - scores[:, 1]
    assert mean == pytest.approx(gaps.mean(), rel=1e-9, abs=1e-9)
    assert error == pytest.approx(gaps.std(ddof=1) / math.sqrt(n), rel=1e-6, abs=1e-6)


@given(POINTS, st.integers(0, 30))
def test_parts_add_up_to_the_whole(points, cut):
    whole, first, second = tally_of(points), tally_of(points[:cut]), tally_of(points[cut:])
    for joined in (first + second, second + first):
        assert joined.count == len(points)
        for name in ("counts", "totals", "squares", "products", "ahead"):
            np.testing.assert_array_equal(getattr(joined, name), getattr(whole, name))


def test_sums_stay_exact_beyond_64_bits():
    half = tally_of([[2**31, -(2**31)]] * 2)
    total = half + half
    for _ in range(40):
        total = total + total
    assert total.squares[0] == 2**62 * total.count
    assert total.products is not None
    assert total.products[0, 1] == -(2**62) * total.count
    assert total.errors.tolist() == [0.0, 0.0]


def test_sums_of_many_rows_are_exact_where_each_square_fits_64_bits():
    tally = tally_of([[2**30, -(2**30)]] * 16)
    assert tally.squares.tolist() == [2**64] * 2
    assert tally.products is not None
    assert tally.products[0, 1] == -(2**64)


def test_groups_count_by_their_mean_score():
    points = np.array([[1, 2, 3, 4], [5, 0, 2, 9]])
    rows = Rows(points, *(np.zeros(shape, np.int64) for shape in (2, 2, *[(2, 4)] * 5)))
    tally = replace(tally_of(points, unit=Fraction(1, 10)), rows=rows)
    groups = tally.of_groups([[0, 3], [1, 2]])
    assert groups.unit == Fraction(1, 20)
    assert groups.totals.tolist() == [19, 7]
    assert groups.products is not None
    assert groups.products.tolist() == [[25 + 196, 25 + 28], [25 + 28, 25 + 4]]
    assert groups.scores.tolist() == pytest.approx([19 / 40, 7 / 40])
    with pytest.raises(ValueError, match=r"groups must all have the same size; got \[1, 3\]"):
        tally.of_groups([[0], [1, 2, 3]])


def test_adjusted_results_and_those_as_the_cards_fell_are_scored_in_one_unit():
    plain = tally_of([[4, 8]], unit=Fraction(1, 2))
    adjusted = replace(tally_of([[30, 90]], unit=Fraction(1, 20)), plain=plain)
    scored = adjusted.scored_in(Fraction(1, 4))
    assert (scored.unit, scored.plain.unit) == (Fraction(1, 40), Fraction(1, 4))
    assert plain.scored_in(Fraction(1, 4)).unit == Fraction(1, 4)


def test_a_player_differs_from_itself_by_nothing():
    assert tally_of([[1, 2], [5, 2]]).difference(1, 1) == (0.0, 0.0)


@pytest.mark.parametrize("players", [2, 10, 11])
def test_pairs_are_summed_of_fields_that_fit_at_one_table(players):
    tally = agents.play(
        ["caller"] * players, agents.Tournaments(1), Game.tournament(num_hands=1), seed=1
    )
    assert (tally.products is not None) == (tally.ahead is not None) == (players <= 10)


def test_ahead_follows_the_score_direction_of_the_game():
    points = [[3, 1, 1], [4, 6, 1]]
    assert tally_of(points).ahead.tolist() == [[0, 2, 4], [2, 0, 3], [0, 1, 0]]
    places = tally_of(points, lower_is_better=True)
    assert places.ahead.tolist() == [[0, 2, 0], [2, 0, 1], [4, 3, 0]]


def test_lineup_tallies_count_only_participants():
    lineups, points = np.array([[0, 3], [1, 3], [3, 3]]), np.array([[5, -5], [7, -7], [2, -2]])
    tally = Tally.of_lineups(
        points,
        lineups,
        unit=Fraction(1, 10),
        lower_is_better=False,
        hands=0,
        decisions=0,
        style_counts=np.zeros((4, 12), np.int64),
    )
    assert tally.counts.tolist() == [1, 1, 0, 4]
    np.testing.assert_allclose(tally.scores, [0.5, 0.7, np.nan, -0.3])
    assert tally.squares[3] == 25 + 49 + 4 + 4
    assert np.isnan(tally.errors[:3]).all()
    assert [tally.estimate(player).count for player in range(4)] == [1, 1, 0, 4]
    with pytest.raises(ValueError, match="no pair sums"):
        tally.difference(0, 1)


def test_tallies_of_different_games_cannot_be_added():
    one = tally_of([[1, 2]])
    for other in (
        tally_of([[1, 2]], unit=Fraction(1, 2)),
        tally_of([[1, 2]], lower_is_better=True),
        tally_of([[1, 2, 3]]),
    ):
        with pytest.raises(ValueError, match="tallies differ in"):
            one + other


def test_a_single_unit_has_no_error():
    tally = tally_of([[1, 2]])
    assert np.isnan(tally.errors).all()
    assert math.isnan(tally.difference(0, 1)[1])


def test_statistics_that_were_not_requested_are_refused():
    with pytest.raises(ValueError, match="rows=True"):
        _ = tally_of([[1, 2]]).row_scores


def test_the_covariance_of_the_means_is_that_of_the_scores():
    points = np.random.default_rng(0).integers(-500, 500, (60, 4))
    tally = Tally.of_points(points, unit=Fraction(1, 7), lower_is_better=False)
    np.testing.assert_allclose(tally.covariance, np.cov(points.T / 7.0) / 60)
    assert np.sqrt(np.diag(tally.covariance)) == pytest.approx(tally.errors)
    assert np.isnan(Tally.of_points(points[:1], unit=1, lower_is_better=False).covariance).all()


# --- blocks of cash games -------------------------------------------------------------------------


CASH = nlhe_env.Game.cash()


def play(*names: str, count: int, game: nlhe_env.Game = CASH, seed: int = 1) -> agents.Tally:
    batch = agents.pack_players([agents.make(name) for name in names])
    return agents.play(batch, agents.Blocks(count), game, seed=seed, rows=True)


@pytest.mark.parametrize("name", ["caller", "folder"])
@pytest.mark.parametrize("n_players", [2, 3, 7, 10])
def test_identical_players_win_exactly_zero(name, n_players):
    tally = play(*[name] * n_players, count=30)
    assert (tally.rows.points == 0).all()
    assert tally.hands == 30 * n_players * 20


def test_chips_of_a_block_sum_to_zero_and_are_not_all_zero():
    tally = play("random", "raiser", "old-best", "caller", "folder", count=50)
    chips = tally.rows.points
    assert (chips.sum(axis=1) == 0).all()
    assert (chips[:, 0] != 0).all()
    assert tally.decisions > tally.hands


def test_folder_pays_its_blinds_and_nothing_else():
    # Six-handed against raisers, every orbit costs the small and the big blind; a session of six
    # hands is one orbit, and a block six of them.
    game = nlhe_env.Game.cash(num_hands=6)
    tally = play("folder", *["raiser"] * 5, count=20, game=game)
    assert (tally.rows.points[:, 0] == -6 * 150).all()


def test_two_folders_exchange_the_blinds():
    game = nlhe_env.Game.cash(blinds=(50, 100, 10), num_hands=1)
    totals = play("folder", "caller", count=1000, game=game).totals
    # The folder gives up its small blind and the ante; in the big blind it checks and sometimes
    # wins what the caller limped in with.
    assert totals.sum() == 0
    assert -60 * 2 * 1000 < totals[0] < 0


def test_seeds_and_blocks_differ():
    first = play("random", "raiser", count=2).rows.points
    second = play("random", "raiser", count=2, seed=2).rows.points
    assert (first[0] != first[1]).any()
    assert (first != second).any()


def test_stacks_are_reset_before_every_hand():
    # No player can lose more than a stack in a hand, however long the session.
    game = nlhe_env.Game.cash(starting_stack=500, num_hands=50)
    chips = play("random", "raiser", count=20, game=game).rows.points
    assert np.abs(chips).max() <= 500 * 50 * 2
    assert np.abs(chips).max() > 500


def test_sessions_of_a_block_deal_the_same_cards_to_the_same_seats():
    # Callers show down every hand: in a block the chips of all sessions cancel exactly only if
    # each of them replays the same cards; without rotation a session alone does not.
    env = nlhe_env.raw_env(3, mode="cash", starting_stack=10_000, blinds=(50, 100), num_hands=20)
    totals = agents.play_episode(
        env, {agent: agents.make("caller") for agent in env.possible_agents}, seed=3
    )
    assert any(totals.values())
    assert not play("caller", "caller", "caller", count=1, seed=3).rows.points.any()
