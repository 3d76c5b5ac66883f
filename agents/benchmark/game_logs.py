"""Hands of a player that is not compiled, stored with its scorecard in PHH format.

A file has the hands of the blocks between two checks and is named by the first block. It is written
before the card counts these blocks, so that files beyond the card's last block come from an
interrupted run and are overwritten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from nlhe_env.hand_history import Hand, read_hands, write_hands
from nlhe_env.system.files import replacing


class GameLog:
    """The logged hands of a player against one anchor.

    Args:
        folder: Folder of the scorecard.
        suite: Name of the suite.
        opponent: Name of the anchor.
    """

    def __init__(self, folder: Path, suite: str, opponent: str) -> None:
        self._folder = folder / "hands" / suite / opponent

    def write(self, first: int, hands: Sequence[Hand]) -> None:
        """Write the hands of the blocks from number ``first``."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with replacing(self._folder / f"{first:07}.phhs") as file:
            file.write(write_hands(hands).encode())

    def read(self, blocks: int) -> Iterator[Hand]:
        """Hands of the first blocks, in the order of play."""
        for path in sorted(self._folder.glob("*.phhs")):
            if int(path.stem) < blocks:
                yield from read_hands(path.read_text("utf-8"))
