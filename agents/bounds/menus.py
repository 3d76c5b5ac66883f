"""What a local best response may do: raises by street."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from nlhe_env.arguments import number, one_of
from nlhe_env.game.table import STREET_NAMES
from nlhe_env.machine.array_types import F64

MENUS: dict[str, tuple[float, ...]] = {
    "fold-call": (),
    "fcpa": (1.0, math.inf),
    "56-bets": tuple(0.05 * 1.15**k for k in range(56)),
}
"""Raises in pots; infinity is all-in. Folding, checking and calling are always there."""

MenuLike: TypeAlias = str | Iterable[float]


@dataclass(frozen=True)
class Menu:
    """Raises that a local best response considers on every street.

    Attributes:
        raises: For each of the four streets the raises in fractions of the pot after calling,
            ``inf`` for all-in; None where it waits: checks or calls whatever comes.
        name: For tables.
    """

    raises: tuple[tuple[float, ...] | None, ...]
    name: str

    @classmethod
    def of(cls, menu: MenuLike, waits: Sequence[str] = ()) -> Menu:
        """One menu for all streets on which it does not wait.

        Args:
            menu: A name in ``MENUS``, or raises in pots, ``inf`` for all-in.
            waits: Names of the streets on which it waits.

        Raises:
            ValueError: There is no such menu or street, or a raise is not above 0.

        >>> Menu.of("fcpa", waits=("preflop", "flop")).name
        'fcpa, waits preflop flop'
        """
        streets = [one_of("waits", street, STREET_NAMES) for street in waits]
        if isinstance(menu, str):
            name, raises = menu, MENUS[one_of("menu", menu, tuple(MENUS))]
        else:
            raises = tuple(
                fraction if fraction == math.inf else number("menu", fraction, least=0, above=True)
                for fraction in menu
            )
            name = " ".join(f"{fraction:g}" for fraction in raises) or "fold-call"
        if streets:
            name += f", waits {' '.join(street for street in STREET_NAMES if street in streets)}"
        return cls(tuple(None if s in streets else raises for s in STREET_NAMES), name)

    def array(self) -> F64:
        """``(4, n)`` for kernels: raises, 0 after the last; -1 where it waits."""
        longest = max(len(raises or ()) for raises in self.raises)
        rows = np.zeros((len(self.raises), longest + 1))
        for row, raises in zip(rows, self.raises, strict=True):
            if raises is None:
                row[0] = WAITS
            else:
                row[: len(raises)] = raises
        return rows


WAITS = -1.0
