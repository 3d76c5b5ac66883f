"""Which bets and raises a solver may consider, in the words of players."""

from __future__ import annotations

import re
from typing import NamedTuple

from nlhe_env.arguments import LARGEST_NUMBER, number
from nlhe_env.game.betting import legal_raise
from nlhe_env.game.table import FIXED_LIMIT, TableRecords
from nlhe_env.jit.array_types import Float, Int, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import fraction_raise

_SHARE_OF_POT = re.compile(r"(\d+(?:\.\d+)?)\s*%(?:\s*pot)?")
_MULTIPLE = re.compile(r"(\d+(?:\.\d+)?)\s*x")
_MOST_SIZES = 100_000
"""Sizes of one bet, at most."""
_MOST_NAMED = 100
"""Sizes in a text, at most."""
_ALL_IN = ("all-in", "allin", "a")


class BetSizes(NamedTuple):
    """Sizes of bets and raises, in the legal range of where they are asked for.

    What is below the smallest bet or raise is lifted to it, what is above the stack is all-in.
    """

    fractions: tuple[float, ...] = ()
    """Sizes as fractions of the pot after calling."""
    multiples: tuple[float, ...] = ()
    """Sizes as multiples of the bet that is raised; no size for a first bet."""
    all_in: bool = False
    every: bool = False
    """Every whole amount that is legal."""

    @classmethod
    def of(cls, text: str, name: str = "bet sizes") -> BetSizes:
        """The sizes of a text: shares of the pot, multiples of a bet, all-in.

        Args:
            text: Sizes, separated by commas.
            name: For messages.

        Raises:
            ValueError: A part of the text is no size above 0, or there are too many.

        >>> BetSizes.of("50%, pot, 2.5x, all-in")
        BetSizes(fractions=(0.5, 1.0), multiples=(2.5,), all_in=True, every=False)
        """
        if not isinstance(text, str):
            raise ValueError(f'{name} must be text such as "50%, pot, all-in"; got {text!r}')
        parts = [part.strip().lower() for part in text.split(",") if part.strip()]
        if len(parts) > _MOST_NAMED:
            raise ValueError(
                f'{name} must be at most {_MOST_NAMED} sizes; got {len(parts)} ("every" stands for '
                "all amounts)"
            )
        fractions, multiples = [], []
        all_in = every = False
        for part in parts:
            if match := _SHARE_OF_POT.fullmatch(part):
                fractions.append(_size(name, part, match[1]) / 100)
            elif match := _MULTIPLE.fullmatch(part):
                multiples.append(_size(name, part, match[1]))
            elif part == "pot":
                fractions.append(1.0)
            elif part in _ALL_IN:
                all_in = True
            elif part == "every":
                every = True
            else:
                raise ValueError(
                    f'{name} must be "50%", "pot", "2.5x", "all-in" or "every", separated by '
                    f"commas; got {part!r}"
                )
        return cls(tuple(fractions), tuple(multiples), all_in, every)

    @classmethod
    def of_bets(cls, text: str, name: str = "bets") -> BetSizes:
        """The sizes of a text, of which at least one is that of a first bet.

        Raises:
            ValueError: None is, or a part of the text is no size.
        """
        found = cls.of(text, name)
        if not (found.fractions or found.all_in or found.every):
            raise ValueError(
                f'{name} must name at least one size for a first bet, such as "50%, pot, all-in": '
                "without bets there is nothing to decide, and a multiple needs an earlier bet; got "
                f"{text!r}"
            )
        return found

    def amounts(self, table: Records) -> list[int]:
        """The raises that the player to act may make in these sizes, ascending.

        Args:
            table: ``(1,)`` table records, the first one asked about.

        Returns:
            Chips to raise to. In fixed-limit the one raise there is, whatever the sizes.

        Raises:
            ValueError: There are too many.
        """
        least, most = legal_amounts(table)
        if least == 0:
            return []
        if table[0]["betting"] == FIXED_LIMIT:
            return [most]
        if self.every:
            if most - least >= _MOST_SIZES:
                raise ValueError(
                    f'this is too large: "every" is {most - least + 1:,} sizes of one bet; take '
                    "fewer bet sizes or shorter stacks"
                )
            return list(range(least, most + 1))
        wished = [_wish(table, fraction, most) for fraction in self.fractions]
        bet = int(table[0]["current_bet"])
        if bet > 0:
            wished += [int(multiple * bet + 0.5) for multiple in self.multiples]
        if self.all_in:
            wished.append(most)
        return sorted({min(max(amount, least), most) for amount in wished})


def legal_amounts(table: Records) -> tuple[int, int]:
    """Least and most chips that the player to act may raise to; 0 and 0 where it may not.

    Args:
        table: ``(1,)`` table records.
    """
    least, most = _legal(table)
    return int(least), int(most)


def _size(name: str, part: str, text: str) -> float:
    """The number of a size."""
    try:
        return number(name, float(text), least=0, most=LARGEST_NUMBER, above=True)
    except ValueError:
        raise ValueError(
            f"{name} must be sizes above 0 and at most {LARGEST_NUMBER}; got {part[:40]!r}"
        ) from None


def _wish(table: Records, fraction: float, most: int) -> int:
    """The raise to a share of the pot after calling, or all-in where it is far above that."""
    pot = float(table[0]["pot"]) + float(table[0]["current_bet"])
    return most if fraction * pot > LARGEST_NUMBER else int(_fraction(table, fraction))


@kernel
def _legal(tables: TableRecords) -> tuple[Int, Int]:
    """``legal_amounts`` of the first table."""
    return legal_raise(tables[0])


@kernel
def _fraction(tables: TableRecords, fraction: Float) -> Int:
    """The raise to a share of the pot after calling."""
    return fraction_raise(tables[0], fraction)
