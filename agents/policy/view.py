"""Input of a policy, a view of the table, and its output, a list of choices.

A policy writes actions with weights, which need not sum to 1, into ``view.choices`` by the
``offer`` kernels below. The same action may be offered more than once. A random number u in [0, 1)
of the player selects the first entry whose cumulative weight exceeds u times the total; a second
one selects within an entry that stands for several actions.

Actions are ids of the sized encoding or game actions (``FOLD``, ``CHECK_OR_CALL``, n >= 1 to raise
to n), depending on the kind.
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
"""Maximum number of integer sizes of a player, such as the units of network layers."""
MOST_CHOICES = 16

_SPREAD = -1.0
_ALWAYS = 1.0

OUTSIDE = NO_FUNCTION
"""Placeholder for the policy of a player that decides outside the kernels."""

TRAITS = np.dtype(
    [
        ("policy", np.int64),  # address, or OUTSIDE
        ("listener", np.int64),  # address of the event kernel, or NO_FUNCTION
        ("wants", np.int64),  # kinds.NOTHING, INPUTS or TABLE_ITSELF
        ("names_amounts", np.int64),  # 1 if it answers with amounts, 0 with sizes
        ("observation", np.int64),  # address of the kernel that writes the inputs
        ("interpretation", np.int64),  # bits of agents.policy.action_interpretation
        ("sizes", np.int64, (MOST_SIZES,)),
        ("book", np.int64),  # address of the lookup data, 0 for none
    ],
    align=True,
)
"""Data of a player besides its weights, in one record for fast access."""
TraitsRecord: TypeAlias = Record
"""A record of dtype ``TRAITS``."""

CHOICES = np.dtype(
    [
        # Legal actions.
        ("mask", np.int8, (8,)),  # sized ids: 1 for legal ones among the first five
        ("least", np.int64),  # amounts: minimum legal raise, 0 if none
        ("most", np.int64),  # maximum legal raise
        ("calls_impossible", np.int64),  # whether illegal ids mean check or call
        # Offered actions.
        ("n", np.int64),
        ("total", np.float64),  # sum of the weights
        ("chance", np.float64, (MOST_CHOICES,)),
        ("action", np.int64, (MOST_CHOICES,)),
        # For amounts: share of `action`, with the remainder for `other`; or a spread of raises from
        # `low` to `high` pots.
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
    """A record of dtype ``TRAITS``, with the fields ``sizes`` and ``book``."""
    weights: F32
    """At least as many as the kind requires."""


class View(NamedTuple):
    """View of a player at a decision or an event.

    The table record includes hidden cards, but a policy may depend only on public information and
    its own cards.
    """

    table: TableRecord
    """A record of dtype ``TABLE``; its ``actor`` is the seat to decide."""
    seat: Int
    """Seat of the player."""
    inputs: F32
    """Feature vector, for decisions of kinds with inputs."""
    choices: ChoicesRecord
    """A record of dtype ``CHOICES``: legal actions, and the list to write."""
    strength_tables: StrengthTables
    scratch: F32
    """Scratch of the length that the kind requires."""


@inlined_kernel
def clear_choices(choices: ChoicesRecord) -> None:
    """Clear the list of choices."""
    choices.n = 0
    choices.total = 0.0


@kernel
def offer(view: View, action: Int, chance: Float) -> None:
    """Offer an action."""
    offer_either(view, action, action, _ALWAYS, chance)


@kernel
def offer_either(view: View, action: Int, other: Int, share: Float, chance: Float) -> None:
    """Offer two actions that split a weight: ``share`` for the first, the rest for the other."""
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
    """Offer raises uniformly from ``low`` to ``high`` pots, see ``spots.raise_by``."""
    choices = view.choices
    if chance > 0.0:
        choices.low[choices.n] = low
        choices.high[choices.n] = high
        offer_either(view, 0, 0, _SPREAD, chance)


@kernel
def offer_legal(view: View, action_id: Int, chance: Float) -> None:
    """Offer an id of the sized encoding, or a call if it is illegal."""
    offer(view, np.int64(action_id if view.choices.mask[action_id] else CALL_ID), chance)


@inlined_kernel
def offer_weights(view: View, weights: F32) -> None:
    """Offer the five ids of the sized encoding by weight.

    Illegal ids are omitted or offered as a check or call, depending on the player's interpretation,
    see ``agents.policy.action_interpretation``. If all weights are 0, nothing is offered, and the
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
    """Index of the entry selected by ``u`` in [0, 1); -1 for an empty list."""
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
