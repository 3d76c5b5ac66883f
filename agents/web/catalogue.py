"""Who can be seated from the browser: names, never paths or commands that a page made up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from agents import registry
from agents.compiled.players import Agent
from agents.outside.seating import close_all

_MOST_CHAMPIONS = 200
_LONGEST_NAME = 200


class Catalogue:
    """The players that pages may choose from.

    Built-in players are known by name, with options as in ``agents.make``. Files and programs must
    be ``offered``: what a page sends is looked up there and never taken for a path.

    Args:
        named: Names, paths and ``process:`` commands as in ``agents.make``, from the user who
            starts us.
        runs: Folder of runs, whose champions are offered; need not exist.
        more: Makes further players of names that it knows, and returns None for all others.

    Raises:
        ValueError: A named player does not exist.
    """

    def __init__(
        self,
        named: Sequence[str] = (),
        *,
        runs: Path | None = None,
        more: Callable[[str], Agent | None] = lambda name: None,
    ) -> None:
        self._runs = runs
        self._more = more
        self._named: dict[str, str] = {}
        for name in named:
            close_all([registry.make(name)])
            self._named[_free(registry.short_name(name), self._named)] = name
        self.built_in = registry.names()
        """The names of ``agents.make``."""
        options = {name: registry.options(name) for name in registry.names(compiled=True)}
        self.options = {name: known for name, known in options.items() if known}
        """The options of the built-in players that have some, and their defaults."""

    def offered(self) -> dict[str, str]:
        """What the user named, and the champions there are now: label -> for ``agents.make``."""
        offered = dict(self._named)
        if self._runs is not None:
            # Run folders are named by their time: newest first.
            champions = sorted(self._runs.glob("*/champion.npz"), reverse=True)
            for path in champions[:_MOST_CHAMPIONS]:
                offered[_free(f"champion of {path.parent.name}", offered)] = str(path)
        return offered

    def make(self, name: str) -> Agent:
        """The player that a page asks for.

        Raises:
            ValueError: There is none of this name here, or an option is not possible.
            RuntimeError: The player of another package fails to load.
        """
        if not isinstance(name, str) or len(name) > _LONGEST_NAME:
            raise ValueError(f"a player must be a name of at most {_LONGEST_NAME} characters")
        offered = self.offered()
        if name in offered:
            return registry.make(offered[name])
        player = self._more(name)
        if player is not None:
            return player
        base = name.partition(":")[0]
        if base not in self.built_in or name.endswith(".npz"):
            raise ValueError(
                f"there is no player {name!r} here; files and programs are offered by the command "
                "that starts the table: python -m agents play FILE.npz"
            )
        return registry.make(name)


def _free(label: str, taken: dict[str, str]) -> str:
    """The label, with a number where it is taken."""
    number, free = 2, label
    while free in taken or free in registry.names(compiled=True):
        free = f"{label} ({number})"
        number += 1
    return free
