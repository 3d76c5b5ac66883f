"""Shipped income rates: winnings by hole-card class if all players call one bet to a showdown.

They are estimated from 40 million dealt hands for each number of players. The file includes
standard errors; ``make_income_rates`` reproduces its contents in seconds.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from nlhe_env.assessment.income_rates import MAX_PLAYERS, MIN_PLAYERS, income_rates
from nlhe_env.jit.array_types import F32

FILE = Path(__file__).parents[1] / "data" / "income-rates.npz"
_HANDS = 40_000_000


def make_income_rates(hands: int = _HANDS, seed: int = 0) -> dict[str, F32]:
    """Rates and standard errors in thousandths of a bet, both ``(169, 9)``: 2 to 10 players."""
    found = [
        income_rates(n, n_games=hands // n, seed=seed) for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)
    ]

    def column(what: str) -> F32:
        return np.stack([getattr(each, what) for each in found], axis=1).astype(np.float32)

    return {"rates": column("rates"), "standard_errors": column("standard_errors")}


@functools.cache
def load_income_rates() -> F32:
    """``(169, 9)`` rates in thousandths of a bet, by class and number of opponents less one."""
    with np.load(FILE, allow_pickle=False) as file:
        rates: F32 = file["rates"]
    rates.setflags(write=False)
    return rates
