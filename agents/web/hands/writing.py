"""Hand files for download, written in a separate thread."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Iterator
from functools import partial

from agents.web.table.participants import Refused
from nlhe_env.hand_history import Hand, write_hands
from nlhe_env.system.threads import Threads

_MOST_AT_ONCE = 16
_HANDS_A_PART = 50  # some milliseconds of work


class HandWriter:
    """Writes hand files in parts in its own thread, with a limit on simultaneous files."""

    def __init__(self) -> None:
        self._thread = Threads(1)
        self._writing = 0

    async def parts(self, hands: Iterator[Hand]) -> AsyncGenerator[bytes, None]:
        """Text of a ``.phhs`` file, part by part.

        Args:
            hands: The hands, consumed in the thread.

        Raises:
            Refused: Too many files are being written already.
        """
        if self._writing >= _MOST_AT_ONCE:
            raise Refused("too many hand files are being written; try again later")
        self._writing += 1
        try:
            first = 1
            while True:
                work = self._thread.submit(partial(_part, hands, first))
                part = await asyncio.wrap_future(work)
                if not part:
                    return
                yield part
                first += _HANDS_A_PART
        finally:
            self._writing -= 1

    def close(self) -> None:
        """End the thread after its pending work."""
        self._thread.finish()


def _part(hands: Iterator[Hand], first: int) -> bytes:
    """Next sections of a file; empty at its end."""
    text = write_hands(itertools.islice(hands, _HANDS_A_PART), first=first)
    return (text if first == 1 or not text else f"\n{text}").encode()
