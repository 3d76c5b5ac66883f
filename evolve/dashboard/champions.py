"""Champions of the runs on the dashboard, as players at the browser table."""

from __future__ import annotations

import re

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from evolve.dashboard.root import Root
from evolve.training.folder import RunFolder

_OF_GENERATION = re.compile(r"champion (\d{1,3}) of generation (\d{1,7}) of (.+)")
_PRESENT = re.compile(r"champion of (.+)")


class Champions:
    """Factory of players by name: the champions of the runs in a root.

    Args:
        root: Folder of the runs.
    """

    def __init__(self, root: Root) -> None:
        self._root = root

    def __call__(self, name: str) -> CompiledPlayer | None:
        """The player ``"champion of RUN"`` or ``"champion 1 of generation 12 of RUN"``.

        The first is the current champion, also of an unfinished run. The number in the second is
        that of the sub-population.

        Returns:
            None for other names, and for current champions of unknown runs.

        Raises:
            ValueError: There is no such run or generation, or no champion yet.
        """
        match = _OF_GENERATION.fullmatch(name)
        if match is not None:
            folder = self._folder(match[3])
            return champion_of(folder, int(match[2]), int(match[1]) - 1)
        match = _PRESENT.fullmatch(name)
        if match is None or match[1] not in self._root.folders():
            return None
        player = self._folder(match[1]).champion()
        player.name = f"generation {player.origin['generation']}"
        return player

    def _folder(self, run: str) -> RunFolder:
        try:
            return RunFolder.open(self._root.folders()[run])
        except KeyError:
            raise ValueError(f"there is no run {run!r} here, or no longer") from None


def champion_of(folder: RunFolder, generation: int, sub_population: int = 0) -> CompiledPlayer:
    """The champion of a generation.

    Raises:
        ValueError: The run has not kept it.
    """
    rows = np.flatnonzero(folder.generations() == generation)
    if not len(rows):
        raise ValueError(f"the champion of generation {generation} is not kept")
    player: CompiledPlayer = folder.champions(sub_population).player(
        int(rows[-1]), name=f"generation {generation}", origin={"generation": generation}
    )
    return player
