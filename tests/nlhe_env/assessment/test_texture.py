"""Board texture: every completion counted on some boards, numbers of the field, clusters."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlhe_env.assessment import texture, texture_kernels
from nlhe_env.assessment.texture import (
    board_clusters,
    board_features,
    board_texture,
    draw_probability,
)
from nlhe_env.cards import parse_cards


def is_straight(cards):
    ranks = {card >> 2 for card in cards}
    return any({(low + i) % 13 for i in range(5)} <= ranks for low in [12, *range(9)])


def is_flush(cards):
    suits = [card & 3 for card in cards]
    return max(suits.count(suit) for suit in range(4)) >= 5


def slow_chances(board):
    """Flush, straight, either: all completions to seven cards, one after the other."""
    left = [card for card in range(52) if card not in board]
    found = np.zeros(3)
    n = 0
    for more in combinations(left, 7 - len(board)):
        flush, straight = is_flush(board + more), is_straight(board + more)
        found += flush, straight, flush or straight
        n += 1
    return found / n


@pytest.mark.parametrize(
    "board", ["AsKsQsJsTs", "2c5d9hJsJd", "4h5h6h7h2c", "QsJsTs9s", "Ah2h3d4c", "8c8d8h8s"]
)
def test_probabilities_match_enumeration_of_completions(board):
    flush, straight, either = slow_chances(parse_cards(board))
    found = board_features([parse_cards(board)])[0]
    assert found[texture_kernels.SUITEDNESS] == pytest.approx(flush, abs=1e-15)
    assert found[texture_kernels.CONNECTIVITY] == pytest.approx(straight, abs=1e-15)
    assert draw_probability(board) == pytest.approx(either, abs=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["QsJs4h", "7h8h9h"])
def test_flop_probabilities_match_enumeration_of_completions(board):
    flush, straight, either = slow_chances(parse_cards(board))
    found = board_texture(board)
    assert found.suitedness == pytest.approx(flush, abs=1e-15)
    assert found.connectivity == pytest.approx(straight, abs=1e-15)
    assert found.flush_or_straight == pytest.approx(either, abs=1e-15)


def test_probabilities_without_a_board_match_seven_cards():
    # The numbers of hands of seven cards; nothing better than them goes with five in sequence.
    n_straight_flush, n_flush, n_straight, n_all = 41_584, 4_047_644, 6_180_020, 133_784_560
    assert math.comb(52, 7) == n_all
    either = (n_straight_flush + n_flush + n_straight) / n_all
    assert draw_probability() == pytest.approx(either, abs=1e-14)
    assert draw_probability() == pytest.approx(0.0768, abs=5e-5)
    flush = (n_straight_flush + n_flush) / n_all
    assert board_features([()])[0][texture_kernels.SUITEDNESS] == pytest.approx(flush, abs=1e-14)


@pytest.mark.parametrize("n_board", [3, 4])
def test_probabilities_average_to_those_of_the_street_before(n_board):
    points, weights = texture.feature_counts(n_board)
    mean = weights @ points / weights.sum()
    assert mean[1:] == pytest.approx(board_features([()])[0][1:], rel=1e-12)


@pytest.mark.parametrize(
    ("board", "pairedness"),
    [("2c5d9h", 0), ("2c2d9h", 0.5), ("2c2d9h9s", 1), ("2c2d2h", 1), ("2c2d2h2s9c", 1)],
)
def test_pairedness(board, pairedness):
    assert board_texture(board).pairedness == pairedness


CARDS = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)


@settings(max_examples=60, deadline=None)
@given(CARDS, st.integers(3, 5), st.permutations(range(4)))
def test_suit_names_and_card_order_do_not_matter(cards, n_board, names):
    board = cards[:n_board]
    renamed = [card & ~3 | names[card & 3] for card in reversed(board)]
    assert np.array_equal(board_features([board]), board_features([renamed]))
    assert board_clusters([board]) == board_clusters([renamed])


def test_board_texture_in_words():
    dry, wet = board_texture("Kh7c2d"), board_texture("9s8s7s")
    assert (dry.pairing, dry.high_card, dry.n_suits, dry.most_connected) == ("none", "K", 3, 1)
    assert (wet.n_suits, wet.most_suited, wet.most_connected) == (1, 3, 3)
    assert not dry.flush_draw_possible
    assert not dry.straight_possible
    assert wet.flush_possible
    assert wet.straight_possible
    assert board_texture("2c2d9h9s9c").pairing == "full house"
    assert board_texture("Ah2c3d").most_connected == 3
    assert board_texture("AhKcQd").straight_possible
    assert not board_texture("KcAh2c").straight_possible


def test_possible_hands_match_enumeration_of_holdings():
    rng = np.random.default_rng(5)
    for n_board in (3, 4, 5):
        for _ in range(20):
            board = tuple(rng.choice(52, n_board, replace=False).tolist())
            left = [card for card in range(52) if card not in board]
            found = board_texture(texture_text(board))
            holdings = list(combinations(left, 2))
            assert found.straight_possible == any(is_straight(board + held) for held in holdings)
            assert found.flush_possible == any(is_flush(board + held) for held in holdings)
            drawing = n_board < 5 and any(is_open_ended(board + held) for held in holdings)
            assert found.open_ended_draw_possible == drawing


def texture_text(cards):
    return "".join("23456789TJQKA"[card >> 2] + "cdhs"[card & 3] for card in cards)


def is_open_ended(cards):
    """Four in sequence, neither of whose ends is the ace."""
    ranks = {card >> 2 for card in cards}
    return any({low, low + 1, low + 2, low + 3} <= ranks for low in range(9))


# ----------------------------------------------------------------------------------------- clusters


@pytest.mark.parametrize(("n_board", "n_clusters"), [(3, 5), (4, 6), (5, 7)])
def test_clusters_match_k_means(n_board, n_clusters):
    tables = texture.texture_tables()
    assert tables["n_clusters"][n_board] == n_clusters
    points, weights = texture.feature_counts(n_board)
    assert weights.sum() == math.comb(52, n_board)
    centres = tables["centres"][n_board, :n_clusters]
    nearest = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    by_kernel = [texture_kernels.nearest_cluster(row, n_board, tables) for row in points]
    assert np.array_equal(nearest, by_kernel)
    for cluster in range(n_clusters):  # every centre is the mean of its boards
        own = nearest == cluster
        mean = weights[own] @ points[own] / weights[own].sum()
        assert centres[cluster] == pytest.approx(mean, abs=1e-12)
    # Another seed finds nothing better.
    squares = weights @ ((points - centres[nearest]) ** 2).sum(axis=1)
    other = texture.k_means(points, weights, n_clusters, np.random.default_rng(99))
    other_squares = weights @ ((points[:, None] - other) ** 2).sum(axis=2).min(axis=1)
    assert squares <= other_squares * (1 + 1e-12)


def test_flop_counts_cover_all_flops():
    flops = np.array(list(combinations(range(52), 3)))
    rows, counts = np.unique(board_features(flops), axis=0, return_counts=True)
    points, weights = texture.feature_counts(3)
    assert rows == pytest.approx(points)
    assert np.array_equal(counts, weights)


def test_k_means_finds_separate_groups():
    points = np.array([[0.0], [0.1], [5.0], [5.2], [9.0]])
    weights = np.array([3, 1, 1, 1, 2])
    found = texture.k_means(points, weights, 3, np.random.default_rng(0))
    assert found.ravel() == pytest.approx([0.025, 5.1, 9.0])


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        ([[1, 2]], "shape"),
        ([[1, 2, 52]], "0..51"),
        ([[1.0, 2.0, 3.0]], "0..51"),
        ([[7, 2, 7]], "9s 2h 9s|3s 2h 3s"),
    ],
)
def test_invalid_boards_are_named(boards, message):
    with pytest.raises(ValueError, match=message):
        board_features(boards)


@pytest.mark.parametrize("board", ["", "AsKs", "AsKsQsJsTs9s"])
def test_invalid_text_is_reported(board):
    with pytest.raises(ValueError, match="board must be 3, 4 or 5 cards"):
        board_texture(board)
