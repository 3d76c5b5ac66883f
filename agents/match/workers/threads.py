"""Worker threads. Kernels run without the GIL, so threads use all cores."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import TypeVar

from agents.match.workers.base import Job, Task, Timed, Workers, checked_count, timed
from nlhe_env.system.threads import Threads

Part = TypeVar("Part")


class ThreadWorkers(Workers):
    """Threads of this process.

    Attributes:
        threads: The threads, for tasks whose units they share.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.threads = Threads(count)

    def begin(self, task: Task[Part]) -> Job[Part]:
        """Gives the threads a task, which may be any callable."""
        return _ThreadJob(task, self.threads)

    def close(self) -> None:
        """Ends the threads once they have finished their chunks."""
        self.threads.close()


class _ThreadJob(Job[Part]):
    def __init__(self, task: Task[Part], threads: Threads) -> None:
        self._task, self._threads = task, threads

    def submit(self, first: int, count: int) -> Future[Timed[Part]]:
        return self._threads.submit(partial(timed, self._task, first, count))


def thread_workers(count: int | None = None) -> Workers:
    """Create thread workers; default: one per core available to this process.

    Raises:
        ValueError: ``count`` is below 1.
    """
    return ThreadWorkers(checked_count(count, "threads"))
