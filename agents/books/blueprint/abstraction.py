"""Abstraction of a game for a blueprint: bet sizes and numbers of buckets."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from agents.players.blueprint.book import ACTION, CALLS, FOLDS, MOST_BUCKETS, NODE, BettingTree
from agents.players.blueprint.card_buckets import N_STREETS, CardBuckets, Steps
from agents.solvers.bet_sizes import BetSizes
from agents.solvers.public_tree import CHANCE, DECISION, SHOWDOWN, Betting, PublicTree, grow
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.equity import load_tables
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD, NO_LIMIT

_BIG_BLIND = 100
_ENOUGH = 1000
"""Stack in big blinds that fixed-limit never uses up."""
SAMPLES = 200_000
"""Sampled hands per street for the quantiles between buckets."""

DEPTHS = (200, 60, 20, 10)
"""Default stacks of a no-limit blueprint in big blinds."""


AT_SHOWDOWN = -1
"""Placeholder for the player who folded, at showdowns."""
_THE_RAISE = 1.0
"""Nominal size of the only raise in fixed-limit."""


def betting_tree(rules: Betting, unit: float = 1.0) -> BettingTree:
    """Betting tree of a game, without its chance nodes.

    Args:
        rules: Betting rules, with the same stack for both.
        unit: Unit of stakes and pots in chips, such as a big blind.

    Raises:
        ValueError: The tree has too many nodes.
    """
    public = grow(rules, lambda board: (0,))
    kept = public.kind != CHANCE
    number = np.cumsum(kept) - 1
    nodes = np.zeros(int(kept.sum()), NODE)
    actions = np.zeros(public.rows, ACTION)
    nodes["actor"] = np.where(public.kind == SHOWDOWN, AT_SHOWDOWN, public.actor)[kept]
    nodes["street"] = public.street[kept]
    nodes["pot"] = public.pot[kept] / unit
    nodes["stake"] = public.stake[kept] / unit
    decides = public.kind == DECISION
    nodes["count"] = np.where(decides, public.branches, 0)[kept]
    nodes["first"] = np.where(decides, public.row, 0)[kept]
    all_chips = sum(rules.stacks) + rules.pot
    for node in np.flatnonzero(decides):
        children = public.children(int(node))
        first = int(public.row[node])
        for action, child in zip(actions[first : first + len(children)], children, strict=True):
            action["size"], action["all_in"] = _step(public, int(node), child, rules, all_chips)
            action["child"] = number[_after_chance(public, child)]
    nodes["row"] = _rows(nodes)
    return BettingTree(nodes, actions)


def _after_chance(public: PublicTree, node: int) -> int:
    """The node itself, or the first node after its chance nodes."""
    while public.kind[node] == CHANCE:
        node += 1
    return node


def _step(
    public: PublicTree, node: int, child: int, rules: Betting, all_chips: float
) -> tuple[float, bool]:
    """Action that leads to a child: the size as in ``ACTION``, and whether it is all-in."""
    step = public.step[child]
    if step in (FOLD, CHECK_OR_CALL):
        return (FOLDS if step == FOLD else CALLS), False
    if rules.structure == FIXED_LIMIT:
        return _THE_RAISE, False
    pot = public.pot[node]
    to_call = public.pot[_call_of(public, node)] - pot
    raised_by = public.pot[child] - pot - to_call
    all_in = public.pot[_call_of(public, child)] == all_chips
    return raised_by / (pot + to_call), bool(all_in)


def _call_of(public: PublicTree, node: int) -> int:
    """Child of a decision after a check or call."""
    return next(c for c in public.children(node) if public.step[c] == CHECK_OR_CALL)


def _rows(nodes: np.ndarray) -> np.ndarray:
    """Row of every node's first action; on each street a player's rows are consecutive."""
    rows = np.zeros(len(nodes), np.int32)
    for street in np.unique(nodes["street"]):
        selected = np.flatnonzero((nodes["street"] == street) & (nodes["count"] > 0))
        selected = selected[np.argsort(nodes["actor"][selected], kind="stable")]
        counts = nodes["count"][selected].astype(np.int64)
        rows[selected] = np.cumsum(counts) - counts
    return rows


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
