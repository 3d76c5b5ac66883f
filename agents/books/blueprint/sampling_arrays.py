"""Arrays of sampling: deals, layout and sums."""

from __future__ import annotations

from typing import NamedTuple

from nlhe_env.jit.array_types import F32, F64, I8, I64, U16, Int


class SampledDeals(NamedTuple):
    """Deals, reduced to buckets and outcomes."""

    buckets: U16
    """``(n, 2, streets)`` buckets of both players."""
    outcomes: I8
    """``(n,)`` showdown results: 1 if player 0 wins, 0 for a tie, -1 if it loses."""


class StrategyLayout(NamedTuple):
    """Layout of regrets and strategies: a block per street with a row per bucket."""

    starts: I64
    """``(streets,)`` offset of each block."""
    rows: I64
    """``(streets,)`` length of a row: the number of actions over all decisions of the street."""


class Sums(NamedTuple):
    """Cumulative regrets and strategies."""

    regrets: F32
    totals: F64
    """Cumulative strategies, summed over visits."""

    @property
    def addresses(self) -> SumAddresses:
        """Addresses for kernels, valid as long as the arrays exist."""
        return SumAddresses(self.regrets.ctypes.data, self.totals.ctypes.data)


class SumAddresses(NamedTuple):
    """Addresses of ``Sums``."""

    regrets: Int
    totals: Int
