"""The strength tables on disk: built once, then opened as a read-only memory map.

All tables are one record in one ``.npy`` file, whose header names each field with its dtype and
shape; a later version can add fields. Opening verifies the version and the checksum of every byte:
reading 72 MB once takes some 15 ms. The file is written under a temporary name and renamed, so that
neither an interrupted build nor two builds at once can leave a damaged one.

The small preflop table also ships with the package.
"""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import sys
import threading
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from nlhe_env._cores import n_cores
from nlhe_env._paths import cache_folder
from nlhe_env._types import F64, Records
from nlhe_env.equity.build import (
    Progress,
    build_river,
    flop_chances,
    preflop_chances,
    sum_flops,
    win_powers,
)
from nlhe_env.equity.cells import binomials, set_numbers
from nlhe_env.equity.lookup import TABLES, StrengthTables
from nlhe_env.equity.suits import number_flops
from nlhe_env.errors import TableFileError

VERSION = 1
"""Grows whenever the numbering of cells or the meaning of a number changes."""

PREFLOP_FILE = Path(__file__).with_name("preflop.npy")
_CHECKED_FROM = TABLES.fields["version"][1]  # type: ignore[index]

_opened: dict[Path, StrengthTables] = {}
_opening = threading.Lock()


def tables_file() -> Path:
    """The file of the strength tables, in the user's cache folder."""
    return cache_folder() / f"strength-v{VERSION}" / "tables.npy"


def load_tables() -> StrengthTables:
    """The exact strength tables: from disk, or built in some seconds where there are none.

    Later calls in one process return the same tables. A damaged file is reported in one line on
    standard error and built again; where the cache folder cannot be written, the tables stay in
    memory.
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
    """Tables of zeros for kernels whose players do not look at them.

    They take no memory until somebody reads them, and need not be built.
    """
    records = np.zeros(1, TABLES)
    records.setflags(write=False)
    tables: StrengthTables = records[0]
    return tables


def rebuild_tables() -> StrengthTables:
    """Build the strength tables anew, whatever is on disk, and return them."""
    path = tables_file()
    with _opening:
        _opened[path] = _build_into(path)
        return _opened[path]


@functools.cache
def load_preflop() -> F64:
    """``(169, 9)`` preflop table of the package, for those who need no other."""
    table: F64 = np.load(PREFLOP_FILE)
    table.setflags(write=False)
    return table


def open_tables(path: Path) -> StrengthTables:
    """The verified tables of a file, as a memory map.

    Raises:
        FileNotFoundError: There is no such file.
        TableFileError: It is damaged or of another version.
    """
    try:
        mapped = np.load(path, mmap_mode="r")
    except FileNotFoundError:
        raise
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise TableFileError(f"strength table file {path} is damaged ({error})") from error
    if mapped.dtype.names is None or not {"version", "checksum"} <= set(mapped.dtype.names):
        raise TableFileError(f"strength table file {path} is damaged (no version in it)")
    version = int(mapped["version"].flat[0])
    if version != VERSION:
        raise TableFileError(
            f"strength table file {path} is of version {version}, this is version {VERSION}"
        )
    if mapped.shape != (1,) or mapped.dtype != TABLES:
        raise TableFileError(f"strength table file {path} is damaged (other fields)")
    records: Records = np.asarray(mapped).view(np.ndarray).view(TABLES)
    if records["checksum"][0] != _checksum(records):
        raise TableFileError(f"strength table file {path} is damaged (wrong checksum)")
    tables: StrengthTables = records[0]
    return tables


def build_tables(*, n_threads: int | None = None, progress: Progress = lambda _: None) -> Records:
    """The strength tables, built from nothing in memory.

    Args:
        n_threads: Threads to build with; by default one for each core. The bytes do not depend
            on it.
        progress: Called now and then with the share of the work done, 0 to 1.

    Returns:
        ``(1,)`` records of dtype ``TABLES``.
    """
    records = np.zeros(1, TABLES)
    tables = records[0]
    numbering = number_flops()
    # The flop table takes about four times as long as the river's.
    with ThreadPoolExecutor(n_threads or n_cores()) as executor:
        river = build_river(executor, lambda done: progress(0.2 * done))
        sums = sum_flops(numbering, river, executor, lambda done: progress(0.2 + 0.8 * done))
    tables["version"] = VERSION
    tables["preflop"] = preflop_chances(numbering, sums)
    tables["flop"] = flop_chances(sums)
    tables["flops"] = numbering.flops
    tables["hole_columns"] = numbering.hole_columns
    tables["river"] = river
    tables["set_numbers"] = set_numbers()
    tables["binomials"] = binomials()
    tables["powers"] = win_powers()
    tables["checksum"] = _checksum(records)
    return records


def _checksum(records: Records) -> int:
    return zlib.crc32(records.view(np.uint8)[_CHECKED_FROM:].data)


def _build_into(path: Path) -> StrengthTables:
    with _shown_progress(f"Building exact strength tables in {path.parent}") as progress:
        records = build_tables(progress=progress)
    try:
        _save(path, records)
    except OSError as error:
        _say(f"cannot keep the strength tables in {path} ({error}); using them from memory")
        records.setflags(write=False)
        tables: StrengthTables = records[0]
        return tables
    return open_tables(path)


def _save(path: Path, records: Records) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(temporary, "xb") as file:
            np.save(file, records)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def _shown_progress(task: str) -> Iterator[Progress]:
    """Shows a bar that vanishes on a terminal, else one line."""
    # Imported here because most processes build nothing.
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
