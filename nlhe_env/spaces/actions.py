"""The three action encodings and their legal masks.

====================  =======================  ================================================
``actions=``          space                    meaning
====================  =======================  ================================================
``(f1, f2, ...)``     ``Discrete(3 + len)``    0 fold, 1 check or call, then a raise by each
                                               fraction of the pot after calling, last the
                                               largest raise: all-in, in pot-limit the pot, in
                                               fixed-limit the one raise there is
``"chips"``           ``Discrete(total + 1)``  0 fold, 1 check or call, n >= 2 raise to n; 2 also
                                               for the all-in of who has a single chip to bet
``"sized"``           ``Discrete(5)``          fold, call, small, medium, large; the amount is
                                               drawn by the published bet-size rule (in
                                               fixed-limit only the small raise is legal)
====================  =======================  ================================================

Inside the game an action is ``FOLD``, ``CHECK_OR_CALL`` or n >= 1 (raise to n); ``decode`` converts
an id to it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlhe_env.game import betting
from nlhe_env.game import random_stream as rng
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD, TableRecord
from nlhe_env.game.tournament import GameRecord
from nlhe_env.jit.array_types import F64, I8, Float, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.spaces.bet_sizing import sized_raise

POT_FRACTIONS, CHIPS, SIZED = range(3)

FOLD_ID, CALL_ID, FIRST_RAISE_ID = range(3)
"""Ids with the same meaning in every encoding, and the first raise id."""
ILLEGAL = -2

_NAMED = {"chips": CHIPS, "sized": SIZED}

N_SIZED = 5
SIZED_NAMES = ("fold", "call", "small raise", "medium raise", "large raise")


@dataclass(frozen=True)
class ActionEncoding:
    """Encoding of actions as ids.

    Args:
        kind: ``POT_FRACTIONS``, ``CHIPS`` or ``SIZED``.
        fractions: Pot fractions; empty for the other kinds.
    """

    kind: int
    fractions: tuple[float, ...] = ()

    @classmethod
    def of(cls, value: str | Iterable[float]) -> ActionEncoding:
        """Encoding from the argument ``actions``.

        Raises:
            ValueError: The argument is neither ``"chips"``, ``"sized"`` nor increasing positive
                fractions.
        """
        if isinstance(value, str) and value in _NAMED:
            return cls(_NAMED[value])
        problem = (
            'actions must be "chips", "sized" or a tuple of rising pot fractions above 0, '
            f"such as (0.5, 1.0); got {value!r}"
        )
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise ValueError(problem)
        try:
            fractions = tuple(float(fraction) for fraction in value)
        except (TypeError, ValueError):
            raise ValueError(problem) from None
        rising = all(a < b for a, b in itertools.pairwise(fractions))
        if not rising or any(not 0 < fraction < 1e9 for fraction in fractions):
            raise ValueError(problem)
        return cls(POT_FRACTIONS, fractions)

    def size(self, total_chips: int) -> int:
        """Number of action ids when ``total_chips`` are in play."""
        if self.kind == CHIPS:
            return total_chips + 1
        return N_SIZED if self.kind == SIZED else 3 + len(self.fractions)

    def fractions_array(self) -> F64:
        """``(n_fractions,)`` float64 for the kernels."""
        return np.array(self.fractions, np.float64)

    def describe(self, action: Any) -> str:
        """Meaning of an id, in words."""
        if action == 0:
            return "fold"
        if action == 1:
            return "check or call"
        if self.kind == CHIPS:
            return f"raise to {action}"
        if self.kind == SIZED:
            return SIZED_NAMES[action]
        if action == len(self.fractions) + 2:
            return "largest raise"
        return f"raise by {self.fractions[action - 2]:g} pot"


@kernel
def fraction_raise(table: TableRecord, fraction: Float) -> Int:
    """Raise-to chips for a fraction of the pot after calling, rounded half up."""
    to_call = table.current_bet - table.street_bet[table.actor]
    return table.current_bet + np.int64(np.floor(fraction * (table.pot + to_call) + 0.5))


@inlined_kernel
def chips_id(amount: Int) -> Int:
    """Id of a raise to an amount in the chips encoding.

    Id 1 is a call, so a raise to 1 has id 2. It can only be the all-in of a single chip, because
    other bets are at least a big blind, which is 2 or more; a raise to 2 is then illegal.
    """
    return max(amount, 2)


@inlined_kernel
def write_mask(table: TableRecord, kind: Int, fractions: F64, mask: I8) -> tuple[Int, Int]:
    """Write 1 for every legal id of the player to act, 0 for the others.

    Raise sizes outside the legal range, and raises that duplicate a smaller id or the all-in, are
    not legal, so all legal ids have different meanings.

    Returns:
        Range of legal raises, see ``betting.legal_raise``.
    """
    mask.fill(0)
    mask[1] = 1
    if betting.amount_to_call(table) > 0:
        mask[0] = 1
    least, most = betting.legal_raise(table)
    if least == 0:
        return least, most
    if kind == CHIPS:
        mask[chips_id(least) : chips_id(most) + 1].fill(1)
    elif kind == SIZED:
        mask[2 : 3 if table.betting == FIXED_LIMIT else 5].fill(1)
    else:
        last: Int = np.int64(0)
        for i in range(len(fractions)):
            amount = fraction_raise(table, fractions[i])
            if least <= amount < most and amount > last:
                mask[2 + i] = 1
                last = amount
        mask[2 + len(fractions)] = 1
    return least, most


@kernel
def decode(game: GameRecord, table: TableRecord, kind: Int, fractions: F64, action_id: Int) -> Int:
    """Game action of an id, or ``ILLEGAL``.

    The amount of a sized raise is drawn from the player's own random stream, which also has the
    number for a compiled player's choice.
    """
    if action_id == 0:
        return FOLD if betting.amount_to_call(table) > 0 else ILLEGAL
    if action_id == 1:
        return CHECK_OR_CALL
    least, most = betting.legal_raise(table)
    if least == 0 or action_id < 0:
        return ILLEGAL
    if kind == CHIPS:
        if action_id < chips_id(least) or action_id > chips_id(most):
            return ILLEGAL
        return min(action_id, most)
    if kind == SIZED:
        if action_id >= N_SIZED or (table.betting == FIXED_LIMIT and action_id > 2):
            return ILLEGAL
        _, part, place = decision_units(game, table)
        return sized_action(table, action_id, part, place, least, most)
    fraction_i: int = action_id - 2
    if fraction_i == len(fractions):
        return most
    if fraction_i > len(fractions):
        return ILLEGAL
    amount = fraction_raise(table, fractions[fraction_i])
    if not least <= amount < most:
        return ILLEGAL
    if fraction_i > 0 and amount == fraction_raise(table, fractions[fraction_i - 1]):
        return ILLEGAL
    return amount


@kernel
def nearest_id(table: TableRecord, kind: Int, fractions: F64, action: Int) -> Int:
    """Id of an action in pot fractions or chips; for a raise, the nearest legal id."""
    if action == FOLD:
        return 0
    if action == CHECK_OR_CALL:
        return 1
    if kind == CHIPS:
        return chips_id(action)
    least, most = betting.legal_raise(table)
    nearest = 2 + len(fractions)
    gap = abs(most - action)
    for i in range(len(fractions) - 1, -1, -1):
        amount = fraction_raise(table, fractions[i])
        if least <= amount < most and abs(amount - action) <= gap:
            nearest = 2 + i
            gap = abs(amount - action)
    return nearest


@kernel
def decision_units(game: GameRecord, table: TableRecord) -> tuple[Float, Float, Float]:
    """Three uniform numbers in [0, 1) for the current decision.

    The first chooses among the actions, the others size a raise; see
    ``random_stream.decision_units``.
    """
    seat = table.actor
    return rng.decision_units(
        game.decision_seed,
        table.decisions[seat],
        table.hand,
        table.player[seat],
        game.decision_tournament,
    )


@kernel
def sized_action(
    table: TableRecord, action_id: Int, part: Float, place: Float, least: Int, most: Int
) -> Int:
    """Game action of a legal id of the sized encoding, with raises from ``least`` to ``most``."""
    if action_id == 0:
        return FOLD
    if action_id == 1:
        return CHECK_OR_CALL
    return sized_raise(table, action_id - 2, part, place, least, most)
