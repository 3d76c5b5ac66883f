"""Observations: a name, a kernel that writes the vector, and descriptions of its fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.game.description import Game
from nlhe_env.game.player import PLAYER
from nlhe_env.game.table import TABLE
from nlhe_env.jit.array_types import F32
from nlhe_env.jit.function_pointers import Signature

WRITER = Signature(
    "an observation",
    None,
    table=np.zeros(1, TABLE)[0],
    players=np.zeros(1, PLAYER),
    seat=0,
    strength_tables=blank_tables(),
    out=np.zeros(1, np.float32),
)
"""``write(table, players, seat, strength_tables, out)`` writes all of ``out``, float32, for a seat
with a player. It may use only public information and the seat's own cards."""


class Part(NamedTuple):
    """Consecutive numbers of an observation with one meaning."""

    name: str
    start: int
    """Index of the first number."""
    size: int
    """Number of numbers."""
    highest: float
    """Maximum of the numbers, representable in float32."""
    meaning: str
    """Meaning in words, for tables."""
    lowest: float = 0.0
    """Minimum of the numbers."""

    @property
    def stop(self) -> int:
        """One beyond the last index."""
        return self.start + self.size


Layout = Iterable[tuple[str, int, float, str] | tuple[str, int, float, str, float]]
"""Name, size, maximum, meaning and, if not 0, minimum of the parts in order."""


def parts_of(layout: Layout) -> tuple[Part, ...]:
    """Parts with consecutive indices.

    Raises:
        ValueError: A part does not have four or five values, or its size is below 1.

    >>> [part.start for part in parts_of([("suit", 4, 1, "one-hot"), ("pot", 1, 99, "chips")])]
    [0, 4]
    """
    parts: list[Part] = []
    for entry in layout:
        if len(entry) not in (4, 5) or entry[1] < 1:
            raise ValueError(
                "a part must be (name, size, maximum, meaning) or (name, size, maximum, meaning, "
                f"minimum), with a size of at least 1; got {entry!r}"
            )
        name, size, highest, meaning = entry[:4]
        lowest = entry[4] if len(entry) == 5 else 0.0
        parts.append(Part(name, parts[-1].stop if parts else 0, size, highest, meaning, lowest))
    return tuple(parts)


@dataclass(frozen=True, eq=False)
class Observation:
    """Observation from a seat, as a float32 vector.

    Args:
        name: Name for ``observation=`` of the environments and ``inputs=`` of networks.
        write: Kernel of the signature ``WRITER``.
        parts: Function that returns the descriptions of the fields for a number of players.
        size: Vector size if equal in all games, as networks require.
        looks_up: Whether the kernel uses the exact strength tables.
        write_late: Variant of the kernel that writes NaN instead of table lookups, for players that
            look up values only when needed.
    """

    name: str
    write: Callable[..., Any]
    parts: Callable[[Game, int], tuple[Part, ...]]
    size: int | None = None
    looks_up: bool = False
    write_late: Callable[..., Any] | None = None

    @property
    def address(self) -> int:
        """Address of the kernel, for ``observe``; compiles it on first use."""
        return WRITER.address_of(self.write)

    @property
    def late_address(self) -> int:
        """Address of the kernel without lookups, or of the normal kernel if there is none."""
        return WRITER.address_of(self.write_late or self.write)

    def size_in(self, game: Game, num_players: int) -> int:
        """Vector size in a game with this number of players."""
        return self.parts(game, num_players)[-1].stop if self.size is None else self.size

    def bounds(self, game: Game, num_players: int) -> tuple[F32, F32]:
        """Minimum and maximum of every number, ``(size,)`` float32 each."""
        parts = self.parts(game, num_players)
        sizes = [part.size for part in parts]
        lowest = np.repeat(np.array([part.lowest for part in parts], np.float32), sizes)
        highest = np.repeat(np.array([part.highest for part in parts], np.float32), sizes)
        return lowest, highest

    def __deepcopy__(self, memo: Any) -> Observation:
        return self
