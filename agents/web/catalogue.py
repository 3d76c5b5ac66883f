"""Players that can be seated from the browser, by name and never by path or command."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from agents import registry
from agents.external.player_lifecycle import close_all
from agents.player_records import PLAYERS, find_record
from agents.policy.compiled_player import Player
from agents.web.table.setup import HUMAN
from nlhe_env.arguments import one_of

_MOST_CHAMPIONS = 200
_LONGEST_NAME = 200
_SAVED = "a saved player"


class Catalogue:
    """The players that pages may choose from.

    Built-in players are known by name, with options as in ``agents.make``. Files and programs must
    be ``offered``: a name from a page is looked up there and never taken as a path. For the same
    reason, pages may set numeric and Boolean options but no strings, and no sizes that determine
    the time or memory for creating a player.

    Args:
        named: Names, paths, addresses and ``process:`` commands as in ``agents.make``, from the
            user who starts the server.
        runs: Folder of runs whose champions are offered; it need not exist.
        more: Function that creates further players by name, and returns None for unknown names.

    Raises:
        ValueError: A named player does not exist.
    """

    def __init__(
        self,
        named: Sequence[str] = (),
        *,
        runs: Path | None = None,
        more: Callable[[str], Player | None] = lambda name: None,
    ) -> None:
        self._runs = runs
        self._more = more
        self.built_in = registry.names()
        """The names of ``agents.make``."""
        self._named: dict[str, str] = {}
        for name in named:
            close_all([registry.make(name)])
            self._named[self._free(registry.short_name(name), self._named)] = name
        # Players of other packages are not loaded before one is requested.
        options = {name: _settable(name) for name in registry.names(plugins=False)}
        options |= {label: _settable(named) for label, named in self._named.items()}
        self.options = {name: known for name, known in options.items() if known}
        """The options of the players that have some, and their defaults."""
        self.heads_up = {
            betting: [name for name, one in PLAYERS.items() if one.betting == betting]
            for betting in ("fixed-limit", "no-limit")
        }
        """The players that play nothing but heads-up, by the betting that they know."""
        self.compiled = [name for name, one in PLAYERS.items() if one.compiled]
        """The built-in players whose probabilities can be asked."""
        self._descriptions = {
            name: registry.describe(name) for name in registry.names(plugins=False)
        } | {label: _line_about(named) for label, named in self._named.items()}

    def offered(self) -> dict[str, str]:
        """Players named by the user and current champions: label to name for ``agents.make``."""
        offered = dict(self._named)
        if self._runs is not None:
            # Run folders are named by time: newest first.
            champions = sorted(self._runs.glob("*/champion.npz"), reverse=True)
            for path in champions[:_MOST_CHAMPIONS]:
                if not path.is_file():  # a named pipe would block
                    continue
                offered[self._free(f"champion of {path.parent.name}", offered)] = str(path)
        return offered

    def _free(self, label: str, taken: Collection[str]) -> str:
        """The label, with a number if it is already taken."""
        number, free = 2, label
        while free in taken or free in self.built_in or free == HUMAN:
            free = f"{label} ({number})"
            number += 1
        return free

    def descriptions(self) -> dict[str, str]:
        """One-line descriptions of the players for pages; empty if unknown."""
        return dict.fromkeys(self.offered(), _SAVED) | self._descriptions

    def describe(self, name: str) -> str:
        """Description of a player in the catalogue, with or without options; empty if unknown."""
        known = self.descriptions()
        return known.get(_base(name, self.offered()), "")

    def make(self, name: str) -> Player:
        """Create the player that a page requests.

        Raises:
            ValueError: The name is not in the catalogue, or an option is invalid.
            RuntimeError: The player of another package fails to load.
        """
        if not isinstance(name, str) or len(name) > _LONGEST_NAME:
            raise ValueError(f"a player must be a name of at most {_LONGEST_NAME} characters")
        offered = self.offered()
        player = self._more(name)
        if player is not None:
            return player
        if name in offered:
            return registry.make(offered[name])
        base = _base(name, offered)
        if base not in self.built_in and base not in offered:
            raise ValueError(
                f"there is no player {name!r} here; files and programs are named on the "
                "command line: nlhe play FILE.npz"
            )
        full_name = offered.get(base, base)
        text = name[len(base) + 1 :]
        if not text:
            return registry.make(full_name)
        known = _settable(full_name)
        if not known:
            raise ValueError(f"this player has no options here; got {name!r}")
        for part in text.split(","):
            one_of("an option", part.partition("=")[0], known)
        return registry.make(f"{full_name}:{text}")


def _base(name: str, offered: Mapping[str, str]) -> str:
    """Player name without options; labels of files may contain colons."""
    labels = [label for label in offered if name == label or name.startswith(f"{label}:")]
    return max(labels, key=len) if labels else name.partition(":")[0]


def _line_about(name: str) -> str:
    if name.endswith(".npz"):
        return _SAVED
    if name.startswith("process:"):
        return "a program"
    try:
        return registry.describe(name)
    except (ValueError, RuntimeError):
        return ""


def _settable(name: str) -> dict[str, Any]:
    """Options that a page may set for a player, and their defaults."""
    if "=" in name or name.startswith(("process:", "http:", "https:")) or name.endswith(".npz"):
        return {}  # its options are fixed, or it has none
    record = find_record(name.partition(":")[0])
    hidden = () if record is None else record.costly
    return {
        key: value
        for key, value in registry.options(name).items()
        if isinstance(value, (bool, int, float)) and key not in hidden
    }
