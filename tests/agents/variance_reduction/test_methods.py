"""Variance reduction during play: the same hands, other sums."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_equal

import agents
import nlhe_env
from agents.match.environment import play_in_environment
from agents.variance_reduction.methods import estimator_of
from nlhe_env.assessment.estimators.divat import assess_hand, new_state
from nlhe_env.assessment.estimators.divat_roe import roll_boards
from nlhe_env.assessment.estimators.estimator import estimate_hand
from nlhe_env.hand_history import Hand, play_hand, read_hands
from nlhe_env.jit.compilation import kernel

GAME = nlhe_env.Game.cash(starting_stack=2000)
WILD = ("push-or-fold", "hothead-maniac", "random", "raiser", "old-best")


def make(*names: str) -> list[agents.Player]:
    return [agents.make(name) for name in names]


def played(names, schedule, game=GAME, *, seed, by="all-in", **more) -> agents.Tally:
    """The tally of a match of named players, with its rows, by a method of variance reduction."""
    more = {"rows": True, "variance_reduction": by, **more}
    return agents.play(make(*names), schedule, game, seed=seed, **more)


SCHEDULES = {
    "blocks": agents.Blocks(12),
    "lineups": agents.LineupBlocks(
        np.array([[0, 1, 2], [3, 1, 4], [2, 2, 0]]), np.array([0, 0, 7])
    ),
    "tournaments": agents.Tournaments(12),
}


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
def test_variance_reduction_does_not_change_play(schedule):
    plain, reduced = (played(WILD, schedule, seed=3, by=by) for by in ("none", "all-in"))
    assert_equal(reduced.plain, plain)
    assert reduced.unit == plain.unit / 65_536
    assert reduced.totals.sum() == 0
    assert (reduced.rows.points != 65_536 * plain.rows.points).any()


def test_parts_of_a_schedule_add_up():
    players = agents.pack_players(make(*WILD))
    whole = agents.play(players, agents.Blocks(9), GAME, seed=3, variance_reduction="all-in")
    parts = [
        agents.play(players, agents.Blocks(n, first), GAME, seed=3, variance_reduction="all-in")
        for first, n in ((5, 4), (0, 2), (2, 3))
    ]
    total = parts[0] + parts[1] + parts[2]
    np.testing.assert_array_equal(total.totals, whole.totals)
    np.testing.assert_array_equal(total.products, whole.products)
    np.testing.assert_array_equal(total.plain.squares, whole.plain.squares)


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
def test_both_backends_give_the_same_estimates(schedule):
    inside = played(WILD, schedule, seed=4)
    outside = play_in_environment(
        make(*WILD), schedule, GAME, seed=4, rows=True, variance_reduction="all-in"
    )
    assert_equal(inside.plain, outside.plain)
    np.testing.assert_array_equal(inside.rows.points, outside.rows.points)


def test_identical_players_still_win_exactly_zero():
    tally = played(["push-or-fold"] * 3, agents.Blocks(50), seed=1)
    assert (tally.plain.rows.points == 0).all()
    assert (tally.rows.points == 0).all()


@pytest.mark.parametrize(
    "names", [("push-or-fold", "hothead-maniac"), pytest.param(WILD, marks=pytest.mark.slow)]
)
def test_the_mean_is_unchanged_and_the_deviation_falls(names):
    blocks = 2000 if len(names) == 2 else 150
    tally = played(names, agents.Blocks(blocks), seed=9)
    assert (tally.deviations < 0.9 * tally.plain.deviations).all()
    difference = tally.row_scores - tally.plain.row_scores
    errors = difference.std(axis=0, ddof=1) / np.sqrt(blocks)
    assert (np.abs(difference.mean(axis=0)) < 4 * errors).all()


def test_groups_and_units_keep_the_plain_results():
    tally = played(WILD[:4], agents.Blocks(5), seed=1)
    groups = tally.of_groups([[0, 1], [2, 3]])
    assert groups.scores == pytest.approx(tally.scores.reshape(2, 2).mean(axis=1))
    assert groups.plain.scores == pytest.approx(tally.plain.scores.reshape(2, 2).mean(axis=1))
    scored = tally.scored_in(Fraction(1, 50))
    assert scored.scores == pytest.approx(tally.scores / 50)
    assert scored.plain.scores == pytest.approx(tally.plain.scores / 50)


def test_plain_and_reduced_tallies_do_not_mix():
    pair = "caller", "raiser"
    reduced, plain = (played(pair, agents.Blocks(2), seed=1, by=by) for by in ("all-in", "none"))
    with pytest.raises(ValueError, match="tallies differ in variance reduction: True and False"):
        reduced + plain


def test_chip_tournaments_are_supported_and_place_tournaments_are_not():
    chips = nlhe_env.Game.tournament(score="chips", starting_stack=300)
    names = "push-or-fold", "raiser", "caller"
    assert played(names, agents.Tournaments(20), chips, seed=1).totals.sum() == 0
    with pytest.raises(ValueError, match="scored in chips or big blinds; this one is scored by"):
        played(names, agents.Blocks(2), nlhe_env.Game.tournament(), seed=1)


def test_unknown_methods_and_too_many_chips_are_refused():
    names = "caller", "raiser"
    with pytest.raises(ValueError, match="variance_reduction must be one of"):
        played(names, agents.Blocks(2), seed=1, by="all")
    rich = nlhe_env.Game.cash(starting_stack=2**33)
    with pytest.raises(ValueError, match="at most 4294967296 chips in play"):
        played(names, agents.Blocks(2), rich, seed=1)


def test_running_the_board_twice_has_the_same_expectation():
    games = [nlhe_env.Game.cash(starting_stack=2000, num_hands=1, boards=n) for n in (1, 2)]
    names = "push-or-fold", "hothead-maniac"
    once, twice = (played(names, agents.Blocks(30), game, seed=3) for game in games)
    assert (once.plain.rows.points != twice.plain.rows.points).any()
    np.testing.assert_array_equal(once.rows.points, twice.rows.points)


def test_pots_are_divided_after_the_rake():
    game = nlhe_env.Game.cash(starting_stack=2000, rake=nlhe_env.Rake(share=0.05, cap=60))
    tally = played(WILD, agents.Blocks(10), game, seed=3)
    lost = tally.plain.rows.points.sum(axis=1)
    assert (lost < 0).all()
    np.testing.assert_array_equal(tally.rows.points.sum(axis=1), 65_536 * lost)


LIMIT = nlhe_env.Game.cash(betting="fixed-limit", blinds=(50, 100), score="big_blinds")


def test_divat_needs_a_sixth_of_the_hands_in_the_thesis_match():
    """Always Call against Always Raise: Billings, PhD thesis (2006), section 5.4.1.1."""
    game = replace(LIMIT, num_hands=1)
    names = "caller", "hothead-maniac"
    tally = played(names, agents.Tournaments(20_000), game, seed=5, by="divat")
    ties = np.mean(tally.plain.rows.points[:, 0] == 0)
    assert ties == pytest.approx(0.0407, abs=3 * (0.0407 / 20_000) ** 0.5)
    assert tally.plain.deviations[0] ** 2 == pytest.approx(49 * (1 - ties), abs=0.05)
    assert tally.plain.deviations[0] == pytest.approx(6.856, abs=0.05)
    assert tally.deviations[0] == pytest.approx(2.77, abs=0.06)
    for scores, errors in ((tally.scores, tally.errors), (tally.plain.scores, tally.plain.errors)):
        assert abs(scores[0]) < 4 * errors[0]
        assert scores[0] == -scores[1]


def test_duplicate_hands_reduce_variance_more_than_independent_hands():
    """Billings, section 5.4.1.3: the mean of a deal both ways round varies the least."""
    game, players = replace(LIMIT, num_hands=1), make("formula", "pot-odds")
    single = agents.play(players, agents.Tournaments(2_000), game, seed=5)
    duplicate = agents.play(players, agents.Blocks(1_000), game, seed=5)
    assert duplicate.hands == single.hands
    of_pair = duplicate.deviations[0] / 2
    assert single.deviations[0] ** 2 / 2 > 2 * of_pair**2


def test_divat_of_a_match_is_the_sum_of_its_hands():
    hands: list[nlhe_env.hand_history.Hand] = []
    players = make("pot-odds", "call-or-raise")
    tally = agents.play(
        players, agents.Blocks(3), LIMIT, seed=6, variance_reduction="divat", record=hands.append
    )
    total = 0.0
    for hand in hands:
        *_, last = nlhe_env.hand_history.play_hand(hand)
        value = nlhe_env.hand_divat(last.table).divat
        total += value if hand.players[0] == "player_0" else -value
    assert tally.totals[0] / 65_536 == pytest.approx(total, abs=len(hands) / 65_536)
    inside = agents.play(players, agents.Blocks(3), LIMIT, seed=6, variance_reduction="divat")
    np.testing.assert_array_equal(inside.totals, tally.totals)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["aie", "roe"])
def test_divat_averages_over_baselines(form):
    def points(by):
        names = "pot-odds", "call-or-raise"
        return played(names, agents.Tournaments(40), LIMIT, seed=6, by=by).rows.points

    loose, _, usual, _, tight = nlhe_env.Baseline.sweep()
    name = {"aie": "divat", "roe": "divat-roe"}[form]
    one = points(agents.Divat(form=form))
    np.testing.assert_array_equal(one, points(name))
    ends = [points(agents.Divat(baselines=(end,), form=form)) for end in (loose, tight)]
    both = agents.Divat(baselines=(loose, usual, tight), weights=(1, 2, 1), form=form)
    expected = (ends[0] + 2.0 * one + ends[1]) / 4
    assert (ends[0] != ends[1]).any()
    np.testing.assert_allclose(points(both), expected, atol=20 * 1.5)


def test_divat_settings_are_checked():
    with pytest.raises(ValueError, match="weights must be one for each of 1 baselines; got 2"):
        agents.Divat(weights=(1, 2))
    with pytest.raises(ValueError, match="baselines must not be empty"):
        agents.Divat(baselines=())
    with pytest.raises(ValueError, match="fixed-limit"):
        played(("caller", "folder"), agents.Blocks(1), seed=1, by=agents.Divat())


def test_divat_refuses_unsupported_games():
    for game in (
        GAME,
        replace(LIMIT, max_bets=3),
        nlhe_env.Game.cash(betting="fixed-limit", starting_stack=2000),
    ):
        with pytest.raises(ValueError, match="is for heads-up cash games with betting="):
            played(("caller", "raiser"), agents.Blocks(1), game, seed=1, by="divat")
    with pytest.raises(ValueError, match="variance_reduction='divat' is for 2 players; got 3"):
        played(WILD[:3], agents.Blocks(1), LIMIT, seed=1, by="divat")


@pytest.mark.slow
def test_divat_by_roll_outs_matches_single_hands():
    """After the flop all cards to come are counted; where only these streets differ, exactly."""
    hands: list[Hand] = []
    players = make("pot-odds", "caller")
    agents.play(players, agents.Blocks(4), LIMIT, seed=8, record=hands.append)
    estimator = estimator_of("divat-roe", LIMIT, 2)
    compared = 0
    for hand in hands:
        table = list(play_hand(hand))[-1].table
        rolled = nlhe_env.hand_divat(table, form="roe", flops=1)
        if rolled.streets[0].divat == 0.0:
            judge_tables(np.atleast_1d(table), estimator)
            assert estimator.adjusted[0] / 65_536 == pytest.approx(rolled.divat, abs=1e-4)
            assert estimator.adjusted[1] == -estimator.adjusted[0]
            compared += rolled.divat != 0.0
    assert compared > 20


def test_sampled_boards_have_the_mean_of_all_flops():
    """The example of the thesis: 0.2126 and 0.4146 small bets, by its own rules."""
    (hand,) = read_hands(EXAMPLE)
    table = np.atleast_1d(list(play_hand(hand))[-1].table)
    values = np.zeros((200, 2))
    roll_often(table, new_state(), values)
    errors = values.std(axis=0) / np.sqrt(len(values))
    assert (np.abs(values.mean(axis=0) / 10 - (0.2126, 0.4146)) < 4 * errors / 10).all()
    assert (errors < 0.7).all()


@pytest.mark.slow
def test_divat_by_roll_outs_has_no_bias():
    """Unequal players, of whom all-in equity says too little: see docs/variance-reduction.md."""
    game = replace(LIMIT, num_hands=1)
    names, schedule = ("pot-odds", "call-or-raise"), agents.Tournaments(6000)
    tally, aie = (played(names, schedule, game, seed=5, by=by) for by in ("divat-roe", "divat"))
    difference = tally.row_scores[:, 0] - tally.plain.row_scores[:, 0]
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(len(difference))
    assert tally.deviations[0] < 0.6 * tally.plain.deviations[0]
    assert tally.scores[0] - aie.scores[0] > 0.1


def test_both_backends_use_the_same_roll_outs():
    players = make("pot-odds", "formula")
    inside = agents.play(players, agents.Blocks(2), LIMIT, seed=6, variance_reduction="divat-roe")
    outside = play_in_environment(
        players, agents.Blocks(2), LIMIT, seed=6, variance_reduction="divat-roe"
    )
    np.testing.assert_array_equal(inside.totals, outside.totals)


EXAMPLE = """\
variant = 'FT'
antes = [0, 0]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [1000, 1000]
actions = ['d dh p1 AcKc', 'd dh p2 7h6h', 'p2 cbr 20', 'p1 cbr 30', 'p2 cc', 'd db Ks5h3d',
  'p1 cc', 'p2 cbr 10', 'p1 cbr 20', 'p2 cc', 'd db Tc', 'p1 cbr 20', 'p2 cc', 'd db 4h',
  'p1 cbr 20', 'p2 cbr 40', 'p1 cc', 'p1 sm AcKc', 'p2 sm 7h6h']
"""
"""Alfred, who has the big blind, and Betty: Billings, PhD thesis (2006), section 5.2.1."""


@kernel
def roll_often(tables, state, values):
    """Roll out both bettings before the flop, over other boards every time."""
    divat = assess_hand(tables[0], state)
    for i in range(len(values)):
        divat.each[0], divat.each[1] = divat.baseline_after[0], divat.after[0]
        roll_boards(divat, i, 0)
        values[i, 0], values[i, 1] = divat.rolled[0], divat.rolled[1]


@kernel
def judge_tables(tables, estimator):
    """Evaluate the hand of the only record."""
    estimate_hand(tables[0], estimator)
