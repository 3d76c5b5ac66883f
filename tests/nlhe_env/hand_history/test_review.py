"""Hands explained: every number against another way to find it."""

from __future__ import annotations

import pytest
from hand_texts import HEADS_UP, THREE_ALL_IN

from nlhe_env import all_in_ev, equities
from nlhe_env.hand_history import Hand, play_hand, read_hands, review_hand

MUCKED = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 3000, 1000]
actions = ["d dh p1 ????", "d dh p2 QhQc", "d dh p3 ????",
  "p3 cbr 300", "p1 f", "p2 cc", "d db 2s7h9d", "p2 cc", "p3 cbr 200", "p2 f"]
"""


def hand(text: str) -> Hand:
    return read_hands(text)[0]


def test_the_cards_and_the_deeds_make_up_the_result():
    """What cards brought and what actions changed, from the first moment to the last."""
    for text in (HEADS_UP, THREE_ALL_IN, MUCKED):
        review = review_hand(hand(text))
        last = list(play_hand(hand(text)))[-1].table
        won = (last["stack"] - last["starting_stack"]).tolist()
        for place, net in enumerate(review.net):
            assert net == won[place]
        assert sum(review.net) == pytest.approx(0)
        assert sum(review.luck) == pytest.approx(0)
        for moment in review.moments:
            assert sum(moment.worth) == pytest.approx(0)


def test_without_the_luck_of_the_board_an_all_in_is_its_expectation():
    review = review_hand(hand(THREE_ALL_IN))
    fair = all_in_ev(list(play_hand(hand(THREE_ALL_IN)))[-1].table)
    assert [street.name for street in review.streets] == ["preflop", "flop", "turn", "river"]
    for place in range(3):
        assert review.net[place] - review.luck[place] == pytest.approx(fair[place], abs=0.01)


def test_shares_are_those_of_the_calculator():
    review = review_hand(hand(HEADS_UP))
    for street in review.streets:
        expected = equities(["AsKd", "QhQc"], street.board).equity
        assert street.shares == pytest.approx(expected)
        for cards, seen in zip(["AsKd", "QhQc"], street.seen, strict=True):
            assert seen == pytest.approx(equities([cards, "*"], street.board).equity[0], abs=1e-3)
    unknown = review_hand(hand(MUCKED)).streets[0]
    three = equities(["*", "QhQc", "*"], samples=200_000, seed=5).equity
    assert unknown.shares == pytest.approx(three, abs=0.01)
    assert unknown.seen == (None, pytest.approx(three[1], abs=0.01), None)


def test_the_luck_of_a_street_is_the_change_of_the_shares():
    """Worked by hand: a pot of 200 before the turn, of 460 before the river."""
    flop, turn, river = review_hand(hand(HEADS_UP)).streets[1:]
    assert turn.luck[1] == pytest.approx(200 * (turn.shares[1] - flop.shares[1]))
    assert river.luck[1] == pytest.approx(460 * (river.shares[1] - turn.shares[1]))


def test_decisions_tell_odds_and_what_each_action_was_worth():
    review = review_hand(hand(HEADS_UP))
    bet_130 = review.moments[5].decision
    assert bet_130 is not None
    assert (bet_130.place, bet_130.taken, bet_130.to_call, bet_130.pot) == (1, "bet", 0, 200)
    share = review.moments[5].shares[1]
    assert bet_130.raise_to == 130
    assert dict(bet_130.worth) == {
        "check": pytest.approx(share * 200 - 100),
        "bet": pytest.approx(share * 460 - 230),
    }
    call_130 = review.moments[6].decision
    assert call_130 is not None
    assert call_130.raise_to == 260  # the least that it might have raised
    assert call_130.worth["raise"] == pytest.approx((1 - share) * 720 - 360)
    assert call_130.odds == pytest.approx(130 / 460)
    assert call_130.worth["fold"] == -100
    assert call_130.worth["call"] == pytest.approx((1 - share) * 460 - 230)
    assert call_130.cost == pytest.approx(-100 - call_130.worth["call"])
    fold = review.moments[-2].decision
    assert fold is not None
    assert fold.taken == "fold"
    assert fold.cost == 0  # it was beaten
    assert review.moments[-1].decision is None


def test_a_pot_of_its_own_for_who_is_all_in():
    """A hand with less chips can win the main pot alone: the rest is of the two others."""
    review = review_hand(hand(THREE_ALL_IN))
    called = review.moments[-2].decision
    assert called is not None
    main = equities(["AsKd", "QhQc", "7c7d"]).equity
    side = equities(["AsKd", "QhQc"], dead="7c7d").equity
    assert called.worth["call"] == pytest.approx(1350 * main[1] + 1100 * side[1] - 1000)


def test_fixed_limit_for_two_is_judged_by_divat():
    limit = HEADS_UP.replace('"NT"', '"FT"').replace(
        "min_bet = 100", "small_bet = 100\nbig_bet = 200"
    )
    limit = limit.replace("[1000, 1200]", "[4800, 4800]").replace("cbr 130", "cbr 200")
    review = review_hand(hand(limit.replace("cbr 300", "cbr 200")))
    assert review.divat is not None
    assert review.divat.net == review.net[0]
    assert review_hand(hand(HEADS_UP)).divat is None
