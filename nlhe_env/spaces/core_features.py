"""Ten centred inputs for small networks, with the largest scale for cards.

A network trained by small random changes first learns from the inputs with the largest effect on
its outputs. With centred inputs no weight has to cancel a constant, and with card inputs four times
as large as the others, the network learns early to use its cards.

``CORE_FEATURES`` defines them; the kernel below writes them in that order.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.equity.tables.lookup import StrengthTablesRecord
from nlhe_env.game.betting import amount_owed, winnable_pot
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.table import ACTIVE, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.portable_math import log64
from nlhe_env.spaces.features import strength
from nlhe_env.spaces.observation import Observation
from nlhe_env.spaces.unit_features import UnitFeature, cut, doublings, same_parts

BET_FEATURES = (
    UnitFeature(
        "surplus",
        0,
        2,
        -4,
        4,
        "win chance beyond what is needed, 4 (win chance - w) / (1 - w): first w = c / (pot + c) "
        "for c chips to call, then the larger of that and a fair share of the pot",
    ),
    UnitFeature("price", 2, 1, -0.8, 3.2, "pot odds: 4 c / (pot + c) - 0.8 for c chips to call"),
    UnitFeature(
        "risk", 3, 1, -0.5, 1.5, "share of the stack that a call takes: 2 c / own stack - 0.5"
    ),
    UnitFeature("opponents", 4, 1, -1, 1, "opponents left in the hand / 4.5 - 1"),
)
"""The first five inputs: value of the cards relative to the bet."""

CORE_FEATURES = (
    *BET_FEATURES,
    UnitFeature("stack", 5, 1, -1.5, 3.5, "log2(1 + own stack in big blinds) / 2 - 1.5"),
    UnitFeature("lead", 6, 1, -1, 2, "own stack / average stack - 1"),
    UnitFeature("street", 7, 1, -0.5, 0.5, "-0.5 before the flop, 0.5 after it"),
    UnitFeature(
        "aggression",
        8,
        1,
        -0.4,
        1.6,
        "ln(1 + a) / 2 - 0.4 for aggressiveness a in the tournament, averaged over opponents who "
        "can still bet; 0 without any",
    ),
    UnitFeature("players", 9, 1, -0.9, 0.7, "players at the table / 5 - 1.3"),
)
"""Inputs: name, first index, count, minimum, maximum, content. Values are clipped to the bounds."""

_BOUNDS = {one.name: (float(one.lowest), float(one.highest)) for one in CORE_FEATURES}
_SURPLUS, _STACK, _LEAD = _BOUNDS["surplus"], _BOUNDS["stack"], _BOUNDS["lead"]
_PRICE, _AGGRESSION, _PLAYERS = _BOUNDS["price"], _BOUNDS["aggression"], _BOUNDS["players"]
_SIZE = CORE_FEATURES[-1].start + CORE_FEATURES[-1].size
_CARDS = 4.0


@kernel
def _surplus(win_chance: Float, need: Float) -> Float:
    """Excess of a win chance over the required one, relative to the remaining range, times four."""
    return cut(_CARDS * (win_chance - need) / (1.0 - need), _SURPLUS)


@kernel
def write_bet(
    table: TableRecord, seat: Int, strength_tables: StrengthTablesRecord, out: F32
) -> None:
    """Write ``BET_FEATURES`` of a seat."""
    stack = table.stack[seat]
    to_call = amount_owed(table, seat)
    price = to_call / (winnable_pot(table, seat) + to_call) if to_call > 0 else 0.0
    opponents = max(np.int64(1), table.unfolded - 1)
    win_chance = strength(table, seat, strength_tables)
    out[0] = _surplus(win_chance, price)
    out[1] = _surplus(win_chance, max(price, 1.0 / (opponents + 1)))
    out[2] = cut(4.0 * price - 0.8, _PRICE)
    out[3] = np.float32(2.0 * to_call / max(np.int64(1), stack) - 0.5)
    out[4] = np.float32(opponents / 4.5 - 1.0)


@kernel
def write_core(
    table: TableRecord,
    players: PlayerRecords,
    seat: Int,
    strength_tables: StrengthTablesRecord,
    out: F32,
) -> None:
    """Write the ten inputs of a seat."""
    write_bet(table, seat, strength_tables, out)
    stack = table.stack[seat]
    out[5] = cut(0.5 * doublings(stack, table.big_blind) - 1.5, _STACK)

    chips = table.pot
    product = 1.0  # one logarithm of a product instead of a sum of logarithms
    n_active = 0
    for other in range(table.seats):
        player = table.player[other]
        if player >= 0:
            chips += table.stack[other]
            if other != seat and table.status[other] == ACTIVE:
                product *= 1.0 + players[player].long_term
                n_active += 1
    # A rake can take all chips.
    out[6] = cut(stack * table.players / max(chips, np.int64(1)) - 1.0, _LEAD)
    out[7] = np.float32(0.5 if table.street > 0 else -0.5)
    mean = log64(product) / max(n_active, 1)
    out[8] = cut(0.5 * mean - 0.4, _AGGRESSION) if n_active else np.float32(0.0)
    out[9] = cut(table.players / 5.0 - 1.3, _PLAYERS)


CORE_VECTOR = Observation(
    "features_core", write_core, same_parts(CORE_FEATURES), size=_SIZE, looks_up=True
)
