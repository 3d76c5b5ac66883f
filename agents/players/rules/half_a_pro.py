"""Half-a-Pro: the tight-aggressive opponent of ASHE with some professional moves.

Source: Li (PhD thesis, University of Texas at Austin, 2018), section 5.3.2: it floats, raises after
a check, controls the pot and bluffs on several streets; section 8.3.3: it calls raises on the river
too tightly. The thesis describes it in words; all numbers are ours.

It is meant for heads-up play. The player with more raises on the previous street has the
initiative, because raise counts do not show the last raiser.
"""

from __future__ import annotations

import numpy as np

from agents.players.rules.ashe_opponents import profile_policy
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import N_PARAMETERS, check_or_fold, equity_against_one, raise_by
from agents.policy.view import Parameters, View, offer
from nlhe_env.game.betting import is_unraised
from nlhe_env.game.table import CHECK_OR_CALL, FLOP, PREFLOP, RIVER, TURN, TableRecord
from nlhe_env.jit.array_types import F32, Int
from nlhe_env.jit.compilation import kernel

_VALUE = 0.62
_TRAP_FROM, _TRAP_CHANCE = 0.8, 0.3
_BARRELS = (0.0, 0.6, 0.5, 0.35)
"""Probability, by street, of betting without a hand after having the initiative."""
_BARREL = 0.5
_FLOAT_FROM, _FLOAT_TO, _FLOAT_CHANCE = 0.35, 0.5, 0.3
_RIVER_CALL = 0.93


@kernel
def half_a_pro_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the additional moves, or else those of the tight-aggressive opponent."""
    table, choices = view.table, view.choices
    seat, street = table.actor, table.street
    if street == PREFLOP:
        profile_policy(parameters, memory, view)
        return
    p = equity_against_one(table, view.strength_tables)
    in_position = seat == table.button
    own, _ = _raises(table, street, seat)
    if is_unraised(table):
        had, they_had = _raises(table, street - 1, seat)
        floated = street == TURN and in_position and table.calls[FLOP, seat] > 0 and they_had > had
        bluffs = 0.0
        if p < _VALUE:
            bluffs = 1.0 if floated else _BARRELS[street] if had > they_had else 0.0
        if bluffs > 0.0:
            offer(view, raise_by(table, _BARREL, choices.least, choices.most), bluffs)
            offer(view, CHECK_OR_CALL, 1.0 - bluffs)
            return
        if p >= _TRAP_FROM and not in_position:
            # Some strong hands are checked for a check-raise; the others bet the pot.
            offer(view, CHECK_OR_CALL, _TRAP_CHANCE)
            offer(view, raise_by(table, 1.0, choices.least, choices.most), 1.0 - _TRAP_CHANCE)
            return
    elif street == RIVER and own > 0:
        offer(view, CHECK_OR_CALL if p >= _RIVER_CALL else check_or_fold(table), 1.0)
        return
    elif p >= _TRAP_FROM and own == 0 and table.calls[street, seat] > 0:
        offer(view, raise_by(table, 1.0, choices.least, choices.most), 1.0)
        return
    elif street == FLOP and in_position and own == 0 and _FLOAT_FROM <= p < _FLOAT_TO:
        offer(view, CHECK_OR_CALL, _FLOAT_CHANCE)
        offer(view, check_or_fold(table), 1.0 - _FLOAT_CHANCE)
        return
    profile_policy(parameters, memory, view)


@kernel
def _raises(table: TableRecord, street: Int, seat: Int) -> tuple[Int, Int]:
    """Number of bets and raises on a street, by a seat and by all others."""
    total = np.int64(0)
    for other in range(table.seats):
        total += table.raises[street, other]
    own = np.int64(table.raises[street, seat])
    return own, total - own


HALF_A_PRO = register_kind(
    Kind(
        "half-a-pro",
        half_a_pro_policy,
        wants="table",
        answers="amounts",
        n_weights=N_PARAMETERS,
        looks_up=True,
    )
)
