"""Ctrl-C for tests that were started where it is ignored, such as in the background."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C interrupts this process, and those that it starts, as it does in a terminal.

    A process inherits from its parent that a signal is ignored, and Python then leaves it so.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
