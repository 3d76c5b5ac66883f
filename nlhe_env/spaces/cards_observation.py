"""The ``"cards"`` observation: all information available to a player, as one vector.

``cards_parts`` is its only definition: the kernel writes in the same order, which a test checks,
and documentation and bounds are derived from it.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.lookup import StrengthTablesRecord
from nlhe_env.game import betting
from nlhe_env.game.description import Game
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.table import ALL_IN, EMPTY, FOLDED, TableRecord
from nlhe_env.jit.array_types import F32, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.observation import Observation, Part, parts_of


def cards_parts(
    seats: int,
    most_big_blinds: float = np.inf,
    most_ante: float = np.inf,
    most_small_blind: float = 1.0,
) -> tuple[Part, ...]:
    """The parts of the observation at a table of ``seats`` seats, in order.

    "Per seat" starts with the observer's own seat and goes clockwise, empty seats included. Amounts
    are in big blinds.

    Args:
        seats: Seats of the table.
        most_big_blinds: Bound of amounts: all chips in play divided by the smallest big blind.
        most_ante: Bound of the ante: the largest one in big blinds.
        most_small_blind: Bound of the small blind: the largest one in big blinds.
    """
    amount = most_big_blinds
    layout: tuple[tuple[str, int, float, str], ...] = (
        ("hole_cards", N_CARDS, 1, "1 for each hole card (number 4 * rank + suit)"),
        ("board", N_CARDS, 1, "1 for each card on the board"),
        ("street", 4, 1, "one-hot: preflop, flop, turn, river"),
        ("button", seats, 1, "per seat: 1 if it has the button"),
        ("seated", seats, 1, "per seat: 1 if taken"),
        ("in_hand", seats, 1, "per seat: 1 if dealt in and not folded"),
        ("all_in", seats, 1, "per seat: 1 if all-in"),
        ("stacks", seats, amount, "per seat: chips behind"),
        ("street_bets", seats, amount, "per seat: chips bet on this street"),
        ("hand_bets", seats, amount, "per seat: chips bet in this hand, with antes"),
        ("pot", 1, amount, "the pot, with all bets"),
        ("to_call", 1, amount, "amount to call, at most the stack"),
        ("min_raise_to", 1, amount, "smallest legal raise; 0 if none, or not your turn"),
        ("max_raise_to", 1, amount, "largest legal raise; 0 if none, or not your turn"),
        ("small_blind", 1, most_small_blind, "small blind"),
        ("ante", 1, most_ante, "ante"),
        ("average_stack", 1, amount, "average stack at the table"),
        ("bets_by_street", 4 * seats, amount, "chips bet: preflop per seat, flop per seat, ..."),
        ("raises_by_street", 4 * seats, 127, "number of bets and raises, in the same order"),
        ("calls_by_street", 4 * seats, 127, "number of checks and calls, in the same order"),
    )
    return parts_of(layout)


def _parts_in(game: Game, num_players: int) -> tuple[Part, ...]:
    most_amount, most_small_blind, most_ante = 1.0, 1.0, 1.0
    for small, big, ante in game.blinds.levels:  # rounded like the amounts below
        unit = np.float32(1.0 / big)
        most_amount = max(most_amount, float(np.float32(sum(game.stacks(num_players))) * unit))
        most_small_blind = max(most_small_blind, float(np.float32(small) * unit))
        most_ante = max(most_ante, float(np.float32(ante) * unit))
    return cards_parts(game.seats(num_players), most_amount, most_ante, most_small_blind)


@kernel
def write_cards(
    table: TableRecord,
    players: PlayerRecords,
    seat: Int,
    strength_tables: StrengthTablesRecord,
    out: F32,
) -> None:
    """Write the observation of a seat.

    Args:
        table: A table record.
        players: Not used.
        seat: Seat of the observer.
        strength_tables: Not used.
        out: float32, with the size of ``cards_parts(table.seats)``.
    """
    out.fill(0)
    seats = table.seats
    unit = np.float32(1.0 / table.big_blind)
    if table.status[seat] != EMPTY:
        out[table.cards[2 * seat]] = 1
        out[table.cards[2 * seat + 1]] = 1
    for i in range(table.board_cards):
        out[N_CARDS + table.cards[2 * seats + i]] = 1
    out[104 + table.street] = 1

    at = 108
    chips = table.pot
    other = seat
    for i in range(seats):
        status = table.status[other]
        out[at + i] = other == table.button
        out[at + seats + i] = table.player[other] >= 0
        out[at + 2 * seats + i] = status != EMPTY and status != FOLDED
        out[at + 3 * seats + i] = status == ALL_IN
        if table.player[other] >= 0:
            chips += table.stack[other]
            out[at + 4 * seats + i] = np.float32(table.stack[other]) * unit
        if status != EMPTY:
            out[at + 5 * seats + i] = np.float32(table.street_bet[other]) * unit
            out[at + 6 * seats + i] = np.float32(table.hand_bet[other]) * unit
            history = at + 7 * seats + 7 + i
            for street in range(4):
                out[history + street * seats] = np.float32(table.street_chips[street, other]) * unit
                out[history + (4 + street) * seats] = table.raises[street, other]
                out[history + (8 + street) * seats] = table.calls[street, other]
        other += 1
        if other == seats:
            other = 0

    at += 7 * seats
    out[at] = np.float32(table.pot) * unit
    if table.actor == seat:
        least, most = betting.legal_raise(table)
        out[at + 1] = np.float32(betting.amount_to_call(table)) * unit
        out[at + 2] = np.float32(least) * unit
        out[at + 3] = np.float32(most) * unit
    out[at + 4] = np.float32(table.small_blind) * unit
    out[at + 5] = np.float32(table.ante) * unit
    out[at + 6] = np.float32(chips / max(np.int64(1), table.players)) * unit


CARDS = Observation("cards", write_cards, _parts_in)
