"""The evaluator against exact counts, a naive evaluator, and the symmetries of poker."""

from collections import Counter
from itertools import combinations, pairwise, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.config import DISABLE_JIT
from numba.core.errors import TypingError

from nlhe_env.cards import CARD_NAMES, format_cards, parse_cards
from nlhe_env.evaluator import (
    CLASS_NAMES,
    best_five,
    describe,
    evaluate,
    hand_class,
    rank_cards,
    rank_set,
    rank_sets,
)
from nlhe_env.jit.compilation import allocating_kernel
from nlhe_env.numerics.lanes import LANES

# By class, high card first.
N_5_CARD_HANDS = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
N_6_CARD_SETS = [6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1844]
N_7_CARD_SETS = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584]
# Ranks that differ among all hands of a class; 7,462 in all, of 5 cards.
N_5_CARD_RANKS = [1277, 2860, 858, 858, 10, 1277, 156, 156, 10]


@allocating_kernel
def count_classes(highest, lower_sets, n_lower, counts):
    """Count the classes of sets of ``highest`` and four cards below; False if kernels disagree."""
    sets = np.empty(1 << 12, np.int64)
    ranks = np.empty(1 << 12, np.int64)
    agree = True
    for i in range(len(highest)):
        for start in range(0, n_lower[i], len(sets)):
            n = min(n_lower[i] - start, len(sets))
            sets[:n] = lower_sets[start : start + n] | highest[i]
            rank_sets(sets[:n], ranks[:n])
            for j in range(n):
                agree &= ranks[j] == rank_set(sets[j])
                counts[hand_class(ranks[j])] += 1
    return agree


def all_sets(n_cards):
    """All sets of cards as arguments of ``count_classes``: four lowest cards, and all above."""
    bit = [1 << (card % 4 * 16 + card // 4) for card in range(52)]
    # In the order of their highest card, so that those below any card come first.
    lower = [
        bit[a] | bit[b] | bit[c] | bit[d]
        for a in range(3, 51)
        for b in range(2, a)
        for c in range(1, b)
        for d in range(c)
    ]
    above = list(combinations(range(4, 52), n_cards - 4))
    highest = [sum(bit[card] for card in cards) for cards in above]
    n_lower = [comb(cards[0], 4) for cards in above]
    return np.array(highest), np.array(lower), np.array(n_lower)


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


@pytest.mark.slow
@pytest.mark.parametrize(("n_cards", "expected"), [(6, N_6_CARD_SETS), (7, N_7_CARD_SETS)])
def test_class_counts_of_all_sets_one_by_one_and_in_lanes(n_cards, expected):
    counts = np.zeros(9, np.int64)
    assert count_classes(*all_sets(n_cards), counts)
    assert counts.tolist() == expected
    assert counts.sum() == comb(52, n_cards)


# What is easily taken for another hand.
NOTED = [
    *("AsKsQsJsTs2h3d", "KsQsJsTs9s2h3d", "AhKhQhJhTh9h8h"),  # royal over a lower straight flush
    *("5s4s3s2sAsAhAd", "AcAdAhAsKsKdKh"),  # a steel wheel over quads
    *("6c5d4h3s2cAdKd", "5d4h3s2cAdKdQh"),  # the ace of a wheel is low
    *("AcAdAh2s2c7d8h", "KcKdKhQsQcQd2h"),  # two triples make a full house
    *("AcAdKhKsQc2d3h", "AcAdKhKsJc2d3h", "AcAdKhKsQcQdJh"),  # the fifth card; a third pair
    *("AcAd3h3s2c2dKh", "AcAd3h3s2c2dQh"),  # kicker beside a third pair
    *("AcKdQhJs9c2d3h", "AcKdQhJs9c4d3h"),  # sixth and seventh card do not count
]


@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_order_matches_a_naive_evaluator(n_cards):
    deals = random_hands(1500, n_cards, seed=n_cards)
    # Three suits with few ranks in between, so that rare classes come up.
    rng = np.random.default_rng(n_cards)
    few = np.array([card for card in range(52) if card % 4 < 3 and (card // 4 < 5 or card > 47)])
    rare = np.stack([rng.permutation(few)[:n_cards] for _ in range(1500)])
    noted = [list(parse_cards(text))[:n_cards] for text in NOTED]
    deals = np.concatenate([deals, rare, noted])
    ranks = evaluate(deals)
    naive = [naive_rank(deal) for deal in deals.tolist()]
    assert [hand_class(rank) for rank in ranks.tolist()] == [made for made, _ in naive]
    order = sorted(range(len(deals)), key=lambda i: naive[i])
    for i, j in pairwise(order):
        assert (ranks[i] < ranks[j]) == (naive[i] < naive[j])
        assert (ranks[i] == ranks[j]) == (naive[i] == naive[j])


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


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64", ">i2"])
def test_every_integer_dtype_gives_the_same_ranks(dtype):
    deals = random_hands(200, 7, seed=1)
    ranks = evaluate(deals.astype(dtype))
    assert ranks.dtype == np.int64
    np.testing.assert_array_equal(ranks, [rank_cards(deal) for deal in deals])


@pytest.mark.parametrize("n_cards", [5, 6, 7])
@pytest.mark.parametrize("n", [1, 2, LANES - 1, LANES, LANES + 1, 2 * LANES, 3 * LANES - 1])
def test_ranks_do_not_depend_on_how_hands_fill_the_lanes(n, n_cards):
    deals = random_hands(n, n_cards, seed=n).astype(np.uint8)
    one_by_one = [rank_cards(deal) for deal in deals]
    np.testing.assert_array_equal(evaluate(deals), one_by_one)
    np.testing.assert_array_equal(evaluate(np.asfortranarray(deals)), one_by_one)
    sets = (1 << (deals % 4 * np.int64(16) + deals // 4)).sum(axis=1)
    ranks = np.empty(n, np.int64)
    rank_sets(sets, ranks)
    np.testing.assert_array_equal(ranks, one_by_one)


def test_non_contiguous_hands_are_refused():
    if not DISABLE_JIT:
        with pytest.raises(TypingError):
            rank_sets(np.zeros(2 * LANES, np.int64)[::2], np.empty(LANES, np.int64))


def test_ranks_do_not_depend_on_the_number_of_threads():
    deals = np.tile(random_hands(1 << 10, 7, seed=2).astype(np.int8), (1600, 1))[:-5]
    ranks = evaluate(deals)
    for n_threads in (2, 3, 100):
        np.testing.assert_array_equal(evaluate(deals, n_threads=n_threads), ranks)
    deals[-1, 6] = 52
    for n_threads in (1, 2):
        with pytest.raises(ValueError, match=f"got 52 in row {len(deals) - 1}"):
            evaluate(deals, n_threads=n_threads)
    with pytest.raises(ValueError, match="n_threads must be at least 1; got 0"):
        evaluate(deals, n_threads=0)


@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_an_invalid_card_is_found_at_any_position(n_cards):
    deals = random_hands(2 * LANES + 3, n_cards, seed=3).astype(np.int8)
    for row in range(len(deals)):
        for column in range(n_cards):
            for wrong in (-1, 52, 64, 127, deals[row, column - 1]):
                spoiled = deals.copy()
                spoiled[row, column] = wrong
                with pytest.raises(ValueError, match=f"in row {row}$"):
                    evaluate(spoiled)


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
        ([[0, 1, 2, 3, -1]], "0..51; got -1"),
        ([[0, 1, 2, 3, 1 << 40]], "0..51; got 1099511627776"),
        ([[51, 1, 2, 3, 51]], "card As appears twice"),
        ([[0, 1, 2, 3, 4], [7, 1, 2, 7, 5], [0, 0, 2, 3, 4]], "card 3s appears twice in row 1"),
    ],
)
def test_invalid_cards_are_named(cards, message):
    with pytest.raises(ValueError, match=message):
        evaluate(cards)


def test_classes_are_named_from_worst_to_best():
    assert len(CLASS_NAMES) == 9
    assert CLASS_NAMES[hand_class(evaluate([parse_cards("AsKsQsJsTs")])[0])] == "straight flush"


# -------------------------------------------------------------------------------- descriptions


@given(st.integers(5, 7).flatmap(hands))
def test_best_five_are_cards_of_the_hand_with_equal_rank(cards):
    five = best_five(cards)
    assert len(set(five)) == 5
    assert set(five) <= set(cards)
    assert evaluate([five])[0] == evaluate([cards])[0]
    assert naive_rank(list(five)) == naive_rank(cards)


@given(st.integers(5, 7).flatmap(hands))
def test_best_five_are_in_conventional_order(cards):
    five = best_five(cards)
    ranks = [card // 4 for card in five]
    if sorted(ranks) == [0, 1, 2, 3, 12] and naive_rank(list(five))[0] in (4, 8):
        assert ranks == [3, 2, 1, 0, 12]
    else:
        importance = [(ranks.count(rank), rank) for rank in ranks]
        assert importance == sorted(importance, reverse=True)


@pytest.mark.parametrize(
    ("cards", "five", "words"),
    [
        ("2h3dAsKsQsJsTs", "AsKsQsJsTs", "royal flush"),
        ("5s4s3s2sAsAhAd", "5s4s3s2sAs", "straight flush, five high"),
        ("6c6d6h6sKcQdQh", "6s6h6d6cKc", "four of a kind, sixes, king kicker"),
        ("KcKdKhTsTc2h2d", "KhKdKcTsTc", "full house, kings over tens"),
        ("2c2d2hAsAcAd9s", "AsAdAc2h2d", "full house, aces over deuces"),
        ("AhJh9h5h3h2hAd", "AhJh9h5h3h", "flush, ace high"),
        ("Tc9d8h7s6c5dTh", "Th9d8h7s6c", "straight, ten high"),
        ("5c4d3h2sAcAdKd", "5c4d3h2sAd", "straight, five high"),
        ("7c7d7hAsTc9d2s", "7h7d7cAsTc", "three of a kind, sevens, ace kicker"),
        ("AcAd4h4sQc3d3h", "AdAc4s4hQc", "two pair, aces and fours, queen kicker"),
        ("JcJdAh9s8c3d2h", "JdJcAh9s8c", "pair of jacks, ace kicker"),
        ("KcJd9h7s5c3d2h", "KcJd9h7s5c", "high card, king"),
    ],
)
def test_hands_are_described_in_words(cards, five, words):
    description = describe(cards)
    assert format_cards(description.cards) == five
    assert description.words == words
    assert str(description) == f"{words} ({five})"
    assert description.class_name == CLASS_NAMES[hand_class(description.rank)]
    assert describe(parse_cards(cards)) == description
    assert all(type(card) is int for card in describe(np.array(parse_cards(cards))).cards)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("AsKsQsJs", "a hand must be 5, 6 or 7 cards; got 'AsKsQsJs'"),
        (range(8), "a hand must be 5, 6 or 7 cards; got range"),
        ("AsKsQsJsTx", "'Tx' in 'AsKsQsJsTx' is not a card"),
        ([0, 1, 2, 3, 52], "card codes must be in 0..51; got 52$"),
        ([0, 1, 2, 3, 3], f"card {CARD_NAMES[3]} appears twice$"),
        ([0, 1, 2, 3, 4.5], "cards must be integers; got dtype float64"),
    ],
)
def test_invalid_hands_are_not_described(cards, message):
    with pytest.raises(ValueError, match=message):
        describe(cards)
