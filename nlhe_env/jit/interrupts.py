"""Ctrl-C at moments when it does no harm."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_wait() -> Iterator[Callable[[], bool]]:
    """Lets Ctrl-C wait until the block is done: for short work that must not be left half done.

    Outside the main thread, which alone gets signals, nothing changes.

    Yields:
        What says whether one is waiting, so that the block may end earlier.
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
