"""Workers of a Dask cluster: the only module that needs Dask.

A task is the result of a Dask task that unpickles it. So Dask recreates the task itself if all
workers that held it have died. Dask also reassigns the chunks of dead workers, and gives up a chunk
that has killed several workers.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import math
import pickle
import platform
import time
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import cloudpickle
import dask.config
from distributed import Client, KilledWorker, get_worker, wait

import nlhe_env
from agents.match.playing import prepare_game
from agents.match.workers.base import (
    Job,
    Task,
    Timed,
    Workers,
    WorkersError,
    timed,
)
from nlhe_env.system.python_files import files_in_pickle

Part = TypeVar("Part")

_ANSWER_S = 30.0
"""Seconds for a scheduler to answer, which may have been started at the same time."""
_SPREAD_S = 10.0
"""Seconds for all workers to receive the task of a job; slower ones fetch it later."""
_ALONE_S = 60.0
"""Seconds to wait for a first worker, or for new workers after all have left."""
_LOOK_S = 1.0
_POLL_S = 0.2
_WARNS_ABOVE = "distributed.admin.large-graph-warning-threshold"

_TARGET_S = 1.0
_LEAST_S = 0.05
_SCHEDULER_S = 0.0025
"""Assumed seconds of the scheduler per chunk, about twice the real ones: with chunks that are long
enough for it, the scheduler keeps up with any number of workers."""


@functools.cache
def version() -> str:
    """The version of this package, and a digest of its source: both must be the same everywhere."""
    digest = hashlib.blake2b(digest_size=4)
    agents = Path(__file__).parents[2]
    # Tasks come from the package above, too.
    for root in (Path(nlhe_env.__file__).parent, agents, agents.with_name("evolve")):
        for path in sorted(root.rglob("*.py")):
            name = path.relative_to(root.parent).as_posix()
            digest.update(name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return f"{nlhe_env.__version__} (source {digest.hexdigest()})"


def check_version(wanted: str) -> None:
    """Checks the version of this package on a worker before it plays.

    Raises:
        WorkersError: The worker's version differs.
    """
    if wanted != version():
        raise WorkersError(
            f"a worker on {platform.node()} has nlhe-env {version()}, but this is nlhe-env "
            f"{wanted}: results could differ, so install the same version everywhere"
        )


def _prepare(wanted: str) -> None:
    check_version(wanted)
    prepare_game()


def _hold(task: Task[Any]) -> None:
    """Stores a task on the calling worker."""


def _play(task: Task[Part], wanted: str, first: int, count: int) -> Timed[Part]:
    check_version(wanted)
    if not _threads_share(task):
        return timed(task, first, count)
    return timed(task, first, count, threads=get_worker().state.nthreads)


def _threads_share(task: Task[Any]) -> bool:
    """Whether a chunk of a task uses all threads of a worker."""
    return getattr(task, "threads_share", False)


class DaskWorkers(Workers):
    """A cluster's workers, which may come and go, with one chunk for a worker or a thread."""

    def __init__(self, address: str) -> None:
        super().__init__(1)
        self._by_worker = False
        self.address = address
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # it raises its errors
        try:
            self.client = Client(address, timeout=_ANSWER_S, set_as_default=False, name="nlhe-env")
        except (OSError, ValueError) as error:
            raise WorkersError(f"no Dask scheduler answers at {address}: {error}") from error
        try:
            self.client.wait_for_workers(1, timeout=_ALONE_S)
            self._prepare()
        except TimeoutError as error:
            self.close()
            raise WorkersError(
                f"the Dask scheduler at {address} has no workers; start some with: "
                f"dask worker {address}"
            ) from error
        except BaseException:
            self.close()
            raise
        self.look()

    def begin(self, task: Task[Part]) -> Job[Part]:
        """Sends a task to all workers.

        Raises:
            WorkersError: The scheduler is gone, or all workers are.
        """
        self._by_worker = _threads_share(task)
        return _DaskJob(task, self)

    def close(self) -> None:
        """Disconnect from the cluster, which keeps running."""
        self.client.close()

    def check(self) -> None:
        """Checks the connection to the scheduler.

        Raises:
            WorkersError: The scheduler is gone.
        """
        if self.client.status != "running":
            raise WorkersError(f"the Dask scheduler at {self.address} is gone")

    def look(self) -> int:
        """Updates the number of simultaneous chunks, and returns it; 0 if no worker is left.

        Raises:
            WorkersError: The scheduler is gone.
        """
        self.check()
        try:
            threads = self.client.nthreads()
        except (OSError, CancelledError) as error:
            raise WorkersError(f"the Dask scheduler at {self.address} is gone") from error
        count = len(threads) if self._by_worker else sum(threads.values())
        self.count = max(1, count)
        self.least_s = max(_LEAST_S, _SCHEDULER_S * count)
        self.target_s = max(_TARGET_S, 2 * self.least_s)
        return count

    def share(self, task: Task[Any]) -> Any:
        """Stores a task on every worker; returns the Dask future to pass to the calls that need it.

        Raises:
            WorkersError: The scheduler is gone, or the workers cannot import a module of the task.
        """
        # Sent as bytes, so that the scheduler need not import the modules of the task.
        pickled = cloudpickle.dumps(task)
        for file in files_in_pickle(pickled).values():
            raise WorkersError(
                f"a cluster cannot import {file}, which is on this machine only: play with threads "
                "or processes, or install it as a package on all machines"
            )
        self.look()
        try:
            with dask.config.set({_WARNS_ABOVE: "1 TB"}):
                shared = self.client.submit(pickle.loads, pickled, pure=False)
            self._at_each(self.client.nthreads(), _SPREAD_S, _hold, shared)
        except (OSError, CancelledError) as error:
            raise WorkersError(f"the Dask scheduler at {self.address} is gone") from error
        if shared.status == "error":
            raise WorkersError(f"the Dask workers cannot take the task: {shared.exception()}")
        return shared

    def _prepare(self) -> None:
        """Loads the game on all workers, first on one per node, which may have to compile it."""
        nodes: dict[str, list[str]] = {}
        for worker, about in self.client.scheduler_info(n_workers=-1)["workers"].items():
            nodes.setdefault(about["host"], []).append(worker)
        self._prepare_at([workers[0] for workers in nodes.values()])
        self._prepare_at([worker for workers in nodes.values() for worker in workers[1:]])

    def _prepare_at(self, workers: list[str]) -> None:
        for future in self._at_each(workers, math.inf, _prepare, version()):
            try:
                future.result()
            except ImportError as error:
                raise WorkersError(
                    f"a worker of the Dask scheduler at {self.address} cannot import nlhe-env "
                    f"({error}); install nlhe-env there, with its extra dask"
                ) from error

    def _at_each(
        self, workers: Iterable[str], limit_s: float, function: Callable[..., None], *arguments: Any
    ) -> list[Any]:
        """Calls a function on each of the workers, and waits unless they die or time runs out.

        Returns:
            The futures of the finished calls.
        """
        futures = {
            self.client.submit(function, *arguments, workers=[worker], pure=False): worker
            for worker in workers
        }
        end = time.monotonic() + limit_s
        left = list(futures)
        while left and time.monotonic() < end:
            with self.client.as_current(), suppress(TimeoutError):
                wait(left, timeout=_POLL_S)
            # The call of a dead worker never finishes, because no other worker may take it.
            present = self.client.nthreads()
            left = [future for future in left if not future.done() and futures[future] in present]
        return [future for future in futures if future.done()]


class _DaskJob(Job[Part]):
    def __init__(self, task: Task[Part], workers: DaskWorkers) -> None:
        self._workers = workers
        self._shared = workers.share(task)
        self._executor = workers.client.get_executor(pure=False)
        self._alone_since: float | None = None
        self._looked_at = time.monotonic()

    def submit(self, first: int, count: int) -> Future[Timed[Part]]:
        future: Future[Timed[Part]] = self._executor.submit(
            _play, self._shared, version(), first, count
        )
        return future

    def collect(self, future: Future[Timed[Part]]) -> Timed[Part]:
        try:
            return future.result()
        except KilledWorker as error:
            raise WorkersError(
                "several Dask workers died one after the other while they played the same games; "
                "their logs may say why, or there was too little memory"
            ) from error
        except CancelledError as error:
            self._workers.check()
            raise WorkersError(
                f"the Dask scheduler at {self._workers.address} was restarted, or the connection "
                "to it broke"
            ) from error

    def check(self) -> None:
        self._workers.check()
        if time.monotonic() - self._looked_at < _LOOK_S:
            return
        self._looked_at = time.monotonic()
        if self._workers.look():
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = time.monotonic()
        elif time.monotonic() - self._alone_since > _ALONE_S:
            raise WorkersError(
                f"all workers of the Dask scheduler at {self._workers.address} are gone, and none "
                f"came back within {_ALONE_S:.0f} s"
            )

    def abandon(self, futures: Collection[Future[Timed[Part]]]) -> None:
        """Returns at once; the workers finish their current chunks and then stop."""

    def end(self) -> None:
        self._shared.release()


def dask_workers(address: str) -> Workers:
    """Workers of a Dask cluster.

    Compiled games are played in one chunk at a time per worker, whose threads share it, and other
    tasks in one per thread.

    Args:
        address: Address of the scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises:
        WorkersError: No scheduler answers there, it has no workers, or they lack this version of
            the package.
    """
    return DaskWorkers(address)
