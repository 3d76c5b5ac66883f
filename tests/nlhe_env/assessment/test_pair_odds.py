"""The odds of higher pairs: the worked numbers of the thesis, and all deals enumerated."""

from __future__ import annotations

from itertools import combinations

import pytest

from nlhe_env.assessment.odds import higher_pair_counts, higher_pair_probability


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
