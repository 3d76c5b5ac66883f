"""Pot odds and their kin: worked numbers, and what each of them means."""

from __future__ import annotations

import pytest

from nlhe_env.assessment.odds import (
    implied_odds,
    net_equity,
    optimal_bluff_ratio,
    pot_odds,
    required_fold_equity,
    showdown_odds,
)


@pytest.mark.parametrize(
    ("pot", "to_call", "share"), [(60, 10, 1 / 7), (90, 20, 2 / 11), (100, 100, 0.5), (8, 0, 0)]
)
def test_pot_odds(pot, to_call, share):
    assert pot_odds(pot, to_call) == pytest.approx(share)


@pytest.mark.parametrize(("gain", "loss"), [(0, 0), (40, 0), (0, 20), (40, 20)])
def test_a_call_at_exact_pot_odds_has_zero_value(gain, loss):
    share = implied_odds(60, 10, gain=gain, loss=loss)
    assert share * (60 + gain) - (1 - share) * (10 + loss) == pytest.approx(0)


def test_showdown_odds_are_the_share_paid_of_the_final_pot():
    assert showdown_odds(60, 10, 20) == pytest.approx(30 / 110)


def test_fold_threshold_matches_the_thesis():
    """River, pot 8, bet 2: fold below 0.20; flop, pot 4, bet 1: 0.20."""
    assert required_fold_equity(8, 2) == pytest.approx(0.20)
    assert required_fold_equity(4, 1) == pytest.approx(0.20)


def test_optimal_bluffs_leave_the_caller_indifferent():
    for pot, bet in ((8, 2), (100, 50), (10, 30)):
        bluffs = optimal_bluff_ratio(pot, bet)
        assert bluffs == pytest.approx(bet / (pot + 2 * bet))
        assert bluffs * (pot + bet) - (1 - bluffs) * bet == pytest.approx(0)
        folds = required_fold_equity(pot, bet)
        assert folds * pot - (1 - folds) * bet == pytest.approx(0)


def test_net_equity_matches_the_thesis():
    assert net_equity(11 / 44, pot=10, invested=5) == pytest.approx(-2.5)


@pytest.mark.parametrize(("pot", "to_call"), [(-1, 2), (3, -1), (float("nan"), 1)])
def test_negative_amounts_are_named(pot, to_call):
    with pytest.raises(ValueError, match="must be 0 or more"):
        pot_odds(pot, to_call)


def test_zero_stakes_give_zero_odds():
    with pytest.raises(ValueError, match="chips in the pot"):
        pot_odds(0, 0)
