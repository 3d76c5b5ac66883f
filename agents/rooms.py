"""Rooms: what a publication, or another package, adds to players and training.

A room is a folder of ``agents.theses`` or ``evolve.theses`` with a module ``room``, whose ``ROOM``
is a record of names. Nothing of it is imported before it is asked for by name. Another package adds
a room by an entry point::

    [project.entry-points."nlhe_env.rooms"]
    sharks = "sharks.room:ROOM"
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any, Literal

from nlhe_env.game.description import Betting
from nlhe_env.system.python_files import describe_error

GROUP = "nlhe_env.rooms"


@dataclass(frozen=True)
class PlayerRecord:
    """A player by name, with what a list of players shows.

    Args:
        name: Its name for ``agents.make``.
        does: What it does, in one line.
        make: ``"module:name"`` of the function that makes it, whose keyword arguments are its
            options, or ``"package:path"`` of a saved player.
        seats: Number of players in its games; None for any number.
        betting: Its betting structure; None for all.
        observation: What it decides on: ``"table"`` for all that a player sees, ``"nothing"`` but
            the legal actions, or the name of an observation.
        memory: Whether earlier actions or hands, which its observation lacks, change its play.
        speed: ``"fast"``; ``"slow"``, about a hundred times slower; or ``"python"``, not compiled.
        costly: Options with which making it may take minutes, or much memory.
        by_name: Whether ``make`` is called with the name, and returns a ``PlayerFactory``.
    """

    name: str
    does: str
    make: str
    seats: int | None = None
    betting: Betting | None = None
    observation: str = "table"
    memory: bool = False
    speed: Literal["fast", "slow", "python"] = "fast"
    costly: tuple[str, ...] = ()
    by_name: bool = False

    @property
    def compiled(self) -> bool:
        """Whether it is compiled, and not Python."""
        return self.speed != "python"

    @property
    def plays_whole_tournaments(self) -> bool:
        """Whether it is compiled, fast, and knows every game."""
        return self.speed == "fast" and self.seats is None and self.betting is None

    @property
    def traits(self) -> str:
        """Its traits in words.

        >>> PlayerRecord("shark", "bites", "sharks:Shark", seats=2).traits
        'heads-up; observation: table; no memory; fast'
        """
        numbers = {None: "any number of players", 2: "heads-up"}
        seats = numbers.get(self.seats, f"{self.seats} players")
        betting = "" if self.betting is None else f", {self.betting}"
        memory = "memory" if self.memory else "no memory"
        return f"{seats}{betting}; observation: {self.observation}; {memory}; {self.speed}"


@dataclass(frozen=True, kw_only=True)
class Room:
    """What a room adds, by names; each text ``"module:name"`` is imported when it is asked for.

    Args:
        does: What it contains, in one line.
        players: Players for ``agents.make``.
        kinds: Modules that register kinds of compiled players, by the kind's name.
        parts: Parts of training, as ``"module:Class"`` by section and name.
        presets: Package with a folder ``presets`` of configurations; empty for none.
        commands: Commands of ``nlhe``, as ``"module:Class"`` by name.
        names: Public names of its package, with their modules.
    """

    does: str
    players: tuple[PlayerRecord, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    presets: str = ""
    commands: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def load(self, name: str) -> Any:
        """A public name of the room; the ``__getattr__`` of its package.

        Raises:
            AttributeError: It has no such name.
        """
        if name not in self.names:
            raise AttributeError(f"there is no {name!r} among {', '.join(sorted(self.names))}")
        return getattr(import_module(self.names[name]), name)


def find_rooms(package: str) -> tuple[Room, ...]:
    """Rooms in the folders of a package; empty if there is no such package."""
    return tuple(_rooms_of(package).values())


@cache
def _rooms_of(package: str) -> dict[str, Room]:
    spec = find_spec(package)
    folders = () if spec is None else iter_modules(spec.submodule_search_locations)
    names = sorted(folder.name for folder in folders if folder.ispkg)
    return {name: import_module(f"{package}.{name}.room").ROOM for name in names}


def explain_missing(module: str, name: str, moved: Mapping[str, Sequence[str]]) -> AttributeError:
    """Error for an attribute that a module lacks, which names the module or room that has it.

    Args:
        module: The module.
        name: The attribute.
        moved: Names that moved from it to other modules, by these.
    """
    for home, names in moved.items():
        if name in names:
            return AttributeError(f"{module}.{name} is now {home}.{name}")
    for folder, room in _rooms_of(f"{module}.theses").items():
        if name in room.names:
            return AttributeError(f"{module}.{name} is now {module}.theses.{folder}.{name}")
    return AttributeError(f"module {module!r} has no attribute {name!r}")


@cache
def installed_rooms() -> tuple[Room, ...]:
    """Rooms of other packages; warns of each that cannot be read."""
    found = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.value):
        try:
            room = point.load()
        except Exception as error:
            warnings.warn(f"the room {point.value} fails: {describe_error(error)}", stacklevel=2)
            continue
        if isinstance(room, Room):
            found.append(room)
        else:
            warnings.warn(f"{point.value} must be a Room; got {room!r}", stacklevel=2)
    return tuple(found)
