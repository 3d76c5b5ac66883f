"""Command line of one of the three packages as a program, and the end of its standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pkgutil import resolve_name
from typing import NoReturn

from nlhe_env.extras import check_packages
from nlhe_env.system.command_interrupts import run_program

_NEEDED = {"nlhe_env": (), "agents": ("agents",), "evolve": ("agents", "evolve")}
"""Packages that the command line of a package imports, besides ``nlhe_env``."""


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
