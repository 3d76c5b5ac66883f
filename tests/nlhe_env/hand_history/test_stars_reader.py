"""Text of poker rooms; the hands are made up."""

import pytest
from hand_texts import read

from nlhe_env.hand_history import Hand, HandHistoryError, play_hand

# Seat 2 only looks on; seat 5 comes back and posts; seat 6 posts a missed small blind too.
CASH = """\
PokerStars Zoom Hand #12345:  Hold'em No Limit ($0.50/$1.00 USD) - 2020/01/01 12:00:00 ET
Table 'North: (fast) II' 6-max Seat #1 is the button
Seat 1: ann ($100 in chips)
Seat 2: looks on ($70 in chips) is sitting out
Seat 3: bob: the (2nd) ($1,050.50 in chips)
Seat 4: cid ($20 in chips)
Seat 5: dan ($50 in chips)
Seat 6: eve ($60 in chips)
bob: the (2nd): posts small blind $0.50
cid: posts big blind $1
dan: posts big blind $1
eve: posts small & big blinds $1.50
*** HOLE CARDS ***
Dealt to ann [As Ad]
looks on said, "ann: folds"
dan: checks
eve: checks
ann: raises $4 to $5
bob: the (2nd): calls $4.50
cid: folds
dan: folds
eve: folds
*** FLOP *** [2c 7d Th]
bob: the (2nd): checks
ann: bets $10
bob: the (2nd): raises $20 to $30
ann: raises $65 to $95 and is all-in
bob: the (2nd): calls $65
*** TURN *** [2c 7d Th] [3s]
*** RIVER *** [2c 7d Th 3s] [9c]
*** SHOW DOWN ***
bob: the (2nd): shows [Tc Ts] (three of a kind, Tens)
ann: mucks hand
bob: the (2nd) collected $200.50 from pot
*** SUMMARY ***
Total pot $203.50 | Rake $3
Board [2c 7d Th 3s 9c]
Seat 1: ann (button) mucked [As Ad]
Seat 3: bob: the (2nd) (small blind) showed [Tc Ts] and won ($200.50) with three of a kind, Tens
"""

TOURNAMENT = """\
Poker Hand #TM77: Tournament #1, Daily $10 Hold'em No Limit - Level7(100/200) - 2024/01/01 10:00:00
Table '380' 8-max Seat #8 is the button
Seat 1: aa (1,000 in chips)
Seat 3: Hero (450 in chips)
Seat 8: cc (5,000 in chips)
aa: posts the ante 25
Hero: posts the ante 25
cc: posts the ante 25
aa: posts small blind 100
Hero: posts big blind 200
*** HOLE CARDS ***
Dealt to aa
Dealt to Hero [4d 8d]
Dealt to cc
cc: raises 800 to 1,000
aa: calls 875 and is all-in
Hero: calls 225 and is all-in
Uncalled bet (25) returned to cc
aa: shows [Kh Kd]
Hero: shows [4d 8d]
cc: shows [Qh Qd]
*** FLOP *** [8s 8c 2d]
*** TURN *** [8s 8c 2d] [3d]
*** RIVER *** [8s 8c 2d 3d] [9s]
*** SHOWDOWN ***
aa collected 1,100 from pot
Hero collected 1,350 from pot
*** SUMMARY ***
Total pot 2,450 | Rake 0 | Jackpot 0
Board [8s 8c 2d 3d 9s]
"""


def test_a_cash_hand_with_posts_and_rake_is_read():
    (hand,) = read(CASH)
    assert hand.players == ("bob: the (2nd)", "cid", "dan", "eve", "ann")
    assert hand.stacks == (105_050, 2000, 5000, 6000, 10_000)
    assert hand.seats == (2, 3, 4, 5, 0)
    assert hand.blinds == (50, 100, 100, 100, 0)
    assert hand.dead == (0, 0, 0, 50, 0)
    assert hand.hole_cards == ("TcTs", "", "", "", "AsAd")
    assert hand.shown == (True, False, False, False, False)
    assert hand.rake == 300
    assert hand.finishing_stacks == (105_050 - 10_000 + 20_050, 1900, 4900, 5850, 0)
    *_, last = play_hand(hand)
    assert last.event["all_in"] is False
    assert last.table["won"][0] == 20_050  # after the rake


def test_a_tournament_hand_with_side_pots_is_read():
    (hand,) = read(TOURNAMENT)
    assert (hand.ante, hand.small_blind, hand.big_blind, hand.unit) == (25, 100, 200, 1)
    assert hand.finishing_stacks == (1100, 1350, 4000)
    assert hand.rake == 0
    assert hand.number == 77


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("Hold'em No", "Omaha No", 1, "only Texas Hold'em"),
        ("cc: raises 800 to 1,000", "cc: raises 100 to 300", 15, "a raise must be to 400 .. 4975"),
        ("aa: calls 875", "Hero: calls 875", 16, "it is the turn of p1, not of p2"),
        ("aa collected 1,100", "cc collected 1,100", 1, "p1 wins 1100 chips by the rules, not 0"),
        ("*** FLOP ***", "*** FIRST FLOP ***", 1, "does not show two whole boards"),
        ("[8s 8c 2d]\n", "[8s 8c]\n", 22, "the flop must show 3 cards"),
        ("Seat #8 is the button", "", 2, "the button is not shown"),
        ("Hero: posts big blind 200", "", 1, "no player posts the big blind of 200"),
    ],
)
def test_unreadable_hands_are_reported_with_their_line(old, new, line, reason):
    assert old in TOURNAMENT
    error, good = read(TOURNAMENT.replace(old, new, 1) + "\n\n" + CASH)
    assert isinstance(error, HandHistoryError)
    assert reason in error.reason
    assert error.line == line
    assert isinstance(good, Hand)


def test_a_straddle_and_a_fold_where_checking_is_free():
    text = CASH.replace("dan: posts big blind $1", "dan: posts straddle $2").replace(
        "eve: posts small & big blinds $1.50\n", ""
    )
    i, j = text.index("dan: checks"), text.index("*** FLOP")
    text = (
        text[:i]
        + "eve: folds\nann: folds\nbob: the (2nd): calls $1.50\ncid: calls $1\n"
        + (
            "dan: checks\n*** FLOP *** [2c 7d Th]\nbob: the (2nd): folds\ncid: folds\n"
            "dan collected $6 from pot\n*** SUMMARY ***\nTotal pot $6 | Rake $0\n"
        )
    )
    assert j
    (hand,) = read(text)
    assert hand.blinds == (50, 100, 200, 0, 0)
    assert hand.finishing_stacks == (104_850, 1800, 5400, 6000, 10_000)


# The stakes of limit games are bets: the blinds are $0.50 and $1. A player returns and posts
# both, one of them dead.
LIMIT = """\
PokerStars Hand #55:  Hold'em Limit ($1/$2 USD) - 2008/01/01 12:00:00 ET
Table 'South' 6-max Seat #1 is the button
Seat 1: ann ($40 in chips)
Seat 2: bob ($40 in chips)
Seat 3: cid ($40 in chips)
Seat 4: dan ($40 in chips)
bob: posts small blind $0.50
cid: posts big blind $1
dan: posts small & big blinds $1.50
*** HOLE CARDS ***
dan: raises $1 to $2
ann: folds
bob: calls $1.50
cid: calls $1
*** FLOP *** [2c 7d Th]
bob: checks
cid: checks
dan: bets $1
bob: folds
cid: folds
Uncalled bet ($1) returned to dan
dan collected $6.50 from pot
*** SUMMARY ***
Total pot $6.50 | Rake $0
"""


def test_small_plus_big_blind_in_limit_is_one_live_bet():
    (hand,) = read(LIMIT)
    assert (hand.small_blind, hand.big_blind) == (50, 100)
    assert hand.blinds == (50, 100, 100, 0)
    assert hand.dead == (0, 0, 50, 0)
    assert hand.finishing_stacks == (3800, 3800, 4400, 4000)


@pytest.mark.parametrize(
    ("stakes", "small", "half"), [("$1/$2", 50, 50), ("$3/$6", 100, 150), ("$15/$30", 1000, 750)]
)
def test_the_small_blind_of_limit_is_the_amount_posted_in_full(stakes, small, half):
    def blinds_of(bob: str, posted: str) -> tuple[int, ...]:
        text = LIMIT.replace("$1/$2", stakes).replace("$40 in chips", "$400 in chips")
        text = text.replace("big blind $1", f"big blind ${half / 50:g}")
        text = text.replace("bob ($400", f"bob ({bob}").replace("blind $0.50", f"blind {posted}")
        text = text[: text.index("dan: posts")] + "*** HOLE CARDS ***\ndan: folds\nann: folds\n"
        (hand,) = read(text, check=False)
        assert hand.blinds == ()
        return tuple(chips * 100 // hand.unit for chips in (hand.small_blind, hand.big_blind))

    assert blinds_of("$400", f"${small / 100:g}") == (small, 2 * half)
    assert blinds_of("$0.30", "$0.30 and is all-in") == (half, 2 * half)


def test_a_big_blind_of_limit_that_is_all_in_for_less():
    text = LIMIT.replace("cid ($40", "cid ($0.60").replace(
        "dan: posts small & big blinds $1.50\n", ""
    )
    text = text.replace("blind $1\n", "blind $0.60 and is all-in\n")
    text = text[: text.index("dan: raises")] + (
        "dan: calls $1\nann: folds\nbob: folds\nUncalled bet ($0.40) returned to dan\n"
        "*** FLOP *** [2c 7d Th]\n"
        "*** TURN *** [2c 7d Th] [3s]\n*** RIVER *** [2c 7d Th 3s] [9c]\n*** SHOW DOWN ***\n"
        "cid: shows [Tc Ts] (three of a kind, Tens)\ndan: mucks hand\n"
        "cid collected $1.70 from pot\n*** SUMMARY ***\nTotal pot $1.70 | Rake $0\n"
    )
    (hand,) = read(text)
    assert (hand.small_blind, hand.big_blind, hand.blinds) == (50, 100, ())
    assert hand.finishing_stacks == (3950, 170, 3940, 4000)


def test_limit_for_chips_has_no_half_chips():
    text = LIMIT.replace("$1/$2 USD", "25/50").replace("$40", "400")
    text = text.replace("bob (400", "bob (7").replace("blind $0.50\n", "blind 7 and is all-in\n")
    text = text[: text.index("dan: posts")].replace("blind $1\n", "blind 25\n")
    (hand,) = read(text + "*** HOLE CARDS ***\ndan: folds\nann: folds\n", check=False)
    assert (hand.small_blind, hand.big_blind, hand.unit) == (12, 25, 1)


def test_a_player_all_in_for_the_ante_posts_no_blind():
    text = TOURNAMENT.replace("Hero (450", "Hero (25").replace("Hero: posts big blind 200\n", "")
    text = text.replace("Hero: calls 225 and is all-in\n", "")
    text = text.replace("aa collected 1,100", "aa collected 1,950").replace("1,350", "75")
    (hand,) = read(text)
    assert (hand.big_blind, hand.blinds, hand.posted) == (200, (), (100, 200, 0))
    assert hand.finishing_stacks == (1950, 75, 4000)
