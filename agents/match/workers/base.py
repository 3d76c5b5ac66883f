"""Interface of all workers, worker threads, and the calling thread as a worker."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from concurrent.futures import Future, wait
from functools import partial
from typing import Generic, Protocol, TypeAlias, TypeVar

from nlhe_env.system.cores import n_cores
from nlhe_env.system.threads import Threads

Part = TypeVar("Part")
Part_co = TypeVar("Part_co", covariant=True)

Timed: TypeAlias = tuple[float, Part]
"""Seconds taken by a chunk, and its part of the result."""


class Task(Protocol[Part_co]):
    """A pure function of (first, count): plays the games ``first`` to ``first + count - 1``.

    It is sent to other processes and machines, so it must be picklable: a frozen dataclass with a
    method ``__call__``, not a closure. Each worker process loads the strength tables itself.

    With a true attribute ``threads_share``, a task also has an argument ``threads``, and uses so
    many threads for a chunk. Each machine of a cluster then gets its chunks for all its cores.
    """

    def __call__(self, first: int, count: int, /) -> Part_co:
        """Part of the result from these games."""


class WorkersError(RuntimeError):
    """The workers cannot continue; the message gives the reason."""


class ChunkLostError(RuntimeError):
    """A worker died with a chunk, which other workers can play again."""


class Workers(ABC):
    """Workers that process chunks of games; leaving the ``with`` block stops them.

    Attributes:
        count: Number of simultaneous chunks.
        target_s: Target time of a chunk.
        least_s: Time a chunk should take at least, so that the cost of handing it out is
            negligible.
        chunks_each: Number of chunks handed out for each simultaneous one: the others wait, so that
            no worker idles.
        sizes: Games of the first chunk, by the kind of task and its number of games.
    """

    target_s: float = 0.4
    least_s: float = 0.002
    chunks_each: int = 2

    def __init__(self, count: int) -> None:
        self.count = count
        self.sizes: dict[tuple[type, int], int] = {}

    @abstractmethod
    def begin(self, task: Task[Part]) -> Job[Part]:
        """Gives a task to the workers, once for all its chunks.

        Raises:
            WorkersError: The workers cannot accept the task.
        """

    @abstractmethod
    def close(self) -> None:
        """Ends the workers."""

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Job(ABC, Generic[Part]):
    """A task given to workers. Leaving the ``with`` block withdraws the task."""

    @abstractmethod
    def submit(self, first: int, count: int) -> Future[Timed[Part]]:
        """Hands out a chunk."""

    def collect(self, future: Future[Timed[Part]]) -> Timed[Part]:
        """The result of a finished chunk.

        Raises:
            ChunkLostError: Its worker died.
            WorkersError: No worker can play it.
        """
        return future.result()

    def check(self) -> None:
        """Called now and then while no chunk is finished.

        Raises:
            WorkersError: No worker will finish a chunk.
        """

    def abandon(self, futures: Collection[Future[Timed[Part]]]) -> None:
        """Stops running chunks; waiting chunks have already been cancelled."""
        wait(futures)

    def end(self) -> None:
        """Withdraws the task."""

    def __enter__(self) -> Job[Part]:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def timed(task: Task[Part], first: int, count: int, **options: int) -> Timed[Part]:
    """Plays a chunk."""
    play: Callable[..., Part] = task
    start = time.perf_counter()
    part = play(first, count, **options)
    return time.perf_counter() - start, part


def checked_count(count: int | None, what: str) -> int:
    """A valid number of workers; default: one per core available to this process.

    Raises:
        ValueError: It is below 1.
    """
    if count is not None and count < 1:
        raise ValueError(f"{what} must be at least 1; got {count}")
    return count or n_cores()


class ThreadWorkers(Workers):
    """Threads of this process; kernels run without the GIL, so they use all cores.

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


class CallingThread(Workers):
    """The thread that hands out chunks plays them itself, so that Ctrl-C stops it within one."""

    chunks_each = 1

    def __init__(self) -> None:
        super().__init__(1)

    def begin(self, task: Task[Part]) -> Job[Part]:
        """Takes a task, which may be any callable."""
        return _OwnJob(task)

    def close(self) -> None:
        """Does nothing."""


class _OwnJob(Job[Part]):
    def __init__(self, task: Task[Part]) -> None:
        self._task = task

    def submit(self, first: int, count: int) -> Future[Timed[Part]]:
        future: Future[Timed[Part]] = Future()
        future.set_result(timed(self._task, first, count))  # exceptions leave at once
        return future
