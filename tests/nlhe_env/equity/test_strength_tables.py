"""The strength tables against published sizes, reference values and brute force."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from rank_counting import showdowns

from nlhe_env.cards import parse_cards
from nlhe_env.equity.tables import lookup, suits
from nlhe_env.equity.tables.build import river_boards
from nlhe_env.equity.tables.cells import (
    FIVE_WIDTH,
    FOUR_START,
    FOUR_WIDTH,
    N_RIVER_CELLS,
    NO_START,
    NO_WIDTH,
    THREE_START,
    THREE_WIDTH,
    preflop_class,
)
from nlhe_env.jit.compilation import allocating_kernel

TOLERANCE = 1e-6

# Boards, and hole classes of each board (Nicolai's thesis, table 4.2).
PUBLISHED_SIZES = {
    "ONE_SUIT": (286, 344),
    "TWO_SUIT": (1014, 721),
    "THREE_SUIT": (286, 1176),
    "THREE_SUIT_PAIR": (156, 744),
    "THREE_SUIT_TRIPLE": (13, 378),
    "FIVE_SUITED": (1287, 223),
    "FOUR_SUITED": (9295, 244),
    "THREE_SUITED": (26026, 266),
    "NO_SUITED": (6188, 91),
}

# Hole, then the win chance against 1, 2, 3, 5 and 9 opponents.
PREFLOP_VALUES = """
AsAh 0.854755 0.740862 0.649436 0.512759 0.347566
KsKh 0.826740 0.696005 0.595060 0.452247 0.295532
QsQh 0.802183 0.657478 0.549252 0.402994 0.255085
JsJh 0.777860 0.620742 0.507119 0.360548 0.223596
4s4h 0.577891 0.380394 0.278227 0.187383 0.131789
2s2h 0.512829 0.319619 0.232674 0.165154 0.125448
AsKs 0.678697 0.521930 0.432469 0.332297 0.233627
AsKh 0.661708 0.497353 0.404236 0.300846 0.199821
KsQs 0.643924 0.487035 0.401151 0.305865 0.213146
JsTs 0.589009 0.438630 0.360110 0.273312 0.192937
7s2h 0.374570 0.228359 0.163823 0.105006 0.064140
3s2h 0.353670 0.219682 0.159012 0.105296 0.068479
"""

# Hole, then the share of ties against one opponent.
PREFLOP_TIES = """
AsAh 0.005436 KsKh 0.005567 QsQh 0.005863 JsJh 0.006330 4s4h 0.015326 2s2h 0.018977
AsKs 0.016500 AsKh 0.017014 KsQs 0.019840 JsTs 0.027462 7s2h 0.057467 3s2h 0.061276
"""

# Hole, board; opposing holdings that are greater, lesser, equal over all boards to come; win
# chance against 1, 2 and 9 opponents.
POSTFLOP_VALUES = """
5s6s 2s3s4s            0 1070190      0 1.000000 1.000000 1.000000
AhAc 2s3s4s       313977  702136  54077 0.706616 0.519637 0.112366
AsAh 3d5d5c       165356  902657   2177 0.845489 0.724596 0.313083
7c2d AsKsQs       788765  116465 164960 0.262967 0.116287 0.016027
AhKh QhJh2c       248358  811922   9910 0.767931 0.653250 0.463855
8c8d 8h3s2d        41136 1029054      0 0.961562 0.927815 0.765311
QcJc Th9h2c       430692  624657  14841 0.597556 0.468270 0.287138
9c9d 7h7s7d       195758  832678  41754 0.817081 0.681958 0.256946
AhKh QhJh2c3d      16645   28580    315 0.634497 0.473132 0.291794
8c8d 8h3s2dKs       1020   44520      0 0.977602 0.956187 0.829597
AhKh QhJh2c3d9s      625     356      9 0.368687 0.135930 0.000126
AhKd AcKs7d2h2c       92     894      4 0.907071 0.822777 0.415691
7c2d AsKsQsJsTs        0       0    990 1.000000 1.000000 1.000000
"""


def rows(text):
    return [line.split() for line in text.strip().splitlines()]


def suit_shape(board):
    return tuple(sorted(np.bincount(np.array(board) % 4, minlength=4)))


@pytest.fixture(scope="session")
def tables(built_strength):
    return built_strength[0]


# ----------------------------------------------------------------------------- sizes and numbering


def test_flop_classes_have_the_published_sizes():
    numbering = suits.number_flops()
    widths = np.diff(numbering.first_cells())
    shapes = np.array([suits.flop_shape(model) for model in numbering.models])
    for shape in suits.FLOP_SHAPES:
        boards, holes = PUBLISHED_SIZES[shape]
        assert (shapes == shape).sum() == boards
        assert set(widths[shapes == shape]) == {holes}
    assert len(widths) == 1755
    assert widths.sum() == suits.N_FLOP_CELLS == 1_286_792
    assert numbering.sizes.sum() == 22_100


def test_river_blocks_have_the_published_sizes():
    ends = [FOUR_START, THREE_START, NO_START, N_RIVER_CELLS]
    widths = [FIVE_WIDTH, FOUR_WIDTH, THREE_WIDTH, NO_WIDTH]
    names = ["FIVE_SUITED", "FOUR_SUITED", "THREE_SUITED", "NO_SUITED"]
    start = 0
    for name, width, end in zip(names, widths, ends, strict=True):
        assert ((end - start) / width, width) == PUBLISHED_SIZES[name]
        start = end
    assert len(river_boards()) == 42_796
    assert N_RIVER_CELLS == 10_041_005


@pytest.mark.slow
def test_unreachable_river_cells_are_marked(tables):
    river = tables["river"]
    ends = [FOUR_START, THREE_START, NO_START]
    reachable = [int((block != suits.NO_CELL).sum()) for block in np.split(river, ends)]
    assert reachable == [287_001, 2_267_980, 6_919_198, 558_883]
    assert river[river != suits.NO_CELL].max() == 990
    beaten = tables["river_beaten"]
    assert np.array_equal(beaten == suits.NO_CELL, river == suits.NO_CELL)
    assert (beaten <= river).all()


def test_preflop_classes_are_169_of_known_sizes():
    sizes = np.zeros(169, int)
    for a, b in suits.hole_pairs().astype(np.int64):
        assert preflop_class(a, b) == preflop_class(b, a)
        sizes[preflop_class(a, b)] += 1
    assert sorted(sizes) == [4] * 78 + [6] * 13 + [12] * 78


# ------------------------------------------------------------------------------------------ values


@pytest.mark.slow
@pytest.mark.parametrize("row", rows(PREFLOP_VALUES), ids=lambda row: row[0])
def test_preflop_reference_values(tables, row):
    hole = parse_cards(row[0])
    for n_opponents, expected in zip((1, 2, 3, 5, 9), row[1:], strict=True):
        chance = lookup.win_or_tie_probability(*hole, np.zeros(5, np.int8), 0, n_opponents, tables)
        assert chance == pytest.approx(float(expected), abs=TOLERANCE)


@pytest.mark.slow
def test_preflop_ties_are_the_published_ones(tables):
    none = np.zeros(5, np.int8)
    for hole, tie in zip(*[iter(PREFLOP_TIES.split())] * 2, strict=True):
        cards = parse_cards(hole)
        chance = lookup.win_or_tie_probability(*cards, none, 0, 1, tables)
        share = lookup.hand_equity(*cards, none, 0, 1, tables)
        assert 2 * (chance - share) == pytest.approx(float(tie), abs=TOLERANCE)


@pytest.mark.slow
@pytest.mark.parametrize("row", rows(POSTFLOP_VALUES), ids=lambda row: "-".join(row[:2]))
def test_postflop_reference_values(tables, row):
    hole = parse_cards(row[0])
    board = parse_cards(row[1])
    counts = showdowns([hole], board)[0]
    lesser, equal = counts[counts[:, 0] >= 0].sum(axis=0)
    n_all = 990 * (counts[:, 0] >= 0).sum()
    assert [n_all - lesser - equal, lesser, equal] == [int(count) for count in row[2:5]]
    cards = np.array(board, np.int8)
    for n_opponents, expected in zip((1, 2, 9), row[5:], strict=True):
        chance = lookup.win_or_tie_probability(*hole, cards, len(board), n_opponents, tables)
        assert chance == pytest.approx(float(expected), abs=TOLERANCE)
    share = lookup.hand_equity(*hole, cards, len(board), 1, tables)
    assert share == pytest.approx((lesser + equal / 2) / n_all, abs=1e-7)


def shares_by_sum(wins, ties, n_opponents):
    """Pot share: the sum over the number of opponents tied, as it is defined."""
    win, tie = wins / 990, ties / 990
    n = n_opponents
    return sum(comb(n, k) * win ** (n - k) * tie**k / (k + 1) for k in range(n + 1))


def hands_of_all_suit_shapes(n_board, n_holes):
    """Boards with every way in which suits can fall, each with some holes: at least 200 cells."""
    rng = np.random.default_rng(n_board)
    n_shapes = {3: 3, 4: 5, 5: 6}[n_board]
    n_each = -(-200 // (n_shapes * n_holes))
    left = {}
    while len(left) < n_shapes or any(left.values()):
        cards = rng.permutation(52)
        board = cards[:n_board]
        if left.setdefault(suit_shape(board), n_each) > 0:
            left[suit_shape(board)] -= 1
            holes = rng.permutation(list(combinations(cards[n_board : n_board + 8], 2)))
            yield holes[:n_holes], board


@pytest.mark.slow
@pytest.mark.parametrize(("n_board", "n_holes"), [(3, 8), (4, 2), (5, 1)])
def test_random_cells_equal_brute_force(tables, n_board, n_holes):
    n_cells = 0
    for holes, board in hands_of_all_suit_shapes(n_board, n_holes):
        for hole, counts in zip(holes, showdowns(holes, board), strict=True):
            wins, ties = counts[counts[:, 0] >= 0].T
            for n in (1, 2, 9):
                chance = lookup.win_or_tie_probability(*hole, board, n_board, n, tables)
                share = lookup.hand_equity(*hole, board, n_board, n, tables)
                assert chance == pytest.approx((((wins + ties) / 990) ** n).mean(), abs=1e-7)
                assert share == pytest.approx(shares_by_sum(wins, ties, n).mean(), abs=1e-7)
            n_cells += 1
    assert n_cells >= 200


@allocating_kernel
def means_over_flops(hole_0, hole_1, n_opponents, tables):
    flop = np.empty(3, np.int64)
    chance = 0.0
    share = 0.0
    n_flops = 0
    for a in range(52):
        for b in range(a):
            for c in range(b):
                if hole_0 not in (a, b, c) and hole_1 not in (a, b, c):
                    flop[:] = (b, a, c)
                    chance += lookup.win_or_tie_probability(
                        hole_0, hole_1, flop, 3, n_opponents, tables
                    )
                    share += lookup.hand_equity(hole_0, hole_1, flop, 3, n_opponents, tables)
                    n_flops += 1
    return chance / n_flops, share / n_flops


@pytest.mark.slow
@pytest.mark.parametrize("hole", ["AsAh", "9c8c", "3d2s"])
def test_preflop_is_the_average_over_all_flops(tables, hole):
    a, b = parse_cards(hole)
    for n_opponents in (1, 9):
        means = means_over_flops(a, b, n_opponents, tables)
        for look_up, mean in zip(
            (lookup.win_or_tie_probability, lookup.hand_equity), means, strict=True
        ):
            preflop = look_up(a, b, np.zeros(5, np.int8), 0, n_opponents, tables)
            assert mean == pytest.approx(preflop, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("look_up", [lookup.win_or_tie_probability, lookup.hand_equity])
@pytest.mark.parametrize("n_board", [0, 3, 4, 5])
def test_order_of_cards_and_names_of_suits_do_not_matter(tables, n_board, look_up):
    rng = np.random.default_rng(n_board)
    for _ in range(300):
        cards = rng.permutation(52)[:7]
        renamed = cards // 4 * 4 + rng.permutation(4)[cards % 4]
        hole, board = rng.permutation(renamed[:2]), rng.permutation(renamed[2 : 2 + n_board])
        board = np.append(board, [-1, -1, -1, -1, -1])  # cards not yet dealt are not read
        assert look_up(*hole, board, n_board, 2, tables) == pytest.approx(
            look_up(*cards[:2], cards[2:], n_board, 2, tables), rel=1e-14
        )
