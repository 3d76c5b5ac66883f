"""Betting of matches, by the game's kernels with fixed blinds and bets.

Small blind 5, big blind 10, bets of 10 before and on the flop and of 20 on turn and river, at most
four bets per round including the big blind: players win or lose at most 240 chips and are never
all-in. A round ends by one of two rules. With ``"two-calls"``, as in the thesis, it ends after two
consecutive calls or checks: after a call of a raise, the raiser acts again with nothing to call.
With ``"standard"``, a call of a raise ends the round. A player may fold with nothing to call. Seat
0 has the button.
"""

from __future__ import annotations

import functools
from typing import Literal, NamedTuple, get_args

import numpy as np

from nlhe_env.arguments import one_of
from nlhe_env.game import holdem
from nlhe_env.game.betting import CALLS, FOLDS, amount_to_call, legal_raise
from nlhe_env.game.description import Game
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, TableRecord, TableRecords
from nlhe_env.jit.array_types import I64, Int, Records
from nlhe_env.jit.compilation import kernel

BettingRule = Literal["two-calls", "standard"]

_SMALL_BLIND, _BIG_BLIND = 5, 10
_MOST_BETS = 4
_STACK = 1000  # above the maximum loss
BLINDS: I64 = np.array([_SMALL_BLIND, _BIG_BLIND], np.int64)
"""Blinds of the button and of the other player, in chips."""


def match_game(betting: BettingRule = "two-calls", *, num_hands: int = 1) -> Game:
    """Game whose hands are the matches.

    Args:
        betting: Rule for the end of a round.
        num_hands: Number of hands per session of two players.
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
    """Take an action: fold, check or call, or bet or raise.

    Returns:
        The action in the encoding of the game's kernels.
    """
    taken = raise_to
    if action == FOLDS:
        taken = np.int64(FOLD)
    elif action == CALLS:
        taken = np.int64(CHECK_OR_CALL)
    holdem.act(table, taken)
    return taken


class UnfinishedMatch(NamedTuple):
    """A match during its betting, for searches in Python."""

    tables: Records
    """``(1,)`` table record."""

    @classmethod
    def first(cls, betting: BettingRule) -> UnfinishedMatch:
        """Match at its first decision, by the button."""
        tables = match_table(betting)
        _begin(tables, BLINDS)
        return cls(tables)

    @property
    def actor(self) -> int:
        """Seat to act; ``NO_PLAYER`` when the match is over."""
        return int(self.tables[0]["actor"])

    @property
    def street(self) -> int:
        """Current street."""
        return int(self.tables[0]["street"])

    def options(self) -> tuple[int, int]:
        """Chips to call, and the amount to raise to, 0 if no raise is legal."""
        owed, raise_to = _options(self.tables)
        return int(owed), int(raise_to)

    def put_in(self, seat: int) -> int:
        """Chips put in by a seat."""
        return int(self.tables[0]["hand_bet"][seat])

    def after(self, action: int) -> UnfinishedMatch:
        """Match after an action."""
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
