"""Lines of any length in text of PokerStars and in logs take no longer than their length."""

import time

import pytest

from nlhe_env.hand_history import Hand, HandHistoryError, stream_hands

HEADER = "PokerStars Hand #1:  Hold'em No Limit (5/10) - 2000/01/01 0:00:00 ET"
TEXT = f"""\
{HEADER}
Table 'x' 6-max Seat #1 is the button
Seat 1: ann (1000 in chips)
Seat 2: bob (1000 in chips)
ann: posts small blind 5
bob: posts big blind 10
*** HOLE CARDS ***
Dealt to ann [As Kd]
ann: raises 20 to 30
bob: folds
Uncalled bet (20) returned to ann
ann collected 20 from pot
*** SUMMARY ***
Total pot 20 | Rake 0
"""
LOG = """\
# ann.bob holdem.nolimit.2p.reverse_blinds.1000.5-10 1 0
STATE:0:r30f:QhQc|AsKd:-10|10:bob|ann
"""
SIZE = 100_000
RUNS = {
    "digits": "9" * SIZE,
    "digits and commas": "1," * (SIZE // 2),
    "digits and two commas": "1,," * (SIZE // 3),
    "digits, commas and blanks": "1, " * (SIZE // 3),
    "amounts in brackets": "(1" * (SIZE // 2),
    "digits and points": "1." * (SIZE // 2),
    "points and commas": "1.,1" * (SIZE // 4),
    "stakes": "1/" * (SIZE // 2),
    "stakes after commas": "1,1/1" * (SIZE // 5),
    "brackets": "[" * SIZE,
    "cards": "[As] " * (SIZE // 5),
    "blanks": " " * SIZE,
    "colons": "a: " * (SIZE // 3),
    "seats": "Seat 1: a (1 in chips" * (SIZE // 21),
    "stars": "*** A ***" * (SIZE // 9),
    "bars": "| Rake " * (SIZE // 7),
    "letters": "a" * SIZE,
}
PLACES = {
    "stakes": (HEADER, "PokerStars Hand #1:  Hold'em No Limit ({}"),
    "stakes after a comma": (HEADER, "PokerStars Hand #1:  Hold'em No Limit, {}"),
    "a number of a hand": (HEADER, "PokerStars Hand #{}:  Hold'em No Limit (5/10)"),
    "a game": (HEADER, "PokerStars Hand #1:  {} Hold'em No Limit (5/10)"),
    "a table": ("Table 'x' 6-max", "Table 'x' {}-max"),
    "a name of a table": ("Table 'x' 6-max", "Table '{}'"),
    "a seat": ("Seat 2: bob (1000", "Seat 2: bob ({}"),
    "a number of a seat": ("Seat 2: bob", "Seat {}: bob"),
    "a name": ("Seat 2: bob", "Seat 2: {}"),
    "a blind": ("small blind 5", "small blind {}"),
    "a raise": ("raises 20 to 30", "raises {}"),
    "a raise to": ("to 30", "to {}"),
    "cards": ("[As Kd]", "[{}"),
    "a street": ("*** HOLE CARDS ***", "*** FLOP *** {}"),
    "winnings": ("collected 20", "collected {}"),
    "a winner": ("ann collected", "{} collected"),
    "a pot": ("Total pot 20", "Total pot {}"),
    "a rake": ("Rake 0", "Rake {}"),
    "a line of its own": ("bob: folds", "bob: folds\n{}"),
    "the summary": ("Rake 0", "Rake 0\n{}"),
}


def seconds_of(text: str) -> float:
    start = time.process_time()
    *_, last = stream_hands(text.splitlines(keepends=True))
    assert isinstance(last, Hand)
    return time.process_time() - start


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_long_line_of_text_is_read_in_linear_time(place):
    old, new = place
    seconds_of(TEXT)  # compiled code is loaded
    for run in RUNS.values():
        text = TEXT + "\n" + TEXT.replace(old, new.format(run), 1) + "\n" + TEXT
        assert seconds_of(text) < 20, run[:20]  # one step a letter takes 0.02 s, squares minutes


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_a_long_line_of_a_log_is_read_in_linear_time(run):
    seconds_of(LOG)
    line = LOG.splitlines()[1]
    for old in ("STATE:0", "r30f", "QhQc", "-10", "bob"):
        text = LOG + line.replace(old, old + run) + "\n# " + run + "\n" + line + "\n"
        assert seconds_of(text) < 20, old


def test_an_overlong_amount_is_not_read_partially():
    for amount in ("1" * 30 + "20", "9," * 50 + "30", "1.2345"):
        first, second = stream_hands(
            (TEXT.replace("to 30", f"to {amount}") + TEXT).splitlines(keepends=True)
        )
        assert isinstance(first, HandHistoryError)
        assert isinstance(second, Hand)
