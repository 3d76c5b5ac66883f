"""The equity calculator against brute force, PokerKit, the tables, and itself."""

import subprocess
import sys
from itertools import combinations, product

import numpy as np
import pytest

from nlhe_env.__main__ import main
from nlhe_env.cards import CARD_NAMES, parse_cards
from nlhe_env.equity import Range, equities, win_or_tie_probability
from nlhe_env.equity.calculator import equities as calculator
from nlhe_env.equity.calculator import showdown_tables, spot
from nlhe_env.evaluator import evaluate


def brute_force(players, board="", dead=""):
    """Equity, win and tie of every player by playing every deal out."""
    ranges = [Range.parse(player) for player in players]
    known = parse_cards(board) + parse_cards(dead)
    shares = np.zeros((3, len(players)))
    total = 0.0
    numbered = [list(zip(r.combos.tolist(), r.weights.tolist(), strict=True)) for r in ranges]
    for deal in product(*numbered):
        held = [card for combo, _ in deal for card in combo]
        if len({*held, *known}) < len(held) + len(known):
            continue
        free = [card for card in range(52) if card not in held and card not in known]
        n_to_come = 5 - len(parse_cards(board))
        rest = np.array([*combinations(free, n_to_come)], np.int8)
        boards = np.hstack([np.tile(np.array(parse_cards(board), np.int8), (len(rest), 1)), rest])
        ranks = np.stack(
            [
                evaluate(np.hstack([boards, np.tile(np.array(combo, np.int8), (len(boards), 1))]))
                for combo, _ in deal
            ]
        )
        wins = ranks == ranks.max(axis=0)
        n_winners = wins.sum(axis=0)
        weight = np.prod([w for _, w in deal])
        shares[0] += weight * (wins / n_winners).sum(axis=1)
        shares[1] += weight * (wins & (n_winners == 1)).sum(axis=1)
        shares[2] += weight * (wins & (n_winners > 1)).sum(axis=1)
        total += weight * len(boards)
    return shares / total


DEAD = "2c2d2h2s3c3d3h3s4c4d4h5c5d5h5s6c6d6h6s7c7d7h"


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (["AhKh", "AcKd"], "", ""),
        (["AhKh", "QhJh", "8h8d"], "", DEAD),
        (["AhKh", "QQ", "TT:0.5"], "", DEAD),
        (["AKs:0.5, QhQd", "KhKd, AKs:0.25"], "", DEAD),
        (["AhKh", "QJs"], "", DEAD),
        (["AhKh", "QsQd"], "Qh7h2c", ""),
        (["AhKh", "QsQd", "7c7d"], "Qh7h2c", "2d2h"),
        (["AhKh", "AcKc"], "", "2c2d2h2s3c3d3h3s4c4d4h4s5c5d5h5s6c6d6h6s7c7d7h7s"),
        (["AKs", "KQs, AA:0.25"], "Ah7s2c", ""),
        (["QQ+:0.5, AhKh", "AK, JJ:0.25"], "QsJs2c3d", "As"),
        (["22+, AK", "55-33, 76s-54s"], "7h6h5c4d2s", ""),
        (["KK", "AA, AKs", "KQs:0.5"], "Kh7h2c9d", ""),
        (["As2s", "Ad2d", "Ac2c", "Ah2h"], "KsQsJdTh", ""),
    ],
)
def test_exact_equity_matches_brute_force(players, board, dead):
    result = equities(players, board, dead)
    assert result.exact
    np.testing.assert_allclose(result[:3], brute_force(players, board, dead), atol=1e-12)
    assert sum(result.equity) == pytest.approx(1)


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("players", "pots"),
    [
        (["AsAh", "KsKd"], [1_403_165.5, 309_138.5]),
        (["AhKh", "QsQd"], [791_332, 920_972]),
        (["AhKc", "AdQc"], [1_278_973, 433_331]),
        (["2h2s", "AhKs"], [894_815.5, 817_488.5]),
        (["7c6c", "AhKd"], [723_524, 988_780]),
        (["5h5s", "5c5d"], [856_152, 856_152]),
        (["AhKh", "QsJs", "7c7d"], [528_239, 433_499, 409_016]),
        (["AhKh", "AcKd", "2s2d", "9h8h"], [206_709.5, 188_930.5, 328_466, 361_902]),
    ],
)
def test_preflop_equities_agree_with_poker_equity(players, pots):
    """Recorded from poker-equity 0.1.1, which deals out every board."""
    result = equities(players)
    assert result.exact
    assert result.n_deals == sum(pots)
    np.testing.assert_allclose(result.equity, np.array(pots) / sum(pots), rtol=1e-12)


@pytest.mark.parametrize("hole", ["AhKh", "Ah2s", "7d7c"])
def test_preflop_random_hands_match_the_preflop_table(hole):
    result = equities([hole, "*"])
    assert result.exact
    assert result.n_deals == 1225 * 1_712_304
    assert result.win[0] + result.tie[0] == pytest.approx(win_or_tie_probability(hole), abs=1e-12)


def test_flop_random_hands_match_the_flop_table():
    result = equities(["8h7h", "*"], "Ah9hTc")
    assert result.win[0] + result.tie[0] == pytest.approx(
        win_or_tie_probability("8h7h", "Ah9hTc"), abs=1e-6
    )


@pytest.mark.parametrize("board", ["", "Qs7h2h", "Qs7h2h3c", "Qs7h2h3c4d"])
def test_exchanging_the_players_exchanges_the_result(board):
    ranges = ["AhKh, TT+:0.5", "AhKh, QQ-99, AJ:0.25"]
    one = equities(ranges, board)
    other = equities(ranges[::-1], board)
    for first, second in zip(one[:3], other[:3], strict=True):
        assert first == pytest.approx(second[::-1], abs=1e-12)


def test_showdown_tables_order_hands_as_the_evaluator_does():
    tables = showdown_tables.showdown_tables()
    choose = tables["binomials"]
    rng = np.random.default_rng(3)
    cards = np.argsort(rng.random((3000, 52)), axis=1)[:, :7]
    suited = rng.permuted(np.tile(np.arange(13) * 4, (600, 1)), axis=1)[:, :7]
    cards = np.concatenate([cards, suited, suited[:, ::-1] | (np.arange(7) == 6)])
    numbers = []
    for hand in cards.tolist():
        board = spot.set_of(hand[2:])
        high, low = sorted((card >> 2 for card in hand[:2]), reverse=True)
        row = showdown_tables.multiset_of_board(board, choose)
        number = int(tables["by_board"][row, high * (high + 1) // 2 + low])
        assert number == tables["by_hole"][high * (high + 1) // 2 + low, row]
        start = showdown_tables.flush_suit(board)
        if start >= 0:
            ranks = (board | spot.set_of(hand[:2])) >> start & 0x1FFF
            number = max(number, int(tables["flush"][ranks]))
        numbers.append(number)
    ranks = evaluate(cards)
    order = np.argsort(ranks, kind="stable")
    steps = np.diff(np.array(numbers)[order])
    np.testing.assert_array_equal(steps > 0, np.diff(ranks[order]) > 0)
    assert (steps >= 0).all()


def test_preflop_range_equities_average_their_hands():
    result = equities(["AA", "KhKd"])
    aces = [a + b for a, b in combinations(["Ac", "Ad", "Ah", "As"], 2)]
    mean = np.mean([equities([hand, "KhKd"]).equity[0] for hand in aces])
    assert result.exact
    assert result.equity[0] == pytest.approx(mean, abs=1e-12)


def test_random_hands_have_equal_equity():
    assert equities(["*", "*"], "Qs7h2h").equity == pytest.approx((0.5, 0.5), abs=1e-15)


@pytest.mark.parametrize("board", ["Qs7h2h3c4d", "AsKsQsJsTs", "2c2d2h2s3c", "7h8h9hTc2d"])
@pytest.mark.parametrize("hole", ["AhKh", "8c8s", "5d4s"])
def test_river_equity_against_a_random_hand_matches_the_table(hole, board):
    result = equities([hole, "*"], board)
    assert result.win[0] + result.tie[0] == pytest.approx(
        win_or_tie_probability(hole, board), abs=1e-12
    )


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("players", "board"), [(["AsKd", "QhQc"], "Kh7d2s4c"), (["Ts9s", "AhAd", "8c8d"], "8s7s2d")]
)
def test_pokerkit_agrees(players, board):
    from pokerkit import Card, StandardHighHand

    held = parse_cards("".join(players) + board)
    free = [name for card, name in enumerate(CARD_NAMES) if card not in held]
    shares = np.zeros(len(players))
    # Every third deal: PokerKit is slow.
    deals = list(combinations(free, 5 - len(board) // 2))[::3]
    for rest in deals:
        full = list(Card.parse(board + "".join(rest)))
        hands = [StandardHighHand.from_game(p, full) for p in players]
        wins = np.array([hand == max(hands) for hand in hands])
        shares += wins / wins.sum()
    ours = np.mean([equities(players, board + "".join(rest)).equity for rest in deals], axis=0)
    np.testing.assert_allclose(ours, shares / len(deals), atol=1e-12)


@pytest.mark.parametrize(
    ("players", "board"),
    [
        (["AhKh", "QsQd"], ""),
        (["AhKh", "*"], "Qs7h2h"),
        (["QQ+:0.5, AKs", "JJ-99, AQ:0.25"], "2c7d9h"),
        (["AhKh", "QQ", "JTs"], "Qs7h2h"),
        (["AA", "AKs", "22+:0.5"], "AsKd7c2c"),
    ],
)
def test_sampling_agrees_with_enumeration(players, board):
    exact = equities(players, board)
    sampled = equities(players, board, samples=200_000, seed=1)
    assert exact.exact
    assert not sampled.exact
    assert sampled.n_deals == 200_000
    for ours, right, error in zip(
        sampled.equity, exact.equity, sampled.standard_error, strict=True
    ):
        assert 0 < error < 0.002
        assert abs(ours - right) < 4 * error


@pytest.mark.parametrize(
    ("players", "board", "samples"),
    [
        (["AhKh", "QsQd"], "", None),
        (["22+:0.1, AK:0.3", "A2s+:0.7, KQo"], "Qs7h2h", None),
        (["AhKh", "*"], "", None),
        (["QQ+:0.3", "TT+, AQs+:0.7", "AKs"], "", None),
        (["*", "*"], "Qs7h2h", None),
        (["AhKh", "*", "TT+:0.3"], "", 100_001),
    ],
)
def test_result_does_not_depend_on_threads(players, board, samples):
    results = [equities(players, board, samples=samples, threads=n) for n in (1, 2, 5)]
    assert results[0] == results[1] == results[2]


def test_seed_decides_the_sample():
    one, again, other = (equities(["AhKh", "*"], samples=5000, seed=seed) for seed in (1, 1, 2))
    assert one == again != other


def test_ten_random_hands_have_equal_equity():
    result = equities(["*"] * 10, samples=200_000)
    for share, error in zip(result.equity, result.standard_error, strict=True):
        assert abs(share - 0.1) < 4 * error


def test_a_single_deal_has_no_known_error():
    assert np.isnan(equities(["AA", "KK", "*"], samples=1).standard_error).all()
    two = equities(["AA", "KK", "*"], samples=2)
    for equity, error in zip(two.equity, two.standard_error, strict=True):
        assert error == {0.0: 0.0, 0.5: 0.5, 1.0: 0.0}[equity]


def test_the_requested_precision_is_reached():
    result = equities(["AhKh", "*", "*"], precision=0.001)
    assert not result.exact
    assert max(result.standard_error) <= 0.001


def test_a_time_limit_ends_sampling():
    result = equities(["AhKh", "*", "*"], seconds=0.01)
    assert result.n_deals >= 1


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((["AhKh"],), {}, "2 to 10 hands or ranges; got 1"),
        (("AhKh",), {}, "2 to 10"),
        ((["AhKh", "QQ"], "Qs7h"), {}, "0, 3, 4 or 5 cards"),
        ((["AhKh", "QQ"], "Qs7h2c", "7h"), {}, "7h is both on the board and dead"),
        ((["AhKh", "QQ"], "Ah7h2c"), {}, r'players\[0\], "AhKh", is impossible'),
        ((["AhKh", "AhQh"],), {}, "cannot be held at the same time"),
        ((["AhKh", "AhQh"], "2c3c4c"), {}, "cannot be held at the same time"),
        ((["AhKh, AhQh", "AhKh, AhJh"], "2c3c4c"), {}, "cannot be held at the same time"),
        ((["AA", "AA", "AA", "*"],), {}, "cannot be held at the same time"),
        ((["AhKh", "QQ"],), {"samples": 0}, "samples must be at least 1"),
        ((["AhKh", "QQ"],), {"precision": -1}, "precision must be a finite number above 0"),
        ((["AhKh", "QQ"],), {"seconds": True}, "seconds must be a finite number above 0"),
        ((["AhKh", "QQ"],), {"threads": 0}, "threads must be"),
    ],
)
def test_mistakes_are_named(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        equities(*arguments, **options)


def test_command_prints_a_table(capsys):
    assert main(["equity", "AhKh", "QQ+, AKs", "--board", "Qs7h2h"]) == 0
    output = capsys.readouterr().out
    assert "44.306" in output
    assert "QQ+, AKs" in output
    assert "exact, all 11,880 deals" in output


def test_command_reports_wrong_input(capsys):
    assert main(["equity", "AhKh", "QY"]) == 2
    assert "range not understood: expected a rank" in capsys.readouterr().err


def test_importing_loads_neither_rich_nor_tables():
    code = "import sys, nlhe_env.equity; assert 'rich' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_limits_keep_common_questions_exact():
    assert calculator.DEFAULT_PRECISION == 0.0005
    assert equities(["QQ+, AKs", "TT+, AQ+"]).exact
    assert equities(["22+, A2s+, KTs+, AJo+", "99+, AQ+, KQs"]).exact
    assert not equities(["*", "*", "AhKh"], samples=1).exact
