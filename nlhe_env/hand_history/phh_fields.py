"""The fields of one hand in PHH, read line by line where that is enough.

Files of many hands hold simple lines alone: a name, and a number, a text, or a list of either.
These are read here several times as fast as by a parser of all of TOML.
"""

from __future__ import annotations

import re
from decimal import Decimal
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
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LINE.fullmatch(line.rstrip("\r\n"))
        if found is None or found[1] in fields:
            return None
        name, text = found[1], found[2]
        if name not in _WANTED:
            if text[-1:] in "[{,=" or '"""' in text or "'''" in text:  # goes on on the next line
                return None
            continue
        value = _value(text)
        if value is None:
            return None
        fields[name] = value
    return fields


def _value(text: str) -> Any:
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
