"""Hands explained: every number against another way to find it."""

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


def test_cards_and_actions_add_up_to_the_result():
    """Changes by cards and by actions, from the first moment to the last."""
    for text in (HEADS_UP, THREE_ALL_IN, MUCKED):
        review = review_hand(hand(text))
        last = list(play_hand(hand(text)))[-1].table
        won = (last["stack"] - last["starting_stack"]).tolist()
        for place, net in enumerate(review.net):
            assert net == won[place]
        assert sum(review.net) == pytest.approx(0)
        assert sum(review.card_gains) == pytest.approx(0)
        for moment in review.steps:
            assert sum(moment.values) == pytest.approx(0)


def test_without_board_luck_an_all_in_equals_its_expectation():
    review = review_hand(hand(THREE_ALL_IN))
    fair = all_in_ev(list(play_hand(hand(THREE_ALL_IN)))[-1].table)
    assert [street.name for street in review.streets] == ["preflop", "flop", "turn", "river"]
    for place in range(3):
        assert review.net[place] - review.card_gains[place] == pytest.approx(fair[place], abs=0.01)


def test_shares_match_the_equity_calculator():
    review = review_hand(hand(HEADS_UP))
    for street in review.streets:
        expected = equities(["AsKd", "QhQc"], street.board).equity
        assert street.equities == pytest.approx(expected)
        for cards, seen in zip(["AsKd", "QhQc"], street.random_equities, strict=True):
            assert seen == pytest.approx(equities([cards, "*"], street.board).equity[0], abs=1e-3)
    unknown = review_hand(hand(MUCKED)).streets[0]
    three = equities(["*", "QhQc", "*"], samples=200_000, seed=5).equity
    assert unknown.equities == pytest.approx(three, abs=0.01)
    assert unknown.random_equities == (None, pytest.approx(three[1], abs=0.01), None)


def test_the_luck_of_a_street_is_the_change_in_equity():
    """Worked by hand: a pot of 200 before the turn, of 460 before the river."""
    flop, turn, river = review_hand(hand(HEADS_UP)).streets[1:]
    assert turn.card_gains[1] == pytest.approx(200 * (turn.equities[1] - flop.equities[1]))
    assert river.card_gains[1] == pytest.approx(460 * (river.equities[1] - turn.equities[1]))


def test_decisions_show_odds_and_action_values():
    review = review_hand(hand(HEADS_UP))
    bet_130 = review.steps[5].decision
    assert bet_130 is not None
    assert (bet_130.place, bet_130.taken, bet_130.to_call, bet_130.pot) == (1, "bet", 0, 200)
    share = review.steps[5].equities[1]
    assert bet_130.raise_to == 130
    assert dict(bet_130.values) == {
        "check": pytest.approx(share * 200 - 100),
        "bet": pytest.approx(share * 460 - 230),
    }
    call_130 = review.steps[6].decision
    assert call_130 is not None
    assert call_130.raise_to == 260  # the least that it might have raised
    assert call_130.values["raise"] == pytest.approx((1 - share) * 720 - 360)
    assert call_130.odds == pytest.approx(130 / 460)
    assert call_130.values["fold"] == -100
    assert call_130.values["call"] == pytest.approx((1 - share) * 460 - 230)
    assert call_130.cost == pytest.approx(-100 - call_130.values["call"])
    fold = review.steps[-2].decision
    assert fold is not None
    assert fold.taken == "fold"
    assert fold.cost == 0  # it was beaten
    assert review.steps[-1].decision is None


def test_an_all_in_player_has_a_separate_pot():
    """A hand with less chips can win the main pot alone: the rest is of the two others."""
    review = review_hand(hand(THREE_ALL_IN))
    called = review.steps[-2].decision
    assert called is not None
    main = equities(["AsKd", "QhQc", "7c7d"]).equity
    side = equities(["AsKd", "QhQc"], dead="7c7d").equity
    assert called.values["call"] == pytest.approx(1350 * main[1] + 1100 * side[1] - 1000)


def test_heads_up_fixed_limit_is_analysed_by_divat():
    limit = HEADS_UP.replace('"NT"', '"FT"').replace(
        "min_bet = 100", "small_bet = 100\nbig_bet = 200"
    )
    limit = limit.replace("[1000, 1200]", "[4800, 4800]").replace("cbr 130", "cbr 200")
    review = review_hand(hand(limit.replace("cbr 300", "cbr 200")))
    assert review.divat is not None
    assert review.divat.net == review.net[0]
    assert review_hand(hand(HEADS_UP)).divat is None
