"""Division of work into spans that do not depend on the number of threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

_Result = TypeVar("_Result")

Span = tuple[int, int]
"""First item of work, and one beyond the last."""


def spans(first: int, last: int, n_spans: int) -> list[Span]:
    """The work from ``first`` to ``last`` in nearly equal, non-empty spans."""
    n = last - first
    edges = [first + n * i // n_spans for i in range(n_spans + 1)]
    return [(a, b) for a, b in pairwise(edges) if a < b]


class Threads:
    """Thread pool, started only for enough work."""

    def __init__(self, n_threads: int) -> None:
        self._n_threads = n_threads
        self._executor: ThreadPoolExecutor | None = None

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor:
            self._executor.shutdown(cancel_futures=True)

    def map(self, task: Callable[[int, int], _Result], work: list[Span]) -> list[_Result]:
        """Results of ``task`` for spans of work, in order."""
        if self._n_threads == 1 or len(work) == 1:
            return [task(*span) for span in work]
        self._executor = self._executor or ThreadPoolExecutor(self._n_threads)
        return list(self._executor.map(task, *zip(*work, strict=True)))
