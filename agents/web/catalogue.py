"""Who can be seated from the browser: names, never paths or commands that a page made up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agents import registry
from agents.players import Agent

_MOST_CHAMPIONS = 200
_LONGEST_NAME = 120


@dataclass(frozen=True)
class Catalogue:
    """The players that pages may choose from.

    Built-in players are known by name, with options as in ``agents.make``. Files and programs must
    be listed in ``offered``: what a page sends is looked up there and never taken for a path.

    Args:
        offered: Label -> what ``agents.make`` takes.
    """

    offered: dict[str, str] = field(default_factory=dict)

    @classmethod
    def find(cls, runs: Path = Path("runs"), named: Sequence[str] = ()) -> Catalogue:
        """The champions of the runs in a folder, and players named by the user who starts us.

        Args:
            runs: Folder of runs; need not exist.
            named: Names, paths and ``process:`` commands as in ``agents.make``.

        Raises:
            ValueError: A named player does not exist.
        """
        offered: dict[str, str] = {}
        for name in named:
            _close(registry.make(name))
            label = Path(name).stem if name.endswith(".npz") else name
            offered[_free(label, offered)] = name
        champions = sorted(runs.glob("*/champion.npz"))[-_MOST_CHAMPIONS:]
        for path in reversed(champions):  # run folders are named by their time: newest first
            offered[_free(f"champion of {path.parent.name}", offered)] = str(path)
        return cls(offered)

    def names(self) -> list[str]:
        """All that a page offers, what the user named and champions first."""
        return [*self.offered, *registry.names()]

    def options(self) -> dict[str, dict[str, float]]:
        """The options of the built-in players that have some, and their defaults."""
        found = {name: registry.options(name) for name in registry.names()}
        return {name: options for name, options in found.items() if options}

    def make(self, name: str) -> Agent:
        """The player that a page asks for.

        Raises:
            ValueError: There is none of this name here, or an option is not possible.
            RuntimeError: The player of another package fails to load.
        """
        if not isinstance(name, str) or len(name) > _LONGEST_NAME:
            raise ValueError(f"a player must be a name of at most {_LONGEST_NAME} characters")
        if name in self.offered:
            return registry.make(self.offered[name])
        base = name.partition(":")[0]
        if base not in registry.names() or name.endswith(".npz"):
            raise ValueError(
                f"there is no player {name!r} here; files and programs are offered by the command "
                "that starts the table: python -m agents play FILE.npz"
            )
        return registry.make(name)


def _free(label: str, taken: dict[str, str]) -> str:
    """The label, with a number where it is taken."""
    number, free = 2, label
    while free in taken or free in registry.names():
        free = f"{label} ({number})"
        number += 1
    return free


def _close(player: Agent) -> None:
    close = getattr(player, "close", None)
    if close is not None:
        close()
