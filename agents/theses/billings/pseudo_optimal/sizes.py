"""Sizes of a pseudo-optimal player's abstraction of hold'em."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agents.theses.billings.pseudo_optimal.book import MOST_BETS, MOST_PARTS
from nlhe_env.arguments import one_of, whole_number

_MOST_BUCKETS = 10
_MOST_BUCKETS_OF_PROGRAM = 3
_MOST_ITERATIONS = 10_000
# Limits memory to half a gigabyte and time to some minutes, excluding the solution.
_MOST_DEALS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Resolution of the abstraction and accuracy of its solution.

    Args:
        buckets: Buckets per street, 3 to 10, including one for draws. The thesis has 7, PsOpti2 6.
        max_bets: Maximum number of bets per post-flop street, 2 to 4; the thesis has 3.
        splits: Parts per bucket, of which the weakest act most passively; 1 for no split.
        solver: ``"cfr+"``, or ``"program"`` for linear programs, up to 3 buckets.
        iterations: CFR+ iterations per model, up to 10,000.
        deals: Sampled deals for buckets and transition networks, 1,000 to 1,000,000.

    Raises:
        ValueError: A value is out of range or unknown.
    """

    buckets: int = 7
    max_bets: int = 3
    splits: int = 2
    solver: Literal["cfr+", "program"] = "cfr+"
    iterations: int = 250
    deals: int = 100_000

    def __post_init__(self) -> None:
        whole_number("buckets", self.buckets, least=3, most=_MOST_BUCKETS)
        whole_number("max_bets", self.max_bets, least=2, most=MOST_BETS)
        whole_number("splits", self.splits, least=1, most=MOST_PARTS)
        whole_number("iterations", self.iterations, least=1, most=_MOST_ITERATIONS)
        whole_number("deals", self.deals, least=1_000, most=_MOST_DEALS)
        one_of("solver", self.solver, ("cfr+", "program"))
        if self.solver == "program" and self.buckets > _MOST_BUCKETS_OF_PROGRAM:
            raise ValueError(
                f"linear programs support at most {_MOST_BUCKETS_OF_PROGRAM} buckets, since they "
                f'grow with the sixth power of the number; got {self.buckets}: use solver="cfr+"'
            )

    @classmethod
    def usual(cls, number: int) -> Sizes:
        """Sizes of PsOpti0, PsOpti1 or PsOpti2."""
        return cls(buckets=6 if number == 2 else 7)
