"""Card codes and their text."""

import pytest

from nlhe_env.cards import CARD_NAMES, format_cards, parse_cards


def test_codes_are_four_times_the_rank_plus_the_suit():
    assert parse_cards("2c2d2h2s3cTdAs") == (0, 1, 2, 3, 4, 33, 51)


def test_text_and_codes_round_trip_for_every_card():
    assert len(set(CARD_NAMES)) == 52
    for code, name in enumerate(CARD_NAMES):
        assert parse_cards(name) == (code,)
        assert format_cards([code]) == name
    assert parse_cards(format_cards(range(52))) == tuple(range(52))


def test_spaces_and_case_do_not_matter():
    assert parse_cards(" as  tD\n2C") == (51, 33, 0)
    assert parse_cards("") == ()


@pytest.mark.parametrize("text", ["1c", "Ax", "As2", "A s K", "10h", "aA"])
def test_an_invalid_card_is_named(text):
    with pytest.raises(ValueError, match="is not a card"):
        parse_cards(text)


def test_a_card_given_twice_is_named():
    with pytest.raises(ValueError, match=r"card As is given twice in 'As2cas'"):
        parse_cards("As2cas")


@pytest.mark.parametrize("value", [None, 5, ["As"], b"As"])
def test_non_text_is_refused(value):
    with pytest.raises(ValueError, match="cards must be text"):
        parse_cards(value)
