"""Hand strength and potential: numbers of the thesis, slow counting, and what must always hold."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlhe_env.assessment import potential_kernels as kernels
from nlhe_env.assessment.hand_potential import hand_strength, potential
from nlhe_env.assessment.holding_strengths import BLOCKED, HoldingStrengths, find_strengths
from nlhe_env.assessment.potential_kernels import remove_card, rescale, reweight
from nlhe_env.cards import format_cards, parse_cards
from nlhe_env.equity import Range, equities, load_tables
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.equity.tables.cells import hole_number
from nlhe_env.equity.tables.suits import hole_pairs
from nlhe_env.evaluator import FLUSH, STRAIGHT, STRAIGHT_FLUSH, evaluate, hand_class

FLOP = ("AdQc", "Jh 4c 3h")


def deals_of(found):
    """The transitions as numbers of deals."""
    deals = found.transitions * found.n_deals
    assert deals == pytest.approx(np.round(deals), abs=1e-5)
    return np.round(deals).astype(int).tolist()


# ----------------------------------------------------------------------------------- worked numbers


def test_strength_of_the_published_example():
    assert hand_strength(*FLOP) == pytest.approx((628 + 9 / 2) / 1081, abs=1e-15)
    assert hand_strength(*FLOP, opponents=5) == pytest.approx(0.0686, abs=5e-5)


def test_potential_of_the_published_example():
    found = potential(*FLOP)
    assert found.n_deals == 1_070_190
    assert deals_of(found) == [[449_005, 3_211, 169_504], [0, 8_370, 540], [91_981, 1_036, 346_543]]
    assert found.positive == pytest.approx(92_499 / 444_015, abs=1e-14)
    assert found.negative == pytest.approx(171_379.5 / 626_175, abs=1e-14)
    assert found.win_share == pytest.approx(0.511399, abs=5e-7)
    assert found.effective_hand_strength == pytest.approx(0.671539, abs=5e-7)


def test_one_card_look_ahead_of_the_published_example():
    found = potential(*FLOP, n_cards=1)
    assert deals_of(found) == [[24_126, 0, 4_134], [0, 396, 9], [2_186, 0, 17_794]]
    assert found.positive == pytest.approx(0.108312, abs=5e-7)
    assert found.negative == pytest.approx(0.145402, abs=5e-7)


@pytest.mark.parametrize(
    ("n_opponents", "effective"),
    [(2, 0.479354), (3, 0.366905), (4, 0.301111), (5, 0.262614), (9, 0.214687)],
)
def test_effective_strength_against_several(n_opponents, effective):
    found = potential(*FLOP, opponents=n_opponents)
    assert found.effective_hand_strength == pytest.approx(effective, abs=5e-7)


@pytest.mark.parametrize(
    ("hole", "board", "positive", "negative"),
    [
        ("AhQc", "Jh4c3h", 0.247921, 0.240694),
        ("AdQc", "Jh4c3d", 0.214755, 0.243535),
        ("7d6d", "Qs7h4d", 0.233995, 0.177601),
    ],
)
def test_potential_depends_on_suits(hole, board, positive, negative):
    found = potential(hole, board)
    assert found.positive == pytest.approx(positive, abs=5e-7)
    assert found.negative == pytest.approx(negative, abs=5e-7)


def test_the_other_published_suit_gives_its_row():
    found = potential("AhQc", "Jh4c3h")
    assert deals_of(found)[0] == [469_380, 3_247, 149_093]
    assert found.effective_hand_strength == pytest.approx(0.687967, abs=5e-7)


@pytest.mark.parametrize(
    ("hole", "board", "now", "next_street", "river"),
    [
        ("3c2c", "KsTh7d", 0.0042, 0.0729, 0.1507),
        ("3h2h", "KsTh7d", 0.0042, 0.0729, 0.1893),
        ("3c2c", "KsTh7d4c", 0.0043, 0.0620, 0.0620),
        ("AcKc", "Ks5h3d", 0.9685, 0.9302, 0.8687),
        ("7h6h", "Ks5h3d", 0.0634, 0.2258, 0.3798),
        ("AcKc", "Ks5h3dTc", 0.9411, 0.8902, 0.8902),
        ("7h6h", "Ks5h3dTc", 0.0662, 0.2146, 0.2146),
    ],
)
def test_hand_rank_on_every_street(hole, board, now, next_street, river):
    assert hand_strength(hole, board) == pytest.approx(now, abs=5e-5)
    assert potential(hole, board, n_cards=1).win_share == pytest.approx(next_street, abs=5e-5)
    assert potential(hole, board).win_share == pytest.approx(river, abs=5e-5)


@pytest.mark.parametrize(
    ("hole", "board", "strength"),
    [
        ("AcKc", "Ks5h3dTc4h", 0.8576),
        ("7h6h", "Ks5h3dTc4h", 0.9955),
        ("7d6d", "Qs7h4d", 0.785384),
        ("7d6d", "Qs7h4d5h", 0.738164),
        ("AcKc", "", 0.9376),
        ("7h6h", "", 0.1604),
    ],
)
def test_strengths_match_the_thesis(hole, board, strength):
    assert hand_strength(hole, board) == pytest.approx(strength, abs=5e-5)


@pytest.mark.parametrize(
    ("hole", "board", "held", "won", "lost"),
    [
        ("7d6d", "Qs7h4d", "QcJc", 256, 734),
        ("7d6d", "Qs7h4d5h", "QcJc", 13, 31),
        ("3h2h", "KsTh7dAh", "AsTs", 9, 35),
        ("7h6h", "Ks5h3dTc", "AcKc", 4, 40),
    ],
)
def test_strength_against_one_holding_is_all_in_equity(hole, board, held, won, lost):
    found = potential(hole, board, opponents=held)
    assert deals_of(found) == [[0, 0, 0], [0, 0, 0], [won, 0, lost]]
    assert found.win_share == found.positive == pytest.approx(won / (won + lost))


def test_flush_and_straight_counts_match_the_published_ones():
    """7d6d on Qs7h4d with QcJc gone: about 7% of 990, which equals three outs more."""
    hole, board, held = (list(parse_cards(cards)) for cards in ("7d6d", "Qs7h4d", "QcJc"))
    unseen = [card for card in range(52) if card not in hole + board + held]
    finals = [[*hole, *board, *cards] for cards in combinations(unseen, 2)]
    classes = hand_class(evaluate(finals))
    counts = [int((classes == each).sum()) for each in (FLUSH, STRAIGHT, STRAIGHT_FLUSH)]
    assert (len(finals), counts) == (990, [43, 30, 2])


def test_reweighting_matches_the_thesis():
    weights = np.ones(1326)
    ace_king = hole_number(*parse_cards("AsKc"))
    queen_deuce = hole_number(*parse_cards("2dQd"))
    weights[[ace_king, queen_deuce]] = 0.40, 0.20
    folds, checks, bets = np.zeros((3, 1326))
    for number, triple in ((ace_king, (0.0, 0.7, 0.3)), (queen_deuce, (0.0, 0.1, 0.9))):
        folds[number], checks[number], bets[number] = triple
    after_bet, after_check = weights.copy(), weights.copy()
    reweight(after_bet, bets, 0.0)
    reweight(after_check, checks, 0.0)
    assert after_bet[[ace_king, queen_deuce]] == pytest.approx([0.12, 0.18])
    assert after_check[[ace_king, queen_deuce]] == pytest.approx([0.28, 0.02])
    rescale(after_bet)
    assert after_bet[[ace_king, queen_deuce]] == pytest.approx([2 / 3, 1])


def test_weights_have_a_floor_except_for_known_cards():
    weights = np.ones(1326, np.float32)
    remove_card(weights, 51)
    assert (weights == 0).sum() == 51
    assert not weights[np.any(hole_pairs() == 51, axis=1)].any()
    reweight(weights, np.zeros(1326), 0.01)
    assert set(weights.tolist()) == {0.0, float(np.float32(0.01))}


# ------------------------------------------------------------------------------------ slow counting


def slow_table(hole, board, n_cards, weights):
    """The transitions counted one showdown after the other."""
    table = np.zeros((3, 3))
    unseen = [card for card in range(52) if card not in hole + board]
    for held in combinations(unseen, 2):
        weight = weights[hole_number(*held)]
        left = [card for card in unseen if card not in held]
        boards = [(*board, *cards) for cards in combinations(left, n_cards)]
        own = evaluate([hole + more for more in boards])
        others = evaluate([held + more for more in boards])
        now = np.diff(evaluate([hole + board, held + board]))[0]
        row = 0 if now < 0 else 1 if now == 0 else 2
        table[row] += weight * np.array(
            [(own > others).sum(), (own == others).sum(), (own < others).sum()]
        )
    return table


# Rainbow, two suits, one suit, pairs and triples; on the turn four of a suit and quads as well.
@pytest.mark.parametrize(
    "cards",
    [
        *("AdQc Jh4c3h", "5s4s 3s2sAh", "9c9d 9h9s2c", "QsJs AsKs9s", "7h6h Ks5h3dTc"),
        *("2c2d AsKsQsJs", "AsAh 8s8h8d8c", "Th9h 8h7h2cTc"),
    ],
)
def test_one_card_look_ahead_matches_slow_enumeration(cards):
    codes = parse_cards(cards)
    check_against_slow(codes[:2], codes[2:], 1)


def check_against_slow(hole, board, n_cards):
    weights = np.random.default_rng(sum(hole + board)).random(1326).astype(np.float32)
    scratch = np.zeros((), kernels.SCRATCH)[()]
    kernels.count(*hole, np.array(board), len(board), n_cards, scratch)
    found = kernels.transitions(weights, scratch)
    expected = slow_table(hole, board, n_cards, weights)
    assert np.array(found) == pytest.approx(expected.ravel(), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("cards", ["As5s 2s3sKh", "ThTc TsTd2c", "8d7h 9h6h5h", "QsQh 2c2d2h"])
def test_two_card_look_ahead_matches_slow_enumeration(cards):
    codes = parse_cards(cards)
    check_against_slow(codes[:2], codes[2:], 2)


# ---------------------------------------------------------------------------- what must always hold

DEALS = st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True)


@settings(max_examples=25, deadline=None)
@given(DEALS, st.integers(3, 5), st.permutations(range(4)))
def test_renaming_suits_changes_nothing(cards, n_board, names):
    renamed = [card & ~3 | names[card & 3] for card in cards]
    before = potential(format_cards(cards[:2]), format_cards(cards[2 : 2 + n_board]))
    after = potential(format_cards(renamed[:2]), format_cards(renamed[2 : 2 + n_board]))
    assert np.array_equal(before.transitions, after.transitions)


@settings(max_examples=25, deadline=None)
@given(DEALS, st.integers(3, 5), st.integers(0, 2**32), st.data())
def test_measures_lie_between_zero_and_one(cards, n_board, seed, data):
    hole, board = format_cards(cards[:2]), format_cards(cards[2 : 2 + n_board])
    weights = np.random.default_rng(seed).random(1326)
    n_cards = data.draw(st.sampled_from([None, *range(1, 6 - n_board)]))
    found = potential(hole, board, n_cards=n_cards, opponents=weights)
    assert found.transitions.sum() == pytest.approx(1)
    assert (found.transitions >= 0).all()
    assert found.hand_strength == pytest.approx(hand_strength(hole, board, opponents=weights))
    assert 0 <= found.positive <= 1
    assert 0 <= found.negative <= 1
    assert found.hand_strength <= found.effective_hand_strength <= 1
    ahead, tied, _ = found.transitions.sum(axis=0)
    assert found.win_share == pytest.approx(ahead + tied / 2)


@settings(max_examples=15, deadline=None)
@given(DEALS, st.integers(3, 5))
def test_win_share_equals_equity(cards, n_board):
    hole, board = format_cards(cards[:2]), format_cards(cards[2 : 2 + n_board])
    for held in "*", "22+, A2s+, T9s:0.3":
        exact = equities([hole, held], board).equity[0]
        assert potential(hole, board, opponents=held).win_share == pytest.approx(exact)


@settings(max_examples=50, deadline=None)
@given(DEALS)
def test_river_strength_matches_the_tables(cards):
    from nlhe_env.equity.tables.lookup import win_or_tie_probability

    board = np.array(cards[2:])
    table = win_or_tie_probability(cards[0], cards[1], board, 5, 1, load_tables())
    found = potential(format_cards(cards[:2]), format_cards(cards[2:]))
    won_or_tied = found.transitions[0].sum() + found.transitions[1].sum()
    assert won_or_tied == pytest.approx(table)
    assert (found.positive, found.negative) == (0, 0)
    assert np.count_nonzero(found.transitions - np.diag(np.diag(found.transitions))) == 0


def test_kernels_agree_with_the_functions():
    hole, board = parse_cards(FLOP[0]), np.array(parse_cards(FLOP[1]))
    scratch = np.zeros((), kernels.SCRATCH)[()]
    for held in "*", "TT+, AQ+":
        found = potential(*FLOP, n_cards=1, opponents=held)
        table = Range.parse(held).table
        measures = found.hand_strength, found.positive, found.negative
        assert kernels.potential(*hole, board, 3, 1, table, scratch) == pytest.approx(measures)
    assert kernels.potential(*hole, board, 3, 1, None, scratch) == pytest.approx(
        kernels.potential(*hole, board, 3, 1, np.ones(1326), scratch)
    )


def test_zero_weights_give_zero_strength():
    hole, board = parse_cards(FLOP[0]), np.array(parse_cards(FLOP[1]))
    scratch = np.zeros((), kernels.SCRATCH)[()]
    assert kernels.hand_strength(*hole, board, 3, np.zeros(1326)) == 0
    assert kernels.potential(*hole, board, 3, 2, np.zeros(1326), scratch) == (0, 0, 0)


# -------------------------------------------------------------------------------- several opponents


def test_opponents_may_have_different_ranges():
    tight, loose = potential(*FLOP, opponents="TT+, AK"), potential(*FLOP, opponents="*")
    both = potential(*FLOP, opponents=["TT+, AK", "*"])
    assert both.hand_strength == pytest.approx(tight.hand_strength * loose.hand_strength)
    assert both.transitions == pytest.approx((tight.transitions + loose.transitions) / 2)
    low, high = sorted([tight.positive, loose.positive])
    assert low < both.positive < high
    alike = potential(*FLOP, opponents=["*", "*", "*"])
    assert alike.effective_hand_strength == pytest.approx(
        potential(*FLOP, opponents=3).effective_hand_strength
    )
    assert hand_strength(*FLOP, opponents=["TT+, AK", "*"]) == pytest.approx(both.hand_strength)


def test_scaling_weights_changes_nothing():
    table = Range.parse("TT+, AQ+:0.4").table
    assert np.allclose(
        potential(*FLOP, opponents=table).transitions,
        potential(*FLOP, opponents=7 * table).transitions,
    )


# ----------------------------------------------------------------------------- all holdings at once

BOARDS = ["Jh4c3h", "7s7d7h", "AhKhQh", "2c3d4h5s", "9s9d4h4c", "AhKhQhJhTh", "2c2d2h2s7c"]


@pytest.mark.parametrize("text", BOARDS)
def test_all_holdings_at_once_match_single_ones(text):
    board = np.array(parse_cards(text))
    found = HoldingStrengths.new()
    find_strengths(np.array([0, 1, 2]), 3, found)  # another board before
    find_strengths(board, len(board), found)
    for number in range(0, 1326, 7):
        if set(HOLES[number].tolist()) & set(board.tolist()):
            assert found.strength[number] == BLOCKED
        else:
            one = hand_strength(format_cards(HOLES[number]), text)
            assert found.strength[number] == one, format_cards(HOLES[number])


def test_strengths_of_all_holdings_have_the_published_example():
    board = parse_cards("Jh4c3h")
    found = HoldingStrengths.new()
    find_strengths(np.array(board), 3, found)
    high, low = sorted(parse_cards("AdQc"), reverse=True)
    assert found.strength[high * (high - 1) // 2 + low] == (628 + 9 / 2) / 1081


# ------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("Ad", "Jh4c3h"), {}, "hole must be two cards"),
        (("AdQc", "Jh4c"), {}, "board must be 3, 4 or 5 cards"),
        (("AdQc", ""), {}, "board must be 3, 4 or 5 cards"),
        (("AdQc", "QcJh2s"), {}, "card Qc is in both"),
        (FLOP, {"n_cards": 3}, "at most the 2 to come"),
        (("AdQc", "Jh4c3h2s"), {"n_cards": 2}, "at most the 1 to come"),
        (FLOP, {"opponents": 0}, r"opponents must be 1\.\.9"),
        (FLOP, {"opponents": []}, "1 to 9 ranges"),
        (FLOP, {"opponents": "AdKd"}, "is impossible"),
        (FLOP, {"opponents": np.ones(5)}, "1326 numbers"),
        (FLOP, {"opponents": -np.ones(1326)}, "0 or more"),
        (FLOP, {"opponents": "XX"}, "range not understood"),
    ],
)
def test_errors_name_the_invalid_argument(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        potential(*arguments, **options)
