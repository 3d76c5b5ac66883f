"""A street of a recorded hand, solved with the richest menu that is not too large.

Work is counted in iterations, whose time is estimated from the size of the tree alone, so that the
solution is the same on every machine.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from agents.solvers.regret_minimisation import Solver
from agents.solvers.solution import Solution
from agents.solvers.subgame_from_hand import StreetSubgame
from agents.solvers.subgames import Subgame
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.game.rake import Rake
from nlhe_env.hand_history import Hand

_MOST_BYTES = 2**28
_ITERATIONS = 60  # that must be possible in the estimated time, or there are too many sizes
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
    iterations: int = _MOST_ITERATIONS,
    rake: Rake | None = None,
) -> StreetSolution:
    """The equilibrium of a street.

    Args:
        hand: The hand that the street is of.
        found: Where the street begins.
        ranges: Of the player who acts first and of the other.
        seconds: Time for the iterations by ``SubgameSize.seconds``, the same on every machine.
        iterations: Largest number of iterations; the solution says how good it is.
        rake: Rake of the game.

    Raises:
        ValueError: Even the poorest menu is too large, or a range is not possible.
    """
    subgame, menu = _subgame(hand, found, ranges, seconds, rake)
    most = min(iterations, max(_ITERATIONS, int(seconds / subgame.size().seconds)))
    solver = Solver(subgame.game())
    exploitability = np.inf
    while solver.iterations < most and exploitability > _GOOD:
        solver.run(min(max(4, solver.iterations // 2), most - solver.iterations))
        exploitability = solver.exploitability() / subgame.pot
    solution = Solution(solver.game, solver.strategy, solver.iterations)
    return StreetSolution(subgame, menu, solution, float(exploitability))


def _subgame(
    hand: Hand,
    found: StreetSubgame,
    ranges: tuple[str | Range, str | Range],
    seconds: float,
    rake: Rake | None,
) -> tuple[Subgame, str]:
    """The subgame with the richest menu that there is time for, and the menu."""
    for menu in _MENUS:
        subgame = replace(found.spot(hand, ranges, menu), rake=rake)
        size = subgame.size()
        if size.bytes <= _MOST_BYTES and size.seconds * _ITERATIONS <= seconds:
            return subgame, menu
    raise ValueError(
        f"this is too large to solve at the table ({size}): use nlhe solve, which has more time "
        "and accepts ranges"
    )
