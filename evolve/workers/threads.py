"""Worker threads. Kernels run without the GIL, so threads use all cores."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from evolve.workers.base import Job, Task, Timed, Workers, checked_count, timed

Part = TypeVar("Part")


class ThreadWorkers(Workers):
    """Threads of this process."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._executor = ThreadPoolExecutor(count, thread_name_prefix="evolve")

    def begin(self, task: Task[Part]) -> Job[Part]:
        """Gives the threads a task, which may be any callable."""
        return _ThreadJob(task, self._executor)

    def close(self) -> None:
        """Ends the threads once they have finished their chunks."""
        self._executor.shutdown(cancel_futures=True)


class _ThreadJob(Job[Part]):
    def __init__(self, task: Task[Part], executor: ThreadPoolExecutor) -> None:
        self._task, self._executor = task, executor

    def submit(self, first: int, count: int) -> Future[Timed[Part]]:
        return self._executor.submit(timed, self._task, first, count)


def thread_workers(count: int | None = None) -> Workers:
    """Create thread workers; default: one per core available to this process.

    Raises:
        ValueError: ``count`` is below 1.
    """
    return ThreadWorkers(checked_count(count, "threads"))
