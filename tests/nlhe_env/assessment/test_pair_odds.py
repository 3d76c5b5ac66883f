"""Odds: worked numbers, what each of them means, and of higher pairs all deals enumerated."""

from itertools import combinations

import pytest

from nlhe_env.assessment.odds import (
    higher_pair_counts,
    higher_pair_probability,
    implied_odds,
    net_equity,
    optimal_bluff_ratio,
    pot_odds,
    required_fold_equity,
    showdown_odds,
)


@pytest.mark.parametrize(
    ("pair", "n_opponents", "chance"),
    [
        ("JJ", 1, 0.0146939),
        ("QQ", 1, 0.0097959),
        ("QQ", 2, 0.0195310),
        ("QQ", 3, 0.029206),
        ("QQ", 9, 0.085987),
        ("44", 9, 0.363882),
        ("AA", 9, 0.0),
    ],
)
def test_pair_odds_match_worked_numbers(pair, n_opponents, chance):
    assert higher_pair_probability(pair, n_opponents=n_opponents) == pytest.approx(chance, abs=6e-7)


def test_two_opponents_with_higher_pairs_than_queens():
    by_hand = 8 / 50 * 3 / 49 * (4 / 48 * 3 / 47 + 2 / 48 * 1 / 47)
    assert float(higher_pair_counts("QQ", n_opponents=2)[2]) == pytest.approx(by_hand)


@pytest.mark.parametrize("pair", ["KK", "99", "22"])
def test_two_opponents_enumerated(pair):
    own = "23456789TJQKA".index(pair[0])
    deck = [card for card in range(52) if card not in (4 * own, 4 * own + 1)]
    holdings = list(combinations(deck, 2))
    higher = [a // 4 == b // 4 > own for a, b in holdings]
    n_higher = [0, 0, 0]
    with_higher = [held for held, is_higher in zip(holdings, higher, strict=True) if is_higher]
    for a in with_higher:
        n_both = sum(not set(a) & set(b) for b in with_higher)
        n_higher[2] += n_both
        n_higher[1] += 2 * (48 * 47 // 2 - n_both)
    n_all = len(holdings) * 48 * 47 // 2
    chances = higher_pair_counts(pair, n_opponents=2)
    assert [chance * n_all for chance in chances[1:]] == n_higher[1:]


@pytest.mark.parametrize("pair", ["22", "JJ", "AA"])
@pytest.mark.parametrize("n_opponents", range(1, 10))
def test_counts_form_a_distribution(pair, n_opponents):
    chances = higher_pair_counts(pair, n_opponents=n_opponents)
    assert sum(chances) == 1
    assert min(chances) >= 0
    at_least_one = higher_pair_probability(pair, n_opponents=n_opponents)
    assert at_least_one == pytest.approx(float(1 - chances[0]))


@pytest.mark.parametrize("pair", ["AK", "A", "", "11", None])
def test_an_invalid_pair_is_reported(pair):
    with pytest.raises(ValueError, match="pair must be"):
        higher_pair_probability(pair)


@pytest.mark.parametrize("n_opponents", [0, 10, 1.5])
def test_an_invalid_number_of_opponents_is_reported(n_opponents):
    with pytest.raises(ValueError, match=r"1\.\.9"):
        higher_pair_probability("AA", n_opponents=n_opponents)


# --- pot odds and their kin -----------------------------------------------------------------------


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
