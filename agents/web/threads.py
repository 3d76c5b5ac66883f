"""A thread for each table, so that a slow player holds up no other table."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class DaemonExecutor(Executor):
    """Executor with one or several daemon threads that process work in order.

    At exit, Python waits for the threads of its own executors, but not for these, so that a player
    that never answers cannot keep the server running.

    Args:
        name: Name of the thread.
        count: Number of threads.
    """

    def __init__(self, name: str, count: int = 1) -> None:
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._count = count
        for _ in range(count):
            threading.Thread(target=_run_jobs, args=(self._work,), name=name, daemon=True).start()

    def submit(
        self, work: Callable[..., _Result], /, *arguments: Any, **options: Any
    ) -> Future[_Result]:
        """Queue work after all earlier work."""
        future: Future[_Result] = Future()

        def do() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = work(*arguments, **options)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self._work.put(do)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads after their pending work, without blocking the caller."""
        for _ in range(self._count):
            self._work.put(None)


def _run_jobs(work: queue.SimpleQueue[Callable[[], None] | None]) -> None:
    while (do := work.get()) is not None:
        do()
