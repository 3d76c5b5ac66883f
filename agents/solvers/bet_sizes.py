"""Which bets and raises a solver may consider, in the words of players."""

from __future__ import annotations

import re
from typing import NamedTuple

from nlhe_env.game.betting import legal_raise
from nlhe_env.game.table import FIXED_LIMIT
from nlhe_env.machine.array_types import Records
from nlhe_env.machine.compilation import kernel
from nlhe_env.spaces.actions import fraction_raise

_SHARE_OF_POT = re.compile(r"(\d+(?:\.\d+)?)\s*%(?:\s*pot)?")
_MULTIPLE = re.compile(r"(\d+(?:\.\d+)?)\s*x")
_ALL_IN = ("all-in", "allin", "a")


class BetSizes(NamedTuple):
    """Sizes of bets and raises, whichever of them are legal where they are asked for."""

    fractions: tuple[float, ...] = ()
    """Of the pot after calling."""
    multiples: tuple[float, ...] = ()
    """Of the bet that is raised; no size for a first bet."""
    all_in: bool = False
    every: bool = False
    """Every whole amount that is legal."""

    @classmethod
    def of(cls, text: str) -> BetSizes:
        """The sizes of a text: shares of the pot, multiples of a bet, all-in.

        Raises:
            ValueError: A part of the text is no size.

        >>> BetSizes.of("50%, pot, 2.5x, all-in")
        BetSizes(fractions=(0.5, 1.0), multiples=(2.5,), all_in=True, every=False)
        """
        fractions, multiples = [], []
        all_in = every = False
        for part in (part.strip().lower() for part in text.split(",") if part.strip()):
            if match := _SHARE_OF_POT.fullmatch(part):
                fractions.append(float(match[1]) / 100)
            elif match := _MULTIPLE.fullmatch(part):
                multiples.append(float(match[1]))
            elif part == "pot":
                fractions.append(1.0)
            elif part in _ALL_IN:
                all_in = True
            elif part == "every":
                every = True
            else:
                raise ValueError(
                    'bet sizes must be "50%", "pot", "2.5x", "all-in" or "every", separated by '
                    f"commas; got {part!r}"
                )
        return cls(tuple(fractions), tuple(multiples), all_in, every)

    def amounts(self, table: Records) -> list[int]:
        """The raises that the player to act may make in these sizes, ascending.

        Args:
            table: ``(1,)`` table records, the first one asked about.

        Returns:
            Chips to raise to. In fixed-limit the one raise there is, whatever the sizes.
        """
        least, most = _legal(table)
        if least == 0:
            return []
        if table[0]["betting"] == FIXED_LIMIT:
            return [most]
        if self.every:
            return list(range(least, most + 1))
        wished = [_fraction(table, fraction) for fraction in self.fractions]
        bet = int(table[0]["current_bet"])
        if bet > 0:
            wished += [int(multiple * bet + 0.5) for multiple in self.multiples]
        if self.all_in:
            wished.append(most)
        return sorted({min(amount, most) for amount in wished if amount >= min(least, most)})


@kernel
def _legal(tables):
    """Least and most that the player to act may raise to."""
    return legal_raise(tables[0])


@kernel
def _fraction(tables, fraction):
    """The raise to a share of the pot after calling."""
    return fraction_raise(tables[0], fraction)
