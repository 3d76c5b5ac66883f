"""Work cut into chunks for workers.

A task is a pure function of (first, count): it plays the games numbered ``first`` to
``first + count - 1``. The chunk size follows the speed of the workers. It affects the delay of
progress reports and interruptions, never a result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TypeVar

from agents.match.workers.base import ChunkLostError, Task, Timed, Workers, WorkersError

Part = TypeVar("Part")

MOST_LOSSES = 3
"""Number of workers that may die on a chunk before it is given up."""
_POLL_S = 0.5  # a wait without timeout cannot be interrupted on every system


def run_chunks(
    task: Task[Part],
    total: int,
    *,
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
    on_part: Callable[[int, Part], None] | None = None,
) -> list[Part]:
    """Run a task of ``total`` games in chunks, and return its parts in order.

    An exception, Ctrl-C included, drops the waiting chunks and propagates once the running chunks
    are finished, or stopped where possible. If a worker dies, another plays its chunk.

    Args:
        task: Callable with arguments (first, count).
        total: Number of games.
        workers: Workers for the task.
        on_progress: Callback after every chunk, with its number of games.
        on_part: Called before that with the number of the first game of the chunk and its part.
            After an exception it still gets the parts that are finished.

    Raises:
        WorkersError: No worker is left, or several workers died on the same chunk.
    """
    parts: dict[int, Part] = {}
    pending: dict[Future[Timed[Part]], tuple[int, int]] = {}
    lost: list[tuple[int, int]] = []
    losses: Counter[int] = Counter()
    kind = type(task), total
    first, size = 0, workers.sizes.get(kind, 1)

    def keep(first: int, part: Part) -> None:
        parts[first] = part
        if on_part is not None:
            on_part(first, part)

    with workers.begin(task) as job:
        try:
            while first < total or lost or pending:
                at_once = workers.chunks_each * workers.count
                while (first < total or lost) and len(pending) < at_once:
                    if lost:
                        chunk = lost.pop()
                    else:
                        chunk = first, _next_size(size, total - first, workers)
                        first += chunk[1]
                    pending[job.submit(*chunk)] = chunk
                done, _ = wait(pending, timeout=_POLL_S, return_when=FIRST_COMPLETED)
                if not done:
                    job.check()
                for future in done:
                    chunk = pending.pop(future)
                    try:
                        seconds, part = job.collect(future)
                    except ChunkLostError as error:
                        losses[chunk[0]] += 1
                        if losses[chunk[0]] == MOST_LOSSES:
                            raise WorkersError(
                                f"{MOST_LOSSES} workers died one after the other while they played "
                                f"{_games(*chunk)}; standard error may say why, or there was too "
                                "little memory"
                            ) from error
                        lost.append(chunk)
                        continue
                    count = chunk[1]
                    size = max(1, min(4 * size, int(workers.target_s * count / max(seconds, 1e-9))))
                    keep(chunk[0], part)
                    if on_progress is not None:
                        on_progress(count)
        except BaseException:
            for future in pending:
                future.cancel()
            job.abandon(pending)
            for future, chunk in pending.items():
                if future.done() and not future.cancelled() and future.exception() is None:
                    keep(chunk[0], future.result()[1])
            raise
    # Games may be longer in the next call, so it starts with smaller chunks.
    workers.sizes[kind] = max(1, size // 2)
    return [parts[chunk] for chunk in sorted(parts)]


def _next_size(size: int, left: int, workers: Workers) -> int:
    """Games of the next chunk, fewer towards the end so that all workers finish together."""
    least = int(size * min(1.0, workers.least_s / workers.target_s))
    return min(left, max(1, least, min(size, left // (2 * workers.count))))


def _games(first: int, count: int) -> str:
    return f"game {first}" if count == 1 else f"games {first} to {first + count - 1}"
