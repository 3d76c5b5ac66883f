"""What several commands share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class UsageError(Exception):
    """Arguments that cannot be followed; its text is all the user needs."""


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turns a ValueError about arguments into one line for the user."""
    try:
        yield
    except ValueError as error:
        raise UsageError(str(error)) from error
