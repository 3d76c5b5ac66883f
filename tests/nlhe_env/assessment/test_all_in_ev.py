"""Hands that are over before the river, paid by expectation."""

from itertools import combinations

import numpy as np
import pytest
from helpers import CALL, FOLD, deal, drive, last_table, play_as

import nlhe_env
from nlhe_env import all_in_ev
from nlhe_env.game.table import EMPTY, RIVER


def nets(env: nlhe_env.raw_env) -> dict[int, float]:
    """The actual result of every seat."""
    table = last_table(env)
    return {
        seat: int(table["won"][seat] - table["hand_bet"][seat])
        for seat in np.flatnonzero(table["status"] != EMPTY)
    }


def test_all_in_ev_of_a_straight_draw_on_the_turn():
    """Eight of 44 cards win: what the competition's own tool ``all_in_expectation`` gives."""
    env = deal(
        [20_000, 20_000],
        blinds=(50, 100),
        hole_cards={0: "QhJh", 1: "AsAd"},
        board="Th9s2c3d4d",
    )
    play_as(env, (0, CALL), (1, CALL), (1, CALL), (0, CALL), (1, 19_900), (0, CALL))
    assert nets(env) == {0: -20_000, 1: 20_000}
    found = all_in_ev(last_table(env))
    assert found[0] == pytest.approx(-12_727.27, abs=0.005)
    assert found[0] == pytest.approx(40_000 * 8 / 44 - 20_000, abs=1 / 65_536)
    assert found[1] == -found[0]


def test_side_pots_are_paid_pot_by_pot():
    # Three all-in on the flop with different stacks and a fourth who folded a blind. The player who
    # covers all others gets the uncalled rest back.
    env = deal(
        [500, 1000, 3000, 2000],
        hole_cards={0: "AsAh", 1: "KsQs", 2: "JhTh", 3: "7c7d"},
        board="Js8s2h3c4d",
        button=0,
    )
    play_as(env, (3, CALL), (0, CALL), (1, CALL), (2, CALL))
    play_as(env, (1, CALL), (2, CALL), (3, 100), (0, 480), (1, 980), (2, 2980))
    table = last_table(env).copy()
    assert table["actor"] == 3
    play_as(env, (3, FOLD))
    found = all_in_ev(last_table(env))
    expected = _mean_over_boards(table, [0, 1, 2], {0: 500, 1: 1000, 2: 1000}, extra=120)
    assert sum(found.values()) == pytest.approx(0, abs=1e-9)
    assert found[3] == -120
    for seat in range(3):
        assert found[seat] == pytest.approx(expected[seat], abs=1e-3)


def _mean_over_boards(table, seats, put_in, *, extra):
    """Pots of 500 each and of another 500 of two, the dead chips in the first; ties are split."""
    cards = table["cards"].tolist()
    board = cards[8:11]
    left = [card for card in range(52) if card not in cards[:11]]
    totals = dict.fromkeys(seats, 0.0)
    boards = list(combinations(left, 2))
    for two in boards:
        hands = [[*cards[2 * seat : 2 * seat + 2], *board, *two] for seat in seats]
        ranks = dict(zip(seats, nlhe_env.evaluator.evaluate(hands).tolist(), strict=True))
        # The fourth player's 120 chips reach only into the main pot.
        for members, size in (([0, 1, 2], 1500 + extra), ([1, 2], 1000)):
            best = max(ranks[seat] for seat in members)
            winners = [seat for seat in members if ranks[seat] == best]
            for seat in winners:
                totals[seat] += size / len(winners)
    return {seat: total / len(boards) - put_in[seat] for seat, total in totals.items()}


def test_known_folded_cards_count():
    # The folded hand holds two of the nine cards that make the flush.
    env = deal(
        [1000, 1000, 1000],
        hole_cards={0: "AhKh", 1: "AsAc", 2: "QhJh"},
        board="2h7h9cTd3s",
        button=0,
    )
    play_as(env, (0, CALL), (1, CALL), (2, CALL), (1, 980), (2, FOLD), (0, CALL))
    known = all_in_ev(last_table(env))
    unknown = all_in_ev(last_table(env), folded_known=False)
    assert known[2] == unknown[2] == -20
    assert known[0] < unknown[0]
    for found, dead in ((known, "QhJh"), (unknown, "")):
        share = nlhe_env.equities(["AhKh", "AsAc"], board="2h7h9c", dead=dead).equity[0]
        assert found[0] == pytest.approx(2020 * share - 1000, abs=1e-4)


def test_hands_without_all_in_runouts_are_unchanged():
    env = deal([1000, 1000], hole_cards={0: "AsAh", 1: "KsKh"}, board="2c3d4h8sJd")
    play_as(env, (0, CALL), (1, CALL), *[(1, CALL), (0, CALL)] * 2, (1, 980), (0, CALL))
    assert last_table(env)["street"] == RIVER
    assert all_in_ev(last_table(env)) == nets(env)
    folded = deal([1000, 1000])
    play_as(folded, (0, 1000), (1, FOLD))
    assert all_in_ev(last_table(folded)) == nets(folded) == {0: 20, 1: -20}


@pytest.mark.parametrize("seed", range(40))
def test_all_in_ev_is_zero_sum(seed):
    stacks = np.random.default_rng(seed).integers(30, 400, 2 + seed % 5)
    env = deal(stacks.tolist(), seed=seed)
    drive(env, seed)
    found = all_in_ev(last_table(env))
    assert sum(found.values()) == 0
    assert all(net >= -stacks[seat] for seat, net in found.items())


def test_records_of_unfinished_hands_are_refused():
    env = deal([1000, 1000])
    with pytest.raises(ValueError, match="must be of a finished hand"):
        all_in_ev(last_table(env))
    with pytest.raises(ValueError, match="record must be a table record"):
        all_in_ev(np.zeros(1, [("pot", int)])[0])
