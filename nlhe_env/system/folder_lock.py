"""Locks that let only one process write to a folder.

The operating system ties the lock to the open file and releases it when the process dies in any
way, so a dead owner's lock never blocks.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from nlhe_env.system.files import read_regular
from nlhe_env.system.json_text import parse_json

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK_FILE = ".lock"

_held = threading.local()
_TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


class FolderInUseError(RuntimeError):
    """Another process writes to this folder."""


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Locks a folder for this process until the block ends.

    The lock is reentrant within a thread.

    Args:
        folder: An existing writable folder. The lock is its file ``.lock``, which names the owner
            and is removed at the end.

    Raises:
        FolderInUseError: Another process or thread holds the lock; the message says which.
        OSError: The lock file cannot be created, or is a symbolic link.
    """
    path = folder.resolve() / LOCK_FILE
    mine: set[Path] = _held.__dict__.setdefault("paths", set())
    if path in mine:
        yield
        return
    lock = _take(path)
    mine.add(path)
    try:
        owner = {"pid": os.getpid(), "host": socket.gethostname(), "since": time.time()}
        os.ftruncate(lock, 0)
        os.write(lock, json.dumps(owner).encode())
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()  # before the release, so that waiting processes find it removed
        os.close(lock)
        mine.discard(path)


def _take(path: Path) -> int:
    """Descriptor of the locked file."""
    while True:
        # A link, for example in a folder from somebody else, could name any file of this user.
        lock = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        try:
            _lock(lock)
            if _is_still(lock, path):
                return lock
        except OSError as error:
            os.close(lock)
            if error.errno in _TAKEN:
                raise FolderInUseError(_who_has(path)) from None
            raise
        os.close(lock)  # its owner has just removed it: try again


def _lock(lock: int) -> None:
    if sys.platform == "win32":
        os.lseek(lock, 2**20, os.SEEK_SET)  # after the text, which others read
        msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        os.lseek(lock, 0, os.SEEK_SET)
    else:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_still(lock: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock), path.stat())
    except FileNotFoundError:
        return False


def _who_has(path: Path) -> str:
    """Message for a process that does not get the lock."""
    words = f"{path.parent} is in use by another process"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, OverflowError):
        owner = parse_json(read_regular(path))
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(owner["since"]))
        words = (
            f"{path.parent} is in use by process {owner['pid']} on {owner['host']} since {since}"
        )
    return f"{words}; wait for it, or end it"
