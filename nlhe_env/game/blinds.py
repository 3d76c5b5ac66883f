"""Blind schedules: small blind, big blind and ante by number of hands played."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from nlhe_env.arguments import one_of, whole_number
from nlhe_env.jit.array_types import I64

Level = tuple[int, int, int]

AnteBy = Literal["everyone", "big blind"]
ANTE_BY: tuple[AnteBy, ...] = get_args(AnteBy)  # in the order of the table's codes

_TEXT = re.compile(r"(\d+)/(\d+)(?:/(\d+))?")

# Rows 0, 1, 2, 6, 10, 14, 17 and 24 are printed in Nicolai's thesis (table 2.2, credited to the
# PokerStars tournament structure); the others are interpolated.
_POKERSTARS: tuple[Level, ...] = (
    (10, 20, 0),
    (15, 30, 0),
    (25, 50, 0),
    (50, 100, 0),
    (75, 150, 0),
    (100, 200, 0),
    (100, 200, 25),
    (200, 400, 25),
    (300, 600, 50),
    (400, 800, 50),
    (600, 1200, 75),
    (800, 1600, 75),
    (1000, 2000, 100),
    (2000, 4000, 200),
    (3000, 6000, 300),
    (4000, 8000, 400),
    (6000, 12000, 600),
    (10000, 20000, 1000),
    (15000, 30000, 1500),
    (20000, 40000, 2000),
    (30000, 60000, 3000),
    (40000, 80000, 4000),
    (60000, 120000, 6000),
    (100000, 200000, 10000),
    (150000, 300000, 15000),
)


@dataclass(frozen=True)
class BlindSchedule:
    """Blind levels in chips (small blind, big blind, ante); the last level has no end.

    Args:
        levels: At least one level; the ante is optional. Blinds and antes must not decrease, and
            the big blind is at least 2 and at least the small blind.
        hands_per_level: Hands per level (rounds in a multi-table tournament).
        ante_by: Payer of the ante: ``"everyone"``, or ``"big blind"`` for one ante per table, paid
            after the blind for any number of players (TDA 2024).

    Raises:
        ValueError: A level breaks these rules; the message names it.

    >>> BlindSchedule.pokerstars().at(90)
    (100, 200, 25)
    """

    levels: tuple[Level, ...]
    hands_per_level: int = 15
    ante_by: str = ANTE_BY[0]

    if TYPE_CHECKING:  # any sequences of numbers become levels

        def __init__(
            self, levels: Sequence[Sequence[int]], hands_per_level: int = 15, ante_by: str = ...
        ) -> None: ...

    def __post_init__(self) -> None:
        hands = whole_number("hands_per_level", self.hands_per_level, least=1)
        object.__setattr__(self, "hands_per_level", hands)
        one_of("ante_by", self.ante_by, ANTE_BY)
        try:
            given = list(self.levels)
        except TypeError:
            raise ValueError(f"levels must be a sequence of levels; got {self.levels!r}") from None
        levels = tuple(_level(level, i) for i, level in enumerate(given))
        if not levels:
            raise ValueError("levels must contain at least one (small blind, big blind, ante)")
        for i in range(1, len(levels)):
            if any(now < before for before, now in zip(levels[i - 1], levels[i], strict=True)):
                raise ValueError(
                    f"blinds and antes must not decrease from level to level; level {i - 1} is "
                    f"{levels[i - 1]} and level {i} is {levels[i]}"
                )
        object.__setattr__(self, "levels", levels)

    @classmethod
    def pokerstars(cls) -> BlindSchedule:
        """The published schedule: 25 levels of 15 hands, 10/20 to 150000/300000/15000.

        Source: Nicolai, MSc thesis (University of Regina, 2008), table 2.2; missing rows are
        interpolated.
        """
        return cls(_POKERSTARS, 15)

    @classmethod
    def of(cls, value: BlindSchedule | Iterable[int]) -> BlindSchedule:
        """Return a schedule unchanged, or fixed blinds from ``(sb, bb)`` or ``(sb, bb, ante)``."""
        if isinstance(value, BlindSchedule):
            return value
        if isinstance(value, Iterable) and not isinstance(value, str):
            numbers = tuple(value)
            if len(numbers) in (2, 3):
                return cls((numbers,), 1)  # checked by the constructor
        raise ValueError(
            "blinds must be a BlindSchedule, (small blind, big blind) or "
            f"(small blind, big blind, ante); got {value!r}"
        )

    @classmethod
    def read(cls, text: str) -> BlindSchedule:
        """Parse blinds: the published schedule, or fixed blinds.

        Raises:
            ValueError: The text is not ``"pokerstars"``, ``"SB/BB"`` or ``"SB/BB/ANTE"``.

        >>> BlindSchedule.read("50/100").levels
        ((50, 100, 0),)
        """
        if text == "pokerstars":
            return cls.pokerstars()
        amounts = _TEXT.fullmatch(text) if isinstance(text, str) else None
        if amounts is None:
            raise ValueError(
                'blinds must be "pokerstars", or fixed blinds as "SB/BB" or "SB/BB/ANTE" in chips; '
                f"got {text!r}"
            )
        try:
            return cls.of(tuple(int(amount) for amount in amounts.groups() if amount))
        except ValueError as error:
            raise ValueError(f"blinds {text!r}: {error}") from error

    def at(self, hands_played: int) -> Level:
        """The level after ``hands_played`` complete hands."""
        return self.levels[min(hands_played // self.hands_per_level, len(self.levels) - 1)]

    def as_array(self) -> I64:
        """``(n_levels, 3)`` int64: small blind, big blind and ante of each level, in chips."""
        return np.array(self.levels, np.int64)


def _level(level: Any, i: int) -> Level:
    try:
        numbers = tuple(level)
    except TypeError:
        numbers = ()
    if len(numbers) not in (2, 3):
        raise ValueError(
            f"level {i} must be (small blind, big blind) or (small blind, big blind, ante); "
            f"got {level!r}"
        )
    names = ("small blind", "big blind", "ante")
    whole = [
        whole_number(f"{name} of level {i}", n, least=0)
        for n, name in zip(numbers, names, strict=False)
    ]
    small, big, ante = (*whole, 0)[:3]
    if big < 2 or big < small or max(big, ante) > 2**40:
        raise ValueError(
            f"level {i} must have 0 <= small blind <= big blind, big blind >= 2 and ante >= 0, "
            f"in chips; got {level!r}"
        )
    return small, big, ante
