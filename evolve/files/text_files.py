"""Words for messages."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


def nearest(word: str, words: Sequence[str]) -> str:
    """Ending of a message: the most similar known word, or all known words.

    >>> nearest("quik", ["quick", "small"])
    "; did you mean 'quick'?"
    """
    near = difflib.get_close_matches(word, words, n=1)
    return f"; did you mean {near[0]!r}?" if near else f" (there are: {', '.join(words)})"


def duration(seconds: float) -> str:
    """A time in words.

    >>> duration(59.7), duration(754), duration(7320)
    ('1 min 0 s', '12 min 34 s', '2 h 2 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, remaining = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {remaining} s"
    return f"{minutes // 60} h {minutes % 60} min"


def byte_count(count: int) -> str:
    """A number of bytes in words.

    >>> byte_count(825), byte_count(16 * 10**9), byte_count(6_600 * 10**9)
    ('825 B', '16 GB', '6.6 TB')
    """
    size, units = float(count), ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    while size >= 999.5 and len(units) > 1:
        size /= 1000
        units.pop(0)
    return f"{size:.2g} {units[0]}" if size < 99.5 else f"{size:,.0f} {units[0]}"
