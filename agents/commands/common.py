"""Helpers shared by several commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from nlhe_env.extras import MissingExtraError
from nlhe_env.system.command_interrupts import INTERRUPTED
from nlhe_env.system.command_line import in_words, output_may_end


class UsageError(Exception):
    """Invalid arguments, with a complete message for the user."""


def listing(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Names with a line about each, below a title; empty without rows.

    >>> print(listing("Players", [("caller", "always calls or checks"), ("nobody", "")]))
    Players:
      caller  always calls or checks
      nobody
    """
    rows = list(rows)
    if not rows:
        return ""
    width = max(len(name) for name, _ in rows)
    return "\n".join([f"{title}:", *(f"  {name:{width}}  {line}".rstrip() for name, line in rows)])


@contextmanager
def usage_errors() -> Iterator[None]:
    """Context in which a ValueError about arguments becomes one line for the user."""
    try:
        yield
    except ValueError as error:
        raise UsageError(str(error)) from error


def exit_code(run: Callable[[], None]) -> int:
    """Run a command and return its exit code; an error is printed in one line."""
    try:
        with output_may_end():
            run()
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as end:  # of the parser, after a message or the help, or of a player's file
        if not isinstance(end.code, str):
            return end.code or 0
        code, words = 1, end.code
    except (UsageError, ValueError, MissingExtraError) as error:
        code, words = 2, str(error)
    except OSError as error:
        code, words = 1, in_words(error)
    except MemoryError as error:
        code, words = 1, f"there is not enough memory for this ({error})"
    except RuntimeError as error:
        code, words = 1, str(error)
    else:
        return 0
    print(f"error: {words}", file=sys.stderr)
    return code
