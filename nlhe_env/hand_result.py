"""What everybody knows after a hand: the board, the cards shown, the pots and who won them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nlhe_env._jit import kernel
from nlhe_env._types import I64
from nlhe_env.cards import CARD_NAMES
from nlhe_env.table import MAX_SEATS, NOBODY

# Places in the numbers of a hand: single ones, then runs of one number a seat or a pot.
_TABLE, _HAND, _SEATS, _BOARD_CARDS, _POTS, _BIG_BLIND = range(6)
_PLAYER, _STACK, _NET, _SHOWN, _POT_SIZE, _POT_ELIGIBLE, _POT_WINNERS = range(6, 76, MAX_SEATS)
_CARDS = 76
_N_NUMBERS = _CARDS + 2 * MAX_SEATS + 5


class HandOutcome(NamedTuple):
    """One player's part in a hand."""

    player: int
    net: int
    """Chips won, or lost if negative."""
    stack: int
    """Chips afterwards."""


def new_numbers() -> I64:
    """Space for ``write_hand``."""
    return np.zeros(_N_NUMBERS, np.int64)


@kernel
def write_hand(game, tables, numbers):
    """Write the numbers of the hand that has just been paid, in one call from Python."""
    table = tables[game[0].table]
    numbers[_TABLE] = table.number
    numbers[_HAND] = table.hand
    numbers[_SEATS] = table.seats
    numbers[_BOARD_CARDS] = table.board_cards
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
    for i in range(2 * table.seats + 5):
        numbers[_CARDS + i] = table.cards[i]


def read_hand(numbers: I64, names: Sequence[str]) -> tuple[dict[str, Any], list[HandOutcome], int]:
    """The public result of a hand in plain values, every player's part, and the big blind.

    Args:
        numbers: As ``write_hand`` left them.
        names: Of the players by number.
    """
    n = numbers.tolist()
    seats = n[_SEATS]
    outcomes = [
        HandOutcome(n[_PLAYER + seat], n[_NET + seat], n[_STACK + seat])
        for seat in range(seats)
        if n[_PLAYER + seat] != NOBODY
    ]
    name_at = [names[who] if who != NOBODY else "" for who in n[_PLAYER : _PLAYER + seats]]
    board = _CARDS + 2 * seats
    result = {
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
        "net": {names[outcome.player]: outcome.net for outcome in outcomes},
    }
    return result, outcomes, n[_BIG_BLIND]


def _named(name_at: list[str], seat_bits: int) -> list[str]:
    return [name for seat, name in enumerate(name_at) if seat_bits >> seat & 1]
