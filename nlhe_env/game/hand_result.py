"""Public result of a hand: the board, the cards shown, the pots and their winners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nlhe_env.cards import CARD_NAMES
from nlhe_env.game.table import MAX_SEATS, NO_PLAYER, TableRecords
from nlhe_env.jit.array_types import I64, Records
from nlhe_env.jit.compilation import kernel

# Indices in the numbers of a hand: single numbers, then one per seat or per pot.
_TABLE, _HAND, _SEATS, _BOARD_CARDS, _SHARED_CARDS, _POTS, _BIG_BLIND, _HAS_RAKE, _RAKE = range(9)
# Player, chips won and stack of each seat, adjacent for ``seat_rows``.
_PLAYER, _NET, _STACK = 9, 10, 11
_ROW = 3
_SHOWN, _POT_SIZE, _POT_ELIGIBLE, _POT_WINNERS, _SECOND_WINNERS = range(39, 89, MAX_SEATS)
_CARDS = 89
N_NUMBERS = _CARDS + 2 * MAX_SEATS + 10
"""Number of numbers of a hand."""


def new_numbers() -> I64:
    """Zeros for ``write_hand`` to fill."""
    return np.zeros(N_NUMBERS, np.int64)


@kernel
def write_hand(game: Records, tables: TableRecords, numbers: I64) -> None:
    """Write the numbers of a paid hand, in one call from Python."""
    table = tables[game[0].table]
    numbers[_TABLE] = table.number
    numbers[_HAND] = table.hand
    numbers[_SEATS] = table.seats
    numbers[_BOARD_CARDS] = table.board_cards
    numbers[_SHARED_CARDS] = table.shared_cards
    numbers[_HAS_RAKE] = table.rake_share > 0
    numbers[_RAKE] = table.rake
    numbers[_POTS] = table.pots
    numbers[_BIG_BLIND] = table.big_blind
    for i in range(MAX_SEATS):
        numbers[_PLAYER + _ROW * i] = table.player[i]
        numbers[_NET + _ROW * i] = table.stack[i] - table.starting_stack[i]
        numbers[_STACK + _ROW * i] = table.stack[i]
        numbers[_SHOWN + i] = table.shown[i]
        numbers[_POT_SIZE + i] = table.pot_size[i]
        numbers[_POT_ELIGIBLE + i] = table.pot_eligible[i]
        numbers[_POT_WINNERS + i] = table.pot_winners[i]
        numbers[_SECOND_WINNERS + i] = table.second_winners[i]
    for i in range(2 * table.seats + 10):
        numbers[_CARDS + i] = table.cards[i]


def seat_rows(numbers: I64, seats: int) -> I64:
    """``(seats, 3)`` view: player, chips won (lost if negative) and stack after the hand.

    The player is ``NO_PLAYER`` for an empty seat.

    Args:
        numbers: Array for ``write_hand``.
        seats: Number of seats at the table.
    """
    return numbers[_PLAYER : _PLAYER + _ROW * seats].reshape(seats, _ROW)


def read_big_blind(numbers: I64) -> int:
    """Big blind of a hand from the numbers of ``write_hand``."""
    return int(numbers[_BIG_BLIND])


def read_hand(numbers: I64, names: Sequence[str]) -> dict[str, Any]:
    """Public result of a hand in plain values.

    Args:
        numbers: Numbers from ``write_hand``.
        names: Names of the players by number.
    """
    n = numbers.tolist()
    seats = n[_SEATS]
    rows = seat_rows(numbers, seats).tolist()
    name_at = [names[player] if player != NO_PLAYER else "" for player, _, _ in rows]
    board = _CARDS + 2 * seats
    public = {
        "hand_number": n[_HAND],
        "table": n[_TABLE],
        "board": "".join([CARD_NAMES[card] for card in n[board : board + n[_BOARD_CARDS]]]),
        "shown": {
            name_at[seat]: CARD_NAMES[n[_CARDS + 2 * seat]] + CARD_NAMES[n[_CARDS + 2 * seat + 1]]
            for seat in range(seats)
            if n[_SHOWN + seat]
        },
        "pots": [
            {
                "size": n[_POT_SIZE + pot],
                "eligible": _named(name_at, n[_POT_ELIGIBLE + pot]),
                "winners": _named(name_at, n[_POT_WINNERS + pot]),
            }
            for pot in range(n[_POTS])
        ],
        "net": {names[player]: net for player, net, _ in rows if player != NO_PLAYER},
    }
    shared = n[_SHARED_CARDS]
    if shared < 5:
        second = n[board : board + shared] + n[board + 5 + shared : board + 10]
        public["second_board"] = "".join([CARD_NAMES[card] for card in second])
        for pot in range(n[_POTS]):
            winners = _named(name_at, n[_SECOND_WINNERS + pot])
            public["pots"][pot]["second_winners"] = winners
    if n[_HAS_RAKE]:
        public["rake"] = n[_RAKE]
    return public


def _named(name_at: list[str], seat_bits: int) -> list[str]:
    return [name for seat, name in enumerate(name_at) if seat_bits >> seat & 1]
