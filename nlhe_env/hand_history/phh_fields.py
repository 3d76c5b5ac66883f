"""Fields of one hand in PHH: TOML, read line by line if possible.

Files of many hands have only simple lines: a name and a number, a string, or a list of either.
These are read here several times as fast as by a full TOML parser, which reads the whole hand if
any line is not simple. Simple lines have the same meaning in both. All quantifiers are possessive
(``*+``), so the time is linear in the length of a line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from datetime import time
from decimal import Decimal
from functools import lru_cache
from typing import Any

from nlhe_env.hand_history.errors import HandHistoryError

_MOST_FIELDS = 100  # of a hand; the format has about forty

_NUMBER = r"-?(?:0|[1-9][0-9]{0,14}+)(?![0-9_eExob:-])(?:\.[0-9]++(?![0-9_eE]))?|inf"
_TEXT = r"""'[^'\x00-\x08\x0a-\x1f\x7f]*+'|"[^"\\\x00-\x08\x0a-\x1f\x7f]*+\""""
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?![.])"
_COMMENT = r"[ \t]*+(?:\#[^\x00-\x08\x0a-\x1f\x7f]*+)?"


def _list_of(item: str) -> str:
    return rf"\[[ \t]*+(?:(?:{item})[ \t]*+(?:,[ \t]*+(?:{item})[ \t]*+)*+,?[ \t]*+)?\]"


_VALUE = (
    rf"(?P<numbers>{_list_of(_NUMBER)})|(?P<texts>{_list_of(_TEXT)})|(?P<time>{_TIME})"
    rf"|(?P<number>{_NUMBER})|(?P<text>{_TEXT})|(?P<truth>true|false)"
)
_LINE = re.compile(rf"[ \t]*+(?P<name>[A-Za-z0-9_-]++)[ \t]*+=[ \t]*+(?:{_VALUE}){_COMMENT}")
_NOTHING = re.compile(_COMMENT)
_ONE_NUMBER, _ONE_TEXT = re.compile(_NUMBER), re.compile(_TEXT)

# The TOML reader stores every prefix of a dotted key, so a key of 20,000 parts takes 1.6 GB.
_DEEP_KEY = re.compile(
    r"""
    (?: ^ | (?<=[\s\[{,]) )
    (?: (?: [\w-]++ | "(?:[^"\\\n]|\\.)*+" | '[^'\n]*+' ) [ \t]*+ \. [ \t]*+ ){6}
    """,
    re.VERBOSE | re.MULTILINE,
)


def read_fields(lines: Sequence[str], first_line: int = 1) -> dict[str, Any]:
    """Fields of a hand as in TOML, with floats as ``Decimal``.

    Args:
        lines: Lines of one hand without its header, each without its end.
        first_line: Number of the first line.

    Raises:
        HandHistoryError: The lines are not TOML, or cannot be a hand history.
    """
    fields: dict[str, Any] = {}
    for line in lines:
        found = (_read_line if len(line) < _LONG else simple_line)(line)
        if found is None or found[0] in fields:
            return _parse("\n".join(lines), first_line)
        if found[0]:
            fields[found[0]] = found[1]
    return fields


def simple_line(line: str) -> tuple[str, Any] | None:
    """Name and value of a line; an empty name for a line without content, None if not simple."""
    name, _, text = line.partition(" = ")
    if text[:1] == "[" and name.isascii() and name.isidentifier():
        texts = _usual_texts(text)
        if texts is not None:
            return name, texts
    found = _LINE.fullmatch(line)
    if found is not None:
        return found["name"], _value(found)
    return ("", None) if _NOTHING.fullmatch(line) else None


_read_line = lru_cache(maxsize=4096)(simple_line)
_LONG = 200  # characters of a line that rarely repeats


def _usual_texts(text: str) -> list[str] | None:
    """A list of strings in the usual format; None for another format."""
    quote = text[1:2]
    if quote not in ("'", '"') or text[-2:] != quote + "]" or "\\" in text:
        return None
    texts = text[2:-2].split(f"{quote}, {quote}")
    if text.count(quote) != 2 * len(texts) or not text.isprintable() or len(text) < 4:
        return None
    return texts


def _value(found: re.Match[str]) -> Any:
    kind = found.lastgroup or ""
    text = found[kind]
    if kind == "numbers":
        return [_number(number) for number in _ONE_NUMBER.findall(text)]
    if kind == "texts":
        return [quoted[1:-1] for quoted in _ONE_TEXT.findall(text)]
    if kind == "number":
        return _number(text)
    if kind == "text":
        return text[1:-1]
    return time.fromisoformat(text) if kind == "time" else text == "true"


def _number(text: str) -> int | Decimal:
    return Decimal(text) if "." in text or text == "inf" else int(text)


def _parse(text: str, first_line: int) -> dict[str, Any]:
    """The fields, by a full TOML parser.

    Raises:
        HandHistoryError: See ``read_fields``.
    """
    deep = _DEEP_KEY.search(text)
    if deep is not None:
        line = text.count("\n", 0, deep.start()) + first_line
        raise HandHistoryError(line, "this is not a hand history: a key has too many parts")
    # Parsing is slow for texts that are not hands; these counts are fast.
    named = len(re.findall(r"""^[ \t]*+["']?variant""", text, re.MULTILINE))
    tables = len(re.findall(r"^[ \t]*+\[", text, re.MULTILINE))
    if text.count("=") > _MOST_FIELDS * (1 + min(named, 1)) or tables > _MOST_FIELDS:
        raise HandHistoryError(
            first_line, "this is not a hand history: most of it does not belong to a hand"
        )
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        line = int(at[1]) - 1 if at else text.count("\n")
        problem = re.sub(r"at line \d+, ", "at ", str(error))  # its line numbers start at this hand
        raise HandHistoryError(line + first_line, f"this is not TOML: {problem}") from None
    except RecursionError:
        problem = "this is not a hand history: it is nested too deeply"
        raise HandHistoryError(first_line, problem) from None
    except (ValueError, ArithmeticError) as error:
        raise HandHistoryError(first_line, f"a number in it cannot be read: {error}") from None
