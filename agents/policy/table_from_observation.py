"""Table record from the ``"cards"`` observation, so that rule players read a table everywhere.

In compiled games, rules read the table itself. For ``act``, the observation is converted back to a
table record, without hidden cards and the betting history within a street, which no rule may use.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.game.table import (
    ACTIVE,
    ALL_IN,
    EMPTY,
    FOLDED,
    MAX_SEATS,
    MIN_SEATS,
    NO_PLAYER,
    PREFLOP,
    TableRecord,
)
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.cards_observation import cards_parts

_TWO_DECKS = 2 * N_CARDS


def _length(seats: int) -> int:
    return cards_parts(seats)[-1].stop


SEATS_BY_LENGTH = {_length(seats): seats for seats in range(MIN_SEATS, MAX_SEATS + 1)}
"""Number of seats by length of the ``"cards"`` observation."""


@kernel
def read_table(observation: F32, seats: Int, big_blind: Int, table: TableRecord) -> None:
    """Write a table record from the result of ``observation.write_cards`` for the player to act.

    Args:
        observation: ``(115 + 19 * seats,)`` float32.
        seats: Number of seats at the table.
        big_blind: The big blind in chips.
        table: A table record, written except for hidden cards. The observer is in seat 0 and to
            act.
    """
    table.seats = seats
    table.big_blind = big_blind
    table.actor = 0
    table.board_cards = 0
    table.strength_key[0] = 0  # drop the cache for earlier cards
    for card in range(N_CARDS):
        table.cards[card] = -1
    n_hole = 0
    for card in range(N_CARDS):
        if observation[card] > 0:
            table.cards[n_hole] = card
            n_hole += 1
        if observation[N_CARDS + card] > 0:
            table.cards[2 * seats + table.board_cards] = card
            table.board_cards += 1
    at = _TWO_DECKS
    table.street = 0
    for street in range(4):
        if observation[at + street] > 0:
            table.street = street
    at += 4

    table.players = 0
    table.unfolded = 0
    table.active = 0
    table.current_bet = big_blind if table.street == PREFLOP else 0
    table.bets = np.int64(table.street == PREFLOP)
    for seat in range(seats):
        seated = observation[at + seats + seat] > 0
        if observation[at + seat] > 0:
            table.button = seat
        table.player[seat] = seat if seated else NO_PLAYER
        table.players += seated
        table.status[seat] = EMPTY
        if observation[at + 2 * seats + seat] > 0:
            all_in = observation[at + 3 * seats + seat] > 0
            table.status[seat] = ALL_IN if all_in else ACTIVE
            table.unfolded += 1
            table.active += not all_in
        elif seated:
            table.status[seat] = FOLDED
        table.stack[seat] = _chips(observation[at + 4 * seats + seat], big_blind)
        table.street_bet[seat] = _chips(observation[at + 5 * seats + seat], big_blind)
        table.hand_bet[seat] = _chips(observation[at + 6 * seats + seat], big_blind)
        table.current_bet = max(table.current_bet, table.street_bet[seat])
        history = at + 7 * seats + 7 + seat
        for street in range(4):
            chips = _chips(observation[history + street * seats], big_blind)
            table.street_chips[street, seat] = chips
            table.raises[street, seat] = np.int8(observation[history + (4 + street) * seats])
            table.calls[street, seat] = np.int8(observation[history + (8 + street) * seats])
        table.bets += table.raises[table.street, seat]
    at += 7 * seats
    table.pot = _chips(observation[at], big_blind)
    table.small_blind = _chips(observation[at + 4], big_blind)
    table.ante = _chips(observation[at + 5], big_blind)


@kernel
def _chips(big_blinds: Float, big_blind: Int) -> Int:
    """Integer chips; float32 is accurate enough up to some ten million."""
    return np.int64(np.rint(np.float64(big_blinds) * big_blind))
