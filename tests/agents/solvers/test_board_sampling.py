"""Boards drawn for reports: as dealt to two ranges, without repetition, with weights."""

from itertools import combinations

import numpy as np
import pytest

from agents import solvers
from nlhe_env import Range, format_cards, parse_cards

TIGHT = ("AA, KhQh", "KK:0.5, AsQs")


def pairs_on(board, ranges):
    """Weight of the pairs of hands that can meet on a board, one by one."""
    held = [Range.parse(text) for text in ranges]
    return sum(
        first_weight * second_weight
        for first, first_weight in zip(held[0].combos.tolist(), held[0].weights, strict=True)
        for second, second_weight in zip(held[1].combos.tolist(), held[1].weights, strict=True)
        if len({*first, *second, *board}) == 4 + len(board)
    )


def all_pairs_on(boards, ranges):
    """``(boards,)`` how many pairs of hands of equal weight can meet."""
    held = [1 << Range.parse(text).combos.astype(np.int64) for text in ranges]
    first, second = (hands.sum(axis=1) for hands in held)
    pairs = np.array([a | b for a in first.tolist() for b in second.tolist() if not a & b])
    return np.array([(pairs & sum(1 << card for card in board) == 0).sum() for board in boards])


def test_the_same_seed_draws_the_same_boards():
    one, same, other = (solvers.draw_boards(20, "river", ("*", "*"), seed=s) for s in (4, 4, 5))
    assert one.boards == same.boards != other.boards
    np.testing.assert_array_equal(one.weights, same.weights)
    assert one.drawn
    assert len({frozenset(parse_cards(board)) for board in one.boards}) == 20
    assert {len(board) for board in one.boards} == {10}


def test_given_boards_weigh_as_many_pairs_of_hands_as_can_meet():
    boards = ["AhKsQd", "2c3d4h", "AsAc5d", "KdKh7c"]
    sample = solvers.weigh_boards(boards, TIGHT)
    expected = np.array([pairs_on(parse_cards(board), TIGHT) for board in boards])
    np.testing.assert_allclose(sample.weights, expected / expected.sum(), atol=1e-12)
    assert sample.boards == tuple(boards)
    assert not sample.drawn


@pytest.mark.slow
def test_boards_that_differ_by_symmetric_suits_are_one():
    sample = solvers.draw_boards(1755, "flop", ("*", "*"), seed=1)  # all there are
    # No flop is twice there, and each weighs as many as it stands for: AAA 4, suited 4, rainbow 24.
    weights = dict(zip(sample.boards, sample.weights * 22_100, strict=True))
    assert weights["AsAhAd"] == pytest.approx(4, rel=0.01)
    assert weights["AsKsQs"] == pytest.approx(4, rel=0.01)
    assert weights["AsKhQd"] == pytest.approx(24, rel=0.01)
    assert weights["AsAhKd"] == pytest.approx(12, rel=0.01)


def test_suits_count_where_a_range_has_certain_suits():
    sample = solvers.draw_boards(400, "flop", ("AsKs", "QQ"), seed=1)
    symmetric = {"s": "s", "h": "h", "d": "h", "c": "h"}
    in_spades = [b for b in sample.boards if b[1] == b[3] == b[5] == "s"]
    in_others = [b for b in sample.boards if b[1] == b[3] == b[5] and b[1] != "s"]
    assert in_spades
    assert in_others
    assert {symmetric[board[1]] for board in in_others} == {"h"}
    assert all(board[1] == "h" for board in in_others)  # one of three that are alike


def test_weighted_means_estimate_those_of_all_boards():
    """The share of paired flops and of flops with an ace, for ranges that hold many aces."""
    ranges = ("AA, AK", "AQ, KK")
    boards = list(combinations(range(52), 3))
    weights = all_pairs_on(boards, ranges)
    aces = np.array([max(board) >= 48 for board in boards])
    paired = np.array([len({card // 4 for card in board}) == 2 for board in boards])
    truth = weights @ np.stack([aces, paired], 1) / weights.sum()
    found = np.zeros(2)
    for seed in range(8):
        sample = solvers.draw_boards(150, "flop", ranges, seed=seed)
        drawn = [parse_cards(board) for board in sample.boards]
        found[0] += sample.weights @ [max(board) >= 48 for board in drawn] / 8
        found[1] += sample.weights @ [len({c // 4 for c in board}) == 2 for board in drawn] / 8
    assert found == pytest.approx(truth, abs=0.03)
    assert truth[0] < 0.15 < aces.mean()  # the ranges hold the aces


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, "river", TIGHT), "count must be at least 1"),
        ((2, "preflop", TIGHT), "street must be one of"),
        ((2, "river", ("AA",)), "ranges must be two"),
        ((2, "river", ("AsAh", "AsQs")), "ranges can never meet"),
        ((23, "flop", ("AA", "2Y")), "expected a rank"),
    ],
)
def test_impossible_draws_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        solvers.draw_boards(*arguments, seed=1)


def test_more_boards_than_there_are_are_refused(monkeypatch):
    monkeypatch.setattr("agents.solvers.board_reports._DEALS", 0)
    monkeypatch.setattr("agents.solvers.board_reports._DEALS_OF_BOARD", 2)
    with pytest.raises(ValueError, match=r"count must be at most the number of different flops"):
        solvers.draw_boards(1700, "flop", ("*", "*"), seed=1)


@pytest.mark.parametrize(
    ("boards", "words"),
    [
        ([], "boards must be a list"),
        ("KsTh7s", "boards must be a list"),
        (["KsTh"], r"boards\[0\] must be 3, 4 or 5 cards"),
        (["KsTh7s", "KsTh7s2d"], "boards must all be of the same street"),
        (["KsTh7s", "Th7sKs"], r"boards\[1\] is given twice"),
        (["2c2d2h3c3d", "AsAhAdKh2c"], r"boards\[1\] is impossible: the ranges"),
    ],
)
def test_impossible_lists_are_refused(boards, words):
    with pytest.raises(ValueError, match=words):
        solvers.weigh_boards(boards, TIGHT)


def test_boards_are_written_as_cards_are():
    sample = solvers.weigh_boards([" ks th 7s"], TIGHT)
    assert sample.boards == (format_cards(parse_cards("KsTh7s")),)
