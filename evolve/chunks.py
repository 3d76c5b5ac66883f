"""Work cut into chunks for an executor.

A task is a pure function of (first, count): it plays the games numbered ``first`` to
``first + count - 1``. The size of the chunks follows the speed of the machine and never changes a
result, only how soon progress shows and how soon an interruption takes effect.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

from nlhe_env._cores import n_cores

Part = TypeVar("Part")

TARGET_S = 0.4
"""Time a chunk should take."""
_POLL_S = 0.5  # a wait without a limit cannot be interrupted on every system


@dataclass(frozen=True)
class Workers:
    """An executor and the number of chunks it works on at a time.

    Leaving the ``with`` block of the workers ends the executor.
    """

    executor: Executor
    count: int

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.executor.shutdown(cancel_futures=True)


def thread_workers(count: int | None = None) -> Workers:
    """Workers that are threads; by default one for each core this process may use.

    Raises:
        ValueError: ``count`` is below 1.
    """
    if count is not None and count < 1:
        raise ValueError(f"threads must be at least 1; got {count}")
    count = count or n_cores()
    return Workers(ThreadPoolExecutor(count, thread_name_prefix="evolve"), count)


def run_chunks(
    task: Callable[[int, int], Part],
    total: int,
    *,
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
) -> list[Part]:
    """The parts of a task of ``total`` games, in the order of the games.

    An exception, Ctrl-C included, leaves as soon as the chunks at work are done; chunks that
    wait are dropped.

    Args:
        task: Called with (first, count) by the workers.
        total: Number of games.
        workers: Who does the work.
        on_progress: Called after every chunk with the number of games that it finished.
    """
    parts: dict[int, Part] = {}
    pending: dict[Future[tuple[float, Part]], tuple[int, int]] = {}
    first, size = 0, 1
    try:
        while first < total or pending:
            # One chunk waits for each that is at work, so that no worker idles meanwhile.
            while first < total and len(pending) < 2 * workers.count:
                # Smaller chunks towards the end let all workers finish together.
                count = max(1, min(size, (total - first) // (2 * workers.count)))
                pending[workers.executor.submit(_timed, task, first, count)] = first, count
                first += count
            done, _ = wait(pending, timeout=_POLL_S, return_when=FIRST_COMPLETED)
            for future in done:
                chunk, count = pending.pop(future)
                seconds, parts[chunk] = future.result()
                size = max(1, min(4 * size, int(TARGET_S * count / max(seconds, 1e-9))))
                if on_progress is not None:
                    on_progress(count)
    except BaseException:
        for future in pending:
            future.cancel()
        wait(pending)
        raise
    return [parts[chunk] for chunk in sorted(parts)]


def _timed(task: Callable[[int, int], Part], first: int, count: int) -> tuple[float, Part]:
    start = time.perf_counter()
    part = task(first, count)
    return time.perf_counter() - start, part
