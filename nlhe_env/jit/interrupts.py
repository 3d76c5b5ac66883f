"""Deferral of Ctrl-C during short critical sections."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


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
