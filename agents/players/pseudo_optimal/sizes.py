"""Sizes of the abstraction of hold'em for a pseudo-optimal player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agents.players.pseudo_optimal.book import MOST_BETS, MOST_PARTS
from nlhe_env.arguments import one_of, whole_number

_MOST_BUCKETS = 10
_MOST_BUCKETS_OF_PROGRAM = 3
_MOST_ITERATIONS = 10_000
# Half a gigabyte and some minutes, before anything is solved.
_MOST_DEALS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Resolution of the abstraction of hold'em, and accuracy of its solution.

    Args:
        buckets: Buckets of a street, 3 to 10, one of them of draws. The thesis has 7, PsOpti2 6.
        max_bets: Most bets of a street after the flop, 2 to 4; the thesis has 3.
        splits: Parts of a bucket, of which the weakest act most passively; 1 for none.
        solver: ``"cfr+"``, or ``"program"`` for linear programs, up to 3 buckets.
        iterations: Iterations of CFR+ for each model; up to 10,000.
        deals: Deals from which buckets and networks are counted, 1,000 to 1,000,000.

    Raises:
        ValueError: A value is not possible.
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
                f"linear programs take at most {_MOST_BUCKETS_OF_PROGRAM} buckets here, they grow "
                f'with the sixth power of their number; got {self.buckets}: use solver="cfr+"'
            )

    @classmethod
    def usual(cls, number: int) -> Sizes:
        """Sizes of PsOpti0, PsOpti1 or PsOpti2."""
        return cls(buckets=6 if number == 2 else 7)
