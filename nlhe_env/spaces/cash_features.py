"""Fourteen inputs for small networks in cash games.

With deep stacks, the price of a bet alone says little. These inputs add the size of the pot, the
raises of each side, the chips behind, position, and the opponents' folding and raising frequencies.
As in ``nlhe_env.spaces.core_features``, all inputs are centred, and the card inputs have the
largest scale.

``CASH_FEATURES`` defines them; the kernel below writes them in that order.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.equity.tables.lookup import StrengthTablesRecord
from nlhe_env.game.betting import next_player, winnable_pot
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.table import ACTIVE, ALL_IN, PREFLOP, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.core_features import BET_FEATURES, write_bet
from nlhe_env.spaces.observation import Observation
from nlhe_env.spaces.unit_features import UnitFeature, cut, doublings, same_parts

CASH_FEATURES = (
    *BET_FEATURES,
    UnitFeature("pot", 5, 1, -1, 3, "log2(1 + pot in big blinds) / 2 - 1"),
    UnitFeature("behind", 6, 1, -1, 3, "log2(1 + own stack / pot) / 2 - 1"),
    UnitFeature("street", 7, 1, -1, 1, "-1 before the flop, -1/3, 1/3, 1 on the river"),
    UnitFeature("preflop", 8, 1, -0.5, 0.5, "0.5 before the flop, -0.5 after it"),
    UnitFeature("position", 9, 1, -1, 1, "from -1 left of the button evenly to 1 on it"),
    UnitFeature("own_raises", 10, 1, -0.5, 1.5, "own bets and raises in this hand - 0.5"),
    UnitFeature("raises", 11, 1, -0.5, 2.5, "bets and raises of opponents left in the hand - 0.5"),
    UnitFeature(
        "folding",
        12,
        1,
        -1,
        3,
        "4 (f - 1/4), averaged over these opponents: f is the share of folds in their decisions of "
        "the session and ten more, a quarter of them folds",
    ),
    UnitFeature(
        "raising",
        13,
        1,
        -0.8,
        3.2,
        "4 (r - 1/5), the same for bets and raises: a fifth of the ten more are raises",
    ),
)
"""Inputs: name, first index, count, minimum, maximum, content. Values are clipped to the bounds."""

_BOUNDS = {one.name: (float(one.lowest), float(one.highest)) for one in CASH_FEATURES}
_POT, _BEHIND = _BOUNDS["pot"], _BOUNDS["behind"]
_OWN_RAISES, _RAISES = _BOUNDS["own_raises"], _BOUNDS["raises"]
_POSITION = _BOUNDS["position"]
_SIZE = CASH_FEATURES[-1].start + CASH_FEATURES[-1].size
_BEFORE = 10.0  # prior: decisions of an average player added to every player's
_USUAL_FOLDS, _USUAL_RAISES = 0.25, 0.2


@kernel
def _raises_in_hand(table: TableRecord, seat: Int) -> Int:
    """Bets and raises of a seat on all streets so far."""
    raises = np.int64(0)
    for street in range(table.street + 1):
        raises += table.raises[street, seat]
    return raises


@kernel
def _position(table: TableRecord, seat: Int) -> Float:
    """-1 for the player left of the button, 1 for the button.

    The maximum is lower if no player has the button, whose seat is free once a tournament is won.
    """
    to_button = 0
    at = seat
    while at != table.button and to_button < table.seats:
        at = next_player(table, at)
        to_button += 1
    return 1.0 - 2.0 * to_button / max(table.players - 1, np.int64(1))


@kernel
def write_cash(
    table: TableRecord,
    players: PlayerRecords,
    seat: Int,
    strength_tables: StrengthTablesRecord,
    out: F32,
) -> None:
    """Write the fourteen inputs of a seat."""
    write_bet(table, seat, strength_tables, out)
    stack = table.stack[seat]
    pot = winnable_pot(table, seat)
    out[5] = cut(0.5 * doublings(pot, table.big_blind) - 1.0, _POT)
    out[6] = cut(0.5 * doublings(stack, max(pot, np.int64(1))) - 1.0, _BEHIND)
    out[7] = np.float32(2.0 * table.street / 3.0 - 1.0)
    out[8] = np.float32(0.5 if table.street == PREFLOP else -0.5)
    out[9] = cut(_position(table, seat), _POSITION)

    raises = np.int64(0)
    folding, raising = 0.0, 0.0
    n = 0
    for other in range(table.seats):
        if other != seat and (table.status[other] == ACTIVE or table.status[other] == ALL_IN):
            raises += _raises_in_hand(table, other)
            player = players[table.player[other]]
            known = 4.0 / (player.decisions + _BEFORE)
            folding += known * (player.folds + _BEFORE * _USUAL_FOLDS) - 4.0 * _USUAL_FOLDS
            raising += known * (player.raises + _BEFORE * _USUAL_RAISES) - 4.0 * _USUAL_RAISES
            n += 1
    out[10] = cut(_raises_in_hand(table, seat) - 0.5, _OWN_RAISES)
    out[11] = cut(raises - 0.5, _RAISES)
    out[12] = np.float32(folding / max(n, 1))
    out[13] = np.float32(raising / max(n, 1))


CASH_VECTOR = Observation(
    "features_cash", write_cash, same_parts(CASH_FEATURES), size=_SIZE, looks_up=True
)
