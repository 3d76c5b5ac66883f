"""Likelihood of an observed action under a player's policy, as kernels.

Observed actions are amounts. The amounts of a player that answers with sizes are drawn by the
bet-size rule, and those of a spread of raises within the spread, so that several choices may yield
the same amount.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.policy.action_interpretation import VERBATIM_SIZES
from agents.policy.dispatch import ask
from agents.policy.player_batch import Seated
from agents.policy.spots import key_of_strength_now, remember_strength_now
from agents.policy.view import ChoicesRecord, TraitsRecord, is_spread
from nlhe_env.assessment.holding_strengths import BLOCKED, HoldingStrengths, find_strengths
from nlhe_env.game.betting import amount_to_call, legal_raise
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, TableRecord
from nlhe_env.jit.array_types import F64, I64, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import CALL_ID, FIRST_RAISE_ID, FOLD_ID, N_SIZED
from nlhe_env.spaces.bet_sizing import chance_of_a_call, chance_of_raise


class Candidates(NamedTuple):
    """Hands that a player may hold."""

    holes: I64
    """``(1326, 2)`` cards of every hand."""
    numbers: I64
    """``(n,)`` indices of the candidates."""


class Likelihoods(NamedTuple):
    """Work arrays for likelihoods of many hands, in one thread."""

    strengths: HoldingStrengths
    by_id: F64
    """``(5,)`` probability that each sized id becomes the action."""

    @classmethod
    def new(cls) -> Likelihoods:
        """Create the work arrays of a thread."""
        return cls(HoldingStrengths.new(), np.zeros(N_SIZED))


@kernel
def write_chances_of_action(
    player: Int,
    table: TableRecord,
    players: PlayerRecords,
    action: Int,
    hands: Candidates,
    seated: Seated,
    likelihoods: Likelihoods,
    chances: F64,
) -> None:
    """Write the probability that a player takes an action with each candidate hand.

    Args:
        player: The player to act.
        table: Record of its table, whose cards are overwritten.
        players: The players' records.
        action: A legal action: ``FOLD``, ``CHECK_OR_CALL`` or n >= 1, raise to n.
        hands: The candidate hands.
        seated: All players, with their memories.
        likelihoods: Work arrays.
        chances: ``(n,)`` float64, written.
    """
    traits, seat, numbers = seated.batch.traits[player], table.actor, hands.numbers
    if not traits.names_amounts:
        _write_chances_of_ids(traits, table, action, likelihoods.by_id)
    strength = likelihoods.strengths.strength
    looks_now = False  # whether the player uses HS, which is computed for all hands at once
    for i in range(len(numbers)):
        table.cards[2 * seat] = hands.holes[numbers[i], 0]
        table.cards[2 * seat + 1] = hands.holes[numbers[i], 1]
        table.strength_key[seat] = 0  # drop the cache for other cards
        if looks_now and strength[numbers[i]] != BLOCKED:
            remember_strength_now(table, strength[numbers[i]])
        ask(player, table, players, seated)
        chances[i] = _chance_of_action(
            traits, seated.work.choices[0], table, action, likelihoods.by_id
        )
        if not looks_now:
            looks_now = table.strength_key[seat] == key_of_strength_now(table)
            if looks_now:
                board = table.cards[2 * table.seats : 2 * table.seats + 5]
                find_strengths(board, table.board_cards, likelihoods.strengths)


@kernel
def _write_chances_of_ids(
    traits: TraitsRecord, table: TableRecord, action: Int, by_id: F64
) -> None:
    """Write the probability that each id of the sized encoding becomes an action."""
    for k in range(N_SIZED):
        calls: Float = 0.0
        if k > CALL_ID and traits.interpretation & VERBATIM_SIZES:
            calls = chance_of_a_call(table, k - FIRST_RAISE_ID)
        if action == FOLD:
            by_id[k] = np.float64(k == FOLD_ID)
        elif action == CHECK_OR_CALL:
            by_id[k] = 1.0 if k == CALL_ID else calls
        elif k <= CALL_ID:
            by_id[k] = 0.0
        else:
            # Otherwise, amounts up to the call would be lifted to the minimum raise.
            calls *= np.float64(action == legal_raise(table)[0])
            by_id[k] = max(chance_of_raise(table, k - FIRST_RAISE_ID, action) - calls, 0.0)


@kernel
def _chance_of_action(
    traits: TraitsRecord, choices: ChoicesRecord, table: TableRecord, action: Int, by_id: F64
) -> Float:
    if choices.n == 0:
        return np.float64(action == CHECK_OR_CALL)
    chance = 0.0
    for i in range(choices.n):
        if not traits.names_amounts:
            part = by_id[choices.action[i]]
        elif is_spread(choices, i):
            part = _chance_in_spread(choices, i, table, action)
        else:
            share = choices.share[i]
            part = share * np.float64(choices.action[i] == action)
            part += (1.0 - share) * np.float64(choices.other[i] == action)
        chance += choices.chance[i] * part
    return chance / choices.total


@kernel
def _chance_in_spread(choices: ChoicesRecord, i: Int, table: TableRecord, action: Int) -> Float:
    """Probability that a raise drawn from a spread becomes an action, see ``spots.raise_by``."""
    if choices.most == 0:
        return np.float64(action == CHECK_OR_CALL)
    if action < choices.least or action > choices.most:
        return 0.0
    below = _share_below(choices, i, table, action - 1) if action > choices.least else 0.0
    upto = _share_below(choices, i, table, action) if action < choices.most else 1.0
    return upto - below


@kernel
def _share_below(choices: ChoicesRecord, i: Int, table: TableRecord, amount: Int) -> Float:
    """Share of a spread with raises up to an amount."""
    pot = table.pot + amount_to_call(table)
    size = (amount + 0.5 - table.current_bet) / pot
    low, high = choices.low[i], choices.high[i]
    if high <= low:
        return np.float64(size > low)
    return min(max((size - low) / (high - low), 0.0), 1.0)
