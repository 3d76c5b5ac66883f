"""Network inputs of order one: the content of the 35 published inputs with common bounds.

With raw chips as inputs, the sums in a network's hidden units are in the thousands, the sigmoids
saturate, and the network ignores its cards. Scaling by the big blind is not enough for unbounded
inputs. Here every input is bounded, important inputs have the steepest scale, and unknown values
are in the middle or at the minimum.

``UNIT_FEATURES`` defines them; the kernel below writes them in that order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from nlhe_env.equity.tables.lookup import StrengthTablesRecord
from nlhe_env.game.betting import amount_owed, winnable_pot
from nlhe_env.game.description import Game
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.table import MAX_SEATS, NO_PLAYER, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.portable_math import log64
from nlhe_env.spaces.features import strength
from nlhe_env.spaces.observation import Observation, Part

_LN2 = 0.6931471805599453


class UnitFeature(NamedTuple):
    """Consecutive numbers with one meaning."""

    name: str
    start: int
    """Index of the first number."""
    size: int
    """Number of numbers."""
    lowest: float
    highest: float
    meaning: str
    """Content in words."""


UNIT_FEATURES = (
    UnitFeature("price", 0, 1, -1, 1, "pot odds: 4 c / (pot + c) - 1 for c chips to call"),
    UnitFeature("call", 1, 1, -1, 3, "log2(1 + big blinds to call) / 2 - 1"),
    UnitFeature("opponents", 2, 1, -1, 1.25, "opponents left in the hand / 4 - 1"),
    UnitFeature(
        "edge", 3, 1, -2, 4, "2 (win chance x (opponents + 1) - 1): 0 for a fair share of the pot"
    ),
    UnitFeature("position", 4, 1, -1, 1, "from -1 left of the button evenly to 1 on it"),
    UnitFeature("stack", 5, 1, -1.5, 3.5, "log2(1 + own stack in big blinds) / 2 - 1.5"),
    UnitFeature(
        "stacks",
        6,
        9,
        -1,
        2,
        "the others clockwise: stack / average stack - 1; -1 beyond the last player",
    ),
    UnitFeature(
        "long_term",
        15,
        10,
        0,
        1,
        "a / (1 + a) for average aggressiveness a in the tournament: own, then clockwise",
    ),
    UnitFeature("short_term", 25, 10, 0, 1, "the same for the last ten hands"),
)
"""Inputs: name, first index, count, minimum, maximum, content. Values are clipped to the bounds."""

_BOUNDS = {one.name: (float(one.lowest), float(one.highest)) for one in UNIT_FEATURES}
_PRICE, _CALL, _EDGE = _BOUNDS["price"], _BOUNDS["call"], _BOUNDS["edge"]
_STACK, _STACKS = _BOUNDS["stack"], _BOUNDS["stacks"]
_SIZE = UNIT_FEATURES[-1].start + UNIT_FEATURES[-1].size


@kernel
def cut(x: Float, bounds: tuple[Float, Float]) -> Float:
    """A number as float32, clipped to bounds."""
    return np.float32(min(max(x, bounds[0]), bounds[1]))


@kernel
def doublings(chips: Int, big_blind: Int) -> Float:
    """log2(1 + chips in big blinds)."""
    return log64(1.0 + chips / big_blind) / _LN2


@kernel
def write_unit(
    table: TableRecord,
    players: PlayerRecords,
    seat: Int,
    strength_tables: StrengthTablesRecord,
    out: F32,
) -> None:
    """Write the 35 numbers of a seat."""
    to_call = amount_owed(table, seat)
    pot = winnable_pot(table, seat)
    opponents = max(np.int64(0), table.unfolded - 1)
    price = to_call / (pot + to_call) if to_call > 0 else 0.0
    win_chance = strength(table, seat, strength_tables)
    out[0] = cut(4.0 * price - 1.0, _PRICE)
    out[1] = cut(0.5 * doublings(to_call, table.big_blind) - 1.0, _CALL)
    out[2] = np.float32(0.25 * opponents - 1.0)
    out[3] = cut(2.0 * (win_chance * (opponents + 1) - 1.0), _EDGE)
    out[5] = cut(0.5 * doublings(table.stack[seat], table.big_blind) - 1.5, _STACK)

    chips = table.pot
    for i in range(table.seats):
        if table.player[i] >= 0:
            chips += table.stack[i]
    by_average = table.players / max(chips, np.int64(1))  # a rake can take all chips

    other: Int = seat
    n = 0
    to_button = 0
    for _ in range(table.seats):
        player = table.player[other]
        if player != NO_PLAYER:
            if n > 0:
                out[5 + n] = cut(table.stack[other] * by_average - 1.0, _STACKS)
            long_term, short_term = players[player].long_term, players[player].short_term
            out[15 + n] = long_term / (np.float32(1.0) + long_term)
            out[25 + n] = short_term / (np.float32(1.0) + short_term)
            if other == table.button:
                to_button = n
            n += 1
        other += 1
        if other == table.seats:
            other = 0
    for i in range(n, MAX_SEATS):
        if i > 0:
            out[5 + i] = np.float32(-1.0)
        out[15 + i] = np.float32(0.0)
        out[25 + i] = np.float32(0.0)
    # The players between this one and the button act later; at most all but one.
    out[4] = np.float32(1.0 - 2.0 * to_button / max(n - 1, 1))


def same_parts(features: Sequence[UnitFeature]) -> Callable[[Game, int], tuple[Part, ...]]:
    """Parts of an observation that is equal in all games."""
    parts = tuple(
        Part(one.name, one.start, one.size, one.highest, one.meaning, one.lowest)
        for one in features
    )
    return lambda game, num_players: parts


UNIT_VECTOR = Observation(
    "features_unit", write_unit, same_parts(UNIT_FEATURES), size=_SIZE, looks_up=True
)
