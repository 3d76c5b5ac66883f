"""Objects that are created once per process, by the first calling thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Made = TypeVar("Made")


def once(make: Callable[[], Made]) -> Callable[[], Made]:
    """Decorator for a function that runs once per process; later calls return the same object.

    With ``functools.cache``, two simultaneous threads may each create an object, and the later one
    is kept. Kernels refer to tables by address, so the address of the other object would point to
    freed memory.

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
