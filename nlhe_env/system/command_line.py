"""Command line of one of the three packages as a program."""

from __future__ import annotations

import sys
from pkgutil import resolve_name
from typing import NoReturn

from nlhe_env.extras import check_packages
from nlhe_env.system.command_interrupts import run_program

_NEEDED = {"nlhe_env": (), "agents": ("agents",), "evolve": ("agents", "evolve")}
"""Packages that the command line of a package imports, besides ``nlhe_env``."""


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
