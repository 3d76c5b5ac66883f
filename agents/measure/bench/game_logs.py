"""Hands of a player that is not compiled, stored with its scorecard in PHH format.

A file has the hands of the blocks between two checks and is named by the first block. It is written
before the card counts these blocks, so that files beyond the card's last block come from an
interrupted run and are overwritten. Its first lines are comments with what the hands do not show,
since the player then checks or folds: the number of illegal answers in these blocks, and the
decisions without a valid answer, if any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from agents.external.invalid_decisions import InvalidDecisions
from nlhe_env.hand_history import Hand, read_hands, write_hands
from nlhe_env.system.files import read_regular, replacing
from nlhe_env.system.json_text import parse_json

_ILLEGAL = re.compile(r"# illegal answers: (\d{1,12})\r?\n")
_INVALID = re.compile(r"^# invalid decisions: (.+)$", re.MULTILINE)
_NUMBER = re.compile(r"\d{7,12}")


class GameLog:
    """The logged hands of a player against one anchor.

    Args:
        folder: Folder of the scorecard.
        suite: Name of the suite.
        opponent: Name of the anchor.
    """

    def __init__(self, folder: Path, suite: str, opponent: str) -> None:
        self._folder = folder / "hands" / suite / opponent

    def write(
        self, first: int, hands: Sequence[Hand], illegal: int, invalid: InvalidDecisions
    ) -> None:
        """Write the hands of the blocks from number ``first``, and their illegal answers."""
        comments = f"# illegal answers: {illegal}\n"
        if invalid.total:
            comments += f"# invalid decisions: {json.dumps(invalid.as_dict())}\n"
        self._folder.mkdir(parents=True, exist_ok=True)
        with replacing(self._folder / f"{first:07}.phhs") as file:
            file.write(f"{comments}{write_hands(hands)}".encode())

    def read(self, blocks: int) -> Iterator[Hand]:
        """Hands of the first blocks, in the order of play.

        Raises:
            ValueError: A file is not a log of hands.
        """
        for text in self._texts(blocks):
            yield from read_hands(text)

    def illegal(self, blocks: int) -> int:
        """Number of illegal answers in the first blocks; logs before nlhe-env 2.0 have none."""
        found = (_ILLEGAL.match(text) for text in self._texts(blocks))
        return sum(int(match[1]) for match in found if match is not None)

    def invalid(self, blocks: int) -> InvalidDecisions:
        """Decisions without a valid answer in the first blocks.

        Raises:
            ValueError: A comment does not have them.
        """
        found = InvalidDecisions()
        for text in self._texts(blocks):
            if (match := _INVALID.search(text)) is not None:
                found.merge(InvalidDecisions.from_dict(parse_json(match[1])))
        return found

    def _texts(self, blocks: int) -> Iterator[str]:
        for path in sorted(self._folder.glob("*.phhs")):
            if not _NUMBER.fullmatch(path.stem):
                raise ValueError(f"{path} is not named by the number of its first block")
            if int(path.stem) < blocks:
                yield read_regular(path).decode()
