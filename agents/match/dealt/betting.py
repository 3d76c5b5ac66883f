"""The betting of matches: the game's own kernels, at a table of known blinds and bets.

Small blind 5, big blind 10, bets of 10 before and on the flop and of 20 on turn and river, at most
four bets a round, the big blind counting as one: no player wins or loses more than 240 chips or is
ever all-in. There are two rules of when a round ends. By ``"two-calls"``, that of the
thesis, it ends after two calls or checks in a row: after a call of a raise the raiser acts again,
owing nothing. By ``"standard"`` a call of a raise ends the round. A player may fold when there is
nothing to call. Seat 0 has the button.
"""

from __future__ import annotations

import functools
from typing import Literal, NamedTuple, get_args

import numpy as np

from nlhe_env.arguments import one_of
from nlhe_env.game import holdem
from nlhe_env.game.action_kinds import CALLS, FOLDS
from nlhe_env.game.betting import amount_to_call, legal_raise
from nlhe_env.game.description import Game
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, TableRecord, TableRecords
from nlhe_env.jit.array_types import I64, Int, Records
from nlhe_env.jit.compilation import kernel

BettingRule = Literal["two-calls", "standard"]

_SMALL_BLIND, _BIG_BLIND = 5, 10
_MOST_BETS = 4
_STACK = 1000  # more than a player can lose
BLINDS: I64 = np.array([_SMALL_BLIND, _BIG_BLIND], np.int64)
"""Blinds of the button and of the other player, in chips."""


def match_game(betting: BettingRule = "two-calls", *, num_hands: int = 1) -> Game:
    """The game that matches are hands of.

    Args:
        betting: When a round ends.
        num_hands: Hands that two players stay together.
    """
    return Game.cash(
        starting_stack=_STACK,
        blinds=(_SMALL_BLIND, _BIG_BLIND),
        num_hands=num_hands,
        betting="fixed-limit",
        max_bets=_MOST_BETS,
        two_calls=one_of("betting", betting, get_args(BettingRule)) == "two-calls",
    )


def match_table(betting: BettingRule) -> Records:
    """``(1,)`` table of two players for ``begin``."""
    return _blank_table(betting).copy()


@functools.cache
def _blank_table(betting: BettingRule) -> Records:
    game = match_game(betting)
    tables: Records = game.arrays(2).tables
    tables["player"][0, :2] = (0, 1)
    tables["players"] = 2
    tables["starting_stack"][0, :2] = game.stacks(2)
    tables["small_blind"], tables["big_blind"] = _SMALL_BLIND, _BIG_BLIND
    return tables


@kernel
def begin(table: TableRecord, blinds: I64) -> None:
    """Begin a hand: ``BLINDS`` are posted, and the button is to act."""
    holdem.post_explicit_blinds(table, blinds, 1, blinds[1])


@kernel
def act(table: TableRecord, action: Int, raise_to: Int) -> Int:
    """Fold, check or call, or bet or raise; then the next one acts, or the match is over.

    Returns:
        The action as the game's kernels take it.
    """
    taken = raise_to
    if action == FOLDS:
        taken = np.int64(FOLD)
    elif action == CALLS:
        taken = np.int64(CHECK_OR_CALL)
    holdem.act(table, taken)
    return taken


class UnfinishedMatch(NamedTuple):
    """A match in the middle of its betting, for searches in Python."""

    tables: Records
    """``(1,)`` table record."""

    @classmethod
    def first(cls, betting: BettingRule) -> UnfinishedMatch:
        """The first decision, by the button."""
        tables = match_table(betting)
        _begin(tables, BLINDS)
        return cls(tables)

    @property
    def actor(self) -> int:
        """The seat that decides; ``NO_PLAYER`` when the match is over."""
        return int(self.tables[0]["actor"])

    @property
    def street(self) -> int:
        """Street of the betting."""
        return int(self.tables[0]["street"])

    def options(self) -> tuple[int, int]:
        """Chips to call, and what may be raised to, 0 if nothing."""
        owed, raise_to = _options(self.tables)
        return int(owed), int(raise_to)

    def put_in(self, seat: int) -> int:
        """Chips of a seat in the pot."""
        return int(self.tables[0]["hand_bet"][seat])

    def after(self, action: int) -> UnfinishedMatch:
        """The decision that follows an action."""
        tables = self.tables.copy()
        _act(tables, action)
        return UnfinishedMatch(tables)


@kernel
def _begin(tables: TableRecords, blinds: I64) -> None:
    begin(tables[0], blinds)


@kernel
def _options(tables: TableRecords) -> tuple[Int, Int]:
    _, raise_to = legal_raise(tables[0])
    return amount_to_call(tables[0]), raise_to


@kernel
def _act(tables: TableRecords, action: Int) -> None:
    _, raise_to = legal_raise(tables[0])
    act(tables[0], action, raise_to)
