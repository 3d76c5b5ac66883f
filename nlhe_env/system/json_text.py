"""JSON from files and servers that may hold anything, and for pages whose server must not wait."""

from __future__ import annotations

import json
import math
import types
from collections.abc import Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

from nlhe_env.arguments import shown, whole_number

_MOST_DIGITS = 300
"""Digits of a whole number; every one of them is also a float. Sums in leagues have up to 60."""

_MOST_DEPTH = 100
"""Levels of nesting, few enough for recursive functions."""

Types = type | tuple[type, ...]


def as_json(value: Mapping[str, Any]) -> str:
    """JSON text of an object.

    ``json.dumps`` blocks all other Python threads; here it serialises one member, or one element of
    a list, at a time.

    >>> as_json({"title": "x", "hands": [1, {"pot": None}]})
    '{"title": "x", "hands": [1, {"pot": null}]}'
    """
    members = (f"{json.dumps(name)}: {_text(member)}" for name, member in value.items())
    return f"{{{', '.join(members)}}}"


def _text(member: Any) -> str:
    if isinstance(member, dict) and all(isinstance(name, str) for name in member):
        return as_json(member)
    if isinstance(member, list):
        return f"[{', '.join([json.dumps(element) for element in member])}]"
    return json.dumps(member)


def parse_json(text: str | bytes, *, finite: bool = True) -> Any:
    """The value of a JSON text.

    Args:
        text: The text.
        finite: Whether numbers must be finite.

    Raises:
        ValueError: It is not JSON, is nested too deeply, or has a number that is too large or, if
            asked for, not finite.

    >>> parse_json("[1, 2.5]")
    [1, 2.5]
    """
    numbers: dict[str, Any] = {"parse_int": _whole}
    if finite:
        numbers |= {"parse_float": _finite, "parse_constant": _finite}
    try:
        found = json.loads(text, **numbers)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    level = [found]
    for _ in range(_MOST_DEPTH):
        level = [each for each in level if isinstance(each, (dict, list))]
        if not level:
            return found
        level = [v for each in level for v in (each.values() if isinstance(each, dict) else each)]
    raise ValueError("it is nested too deeply")


def parse_fields(text: str | bytes, fields: Mapping[str, Types]) -> dict[str, Any]:
    """The fields of a JSON object.

    Args:
        text: The text.
        fields: Type, or types, of each required field; a boolean is not a number.

    Raises:
        ValueError: It is not JSON or not an object, or a field is missing or of another type.
    """
    found = parse_json(text)
    if not isinstance(found, dict):
        raise ValueError(f"it must be an object; got {shown(found)}")
    return check_fields(found, fields)


def check_fields(values: dict[str, Any], fields: Mapping[str, Types]) -> dict[str, Any]:
    """Return an object's values if it has these fields, of these types.

    Raises:
        ValueError: A field is missing or of another type; the message names it.
    """
    if missing := [name for name in fields if name not in values]:
        raise ValueError(f"it has no {', '.join(missing)}")
    for name, allowed in fields.items():
        types = allowed if isinstance(allowed, tuple) else (allowed,)
        value = values[name]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            wanted = " or ".join("null" if each is type(None) else each.__name__ for each in types)
            raise ValueError(f"{name} must be of type {wanted}; got {shown(value)}")
    return values


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"it has a number of {len(digits)} digits")
    return int(digits)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"its numbers must be finite; got {text:.40}")
    return number


_MOST = 2**63 - 1
_MOST_SUM = 10**60
"""Limit of sums, whose means are computed as floats."""
_LONGEST = 10_000
"""Maximum length of a text."""


def typed_fields(
    kind: type, values: Mapping[str, Any], *, sums: bool = False, finite: bool = True
) -> dict[str, Any]:
    """The values of a JSON object, as arguments of a dataclass.

    Whole numbers must not be negative, and texts have a limited length.

    Args:
        kind: The dataclass. Fields of other types than JSON has are not checked.
        values: Values by field; missing ones have defaults.
        sums: Whether whole numbers are sums, which may be negative and large.
        finite: Whether numbers must be finite.

    Raises:
        ValueError: A field is unknown, or its value has another type; the message names it.
    """
    hints = get_type_hints(kind)
    for name, value in values.items():
        if name not in hints:
            raise ValueError(f"{shown(name)} is not a known field")
        _check(name, value, hints[name], sums, finite)
    return dict(values)


def _check(name: str, value: Any, hint: Any, sums: bool, finite: bool) -> None:
    kind, kinds = get_origin(hint), get_args(hint)
    if kind in (Union, types.UnionType):
        if value is None and type(None) in kinds:
            return
        hint = next(each for each in kinds if each is not type(None))
        kind, kinds = get_origin(hint), get_args(hint)
    if hint is int:
        least, most = (-_MOST_SUM, _MOST_SUM) if sums else (0, _MOST)
        whole_number(name, value, least=least, most=most)
    elif hint is bool:
        _require(isinstance(value, bool), name, value, "true or false")
    elif hint is float:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        _require(is_number, name, value, "a number")
        _require(not finite or abs(value) < 1e300, name, value, "a finite number")
    elif hint is str:
        _require(isinstance(value, str) and len(value) < _LONGEST, name, value, "a text")
    elif kind is list:
        _require(isinstance(value, list), name, value, "a list")
        for each in value:
            _check(name, each, kinds[0], sums, finite)
    elif kind is dict:
        _require(isinstance(value, dict), name, value, "an object")
        for each in value.values():
            _check(name, each, kinds[1], sums, finite)


def _require(holds: bool, name: str, value: Any, what: str) -> None:
    if not holds:
        raise ValueError(f"{name} must be {what}; got {shown(value)}")
