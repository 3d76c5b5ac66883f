"""View of the table that a policy is given, and the list of choices it answers with.

A policy writes a list into ``view.choices`` by the ``offer`` kernels below: actions with chances,
which need not sum to 1. The same action may be offered more than once. A number u in [0, 1), the
player's own, picks from the list: the first entry whose running sum passes u times the total. A
second one picks within an entry that leaves something open.

Actions are ids of the sized encoding or actions of the game (``FOLD``, ``CHECK_OR_CALL``, n >= 1 to
raise to n), as the kind says.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from nlhe_env.equity import StrengthTables
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import F32, Float, Int, Record, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION
from nlhe_env.spaces.actions import CALL_ID, N_SIZED

MOST_SIZES = 8
"""Whole numbers that give the size of a player, such as units of the layers of a network."""
MOST_CHOICES = 16

_SPREAD = -1.0
_ALWAYS = 1.0

OUTSIDE = NO_FUNCTION
"""In the place of a policy: the player decides outside the kernels."""

TRAITS = np.dtype(
    [
        ("policy", np.int64),  # address, or OUTSIDE
        ("listener", np.int64),  # address of the event kernel, or NO_FUNCTION
        ("wants", np.int64),  # kinds.NOTHING, INPUTS or TABLE_ITSELF
        ("names_amounts", np.int64),  # 1 if it answers with amounts, 0 with sizes
        ("observation", np.int64),  # address of the kernel that writes the inputs
        ("interpretation", np.int64),  # bits of agents.policy.action_interpretation
        ("sizes", np.int64, (MOST_SIZES,)),
        ("book", np.int64),  # address of the bytes that it looks things up in, 0 for none
    ],
    align=True,
)
"""Facts about a player besides its weights: one record, because kernels read it at once."""
TraitsRecord: TypeAlias = Record
"""A record of dtype ``TRAITS``."""

CHOICES = np.dtype(
    [
        # What the player may do.
        ("mask", np.int8, (8,)),  # for ids of the sized encoding: 1 where legal; the first five
        ("least", np.int64),  # for amounts: the least legal raise, 0 if none
        ("most", np.int64),  # the most legal raise
        ("calls_impossible", np.int64),  # whether ids that are not legal mean to check or call
        # What it chooses from.
        ("n", np.int64),
        ("total", np.float64),  # of the chances
        ("chance", np.float64, (MOST_CHOICES,)),
        ("action", np.int64, (MOST_CHOICES,)),
        # Of amounts: the share of `action`, the rest is of `other`; or a spread of raises from
        # `low` to `high`, in pots.
        ("share", np.float64, (MOST_CHOICES,)),
        ("other", np.int64, (MOST_CHOICES,)),
        ("low", np.float64, (MOST_CHOICES,)),
        ("high", np.float64, (MOST_CHOICES,)),
    ],
    align=True,
)
ChoicesRecord: TypeAlias = Record
"""A record of dtype ``CHOICES``."""


class Parameters(NamedTuple):
    """Parameters of a policy: traits record and weight vector."""

    traits: TraitsRecord
    """A record of dtype ``TRAITS``; of interest are its ``sizes`` and ``book``."""
    weights: F32
    """As many as the kind asks for, maybe more."""


class View(NamedTuple):
    """View of a player when it decides, or when it is notified of an event.

    Of the table it may look at what is public and at its own cards: hidden cards are in the record,
    but no policy may depend on them.
    """

    table: TableRecord
    """A record of dtype ``TABLE``; who decides is its ``actor``."""
    seat: Int
    """The player's own."""
    inputs: F32
    """The feature vector, for decisions of kinds that want one."""
    choices: ChoicesRecord
    """A record of dtype ``CHOICES``: what is legal, and the list to write."""
    strength_tables: StrengthTables
    scratch: F32
    """As many numbers as the kind asks for, to work in."""


@inlined_kernel
def clear_choices(choices: ChoicesRecord) -> None:
    """Begin a new list."""
    choices.n = 0
    choices.total = 0.0


@kernel
def offer(view: View, action: Int, chance: Float) -> None:
    """Offer an action."""
    offer_either(view, action, action, _ALWAYS, chance)


@kernel
def offer_either(view: View, action: Int, other: Int, share: Float, chance: Float) -> None:
    """Offer one of two actions: with a share of the chance the first, with the rest the other."""
    choices = view.choices
    if chance > 0.0:
        i = choices.n
        choices.n = i + 1
        choices.total += chance
        choices.chance[i] = chance
        choices.action[i] = action
        choices.other[i] = other
        choices.share[i] = share


@kernel
def offer_raises(view: View, low: Float, high: Float, chance: Float) -> None:
    """Offer raises by ``low`` to ``high`` pots, all sizes alike (``spots.raise_by`` says where)."""
    choices = view.choices
    if chance > 0.0:
        choices.low[choices.n] = low
        choices.high[choices.n] = high
        offer_either(view, 0, 0, _SPREAD, chance)


@kernel
def offer_legal(view: View, action_id: Int, chance: Float) -> None:
    """Offer an id of the sized encoding, or to call where it is not legal."""
    offer(view, np.int64(action_id if view.choices.mask[action_id] else CALL_ID), chance)


@inlined_kernel
def offer_weights(view: View, weights: F32) -> None:
    """Offer the five ids of the sized encoding by weight.

    Illegal ones are left out, or offered as a check or call: that is a reading of the player, see
    ``agents.policy.action_interpretation``. Nothing is offered where no weight counts: then a
    player checks or calls.
    """
    choices = view.choices
    n = np.int64(0)
    total = 0.0
    for k in range(N_SIZED):
        if weights[k] > 0 and (choices.mask[k] or choices.calls_impossible):
            chance = np.float64(weights[k])
            choices.chance[n] = chance
            choices.action[n] = k if choices.mask[k] else CALL_ID
            total += chance
            n += 1
    choices.n = n
    choices.total = total


@inlined_kernel
def draw(choices: ChoicesRecord, u: Float) -> Int:
    """Which entry of a list a number in [0, 1) picks; -1 of an empty one."""
    left = u * choices.total
    for i in range(choices.n):
        left -= choices.chance[i]
        if left < 0.0:
            return i
    return choices.n - 1


@kernel
def is_spread(choices: ChoicesRecord, i: Int) -> Truth:
    """Whether an entry is a spread of raises."""
    return choices.share[i] == _SPREAD
