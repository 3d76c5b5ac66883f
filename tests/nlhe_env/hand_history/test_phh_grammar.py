"""One grammar of PHH: streams and whole files agree, and no line takes longer than its length."""

import time
import tomllib
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nlhe_env.hand_history import Hand, HandHistoryError, read_hands, stream_hands, write_hands
from nlhe_env.hand_history.phh_reader import read_fields, simple_line

HAND = """\
[1]
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 3000, 450]
actions = ['d dh p1 AsKd', 'd dh p2 QhQc', 'd dh p3 7c7d', 'p3 cbr 450', 'p1 f', 'p2 f']
"""
FIELDS = [line.partition(" = ")[0] for line in HAND.splitlines()[1:]]

# Texts that are TOML, nearly TOML, or nothing of the kind.
WORDS = (
    "0 -0 01 1 100 1.5 1.50 1. .5 1e3 1.5e3 1_0 0x1f 0b1 +1 -1 inf -inf nan infx true truex null "
    "1234567890123456 123456789012345678901234567890 00:01:02 24:00:00 2009-07-01 '' '''' 'x' "
    '\'x "x" "a\\tb" [] [1] [\'x\'] {} {a=1} {a.b=1} # , [ ] = \' " - \'\'\' """ \xe9 \x01 \ud800'
)
ATOMS = st.sampled_from([*WORDS.split(" "), "\xa0", "\u2028", "\x0b"])
VALUES = st.one_of(
    ATOMS,
    st.lists(ATOMS, max_size=4).map(", ".join).map("[{}]".format),
    st.lists(ATOMS, max_size=4).map(" ".join).map("[{}]".format),
    st.lists(ATOMS, max_size=4).map(",".join).map("[{} , ] # it".format),
    st.lists(ATOMS, max_size=5).map("".join),
    st.text("[]'\",=# \t019.-infab\\", max_size=12),
    st.text(max_size=6),
)
KEYS = st.sampled_from(["a", "hand", "_x", "a-b", "1", "'a'", '"a"', "a.b", "é", "", "a b", " a "])
LINES = st.one_of(
    st.builds("{} = {}".format, KEYS, VALUES), st.builds("{}={}".format, KEYS, VALUES), VALUES
)


def stream(text):
    return list(stream_hands(text.splitlines(keepends=True), format="phh"))


def by_toml(text):
    try:
        return repr(tomllib.loads(text, parse_float=Decimal))
    except (ValueError, ArithmeticError):
        return None


@settings(max_examples=150)
@given(LINES)
@example("a = [1000 200]")
@example("a = ['x'] # ['y']")
@example("a = ['x', \"y', 'z\"]")
@example("a = ['']")
@example("a = ['x")
@example("a = NaN")
@example("a = ['x'] # 'y' # z")
@example("a = [[1], [2]]")
@example("a = 1e99999999999999999999")
def test_a_simple_line_parses_as_in_toml(line):
    found = simple_line(line)
    if found is not None:
        name, value = found
        assert repr({name: value} if name else {}) == by_toml(line)


def test_usual_lines_are_simple():
    for line in [*HAND.splitlines()[1:], "time = 00:02:58", "winnings = [9.50, 0, 0]  # dollars"]:
        assert simple_line(line)[0]
    assert simple_line("starting_stacks = [inf, 100]") == (
        "starting_stacks",
        [Decimal("inf"), 100],
    )


@settings(max_examples=60)
@given(st.lists(LINES, max_size=4))
@example(["hand = 1", "hand = 2"])
@example(["author = ann"])
def test_fields_parse_as_in_toml(lines):
    text = "\n".join(lines)
    try:
        found = repr(read_fields(text.split("\n")))
    except HandHistoryError as error:
        found = None
        if "not a hand history" in error.reason:
            return
    assert found == by_toml(text)


@settings(max_examples=80)
@given(st.sampled_from([*FIELDS, "hand", "winnings", "finishing_stacks", "seats", "_x"]), VALUES)
@example("starting_stacks", "[1000 3000 450]")
@example("starting_stacks", "[1234567890123456, 3000, 450]")
@example("hand", "12345678901234567890")
@example("author", "ann")
@example("hand", "'the third'")
def test_streams_and_whole_files_agree(name, value):
    lines = HAND.splitlines()
    if name in FIELDS:
        lines[1 + FIELDS.index(name)] = f"{name} = {value}"
    else:
        lines.append(f"{name} = {value}")
    if any(letter in value for letter in "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"):
        return  # which ends a line for some readers
    text = "\n".join(lines) + "\n"
    found = stream(text)
    errors = [hand for hand in found if isinstance(hand, HandHistoryError)]
    if not errors:
        assert read_hands(text) == found
        return
    with pytest.raises(HandHistoryError) as caught:
        read_hands(text)
    assert (caught.value.line, caught.value.reason) == (errors[0].line, errors[0].reason)


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("starting_stacks", "[1000 3000 450]", "not TOML"),
        ("starting_stacks", "[1234567890123456, 3000, 450]", "must be 3 amounts"),
        ("min_bet", "0100", "not TOML"),
        ("min_bet", str(2**63), "min_bet must be the big blind"),
        ("actions", HAND.splitlines()[-1][10:].replace("450", str(2**64)), "is not an amount"),
    ],
)
def test_an_invalid_number_affects_only_its_hand(name, value, problem):
    lines = HAND.splitlines()
    lines[1 + FIELDS.index(name)] = f"{name} = {value}"
    text = "\n".join(lines) + "\n" + HAND
    bad, good = stream(text)
    assert problem in bad.reason
    assert isinstance(good, Hand)
    with pytest.raises(HandHistoryError, match=problem) as caught:
        read_hands(text)
    assert (caught.value.line, caught.value.reason) == (bad.line, bad.reason)


def test_hand_numbers_may_repeat_and_fields_may_precede_the_first():
    text = "# two files in one\nauthor = 'ann'\n\n" + HAND + HAND
    assert read_hands(text) == stream(text) == read_hands(HAND) * 2
    alone = HAND.partition("\n")[2]
    assert read_hands(alone) == read_hands(HAND)
    for nothing in ("", "# nothing\n", "\n"):
        assert stream(nothing) == []
        with pytest.raises(HandHistoryError, match="no hand in this text"):
            read_hands(nothing)
    assert "no field variant" in stream("author = 'ann'\n")[0].reason
    assert "no field variant" in stream("[1]\n")[0].reason


def test_all_line_endings_are_read():
    for end in ("\r\n", "\r"):
        assert read_hands(HAND.replace("\n", end)) == read_hands(HAND)


SIZE = 100_000
LONG_LINES = {
    "digits": "hand = " + "9" * SIZE,
    "digits in a list": "winnings = [" + "9" * SIZE,
    "numbers without commas": "winnings = [" + "1 " * (SIZE // 2),
    "numbers with commas": "winnings = [" + "1, " * (SIZE // 3),
    "points": "winnings = [" + "1." * (SIZE // 2),
    "texts": "players = [" + "'a', " * (SIZE // 5),
    "texts without commas": "players = [" + "'a' " * (SIZE // 4),
    "quotes": "players = ['" + "', '" * (SIZE // 4),
    "quotes of both kinds": "players = [" + "'\"" * (SIZE // 2),
    "blanks": "hand = " + " " * SIZE + "x",
    "blanks after a value": "hand = 1" + " " * SIZE + "x",
    "blanks in a list": "winnings = [1," + " " * SIZE + "x",
    "blanks in front": " " * SIZE + "x",
    "blanks in a header": "[" + " " * SIZE,
    "blanks after a header": "[2]" + " " * SIZE + "x",
    "brackets": "[" * SIZE,
    "closed brackets": "[2" + "] " * (SIZE // 2) + "x",
    "letters": "a" * SIZE,
    "comments": "hand = 1 " + "#" * SIZE + "\x01",
    "escapes": 'hand = "' + "\\t" * (SIZE // 2),
    "parts of a key": "a." * (SIZE // 2),
    "an amount": "actions = ['p1 cbr " + "9" * SIZE + "']",
    "amounts with points": "actions = ['p1 cbr " + ".1" * (SIZE // 2) + "']",
    "many cards": "actions = ['d dh p1 " + "As" * (SIZE // 2) + "']",
    "shown and unknown": "actions = ['p1 sm " + "?" * SIZE + "']",
}


@pytest.mark.parametrize("line", LONG_LINES.values(), ids=LONG_LINES)
def test_a_long_line_is_read_in_linear_time(line):
    text = HAND + line + "\n" + HAND
    texts = [text, HAND.replace(HAND.splitlines()[-1], line) + HAND]
    stream(HAND)  # compiled code is loaded
    for text in texts:
        start = time.process_time()
        found = stream(text)
        assert time.process_time() - start < 20  # one step a letter takes 0.01 s, squares minutes
        assert isinstance(found[-1], Hand)


@pytest.mark.parametrize("digits", range(20, 100, 10))
def test_a_line_of_digits_is_read_quickly(digits):
    start = time.process_time()
    (error,) = stream(HAND + "winnings = [" + "1" * digits + "x]\n")
    assert time.process_time() - start < 20
    assert "not TOML" in error.reason


def test_written_hands_use_simple_lines():
    for line in write_hands(read_hands(HAND)).splitlines()[1:]:
        assert simple_line(line) is not None
