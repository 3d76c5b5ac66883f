"""Workers that are processes of this machine.

Each process has its own executor, so that a dying process loses only its own chunks and can be
replaced while the others continue. A task lies in shared memory, and every process reads it once.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any, TypeVar, cast

from agents.match.playing import prepare_game
from agents.match.workers.base import (
    ChunkLostError,
    Job,
    Task,
    Timed,
    Workers,
    WorkersError,
    checked_count,
    timed,
)
from nlhe_env.system.compilation_progress import compile_quietly, kernels_compiled
from nlhe_env.system.python_files import describe_error, files_in_pickle, load_same_files
from nlhe_env.system.threads import thread_map

Part = TypeVar("Part")

_PATIENCE_S = 0.5  # running chunks that take longer are stopped by ending their process
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass
class _Process:
    """A process and its unfinished chunks."""

    executor: ProcessPoolExecutor
    futures: set[Future[Any]] = field(default_factory=set)


class ProcessWorkers(Workers):
    """Worker processes, started with the first chunk."""

    least_s = 0.01

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._processes: list[_Process] = []
        self._lifeline: tuple[Connection, Connection] | None = None

    def begin(self, task: Task[Part]) -> Job[Part]:
        """Puts a task into shared memory.

        Raises:
            WorkersError: The task cannot be pickled or does not fit into shared memory.
        """
        try:
            pickled = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            raise WorkersError(f"processes cannot be given this task: {error}") from error
        if not self._processes:
            self._start()
        return _ProcessJob(pickled, self)

    def close(self) -> None:
        """Ends the processes once they have finished their chunks."""
        self._forget()

    def kill(self) -> None:
        """Ends the processes at once; the next chunk starts new ones."""
        if self._lifeline is not None:
            self._lifeline[1].close()
        self._forget()

    def hand_out(self, *call: Any) -> Future[Any]:
        """Submits a call to the process with the fewest chunks."""
        process = min(self._processes, key=lambda process: len(process.futures))
        try:
            future = _submit(process.executor, *call)
        except BrokenExecutor:  # the process died while idle
            self._replace(process)
            future = _submit(process.executor, *call)
        process.futures.add(future)
        return future

    def take_back(self, future: Future[Any]) -> None:
        """Removes a finished chunk, and replaces its process if that has died."""
        for process in self._processes:
            if future in process.futures:
                process.futures.remove(future)
                died = not future.cancelled() and isinstance(future.exception(), BrokenExecutor)
                if died:
                    self._replace(process)

    def _start(self) -> None:
        prepare_game()  # compiles the game, if needed, once for all processes
        self._lifeline = get_context("spawn").Pipe(duplex=False)
        has_said = kernels_compiled() > 0
        self._processes = [
            _Process(self._executor(quiet=has_said or i > 0)) for i in range(self.count)
        ]

    def _executor(self, *, quiet: bool = True) -> ProcessPoolExecutor:
        if self._lifeline is None:
            raise RuntimeError("the processes have not been started")
        return ProcessPoolExecutor(
            1,
            mp_context=get_context("spawn"),
            initializer=_begin_process,
            initargs=(self._lifeline[0], quiet),
        )

    def _replace(self, process: _Process) -> None:
        # The process is dead, so this only waits for a thread of ours. Otherwise that thread might
        # close its pipe while the exiting interpreter writes to it.
        process.executor.shutdown(wait=True)
        process.executor = self._executor()
        process.futures = set()  # its other chunks are lost as well

    def _forget(self) -> None:
        # In parallel, because each takes a while to end; and only once, because an executor waits
        # for its thread in its first shutdown only.
        ends = [partial(each.executor.shutdown, cancel_futures=True) for each in self._processes]
        list(thread_map(lambda end: end(), ends, self.count))
        self._processes = []
        if self._lifeline is not None:
            for end in self._lifeline:
                end.close()
        self._lifeline = None


class _ProcessJob(Job[Part]):
    def __init__(self, pickled: bytes, workers: ProcessWorkers) -> None:
        self._workers = workers
        self._size = len(pickled)
        self._files = files_in_pickle(pickled)
        self._memory = _shared(pickled)

    def submit(self, first: int, count: int) -> Future[Timed[Part]]:
        return self._workers.hand_out(
            _play, self._memory.name, self._size, self._files, first, count
        )

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
    """Submits a call to the single process of an executor, which starts with the first call."""
    with _clean_start():
        future = executor.submit(*call)
    # Only the process writes results. As long as our end for writing is open, the pipe does not
    # close when the process dies: a reader of a partial result would wait for ever.
    writer = getattr(getattr(executor, "_result_queue", None), "_writer", None)
    if writer is not None:
        writer.close()
    return future


def _shared(content: bytes) -> SharedMemory:
    """Shared memory with the given content."""
    memory = None
    try:
        memory = SharedMemory(create=True, size=len(content))
        file = Path("/dev/shm", memory.name)
        if hasattr(os, "posix_fallocate") and file.exists():
            # Otherwise the first access to a page that a full disk cannot provide kills this
            # process without a message.
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
    """Starts processes within the block with one thread each, and without Ctrl-C."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    # The new process inherits blocked signals, which covers its imports too; here they are only
    # delayed.
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


def _begin_process(lifeline: Connection, quiet: bool) -> None:
    """Sets up a worker process; only one of a program says that it compiles."""
    if quiet:
        compile_quietly()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    prepare_game()


def _end_with(lifeline: Connection) -> None:
    """Ends this process when the other end of the pipe closes, even by the death of its owner."""
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(0)


_task: tuple[str, Any] | None = None
"""Location of the current task in shared memory, and the task."""


def _play(name: str, size: int, files: dict[str, Path], first: int, count: int) -> Timed[Any]:
    """Plays a chunk of the task in the given shared memory, which needs these files."""
    global _task
    try:
        if _task is None or _task[0] != name:
            load_same_files(files)
            memory = SharedMemory(name=name)
            try:
                with cast(memoryview, memory.buf)[:size] as pickled:
                    _task = name, pickle.loads(pickled)
            finally:
                memory.close()
        return timed(_task[1], first, count)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # such as one with two arguments, which would look like a dead process
            raise RuntimeError(describe_error(error)) from error
        raise


def process_workers(count: int | None = None) -> Workers:
    """Create process workers; default: one per core available to this process.

    Use processes for players written in Python; compiled players are as fast in threads. A script
    that uses processes needs ``if __name__ == "__main__":``, because every process imports the
    script anew.

    Raises:
        ValueError: ``count`` is below 1.
    """
    return ProcessWorkers(checked_count(count, "processes"))
