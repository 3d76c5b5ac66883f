"""Standings of candidates and which of them race on."""

import numpy as np
import pytest

from evolve.training.block_schedule import RaceStanding


def test_only_candidates_near_the_cutoff_keep_racing():
    rng = np.random.default_rng(1)
    skill = np.array([9.0, 5.1, 1.0, 5.0, -4.0, 4.9])
    scores = skill[:, np.newaxis] + rng.normal(0.0, 1.0, (6, 50)) + rng.normal(0.0, 30.0, 50)
    standing = RaceStanding.of(scores)
    assert standing.undecided(2, 2.0).tolist() == [1, 3, 5]
    assert standing.undecided(1, 2.0).tolist() == []
    assert standing.undecided(5, 2.0).tolist() == []


def test_racing_spends_games_on_close_candidates():
    # Selection of the two best of four, of which three are nearly alike.
    rng = np.random.default_rng(2)
    skill = np.array([3.0, 1.0, 0.8, 0.6])
    right = {0: 0, 3: 0}
    for _ in range(300):

        def play(players, skill=skill):
            return skill[players, np.newaxis] + rng.normal(0.0, 1.0, (len(players), 20))

        standing = RaceStanding.of(play(np.arange(4)))
        for rounds in right:
            for _ in range(rounds):
                racers = standing.undecided(2, 2.0)
                if not len(racers):
                    break
                assert 0 not in racers or len(racers) == 4
                standing = standing.after_round(racers, play(racers))
            right[rounds] += set(np.argsort(-standing.means)[:2]) == {0, 1}
    assert right[3] > right[0] + 30


def test_hard_blocks_do_not_count_against_racers():
    scores = np.array([[5.0, 5.2], [4.0, 4.4], [3.0, 3.4], [0.0, 0.1]])
    after = RaceStanding.of(scores).after_round(
        np.array([1, 2]), np.array([[-100.0, -100.0], [-98.0, -98.0]])
    )
    # They were 4.2 and 3.2 before: 3.7 in the mean, and a block apart by -2 then.
    np.testing.assert_allclose(after.means, [5.1, 3.45, 3.95, 0.05])
    assert after.racers.tolist() == [1, 2]


def test_errors_exclude_common_variation():
    rng = np.random.default_rng(3)
    common = rng.normal(0.0, 100.0, 400)
    scores = common + rng.normal(0.0, 2.0, (50, 400))
    assert RaceStanding.of(scores).errors.mean() == pytest.approx(2.0 / 20.0, rel=0.1)


def test_equal_candidates_do_not_race():
    scores = np.tile(np.arange(10.0), (4, 1))
    assert RaceStanding.of(scores).undecided(2, 3.0).tolist() == []


TWO_GROUPS = (slice(0, 3), slice(3, 6))


def test_every_group_has_its_own_cutoff():
    # Ranked together the border after two would lie inside of the first group alone.
    rng = np.random.default_rng(4)
    skill = np.array([19.0, 15.1, 15.0, -1.0, -5.0, -5.1])
    scores = skill[:, np.newaxis] + rng.normal(0.0, 1.0, (6, 50))
    standing = RaceStanding.of(scores, TWO_GROUPS)
    assert standing.undecided(2, 2.0).tolist() == [1, 2, 4, 5]
    assert standing.undecided(1, 2.0).tolist() == []
    # Whose group has left the race does not come back.
    after = standing.after_round(np.array([4, 5]), np.zeros((2, 50)))
    assert after.undecided(2, 9.0).tolist() == [4, 5]


def test_no_candidate_is_undecided_when_all_are_selected():
    for groups in ((), TWO_GROUPS):
        for n_selected in (6, 7):
            assert RaceStanding.of(np.eye(6), groups).undecided(n_selected, 9.0).tolist() == []
    assert RaceStanding.of(np.eye(6), TWO_GROUPS).undecided(3, 9.0).tolist() == []


def test_a_hard_opponent_pool_does_not_bias_its_lineage():
    scores = np.tile([[4.0], [2.0], [0.0]], (2, 2))
    racers, hard = np.array([0, 1, 4, 5]), np.array([[-90.0], [-92.0], [61.0], [59.0]])
    after = RaceStanding.of(scores, TWO_GROUPS).after_round(racers, hard.repeat(2, axis=1))
    # In its own group each did as well as before, however hard its opponents were.
    np.testing.assert_allclose(after.means, [4.0, 2.0, 0.0, 4.0, 2.0, 0.0])
