"""Command line of one of the three packages as a program, its errors, and its standard output."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from typing import NoReturn

from nlhe_env.extras import check_packages
from nlhe_env.system.command_interrupts import run_program

_NEEDED = {"nlhe_env": (), "agents": ("agents",), "evolve": ("agents", "evolve")}
"""Packages that the command line of a package imports, besides ``nlhe_env``."""


_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk space of this user is used up",
    errno.EROFS: "this folder is read-only",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "part of this path is no folder",
    errno.ELOOP: "it is a symbolic link, which is not followed here",
    errno.EADDRINUSE: "another program listens on this port: choose another --port",
    errno.EIO: "the disk cannot read or write this",
}


def in_words(error: OSError) -> str:
    """Message to a user about a system error, beginning with the file if it is known.

    >>> in_words(OSError(errno.EROFS, "Read-only file system", "runs/quick-1"))
    'runs/quick-1: this folder is read-only'
    """
    if error.errno is None:
        return str(error)
    reason = _REASONS.get(error.errno, error.strerror or str(error))
    return f"{error.filename}: {reason}" if error.filename else reason


def check_output_file(path: Path) -> None:
    """Check where a file of the option ``--out`` is to be written, long before it is.

    Raises:
        ValueError: It is a folder, or its folder does not exist.
    """
    if path.is_dir():
        raise ValueError(f"--out {path} is a folder")
    if not path.parent.is_dir():
        raise ValueError(f"--out {path}: there is no folder {path.parent}")


@contextmanager
def output_may_end() -> Iterator[None]:
    """Ends the program silently, with code 1, once its standard output is closed.

    Raises:
        BrokenPipeError: Another pipe, such as that of a child program, is broken.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        if not _output_is_broken():
            raise
        # The remaining output is discarded, so that it cannot fail at exit.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        raise SystemExit(1) from None


def _output_is_broken() -> bool:
    """Whether writing another line fails too, because the failed one may have left the buffers."""
    try:
        print(flush=True)
    except BrokenPipeError:
        return True
    return False


def run_command_line(main: str, *, prog: str) -> NoReturn:
    """Runs a command line, or reports another package with the name of one of ours.

    Args:
        main: Function as ``module:function``, which takes ``prog`` and returns the exit code.
        prog: Name of the program in its help.
    """
    try:
        check_packages(*_NEEDED[main.partition(".")[0]])
    except ImportError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    command_line = resolve_name(main)
    run_program(lambda: command_line(prog=prog))
