"""JSON from anywhere: hostile numbers, nesting and types end in a ValueError, at once."""

import json
import math
import random

import pytest

from nlhe_env.system.json_text import check_fields, parse_fields, parse_json

HOSTILE = {
    "nesting": "[" * 200_000,
    "closed nesting": "[" * 3_000 + "]" * 3_000,
    "nested objects": '{"a":' * 500 + "1" + "}" * 500,
    "digits": "9" * 401,
    "negative digits": "-" + "9" * 401,
    "more digits than Python converts": "9" * 6_000,
    "an infinite number": "1e999",
    "infinity": "-Infinity",
    "not a number": "NaN",
    "no text": "",
    "half": '{"a": [1,',
    "bytes of no encoding": b"\xff\xfe\xff{",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011  (each says what is wrong)
        parse_json(text)


def values(generator: random.Random, depth: int) -> object:
    """Any value of ordinary size."""
    kind = generator.randrange(8 if depth else 6)
    if kind == 6:
        return [values(generator, depth - 1) for _ in range(generator.randrange(4))]
    if kind == 7:
        return {str(i): values(generator, depth - 1) for i in range(generator.randrange(4))}
    return (None, True, "text", 10**299, -(2**64), generator.uniform(-1e300, 1e300))[kind]


def test_ordinary_values_are_read_exactly_and_are_floats_where_they_must_be():
    generator = random.Random(3)
    for _ in range(300):
        value = values(generator, 12)
        assert parse_json(json.dumps(value)) == value
    assert math.isfinite(float(parse_json("9" * 300)))
    assert parse_json("[NaN]", finite=False)[0] != parse_json("[NaN]", finite=False)[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", r"must be an object; got \[\]"),
        ("5", "must be an object"),
        ("{}", "has no size, name"),
        ('{"size": true, "name": "x"}', "size must be of type int; got True"),
        ('{"size": 1.0, "name": "x"}', "size must be of type int; got 1.0"),
        ('{"size": "1", "name": "x"}', "size must be of type int"),
        ('{"size": 1, "name": 5}', "name must be of type str or null; got 5"),
    ],
)
def test_fields_have_their_types(text, message):
    with pytest.raises(ValueError, match=message):
        parse_fields(text, {"size": int, "name": (str, type(None))})


def test_further_fields_are_kept():
    values = {"size": 3, "name": None, "more": [1]}
    assert check_fields(values, {"size": int, "name": (str, type(None))}) == values
