"""The rake: the house fee on cash-game pots.

The rake is a share of all pots together, rounded down to whole chips, so it does not depend on the
division into pots. The main pot pays first, until the cap is reached. Uncalled bets are returned
first, without rake.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from nlhe_env.arguments import whole_number
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import Int
from nlhe_env.jit.compilation import kernel

MILLION = 1_000_000
NO_CAP = 2**60

_TEXT = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)%(?:/(\d{1,15}))?")


@dataclass(frozen=True, kw_only=True)
class Rake:
    """House fee on every hand of a cash game.

    Args:
        share: Share of all pots together, 0 to 1 in steps of a millionth; rounded down to chips.
        cap: Maximum rake per hand in chips; ``None`` for no limit.
        no_flop_no_drop: Exempt hands that end before the flop.

    Raises:
        ValueError: A value is out of range.

    >>> Rake(share=0.05, cap=300).of(1_990), Rake(share=0.05, cap=300).of(100_000)
    (99, 300)
    """

    share: float
    cap: int | None = None
    no_flop_no_drop: bool = True

    def __post_init__(self) -> None:
        share = self.share
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
            raise ValueError(f"share of the rake must be a number from 0 to 1; got {share!r}")
        if abs(share * MILLION - self.millionths) > 1e-6:
            raise ValueError(f"share of the rake must be whole millionths; got {share!r}")
        if self.cap is not None:
            cap = whole_number("cap of the rake", self.cap, least=0)
            object.__setattr__(self, "cap", cap)
        if not isinstance(self.no_flop_no_drop, (bool, np.bool_)):
            raise ValueError(
                f"no_flop_no_drop of the rake must be True or False; got {self.no_flop_no_drop!r}"
            )

    @classmethod
    def read(cls, text: str) -> Rake | None:
        """Parse a rake: a share in percent, optionally with a cap in chips; empty for no rake.

        Raises:
            ValueError: The text is invalid.

        >>> Rake.read("5%/300")
        Rake(share=0.05, cap=300, no_flop_no_drop=True)
        """
        if text == "":
            return None
        found = _TEXT.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise ValueError(
                'rake must be a share and optionally a cap in chips, such as "5%" or "5%/300"; got '
                f"{text!r:.40}"
            )
        return cls(share=float(Fraction(found[1]) / 100), cap=int(found[2]) if found[2] else None)

    @property
    def millionths(self) -> int:
        """The share in millionths."""
        return round(self.share * MILLION)

    @property
    def most(self) -> int:
        """The cap, ``NO_CAP`` for none."""
        return NO_CAP if self.cap is None else self.cap

    def of(self, chips: int) -> int:
        """Rake of a hand with a flop.

        Args:
            chips: Chips of all pots together.
        """
        return min(int(chips * Fraction(self.millionths, MILLION)), self.most)


@kernel
def rake_of(table: TableRecord, chips: Int) -> Int:
    """Rake of a hand with this total of pots."""
    if table.rake_share == 0 or (table.rake_needs_flop and table.board_cards == 0):
        return np.int64(0)
    # Computed in two parts to stay within int64.
    rake = chips // MILLION * table.rake_share + chips % MILLION * table.rake_share // MILLION
    return min(rake, table.rake_cap)
