"""A street of a recorded hand, solved with the richest menu that there is time for."""

from __future__ import annotations

import time
from typing import NamedTuple

from agents.solvers.regret_minimisation import Solver
from agents.solvers.solution import Solution
from agents.solvers.subgame_from_hand import StreetSubgame
from agents.solvers.subgames import Subgame
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.hand_history import Hand

_MOST_BYTES = 2**28
_ITERATIONS = 60  # that must be possible in the time, or there are too many sizes
_MOST_ITERATIONS = 1000
_GOOD = 0.003  # of the pot
_MENUS = ("50%, pot, all-in", "pot, all-in", "all-in")
"""Menus, the first that is small enough is taken; what was really bet is added."""


class StreetSolution(NamedTuple):
    """An equilibrium from the first decision of a street on."""

    subgame: Subgame
    menu: str
    """Sizes of bets and raises, without those that were really made."""
    solution: Solution
    exploitability: float
    """As a share of the pot."""


def solve_street_of(
    hand: Hand,
    found: StreetSubgame,
    ranges: tuple[str | Range, str | Range],
    *,
    seconds: float,
) -> StreetSolution:
    """The equilibrium of a street.

    Args:
        hand: The hand that the street is of.
        found: Where the street begins.
        ranges: Of the player who acts first and of the other.
        seconds: Time limit; the solution says how good it is.

    Raises:
        ValueError: Even the poorest menu takes too long, or a range is not possible.
    """
    subgame, menu = _subgame(hand, found, ranges, seconds)
    solver = Solver(subgame.game())
    solver.run(1)
    solver.exploitability()  # what must be compiled has its own time
    deadline = time.monotonic() + seconds
    while True:
        solver.run(max(4, solver.iterations // 2))
        exploitability = solver.exploitability() / subgame.pot
        late = time.monotonic() > deadline or solver.iterations >= _MOST_ITERATIONS
        if late or exploitability <= _GOOD:
            break
    solution = Solution(solver.game, solver.strategy, solver.iterations)
    return StreetSolution(subgame, menu, solution, exploitability)


def _subgame(
    hand: Hand, found: StreetSubgame, ranges: tuple[str | Range, str | Range], seconds: float
) -> tuple[Subgame, str]:
    """The subgame with the richest menu that there is time for, and the menu."""
    for menu in _MENUS:
        subgame = found.spot(hand, ranges, menu)
        size = subgame.size()
        if size.bytes <= _MOST_BYTES and size.seconds * _ITERATIONS <= seconds:
            return subgame, menu
    raise ValueError(
        f"this is too large to solve at the table ({size}): use nlhe solve, which has more time "
        "and accepts ranges"
    )
