"""Crash-safe files: atomic writes, validation on reading, and words for them in messages."""

from __future__ import annotations

import csv
import difflib
import hashlib
import io
import json
import math
import os
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from nlhe_env.arguments import shown
from nlhe_env.errors import DamagedFileError as DamagedFileError
from nlhe_env.jit.array_types import AnyArray
from nlhe_env.system.files import load_npz, read_regular, replacing
from nlhe_env.system.json_text import parse_json, typed_fields

_CHECKSUM = "sha256"
_MOST_LISTED = 20
"""Number of known words up to which a message lists all."""
_FORMULA = re.compile(r"[=+\-@\t\r](?![\d.]*$)")
"""Beginning of a formula in spreadsheets, but not of a number."""


Record = TypeVar("Record")


def write_whole(path: Path, content: bytes, *, sync: bool = True) -> None:
    """Write a file atomically: after any interruption it has its old or its new content.

    Args:
        path: The file.
        content: Its new content.
        sync: Wait until the content is on disk. Otherwise a power failure (but not the end of the
            process) may damage the file.

    Raises:
        OSError: Writing failed, for example on a full disk; the old content is kept.
    """
    with replacing(path, sync=sync) as file:
        file.write(content)


def write_arrays(path: Path, arrays: Mapping[str, AnyArray], *, sync: bool = True) -> None:
    """Writes arrays as an ``.npz`` with a checksum inside, without pickle.

    Equal arrays give equal bytes, because the archive has no timestamps. For ``sync`` see
    ``write_whole``.
    """
    checksum = np.frombuffer(_digest(arrays), np.uint8)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in {**arrays, _CHECKSUM: checksum}.items():
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            with archive.open(entry, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
    write_whole(path, buffer.getvalue(), sync=sync)


def read_arrays(path: Path) -> dict[str, AnyArray]:
    """Arrays written by ``write_arrays``.

    Raises:
        DamagedFileError: The file is not such an archive, or its checksum is wrong.
    """
    try:
        arrays = load_npz(path)
    except (OSError, ValueError) as error:
        raise DamagedFileError(str(error)) from error  # the message names the file
    written = arrays.pop(_CHECKSUM, np.zeros(0)).tobytes()
    if written != _digest(arrays):
        raise DamagedFileError(f"{path} is damaged: its checksum does not match")
    return arrays


def _digest(arrays: Mapping[str, AnyArray]) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.asarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape};".encode())
        digest.update(array.tobytes())
    return digest.digest()


def write_json(path: Path, value: object) -> None:
    """Writes a value as readable JSON."""
    write_whole(path, (json.dumps(value, indent=2) + "\n").encode())


def read_json(path: Path) -> Any:
    """The value of a JSON file.

    Raises:
        DamagedFileError: The file is missing or not JSON.
    """
    try:
        return parse_json(read_regular(path), finite=False)
    except (OSError, ValueError) as error:
        raise DamagedFileError(f"{path} cannot be read: {error}") from error


def read_record(kind: type[Record], value: Any) -> Record:
    """Dataclass from its fields in JSON.

    Args:
        kind: A dataclass whose fields are numbers, text, lists and dictionaries by name.
        value: A value from ``read_json``.

    Raises:
        ValueError: A field is missing, unknown or of another type.
    """
    if not isinstance(value, dict):
        raise ValueError(f"it must be an object; got {shown(value)}")
    try:
        return kind(**typed_fields(kind, value, sums=True, finite=False))
    except TypeError as error:
        raise ValueError(f"a field is missing: {error}") from None


def load_record(kind: type[Record], path: Path) -> Record | None:
    """Dataclass from a JSON file with its fields, see ``read_record``; None if there is no file.

    Raises:
        DamagedFileError: The file does not hold one.
    """
    if not path.exists():
        return None
    try:
        return read_record(kind, read_json(path))
    except ValueError as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from error


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes rows as ``csv_text``."""
    write_whole(path, csv_text(rows).encode())


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    r"""Rows as CSV with a header; missing values are empty cells.

    Text that a spreadsheet would take for a formula, such as the name of somebody else's player,
    gets an apostrophe in front.

    >>> csv_text([{"player": "=1+1", "place": -1.5}])
    "player,place\n'=1+1,-1.5\n"
    """
    columns = dict.fromkeys(key for row in rows for key in row)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_cell, columns))
    writer.writerows([_cell(row.get(key, "")) for key in columns] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def without_infinities(value: Any) -> Any:
    """The value with None in place of nan and infinite numbers.

    >>> without_infinities({"t": float("inf"), "places": [1.5, float("nan")]})
    {'t': None, 'places': [1.5, None]}
    """
    if isinstance(value, Mapping):
        return {key: without_infinities(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_infinities(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def append_line(path: Path, value: Mapping[str, Any], *, sync: bool = True) -> None:
    """Appends a JSON object as a line; for ``sync`` see ``write_whole``.

    Raises:
        OSError: Writing failed, and part of the line may be in the file, see ``mend_lines``; or the
            file is a symbolic link.
    """
    try:
        # A link in a folder from somebody else must not choose the file.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        flags |= getattr(os, "O_NOFOLLOW", 0)
        with open(os.open(path, flags, 0o666), "a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(value) + "\n")
            file.flush()
            if sync:
                os.fsync(file.fileno())
    except OSError as error:
        error.filename = str(path)
        raise


def read_lines(path: Path) -> list[Any]:
    """Values of a JSON Lines file; empty if there is no file.

    Raises:
        DamagedFileError: The file is unreadable, or a line is not JSON; the message has the line
            number.
    """
    if not path.exists():
        return []
    try:
        content = read_regular(path)
    except OSError as error:
        raise DamagedFileError(f"{path} cannot be read: {error}") from error
    values = []
    for number, line in enumerate(_lines_of(content), 1):
        try:
            values.append(parse_json(line, finite=False))
        except ValueError as error:
            raise DamagedFileError(f"{path} is damaged in line {number}: {error}") from error
    return values


def lines_so_far(path: Path) -> AnyArray:
    """The bytes of a JSON Lines file, for checkpoints; empty if there is no file."""
    return np.frombuffer(read_regular(path) if path.exists() else b"", np.uint8)


def damaged_line(path: Path, kept: AnyArray) -> int | None:
    """Number, from 1, of the first line that differs from a checkpoint.

    Args:
        path: The file, possibly with later lines.
        kept: Its ``lines_so_far`` at the checkpoint.

    Returns:
        The number; None if all lines are sound.
    """
    then, now = kept.tobytes(), lines_so_far(path).tobytes()
    if now.startswith(then):
        return None
    lines = _lines_of(now)
    pairs = enumerate(_lines_of(then))
    return next(i + 1 for i, line in pairs if i >= len(lines) or lines[i] != line)


def mend_lines(path: Path, kept: AnyArray, *, say: Callable[[str], None]) -> None:
    """Restores a JSON Lines file to its state at a checkpoint.

    Args:
        path: The file; later lines are cut off.
        kept: Its ``lines_so_far`` at the checkpoint.
        say: Called with a message about a changed or missing line.
    """
    damaged = damaged_line(path, kept)
    if damaged is not None:
        say(f"{path} is damaged in line {damaged}; repairing it with the lines in the checkpoint.")
    if lines_so_far(path).tobytes() != kept.tobytes():
        write_whole(path, kept.tobytes())


def keep_lines(path: Path, wanted: Callable[[Any], bool], *, say: Callable[[str], None]) -> None:
    """Filters the lines of a file without a checkpoint copy.

    Args:
        path: A JSON Lines file; need not exist.
        wanted: Predicate of the values to keep.
        say: Called with a message for every damaged line dropped; an incomplete last line is
            dropped silently.
    """
    content, kept = lines_so_far(path).tobytes(), []
    for number, line in enumerate(_lines_of(content), 1):
        try:
            stays = line.endswith(b"\n") and wanted(parse_json(line, finite=False))
        except (KeyError, TypeError, ValueError):
            say(f"{path} is damaged in line {number}, which is dropped.")
            continue
        if stays:
            kept.append(line)
    if b"".join(kept) != content:
        write_whole(path, b"".join(kept))


def _lines_of(content: bytes) -> list[bytes]:
    """Lines with their ends, split only at newlines, since damage may look like other line ends."""
    return [line for line in re.split(rb"(?<=\n)", content) if line]


def prefixed(name: str, arrays: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """Arrays of a part, with its name as a prefix."""
    return {f"{name}_{key}": array for key, array in arrays.items()}


def part(name: str, arrays: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """Arrays of a part, without the prefix.

    >>> import numpy as np
    >>> part("hall", {"hall_weights": np.arange(2), "seed": np.array(1)})
    {'weights': array([0, 1])}
    """
    begin = f"{name}_"
    return {
        key.removeprefix(begin): array for key, array in arrays.items() if key.startswith(begin)
    }


def nearest(word: str, words: Sequence[str]) -> str:
    """Ending of a message: the most similar known word, or all known words if they are few.

    >>> nearest("quik", ["quick", "small"])
    "; did you mean 'quick'?"
    """
    near = difflib.get_close_matches(word, words, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f" (there are: {', '.join(words)})" if len(words) <= _MOST_LISTED else ""


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
