"""The evaluator against exact counts, a naive evaluator, and the symmetries of poker."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlhe_env._jit import allocating_kernel
from nlhe_env.cards import parse_cards
from nlhe_env.evaluator import CLASS_NAMES, evaluate, hand_class, rank_cards, rank_from_suits

# By class, high card first.
N_5_CARD_HANDS = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
N_7_CARD_SETS = [
    23_294_460,
    58_627_800,
    31_433_400,
    6_461_620,
    6_180_020,
    4_047_644,
    3_473_184,
    224_848,
    41_584,
]
# Ranks that differ among all hands of a class; 7,462 in all, of 5 cards.
N_5_CARD_RANKS = [1277, 2860, 858, 858, 10, 1277, 156, 156, 10]


@allocating_kernel
def count_7_card_classes(counts):
    suit = 0x1FFF
    bits = np.empty(52, np.int64)
    for card in range(52):
        bits[card] = 1 << ((card & 3) << 4 | card >> 2)
    for a in range(6, 52):
        for b in range(5, a):
            two = bits[a] | bits[b]
            for c in range(4, b):
                three = two | bits[c]
                for d in range(3, c):
                    four = three | bits[d]
                    for e in range(2, d):
                        five = four | bits[e]
                        for f in range(1, e):
                            six = five | bits[f]
                            for g in range(f):
                                hand = six | bits[g]
                                rank = rank_from_suits(
                                    hand & suit,
                                    hand >> 16 & suit,
                                    hand >> 32 & suit,
                                    hand >> 48 & suit,
                                )
                                counts[hand_class(rank)] += 1


def naive_rank(cards):
    """The best of all five-card hands, as (class, ranks in the order in which they count)."""
    return max(naive_rank_of_five(five) for five in combinations(cards, 5))


def naive_rank_of_five(cards):
    ranks = sorted((card // 4 for card in cards), reverse=True)
    counts = Counter(ranks)
    grouped = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    is_flush = len({card % 4 for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        straight_to = 3
    else:
        straight_to = ranks[0] if len(counts) == 5 and ranks[0] - ranks[4] == 4 else None
    if straight_to is not None:
        return (8 if is_flush else 4, [straight_to])
    if is_flush:
        return (5, ranks)
    by_shape = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return (by_shape.get(tuple(shape), 0), grouped)


def random_hands(n, n_cards, seed):
    rng = np.random.default_rng(seed)
    return np.argsort(rng.random((n, 52)), axis=1)[:, :n_cards]


def hands(n_cards):
    return st.lists(st.integers(0, 51), min_size=n_cards, max_size=n_cards, unique=True)


def test_class_counts_of_all_five_card_hands():
    all_hands = np.array(list(combinations(range(52), 5)), np.int8)
    ranks = evaluate(all_hands)
    assert np.bincount(hand_class(ranks)).tolist() == N_5_CARD_HANDS
    assert np.bincount(hand_class(np.unique(ranks))).tolist() == N_5_CARD_RANKS


def test_class_counts_of_all_seven_card_sets():
    counts = np.zeros(9, np.int64)
    count_7_card_classes(counts)
    assert counts.tolist() == N_7_CARD_SETS
    assert counts.sum() == 133_784_560


@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_order_is_that_of_a_naive_evaluator(n_cards):
    deals = random_hands(1500, n_cards, seed=n_cards)
    # Three suits with few ranks in between, so that rare classes come up.
    rng = np.random.default_rng(n_cards)
    few = np.array([card for card in range(52) if card % 4 < 3 and (card // 4 < 5 or card > 47)])
    rare = np.stack([rng.permutation(few)[:n_cards] for _ in range(1500)])
    deals = np.concatenate([deals, rare])
    ranks = evaluate(deals)
    naive = [naive_rank(deal) for deal in deals.tolist()]
    assert [hand_class(rank) for rank in ranks.tolist()] == [made for made, _ in naive]
    order = sorted(range(len(deals)), key=lambda i: naive[i])
    for i, j in pairwise(order):
        assert (ranks[i] < ranks[j]) == (naive[i] < naive[j])
        assert (ranks[i] == ranks[j]) == (naive[i] == naive[j])


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AsKsQsJsTs2h3d", "KsQsJsTs9s2h3d"),  # royal over king-high straight flush
        ("5s4s3s2sAsAhAd", "AcAdAhAsKsKdKh"),  # a steel wheel over quads
        ("6c5d4h3s2cAdKd", "5d4h3s2cAdKdQh"),  # the ace of a wheel is low
        ("AcAdAh2s2c7d8h", "KcKdKhQsQcQd2h"),  # two triples make a full house
        ("AcAdKhKsQc2d3h", "AcAdKhKsJc2d3h"),  # the fifth card decides
        ("AcAd3h3s2c2dKh", "AcAd3h3s2c2dQh"),  # kicker beside a third pair
    ],
)
def test_better_hand_has_higher_rank(better, worse):
    ranks = evaluate([parse_cards(better), parse_cards(worse)])
    assert ranks[0] > ranks[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AsKsQsJsTs2h3d", "AhKhQhJhTh9h8h"),  # the board's royal flush
        ("AcAdKhKsQcQdJh", "AcAdKhKsQc2d3h"),  # the third pair is a kicker only
        ("AcKdQhJs9c2d3h", "AcKdQhJs9c4d3h"),  # sixth and seventh card do not count
    ],
)
def test_equal_hands_tie(one, other):
    ranks = evaluate([parse_cards(one), parse_cards(other)])
    assert ranks[0] == ranks[1]


@given(hands(7), st.randoms(use_true_random=False))
def test_order_of_cards_does_not_matter(cards, random):
    shuffled = random.sample(cards, 7)
    assert evaluate([cards])[0] == evaluate([shuffled])[0]


@given(hands(7), st.sampled_from(list(permutations(range(4)))))
def test_names_of_suits_do_not_matter(cards, renaming):
    renamed = [card // 4 * 4 + renaming[card % 4] for card in cards]
    assert evaluate([cards])[0] == evaluate([renamed])[0]


@given(hands(7))
def test_more_cards_never_make_a_hand_worse(cards):
    ranks = [evaluate([cards[:n]])[0] for n in (5, 6, 7)]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64])
def test_every_integer_dtype_gives_the_same_ranks(dtype):
    deals = random_hands(200, 7, seed=1)
    ranks = evaluate(deals.astype(dtype))
    assert ranks.dtype == np.int64
    np.testing.assert_array_equal(ranks, [rank_cards(deal) for deal in deals])


def test_no_hands_have_no_ranks():
    assert evaluate(np.zeros((0, 7), np.int64)).shape == (0,)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([0, 1, 2, 3, 4], r"shape \(n, 5\), \(n, 6\) or \(n, 7\); got \(5,\)"),
        ([[0, 1, 2, 3]], r"got \(1, 4\)"),
        ([[0, 1, 2, 3, 4, 5, 6, 7]], r"got \(1, 8\)"),
        ([[0.0, 1, 2, 3, 4]], "integers; got dtype float64"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, 52]], "0..51; got 52 in row 1"),
        ([[0, 1, 2, 3, -1]], "0..51; got -1 in row 0"),
        ([[0, 1, 2, 3, 1 << 40]], "0..51; got 1099511627776 in row 0"),
        ([[51, 1, 2, 3, 51]], "card As comes twice in row 0"),
    ],
)
def test_wrong_cards_are_named(cards, message):
    with pytest.raises(ValueError, match=message):
        evaluate(cards)


def test_classes_are_named_from_worst_to_best():
    assert len(CLASS_NAMES) == 9
    assert CLASS_NAMES[hand_class(evaluate([parse_cards("AsKsQsJsTs")])[0])] == "straight flush"
