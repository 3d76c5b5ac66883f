"""Atomic file writes, reading of regular files only, and the folder of the caches."""

from __future__ import annotations

import contextlib
import errno
import functools
import glob
import os
import secrets
import socket
import stat
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import platformdirs

_ABANDONED_S = 3600.0
"""Age after which an unchanged temporary file counts as abandoned."""


@contextlib.contextmanager
def replacing(path: Path, *, sync: bool = True, through: bool = False) -> Iterator[BinaryIO]:
    """Context manager for a new file that replaces ``path`` at the end of the block.

    Until then ``path`` has its old content, even after a crash. The new file has a unique temporary
    name, so several processes can write the same file at once. The next write removes the temporary
    files of killed processes.

    Args:
        path: The file.
        sync: Wait until the content is on disk. Otherwise a power failure (but not the end of the
            process) may damage the file.
        through: Replace the file that a symbolic link names, and write to a device or a pipe. For
            files that the user names: a link in a folder of another user, where the program
            chooses the names, must not choose files, and is replaced itself.

    Raises:
        OSError: Writing failed, for example on a full disk; its ``filename`` is ``path``.
    """
    if through and path.exists() and not path.is_file():
        try:
            with open(path, "wb") as file:
                yield file
        except OSError as error:
            error.filename = str(path)
            raise
        return
    path = Path(os.path.realpath(path)) if through and path.is_symlink() else path
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
        with contextlib.suppress(OSError):
            if _is_abandoned(leftover):
                leftover.unlink()
    owner = f"{os.getpid()}-{_machine()}-{secrets.token_hex(3)}"
    temporary = path.with_name(f".{path.name}.{owner}.tmp")
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
    process, machine, *_ = (*leftover.name.split(".")[-2].split("-"), "")
    if os.name != "posix" or machine != _machine() or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # another user's
    return False


@functools.cache
def _machine() -> str:
    """Token of the processes whose ids this process can look up."""
    namespace = 0
    with contextlib.suppress(OSError):  # containers on one machine can have one host name
        namespace = os.stat("/proc/self/ns/pid").st_ino
    return f"{zlib.crc32(f'{socket.gethostname()} {namespace}'.encode()):08x}"


def open_regular(path: Path) -> BinaryIO:
    """A regular file, open for reading, so that pipes and devices never block.

    Raises:
        OSError: The file is missing or unreadable, or is a folder, a pipe, a socket or a device,
            which are not opened.
    """
    _check_regular(path, os.stat(path))
    # It may have been replaced since, and opening a pipe would wait for its writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    try:
        _check_regular(path, os.fstat(file.fileno()))
    except OSError:
        file.close()
        raise
    return file


def read_regular(path: Path) -> bytes:
    """The content of a regular file; errors as for ``open_regular``."""
    with open_regular(path) as file:
        return file.read()


def _check_regular(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))


_ZIP = b"PK"
"""First bytes of archives, with files in them or without."""
_UNPACKED_BYTES, _UNPACKED_RATIO = 2**26, 256
"""Bytes that any archive may unpack to, and how many times its size a larger one may. Strategies
are stored at 2 to 50 times, zeros alone at 1,000 times."""


def load_npz(path: Path) -> dict[str, npt.NDArray[Any]]:
    """All arrays of an ``.npz`` file.

    Raises:
        OSError: The file is missing, unreadable or not a regular file.
        ValueError: The file is damaged, has another format, or would unpack to far more than its
            size.
    """
    with open_regular(path) as file:
        if file.read(len(_ZIP)) != _ZIP:
            raise ValueError(f"{path} is damaged, or not an .npz file")
        most = max(_UNPACKED_BYTES, _UNPACKED_RATIO * os.fstat(file.fileno()).st_size)
        try:
            # Members are read up to the size in this list, whatever they hold.
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
            if not all(member.filename.endswith(".npy") for member in members):
                raise ValueError("it holds other things than arrays")
            size = sum(member.file_size for member in members)
            if size > most:
                raise ValueError(f"it would unpack to {size:,} bytes; allowed are {most:,}")
            file.seek(0)
            with np.load(file, allow_pickle=False) as arrays:
                found = {name: arrays[name] for name in arrays.files}
            if not all(isinstance(array, np.ndarray) for array in found.values()):
                raise ValueError("it holds other things than arrays")
            return found
        # A flipped bit can request an encrypted archive, an unknown compression, an invalid header
        # or too much memory, so every error here means damage.
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise ValueError(f"{path} is damaged ({what:.200})") from error


def cache_folder() -> Path:
    """The folder of strength tables and compiled kernels.

    ``NLHE_ENV_CACHE`` overrides the operating system's cache folder of the user.
    """
    chosen = os.environ.get("NLHE_ENV_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("nlhe-env"))


def is_ours(found: os.stat_result, *, or_of_root: bool = False) -> bool:
    """Whether a file or folder belongs to this user and is not writable by others.

    Args:
        found: Its status.
        or_of_root: Whether it may belong to the administrator as well.
    """
    if not hasattr(os, "geteuid"):  # Windows: the cache folder is in the user's profile
        return True
    owners = (os.geteuid(), 0) if or_of_root else (os.geteuid(),)
    return found.st_uid in owners and not found.st_mode & 0o022
