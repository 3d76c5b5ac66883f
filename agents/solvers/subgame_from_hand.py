"""Streets of hands that were really played, as spots to solve: what was bet is added to a menu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.solvers.subgames import Subgame
from nlhe_env.cards import format_cards, parse_cards
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.game.table import ACTIVE, NO_PLAYER, STREET_NAMES
from nlhe_env.hand_history import Hand, play_hand


class StreetSubgame(NamedTuple):
    """A hand from the first decision of a street on."""

    table: np.void
    """Before the decision."""
    seats: tuple[int, int]
    """The two players, who acts first first: places in the arrays of the hand."""
    events: list[dict[str, Any]]
    """Events of this street and later ones."""
    bets: list[float]
    """Real bets as shares of the pot after calling, and the same of raises."""
    raises: list[float]

    @property
    def steps(self) -> list[str | int]:
        """The actions, as ``Solution.at`` takes them."""
        return [event.get("to", event["action"]) for event in self.events]

    def spot(
        self,
        hand: Hand,
        ranges: tuple[str | Range, str | Range],
        menu: str,
        *,
        max_bets: int = 0,
    ) -> Subgame:
        """Subgame to solve.

        Args:
            hand: The one that this street is of.
            ranges: Ranges of the player who acts first and of the other.
            menu: Sizes of bets and raises; real ones are added.
            max_bets: As of ``Subgame``.
        """
        n_cards = int(self.table["board_cards"])
        return Subgame(
            format_cards(parse_cards(hand.board)[:n_cards]),
            ranges,
            pot=int(self.table["pot"]),
            stack=self.stacks,
            bets=_add_sizes(menu, self.bets),
            raises=_add_sizes(menu, self.raises),
            big_blind=hand.big_blind,
            betting=hand.betting,
            max_bets=max_bets,
        )

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
        raise ValueError(f"no player decided anything on the {street} of this hand")
    players = np.flatnonzero(table["status"] == ACTIVE).tolist()
    if int(table["unfolded"]) != 2 or len(players) != 2:
        raise ValueError(
            f"only two players can be solved; {int(table['unfolded'])} saw the {street}"
        )
    first = int(table["actor"])
    second = players[0] if players[1] == first else players[1]
    bets: list[float] = []
    raises: list[float] = []
    for before, event in zip(tables, events, strict=False):
        if "to" in event:
            current = int(before["current_bet"])
            to_call = current - int(before["street_bet"][event["seat"]])
            share = (event["to"] - current) / (int(before["pot"]) + to_call)
            (raises if current else bets).append(share)
    return StreetSubgame(table, (first, second), events, bets, raises)


def _add_sizes(menu: str, shares: Sequence[float]) -> str:
    """A menu with more sizes, shares of the pot after calling."""
    return ", ".join([menu, *(f"{100 * share:.8f}%" for share in sorted(set(shares)))])
