"""Lines of poker rooms: posts, straddles, names of players and games, and what cannot be read."""

from dataclasses import replace

import pytest
from hand_texts import read
from hypothesis import given, settings
from hypothesis import strategies as st
from test_stars_reader import CASH, TOURNAMENT

from nlhe_env.hand_history import (
    Action,
    Hand,
    HandHistoryError,
    play_hand,
    stream_hands,
    write_pokerstars,
)
from nlhe_env.hand_history.replay import check_hand
from nlhe_env.hand_history.streams import detect_format

# From a second site: the big blind straddles twice, each time with the total put in.
STRADDLES = """\
Poker Hand #HD5: Hold'em No Limit ($0.5/$1) - 2026/01/01 12:00:00
Table 'NLH5' 6-max Seat #1 is the button
Seat 1: ann ($138 in chips)
Seat 2: bob ($100 in chips)
Seat 3: cid ($93 in chips)
Seat 4: dan ($200 in chips)
bob: posts small blind $0.5
cid: posts big blind $1
cid: straddle $2
cid: straddle $4
*** HOLE CARDS ***
Dealt to ann
dan: folds
ann: raises $4 to $8
bob: folds
cid: calls $4
*** FLOP *** [Kd 8h 6c]
cid: checks
ann: bets $5
cid: folds
Uncalled bet ($5) returned to ann
*** SHOWDOWN ***
ann collected $15.5 from pot
*** SUMMARY ***
Total pot $16.5 | Rake $0.6 | Jackpot $0.4 | Bingo $0 | Fortune $0 | Tax $0.02
Board [Kd 8h 6c]
"""

# Both all-in on the flop; the cards of the second board say so again.
TWICE = """\
PokerStars Hand #9:  Hold'em No Limit ($1/$2 USD) - 2020/01/01 12:00:00 ET
Table 'East' 2-max Seat #1 is the button
Seat 1: ann ($50 in chips)
Seat 2: bob ($40 in chips)
ann: posts small blind $1
bob: posts big blind $2
*** HOLE CARDS ***
ann: calls $1
bob: checks
*** FLOP *** [2c 7d Th]
bob: bets $38 and is all-in
ann: calls $38
*** FIRST TURN *** [2c 7d Th] [3s]
*** FIRST RIVER *** [2c 7d Th 3s] [9c]
*** SECOND TURN *** [2c 7d Th] [Kd]
*** SECOND RIVER *** [2c 7d Th Kd] [4h]
*** FIRST SHOW DOWN ***
ann: shows [As Ad] (a pair of Aces)
bob: shows [Kh Qh] (high card King)
ann collected $39 from pot
*** SECOND SHOW DOWN ***
ann: shows [As Ad] (a pair of Aces)
bob: shows [Kh Qh] (a pair of Kings)
ann collected $39 from pot
*** SUMMARY ***
Total pot $80 | Rake $2
Hand was run twice
"""


def refused(text: str) -> HandHistoryError:
    (error,) = read(text)
    assert isinstance(error, HandHistoryError), error
    return error


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize(
    "posts",
    [
        "eve: posts missed blind $0.50\neve: posts big blind $1",
        "eve: posts big blind $1\neve: posts missed blind $0.50",
        "eve: posts a dead small blind of $0.50\neve: posts $1",
    ],
)
def test_a_missed_blind_is_dead(posts):
    (hand,) = read(CASH.replace("eve: posts small & big blinds $1.50", posts))
    assert (hand,) == tuple(read(CASH))
    assert hand.dead == (0, 0, 0, 50, 0)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("eve: posts small & big blinds $1.50", "eve: posts oddly $1.50", "'eve' posts something"),
        (
            "eve: posts small & big blinds $1.50",
            "eve: posts $1.50",
            "'eve' posts something unknown",
        ),
        ("eve: posts small & big blinds $1.50", "eve: posts an ante of $1.50", "an ante of $1.50"),
        ("cid: folds", "cid: folds in anger", "'cid' does something unknown: 'folds in anger'"),
        ("ann: bets $10", "ann: bets $10 and mucks", "'ann' does something unknown: 'bets $10 and"),
        ("ann: bets $10", "ann bets $10", "a colon is missing after 'ann'"),
        ("ann: bets $10", "zed: bets $10", "'zed' is not one of the players"),
        ("bob: the (2nd) collected", "zed collected", "'zed' is not one of the players"),
        ("Dealt to ann [As Ad]", "Dealt to zed [As Ad]", "belong to no player: 'zed [As Ad]'"),
        ("Dealt to ann [As Ad]", "Dealt to ann [As Ad 4c 4d]", "cards that cannot be read"),
        ("ann: mucks hand", "ann mucks", "a colon is missing after 'ann'"),
        ("*** TURN ***", "*** CORNER ***", "a street that is not known"),
        ("*** TURN *** [2c 7d Th] [3s]", "*** TURN [2c 7d Th] [3s] ***", "a street that cannot be"),
        ("Seat 4: cid ($20 in chips)", "Seat 4: cid (20 dollars)", "a seat that cannot be read"),
        ("Seat 4: cid ($20", "Seat 4: cid ($20,5", "commas between thousands; got '20,5'"),
        ("cid: posts big blind $1", "cid: posts big blind $1,00", "thousands; got '1,00'"),
        ("Seat 4: cid", "Seat 4: ann", "two players have the name 'ann'"),
        ("*** HOLE CARDS ***", "STP added: $0.50", "chips added to the pot"),
        ("*** HOLE CARDS ***", "Bomb Pot of $5", "bomb pots cannot be read"),
        ("($0.50/$1.00 USD)", f"({'1,' * 100_000})", "a line must have at most 1000 characters"),
        (
            "Dealt to",
            f"q{' collected 1' * 20_000}\nDealt to",
            "a line must have at most 1000 characters",
        ),
        ("Rake $3", "Rake $4", "the pots hold 203.5, but 200.5 is collected and 4 taken"),
        ("Total pot $203.50 | Rake $3", "Total pot $204.50", "the pots hold 203.5, not 204.5"),
        ("bob: the (2nd) collected $200.50", "bob: the (2nd) collected $201", "but 201 is collec"),
    ],
)
def test_unsupported_lines_are_refused_by_name(old, new, reason):
    assert old in CASH
    text = CASH.replace(old, new, 1)
    error = refused(text)
    assert reason in error.reason
    is_sum = "the pots" in error.reason
    assert error.line == line_of(text, "Total pot" if is_sum else new)


@pytest.mark.parametrize("stakes", ["(€0,50/€1,00 EUR)", "(€1.000,50/€2.000,00)"])
def test_a_decimal_comma_in_the_stakes_is_refused(stakes):
    assert "decimal point" in refused(CASH.replace("($0.50/$1.00 USD)", stakes)).reason


@pytest.mark.parametrize("fees", ["Rake $2.50 | Tax $0.50", "Rake $3 | Tax $0.50"])
def test_a_tax_may_come_from_other_money(fees):
    (hand,) = read(CASH.replace("Rake $3", fees))
    assert hand.rake == 300


def test_mucking_instead_of_acting_is_refused():
    begin = CASH[: CASH.index("bob: the (2nd): raises $20")]
    end = "ann collected $20.50 from pot\n*** SUMMARY ***\nTotal pot $20.50 | Rake $0\n"
    muck = "bob: the (2nd): mucks hand\n"
    for text in (begin + muck + end, CASH.replace("bob: the (2nd): raises $20 to $30\n", muck)):
        error = refused(text)
        assert error.reason == "'bob: the (2nd)' mucks before the betting is over"
        assert error.line == line_of(text, muck)
    assert "before the betting is over" in refused(begin + end).reason


@pytest.mark.parametrize(
    "name",
    [
        "$5,000 No Limit Hold'em Main Event [Flight W], $25M GTD",
        "Limit Hold'em Special",
        "Omaha (NL postflop) Bounty",
        "6+ and Showtime",
        "Showtime",
        "$5 No Limit",
        "Short Deck Split (100/200)",
    ],
)
def test_a_tournament_name_is_not_taken_for_the_game(name):
    assert "Daily $10" in TOURNAMENT
    assert read(TOURNAMENT.replace("Daily $10", name)) == read(TOURNAMENT)


@pytest.mark.parametrize(
    "game",
    [
        "6+ Hold'em No Limit",
        "Showtime Hold'em No Limit",
        "Split Hold'em No Limit",
        "Omaha Pot Limit",
        "Hold'em No Limit Badugi",
        "Short Deck Texas Hold'em NL",
        "PLO",
    ],
)
def test_unsupported_games_are_refused(game):
    cash = CASH.replace("Hold'em No Limit", game)
    assert "only Texas Hold'em can be read" in refused(cash).reason
    bought_in = cash.replace(game, f"Tournament #1, $10+$1 USD {game} - Level I")
    assert "only Texas Hold'em can be read" in refused(bought_in).reason
    after = TOURNAMENT.replace("Hold'em No Limit", "Hold'em No Limit Omaha Pot Limit")
    assert "only Texas Hold'em can be read" in refused(after).reason


def test_a_limit_that_changes_is_refused():
    text = TOURNAMENT.replace("Hold'em No", "Hold'em Pot Limit Pre-Flop, No Limit Post-Flop No")
    assert "changes after the flop" in refused(text).reason


@pytest.mark.parametrize("line", ["cid: straddle", "cid: posts straddle", "cid: STRADDLE"])
def test_straddles_are_all_that_a_player_has_put_in(line):
    (hand,) = read(STRADDLES.replace("cid: straddle", line))
    assert hand.players == ("bob", "cid", "dan", "ann")
    assert hand.blinds == (50, 400, 0, 0)
    assert hand.finishing_stacks == (9950, 8500, 20_000, 13_800 - 800 + 1550)
    assert hand.rake == 100
    dealt, *_ = play_hand(hand)
    assert (int(dealt.table["actor"]), int(dealt.table["current_bet"])) == (2, 400)
    (again,) = read(write_pokerstars([hand]))
    assert again == hand


def test_straddles_of_two_players():
    text = STRADDLES.replace("cid: straddle $2\ncid", "dan: straddle $2\nann")
    text = text[: text.index("dan: folds")] + (
        "bob: folds\ncid: folds\ndan: raises $4 to $8\nann: folds\n"
        "Uncalled bet ($4) returned to dan\ndan collected $9.5 from pot\n"
        "*** SUMMARY ***\nTotal pot $9.5 | Rake $0\n"
    )
    (hand,) = read(text)
    assert hand.blinds == (50, 100, 200, 400)
    assert hand.finishing_stacks == (9950, 9200, 20_550, 13_400)


def test_a_hand_run_twice_is_read():
    (hand,) = read(TWICE)
    assert (hand.board, hand.second_board) == ("2c7dTh3s9c", "2c7dThKd4h")
    assert (hand.players, hand.finishing_stacks, hand.rake) == (("bob", "ann"), (0, 88), 2)
    *_, last = play_hand(hand)
    assert int(last.table["shared_cards"]) == 3
    third = TWICE.replace("SECOND TURN", "THIRD TURN")
    assert "more than twice" in refused(third).reason
    half = TWICE.replace("*** SECOND RIVER *** [2c 7d Th Kd] [4h]\n", "")
    assert "does not show two whole boards" in refused(half).reason


def test_antes_without_blinds_are_refused():
    text = TOURNAMENT.replace("aa: posts small blind 100\n", "")
    text = text.replace("Hero: posts big blind 200\n", "")
    assert "as in a bomb pot" in refused(text).reason


@pytest.mark.parametrize(
    "room", ["CoinPoker", "WPT Global", "Full Tilt", "PokerBros", "A.B-C Club"]
)
def test_compatible_formats_of_other_sites_are_read(room):
    text = CASH.replace("PokerStars Zoom", room)
    assert detect_format(text.splitlines(keepends=True)) == "pokerstars"
    assert read(text) == read(CASH)


@pytest.mark.parametrize("room", ["BetOnline Poker", "Full Tilt Poker", "ActionPoker.com"])
def test_incompatible_sites_are_refused_by_name(room):
    error = refused(CASH.replace("PokerStars Zoom Hand", f"{room} Game"))
    assert error.reason.startswith(f"{room} text has its own format")


# --- names ----------------------------------------------------------------------------------------

ODD_NAMES = [
    *("Seat 1", "Seat 2: bob ($5 in chips)", "Dealt to ann", "Dealt to ann [As Ad]"),
    *("*** FLOP *** [2c 7d Th]", "*** SUMMARY ***", "***", " ann", "ann ", "  ", "ann", "ann:"),
    *("ann: folds", "ann collected 5 from pot", "x collected "),
    *("Uncalled bet (5) returned to me", 'ann said, "hello', "Hand cancelled", "STP added: 5"),
    *("bomb pot", "zed: sits out", "(button)", "a (100 in chips) is sitting out"),
    *("ann showed [As Ks]", "Table 'x' Seat #4 is the button", "Total pot 5 | Rake 1"),
    *("PokerStars Hand",),
]


def named(*names: str) -> Hand:
    """A hand in which the first two play to the end, and the others fold."""
    n = len(names)
    actions = [Action(i, "f") for i in range(2, n)]
    actions += [Action(0, "cc"), Action(1, "cbr", 60), Action(0, "cc")]
    actions += [Action(i, "cc", 0, cards) for cards in (3, 4, 5) for i in (0, 1)]
    if n == 2:
        actions = [Action(1, "cc"), Action(0, "cbr", 60), Action(1, "cc"), *actions[3:]]
    hand = Hand(
        stacks=(500, 600, *[700] * (n - 2)),
        hole_cards=("AsAd", "KsKd", *["2h3h", "4h5h", "6h7h", "8h9h"][: n - 2]),
        board="QcQd9s8s2c",
        actions=tuple(actions),
        small_blind=10,
        big_blind=20,
        shown=(True, True, *[False] * (n - 2)),
        players=names,
        seats=tuple(range(n)),
        seat_count=n,
        number=7,
    )
    paid = (560, 540) if n == 2 else (560, 540, *[700] * (n - 2))
    return check_hand(replace(hand, finishing_stacks=paid, rake=0))


def round_trip(hand: Hand) -> Hand:
    (again,) = stream_hands(write_pokerstars([hand]).splitlines(keepends=True))
    assert isinstance(again, Hand), again
    return again


@pytest.mark.parametrize("name", ODD_NAMES)
def test_an_odd_name_is_written_and_read(name):
    for names in ((name, "ann bee"), ("bob", name, "cid"), ("ann bee", "bob", name, name + "x")):
        hand = named(*names)
        assert round_trip(hand) == hand


def test_unusual_names_at_one_table_are_written_and_read():
    for i in range(len(ODD_NAMES)):
        names = [ODD_NAMES[(i + 7 * k) % len(ODD_NAMES)] for k in range(6)]
        assert round_trip(named(*names)) == named(*names)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=12)
        .map(lambda text: "".join(c for c in text if c.isprintable()))
        .filter(bool),
        min_size=2,
        max_size=6,
        unique=True,
    )
)
def test_any_printable_name_is_written_and_read(names):
    assert round_trip(named(*names)) == named(*names)


def test_names_that_break_a_line_are_changed():
    hand = named("a\nb", "", "a b", "c\u2028d", "x\x85")
    assert round_trip(hand).players == ("a b", "p2", "a b 3", "c d", "x ")


def test_a_player_named_like_a_seat_is_read_correctly():
    text = TOURNAMENT.replace("aa", "Seat 3").replace("cc", "Seat 1")
    (hand,) = read(text)
    assert hand.players == ("Seat 3", "Hero", "Seat 1")
    (plain,) = read(TOURNAMENT)
    assert replace(hand, players=plain.players) == plain


def test_an_indented_hand_is_read():
    assert read("".join(f"  {line}\n" for line in CASH.splitlines())) == read(CASH)
