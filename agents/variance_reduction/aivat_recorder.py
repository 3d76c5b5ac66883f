"""Decision hook of AIVAT, which records the action probabilities of known players."""

from __future__ import annotations

from agents.policy.action_probabilities import write_interpreted_probabilities
from agents.policy.dispatch import ask, nearest_size
from agents.policy.player_batch import Seated
from agents.policy.spots import raise_by
from agents.policy.view import OUTSIDE, ChoicesRecord, TraitsRecord, is_spread
from nlhe_env.assessment.estimators.aivat import COUNTER_BYTES, aivat_at
from nlhe_env.assessment.estimators.aivat_terms import NoteRecord, action_class, new_note
from nlhe_env.game import betting
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import F64, I64, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import N_SIZED
from nlhe_env.spaces.bet_sizing import sized_raise

_RAISE = 2  # the first class of raises
_TYPICAL = 0.5
"""Mean of the random numbers in [0, 1) for raise sizes."""


@kernel
def record_decision(
    player: Int, table: TableRecord, players: PlayerRecords, seated: Seated, action: Int, state: I64
) -> None:
    """Record a decision; a kernel with the signature ``DECISION_HOOK``.

    The raises of players that name amounts are classified by the nearest size. If the table draws
    the amount, all raises form one class, whose probability players in chips can report too.
    """
    aivat = aivat_at(state.ctypes.data + COUNTER_BYTES)
    i = new_note(table, action, aivat)
    traits = seated.batch.traits[player]
    if i < 0 or traits.policy == OUTSIDE or not aivat.knows[player]:
        return
    note = aivat.notes[i]
    note.known = 1
    note.chips.fill(0.0)
    note.n_options.fill(0)
    if traits.names_amounts:
        note.taken = nearest_size(table, action, seated.work.choices[0].most)
    _write(traits, seated.work.choices[0], table, 0, note)
    if table.player[table.actor] == aivat.imagined:
        seat = table.actor
        for j in range(1, aivat.n_hands):
            _hold(table, seat, aivat.hands[j])
            ask(player, table, players, seated)
            _write(traits, seated.work.choices[0], table, j, note)
        _hold(table, seat, aivat.hands[0])


@kernel
def record_probabilities(
    table: TableRecord, action: Int, chances: F64, chips: F64, state: I64
) -> None:
    """Add an external player's action probabilities to the record of the last decision.

    Args:
        table: The table before the action.
        action: The chosen action.
        chances: ``(n, 3)`` fold, call and raise probabilities with each considered hand; a single
            row if they are unknown by hand.
        chips: ``(3,)`` mean chips put in by each action.
        state: State of the estimator.
    """
    aivat = aivat_at(state.ctypes.data + COUNTER_BYTES)
    if aivat.n_notes == 0 or not aivat.knows[table.player[table.actor]]:
        return
    note = aivat.notes[aivat.n_notes - 1]
    if note.seat == table.actor and note.taken == action_class(action) and not note.known:
        note.known = 1
        for j in range(len(chances)):
            note.chances[j, :] = 0.0
            for k in range(3):
                note.chances[j, k] = chances[j, k]
        for k in range(3):
            note.chips[k] = chips[k]


@kernel
def _hold(table: TableRecord, seat: Int, hand: I64) -> None:
    for i in range(2):
        table.cards[2 * seat + i] = hand[i]
    table.strength_key[seat] = 0  # drop the cache for other cards


@kernel
def _write(
    traits: TraitsRecord, choices: ChoicesRecord, table: TableRecord, j: Int, note: NoteRecord
) -> None:
    """Write the probabilities with one considered hand, and the chips of raises."""
    chances = note.chances[j]
    write_interpreted_probabilities(traits, choices, table, chances)
    if traits.names_amounts:
        for k in range(_RAISE, N_SIZED):
            _add_amounts(choices, table, k, note)
        return
    total, amount = 0.0, 0.0
    least, most = betting.legal_raise(table)
    for k in range(_RAISE, N_SIZED):
        if chances[k] > 0.0:
            total += chances[k]
            raised = sized_raise(table, k - _RAISE, _TYPICAL, _TYPICAL, least, most)
            amount += chances[k] * raised
            chances[k] = 0.0
    chances[_RAISE] = total
    _add_mean(_RAISE, total, amount, table, note)


@kernel
def _add_amounts(choices: ChoicesRecord, table: TableRecord, k: Int, note: NoteRecord) -> None:
    """Add the raises of one entry in a list of choices."""
    total, amount = 0.0, 0.0
    for i in range(choices.n):
        chance = choices.chance[i]
        if is_spread(choices, i):
            middle = 0.5 * (choices.low[i] + choices.high[i])
            raised = raise_by(table, middle, choices.least, choices.most)
            if raised > 0 and nearest_size(table, raised, choices.most) == k:
                total += chance
                amount += chance * raised
            continue
        for first in range(2):
            raised = choices.action[i] if first else choices.other[i]
            share = choices.share[i] if first else 1.0 - choices.share[i]
            if raised > 0 and nearest_size(table, raised, choices.most) == k:
                total += chance * share
                amount += chance * share * raised
    if total == 0.0 and choices.least > 0:
        total, amount = 1e-6, 1e-6 * choices.least  # part of a spread, maybe
    _add_mean(k, total, amount, table, note)


@kernel
def _add_mean(k: Int, total: Float, amount: Float, table: TableRecord, note: NoteRecord) -> None:
    """Update the chips of a size: the unweighted mean over the considered hands.

    The mean must not depend on the hand actually held.
    """
    if total > 0.0:
        note.n_options[k] += 1
        put_in = amount / total - table.street_bet[table.actor]
        note.chips[k] += (put_in - note.chips[k]) / note.n_options[k]
