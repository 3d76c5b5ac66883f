"""Objects that are made once in a process, by the thread that asks first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Made = TypeVar("Made")


def once(make: Callable[[], Made]) -> Callable[[], Made]:
    """A function that is called once; later calls, in any thread, return the same object.

    ``functools.cache`` lets two threads that come at the same time make an object each, and keeps
    the later one. Kernels know tables by their address: that of the other one would point to freed
    memory.

    >>> @once
    ... def numbers():
    ...     return [1, 2]
    >>> numbers() is numbers()
    True
    """
    lock = threading.Lock()
    made: list[Made] = []

    @wraps(make)
    def get() -> Made:
        if not made:
            with lock:
                if not made:
                    made.append(make())
        return made[0]

    return get
