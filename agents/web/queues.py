"""Queue for slow work that is done one at a time, with a limit on those waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from agents.web.table.participants import Refused
from agents.web.threads import DaemonExecutor

_Result = TypeVar("_Result")


class WorkQueue:
    """A thread for one kind of work.

    Args:
        name: Name of the thread.
        most: Maximum number of waiting requests.
        busy: Message for further requests.
    """

    def __init__(self, name: str, most: int, busy: str) -> None:
        self._thread = DaemonExecutor(name)
        self._most = most
        self._busy = busy
        self._waiting = 0

    async def run(self, work: Callable[..., _Result], *arguments: Any) -> _Result:
        """Result of the work, after waiting for its turn.

        Raises:
            Refused: Too many requests are waiting.
        """
        if self._waiting >= self._most:
            raise Refused(self._busy)
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._thread.submit(work, *arguments))
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Close the queue: finish the waiting work, without blocking the caller."""
        self._thread.shutdown()
