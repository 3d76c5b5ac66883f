"""Invalid hands are refused in every format; the hands after them are not."""

from dataclasses import replace

import pytest
from hand_texts import read

from nlhe_env.hand_history import (
    Hand,
    HandError,
    HandHistoryError,
    play_hand,
    read_hands,
    write_hands,
    write_pokerstars,
)

STARS = """\
PokerStars Hand #1:  Hold'em No Limit (5/10) - 2000/01/01 0:00:00 ET
Table 'x' 6-max Seat #1 is the button
Seat 1: ann (1000 in chips)
Seat 2: bob (1000 in chips)
ann: posts small blind 5
bob: posts big blind 10
*** HOLE CARDS ***
Dealt to ann [As Kd]
Dealt to bob [Qh Qc]
ann: raises 20 to 30
bob: calls 20
*** FLOP *** [2s 7h 9d]
bob: checks
ann: checks
*** TURN *** [2s 7h 9d] [Td]
bob: checks
ann: checks
*** RIVER *** [2s 7h 9d Td] [3c]
bob: checks
ann: checks
*** SHOW DOWN ***
bob: shows [Qh Qc] (a pair of Queens)
ann: mucks hand
bob collected 57 from pot
*** SUMMARY ***
Total pot 60 | Rake 3
Board [2s 7h 9d Td 3c]

"""
CASHED_OUT = STARS.replace("from pot\n", "from pot\nbob cashed out the hand for 50\n")
LOG = """\
# ann.bob holdem.nolimit.2p.reverse_blinds.1000.5-10 1 0
STATE:0:r30c/cc/cc/cc:QhQc|AsKd/2s7h9d/Td/3c:30|-30:bob|ann
"""


def the_hand() -> Hand:
    (hand,) = read(STARS)
    assert isinstance(hand, Hand)
    return hand


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"rake": -5, "finishing_stacks": None}, "the rake must be 0 to"),
        ({"rake": 5}, "3 chips less after the hand, and the rake is 5"),
        ({"finishing_stacks": (1031, 970), "rake": 0}, "1 chips more after the hand"),
        ({"finishing_stacks": (2030, -30), "rake": 0}, "finishing_stacks must be 0 to"),
        ({"seats": (0, 0)}, "two players sit in seat 1"),
        ({"seats": (-1, 1)}, "seats must be 1 to"),
        ({"seats": (6, 1)}, "seats must be 1 to"),
        ({"seat_count": 11}, "at most 10"),
        ({"seats": (1,)}, "seats must have 2 entries"),
        ({"hole_cards": ("AsQc", "AsKd")}, "the card As is dealt twice"),
        ({"hole_cards": ("2sQc", "AsKd")}, "the card 2s is dealt twice"),
        ({"hole_cards": ("QhQ", "AsKd")}, "card"),
        ({"hole_cards": ("QhQcQd", "AsKd")}, "two cards"),
        ({"board": "2s7h9dTd2s"}, "card 2s is given twice"),
        ({"board": "2s7h"}, "flop, turn and river"),
        ({"second_board": "2s7h9d3cTd"}, "the card Td is dealt twice|the card 3c is dealt twice"),
        ({"second_board": "2s7h9dTdAs"}, "the card As is dealt twice"),
        ({"second_board": "2s7h9dTd3c"}, "two boards must"),
        ({"stacks": (0, 1000)}, "a stack must be at least 1 chip"),
        ({"stacks": (10**13, 1000)}, "chips can be in play"),
        ({"big_blind": 1}, "the big blind must be at least 2"),
        ({"small_blind": -5}, "blinds must be 0 to"),
        ({"big_blind": 2**53}, "blinds must be 0 to 1000000000000"),
        ({"blinds": (10, 5, 5)}, "blinds must have 2 entries"),
        ({"ante": -1}, "antes must be 0 to"),
        ({"dead": (2**70, 0)}, "antes must be 0 to"),
    ],
)
def test_an_invalid_hand_is_neither_written_nor_played(changes, problem):
    hand = replace(the_hand(), **changes)
    with pytest.raises(ValueError, match=problem):
        write_hands([hand])
    if not hand.second_board:
        with pytest.raises(ValueError, match=problem):
            write_pokerstars([hand])
    with pytest.raises(HandError, match=problem):
        list(play_hand(hand))


def test_an_overflowing_raise_is_refused():
    hand = the_hand()
    actions = (hand.actions[0]._replace(to=2**64), *hand.actions[1:])
    with pytest.raises(HandError, match="a raise must be to at most"):
        list(play_hand(replace(hand, actions=actions)))


def test_a_rake_of_more_than_the_pot_is_refused():
    hand = replace(the_hand(), finishing_stacks=None, rake=61)
    problem = "the rake of 61 is more than the pot of 60"
    with pytest.raises(HandError, match=problem):
        list(play_hand(hand))
    with pytest.raises(ValueError, match=problem):
        write_pokerstars([hand])
    with pytest.raises(HandHistoryError, match=problem):
        read_hands(write_hands([hand]))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Rake 3", "Rake 967", "the rake of 967 is more than the pot of 60"),
        ("Td] [3c]", "Td] [As]", "the card As is dealt twice"),
        ("Dealt to ann [As Kd]", "Dealt to ann [Qh Kd]", ""),
        ("Dealt to ann [As Kd]", "Dealt to ann [As As]", ""),
        ("Seat 2: bob", "Seat 1: bob", "two players sit in seat 1"),
        ("Seat 2: bob", "Seat 0: bob", ""),
        ("to 30", "to 99999999999999999999", ""),
        ("to 30", "to " + "9" * 5000, ""),
        ("(1000 in", "(99999999999999999999 in", ""),
        ("blind 10", "blind 99999999999999999999", ""),
        ("Rake 3", "Rake -3", "the rake must be at least 0"),
        ("Rake 3", "Rake $-3", ""),
        ("to 30", "to -30", ""),
        ("blind 10", "blind -10", ""),
        ("(1000 in", "(-1000 in", ""),
        ("collected 57", "collected 99999999999999999999", ""),
        ("Rake 3", "Rake 99999999999999999999", ""),
    ],
)
@pytest.mark.parametrize("check", [True, False])
def test_an_impossible_hand_in_text_does_not_affect_others(old, new, reason, check):
    assert old in STARS
    found = read(STARS.replace(old, new) + STARS, check=check)
    assert len(found) == 2
    assert found[1] == read(STARS, check=check)[0]
    if check or new not in ("Rake 967", "collected 99999999999999999999"):
        assert isinstance(found[0], HandHistoryError)
        assert found[0].reason.isprintable()
        assert found[0].reason.startswith(reason)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("AsKd/", "QhKd/", "dealt twice"),
        ("/3c:", "/As:", "the card As is dealt twice"),
        ("30|-30", "30|-29", "1 chips more after the hand"),
        ("30|-30", "29|-30", "1 chips less after the hand"),
        ("r30c", "r999999999999999c", "a raise must be to"),
    ],
)
def test_an_impossible_hand_in_a_log_does_not_affect_others(old, new, problem):
    log = LOG + LOG.splitlines()[1].replace(old, new) + "\n" + LOG.splitlines()[1] + "\n"
    first, bad, last = read(log)
    assert first == last
    assert isinstance(bad, HandHistoryError)
    assert problem in bad.reason
    assert bad.line == 3


LINE = "STATE:1:20150|19850:300|150:f:8sQd|Ks7h:150|-150:ann|bob\n"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("300|150", "300|150|5", "must be 2 whole numbers each"),
        ("300|150", "300", "must be 2 whole numbers each"),
        ("300|150", "300|-150", "must be 2 whole numbers each"),
        ("300|150", "300|1e2", "must be 2 whole numbers each"),
        ("300|150", "300|" + "9" * 30, "must be 2 whole numbers each"),
        ("20150|19850", "20150|19850|5", "must be 2 whole numbers each"),
        ("20150|19850", "-20150|19850", "must be 2 whole numbers each"),
        ("20150|19850", "0|19850", "a stack must be at least 1 chip"),
        ("300|150", "0|0", "the big blind must be at least 2 chips"),
    ],
)
def test_a_log_needs_one_stack_and_blind_per_player(old, new, problem):
    bad, good = read(LINE.replace(old, new) + LINE)
    assert isinstance(bad, HandHistoryError)
    assert problem in bad.reason
    assert isinstance(good, Hand)


def test_three_player_logs_take_blinds_from_the_first_two():
    line = "STATE:1:1000|1000|1000:50|100|0:ff:8sQd|Ks7h|2c2d:-50|50|0:ann|bob|cid\n"
    (hand,) = read(line)
    assert (hand.small_blind, hand.big_blind) == (50, 100)
    for blinds in ("100|50|0", "50|100|200"):
        (bad,) = read(line.replace("50|100|0", blinds))
        assert "blinds must be a small and a big blind" in bad.reason


def test_a_log_with_reversed_blinds_is_refused():
    (bad,) = read(LOG.replace("5-10", "10-5"))
    assert "the small blind is larger than the big blind" in bad.reason


def test_a_rake_of_the_whole_pot_round_trips():
    hand = replace(the_hand(), finishing_stacks=(970, 970), rake=60)
    assert read_hands(write_hands([hand])) == [hand]
    text = write_pokerstars([hand])
    assert "Total pot 60 | Rake 60" in text
    assert "collected" not in text
    (again,) = read(text)
    assert (again.finishing_stacks, again.rake) == ((970, 970), 60)
    assert read_hands(write_hands([again])) == [again]


def test_the_rake_of_a_hand_that_was_cashed_out_is_kept():
    (hand,) = read(CASHED_OUT)
    assert (hand.finishing_stacks, hand.rake) == (None, 3)
    assert read_hands(write_hands([hand])) == [hand]
    text = write_pokerstars([hand])
    assert "collected" not in text  # who cashed out got other chips
    assert "Total pot 60 | Rake 3" in text
    assert read(text) == [replace(hand, number=read(text)[0].number)]


def test_winners_share_a_rake_as_they_share_the_pot():
    split = CASHED_OUT.replace("[Qh Qc]", "[Ah Kc]").replace("ann: mucks", "ann: shows [As Kd]")
    (hand,) = read(split.replace("Rake 3", "Rake 5"))
    won = list(play_hand(hand))[-1].table["won"]
    assert sorted(won[: len(hand.players)].tolist()) == [27, 28]


def test_lower_case_cards_are_normalised():
    text = STARS.replace("ann [As Kd]", "ann [as KD]").replace("bob [Qh Qc]", "bob [qh qC]")
    assert read(text) == read(STARS)
    assert read(LOG.replace("QhQc|AsKd", "qhqc|ASkd")) == read(LOG)
    hand = replace(the_hand(), hole_cards=("qhqc", "ASKD"))
    assert read_hands(write_hands([hand])) == [the_hand()]


@pytest.mark.parametrize("value", ["-1", "'much'", "1000", "1e400", "true"])
def test_a_rake_in_phh_must_be_in_the_pot(value):
    text = write_hands([replace(the_hand(), finishing_stacks=None, rake=60)])
    assert "_rake = 60\n" in text
    assert read_hands(text)[0].rake == 60
    with pytest.raises(HandHistoryError, match="rake"):
        read_hands(text.replace("_rake = 60", f"_rake = {value}"))
