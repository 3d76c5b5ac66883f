"""The fields of one hand in PHH, read line by line where that is enough.

Files of many hands hold simple lines alone: a name, and a number, a text, or a list of either.
These are read here several times as fast as by a parser of all of TOML.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Any

# What a hand is made of; the others (day, city, author ...) are not looked at.
_WANTED = frozenset(
    (
        "variant",
        "_betting",
        "ante_trimming_status",
        "antes",
        "_ante",
        "blinds_or_straddles",
        "min_bet",
        "small_bet",
        "big_bet",
        "_max_bets",
        "starting_stacks",
        "finishing_stacks",
        "winnings",
        "actions",
        "players",
        "seats",
        "seat_count",
        "hand",
        "level",
        "_second_board",
        "_unit",
    )
)
_LINE = re.compile(r"[ \t]*([A-Za-z_]+)[ \t]*=[ \t]*(.*?)[ \t]*(?:#[^'\"]*)?")
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,6})?")
_NUMBERS = re.compile(rf"\[[ \t]*(?:{_NUMBER.pattern}[ \t]*,?[ \t]*)*\]")
_TEXT = re.compile(r"""'([^'"\\]*)'|"([^'"\\]*)\"""")
_TEXTS = re.compile(r"""\[[ \t]*(?:(?:'[^'"\\]*'|"[^'"\\]*")[ \t]*,?[ \t]*)*\]""")


def simple_fields(lines: list[str]) -> dict[str, Any] | None:
    """The fields of a hand, or None if its lines are not all simple.

    Args:
        lines: Of one hand, its header left out.
    """
    fields: dict[str, Any] = {}
    for line in lines:
        read = _read_line if len(line) < _LONG else _parse_line
        found = read(line)
        if found is None or found[0] in fields:
            return None
        if found[0]:
            fields[found[0]] = found[1]
    return fields


def _parse_line(line: str) -> tuple[str, Any] | None:
    """Name and value; no name where nothing is said that is wanted; None if it is not simple."""
    if not line.strip() or line.lstrip().startswith("#"):
        return "", None
    name, _, text = line.partition(" = ")
    if name in _WANTED and "#" not in text:
        text = text.strip()
    else:
        found = _LINE.fullmatch(line.rstrip("\r\n"))
        if found is None:
            return None
        name, text = found[1], found[2]
    if name not in _WANTED:
        if text[-1:] in "[{,=" or '"""' in text or "'''" in text:  # goes on on the next line
            return None
        return "", None
    value = _value(text)
    return None if value is None else (name, value)


_read_line = lru_cache(maxsize=4096)(_parse_line)
_LONG = 200  # characters of a line that hardly comes twice


def _value(text: str) -> Any:
    quote = text[1:2]
    if text[:1] == "[" and text[-1:] == "]" and quote in ("'", '"') and "\\" not in text:
        parts = text[2:-2].split(f"{quote}, {quote}")  # as files mostly have it
        if text[-2] == quote and text.count(quote) == 2 * len(parts):
            return parts
    if _NUMBERS.fullmatch(text):
        return [_number(number) for number in _NUMBER.findall(text)]
    if _TEXTS.fullmatch(text):
        return [single or double for single, double in _TEXT.findall(text)]
    if _NUMBER.fullmatch(text):
        return _number(text)
    found = _TEXT.fullmatch(text)
    if found is not None:
        return found[1] or found[2] or ""
    return {"true": True, "false": False}.get(text)


def _number(text: str) -> int | Decimal:
    return Decimal(text) if "." in text else int(text)
