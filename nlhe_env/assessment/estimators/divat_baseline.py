"""The baseline of DIVAT: how two honest players with known hands would bet on one street.

Source: D. Billings, "Algorithms and Assessment in Computer Poker", PhD thesis (University of
Alberta, 2006), section 5.4 and table 5.1; heads-up fixed-limit with at most four bets a street.
Each makes as many bets as its hand has reached thresholds, the first to act beginning, and folds to
a bet below a threshold of its own. There is no check-raise, and no player folds after a bet of its
own or before the flop. There the blind counts as the first bet and the button begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nlhe_env.arguments import number
from nlhe_env.assessment.estimators.divat_strengths import TO_BET, TO_FOLD
from nlhe_env.game.table import PREFLOP
from nlhe_env.jit.compilation import kernel

FIELDS: list[Any] = [
    ("make", np.float64, (4, 4)),  # by street: strength needed for so many bets
    ("fold_offset", np.float64, (4,)),  # by street: added to the threshold by pot odds
]
"""Fields of a record with the parameters."""

NOBODY_FOLDS, FIRST_FOLDS, SECOND_FOLDS = range(3)
"""First is the big blind, who acts first after the flop; second is the button."""


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """Parameters of the baseline, those of table 5.1 by default.

    Attributes:
        window: Share of the hands that are worth a bet, before the river; the hands that are worth
            two to four bets are 5/12, 1/6 and 1/12 of it. With at most four bets these are the
            shares at which the last bet of each is worth nothing.
        river_window: Share of the hands that are worth a bet on the river.
        fold_offsets: Offsets, by street, of the threshold of folding, which is the bet over the
            pot with the bet.

    Raises:
        ValueError: A value is out of range.
    """

    window: float = 0.42
    river_window: float = 0.36
    fold_offsets: tuple[float, float, float, float] = (0.0, 0.075, 0.1, 0.0)

    def __post_init__(self) -> None:
        number("window", self.window, least=0.0, most=1.0)
        number("river_window", self.river_window, least=0.0, most=1.0)
        if len(self.fold_offsets) != 4:
            raise ValueError(
                f"fold_offsets must be one for each of 4 streets; got {self.fold_offsets}"
            )
        for offset in self.fold_offsets:
            number("fold_offsets", offset, least=-1.0, most=1.0)

    @property
    def makes(self) -> tuple[tuple[float, float, float, float], ...]:
        """Strength needed for one to four bets, by street.

        >>> Baseline().makes[0]
        (0.58, 0.825, 0.93, 0.965)
        >>> Baseline().makes[3]
        (0.64, 0.85, 0.94, 0.97)
        """
        windows = (self.window, self.window, self.window, self.river_window)
        return tuple(
            (round(1 - w, 9), round(1 - 5 * w / 12, 9), round(1 - w / 6, 9), round(1 - w / 12, 9))
            for w in windows
        )

    def fill(self, record: Any) -> None:
        """Write the parameters into a record that has ``FIELDS``."""
        record["make"] = self.makes
        record["fold_offset"] = self.fold_offsets


@kernel
def derive(street, pot, bet, first, second, baseline):
    """The betting of a street by the baseline.

    Args:
        street: ``PREFLOP`` .. ``RIVER``.
        pot: Chips at the beginning of the street; before the flop of no meaning.
        bet: Chips of a bet on this street.
        first: Measures of the big blind's hand, see ``strengths.write_strengths``.
        second: Those of the button's.
        baseline: Record that has ``FIELDS``.

    Returns:
        Number of bets that both have put in, the blind included, and who folded to another one.
    """
    level_1 = bets_worth(street, first[TO_BET], baseline)
    level_2 = bets_worth(street, second[TO_BET], baseline)
    if street == PREFLOP:
        if level_2 >= 2:
            return _raised(level_1, level_2), NOBODY_FOLDS
        return np.int64(2 if level_1 >= 2 else 1), NOBODY_FOLDS
    threshold = bet / (pot + bet) + baseline.fold_offset[street]
    if level_1 == 0:
        if level_2 == 0:
            return np.int64(0), NOBODY_FOLDS
        if first[TO_FOLD] < threshold:
            return np.int64(0), FIRST_FOLDS
        return np.int64(1), NOBODY_FOLDS
    if level_2 >= 2:
        return _raised(level_1, level_2), NOBODY_FOLDS
    if second[TO_FOLD] < threshold:
        return np.int64(0), SECOND_FOLDS
    return np.int64(1), NOBODY_FOLDS


@kernel
def bets_worth(street, strength, baseline):
    """Number of bets that a hand is worth."""
    level = np.int64(0)
    for k in range(4):
        level += np.int64(strength >= baseline.make[street, k])
    return level


@kernel
def _raised(level_1, level_2):
    """Bets after the button has raised to the second one."""
    if level_1 < 3:
        return np.int64(2)
    return np.int64(3 if level_2 < 4 else 4)
