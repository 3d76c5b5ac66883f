"""Metrics of hands against printed numbers and plain counting; categories and their balance."""

from itertools import combinations

import numpy as np
import pytest

from agents.exploitability.hand_metrics import preflop_metrics
from agents.theses.bonson.dealt import CATEGORIES, SMALLEST_CATEGORY, load_matches, make_matches
from agents.theses.bonson.dealt.library import make_deals
from nlhe_env.cards import parse_cards
from nlhe_env.equity.tables.cells import preflop_class
from nlhe_env.evaluator import evaluate


@pytest.fixture(scope="module")
def library():
    return make_matches(400, seed=3)


def deal(first, second, board):
    cards = [parse_cards(text) for text in (first, second, board)]
    return make_deals(np.array([cards[:2]], np.int8), np.array([cards[2]], np.int8), threads=1)[0]


# By an exhaustive count of another program; the file of hands published with the thesis agrees.
@pytest.mark.parametrize(
    ("hole", "board", "strength", "potential"),
    [
        ("8cQd", "JsTd9h3s2d", (0.6208, 0.9847, 0.9841, 0.9833), (0.8752, 0.9226)),
        ("As5h", "JsTd9h3s2d", (0.8592, 0.4963, 0.3870, 0.2833), (0.2891, 0.2479)),
        ("KcTh", "5s9dQdJc8d", (0.7678, 0.4593, 0.9957, 0.9505), (0.4021, 0.9574)),
        ("JhKs", "5s9dQdJc8d", (0.7776, 0.4704, 0.7990, 0.5854), (0.4102, 0.6855)),
    ],
)
def test_metrics_match_the_thesis(hole, board, strength, potential):
    made = deal(hole, "2c3c" if "2d" in board else "2c2d", board)
    np.testing.assert_allclose(made["strength"][0], strength, atol=5e-5)
    np.testing.assert_allclose(made["potential"][0, 1:3], potential, atol=5e-5)
    assert made["potential"][0, 3] == made["strength"][0, 3]


def test_potential_matches_plain_enumeration():
    """Equation 4.3 on a turn, over all holdings and rivers."""
    hole, board = np.array(parse_cards("KcTh")), np.array(parse_cards("5s9dQdJc"))
    left = [card for card in range(52) if card not in {*hole, *board}]
    counts = np.zeros((3, 3))
    pairs = np.array(list(combinations(left, 2)))
    now = _relation(hole, pairs, board)
    for river in left:
        fits = (pairs != river).all(axis=1)
        later = _relation(hole, pairs[fits], np.append(board, river))
        np.add.at(counts, (now[fits], later), 1)
    behind, tied, ahead = counts
    value = (ahead[2] + behind[2] + behind[1] / 2 + tied[2]) / (
        1.5 * behind.sum() + tied.sum() + ahead.sum()
    )
    assert deal("KcTh", "2c2d", "5s9dQdJc8d")["potential"][0, 2] == pytest.approx(value, abs=1e-6)


def _relation(hole, pairs, board):
    """0 behind, 1 tied, 2 ahead of each pair."""
    own = evaluate(np.concatenate([board, hole])[np.newaxis])
    others = evaluate(np.concatenate([np.tile(board, (len(pairs), 1)), pairs], axis=1))
    return 1 + np.sign(own - others).astype(int)


@pytest.mark.parametrize(
    ("hole", "strength", "potential"),
    [
        ("AsKd", 0.9376, 0.6326),
        ("AsKs", None, 0.6640),
        ("AsAd", None, 1.0),
        ("2s2d", None, 0.3616),
        ("7s2d", None, 0.0443),
        ("3s2d", 0.0037, 0.0),
        ("QsJd", 0.6502, None),
        ("5s2d", 0.0363, None),
    ],
)
def test_hole_cards(hole, strength, potential):
    found = preflop_metrics()[preflop_class(*parse_cards(hole))]
    if strength is not None:
        assert found[0] == pytest.approx(strength, abs=5e-5)
    if potential is not None:
        assert found[1] == pytest.approx(potential, abs=0.003)  # printed ones are sampled


def test_a_deal_is_seen_from_both_sides(library):
    first, second = library.deals["category"].T
    assert np.array_equal(first // 3, second % 3)
    assert np.array_equal(first % 3, second // 3)
    assert len(library) == 800


def test_balanced_draws_have_all_categories_equally_often(library):
    drawn = library.draw(27, np.random.default_rng(1), balanced=True)
    assert np.bincount(library.categories[drawn], minlength=CATEGORIES).tolist() == [3] * 9
    assert len(set(drawn.tolist())) == 27


@pytest.mark.slow
def test_the_smallest_category_has_the_stated_number_of_matches():
    assert np.bincount(load_matches().categories).min() == SMALLEST_CATEGORY


def test_without_a_cache_folder_the_library_stays_in_memory(library, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("NLHE_ENV_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr("agents.theses.bonson.dealt.library.make_matches", lambda: library)
    assert load_matches.__wrapped__() is library


def test_impossible_draws_are_refused(library):
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="multiple of 9 if balanced; got 28"):
        library.draw(28, rng, balanced=True)
    with pytest.raises(ValueError, match="the matches of category 0; got 500"):
        library.draw_of(0, 500, rng)


def test_threads_change_nothing():
    cards = np.argsort(np.random.default_rng(2).random((600, 52)), axis=1)[:, :9].astype(np.int8)
    holes, boards = cards[:, :4].reshape(-1, 2, 2), cards[:, 4:]
    one, two = (make_deals(holes, boards, threads=threads) for threads in (1, 2))
    assert one.tobytes() == two.tobytes()
