"""The published bet-size rule: its distribution, its constants, its limits."""

import math

import numpy as np
import pytest
from helpers import deal, play_as

from nlhe_env.game import betting
from nlhe_env.game import random_stream as rng
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces import bet_sizing
from nlhe_env.spaces.bet_sizing import LARGE, MEDIUM, SMALL

N = 1_000_000

POINTS = (0.01, 0.03, 0.06, 0.10, 0.15, 0.20, 0.25, 0.30, 1 / 3, 0.50, 0.75)


@kernel
def draw_fractions(size, out):
    for i in range(len(out)):
        _, part, place = rng.decision_units(77, 1, i, size, 0)
        out[i] = bet_sizing.bet_fraction(size, part, place)


@kernel
def draw_raises(tables, size, out):
    least, most = betting.legal_raise(tables[0])
    for i in range(len(out)):
        _, part, place = rng.decision_units(78, 1, i, size, 0)
        out[i] = bet_sizing.sized_raise(tables[0], size, part, place, least, most)


def raises(env, size, n=20_000):
    out = np.zeros(n, np.int64)
    draw_raises(env.tables, size, out)
    return out


@pytest.mark.parametrize(
    ("size", "shares", "below_all_in", "mean"),
    [
        (
            SMALL,
            (0.1167, 0.3500, 0.7, 0.7279, 0.7623, 0.7953, 0.8265, 0.8552, 0.8728, 0.9405, 0.9869),
            0.9982,
            0.12067,
        ),
        (
            MEDIUM,
            (0, 0, 0.0003, 0.1, 0.4, 0.7, 0.9370, 0.9963, 0.9998, 1, 1),
            1,
            0.16849,
        ),
        (
            LARGE,
            (0, 0, 0, 0, 0, 0, 0.0014, 0.05, 0.1084, 0.3887, 0.7172),
            0.9,
            0.60844,
        ),
    ],
)
def test_fractions_have_the_published_distribution(size, shares, below_all_in, mean):
    fractions = np.empty(N)
    draw_fractions(size, fractions)
    for point, share in zip((*POINTS, 1.0), (*shares, below_all_in), strict=True):
        standard_error = math.sqrt(max(share * (1 - share), 1e-5) / N)
        rounding = 0.00005  # of the printed share
        below = (fractions <= point).mean() if point < 1 else (fractions < 1).mean()
        assert abs(below - share) < 4 * standard_error + rounding, (point, below)
    capped = np.minimum(fractions, 1)
    assert abs(capped.mean() - mean) < 4 * capped.std() / math.sqrt(N) + 5e-6


def test_sigmas_have_the_published_values():
    assert round(bet_sizing._LO_SIGMA, 7) == 0.3419505
    assert round(bet_sizing._MED_SIGMA_LO, 7) == 0.0132981
    assert round(bet_sizing._MED_SIGMA_HI, 7) == 0.0398942
    assert round(bet_sizing._HI_SIGMA_HI, 7) == 0.4321371
    assert round(bet_sizing._HI_SIGMA_LO, 7) == 0.0227441


def test_a_tenth_of_large_bets_is_all_in():
    env = deal([1_000_000, 1_000_000])
    all_in = (raises(env, LARGE, N // 5) == 1_000_000).mean()
    assert abs(all_in - 0.1) < 4 * math.sqrt(0.09 / (N // 5))


def test_amounts_are_fractions_of_the_stack_and_count_the_call():
    # The button has 990,000 behind its small blind of 10,000: a raise to n puts n - 10,000 in.
    env = deal([1_000_000, 1_000_000], blinds=(10_000, 20_000))
    amounts = raises(env, MEDIUM, N // 5) - 10_000
    fractions = np.empty(N)
    draw_fractions(MEDIUM, fractions)
    for point in (0.1, 0.15, 0.2, 0.25):
        assert abs((amounts <= point * 990_000).mean() - (fractions <= point).mean()) < 0.005


def test_raises_are_lifted_to_the_minimum_raise():
    env = deal([1000, 1000], blinds=(50, 100))
    small = raises(env, SMALL)
    assert small.min() == 200  # to call is 50, 6% of 950 is 57
    assert (small == 200).mean() > 0.7
    assert small.max() == 1000  # the rare all-in


def test_raises_never_leave_the_legal_range():
    for stacks in ([1000, 1000, 1000], [300, 1000, 45], [1000, 90, 70]):
        env = deal(stacks)
        play_as(env, (0, 60))
        info = env.infos[env.agent_selection]
        if info["max_raise_to"] == 0:
            continue
        for size in (SMALL, MEDIUM, LARGE):
            amounts = raises(env, size)
            assert amounts.min() >= info["min_raise_to"]
            assert amounts.max() <= info["max_raise_to"]


def test_no_more_is_bet_than_the_richest_opponent_can_match():
    env = deal([10_000, 300, 400], blinds=(10, 20))
    amounts = raises(env, LARGE)
    assert amounts.max() == 400
    assert raises(env, SMALL).max() <= 400


def test_folded_opponents_cannot_match_a_bet():
    env = deal([10_000, 300, 5_000, 9_000], blinds=(10, 20))
    play_as(env, (3, 0))
    assert raises(env, LARGE).max() == 5_000


def test_short_all_in_is_the_only_raise_when_the_stack_is_below_the_minimum():
    env = deal([1000, 1000, 90])
    play_as(env, (0, 60), (1, 1))
    for size in (SMALL, MEDIUM, LARGE):
        assert set(raises(env, size).tolist()) == {90}


def test_opening_bets_are_at_least_the_big_blind():
    env = deal([10_000, 10_000], blinds=(10, 20))
    play_as(env, (0, 1), (1, 1))
    assert env.full_info()["street"] == "flop"
    assert raises(env, SMALL).min() == 20
