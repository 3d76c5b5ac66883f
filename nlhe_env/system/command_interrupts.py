"""Ctrl-C on the command line: the first stops cleanly, the second at once, without tracebacks.

SIGTERM, which service managers and ``kill`` send, does what Ctrl-C does. Short critical sections
can defer Ctrl-C.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from nlhe_env.system.compilation_progress import stop_compiling, wait_for_compilations

INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM
"""Exit codes."""

_words: list[str] = []
_terminations: list[int] = []


def run_program(main: Callable[[], int]) -> NoReturn:
    """Run a command line as the whole program.

    The first Ctrl-C or SIGTERM raises ``KeyboardInterrupt``, at once or after the current
    compilation. A second one ends the program immediately; file writes are atomic, and child
    programs end with this one.

    Args:
        main: Function that returns the exit code, ``INTERRUPTED`` after an interrupt.
    """
    try:
        try:
            signal.signal(signal.SIGINT, _interrupt)
            signal.signal(signal.SIGTERM, _terminate)
            code = main()
        finally:  # also after a wrong command line: nothing is left to stop cleanly
            signal.signal(signal.SIGINT, _end_at_once)
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(_exit_code() if code == INTERRUPTED else code)


def _exit_code() -> int:
    """Exit code of an interrupted program."""
    return TERMINATED if _terminations else INTERRUPTED


def _terminate(number: int, frame: FrameType | None) -> None:
    """Hands SIGTERM to the present handler of Ctrl-C, such as that of an event loop."""
    _terminations.append(number)
    signal.raise_signal(signal.SIGINT)


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _end_at_once)
    if not stop_compiling():
        raise KeyboardInterrupt


def _end_at_once(number: int, frame: FrameType | None) -> NoReturn:
    with contextlib.suppress(Exception):  # such as an interrupt during another flush
        sys.stdout.flush()
    with contextlib.suppress(Exception):
        for words in _words:
            print(words, file=sys.stderr)
        if sys.stderr.isatty():
            print("\x1b[?25h", end="", file=sys.stderr)  # a progress bar may have hidden the cursor
        sys.stderr.flush()
    os._exit(_exit_code())


wait_for_compilations(_interrupt, _end_at_once)


@contextlib.contextmanager
def last_words(words: str) -> Iterator[None]:
    """Prints a message if a second Ctrl-C ends the program inside the block.

    Args:
        words: Message, such as how to continue.
    """
    _words.append(words)
    try:
        yield
    finally:
        _words.remove(words)


@contextlib.contextmanager
def usual_interrupts() -> Iterator[None]:
    """Python's default handler of Ctrl-C inside the block, which event loops can replace."""
    before = signal.getsignal(signal.SIGINT)
    if before is _interrupt:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if before is _interrupt:
            signal.signal(signal.SIGINT, _end_at_once)


@contextmanager
def interrupts_wait() -> Iterator[Callable[[], bool]]:
    """Context manager that defers Ctrl-C to the end of the block, for short atomic work.

    It has no effect outside the main thread, because only that gets signals.

    Yields:
        Function that returns whether Ctrl-C is pending, so that the block may end early.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield lambda: False
        return
    waiting: list[int] = []

    def remember(number: int, frame: FrameType | None) -> None:
        waiting.append(number)

    signal.signal(signal.SIGINT, remember)
    try:
        yield lambda: bool(waiting)
    finally:
        signal.signal(signal.SIGINT, before)
        if waiting:
            signal.raise_signal(signal.SIGINT)
