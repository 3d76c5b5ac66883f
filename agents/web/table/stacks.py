"""Stacks of a cash game that are carried from hand to hand, and bought anew.

``Game.cash`` puts all stacks back before every hand, so that hands can be compared. People at home
keep what they win: here the stack of each player becomes the one that is put back.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlhe_env.game.table import NO_PLAYER
from nlhe_env.jit.array_types import Records

MOST_BOUGHT = 2**40
"""Chips that a table may buy in all, as many as any game may begin with."""


class Stacks:
    """Chips that each seat has and has bought at one table.

    A player who has lost everything buys in again automatically; others may, if they have less than
    the buy-in, and then have as much again.

    Args:
        stacks: Chips of every seat at the start; the buy-in is the largest of them.
    """

    def __init__(self, stacks: Sequence[int]) -> None:
        self.buy_in = max(stacks)
        self.bought = list(stacks)
        """Chips that every seat has paid for so far."""
        self.rebuys: set[int] = set()
        """Seats that want to buy before the next deal."""

    @property
    def too_many(self) -> bool:
        """Whether more chips have been bought than a game can count with."""
        return sum(self.bought) > MOST_BOUGHT

    def carry(self, table: np.void, players: Records) -> None:
        """Let the next hand begin with the stacks that the last one has left.

        Args:
            table: The record of the table, whose hand has been paid.
            players: The players' records; their stacks at the start of a hand are set.
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
