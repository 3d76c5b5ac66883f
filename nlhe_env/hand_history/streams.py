"""Files of hands, one hand after the other: of any size, of several formats, good and bad hands."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from nlhe_env.arguments import one_of
from nlhe_env.game.description import Game
from nlhe_env.hand_history import acpc_reader, phh_reader, stars_reader
from nlhe_env.hand_history.drafts import Draft, Read, play_drafts
from nlhe_env.hand_history.errors import HandHistoryError
from nlhe_env.hand_history.phh_fields import simple_fields
from nlhe_env.hand_history.record import Hand

FORMATS = ("phh", "pokerstars", "acpc")

Source: TypeAlias = str | os.PathLike[str] | Iterable[str]
"""The path of a file, or its lines."""

_MOST_LINES = 5_000  # of one hand
_LINES_TO_DETECT = 200
_BYTES_TO_DETECT = 2**16
_PHH_HEADER = re.compile(r"\s*\[[^\[\]=,]*\]\s*(?:#.*)?")
_PHH_FIELD = re.compile(r"\s*\[.*\]\s*|\s*[A-Za-z_]+\s*=.*")


def stream_hands(
    source: Source, *, format: str | None = None, game: Game | None = None, check: bool = True
) -> Iterator[Read]:
    """Read hands one by one: what can be read comes as a ``Hand``, the rest as errors.

    However large a file is, only some hundred hands are held in memory.

    Args:
        source: The path of a file, or its lines, such as an open file.
        format: ``"phh"`` (``.phh`` and ``.phhs`` files), ``"pokerstars"`` (text of PokerStars and
            GGPoker) or ``"acpc"`` (logs of the computer poker competition); found out by the first
            lines when not given.
        game: Stacks, blinds and betting of an ACPC log that does not say them.
        check: Play every hand by the rules; those that are not possible become errors.

    Yields:
        A hand, or a ``HandHistoryError`` with the line and the reason, not raised.

    Raises:
        ValueError: The format is unknown, or none of these.
        OSError: The file cannot be read.
    """
    if format is not None:
        one_of("format", format, FORMATS)
    if isinstance(source, (str, os.PathLike)):
        with open_hands(source) as lines:
            yield from _read(lines, format, game, check)
    else:
        yield from _read(source, format, game, check)


def open_hands(path: str | os.PathLike[str]) -> TextIO:
    """Open a file of hands as text: UTF-16 with a mark in front, UTF-8, or as old Windows wrote."""
    with Path(path).open("rb") as file:
        first = file.read(_BYTES_TO_DETECT)
    encoding = "utf-8-sig"
    if first.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    else:
        try:
            first[:-4].decode()
        except UnicodeDecodeError:
            encoding = "cp1252"
    return Path(path).open(encoding=encoding, errors="replace")


def _read(
    lines: Iterable[str], format: str | None, game: Game | None, check: bool
) -> Iterator[Read]:
    numbered: Iterator[tuple[int, str]] = enumerate(lines, 1)
    if format is None:
        first = list(islice(numbered, _LINES_TO_DETECT))
        format = detect_format([line for _, line in first])
        numbered = chain(first, numbered)
    if format == "acpc":
        yield from play_drafts(acpc_reader.read_lines(numbered, game, check=check), check=check)
    else:
        yield from play_drafts(_read_chunks(numbered, format, check), check=check)


def _read_chunks(
    numbered: Iterator[tuple[int, str]], format: str, check: bool
) -> Iterator[Draft | Read]:
    starts, read = _FORMATS[format]
    for chunk in _chunks(numbered, starts):
        if isinstance(chunk, HandHistoryError):
            yield chunk
            continue
        first_line, text = chunk
        try:
            hand = read(text, first_line, check)
        except HandHistoryError as error:
            yield error
        else:
            if hand is not None:
                yield hand


def detect_format(lines: Iterable[str]) -> str:
    """Which format some lines of a file are of, ``FORMATS``.

    Raises:
        ValueError: None of these.
    """
    for line in lines:
        if stars_reader.is_header(line):
            return "pokerstars"
        if acpc_reader.is_log_line(line):
            return "acpc"
        if _PHH_FIELD.fullmatch(line.rstrip("\n")):
            return "phh"
    raise ValueError(
        "this is not a file of hands: neither PHH nor text of PokerStars or GGPoker nor a log of "
        "the ACPC"
    )


def _chunks(
    numbered: Iterator[tuple[int, str]], starts: Callable[[str], bool]
) -> Iterator[tuple[int, list[str]] | HandHistoryError]:
    """The lines of each hand, with the number of the first."""
    first_line = 1
    chunk: list[str] = []
    too_long = False
    for number, line in numbered:
        if starts(line):
            if chunk and not too_long:
                yield first_line, chunk
            first_line, chunk, too_long = number, [], False
        if too_long:
            continue
        chunk.append(line)
        if len(chunk) > _MOST_LINES:
            yield HandHistoryError(first_line, f"a hand has at most {_MOST_LINES} lines")
            too_long = True
    if chunk and not too_long:
        yield first_line, chunk


def _starts_phh(line: str) -> bool:
    return line.lstrip().startswith("[") and _PHH_HEADER.fullmatch(line.rstrip("\n")) is not None


def _read_phh(lines: list[str], first_line: int, check: bool) -> Draft | Hand | None:
    body = lines
    if _starts_phh(lines[0]):
        body, first_line = lines[1:], first_line + 1
    fields: Mapping[str, Any] | None = simple_fields(body)
    text = "".join(body)
    if fields is None:
        try:
            (fields,) = phh_reader.read_tables(text).values()
        except HandHistoryError as error:
            line = min(error.line, len(body)) + first_line - 1
            raise HandHistoryError(line, error.reason) from None
    if not fields:
        return None  # what stands before the first header
    return phh_reader.read_table(fields, text, first_line=first_line, check=check)


_Reader: TypeAlias = Callable[[list[str], int, bool], Draft | Hand | None]
_FORMATS: dict[str, tuple[Callable[[str], bool], _Reader]] = {
    "phh": (_starts_phh, _read_phh),
    "pokerstars": (stars_reader.is_header, stars_reader.read_hand),
}
