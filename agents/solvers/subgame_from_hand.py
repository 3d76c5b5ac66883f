"""Streets of hands that were really played, as spots to solve: sizes that were bet are added.

A street is solved with the richest menu that is not too large. Work is counted in iterations, whose
time is estimated from the size of the tree alone, so that the solution is the same on every
machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from agents.solvers.bet_sizes import BetSizes
from agents.solvers.regret_minimisation import Solver
from agents.solvers.solution import Solution
from agents.solvers.subgames import Subgame
from nlhe_env.cards import format_cards, parse_cards
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.game.rake import Rake
from nlhe_env.game.table import ACTIVE, CHECK_OR_CALL, FOLD, NO_PLAYER, STREET_NAMES
from nlhe_env.hand_history import Hand, play_hand
from nlhe_env.jit.array_types import Records

_MOST_BYTES = 2**28
_ITERATIONS = 60  # that must be possible in the estimated time, or there are too many sizes
_MOST_ITERATIONS = 1000
_GOOD = 0.003  # of the pot
_MENUS = ("50%, pot, all-in", "pot, all-in", "all-in")
"""Menus, the first that is small enough is taken; what was really bet is added."""


class RealRaise(NamedTuple):
    """A bet or raise that was made."""

    table: Records
    """``(1,)`` before it."""
    to: int

    @property
    def is_raise(self) -> bool:
        """Whether there was a bet before."""
        return bool(self.table[0]["current_bet"] > 0)

    def is_of(self, bets: BetSizes, raises: BetSizes) -> bool:
        """Whether a menu has this size."""
        return self.to in (raises if self.is_raise else bets).amounts(self.table)


class StreetSubgame(NamedTuple):
    """A hand from the first decision of a street on."""

    table: np.void
    """Before the decision."""
    seats: tuple[int, int]
    """The two players, who acts first first: places in the arrays of the hand."""
    events: list[dict[str, Any]]
    """Events of this street and later ones."""
    raises: list[RealRaise]
    """Real bets and raises."""

    @property
    def steps(self) -> list[str | int]:
        """The actions of the street, as ``Solution.at`` takes them."""
        name = STREET_NAMES[int(self.table["street"])]
        here = [event for event in self.events if event["street"] == name]
        return [event.get("to", event["action"]) for event in here]

    def spot(
        self,
        hand: Hand,
        ranges: tuple[str | Range, str | Range],
        menu: str,
        raises: str | None = None,
        *,
        later: bool = True,
        max_bets: int = 0,
    ) -> Subgame:
        """Subgame to solve.

        Args:
            hand: The one that this street is of.
            ranges: Ranges of the player who acts first and of the other.
            menu: Sizes of bets; where a real one is of another size, it is added.
            raises: Sizes of raises, those of ``menu`` if None.
            later: Whether sizes of later streets are added, too.
            max_bets: As of ``Subgame``.
        """
        n_cards = int(self.table["board_cards"])
        return Subgame(
            format_cards(parse_cards(hand.board)[:n_cards]),
            ranges,
            pot=int(self.table["pot"]),
            stack=self.stacks,
            bets=menu,
            raises=raises,
            big_blind=hand.big_blind,
            betting=hand.betting,
            max_bets=max_bets,
            line=self._line(BetSizes.of(menu), BetSizes.of(raises or menu), later=later),
        )

    def _line(self, bets: BetSizes, raises: BetSizes, *, later: bool) -> tuple[int, ...]:
        """What was done up to the last size that the menu does not have.

        So a tree stays the same one while sizes of the menu are bet.
        """
        street = STREET_NAMES[int(self.table["street"])]
        sizes = iter(self.raises)
        line: list[int] = []
        needed = 0
        for event in self.events:
            if event["street"] != street and not later:
                break
            line.append(int(event.get("to", CHECK_OR_CALL)))
            if "to" in event and not next(sizes).is_of(bets, raises):
                needed = len(line)
        return tuple(line[:needed])

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions of the street: ``FOLD``, ``CHECK_OR_CALL`` or the chips raised to."""
        return tuple(
            step if isinstance(step, int) else FOLD if step == "fold" else CHECK_OR_CALL
            for step in self.steps
        )

    def until(self, n_steps: int) -> StreetSubgame:
        """The same street when so much of it was done."""
        events = self.events[:n_steps]
        n_raises = sum("to" in event for event in events)
        return self._replace(events=events, raises=self.raises[:n_raises])

    @property
    def stacks(self) -> tuple[int, int]:
        """Chips behind of the two players."""
        first, second = (int(self.table["stack"][seat]) for seat in self.seats)
        return first, second


def find_street(hand: Hand, street: str) -> StreetSubgame:
    """Where a street begins.

    Raises:
        ValueError: The hand did not come there with two players who could still bet.
    """
    if hand.betting == "pot-limit":
        raise ValueError("pot-limit hands cannot be solved yet")
    number = STREET_NAMES.index(street)
    tables: list[np.void] = []
    events: list[dict[str, Any]] = []
    for step in play_hand(hand):
        if step.event is not None and STREET_NAMES.index(step.event["street"]) >= number:
            events.append(step.event)
        else:
            tables = []
        tables.append(step.table)
    table = tables[0]
    if table["street"] != number or table["actor"] == NO_PLAYER:
        raise ValueError(f"no player made a decision on the {street} of this hand")
    players = np.flatnonzero(table["status"] == ACTIVE).tolist()
    if int(table["unfolded"]) != 2 or len(players) != 2:
        raise ValueError(
            f"only two-player hands can be solved; {int(table['unfolded'])} players saw the "
            f"{street}"
        )
    first = int(table["actor"])
    second = players[0] if players[1] == first else players[1]
    raises = [
        RealRaise(np.array([before]), event["to"])
        for before, event in zip(tables, events, strict=False)
        if "to" in event
    ]
    return StreetSubgame(table, (first, second), events, raises)


def event_name(event: Mapping[str, Any]) -> str:
    """Name of an action of a hand, as ``SolvedDecision.actions`` has it.

    >>> event_name({"action": "raise", "to": 300}), event_name({"action": "bet", "to": 50})
    ('raise to 300', 'bet 50')
    """
    if "to" not in event:
        return str(event["action"])
    return f"{event['action']}{' to' * (event['action'] == 'raise')} {event['to']}"


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
