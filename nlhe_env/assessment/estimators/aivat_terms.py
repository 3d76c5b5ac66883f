"""Record of a hand for AIVAT, written while it is played: decisions and action probabilities."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from nlhe_env.assessment.estimators.aivat_values import N_CELLS, N_NUMBERS, SPOT
from nlhe_env.cards import N_CARDS
from nlhe_env.game import betting
from nlhe_env.game.random_stream import EQUITY_DEALS, digit, draw
from nlhe_env.game.table import (
    ACTIVE,
    ALL_IN,
    CHECK_OR_CALL,
    EMPTY,
    FIXED_LIMIT,
    FOLD,
    FOLDED,
    MAX_SEATS,
    NO_PLAYER,
    RIVER,
    TableRecord,
)
from nlhe_env.jit.array_types import Int, Record
from nlhe_env.jit.compilation import kernel

MOST_NOTES = 160
"""Maximum number of noted decisions per hand; later ones count as those of unknown players."""
MOST_HANDS = 64
"""Maximum number of hole cards considered for a player."""
N_CLASSES = 5
"""Number of action classes: fold, check or call, and three raise sizes."""

NOTE = np.dtype(
    [
        ("seat", np.int64),
        ("street", np.int64),
        ("live", np.int64),  # bit s: seat s is in the hand
        ("known", np.int64),  # 1 where the chances are
        ("taken", np.int64),  # class of the action
        ("call_ends", np.int64),  # 1 if a call ends the betting of the street
        ("call_is_last", np.int64),  # 1 if no player can bet after it
        ("pot", np.int64),
        ("to_call", np.int64),
        ("stack", np.int64),  # of the actor
        ("behind", np.int64),  # part of the stack that another player could match
        ("put_in", np.int64),  # chips by the action
        ("limit", np.int64),  # fixed-limit: chips of a bet on every street to come; else 0
        ("hand_bets", np.int64, (MAX_SEATS,)),  # chips in the pot
        ("chips", np.float64, (N_CLASSES,)),  # that each class puts in, about
        ("n_options", np.int64, (N_CLASSES,)),  # hands of which that is the mean
        ("chances", np.float64, (MOST_HANDS, N_CLASSES)),  # by the hole cards that are considered
    ],
    align=True,
)
"""A decision."""
NoteRecord: TypeAlias = Record
"""A record of dtype ``NOTE``."""

EVENT_ROW = np.dtype(
    [
        ("cell", np.int64),
        ("seat", np.int64),
        ("is_action", np.int64),
        ("moves", np.float64),  # chips per unit of the cell's number
        ("expected", np.float64),  # chips of the seat by equity alone
        ("after", np.float64),  # corrections of the seat so far
    ],
    align=True,
)
"""A data row for fitting a table."""

AIVAT = np.dtype(
    [
        ("value_function", np.int64),  # address of the value function
        ("numbers", np.float64, (N_NUMBERS,)),
        ("knows", np.int8, (MAX_SEATS,)),  # 1 for players whose chances may be used
        ("imagined", np.int64),  # player whose hole cards are considered, or NO_PLAYER
        ("n_hands", np.int64),  # as many of them
        ("strengths", np.float64, (169,)),  # of hole classes against one other hand
        ("mean_strength", np.float64),
        # The hand.
        ("n_notes", np.int64),
        ("notes", NOTE, (MOST_NOTES,)),
        ("hands", np.int64, (MOST_HANDS, 2)),  # the one held first
        ("weights", np.float64, (MOST_HANDS,)),  # how likely each is
        ("shares", np.float64, (MOST_HANDS, MAX_SEATS)),
        ("shares_street", np.int64),  # what the shares are for
        ("shares_live", np.int64),
        ("before", np.float64, (MAX_SEATS,)),
        ("corrections", np.float64, (MAX_SEATS,)),
        ("base", np.float64, (MAX_SEATS,)),
        ("spot", SPOT),
        # Of a table that is fitted: 1 if it is, the data of the hands.
        ("fits", np.int64),
        ("n_rows", np.int64),
        ("rows", EVENT_ROW, (MOST_NOTES * 2,)),
        ("products", np.float64, (N_CELLS,)),
        ("squares", np.float64, (N_CELLS,)),
        ("counts", np.int64, (N_CELLS,)),
    ],
    align=True,
)
"""State of the estimator; one for each thread, after a ``COUNTER``."""
AivatRecord: TypeAlias = Record
"""A record of dtype ``AIVAT``."""


@kernel
def live_seats(table: TableRecord) -> Int:
    """Bits of the seats in the hand."""
    live = np.int64(0)
    for seat in range(table.seats):
        if table.status[seat] == ACTIVE or table.status[seat] == ALL_IN:
            live |= np.int64(1) << seat
    return live


@kernel
def new_note(table: TableRecord, action: Int, aivat: AivatRecord) -> Int:
    """Begin the note of a decision, without probabilities yet; returns its number, or -1 if full.

    Args:
        table: A record with an actor.
        action: ``FOLD``, ``CHECK_OR_CALL``, or n >= 1 to raise to n.
        aivat: Record to which the note is added.
    """
    i = aivat.n_notes
    if i == MOST_NOTES:
        return -1
    if i == 0 and aivat.imagined != NO_PLAYER:
        _draw_hands(table, aivat)
    aivat.n_notes = i + 1
    note, seat = aivat.notes[i], table.actor
    note.seat = seat
    note.street = table.street
    note.live = live_seats(table)
    note.known = 0
    note.pot = table.pot
    note.to_call = betting.amount_to_call(table)
    note.stack = table.stack[seat]
    note.taken = action_class(action)
    note.put_in = 0
    if action == CHECK_OR_CALL:
        note.put_in = note.to_call
    elif action != FOLD:
        note.put_in = action - table.street_bet[seat]
    matched = np.int64(0)
    waits = 0
    can_bet = 0
    for other in range(table.seats):
        note.hand_bets[other] = table.hand_bet[other] if table.status[other] != EMPTY else 0
        if other == seat or table.status[other] == EMPTY or table.status[other] == FOLDED:
            continue
        reach = table.street_bet[other] + table.stack[other] - table.street_bet[seat]
        matched = max(matched, reach)
        if table.status[other] == ACTIVE:
            can_bet += 1
            if table.bet_when_acted[other] < 0 or table.street_bet[other] < table.current_bet:
                waits += 1
    note.behind = max(np.int64(0), min(note.stack, matched))
    note.call_ends = waits == 0
    still = can_bet + np.int64(note.stack > note.to_call)
    note.call_is_last = waits == 0 and (table.street == RIVER or still <= 1)
    note.limit = 2 * table.big_blind * (RIVER - table.street) + table.full_raise
    if table.betting != FIXED_LIMIT:
        note.limit = 0
    return i


@kernel
def action_class(action: Int) -> Int:
    """Class of an action: 0 to fold, 1 to check or call, 2 to raise."""
    if action == FOLD:
        return np.int64(0)
    return np.int64(1) if action == CHECK_OR_CALL else np.int64(2)


@kernel
def _draw_hands(table: TableRecord, aivat: AivatRecord) -> None:
    """Choose the hole cards to consider: the actual ones and a random sample of all others.

    Given only the set, the probability of each follows from all actions. The sample depends on all
    other players' cards and the board, so it is the same in every evaluation of the hand.
    """
    key: Int = np.uint64(0x9E3779B97F4A7C15)
    imagined = NO_PLAYER
    for seat in range(table.seats):
        if table.status[seat] == EMPTY:
            continue
        if table.player[seat] == aivat.imagined:
            imagined = seat
            continue
        for i in range(2):
            key = _mixed(key, table.cards[2 * seat + i])
    for i in range(5):
        key = _mixed(key, table.cards[2 * table.seats + i])
    if imagined == NO_PLAYER:
        return
    for i in range(2):
        aivat.hands[0, i] = table.cards[2 * imagined + i]
    for j in range(1, aivat.n_hands):
        word, _ = draw(key, EQUITY_DEALS, j, 0, 0, 0)
        first, word = digit(word, np.uint64(N_CARDS))
        second, _ = digit(word, np.uint64(51))
        aivat.hands[j, 0] = np.int64(first)
        aivat.hands[j, 1] = np.int64(second) + np.int64(second >= first)


@kernel
def _mixed(key: Int, card: Int) -> Int:
    key = (key ^ np.uint64(card + 1)) * np.uint64(0xBF58476D1CE4E5B9)
    return key ^ key >> np.uint64(29)
