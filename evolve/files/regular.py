"""Reading of regular files only, so that pipes and devices never block."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def open_regular(path: Path) -> BinaryIO:
    """A regular file, open for reading.

    Raises:
        OSError: The file is missing or unreadable, or is a folder, a pipe, a socket or a device,
            which are not opened.
    """
    _check(path, os.stat(path))
    # It may have been replaced since, and opening a pipe would wait for its writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    try:
        _check(path, os.fstat(file.fileno()))
    except OSError:
        file.close()
        raise
    return file


def read_regular(path: Path) -> bytes:
    """The content of a regular file; errors as for ``open_regular``."""
    with open_regular(path) as file:
        return file.read()


def _check(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
