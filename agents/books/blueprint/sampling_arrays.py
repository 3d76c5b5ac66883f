"""Arrays of sampling: deals, where strategies lie, and sums."""

from __future__ import annotations

from typing import NamedTuple

from nlhe_env.jit.array_types import F32, F64, I8, I64, U16, Int


class SampledDeals(NamedTuple):
    """Cards, as far as they matter."""

    buckets: U16
    """``(n, 2, streets)``: of both players on every street."""
    outcomes: I8
    """``(n,)``: 1 where player 0 wins a showdown, 0 for a tie, -1."""


class StrategyLayout(NamedTuple):
    """Where regrets and strategies lie: a block for each street, in it a row for each bucket."""

    starts: I64
    """``(streets,)``."""
    rows: I64
    """``(streets,)`` numbers in a row: actions of all decisions of the street."""


class Sums(NamedTuple):
    """Cumulative regrets and strategies."""

    regrets: F32
    totals: F64
    """Cumulative strategies, as often as they were met."""

    @property
    def addresses(self) -> SumAddresses:
        """For kernels, good as long as the arrays are kept."""
        return SumAddresses(self.regrets.ctypes.data, self.totals.ctypes.data)


class SumAddresses(NamedTuple):
    """The addresses of ``Sums``."""

    regrets: Int
    totals: Int
