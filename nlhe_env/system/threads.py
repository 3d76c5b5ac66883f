"""Threads that share work, in parts that do not depend on their number, and objects."""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from functools import partial, wraps
from itertools import pairwise
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Item = TypeVar("Item")
Result = TypeVar("Result")
_Made = TypeVar("_Made")

Span = tuple[int, int]
"""First item of work, and one beyond the last."""

_MOST = 64
"""Items that a kernel takes at once from a shared counter: enough to pay for it."""


def spans(first: int, last: int, n_spans: int) -> list[Span]:
    """The work from ``first`` to ``last`` in nearly equal, non-empty spans."""
    n = last - first
    edges = [first + n * i // n_spans for i in range(n_spans + 1)]
    return [(a, b) for a, b in pairwise(edges) if a < b]


class Threads:
    """Threads that wait for work without using a core.

    They start with the first work for them, and end when they are closed or deleted; later work
    starts new ones. Python does not wait for them at its exit. Leaving the ``with`` block, even by
    Ctrl-C, waits for the running calls and begins no others.

    Args:
        count: Number of threads; 0 if the calling thread works alone.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._begin()

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, call: Callable[[], Result]) -> Future[Result]:
        """The result of a call in one of the threads."""
        if self._process != os.getpid():
            self._begin()
        if len(self._threads) < self.count:
            thread = Thread(target=_work, args=(self._queue,), daemon=True)
            self._threads.append(thread)
            thread.start()
        future: Future[Result] = Future()
        self._queue.put((call, future))
        return future

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Results of a function for all items, in order; one thread alone is the calling one."""
        work = list(items)
        if self.count <= 1 or len(work) <= 1:
            return map(function, work)
        return _in_order(deque(self.submit(partial(function, item)) for item in work))

    def run(self, task: Callable[[], Result]) -> list[Result]:
        """The results of a task, called once for every thread and once for the calling one.

        Raises:
            Exception: What a call raised, after all calls have returned.
        """
        futures: list[Future[Result]] = []
        try:
            futures.extend(self.submit(task) for _ in range(self.count))
            results = [task()]
            # What no thread has begun is done here instead of waiting for one to wake up.
            results += [task() if future.cancel() else future.result() for future in futures]
        finally:
            for future in futures:
                if not future.cancel():
                    future.exception()  # waits
        return results

    def share(self, task: Callable[[npt.NDArray[np.int64], int], Result], n: int) -> list[Result]:
        """Run a kernel whose threads take n items in spans from one counter.

        Args:
            task: Called with a counter of the items that were taken, and the length of a span.
            n: Number of items. Results must not depend on which thread takes which.
        """
        counter = np.zeros(1, np.int64)
        span = max(1, min(_MOST, n // (8 * (self.count + 1))))
        return self.run(lambda: task(counter, span))

    def close(self) -> None:
        """End the threads after their running calls, without the calls that wait."""
        if self._process == os.getpid():
            with suppress(Empty):
                while True:
                    self._queue.get_nowait()[1].cancel()
            self._end()
            for thread in self._threads:
                thread.join()
        self._begin()

    def finish(self) -> None:
        """End the threads after the calls that wait, without waiting; later calls never begin."""
        self._end()
        self.count = len(self._threads)

    def _begin(self) -> None:
        self._process = os.getpid()  # a fork has no threads
        self._queue: SimpleQueue[Any] = SimpleQueue()
        self._threads: list[Thread] = []
        self._end = weakref.finalize(self, _end, self._queue, self._threads)


def thread_map(
    function: Callable[[Item], Result], items: Iterable[Item], n_threads: int
) -> Iterator[Result]:
    """Results of a function for all items, in order, by ``Threads`` of its own.

    >>> list(thread_map(abs, [-2, 1], n_threads=2))
    [2, 1]
    """
    with Threads(n_threads) as threads:
        yield from threads.map(function, items)


def _in_order(futures: deque[Future[Result]]) -> Iterator[Result]:
    try:
        while futures:
            yield futures.popleft().result()
    finally:
        for future in futures:
            future.cancel()


def once(make: Callable[[], _Made]) -> Callable[[], _Made]:
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
    made: list[_Made] = []

    @wraps(make)
    def get() -> _Made:
        if not made:
            with lock:
                if not made:
                    made.append(make())
        return made[0]

    return get


def _work(queue: SimpleQueue[Any]) -> None:
    while (work := queue.get()) is not None:
        call, future = work
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(call())
            except BaseException as error:
                future.set_exception(error)
        del work, call, future  # they keep arrays alive


def _end(queue: SimpleQueue[Any], threads: list[Thread]) -> None:
    for _ in threads:
        queue.put(None)
