"""Hands as public collections in PHH have them: unknown stacks, results, names and cards."""

from dataclasses import replace

import pytest

from nlhe_env.hand_history import (
    Hand,
    HandHistoryError,
    play_hand,
    read_hands,
    stream_hands,
    write_hands,
    write_pokerstars,
)

# The room wrote neither stacks nor results.
UNKNOWN = """\
[7]
variant = 'NT'
ante_trimming_status = false
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [inf, inf, inf]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 26', 'p1 cc', 'p2 f',\
 'd db 2hKsJd', 'p1 cc', 'p3 cbr 10', 'p1 cc', 'd db Th', 'p1 cc', 'p3 cbr 70', 'p1 cc',\
 'd db Qh', 'p1 cbr 2500', 'p3 f']
time = 00:14:06
hand = 3406315412
seats = [2, 3, 1]
players = ['x+y/Z==', 'v//w', '']
winnings = [0, 0, 0]
currency = 'USD'
"""


def read_one(text: str) -> Hand:
    (hand,) = read_hands(text)
    assert [hand] == list(stream_hands(text.splitlines(keepends=True)))
    return hand


def test_unknown_stacks_are_deep_enough_for_all_actions():
    hand = read_one(UNKNOWN)
    assert hand.unknown_stacks == (True, True, True)
    assert len(set(hand.stacks)) == 1
    assert hand.stacks[0] > 26 + 10 + 70 + 2500
    *_, last = play_hand(hand)
    assert last.table["won"][0] == 2 * (26 + 10 + 70) + 10
    assert not (last.table["stack"][:3] == 0).any()
    shallow = read_one(UNKNOWN.replace("2500", "20"))
    assert shallow.stacks == (1000, 1000, 1000)


def test_hands_with_unknown_stacks_round_trip():
    for text in (UNKNOWN, UNKNOWN.replace("[0, 0, 0]\nc", "[222, 0, 0]\nc")):
        hand = read_one(text)
        written = write_hands([hand])
        assert "starting_stacks = [inf, inf, inf]" in written
        assert read_hands(written) == [hand]
        with pytest.raises(ValueError, match="unknown stacks"):
            write_pokerstars([hand])
    assert hand.finishing_stacks is not None
    assert [a - b for a, b in zip(hand.finishing_stacks, hand.stacks, strict=True)] == [
        222 - 106,
        -10,
        -106,
    ]
    assert hand.rake == 0
    taken = replace(hand, finishing_stacks=(894, 990, 894), stacks=(1000,) * 3, rake=222)
    taken = replace(taken, actions=read_one(UNKNOWN.replace("2500", "20")).actions)
    assert read_hands(write_hands([taken])) == [taken]


def test_one_unknown_stack_keeps_the_other_stacks():
    hand = read_one(UNKNOWN.replace("[inf, inf, inf]", "[3000.50, inf, 500]"))
    assert hand.unit == 100
    assert hand.unknown_stacks == (False, True, False)
    assert (hand.stacks[0], hand.stacks[2]) == (300_050, 50_000)
    assert read_hands(write_hands([hand]))[0].stacks == hand.stacks


def test_zero_winnings_are_not_a_result():
    for stacks in ("[inf, inf, inf]", "[9000, 9000, 9000]"):
        hand = read_one(UNKNOWN.replace("[inf, inf, inf]", stacks))
        assert hand.finishing_stacks is None
        assert hand.rake is None
    with pytest.raises(HandHistoryError, match="wins 222 chips by the rules, not 100"):
        read_hands(UNKNOWN.replace("[0, 0, 0]\nc", "[100, 0, 0]\nc"))


def test_invalid_stacks_are_refused():
    for value in ("-inf", "nan", "0", "'inf'", "true"):
        with pytest.raises(HandHistoryError, match="starting_stacks must be"):
            read_hands(UNKNOWN.replace("[inf,", f"[{value},"))


@pytest.mark.parametrize("name", ["hand", "level"])
def test_a_name_may_replace_a_number(name):
    text = UNKNOWN.replace("hand = 3406315412", f"{name} = 'the last one'")
    hand = read_one(text)
    assert hand.number is None
    assert hand.level is None
    with pytest.raises(HandHistoryError, match=f"{name} must be of type int"):
        read_hands(text.replace("'the last one'", "1.5"))


HALF = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [1000, 1000]
actions = ["d dh p1 As??", "d dh p2 ????", "", "# the dealer drops a card", " p2  cbr 30 # slowly",
  "p1 cc", "d db 2c3c4d", "p1 cc", "p2 cc", "d db 5s", "p1 cc", "p2 cc", "d db 9h", "p1 cc",
  "p2 cc", "p1 sm As??", "p2 sm KdKs"]
"""


def test_half_known_hole_cards_stay_unknown():
    hand = read_one(HALF + "winnings = [0, 60]\n")
    assert hand.hole_cards == ("", "KdKs")
    assert hand.shown == (False, True)
    assert read_one(HALF.replace("p1 sm As??", "p1 sm ??7d")).hole_cards == (
        "7dAs",
        "KdKs",
    )
    whole = read_one(HALF.replace("p1 sm As??", "p1 sm As7d").replace("KdKs", "????"))
    assert whole.hole_cards == ("As7d", "")
    assert whole.shown == (True, False)


def test_a_dash_shows_cards_given_earlier():
    hand = read_one(HALF.replace("p1 As??", "p1 As7d").replace("p1 sm As??", "p1 sm -"))
    assert hand.shown == (True, True)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("As??", "A??", "card"),
        ("As??", "As?", "card"),
        ("As??", "As", "hole cards must be two cards"),
        ("As??", "As??Kd", "card"),
        ("p1 sm As??", "p1 sm Ad7d", "was dealt As, not Ad7d"),
        ("KdKs", "KdAs", "the card As is dealt twice"),
        ("d db 5s", "d db As", "the card As is dealt twice"),
        ("d db 5s", "d db ??", "card"),
    ],
)
def test_half_known_cards_must_be_valid(old, new, problem):
    with pytest.raises(HandHistoryError, match=problem):
        read_hands(HALF.replace(old, new))


def test_lower_case_cards_are_normalised():
    text = HALF.replace("p1 As??", "p1 as7D").replace("p1 sm As??", "p1 sm AS7d")
    hand = read_one(text.replace("2c3c4d", "2C3c4d"))
    assert hand.hole_cards == ("As7d", "KdKs")
    assert hand.board == "2c3c4d5s9h"


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_heads_up_antes_are_reversed():
    notation = pytest.importorskip("pokerkit.notation")
    # The example of the standard for an ante of the big blind with two players.
    text = """\
variant = "NT"
antes = [0, 3]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 50]
actions = ["d dh p1 ????", "d dh p2 ????", "p2 f"]
"""
    hand = read_one(text)
    assert hand.dead == (3, 0)
    *_, last = play_hand(hand)
    *_, state = iter(notation.HandHistory.loads(text))
    assert last.table["stack"][:2].tolist() == list(state.stacks) == [101, 49]
    assert read_one(text.replace("[0, 3]", "[0.0, 3.0]")) == hand
    assert "antes = [0, 3]" in write_hands([hand])
    assert read_hands(write_hands([hand]))[0].dead == (3, 0)


def test_an_incomplete_hand_has_no_result():
    cut = UNKNOWN[: UNKNOWN.index(", 'p1 cbr 2500'")] + "]\n"
    cut = cut.replace("[inf, inf, inf]", "[1000, 1000, 1000]")
    for result in ("", "finishing_stacks = [894, 990, 894]\n", "winnings = [0, 0, 0]\n"):
        hand = read_one(cut + result)
        assert (hand.finishing_stacks, hand.rake) == (None, None)


def test_without_results_the_rake_is_unknown():
    text = UNKNOWN.replace("winnings", "_winnings")
    hand = read_one(text)
    assert (hand.finishing_stacks, hand.rake) == (None, None)
    assert read_one(write_hands([hand])) == hand


BACK = """\
[2]
variant = 'NT'
ante_trimming_status = false
antes = [0, 0, 0, 0]
blinds_or_straddles = [5, 10, -15, 0]
min_bet = 10
starting_stacks = [700, 1000, 1000, 1200.50]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'd dh p4 ????', 'p3 cc', 'p4 f', 'p1 f',\
 'p2 cc', 'd db JhQsKc', 'p2 cc', 'p3 cbr 11', 'p2 cc', 'd db 4h', 'p2 cc', 'p3 cc', 'd db 4c',\
 'p2 cbr 21', 'p3 cc', 'p2 sm 3dKs', 'p3 sm 8cQd']
hand = 'R5-1714502-73'
finishing_stacks = [695, 1049, 953, 1200.50]
winnings = [0, 91, 0, 0]
"""


@pytest.mark.parametrize(("post", "live"), [("-15", 1000), ("-5", 0)])
def test_a_minus_marks_the_post_of_a_returning_player(post, live):
    hand = read_one(BACK.replace("-15", post))
    assert hand.posted == (500, 1000, live, 0)
    assert hand.dead == (0, 0, 500, 0)
    assert hand.rake == 300
    written = write_hands([hand])
    (again,) = read_hands(written)
    assert (again.posted, again.dead, again.actions) == (hand.posted, hand.dead, hand.actions)
    assert again.finishing_stacks == hand.finishing_stacks
    with pytest.raises(HandHistoryError, match="the first two players must post at least 0"):
        read_hands(BACK.replace("[5, 10, -15, 0]", "[-5, 10, 0, 0]"))


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_pokerkit_agrees_on_the_blind_of_a_returning_player():
    notation = pytest.importorskip("pokerkit.notation")
    text = BACK.replace("-15", "-10").partition("hand =")[0]
    hand = read_one(text)
    for version in (text, write_hands([hand])):
        *_, state = iter(notation.HandHistory.loads(version.partition("\n")[2]))
        *_, last = play_hand(hand)
        unit = 100 if version == text else 1
        assert [stack * unit for stack in state.stacks] == last.table["stack"][:4].tolist()
