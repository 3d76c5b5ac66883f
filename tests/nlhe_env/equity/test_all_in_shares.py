"""Exact shares of pots: the table of match-ups before the flop, and everything that it leaves."""

import numpy as np
import pytest

from nlhe_env import equities, format_cards, hand_equity
from nlhe_env.cards import parse_cards
from nlhe_env.equity.all_in import preflop_pairs as pairs
from nlhe_env.equity.all_in.shares import COUNTER, find_shares, new_counter
from nlhe_env.equity.calculator.match_ups import play_match_ups
from nlhe_env.equity.calculator.showdown_tables import showdown_tables
from nlhe_env.equity.calculator.spot import HOLE_SETS, HOLES, set_of
from nlhe_env.jit.compilation import kernel


@kernel
def find(counters):
    find_shares(counters[0])


def ask(counter: np.ndarray, hands: list[str], board: str = "", dead: str = "") -> list[float]:
    """The shares of known hands."""
    records = counter.view(COUNTER)
    records["n"] = len(hands)
    for i, hand in enumerate(hands):
        records["cards"][0, i] = parse_cards(hand)
    records["board"] = set_of(parse_cards(board))
    records["dead"] = set_of(parse_cards(dead))
    find(records)
    return records["share"][0, : len(hands)].tolist()


@pytest.fixture(scope="module")
def counter() -> np.ndarray:
    return new_counter()


def test_the_table_has_every_matchup_once():
    counts = np.load(pairs.PAIRS_FILE)
    assert counts.shape == (pairs.N_MATCH_UPS, 2)
    assert (counts.sum(axis=1) <= pairs.N_BOARDS).all()


def test_the_table_has_a_published_matchup(counter):
    # Billings, PhD thesis (University of Alberta, 2006), table 5.2: wins, ties and losses.
    record = pairs.preflop_pairs()
    ours, theirs = parse_cards("AcKc"), parse_cards("7h6h")
    assert pairs.count_pair(*ours, *theirs, record) == (1_029_832, 7_525)
    assert pairs.count_pair(*theirs[::-1], *ours, record) == (674_947, 7_525)
    assert ask(counter, ["AcKc", "7h6h"])[0] == pytest.approx(0.6036, abs=5e-5)


def test_lookup_matches_enumeration():
    rng = np.random.default_rng(1)
    deals = np.stack([rng.choice(52, 4, replace=False) for _ in range(300)])
    rows = np.array(
        [[max(a, b) * (max(a, b) - 1) // 2 + min(a, b) for a, b in (d[:2], d[2:])] for d in deals]
    )
    histograms = np.empty((len(rows), 2, 3), np.int64)
    play_match_ups(rows, 0, len(rows), HOLE_SETS, HOLES, 0, showdown_tables(), histograms)
    record = pairs.preflop_pairs()
    found = [pairs.count_pair(*map(int, deal), record) for deal in deals]
    np.testing.assert_array_equal(found, histograms[:, 0, 1:])


def test_all_pairs_average_to_the_equity_against_a_random_hand(counter):
    record = pairs.preflop_pairs()
    cards = parse_cards("AhKd")
    others = [pair for pair in HOLES.tolist() if not set(pair) & set(cards)]
    counts = np.array([pairs.count_pair(*cards, *pair, record) for pair in others])
    assert len(counts) == 1225
    share = (counts[:, 0] + counts[:, 1] / 2).sum() / (1225 * pairs.N_BOARDS)
    assert share == pytest.approx(hand_equity("AhKd"), abs=1e-12)


@pytest.mark.parametrize("n_board", [0, 3, 4, 5])
@pytest.mark.parametrize("n_hands", [2, 3, 5])
@pytest.mark.parametrize("n_dead", [0, 4])
def test_shares_match_the_equity_calculator(counter, n_board, n_hands, n_dead):
    rng = np.random.default_rng([n_board, n_hands, n_dead])
    for _ in range(3):
        cards = rng.choice(52, n_board + 2 * n_hands + n_dead, replace=False).tolist()
        board, dead = cards[:n_board], cards[n_board : n_board + n_dead]
        held = cards[n_board + n_dead :]
        hands = [format_cards(held[2 * i : 2 * i + 2]) for i in range(n_hands)]
        known = {"board": format_cards(board), "dead": format_cards(dead)}
        expected = equities(hands, **known).equity
        for _ in range(2):  # the second time it may be kept
            assert ask(counter, hands, **known) == pytest.approx(expected, abs=1e-12)


def test_cached_answers_are_not_mixed_up(counter):
    """More questions than places, asked twice in another order."""
    rng = np.random.default_rng(5)
    questions = [rng.choice(52, 8, replace=False).tolist() for _ in range(400)]
    texts = [[format_cards(cards[i : i + 2]) for i in range(0, 8, 2)] for cards in questions]
    once = [ask(counter, hands[:3], dead=hands[3]) for hands in texts]
    twice = [ask(counter, hands[:3], dead=hands[3]) for hands in reversed(texts)]
    assert once == twice[::-1]
