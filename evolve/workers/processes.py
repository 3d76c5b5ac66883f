"""Workers that are processes of this machine.

Each process is an executor of its own, so that one that dies loses its own chunks only and can be
replaced while the others go on. A task lies in shared memory, where every process reads it once.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any, TypeVar, cast

from evolve.workers.base import (
    ChunkLostError,
    Job,
    Task,
    Timed,
    Workers,
    WorkersError,
    checked_count,
    timed,
)
from evolve.workers.prepare import prepare_game

Part = TypeVar("Part")

_PATIENCE_S = 0.5  # chunks at work that take longer are ended with their process
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass
class _Process:
    """A process and the chunks that it has not finished."""

    executor: ProcessPoolExecutor
    futures: set[Future[Any]] = field(default_factory=set)


class ProcessWorkers(Workers):
    """Processes that start with the first chunk."""

    least_s = 0.01

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._processes: list[_Process] = []
        self._lifeline: tuple[Connection, Connection] | None = None

    def begin(self, task: Task[Part]) -> Job[Part]:
        """Puts a task where all of them can read it.

        Raises:
            WorkersError: It cannot be pickled, or there is no room for it.
        """
        try:
            pickled = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            raise WorkersError(f"processes cannot be given this task: {error}") from error
        if not self._processes:
            self._start()
        return _ProcessJob(pickled, self)

    def close(self) -> None:
        """Ends them once they have finished their chunks."""
        self._forget()

    def kill(self) -> None:
        """Ends them at once; the next chunk starts new ones."""
        if self._lifeline is not None:
            self._lifeline[1].close()
        self._forget()

    def hand_out(self, *call: Any) -> Future[Any]:
        """Has a function called by the process with the least to do."""
        process = min(self._processes, key=lambda process: len(process.futures))
        try:
            future = _submit(process.executor, *call)
        except BrokenExecutor:  # it died with nothing to do
            self._replace(process)
            future = _submit(process.executor, *call)
        process.futures.add(future)
        return future

    def take_back(self, future: Future[Any]) -> None:
        """Notes that a chunk is finished, and replaces the process if it has died of it."""
        for process in self._processes:
            if future in process.futures:
                process.futures.remove(future)
                died = not future.cancelled() and isinstance(future.exception(), BrokenExecutor)
                if died:
                    self._replace(process)

    def _start(self) -> None:
        prepare_game()  # compiles the game, if needed, once for all of them
        self._lifeline = get_context("spawn").Pipe(duplex=False)
        self._processes = [_Process(self._executor()) for _ in range(self.count)]

    def _executor(self) -> ProcessPoolExecutor:
        if self._lifeline is None:
            raise RuntimeError("the processes have not been started")
        return ProcessPoolExecutor(
            1,
            mp_context=get_context("spawn"),
            initializer=_begin_process,
            initargs=(self._lifeline[0],),
        )

    def _replace(self, process: _Process) -> None:
        # Its process is dead, so that this waits for a thread of ours, which otherwise might still
        # close its pipe when the interpreter ends and writes to it.
        process.executor.shutdown(wait=True)
        process.executor = self._executor()
        process.futures = set()  # what it still had to do is lost as well

    def _forget(self) -> None:
        # Together, since each takes a while to end; and once only, since an executor waits for its
        # thread in its first shutdown and has forgotten it in the second.
        with ThreadPoolExecutor(self.count) as pool:
            for process in self._processes:
                pool.submit(process.executor.shutdown, wait=True, cancel_futures=True)
        self._processes = []
        if self._lifeline is not None:
            for end in self._lifeline:
                end.close()
        self._lifeline = None


class _ProcessJob(Job[Part]):
    def __init__(self, pickled: bytes, workers: ProcessWorkers) -> None:
        self._workers = workers
        self._size = len(pickled)
        self._memory = _shared(pickled)

    def submit(self, first: int, count: int) -> Future[Timed[Part]]:
        return self._workers.hand_out(_play, self._memory.name, self._size, first, count)

    def collect(self, future: Future[Timed[Part]]) -> Timed[Part]:
        self._workers.take_back(future)
        try:
            return future.result()
        except BrokenExecutor as error:
            raise ChunkLostError("a worker process died") from error

    def abandon(self, futures: Collection[Future[Timed[Part]]]) -> None:
        _, working = wait(futures, timeout=_PATIENCE_S)
        if working:
            self._workers.kill()
        for future in futures:
            self._workers.take_back(future)

    def end(self) -> None:
        self._memory.close()
        self._memory.unlink()


def _submit(executor: ProcessPoolExecutor, *call: Any) -> Future[Any]:
    """Hands a call to the only process of an executor, which starts with the first."""
    with _clean_start():
        future = executor.submit(*call)
    # Only the process writes results. While we can write them too, their pipe does not end with
    # it: of one that dies in the middle of a result, the rest would be waited for for ever.
    writer = getattr(getattr(executor, "_result_queue", None), "_writer", None)
    if writer is not None:
        writer.close()
    return future


def _shared(content: bytes) -> SharedMemory:
    """Shared memory with this content.

    Raises:
        WorkersError: There is no room for it.
    """
    memory = None
    try:
        memory = SharedMemory(create=True, size=len(content))
        file = Path("/dev/shm", memory.name)
        if hasattr(os, "posix_fallocate") and file.exists():
            # Else the first touch of a page that a full disk cannot give ends us without a word.
            with file.open("r+b") as opened:
                os.posix_fallocate(opened.fileno(), 0, len(content))
    except OSError as error:
        if memory is not None:
            memory.close()
            memory.unlink()
        raise WorkersError(
            f"there is no room in shared memory for the {len(content) / 2**20:.1f} MiB that the "
            f"processes work on ({error.strerror or error}): empty /dev/shm, or play with threads"
        ) from error
    cast(memoryview, memory.buf)[: len(content)] = content
    return memory


@contextmanager
def _clean_start() -> Iterator[None]:
    """Lets a process that is started here have one thread for itself and no part in Ctrl-C."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    # What is blocked here stays blocked there, also while the process still imports; here it is
    # only late.
    blocks = hasattr(signal, "pthread_sigmask")
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if blocks else set()
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        if blocks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _begin_process(lifeline: Connection) -> None:
    """Set up a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    prepare_game()


def _end_with(lifeline: Connection) -> None:
    """Ends this process when the other end of the line is closed, if only by a death."""
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(0)


_task: tuple[str, Any] | None = None
"""Where the present task lies in shared memory, and the task."""


def _play(name: str, size: int, first: int, count: int) -> Timed[Any]:
    """Plays a chunk of the task in some shared memory."""
    global _task
    if _task is None or _task[0] != name:
        memory = SharedMemory(name=name)
        try:
            with cast(memoryview, memory.buf)[:size] as pickled:
                _task = name, pickle.loads(pickled)
        finally:
            memory.close()
    return timed(_task[1], first, count)


def process_workers(count: int | None = None) -> Workers:
    """Workers that are processes; by default one for each core this process may use.

    They are for players that are slow because they are written in Python; compiled ones play as
    fast in threads. A script that uses them needs ``if __name__ == "__main__":``, since every
    process imports it anew.

    Raises:
        ValueError: ``count`` is below 1.
    """
    return ProcessWorkers(checked_count(count, "processes"))
