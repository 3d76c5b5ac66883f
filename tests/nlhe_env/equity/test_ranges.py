"""Ranges: what the notation means, its text form, and what is said about mistakes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlhe_env.cards import format_cards
from nlhe_env.equity import Range
from nlhe_env.equity.tables.suits import hole_pairs

HANDS = ["TT", "88+", "QQ-99", "AKs", "KTo+", "A5s-A2s", "76s-54s", "AK", "AhKd", "*", "Q9-Q7"]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("TT+", "TT, JJ, QQ, KK, AA"),
        ("22-55", "55 44 33 22"),
        ("AQs+", "AQs, AKs"),
        ("KTo+", "KTo, KJo, KQo"),
        ("A5s-A2s", "A5s, A4s, A3s, A2s"),
        ("76s-54s", "76s, 65s, 54s"),
        ("AK", "AKs, AKo"),
        ("ka", "AK"),
        ("KhAh", "AhKh"),
        ("AKo:0.5, AK", "AK"),
        ("AA, KK:0", "AA"),
        ("Random, 72o:0", "*, 72o:0"),
    ],
)
def test_notation_expands_to_the_expected_holdings(text, same):
    assert Range.parse(text) == Range.parse(same)


@pytest.mark.parametrize(
    ("text", "n_holdings"),
    [("TT", 6), ("AKs", 4), ("AKo", 12), ("AK", 16), ("AhKh", 1), ("22+", 78), ("*", 1326)],
)
def test_number_of_holdings(text, n_holdings):
    assert len(Range.parse(text)) == n_holdings


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("AA;KK", "AA, KK"),
        ("Axs", "A2s+"),
        ("Kx", "K2+"),
        ("TT:50%, AKs:12.5%", "TT:0.5, AKs:0.125"),
        ("[50]AA, KK:50%[/50], QQ", "AA:0.5, KK:0.25, QQ"),
        ("[12.5]AA[/12.5]\r\nKK", "AA:0.125, KK"),
        ("0.5%", "AA"),
        ("2%", "JJ+"),  # 24 holdings of 26.5
        ("100%", "*"),
        ("50%, AA:0", "50%, AA:0"),
    ],
)
def test_notations_of_other_programs(text, same):
    assert Range.parse(text) == Range.parse(same)


def test_a_share_of_all_hands_is_taken_in_whole_classes():
    for share in (5, 20, 50, 80):
        found = Range.parse(f"{share}%")
        assert share / 100 - 12 / 1326 <= len(found) / 1326 <= share / 100
    assert Range.parse("20%").table @ Range.parse("AQo, 99, KQs").table == 12 + 6 + 4


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("QQ, AA, KK, JJ, 22, 33", "JJ+, 33-22"),
        ("AKs, AQs, KQo, AKo, AQo", "AQ+, KQo"),
        ("AKs, AQs, AKo", "AQs+, AKo"),
        ("AhKh:.25 22+", "22+, AhKh:0.25"),
        ("22+, A2+, *", "*"),
    ],
)
def test_canonical_text(text, canonical):
    assert str(Range.parse(text)) == canonical


@given(
    st.lists(
        st.tuples(st.sampled_from(HANDS), st.sampled_from(["", ":0.5", ":1e-07", ":0.1"])),
        min_size=1,
    )
)
def test_text_of_a_parsed_range_is_that_range(parts):
    held = Range.parse(", ".join(hand + weight for hand, weight in parts))
    assert Range.parse(str(held)) == held
    assert hash(Range.parse(str(held))) == hash(held)


@given(
    st.dictionaries(
        st.integers(0, 1325), st.floats(0, 1, exclude_min=True), min_size=1, max_size=60
    )
)
def test_text_of_any_range_is_that_range(weights):
    combos = hole_pairs()[list(weights)]
    held = Range(combos[:, ::-1], np.array(list(weights.values())))
    assert Range.parse(str(held)) == held


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("TT+, AQx+", 7, "a comma or a space"),
        ("AhK", 3, "suit of the second card"),
        ("AhAh", 2, "two different cards"),
        ("AAs", 2, "neither suited nor offsuit"),
        ("1K", 0, "one of 23456789TJQKA"),
        ("A", 1, "expected a rank"),
        ("AKs-QJo", 4, "suits of"),
        ("AKs-J2s", 0, "a run"),
        ("AK:2", 3, "weight from 0 to 1"),
        ("AA:", 3, "weight from 0 to 1"),
        ("AA:101%", 3, "weight from 0% to 100%"),
        ("2x", 1, "expected a rank"),
        ("0%", 0, "a share of all hands"),
        ("[x]AA", 0, "a weight in per cent"),
        ("AA[/50]", 2, "no [..] comes before"),
        ("[50]AA[/40]", 6, "expected [/50]"),
        ("[50]AA[40]", 6, "expected [/50] first"),
    ],
)
def test_a_notation_error_is_pointed_at(text, place, expected):
    with pytest.raises(ValueError, match="range not understood") as caught:
        Range.parse(text)
    first, shown, caret = str(caught.value).split("\n")
    assert expected in first
    assert shown == "  " + text
    assert caret == "  " + " " * place + "^"


@pytest.mark.parametrize("text", ["", " , ", "AA:0"])
def test_empty_range_is_an_error(text):
    with pytest.raises(ValueError, match="at least one hand"):
        Range.parse(text)


@pytest.mark.parametrize(
    ("combos", "weights", "message"),
    [
        ([[1, 1]], [1.0], "two different cards"),
        ([[1, 2], [2, 1]], [1.0, 1.0], "appear once"),
        ([[1, 52]], [1.0], r"0\.\.51"),
        ([[1, 2]], [0.0], "above 0"),
        ([[1, 2]], [1.0, 1.0], r"shape \(1,\)"),
        ([1, 2], [1.0], r"shape \(n, 2\)"),
    ],
)
def test_invalid_arrays_are_named(combos, weights, message):
    with pytest.raises(ValueError, match=message):
        Range(np.array(combos), np.array(weights))


def test_arrays_are_read_only_and_sorted():
    held = Range.parse("AhKh, 2c2d")
    assert [format_cards(combo) for combo in held.combos.tolist()] == ["2d2c", "AhKh"]
    with pytest.raises(ValueError, match="read-only"):
        held.weights[0] = 0.5
