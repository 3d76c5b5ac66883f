"""Streaming reader of files of hands: of any size, of several formats, good and bad hands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TextIO, TypeAlias

from nlhe_env.arguments import one_of
from nlhe_env.game.description import Game
from nlhe_env.hand_history import acpc_reader, phh_reader, stars_header, stars_reader
from nlhe_env.hand_history.chunks import chunks
from nlhe_env.hand_history.errors import HandHistoryError
from nlhe_env.hand_history.hand_builder import Batch, Draft, Read, batches
from nlhe_env.hand_history.record import Hand

FORMATS = ("phh", "pokerstars", "acpc")

Source: TypeAlias = str | os.PathLike[str] | Iterable[str]
"""The path of a file, or its lines."""

_SUFFIXES = (".phh", ".phhs", ".txt", ".log")
_LINES_TO_DETECT = 200
_BYTES_TO_DETECT = 2**16
_PHH_FIELD = re.compile(r"\s*\[.*\]\s*|\s*[A-Za-z_]+\s*=.*")


class HandStream(Iterator[Read]):
    """Hands of a file, one by one, see ``stream_hands``, or many at a time.

    Args:
        batches: Iterator that reads the batches.
    """

    def __init__(self, batches: Iterator[Batch]) -> None:
        self._batches = batches
        self._reads: Iterator[Read] = iter(())

    def __next__(self) -> Read:
        while True:
            for read in self._reads:
                return read
            self._reads = iter(next(self._batches).reads())

    def batches(self) -> Iterator[Batch]:
        """Batches of the hands that are still to come, to process many in one call."""
        return self._batches


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

    Returns:
        An iterator: a hand each time, or a ``HandHistoryError`` with the line and the reason, not
        raised. With the first hand it raises a ``ValueError`` where the file is none of these, and
        an ``OSError`` where it cannot be read.

    Raises:
        ValueError: The format is unknown.
    """
    if format is not None:
        one_of("format", format, FORMATS)
    return HandStream(_batches(source, format, game, check))


def _batches(source: Source, format: str | None, game: Game | None, check: bool) -> Iterator[Batch]:
    if isinstance(source, (str, os.PathLike)):
        with open_hands(source) as lines:
            yield from batches(_read(lines, format, game, check), check=check)
    else:
        yield from batches(_read(source, format, game, check), check=check)


def stream_files(paths: Iterable[str | os.PathLike[str]], *, check: bool = True) -> Iterator[Read]:
    """The hands of several files as one stream; see ``stream_hands``.

    Args:
        paths: Files, or folders with files of hands in them.
        check: See ``stream_hands``.

    Returns:
        See ``stream_hands``; with several files, the reason of an error ends with the file.
    """
    files = list(hand_files(paths))
    return HandStream(batches(_read_files(files, check), check=check))


def _read_files(files: Sequence[Path], check: bool) -> Iterator[Draft | Read]:
    for path in files:
        with open_hands(path) as lines:
            found = _read(lines, None, None, check)
            yield from found if len(files) == 1 else _in_file(path, found)


def _in_file(path: Path, found: Iterable[Draft | Read]) -> Iterator[Draft | Read]:
    """Batches of a file, with errors that name it."""

    def alone(draft: Draft) -> Hand:
        try:
            return draft.alone()
        except HandHistoryError as error:
            raise named(error) from None

    def named(error: HandHistoryError) -> HandHistoryError:
        return HandHistoryError(error.line, f"{error.reason} ({path})")

    for one in found:
        if isinstance(one, Draft):
            yield one._replace(alone=partial(alone, one))
        else:
            yield named(one) if isinstance(one, HandHistoryError) else one


def hand_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """Files of hands among paths: the files named, and those in folders, by their endings."""
    for path in map(Path, paths):
        if path.is_dir():
            found = (file for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES)
            yield from sorted(file for file in found if file.is_file())
        else:
            yield path


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
) -> Iterator[Draft | Read]:
    numbered: Iterator[tuple[int, str]] = enumerate(lines, 1)
    if format is None:
        first = list(islice(numbered, _LINES_TO_DETECT))
        format = detect_format([line for _, line in first])
        numbered = chain(first, numbered)
    if format == "acpc":
        yield from acpc_reader.read_lines(numbered, game, check=check)
    elif format == "phh":
        yield from phh_reader.read_lines(numbered, check=check)
    else:
        yield from _read_texts(numbered, check)


def _read_texts(numbered: Iterator[tuple[int, str]], check: bool) -> Iterator[Draft | Read]:
    for chunk in chunks(numbered, stars_header.is_header):
        if isinstance(chunk, HandHistoryError):
            yield chunk
            continue
        first_line, text = chunk
        try:
            hand = stars_reader.read_hand(text, first_line, check)
        except HandHistoryError as error:
            yield error
        else:
            if hand is not None:
                yield hand


def detect_format(lines: Iterable[str]) -> str:
    """Format of some lines of a file, one of ``FORMATS``.

    Raises:
        ValueError: The lines are of none of these.
    """
    for line in lines:
        if stars_header.is_header(line):
            return "pokerstars"
        if acpc_reader.is_log_line(line):
            return "acpc"
        if _PHH_FIELD.fullmatch(line.rstrip("\n")):
            return "phh"
    raise ValueError(
        "this is not a file of hands: neither PHH nor text of PokerStars or GGPoker nor a log of "
        "the ACPC"
    )
