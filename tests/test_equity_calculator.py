"""The equity calculator against brute force, PokerKit, the tables, and itself."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations, product

import numpy as np
import pytest

import nlhe_env.__main__
from nlhe_env.cards import CARD_NAMES, parse_cards
from nlhe_env.equity import Range, calculator, equity, win_chance
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


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
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
def test_exact_is_brute_force(players, board, dead):
    result = equity(players, board, dead)
    assert result.exact
    np.testing.assert_allclose(result[:3], brute_force(players, board, dead), atol=1e-12)
    assert sum(result.equity) == pytest.approx(1)


@pytest.mark.parametrize("players", [["AhKh", "AcKd"], ["AsAh", "KsKd"]])
def test_folding_suits_changes_nothing_preflop(players):
    np.testing.assert_allclose(equity(players)[:3], brute_force(players), atol=1e-12)
    assert equity(players).n_deals == 1_712_304


def test_ranges_preflop_are_the_mean_of_their_hands():
    result = equity(["AA", "KhKd"])
    aces = [a + b for a, b in combinations(["Ac", "Ad", "Ah", "As"], 2)]
    mean = np.mean([equity([hand, "KhKd"]).equity[0] for hand in aces])
    assert result.exact
    assert result.equity[0] == pytest.approx(mean, abs=1e-12)


def test_random_hands_share_alike():
    assert equity(["*", "*"], "Qs7h2h").equity == pytest.approx((0.5, 0.5), abs=1e-15)


@pytest.mark.parametrize("board", ["Qs7h2h3c4d", "AsKsQsJsTs", "2c2d2h2s3c", "7h8h9hTc2d"])
@pytest.mark.parametrize("hole", ["AhKh", "8c8s", "5d4s"])
def test_river_against_a_random_hand_is_the_table(hole, board):
    result = equity([hole, "*"], board)
    assert result.win[0] + result.tie[0] == pytest.approx(win_chance(hole, board), abs=1e-12)


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
    ours = np.mean([equity(players, board + "".join(rest)).equity for rest in deals], axis=0)
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
def test_sample_agrees_with_count(players, board):
    exact = equity(players, board)
    sampled = equity(players, board, samples=200_000, seed=1)
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
        (["AhKh", "*", "TT+:0.3"], "", 100_001),
    ],
)
def test_result_does_not_depend_on_threads(players, board, samples):
    results = [equity(players, board, samples=samples, threads=n) for n in (1, 2, 5)]
    assert results[0] == results[1] == results[2]


def test_seed_decides_the_sample():
    one, again, other = (equity(["AhKh", "*"], samples=5000, seed=seed) for seed in (1, 1, 2))
    assert one == again != other


def test_ten_random_hands_are_alike():
    result = equity(["*"] * 10, samples=200_000)
    for share, error in zip(result.equity, result.standard_error, strict=True):
        assert abs(share - 0.1) < 4 * error


def test_precision_is_reached():
    result = equity(["AhKh", "*", "*"], precision=0.001)
    assert not result.exact
    assert max(result.standard_error) <= 0.001


def test_time_limit_ends_a_sample():
    result = equity(["AhKh", "*", "*"], seconds=0.01)
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
        ((["AA", "AA", "AA", "*"],), {}, "cannot be held at the same time"),
        ((["AhKh", "QQ"],), {"samples": 0}, "samples must be a whole number"),
        ((["AhKh", "QQ"],), {"precision": -1}, "precision must be a positive number"),
        ((["AhKh", "QQ"],), {"threads": 0}, "threads must be"),
    ],
)
def test_mistakes_are_named(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        equity(*arguments, **options)


def test_command_prints_a_table(monkeypatch, capsys):
    monkeypatch.setattr(
        sys, "argv", ["nlhe_env", "equity", "AhKh", "QQ+, AKs", "--board", "Qs7h2h"]
    )
    nlhe_env.__main__.main()
    output = capsys.readouterr().out
    assert "44.306" in output
    assert "QQ+, AKs" in output
    assert "exact, all 11,880 deals" in output


def test_command_says_what_is_wrong(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["nlhe_env", "equity", "AhKh", "QX"])
    with pytest.raises(SystemExit) as caught:
        nlhe_env.__main__.main()
    assert caught.value.code == 2
    assert "range not understood: expected a rank" in capsys.readouterr().err


def test_import_brings_in_neither_rich_nor_tables():
    code = "import sys, nlhe_env.equity; assert 'rich' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_limits_leave_common_questions_exact():
    assert calculator.DEFAULT_PRECISION == 0.0005
    assert equity(["QQ+, AKs", "TT+, AQ+"]).exact
