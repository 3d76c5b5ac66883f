"""Public result of a hand: the board, the cards shown, the pots and their winners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.cards import CARD_NAMES
from nlhe_env.game.table import MAX_SEATS, NO_PLAYER
from nlhe_env.jit.array_types import I64
from nlhe_env.jit.compilation import kernel

# Places in the numbers of a hand: single ones, then runs of one number a seat or a pot.
_TABLE, _HAND, _SEATS, _BOARD_CARDS, _SHARED_CARDS, _POTS, _BIG_BLIND, _HAS_RAKE, _RAKE = range(9)
(
    _PLAYER,
    _STACK,
    _NET,
    _SHOWN,
    _POT_SIZE,
    _POT_ELIGIBLE,
    _POT_WINNERS,
    _SECOND_WINNERS,
) = range(9, 89, MAX_SEATS)
_CARDS = 89
_N_NUMBERS = _CARDS + 2 * MAX_SEATS + 10


class SeatResults(NamedTuple):
    """Chips won and stacks after a hand."""

    big_blind: int
    seats: list[tuple[int, int, int]]
    """Player, chips won (lost if negative) and stack afterwards, of every occupied seat."""


def new_numbers() -> I64:
    """Zeros for ``write_hand`` to fill."""
    return np.zeros(_N_NUMBERS, np.int64)


@kernel
def write_hand(game, tables, numbers):
    """Write the numbers of the hand that has just been paid, in one call from Python."""
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
        numbers[_PLAYER + i] = table.player[i]
        numbers[_STACK + i] = table.stack[i]
        numbers[_NET + i] = table.stack[i] - table.starting_stack[i]
        numbers[_SHOWN + i] = table.shown[i]
        numbers[_POT_SIZE + i] = table.pot_size[i]
        numbers[_POT_ELIGIBLE + i] = table.pot_eligible[i]
        numbers[_POT_WINNERS + i] = table.pot_winners[i]
        numbers[_SECOND_WINNERS + i] = table.second_winners[i]
    for i in range(2 * table.seats + 10):
        numbers[_CARDS + i] = table.cards[i]


def read_seats(numbers: I64) -> SeatResults:
    """Chips won and stacks after a hand.

    Args:
        numbers: Numbers that ``write_hand`` wrote.
    """
    n = numbers.tolist()
    seats = n[_SEATS]
    players = n[_PLAYER : _PLAYER + seats]
    nets = n[_NET : _NET + seats]
    stacks = n[_STACK : _STACK + seats]
    occupied = [seat for seat in zip(players, nets, stacks, strict=True) if seat[0] != NO_PLAYER]
    return SeatResults(n[_BIG_BLIND], occupied)


def read_hand(numbers: I64, names: Sequence[str]) -> dict[str, Any]:
    """The public result in plain values.

    Args:
        numbers: Numbers that ``write_hand`` wrote.
        names: Names of the players by number.
    """
    n = numbers.tolist()
    seats = n[_SEATS]
    players = n[_PLAYER : _PLAYER + seats]
    name_at = [names[player] if player != NO_PLAYER else "" for player in players]
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
        "net": {names[player]: net for player, net, _ in read_seats(numbers).seats},
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
