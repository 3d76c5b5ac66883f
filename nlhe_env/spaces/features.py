"""The 35 inputs of the published networks, and 40 action statistics of all players.

Source: Nicolai, MSc thesis (University of Regina, 2008), section 4.1.3; Nicolai and Hilderman
(ICEC 2010), section 4.1. ``FEATURES`` defines them; the kernel below writes them in that order.

``OPPONENT_FEATURES`` follow them in ``"features_opponents"``. The thesis (section 6.2) suggests a
richer opponent model: by aggressiveness alone, an unobserved player looks like one who always
folds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.equity.tables.lookup import StrengthTablesRecord, win_or_tie_probability
from nlhe_env.game.betting import amount_owed, winnable_pot
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.description import Game
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.table import EMPTY, MAX_SEATS, NO_PLAYER, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.spaces.observation import Observation, Part

N_FEATURES = 35
WIN_CHANCE = 3
"""Index of the win chance among the inputs."""

# Kinds of inputs.
RAW, SCALED, OPPONENTS = range(3)

_POT_BIG_BLINDS = 10.0  # scaled pot and call are in units of ten big blinds
_HALF_KNOWN = 10.0  # decisions after which a player counts as half known


class Feature(NamedTuple):
    """Consecutive inputs with one meaning."""

    name: str
    start: int
    """Index of the first input."""
    size: int
    """Number of inputs."""
    raw: str
    """The content with ``"features"``, in words."""
    scaled: str
    """The content with ``"features_scaled"`` and ``"features_opponents"``."""


FEATURES = (
    Feature("pot", 0, 1, "chips that the player can win", "in tens of big blinds"),
    Feature("call", 1, 1, "chips to call", "in tens of big blinds"),
    Feature("opponents", 2, 1, "opponents left in the hand", "divided by 10"),
    Feature("win_chance", 3, 1, "chance to win or tie at showdown", "the same"),
    Feature("position", 4, 1, "hands until the player has the button", "divided by 10"),
    Feature(
        "stacks",
        5,
        10,
        "stacks: own, then clockwise; 0 beyond the last player",
        "divided by the average stack, chips in the pot included",
    ),
    Feature(
        "long_term", 15, 10, "average aggressiveness in the tournament, same order", "the same"
    ),
    Feature("short_term", 25, 10, "average aggressiveness in the last ten hands", "the same"),
)
"""Inputs: name, first index, count, raw content, and changes by ``"features_scaled"``."""

OPPONENT_FEATURES = (
    Feature("folds", 35, 10, "", "share of the decisions in the tournament that were folds"),
    Feature("calls", 45, 10, "", "share of checks and calls"),
    Feature("raises", 55, 10, "", "share of bets and raises"),
    Feature("known", 65, 10, "", "how well the player is known: n / (n + 10) after n decisions"),
)
"""Inputs added by ``"features_opponents"`` to the scaled ones; players in the order of stacks."""

N_INPUTS = (N_FEATURES, N_FEATURES, N_FEATURES + 4 * MAX_SEATS)
"""Number of inputs of each kind."""


@kernel
def strength(table: TableRecord, seat: Int, strength_tables: StrengthTablesRecord) -> Float:
    """Win chance of a seat against all remaining players, cached for the street.

    0 for a seat that was not dealt in.
    """
    if table.status[seat] == EMPTY:
        return 0.0
    opponents = max(np.int64(1), table.unfolded - 1)
    key = table.board_cards * 16 + opponents
    if table.strength_key[seat] != key:
        table.strength_key[seat] = key
        hole_0, hole_1 = hole_cards(table, seat)
        table.strength[seat] = win_or_tie_probability(
            hole_0,
            hole_1,
            table.cards[2 * table.seats : 2 * table.seats + 5],
            table.board_cards,
            opponents,
            strength_tables,
        )
    return table.strength[seat]


@inlined_kernel
def look_up_late(
    table: TableRecord, seat: Int, strength_tables: StrengthTablesRecord, inputs: F32
) -> None:
    """Fill in the win chance that ``write_raw_late`` has left out."""
    if np.isnan(inputs[WIN_CHANCE]):
        inputs[WIN_CHANCE] = np.float32(strength(table, seat, strength_tables))


# Seats in the order of a player's view: [seats of the table, own seat, place].
_CLOCKWISE = np.array(
    [
        [[(own + place) % max(seats, 1) for place in range(MAX_SEATS)] for own in range(MAX_SEATS)]
        for seats in range(MAX_SEATS + 1)
    ],
    np.uint8,
)
# First indices of parts. Unsigned indices need no check for negative values.
_STACKS, _LONG_TERM, _SHORT_TERM = np.uint64(5), np.uint64(15), np.uint64(25)


@inlined_kernel
def write_features(
    table: TableRecord,
    players: PlayerRecords,
    seat: Int,
    kind: Int,
    strength_tables: StrengthTablesRecord,
    out: F32,
) -> None:
    """Write the inputs of a seat.

    Args:
        table: A table record during a hand.
        players: The players' records.
        seat: Seat of the player whose inputs these are; it must not be empty.
        kind: ``RAW`` (as published), ``SCALED`` or ``OPPONENTS``.
        strength_tables: ``StrengthTables``.
        out: float32, with the length in ``N_INPUTS``.
    """
    _write_all_but_win_chance(table, players, seat, kind, out)
    out[WIN_CHANCE] = np.float32(strength(table, seat, strength_tables))


@inlined_kernel
def _write_all_but_win_chance(
    table: TableRecord, players: PlayerRecords, seat: Int, kind: Int, out: F32
) -> None:
    unit = np.float32(1.0)
    pot_unit = np.float32(1.0)
    if kind != RAW:
        unit = np.float32(1.0 / MAX_SEATS)
        pot_unit = np.float32(1.0 / (_POT_BIG_BLINDS * table.big_blind))

    out[0] = np.float32(winnable_pot(table, seat)) * pot_unit
    out[1] = np.float32(amount_owed(table, seat)) * pot_unit
    out[2] = np.float32(max(np.int64(0), table.unfolded - 1)) * unit

    # Branches on empty seats would be unpredictable: instead, values of an empty seat are
    # overwritten by those of the next one.
    for i in range(5, N_FEATURES):
        out[i] = np.float32(0.0)
    n = np.uint64(0)
    button = np.uint64(0)
    chips = table.pot
    order = _CLOCKWISE[table.seats, seat]
    button_seat = table.button
    for place in range(table.seats):
        other = order[place]
        number = table.player[other]
        player = players[np.uint64(max(number, 0))]
        here = number != NO_PLAYER
        chips += table.stack[other] if here else 0
        out[_STACKS + n] = np.float32(table.stack[other])
        out[_LONG_TERM + n] = player.long_term
        out[_SHORT_TERM + n] = player.short_term
        button = n if here & (other == button_seat) else button
        n += np.uint64(here)
    if n < MAX_SEATS:
        out[_STACKS + n] = np.float32(0.0)
        out[_LONG_TERM + n] = np.float32(0.0)
        out[_SHORT_TERM + n] = np.float32(0.0)
    if kind != RAW:
        stack_unit = np.float32(table.players / max(chips, np.int64(1)))  # a rake can take all
        for i in range(5, 5 + MAX_SEATS):
            out[i] *= stack_unit
    # (own place - button's place) mod n: 0 with the button, else the hands until it arrives.
    out[4] = np.float32(n - button if button > 0 else 0) * unit
    if kind == OPPONENTS:
        _write_opponents(table, players, seat, out)


@kernel
def _write_opponents(table: TableRecord, players: PlayerRecords, seat: Int, out: F32) -> None:
    out[N_FEATURES : N_FEATURES + 4 * MAX_SEATS].fill(np.float32(0.0))
    other = seat
    at = N_FEATURES
    for _ in range(table.seats):
        number = table.player[other]
        if number != NO_PLAYER:
            player = players[number]
            decisions = player.decisions
            if decisions > 0:
                share = 1.0 / decisions
                calls = decisions - player.folds - player.raises
                out[at] = np.float32(player.folds * share)
                out[at + MAX_SEATS] = np.float32(calls * share)
                out[at + 2 * MAX_SEATS] = np.float32(player.raises * share)
                out[at + 3 * MAX_SEATS] = np.float32(decisions / (decisions + _HALF_KNOWN))
            at += 1
        other += 1
        if other == table.seats:
            other = 0


@kernel
def write_raw(
    table: TableRecord,
    players: PlayerRecords,
    seat: Int,
    strength_tables: StrengthTablesRecord,
    out: F32,
) -> None:
    """Write the 35 inputs of a seat as published."""
    write_features(table, players, seat, RAW, strength_tables, out)


@kernel
def write_raw_late(
    table: TableRecord,
    players: PlayerRecords,
    seat: Int,
    strength_tables: StrengthTablesRecord,
    out: F32,
) -> None:
    """``write_raw`` with NaN for the win chance, whose lookup takes longer than the rest."""
    _write_all_but_win_chance(table, players, seat, RAW, out)
    out[WIN_CHANCE] = np.float32(np.nan)


@kernel
def write_scaled(
    table: TableRecord,
    players: PlayerRecords,
    seat: Int,
    strength_tables: StrengthTablesRecord,
    out: F32,
) -> None:
    """Write the 35 inputs of a seat, scaled."""
    write_features(table, players, seat, SCALED, strength_tables, out)


@kernel
def write_opponents(
    table: TableRecord,
    players: PlayerRecords,
    seat: Int,
    strength_tables: StrengthTablesRecord,
    out: F32,
) -> None:
    """Write the scaled inputs of a seat, and the action statistics of all players."""
    write_features(table, players, seat, OPPONENTS, strength_tables, out)


def _parts_in(game: Game, num_players: int) -> tuple[Part, ...]:
    """Parts with opponents; the other vectors have only the first parts.

    Aggressiveness is relative to the amount to call, so its only bound is the chips in play.
    """
    most = max(10, sum(game.stacks(num_players)))
    return tuple(
        Part(feature.name, feature.start, feature.size, most, feature.scaled)
        for feature in FEATURES + OPPONENT_FEATURES
    )


def _raw_parts_in(game: Game, num_players: int) -> tuple[Part, ...]:
    parts = _parts_in(game, num_players)
    return tuple(
        part._replace(meaning=feature.raw) for part, feature in zip(parts, FEATURES, strict=False)
    )


def _scaled_parts_in(game: Game, num_players: int) -> tuple[Part, ...]:
    return _parts_in(game, num_players)[: len(FEATURES)]


FEATURE_VECTORS = (
    Observation(
        "features",
        write_raw,
        _raw_parts_in,
        size=N_INPUTS[RAW],
        looks_up=True,
        write_late=write_raw_late,
    ),
    Observation(
        "features_scaled", write_scaled, _scaled_parts_in, size=N_INPUTS[SCALED], looks_up=True
    ),
    Observation(
        "features_opponents", write_opponents, _parts_in, size=N_INPUTS[OPPONENTS], looks_up=True
    ),
)
