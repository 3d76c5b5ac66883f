"""The strength tables on disk: built once, then opened as a read-only memory map.

All tables are one record in one ``.npy`` file, whose header names each field with its dtype and
shape; a later version can add fields. Opening verifies the version and the checksum of every byte.
The file is written under a temporary name and renamed, so that neither an interrupted build nor two
builds at once can leave a damaged one. Finished parts of an interrupted build are stored in the
neighbouring folder ``parts``, from which the next build continues. A checksum does not tell who
wrote a file: in a cache folder that users share, only tables of the user or of root are read.

The small preflop tables also ship with the package.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nlhe_env.equity.tables.build import PartsFolder, Progress, fill_tables
from nlhe_env.equity.tables.lookup import N_CHECKSUMS, TABLES, StrengthTables
from nlhe_env.equity.tables.suits import MAX_OPPONENTS, N_PREFLOP
from nlhe_env.errors import TableFileError
from nlhe_env.jit.array_types import Records
from nlhe_env.system.cores import n_cores
from nlhe_env.system.files import cache_folder, is_ours, replacing
from nlhe_env.system.threads import thread_map

VERSION = 2
"""Incremented on any change to the numbering of cells or the meaning of a number."""

PREFLOP_FILE = Path(__file__).with_name("preflop.npy")
PREFLOP = np.dtype(
    [
        ("win_or_tie_probabilities", np.float64, (N_PREFLOP, MAX_OPPONENTS)),
        ("hand_equities", np.float64, (N_PREFLOP, MAX_OPPONENTS)),
    ]
)
"""Layout of the preflop tables that ship with the package: one record."""

_PARTS = "parts"
_CHECKED_FROM = TABLES.fields["version"][1]  # type: ignore[index]

_opened: dict[Path, StrengthTables] = {}
_opening = threading.Lock()


def tables_file() -> Path:
    """Path of the strength tables in the cache folder.

    If others can write the usual folder, it is one of this user.
    """
    folder = cache_folder() / f"strength-v{VERSION}"
    with contextlib.suppress(OSError):  # there is none yet
        if not is_ours(folder.stat(), or_of_root=True):
            folder = folder.with_name(f"{folder.name}-{os.geteuid()}")
    return folder / "tables.npy"


def load_tables() -> StrengthTables:
    """Load the exact strength tables, or build them in a few seconds.

    Later calls in a process return the same tables. A damaged file is reported on standard error
    and rebuilt. Without write access to the cache folder, the tables stay in memory.
    """
    path = tables_file()
    with _opening:
        if path not in _opened:
            try:
                _opened[path] = open_tables(path)
            except FileNotFoundError:
                _opened[path] = _build_into(path)
            except TableFileError as error:
                _say(f"{error}; building it again")
                _opened[path] = _build_into(path)
        return _opened[path]


@functools.cache
def blank_tables() -> StrengthTables:
    """Zero tables for kernels of players that do not read them.

    They use no memory until read, and need not be built.
    """
    records = np.zeros(1, TABLES)
    records.setflags(write=False)
    tables: StrengthTables = records[0]
    return tables


def rebuild_tables() -> StrengthTables:
    """Rebuild the strength tables and return them."""
    path = tables_file()
    with _opening:
        PartsFolder(path.parent / _PARTS).remove()
        _opened[path] = _build_into(path)
        return _opened[path]


@functools.cache
def load_preflop() -> np.void:
    """The package's preflop tables, a record of ``PREFLOP``, if no others are needed."""
    records: Records = np.load(PREFLOP_FILE)
    records.setflags(write=False)
    tables: np.void = records[0]
    return tables


def open_tables(path: Path) -> StrengthTables:
    """The verified tables of a file, as a memory map.

    Raises:
        FileNotFoundError: There is no such file.
        TableFileError: The file is damaged or of another version, or others can write it.
    """
    try:
        if not all(is_ours(each.stat(), or_of_root=True) for each in (path, path.parent)):
            raise TableFileError(f"others can write the strength table file {path}")
        records = _mapped(path)
    except (FileNotFoundError, TableFileError):
        raise
    except Exception as error:  # a flipped bit in the header may raise any exception
        raise TableFileError(f"strength table file {path} is damaged ({error})") from error
    wrong = np.flatnonzero(records["checksums"][0] != _checksums(records))
    if wrong.size:
        raise TableFileError(
            f"strength table file {path} is damaged (wrong checksum in {wrong.size} of "
            f"{N_CHECKSUMS} parts, the first of them part {wrong[0] + 1})"
        )
    tables: StrengthTables = records[0]
    return tables


def _mapped(path: Path) -> Records:
    """Memory map of the records of a file, after a check of the header."""
    mapped = np.load(path, mmap_mode="r")
    if mapped.dtype.names is None or not {"version", "checksums"} <= set(mapped.dtype.names):
        raise TableFileError(f"strength table file {path} is damaged (no version in it)")
    version = int(mapped["version"].flat[0])
    if version != VERSION:
        raise TableFileError(
            f"strength table file {path} has version {version}, but this release reads version "
            f"{VERSION}"
        )
    if mapped.shape != (1,) or mapped.dtype != TABLES:
        raise TableFileError(f"strength table file {path} is damaged (unexpected fields)")
    records: Records = np.asarray(mapped).view(np.ndarray).view(TABLES)
    return records


def build_tables(
    *,
    n_threads: int | None = None,
    parts_folder: Path | None = None,
    progress: Progress = lambda _: None,
) -> Records:
    """The strength tables, built in memory.

    Args:
        n_threads: Number of threads, which does not affect the result; default: one per core.
        parts_folder: Folder of finished parts, from which an interrupted build resumes; it has all
            parts at the end. Default: none.
        progress: Callback with the finished share of the work, 0 to 1.

    Returns:
        ``(1,)`` records of dtype ``TABLES``.
    """
    records = np.zeros(1, TABLES)
    fill_tables(records[0], PartsFolder(parts_folder), n_threads=n_threads, progress=progress)
    records["version"] = VERSION
    records["checksums"] = _checksums(records)
    return records


def _checksums(records: Records) -> list[int]:
    """CRC-32 of equal parts of the data after the checksums, on all cores."""
    checked = records.view(np.uint8)[_CHECKED_FROM:]
    return list(thread_map(zlib.crc32, np.array_split(checked, N_CHECKSUMS), n_cores()))


def _build_into(path: Path) -> StrengthTables:
    folder = None
    with contextlib.suppress(OSError):  # without write access nothing is stored
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        if is_ours(path.parent.stat(), or_of_root=True):
            folder = path.parent / _PARTS
    with _shown_progress(f"Building exact strength tables in {path.parent}") as progress:
        records = build_tables(parts_folder=folder, progress=progress)
    try:
        _save(path, records)
        tables = open_tables(path)
    except (OSError, TableFileError) as error:  # a disk may store other bytes than written
        _say(f"cannot save the strength tables in {path} ({error}); using them from memory")
        records.setflags(write=False)
        in_memory: StrengthTables = records[0]
        return in_memory
    PartsFolder(folder).remove()
    return tables


def _save(path: Path, records: Records) -> None:
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    with replacing(path) as file:
        os.chmod(file.name, 0o644)
        np.save(file, records)


@contextlib.contextmanager
def _shown_progress(task: str) -> Iterator[Progress]:
    """Shows a transient progress bar on a terminal, else one line."""
    # Imported here because most processes build no tables.
    from rich.console import Console
    from rich.progress import Progress as ProgressBar

    console = Console(stderr=True)
    if not console.is_terminal:
        _say(f"{task[0].lower()}{task[1:]} (once, some seconds)")
        yield lambda _: None
        return
    with ProgressBar(console=console, transient=True) as bar:
        task_id = bar.add_task(task, total=1.0)
        yield lambda done: bar.update(task_id, completed=done)


def _say(line: str) -> None:
    print(f"nlhe-env: {line}", file=sys.stderr)
