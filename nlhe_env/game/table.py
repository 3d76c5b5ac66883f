"""The table record: one NumPy structured dtype holds a whole table.

Kernels take arrays of records and work on single records (``tables[i]``); a copy of the array is a
copy of the game.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.jit.array_types import Record, Records

MAX_SEATS = 10
MIN_SEATS = 2

# Status of a seat.
EMPTY = 0  # no player sits here, or the player was not dealt in
ACTIVE = 1  # in the hand with chips behind
ALL_IN = 2  # in the hand without chips behind
FOLDED = 3

PREFLOP, FLOP, TURN, RIVER = range(4)

# Payer of the ante.
BY_EVERYONE, BY_BIG_BLIND = range(2)

# Seat that straddles.
NO_STRADDLE, UNDER_THE_GUN, ON_BUTTON = range(3)

# Betting structures.
NO_LIMIT, POT_LIMIT, FIXED_LIMIT = range(3)
STREET_NAMES = ("preflop", "flop", "turn", "river")

NO_PLAYER = -1

# Actions inside the game; n >= 1 is "raise to n".
FOLD = -1
CHECK_OR_CALL = 0

TABLE = np.dtype(
    [
        # What every action reads comes first, see `ACTION_BYTES`. Fields of int8 stand together, so
        # that there is no padding and equal tables have equal bytes.
        ("seats", np.int64),  # seats of the table; cards of the board follow 2 * seats hole cards
        ("betting", np.int64),  # NO_LIMIT, POT_LIMIT or FIXED_LIMIT
        ("max_bets", np.int64),  # on a street of fixed-limit; 0: no cap heads-up, else four
        ("players", np.int64),  # players at the table, 0 when the table is closed
        ("hand", np.int64),  # hands completed by the tournament before this one
        ("button", np.int64),  # seat
        ("small_blind", np.int64),  # chips
        ("big_blind", np.int64),  # chips
        ("ante", np.int64),  # chips
        ("street", np.int64),
        ("actor", np.int64),  # seat to act, NO_PLAYER when the betting is over
        ("board_cards", np.int64),  # 0, 3, 4 or 5 cards of the board are known
        ("current_bet", np.int64),  # the street bet that must be matched
        ("full_raise", np.int64),  # size of the last full bet or raise; at least the big blind
        ("bets", np.int64),  # bets and raises on this street, the big blind included
        ("pot", np.int64),  # all chips put in, bets of this street included
        ("unfolded", np.int64),  # seats with a claim to the pot
        ("active", np.int64),  # of these, seats with chips behind
        ("player", np.int64, (MAX_SEATS,)),  # number of the player here, NO_PLAYER if empty
        ("stack", np.int64, (MAX_SEATS,)),  # chips behind
        ("street_bet", np.int64, (MAX_SEATS,)),  # put in on this street, antes not included
        ("hand_bet", np.int64, (MAX_SEATS,)),  # put in during the hand, antes included
        ("bet_when_acted", np.int64, (MAX_SEATS,)),  # current_bet at the last action, -1 if none
        ("decisions", np.int64, (MAX_SEATS,)),  # taken in this hand
        ("two_calls", np.int64),  # 1: a street ends after two checks or calls in a row
        ("raises", np.int8, (4, MAX_SEATS)),  # bets and raises made on each street
        ("calls", np.int8, (4, MAX_SEATS)),  # checks and calls made on each street
        ("status", np.int8, (MAX_SEATS,)),
        ("shown", np.int8, (MAX_SEATS,)),  # 1 when the cards were shown
        # The deck: seat s holds cards 2s and 2s + 1, then the board, then a second board of which
        # the first `shared_cards` are those of the first one.
        ("cards", np.int8, (N_CARDS,)),
        ("street_chips", np.int64, (4, MAX_SEATS)),  # put in on each street, antes not included
        ("number", np.int64),  # which table of the tournament
        ("hands_dealt", np.int64),  # hands dealt at this table
        ("showdown", np.int64),  # 1 when the last hand was decided by showing cards
        ("pots", np.int64),  # pots of the settled hand, the main pot first
        ("preset_cards", np.int64),  # 1 when `cards` holds some cards for the next deal
        ("starting_stack", np.int64, (MAX_SEATS,)),  # chips when the hand began
        ("won", np.int64, (MAX_SEATS,)),  # from the pots of the settled hand
        ("pot_size", np.int64, (MAX_SEATS,)),  # of each pot
        ("pot_eligible", np.int64, (MAX_SEATS,)),  # bit s: seat s can win the pot
        ("pot_winners", np.int64, (MAX_SEATS,)),  # bit s: seat s won a share
        ("strength", np.float64, (MAX_SEATS,)),  # of the hole cards, as asked for last
        ("strength_key", np.int64, (MAX_SEATS,)),  # which strength, on which street; 0 for none
        ("ante_by", np.int64),  # BY_EVERYONE or BY_BIG_BLIND
        ("straddling", np.int64),  # NO_STRADDLE, UNDER_THE_GUN or ON_BUTTON
        ("boards", np.int64),  # 2: what is left of the board is dealt twice to players all-in
        ("shared_cards", np.int64),  # of two boards; 5 when there is only one
        ("rake_needs_flop", np.int64),  # 1: no rake from hands without a flop
        ("rake_share", np.int64),  # of the pots, in millionths
        ("rake_cap", np.int64),  # chips of a hand
        ("rake", np.int64),  # taken from the settled hand, chips
        ("straddle", np.int64),  # chips of the straddle of this hand, 0 for none
        ("dead_ante", np.int64),  # chips of the ante that the big blind has paid for the table
        ("second_winners", np.int64, (MAX_SEATS,)),  # as `pot_winners`, on the second board
    ],
    align=True,
)
ACTION_BYTES: int = dict(TABLE.fields or {})["shown"][1]
"""Bytes at the start of a table that every action reads."""
TableRecord: TypeAlias = Record
"""A record of dtype ``TABLE``."""
TableRecords: TypeAlias = Records
"""An array of records of dtype ``TABLE``."""


def empty_tables(count: int, seats: int, betting: int = NO_LIMIT, max_bets: int = 0) -> np.ndarray:
    """New tables without players.

    Args:
        count: Number of tables.
        seats: Seats of each table, 2 to 10.
        betting: ``NO_LIMIT``, ``POT_LIMIT`` or ``FIXED_LIMIT``.
        max_bets: Fixed-limit cap on bets per street, see the field of this name.

    Returns:
        ``(count,)`` records of dtype ``TABLE``.
    """
    tables = np.zeros(count, TABLE)
    tables["seats"] = seats
    tables["number"] = np.arange(count)
    tables["betting"] = betting
    tables["max_bets"] = max_bets
    tables["player"] = NO_PLAYER
    tables["actor"] = NO_PLAYER
    tables["cards"] = -1
    tables["boards"] = 1
    tables["shared_cards"] = 5
    return tables
