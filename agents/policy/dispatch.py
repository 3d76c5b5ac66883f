"""What every compiled player does: one way to ask it, and the loops that play.

``ask`` lets a policy write its list of choices, ``decide`` draws one with the player's own numbers,
``play_out`` plays a game to its end; ``agents.policy.env_opponents`` goes the same way in
environments.
"""

from __future__ import annotations

import numpy as np

from agents.policy.action_interpretation import CALLS_ILLEGAL, VERBATIM_SIZES
from agents.policy.decision_hooks import DECISION_HOOK
from agents.policy.events import ACTED, HAND_BEGINS, HAND_ENDS, SESSION_BEGINS, SHOWN
from agents.policy.kinds import INPUTS, LISTENER, POLICY
from agents.policy.spots import raise_by
from agents.policy.view import CALL_ID, Parameters, View, clear_choices, draw, is_spread
from nlhe_env.assessment.estimators.estimator import estimate_hand
from nlhe_env.game import betting, tournament
from nlhe_env.game.table import CHECK_OR_CALL, EMPTY, FIXED_LIMIT, FOLD, NO_PLAYER
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION
from nlhe_env.numerics.prefetch import prefetch
from nlhe_env.spaces import actions
from nlhe_env.spaces.bet_sizing import is_a_call
from nlhe_env.spaces.observation import WRITER

_call_policy = POLICY.call
_call_listener = LISTENER.call
_write_inputs = WRITER.call
_call_decision_hook = DECISION_HOOK.call

_FOLD, _CALL, _SMALL = 0, CALL_ID, 2

# --- one decision --------------------------------------------------------------------------------


@inlined_kernel
def ask(field, player, table, players, strength_tables, work):
    """Let the player to act write its choices into ``work.choices``.

    Args:
        field: ``PlayerArrays``: who plays.
        player: The player to act.
        table: A table record.
        players: The players' records.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``, scratch of this thread.
    """
    choices, traits = work.choices[0], field.traits[player]
    if traits.wants == INPUTS:
        prefetch(field.weights[player])  # there by the time that the inputs are written
    if traits.names_amounts:
        choices.least, choices.most = betting.legal_raise(table)
    else:
        choices.least, choices.most = actions.write_mask(
            table, actions.SIZED, work.no_fractions, choices.mask
        )
    if traits.wants == INPUTS:
        _write_inputs(traits.observation, table, players, table.actor, strength_tables, work.inputs)
    call_policy(field, player, table, work.inputs, strength_tables, work)


@inlined_kernel
def call_policy(field, player, table, inputs, strength_tables, work):
    """``ask`` where inputs and what is legal have been written."""
    choices, traits = work.choices[0], field.traits[player]
    clear_choices(choices)
    choices.calls_impossible = traits.interpretation & CALLS_ILLEGAL
    _call_policy(
        traits.policy,
        Parameters(traits, field.weights[player]),
        work.memory[player],
        View(table, table.actor, inputs, choices, strength_tables, work.scratch),
    )


@inlined_kernel
def drawn_id(choices, u):
    """The id of the sized encoding that a number in [0, 1) picks."""
    i = draw(choices, u)
    return choices.action[i] if i >= 0 else np.int64(_CALL)


@kernel
def drawn_amount(choices, table, u, part):
    """The action of the game that two numbers in [0, 1) pick."""
    i = draw(choices, u)
    if i < 0:
        return np.int64(CHECK_OR_CALL)
    if is_spread(choices, i):
        size = choices.low[i] + part * (choices.high[i] - choices.low[i])
        return raise_by(table, size, choices.least, choices.most)
    return choices.action[i] if part < choices.share[i] else choices.other[i]


@inlined_kernel
def decide(game, tables, players, field, strength_tables, work):
    """Action that the player to act chooses.

    Args:
        game: A game record whose last event was ``DECISION``.
        tables: Its tables.
        players: Its players' records.
        field: ``PlayerArrays``: who plays.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``, scratch of this thread.

    Returns:
        The id of the action in the sized encoding, and the action as ``tournament.take_action``
        takes it.
    """
    table = tables[game.table]
    player = table.player[table.actor]
    u, part, place = actions.decision_units(game, table)
    ask(field, player, table, players, strength_tables, work)
    choices = work.choices[0]
    if field.traits[player].names_amounts:
        action = drawn_amount(choices, table, u, part)
        return nearest_size(table, action, choices.most), action
    action_id = drawn_id(choices, u)
    if (
        field.traits[player].interpretation & VERBATIM_SIZES
        and action_id > _CALL
        and is_a_call(table, action_id - _SMALL, part, place)
    ):
        action_id = np.int64(_CALL)
    return action_id, actions.sized_action(
        table, action_id, part, place, choices.least, choices.most
    )


# Of the largest legal bet, up to 8% is nearest to a small raise, up to 25% to a medium one.
_MOST_OF_SMALL = 0.08
_MOST_OF_MEDIUM = 0.25


@kernel
def nearest_size(table, action, most):
    """The id in the sized encoding that is nearest to an action of the game."""
    if action == FOLD:
        return _FOLD
    if action == CHECK_OR_CALL:
        return _CALL
    bet = table.street_bet[table.actor]
    fraction = (action - bet) / (most - bet)
    if table.betting == FIXED_LIMIT or fraction <= _MOST_OF_SMALL:
        return _SMALL
    return _SMALL + 1 if fraction <= _MOST_OF_MEDIUM else _SMALL + 2


@kernel
def notify_estimator(game, tables, players, action, field, strength_tables, work, estimator):
    """Call the estimator's decision hook for the decision that ``decide`` took last."""
    table = tables[game.table]
    player = table.player[table.actor]
    _call_decision_hook(
        estimator.decision_hook,
        field,
        player,
        table,
        players,
        strength_tables,
        work,
        action,
        estimator.state,
    )


# --- events --------------------------------------------------------------------------------------


@kernel
def anybody_remembers(field):
    """Whether a player of a field listens to events."""
    for player in range(len(field.traits)):  # noqa: SIM110  (kernels know no generators)
        if field.traits[player].listener != NO_FUNCTION:
            return True
    return False


@kernel
def _notify_one(field, player, table, seat, strength_tables, work):
    traits = field.traits[player]
    if traits.listener != NO_FUNCTION:
        _call_listener(
            traits.listener,
            Parameters(traits, field.weights[player]),
            work.memory[player],
            View(table, seat, work.inputs, work.choices[0], strength_tables, work.scratch),
            work.event[0],
        )


@kernel
def notify_table(what, table, field, strength_tables, work):
    """Notify all players at a table who have been dealt in."""
    work.event[0].what = what
    for seat in range(table.seats):
        if table.player[seat] >= 0 and table.status[seat] != EMPTY:
            _notify_one(field, table.player[seat], table, seat, strength_tables, work)


@kernel
def begin_session(tables, field, strength_tables, work):
    """Clear all memory, and notify all players."""
    if not anybody_remembers(field):
        return
    work.memory[:] = np.float32(0.0)
    event = work.event[0]
    event.what = SESSION_BEGINS
    event.seat = NO_PLAYER
    event.hand_runs = 0
    for t in range(len(tables)):
        for seat in range(tables[t].seats):
            if tables[t].player[seat] >= 0:
                _notify_one(field, tables[t].player[seat], tables[t], seat, strength_tables, work)


@kernel
def begin_hand(table, field, strength_tables, work):
    """Notify of the hand that has a player to act, if that has not been done."""
    event = work.event[0]
    if not event.hand_runs:
        event.hand_runs = 1
        event.seat = NO_PLAYER
        notify_table(HAND_BEGINS, table, field, strength_tables, work)


@inlined_kernel
def act_and_notify(game, tables, players, action, field, strength_tables, work, notifies):
    """``tournament.take_action``, and notify all players at the table if ``notifies`` says so."""
    table = tables[game.table]
    event = work.event[0]
    before = np.int64(0)
    if notifies:
        event.seat = table.actor
        event.street = table.street
        event.action = action
        event.pot = table.pot
        event.to_call = betting.amount_to_call(table)
        before = table.stack[table.actor]
    tournament.take_action(game, tables, players, action)
    if notifies:
        event.chips = before - table.stack[event.seat]
        notify_table(ACTED, table, field, strength_tables, work)


@kernel
def end_hand(table, field, strength_tables, work):
    """Notify of the cards shown, and that the pots have been paid."""
    begin_hand(table, field, strength_tables, work)
    event = work.event[0]
    event.hand_runs = 0
    for seat in range(table.seats):
        if table.shown[seat]:
            event.seat = seat
            notify_table(SHOWN, table, field, strength_tables, work)
    event.seat = NO_PLAYER
    notify_table(HAND_ENDS, table, field, strength_tables, work)


# --- whole games ---------------------------------------------------------------------------------


@kernel
def play_out(game, tables, players, levels, field, strength_tables, work, chips, estimator):
    """Play a game that has been started to its end, and add up what all players win.

    Args:
        game: A game record.
        tables: Its tables.
        players: Its players' records.
        levels: Its blinds.
        field: ``PlayerArrays``: who plays.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``, scratch of this thread; the memory is cleared first.
        chips: ``(n_players,)`` what they win is added to.
        estimator: ``Estimator``: variance reduction of what they win.
    """
    notifies = anybody_remembers(field)
    begin_session(tables, field, strength_tables, work)
    while True:
        event = tournament.advance(game, tables, players, levels)
        if event == tournament.DECISION:
            if notifies:
                begin_hand(tables[game.table], field, strength_tables, work)
            _, action = decide(game, tables, players, field, strength_tables, work)
            if estimator.decision_hook != NO_FUNCTION:
                notify_estimator(
                    game, tables, players, action, field, strength_tables, work, estimator
                )
            act_and_notify(game, tables, players, action, field, strength_tables, work, notifies)
        elif event == tournament.HAND_OVER:
            table = tables[game.table]
            for seat in range(table.seats):
                player = table.player[seat]
                if player >= 0:
                    chips[player] += table.won[seat] - table.hand_bet[seat]
            if estimator.kernel != NO_FUNCTION:
                estimate_hand(table, estimator)
            if notifies:
                end_hand(table, field, strength_tables, work)
        elif event == tournament.GAME_OVER:
            return
