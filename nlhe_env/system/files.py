"""Atomic file writes, and validated reading of array files."""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

_ABANDONED_S = 3600.0
"""Age after which an unchanged temporary file counts as abandoned."""


@contextlib.contextmanager
def replacing(path: Path, *, sync: bool = True) -> Iterator[BinaryIO]:
    """Context manager for a new file that replaces ``path`` at the end of the block.

    Until then ``path`` has its old content, even after a crash. The new file has a unique temporary
    name, so several processes can write the same file at once. The next write removes the temporary
    files of killed processes.

    Args:
        path: The file.
        sync: Wait until the content is on disk. Otherwise a power failure (but not the end of the
            process) may damage the file.

    Raises:
        OSError: Writing failed, for example on a full disk; its ``filename`` is ``path``.
    """
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
        with contextlib.suppress(OSError):
            if _is_abandoned(leftover):
                leftover.unlink()
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(3)}.tmp")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        error.filename = str(path)  # a failed write does not include it
        raise
    finally:
        with contextlib.suppress(OSError):  # frees space on a full disk
            temporary.unlink(missing_ok=True)


def _is_abandoned(leftover: Path) -> bool:
    """Whether the process writing a file is gone."""
    if time.time() - leftover.stat().st_mtime > _ABANDONED_S:
        return True
    owner = leftover.name.split(".")[-2].partition("-")[0]
    if os.name != "posix" or not owner.isdecimal():
        return False
    try:
        os.kill(int(owner), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # another user's
    return False


_ZIP = b"PK"
"""First bytes of archives, with files in them or without."""


def load_npz(path: Path) -> dict[str, npt.NDArray[Any]]:
    """All arrays of an ``.npz`` file.

    Raises:
        OSError: The file is missing or unreadable.
        ValueError: The file is damaged or has another format.
    """
    with path.open("rb") as file:
        if file.read(len(_ZIP)) != _ZIP:
            raise ValueError(f"{path} is damaged, or not an .npz file")
        file.seek(0)
        try:
            with np.load(file, allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        # A flipped bit can request an encrypted archive, an unknown compression, an invalid header
        # or too much memory, so every error here means damage.
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise ValueError(f"{path} is damaged ({what:.200})") from error
