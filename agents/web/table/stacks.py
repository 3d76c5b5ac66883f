"""Stacks of a cash game carried from hand to hand, with rebuys.

``Game.cash`` resets all stacks before every hand, so that hands are comparable. In a home game
people keep their winnings: here each player's stack becomes the one to reset to.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlhe_env.game.table import NO_PLAYER
from nlhe_env.jit.array_types import Records

MOST_BOUGHT = 2**40
"""Maximum number of chips bought at a table, as many as a game may begin with."""


class Stacks:
    """Chips held and bought by each seat of a table.

    A player who has lost everything buys in again automatically; others with less than the buy-in
    may buy up to it.

    Args:
        stacks: Initial chips of every seat; the largest is the buy-in.
    """

    def __init__(self, stacks: Sequence[int]) -> None:
        self.buy_in = max(stacks)
        self.bought = list(stacks)
        """Chips that every seat has paid for so far."""
        self.rebuys: set[int] = set()
        """Seats that want to buy before the next deal."""

    @property
    def too_many(self) -> bool:
        """Whether more chips have been bought than a game supports."""
        return sum(self.bought) > MOST_BOUGHT

    def carry(self, table: np.void, players: Records) -> None:
        """Start the next hand with the stacks after the last one.

        Args:
            table: Record of the table, whose hand has been paid.
            players: The players' records, whose initial stacks are set.
        """
        for seat in range(int(table["seats"])):
            player = int(table["player"][seat])
            if player == NO_PLAYER:
                continue
            stack = int(table["stack"][seat])
            if stack == 0 or (seat in self.rebuys and stack < self.buy_in):
                self.bought[seat] += self.buy_in - stack
                stack = self.buy_in
            players["entry_stack"][player] = stack
        self.rebuys.clear()
