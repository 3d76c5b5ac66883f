"""Abstraction of a game for a blueprint: bet sizes and numbers of buckets."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from agents.books.blueprint.betting_tree import betting_tree
from agents.players.blueprint.book import MOST_BUCKETS, BettingTree
from agents.players.blueprint.card_buckets import N_STREETS, CardBuckets, Steps
from agents.solvers.bet_sizes import BetSizes
from agents.solvers.public_tree import Betting
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.equity import load_tables
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.table import FIXED_LIMIT, NO_LIMIT

_BIG_BLIND = 100
_ENOUGH = 1000
"""Stack in big blinds that fixed-limit never uses up."""
SAMPLES = 200_000
"""Sampled hands per street for the quantiles between buckets."""

DEPTHS = (200, 60, 20, 10)
"""Default stacks of a no-limit blueprint in big blinds."""


@dataclass(frozen=True, kw_only=True)
class Abstraction:
    """Abstraction of a heads-up game, small enough to be solved.

    Args:
        betting: ``"fixed-limit"`` with four bets a street, or ``"no-limit"``.
        stack: Big blinds at the start of a hand; ignored in fixed-limit.
        preflop: Sizes of raises before the flop, as in ``BetSizes.of``.
        bets: Sizes of first bets on later streets.
        raises: Sizes of raises on later streets.
        flop: Buckets on the flop: steps by the mean square of the strength, and parts of each step
            by its mean.
        turn: Buckets on the turn, as on the flop.
        river: Buckets on the river, by equity.

    Raises:
        ValueError: A number is out of range, or bet sizes are invalid.
    """

    betting: Literal["fixed-limit", "no-limit"] = "no-limit"
    stack: int = DEPTHS[0]
    preflop: str = "pot, all-in"
    bets: str = "50%, pot, all-in"
    raises: str = "pot, all-in"
    flop: tuple[int, int] = (40, 5)
    turn: tuple[int, int] = (30, 5)
    river: int = 80

    def __post_init__(self) -> None:
        one_of("betting", self.betting, ("fixed-limit", "no-limit"))
        whole_number("stack", self.stack, least=2, most=1000)
        BetSizes.of_bets(self.bets, "bets")
        for name, sizes in (("preflop", self.preflop), ("raises", self.raises)):
            BetSizes.of(sizes, name)
        for name, steps in (("flop", self.flop), ("turn", self.turn)):
            for i, number in enumerate(steps):
                whole_number(f"{name}[{i}]", number, least=1, most=200)
        whole_number("river", self.river, least=1, most=MOST_BUCKETS)

    @classmethod
    def limit(cls) -> Abstraction:
        """Abstraction of ``equilibrium-limit``."""
        return cls(betting="fixed-limit", flop=(100, 8), turn=(70, 6), river=160)

    @classmethod
    def no_limit(cls, stack: int) -> Abstraction:
        """Abstraction of ``equilibrium-nolimit``: shorter stacks raise less before the flop."""
        return cls(stack=stack, preflop="pot, all-in" if stack > 30 else "50%, pot, all-in")

    @property
    def is_limit(self) -> bool:
        """Whether the game is fixed-limit."""
        return self.betting == "fixed-limit"

    @property
    def is_deepest(self) -> bool:
        """Whether the tree is one of the largest."""
        return self.is_limit or self.stack >= DEPTHS[0]

    @property
    def name(self) -> str:
        """Name, such as ``"limit"`` or ``"200bb"``."""
        return "limit" if self.is_limit else f"{self.stack}bb"

    @property
    def code(self) -> int:
        """Code of ``betting`` in table records."""
        return FIXED_LIMIT if self.is_limit else NO_LIMIT

    def tree(self) -> BettingTree:
        """Betting tree of the abstraction.

        Raises:
            ValueError: It has too many nodes.
        """
        small, big = _BIG_BLIND // 2, _BIG_BLIND
        if self.is_limit:
            rules = Betting(
                stacks=(_ENOUGH * big,) * 2,
                full_bets=(big, big, 2 * big, 2 * big),
                blinds=(small, big),
                structure=FIXED_LIMIT,
                max_bets=USUAL_MAX_BETS,
            )
        else:
            later = (BetSizes.of(self.raises),) * (N_STREETS - 1)
            rules = Betting(
                stacks=(self.stack * big,) * 2,
                full_bets=(big,) * N_STREETS,
                blinds=(small, big),
                bets=(BetSizes.of(self.bets),) * N_STREETS,
                raises=(BetSizes.of(self.preflop), *later),
            )
        return betting_tree(rules, big)

    def buckets(self) -> CardBuckets:
        """Card buckets of the abstraction."""
        return _make_buckets((Steps(*self.flop), Steps(*self.turn), Steps(self.river, 1)), SAMPLES)

    def as_dict(self) -> Mapping[str, Any]:
        """The values by name."""
        return asdict(self)


@functools.cache
def _make_buckets(steps: tuple[Steps, ...], samples: int) -> CardBuckets:
    """Card buckets, cached because they take seconds and do not depend on the stack depth."""
    return CardBuckets.of(steps, load_tables(), samples=samples)
