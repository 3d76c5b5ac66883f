"""Champions of the runs on the dashboard, as players at the browser table."""

from __future__ import annotations

import re

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from evolve.dashboard.root import Root
from evolve.training.folder import RunFolder

_NAME = re.compile(r"champion (\d{1,3}) of generation (\d{1,7}) of (.+)")


class Champions:
    """Factory of players by name: the champions of the runs in a root.

    Args:
        root: Folder of the runs.
    """

    def __init__(self, root: Root) -> None:
        self._root = root

    def __call__(self, name: str) -> CompiledPlayer | None:
        """The player ``"champion 1 of generation 12 of RUN"``; None for other names.

        The first number is that of the sub-population.

        Raises:
            ValueError: There is no such run or generation.
        """
        match = _NAME.fullmatch(name)
        if match is None:
            return None
        sub_population, generation, run = int(match[1]) - 1, int(match[2]), match[3]
        try:
            folder = RunFolder.open(self._root.folders()[run])
        except KeyError:
            raise ValueError(f"there is no run {run!r} here, or no longer") from None
        return champion_of(folder, generation, sub_population)


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
