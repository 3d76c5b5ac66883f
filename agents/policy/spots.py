"""Helpers for rules: hand strength, equity and raise sizes at a table.

A rule answers with a game action: ``FOLD``, ``CHECK_OR_CALL`` or n >= 1, raise to n. Its parameters
are a float32 array of ``N_PARAMETERS`` numbers followed by lookup tables.
"""

from __future__ import annotations

import functools

import numpy as np

from nlhe_env.assessment.potential_kernels import hand_strength
from nlhe_env.equity.tables.cells import preflop_class
from nlhe_env.equity.tables.lookup import StrengthTablesRecord, hand_equity
from nlhe_env.equity.tables.store import load_preflop
from nlhe_env.equity.tables.suits import MAX_OPPONENTS, N_PREFLOP
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import ACTIVE, ALL_IN, CHECK_OR_CALL, FOLD, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

N_PARAMETERS = 24
"""Number of parameters of a rule, before its tables."""
N_PERCENTILES = N_PREFLOP * MAX_OPPONENTS
AFTER_PERCENTILES = N_PARAMETERS + N_PERCENTILES


def class_sizes() -> F32:
    """``(169,)`` float32 number of holdings in each hole-card class; they sum to 1,326."""
    high, low = np.divmod(np.arange(N_PREFLOP), 13)
    return np.where(high == low, 6, np.where(high > low, 4, 12)).astype(np.float32)


@functools.cache
def percentiles() -> F32:
    """``(169, 9)`` share of weaker holdings, by class and number of opponents.

    A holding is weaker if its equity against that many opponents is lower; half of the same class
    counts as weaker.
    """
    sizes = class_sizes()
    shares = load_preflop()["hand_equities"]
    found = np.zeros((N_PREFLOP, MAX_OPPONENTS), np.float32)
    for n in range(MAX_OPPONENTS):
        order = np.argsort(shares[:, n], kind="stable")
        below = np.cumsum(sizes[order]) - 0.5 * sizes[order]
        found[order, n] = below / sizes.sum()
    found.setflags(write=False)
    return found


@kernel
def opponents(table: TableRecord) -> Int:
    """Number of opponents still in the hand, at least 1."""
    return min(max(np.int64(1), table.unfolded - 1), MAX_OPPONENTS)


@kernel
def hole_class(table: TableRecord) -> Int:
    """Class of the actor's hole cards."""
    hole_0, hole_1 = hole_cards(table, table.actor)
    return preflop_class(hole_0, hole_1)


@kernel
def percentile(table: TableRecord, parameters: F32) -> Float:
    """Share of holdings weaker than the actor's hole cards, 0..1, from the rule's table."""
    place = hole_class(table) * MAX_OPPONENTS + opponents(table) - 1
    return np.float64(parameters[N_PARAMETERS + place])


@kernel
def strength_now(table: TableRecord) -> Float:
    """HS on the current board: the share of holdings beaten, ties counting one half.

    Billings 2006, 2.5.2.1. The value is cached in the table record for the street, like win
    chances.
    """
    seat = table.actor
    if table.strength_key[seat] != key_of_strength_now(table):
        hole_0, hole_1 = hole_cards(table, seat)
        strength = hand_strength(
            hole_0,
            hole_1,
            table.cards[2 * table.seats : 2 * table.seats + 5],
            table.board_cards,
            None,
        )
        remember_strength_now(table, strength)
    return table.strength[seat]


@kernel
def key_of_strength_now(table: TableRecord) -> Int:
    """Value of ``table.strength_key`` while ``table.strength`` is HS instead of a win chance."""
    return -1 - table.board_cards


@kernel
def remember_strength_now(table: TableRecord, strength: Float) -> None:
    """Cache the HS of the actor's hole cards on this street for ``strength_now``."""
    table.strength_key[table.actor] = key_of_strength_now(table)
    table.strength[table.actor] = strength


@kernel
def equity_against_one(table: TableRecord, strength_tables: StrengthTablesRecord) -> Float:
    """Equity of the actor's hand against one random hand."""
    return equity_of(table, table.actor, strength_tables)


@kernel
def equity_of(table: TableRecord, seat: Int, strength_tables: StrengthTablesRecord) -> Float:
    """Equity of a seat's hand against one random hand."""
    hole_0, hole_1 = hole_cards(table, seat)
    return hand_equity(
        hole_0,
        hole_1,
        table.cards[2 * table.seats : 2 * table.seats + 5],
        table.board_cards,
        1,
        strength_tables,
    )


@kernel
def is_in_hand(table: TableRecord, seat: Int) -> Truth:
    """Whether a seat has a claim to the pot."""
    return table.status[seat] == ACTIVE or table.status[seat] == ALL_IN


@kernel
def check_or_fold(table: TableRecord) -> Int:
    """Check if possible, else fold."""
    return CHECK_OR_CALL if amount_to_call(table) == 0 else FOLD


@kernel
def raise_by(table: TableRecord, fraction: Float, least: Int, most: Int) -> Int:
    """Legal raise nearest to a fraction of the pot after calling; a call if none is legal.

    Args:
        table: A table record.
        fraction: Fraction of the pot after calling.
        least: Minimum legal raise; 0 if none.
        most: Maximum legal raise.
    """
    if most == 0:
        return CHECK_OR_CALL
    pot = table.pot + amount_to_call(table)
    amount = table.current_bet + np.int64(np.floor(fraction * pot + 0.5))
    return min(max(amount, least), most)
