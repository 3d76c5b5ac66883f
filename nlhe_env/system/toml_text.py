"""TOML from files that may hold anything."""

from __future__ import annotations

import re
import tomllib
from typing import Any

DEEP_KEY = re.compile(
    r"""
    (?: ^ | (?<=[\s\[{,]) )
    (?: (?: [\w-]++ | "(?:[^"\\\n]|\\.)*+" | '[^'\n]*+' ) [ \t]*+ \. [ \t]*+ ){6}
    """,
    re.VERBOSE | re.MULTILINE,
)
"""A dotted key of more than six parts.

The TOML reader stores every prefix of a dotted key, so a key of 20,000 parts takes 1.6 GB.
"""


def parse_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text.

    Raises:
        ValueError: It is not TOML, is nested too deeply, or has a key of more than six parts.

    >>> parse_toml("a.b = 1")
    {'a': {'b': 1}}
    """
    if DEEP_KEY.search(text):
        raise ValueError("a key has too many parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
