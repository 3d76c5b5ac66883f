"""Streaming reader of hand files of any size, in several formats, with errors for invalid hands."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TextIO, TypeAlias

from nlhe_env.arguments import one_of
from nlhe_env.game.description import Game
from nlhe_env.hand_history import acpc_reader, phh_reader, stars_reader
from nlhe_env.hand_history.errors import HandHistoryError, NoHandHistoryError
from nlhe_env.hand_history.hand_builder import Batch, HandDraft, Read, batches, chunks
from nlhe_env.hand_history.record import Hand

FORMATS = ("phh", "pokerstars", "acpc")

Source: TypeAlias = str | os.PathLike[str] | Iterable[str]
"""The path of a file, or its lines."""

_SUFFIXES = (".phh", ".phhs", ".txt", ".log")
_LINES_TO_DETECT = 200
_BLOCK_BYTES = 2**16
_PHH_FIELD = re.compile(r"\s*\[.*\]\s*|\s*[A-Za-z_]+\s*=.*")


class HandStream(Iterator[Read]):
    """Stream of the hands of a file, see ``stream_hands``; also in batches.

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
        """Batches of the remaining hands, for processing many per call."""
        return self._batches


def stream_hands(
    source: Source, *, format: str | None = None, game: Game | None = None, check: bool = True
) -> Iterator[Read]:
    """Read hands one by one, with errors for unreadable hands.

    Only a few hundred hands are in memory at a time.

    Args:
        source: A file path, or lines, such as an open file.
        format: ``"phh"`` (``.phh`` and ``.phhs`` files), ``"pokerstars"`` (PokerStars and GGPoker
            text) or ``"acpc"`` (logs of the Annual Computer Poker Competition); default: detected
            from the first lines.
        game: Stacks, blinds and betting for an ACPC log without them.
        check: Replay every hand; impossible hands become errors.

    Returns:
        Iterator of hands, with ``HandHistoryError`` objects (line and reason) for invalid hands.
        The first iteration raises ``ValueError`` for an unknown format, and ``OSError`` for an
        unreadable file.

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


def stream_files(
    paths: Iterable[str | os.PathLike[str]], *, check: bool = True, file_as_event: bool = False
) -> Iterator[Read]:
    """The hands of several files as one stream; see ``stream_hands``.

    Args:
        paths: Hand files, or folders of hand files.
        check: See ``stream_hands``.
        file_as_event: Name the event of every hand after its file.

    Returns:
        See ``stream_hands``; with several files, the reason of an error ends with the file, and a
        file that is no hand history is an error, too.
    """
    files = list(hand_files(paths))
    return HandStream(batches(_read_files(files, check, file_as_event), check=check))


def _read_files(
    files: Sequence[Path], check: bool, file_as_event: bool
) -> Iterator[HandDraft | Read]:
    for path in files:
        with open_hands(path) as lines:
            found = _read(lines, None, None, check)
            if len(files) == 1 and not file_as_event:
                try:
                    yield from found
                except NoHandHistoryError as error:
                    raise NoHandHistoryError(f"{path}: {error.reason}") from error
                continue
            try:
                yield from _in_file(path, found, file_as_event)
            except NoHandHistoryError as error:
                yield NoHandHistoryError(f"{path}: {error.reason}")


def _in_file(
    path: Path, found: Iterable[HandDraft | Read], file_as_event: bool
) -> Iterator[HandDraft | Read]:
    """Hands of a file, with errors that name it, and with it as their event if wanted."""

    def alone(draft: HandDraft) -> Hand:
        try:
            return marked(draft.alone())
        except HandHistoryError as error:
            raise named(error) from None

    def named(error: HandHistoryError) -> HandHistoryError:
        return HandHistoryError(error.line, f"{error.reason} ({path})")

    def marked(hand: Hand) -> Hand:
        return replace(hand, event=str(path)) if file_as_event else hand

    for one in found:
        if isinstance(one, HandDraft):
            yield one._replace(hand=marked(one.hand), alone=partial(alone, one))
        else:
            yield named(one) if isinstance(one, HandHistoryError) else marked(one)


def hand_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """Hand files among the paths: named files, and files in folders by their endings."""
    for path in map(Path, paths):
        if path.is_dir():
            found = (file for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES)
            yield from sorted(file for file in found if file.is_file())
        else:
            yield path


def open_hands(path: str | os.PathLike[str]) -> TextIO:
    """Open a hand file as text: UTF-16 with a byte order mark, UTF-8, or Windows-1252."""
    with Path(path).open("rb") as file:
        encoding = encoding_of(iter(partial(file.read, _BLOCK_BYTES), b""))
    return Path(path).open(encoding=encoding, errors="replace")


def encoding_of(blocks: Iterable[bytes]) -> str:
    """Encoding of a hand file, from its bytes in blocks.

    All are read if they are UTF-8, since the first accent may come late.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()  # a cut off last character is no error
    for number, block in enumerate(blocks):
        if number == 0 and block.startswith((b"\xff\xfe", b"\xfe\xff")):
            return "utf-16"
        try:
            decoder.decode(block)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8-sig"


def _read(
    lines: Iterable[str], format: str | None, game: Game | None, check: bool
) -> Iterator[HandDraft | Read]:
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


def _read_texts(numbered: Iterator[tuple[int, str]], check: bool) -> Iterator[HandDraft | Read]:
    for chunk in chunks(numbered, stars_reader.is_header):
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
    """Detect the format of a file from some lines, one of ``FORMATS``.

    Raises:
        NoHandHistoryError: The lines have an unknown format.
    """
    for line in lines:
        if stars_reader.is_header(line):
            return "pokerstars"
        if acpc_reader.is_log_line(line):
            return "acpc"
        if _PHH_FIELD.fullmatch(line.rstrip("\n")):
            return "phh"
    raise NoHandHistoryError(
        "this is not a hand history: it is not PHH, PokerStars or GGPoker text, or an ACPC log"
    )
