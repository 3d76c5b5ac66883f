"""Splitting of PHH files into hands, which are read separately.

A line such as ``[1]`` begins a hand. So a damaged hand does not affect others, and numbers may
repeat, as in concatenated files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from nlhe_env.hand_history.chunks import chunks
from nlhe_env.hand_history.errors import HandHistoryError

_HEADER = re.compile(r"[ \t]*+\[[^\[\]=,]*+\][ \t]*+(?:#.*)?")
_VARIANT = re.compile(r"""[ \t]*+["']?variant["']?[ \t]*+=""")
_TEXT = re.compile(r"""'[^']*+'|"[^"]*+\"""")


class HandSection(NamedTuple):
    """Lines of one hand of a file."""

    first_line: int
    """Number of the first line."""
    lines: Sequence[str]
    """Lines without the header, each without its end."""

    def field(self, name: str) -> int:
        """Line of a field, or the first line if there is none."""
        pattern = re.compile(rf"""\s*+["']?{re.escape(name)}["']?\s*+=""")
        for number, line in enumerate(self.lines, self.first_line):
            if pattern.match(line):
                return number
        return self.first_line

    def action(self, i: int) -> int:
        """Line of the i-th string after ``actions =``."""
        first = self.field("actions")
        seen = -1
        for number, line in enumerate(self.lines[first - self.first_line :], first):
            seen += len(_TEXT.findall(line))
            if seen >= i:
                return number
        return first


def starts_hand(line: str) -> bool:
    """Whether a line is the header of a hand."""
    return line.lstrip(" \t")[:1] == "[" and _HEADER.fullmatch(line.rstrip("\r\n")) is not None


def sections(numbered: Iterable[tuple[int, str]]) -> Iterator[HandSection | HandHistoryError]:
    """Hands of numbered lines, with an error for a hand of too many lines.

    Text before the first header is a hand if it names a variant or nothing follows.
    """
    before: HandSection | None = None
    for chunk in chunks(numbered, starts_hand):
        if isinstance(chunk, HandHistoryError):
            yield chunk
            continue
        first_line, raw = chunk
        lines = [line.rstrip("\r\n") for line in raw]
        if starts_hand(lines[0]):
            before = None
            yield HandSection(first_line + 1, lines[1:])
        elif any(map(_VARIANT.match, lines)):
            yield HandSection(first_line, lines)
        elif not all(_says_nothing(line) for line in lines):
            before = HandSection(first_line, lines)
    if before is not None:
        yield before


def _says_nothing(line: str) -> bool:
    return line.lstrip(" \t")[:1] in ("", "#")
