"""Parts of a training that are chosen by name: their registers, and what they need from each other.

Every sort of part (genomes, optimizer, opponents, schedule, fitness) has a register. A part is a
frozen dataclass, which is also its section of a configuration, and checks its own partners.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from pkgutil import resolve_name
from typing import Any, ClassVar, TypeAlias, TypeVar

from agents.rooms import find_rooms, installed_rooms
from nlhe_env.system.python_files import register_from_file

Partners: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Values of other sections, by section and name; a kind has the name ``kind``."""


class Part(ABC):
    """Base class of the sections of a configuration with several kinds.

    Attributes:
        section: Name of the section.
        partners: Kinds of other sections that it needs, and values that suit it. A chosen optimizer
            brings its partners, unless others are named with it.
    """

    section: ClassVar[str]
    partners: ClassVar[Partners] = {}

    def check_partners(self, config: Any) -> None:
        """Check that this part can work with the other parts of a configuration.

        Values without effect are errors too, so that no comparison relies on them by mistake.

        Args:
            config: The ``Config`` with all parts.

        Raises:
            ValueError: It cannot; the message says in the words of the options what it needs.
        """
        for section, values in self.partners.items():
            if "kind" in values and config.kind(section) != values["kind"]:
                raise ValueError(
                    f'{self.section} "{config.kind(self.section)}" needs {section} '
                    f'"{values["kind"]}"; got "{config.kind(section)}"'
                )


P = TypeVar("P", bound=Part)


class Register(MutableMapping[str, type[P]]):
    """Classes of one sort of part by name; those of rooms are imported when they are asked for.

    Args:
        section: Section of configurations, under which rooms have parts.
        sort: The sort for messages, such as "an optimizer".
        kinds: The parts of the core.
        bases: Classes from which a registered class is derived.
        convert: Makes a part of a registered class.
    """

    def __init__(
        self,
        section: str,
        sort: str,
        kinds: Mapping[str, type[P]],
        *bases: type,
        convert: Callable[[Any], type[P]] = lambda kind: kind,
    ) -> None:
        self._sort, self._bases, self._convert = sort, bases, convert
        self._parts: dict[str, type[P] | str] = dict(kinds)
        for room in (*find_rooms("evolve.theses"), *installed_rooms()):
            for name, part in room.parts.get(section, {}).items():
                self._parts.setdefault(name, part)

    def __getitem__(self, name: str) -> type[P]:
        part = self._parts[name]
        if isinstance(part, str):
            part = self._parts[name] = self._convert(resolve_name(part))
        return part

    def __setitem__(self, name: str, part: type[P]) -> None:
        self._parts[name] = part

    def __delitem__(self, name: str) -> None:
        del self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __contains__(self, name: object) -> bool:
        return name in self._parts

    def name_of(self, kind: type) -> str:
        """Name of a part; imports parts of rooms only if no other part is the one."""
        names = [name for name, part in self._parts.items() if part is kind]
        # A file may also register its part under another name, which is unknown without the file.
        return names[-1] if names else next(name for name in self if self[name] is kind)

    def register(self, name: str, kind: Any) -> None:
        """Adds a part.

        Raises:
            ValueError: Another part has this name.
        """
        part = self._convert(kind)
        if self.setdefault(name, part) is not part:
            raise ValueError(f"{self._sort} named {name!r} already exists")

    def load(self, name: str) -> None:
        """Adds the part of a ``FILE.py:NAME`` under that name; ignores other names.

        Raises:
            ValueError: The file does not exist, or has no such part.
            RuntimeError: The file raises an error.
        """
        register_from_file(self, name, self._sort, *self._bases, convert=self._convert)
