"""Texts of rooms that are read, or refused by name; round trips of what a hand leaves open."""

from dataclasses import replace

import pytest

import agents
from agents.policy.policy_query import query_policy
from evolve import reduce_variance
from nlhe_env.hand_history import (
    Hand,
    HandHistoryError,
    play_hand,
    read_hands,
    review_hand,
    stream_files,
    stream_hands,
    write_hands,
    write_pokerstars,
)
from nlhe_env.hand_history.errors import NoHandHistoryError

TEXT = """\
PokerStars Hand #77: {game} ({stakes}) - 2026/11/02 10:00:00 ET
Table 'Alcor' 6-max Seat #4 is the button
Seat 4: una ($50 in chips)
Seat 5: ben ($90 in chips)
Seat 6: kai ($30 in chips)
ben: posts small blind $1
kai: posts big blind $1
*** HOLE CARDS ***
una: folds
ben: raises $2 to $3{more}
kai: folds
Uncalled bet ($2) returned to ben
ben collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0
"""
ABSENT = """\
PokerStars Hand #88: Tournament #5, $1+$0.10 USD Hold'em No Limit - Level II (20/40) - 2026/11/02
Table '5 1' 6-max Seat #1 is the button
Seat 1: una (1500 in chips)
Seat 2: ben (1480 in chips)
Seat 3: kai (30 in chips) is sitting out
Seat 4: eli (1500 in chips)
ben: posts small blind 20
kai: posts big blind 30 and is all-in
*** HOLE CARDS ***
Dealt to eli [Ac Kc]
eli: raises 60 to 100
una: folds
ben: {ben}
kai: folds
{end}
*** SUMMARY ***
Total pot {pot} | Rake 0
"""
PLAYED_ON = ABSENT.format(
    ben="calls 80",
    end="*** FLOP *** [2c 7d Jc]\nben: checks\neli: bets 90\nben: folds\n"
    "Uncalled bet (90) returned to eli\neli collected 230 from pot",
    pot=230,
)
LAST_LEFT = ABSENT.format(
    ben="folds", end="Uncalled bet (70) returned to eli\neli collected 80 from pot", pot=80
)


def read(text: str) -> Hand:
    (hand,) = stream_hands(text.splitlines(keepends=True))
    assert isinstance(hand, Hand), hand
    return hand


def reason(text: str) -> str:
    (error,) = stream_hands(text.splitlines(keepends=True))
    assert isinstance(error, HandHistoryError)
    return error.reason


def stars(game="Hold'em No Limit", stakes="$1/$1 USD", more=""):
    return TEXT.format(game=game, stakes=stakes, more=more)


@pytest.mark.parametrize("holdem", ["Hold'em", "Hold\u2019em", "Hold`em", "Holdem", "Hold em"])
@pytest.mark.parametrize("texas", ["", "Texas "])
@pytest.mark.parametrize(
    ("limit", "betting"),
    [("No Limit", "no-limit"), ("No-Limit", "no-limit"), ("NL", "no-limit"), ("PL", "pot-limit")],
)
def test_headers_of_the_same_game_are_read(holdem, texas, limit, betting):
    for game in (f"{texas}{holdem} {limit}", f"{limit} {texas}{holdem}", f"{limit[0]}LHE"):
        expected = {"N": "no-limit", "P": "pot-limit"}[limit[0]]
        assert read(stars(game)).betting == betting == expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (stars(stakes="$1/$1 - $30 Cap - USD"), "cap"),
        (stars(more=" and has reached the $4 cap"), "cap"),
        (stars(more="\nben: get an all-in insurance (premium ($0/$4/$0))"), "insurance"),
        (stars(more="\nben: pay premium of all-in insurance ($4)"), "insurance"),
    ],
)
def test_rules_that_cannot_be_read_are_named(text, word):
    assert word in reason(text)
    assert reason(text).partition(": ")[0].endswith("cannot be read") or "cap" in reason(text)


def test_big_blinds_of_one_chip_are_in_cents():
    hand = read(stars())
    assert (hand.big_blind, hand.unit, hand.finishing_stacks) == (100, 100, (9100, 2900, 5000))
    for blinds in ("[1, 1]", "[0, 1]"):
        (phh,) = read_hands(
            f"variant='NT'\nantes=[0, 0]\nblinds_or_straddles={blinds}\nmin_bet=1\n"
            "starting_stacks=[100, 100]\nactions=['d dh p1 AsAh','d dh p2 KsKh','p2 cbr 6','p1 f']"
        )
        assert (phh.big_blind, phh.unit, phh.stacks) == (100, 100, (10_000, 10_000))
        assert read_hands(write_hands([phh])) == [phh]


def test_heads_up_blinds_in_the_wrong_order_are_named():
    with pytest.raises(HandHistoryError, match="line 3: heads-up, the small blind of the button"):
        read_hands(
            "variant='NT'\nantes=[0, 0]\nblinds_or_straddles=[100, 50]\nmin_bet=100\n"
            "starting_stacks=[900, 900]\nactions=['d dh p1 AsAh','d dh p2 KsKh','p1 f']"
        )


@pytest.mark.parametrize(("text", "won"), [(PLAYED_ON, 130), (LAST_LEFT, 50)])
def test_absent_players_fold_though_all_in(text, won):
    hand = read(text)
    steps = list(play_hand(hand))
    nets = [a - b for a, b in zip(hand.finishing_stacks, hand.stacks, strict=True)]
    assert nets[hand.players.index("eli")] == won
    assert nets[hand.players.index("kai")] == -30
    assert (steps[-1].table["stack"][:4].tolist()) == list(hand.finishing_stacks)
    for back in (read_hands(write_hands([hand]))[0], read(write_pokerstars([hand]))):
        assert replace(back, level=hand.level, event=hand.event) == hand
    options = query_policy(agents.make_compiled("formula"), hand)
    assert [not one for one in options] == [action.position == 1 for action in hand.actions]
    assert review_hand(hand).net == tuple(map(float, nets))
    money = {row.name: row.values["money"] for row in reduce_variance([hand])}
    assert money["eli"] == [won / 40]


def test_players_with_chips_do_not_fold_out_of_turn():
    text = PLAYED_ON.replace("eli: raises", "ben: folds\neli: raises", 1)
    assert reason(text) == "it is the turn of p3, not of p1"


def test_round_trips_keep_what_a_hand_leaves_open():
    hand = read(stars())
    cases = {
        "the result after a cash-out": replace(hand, finishing_stacks=None, rake=4),
        "a small blind that is not posted": replace(
            hand,
            small_blind=50,
            blinds=(0, 100, 0),
            actions=(hand.actions[0], hand.actions[1]),
            rake=None,
            finishing_stacks=None,
        ),
        "an incomplete hand": replace(
            hand, actions=hand.actions[:1], finishing_stacks=None, rake=None
        ),
    }
    for what, one in cases.items():
        assert read_hands(write_hands([one])) == [one], what
    one = cases["the result after a cash-out"]
    assert read(write_pokerstars([one])) == one
    one = cases["an incomplete hand"]
    assert read(write_pokerstars([one])).finishing_stacks is None


def test_incomplete_hands_and_other_files_are_skipped_and_counted(tmp_path):
    (tmp_path / "a.txt").write_text(stars())
    (tmp_path / "b.txt").write_text("shopping list\n")
    (tmp_path / "c.txt").write_text(stars().partition("kai: folds")[0] + "\n\n" + stars())
    problems: list[ValueError] = []
    rows = reduce_variance(stream_files([tmp_path]), on_problem=problems.append)
    assert {row.name: row.values["money"] for row in rows}["ben"] == [1.0, 1.0]
    assert [isinstance(problem, NoHandHistoryError) for problem in problems].count(True) == 1
    assert len(problems) == 2
    assert any("incomplete" in str(problem) for problem in problems)
    with pytest.raises(ValueError, match=r"incomplete|not a hand history"):
        reduce_variance(stream_files([tmp_path]))
