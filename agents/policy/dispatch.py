"""Queries of compiled players, and the game loops.

``ask`` lets a policy write its list of choices, and ``decide`` draws one with the player's own
random numbers. Every game loop alternates ``advance_and_notify`` and ``act_and_notify``:
``play_on`` for players of one batch, ``agents.policy.env_opponents`` in environments.
"""

from __future__ import annotations

import numpy as np

from agents.policy.action_interpretation import CALLS_ILLEGAL, VERBATIM_SIZES
from agents.policy.events import (
    ACTED,
    EVENT,
    HAND_BEGINS,
    HAND_ENDS,
    SESSION_BEGINS,
    SHOWN,
    EventRecord,
)
from agents.policy.kinds import INPUTS, LISTENER, POLICY
from agents.policy.player_batch import PlayerArrays, Seated, WorkArrays
from agents.policy.spots import raise_by
from agents.policy.view import (
    CHOICES,
    TRAITS,
    ChoicesRecord,
    Parameters,
    View,
    clear_choices,
    draw,
    is_spread,
)
from nlhe_env.assessment.estimators.estimator import Estimator, estimate_hand
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.game import betting, tournament
from nlhe_env.game.description import GameArrays
from nlhe_env.game.player import PLAYER, PlayerRecords
from nlhe_env.game.table import (
    CHECK_OR_CALL,
    EMPTY,
    FIXED_LIMIT,
    FOLD,
    NO_PLAYER,
    TABLE,
    TableRecord,
    TableRecords,
)
from nlhe_env.game.tournament import GameRecord
from nlhe_env.jit.array_types import F32, I64, Float, Int, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION, Signature
from nlhe_env.numerics.prefetch import prefetch
from nlhe_env.spaces import actions
from nlhe_env.spaces.actions import CALL_ID, FIRST_RAISE_ID, FOLD_ID
from nlhe_env.spaces.bet_sizing import LARGE, MEDIUM, SMALL, is_a_call
from nlhe_env.spaces.observation import WRITER

_call_policy = POLICY.call
_call_listener = LISTENER.call
_write_inputs = WRITER.call


DECISION_HOOK = Signature(
    "a decision hook",
    None,
    player=0,
    table=np.zeros(1, TABLE)[0],
    players=np.zeros(1, PLAYER),
    seated=Seated(
        PlayerArrays(np.zeros(1, TRAITS), np.zeros((1, 1), np.float32)),
        blank_tables(),
        WorkArrays(
            np.zeros(1, np.float32),
            np.zeros(1, CHOICES),
            np.zeros(1, EVENT),
            np.zeros(1, np.float32),
            np.zeros((1, 1), np.float32),
            np.zeros(1),
        ),
    ),
    action=0,
    state=np.zeros(1, np.int64),
)
"""A kernel for what complete hands do not show, such as the probabilities of a player's actions.

``record(player, table, players, seated, action, state)`` is called before a player's action is
taken; ``seated.work.choices`` holds the choices."""


_call_decision_hook = DECISION_HOOK.call

# --- one decision --------------------------------------------------------------------------------


@inlined_kernel
def ask(player: Int, table: TableRecord, players: PlayerRecords, seated: Seated) -> None:
    """Let the player to act write its choices into ``work.choices``.

    Args:
        player: The player to act.
        table: A table record.
        players: The players' records.
        seated: The players, with the work arrays of this thread.
    """
    work, traits = seated.work, seated.batch.traits[player]
    choices = work.choices[0]
    if traits.wants == INPUTS:
        prefetch(seated.batch.weights[player])  # loaded while the inputs are written
    if traits.names_amounts:
        choices.least, choices.most = betting.legal_raise(table)
    else:
        choices.least, choices.most = actions.write_mask(
            table, actions.SIZED, work.no_fractions, choices.mask
        )
    if traits.wants == INPUTS:
        _write_inputs(
            traits.observation, table, players, table.actor, seated.strength_tables, work.inputs
        )
    call_policy(player, table, work.inputs, seated)


@inlined_kernel
def call_policy(player: Int, table: TableRecord, inputs: F32, seated: Seated) -> None:
    """Like ``ask``, after the inputs and legal actions have been written."""
    choices, traits = seated.work.choices[0], seated.batch.traits[player]
    clear_choices(choices)
    choices.calls_impossible = traits.interpretation & CALLS_ILLEGAL
    _call_policy(
        traits.policy,
        Parameters(traits, seated.batch.weights[player]),
        seated.work.memory[player],
        View(table, table.actor, inputs, choices, seated.strength_tables, seated.work.scratch),
    )


@inlined_kernel
def drawn_id(choices: ChoicesRecord, u: Float) -> Int:
    """Id of the sized encoding selected by ``u`` in [0, 1)."""
    i = draw(choices, u)
    return choices.action[i] if i >= 0 else np.int64(CALL_ID)


@kernel
def drawn_amount(choices: ChoicesRecord, table: TableRecord, u: Float, part: Float) -> Int:
    """Game action selected by two numbers in [0, 1)."""
    i = draw(choices, u)
    if i < 0:
        return np.int64(CHECK_OR_CALL)
    if is_spread(choices, i):
        size = choices.low[i] + part * (choices.high[i] - choices.low[i])
        return raise_by(table, size, choices.least, choices.most)
    return choices.action[i] if part < choices.share[i] else choices.other[i]


@inlined_kernel
def decide(
    game: GameRecord, tables: TableRecords, players: PlayerRecords, seated: Seated
) -> tuple[Int, Int]:
    """Choose an action of the player to act.

    Args:
        game: A game record whose last event was ``DECISION``.
        tables: Its tables.
        players: Its players' records.
        seated: The players, with the work arrays of this thread.

    Returns:
        The action's id in the sized encoding, and the action for ``tournament.take_action``.
    """
    table = tables[game.table]
    player = table.player[table.actor]
    u, part, place = actions.decision_units(game, table)
    ask(player, table, players, seated)
    choices = seated.work.choices[0]
    if seated.batch.traits[player].names_amounts:
        action = drawn_amount(choices, table, u, part)
        return nearest_size(table, action, choices.most), action
    action_id = drawn_id(choices, u)
    if (
        seated.batch.traits[player].interpretation & VERBATIM_SIZES
        and action_id > CALL_ID
        and is_a_call(table, action_id - FIRST_RAISE_ID, part, place)
    ):
        action_id = np.int64(CALL_ID)
    return action_id, actions.sized_action(
        table, action_id, part, place, choices.least, choices.most
    )


# Up to 8% of the largest legal bet is nearest to a small raise, up to 25% to a medium one.
_MOST_OF_SMALL = 0.08
_MOST_OF_MEDIUM = 0.25


@kernel
def nearest_size(table: TableRecord, action: Int, most: Int) -> Int:
    """Id in the sized encoding nearest to a game action."""
    if action == FOLD:
        return FOLD_ID
    if action == CHECK_OR_CALL:
        return CALL_ID
    bet = table.street_bet[table.actor]
    fraction = (action - bet) / (most - bet)
    if table.betting == FIXED_LIMIT or fraction <= _MOST_OF_SMALL:
        return FIRST_RAISE_ID + SMALL
    return FIRST_RAISE_ID + (MEDIUM if fraction <= _MOST_OF_MEDIUM else LARGE)


@kernel
def notify_estimator(
    game: GameRecord,
    tables: TableRecords,
    players: PlayerRecords,
    action: Int,
    seated: Seated,
    estimator: Estimator,
) -> None:
    """Call the estimator's decision hook for the last decision of ``decide``."""
    table = tables[game.table]
    player = table.player[table.actor]
    _call_decision_hook(
        estimator.decision_hook, player, table, players, seated, action, estimator.state
    )


# --- events --------------------------------------------------------------------------------------


@kernel
def any_has_memory(batch: PlayerArrays) -> Truth:
    """Whether any player of a batch has an event handler."""
    for player in range(len(batch.traits)):  # noqa: SIM110  (kernels know no generators)
        if batch.traits[player].listener != NO_FUNCTION:
            return True
    return False


@kernel
def notify_player(player: Int, table: TableRecord, seat: Int, seated: Seated) -> None:
    """Notify a player in a seat of the event in ``work.event``."""
    traits, work = seated.batch.traits[player], seated.work
    if traits.listener != NO_FUNCTION:
        _call_listener(
            traits.listener,
            Parameters(traits, seated.batch.weights[player]),
            work.memory[player],
            View(table, seat, work.inputs, work.choices[0], seated.strength_tables, work.scratch),
            work.event[0],
        )


@kernel
def notify_table(what: Int, table: TableRecord, seated: Seated) -> None:
    """Notify all players at a table who have been dealt in."""
    seated.work.event[0].what = what
    for seat in range(table.seats):
        if table.player[seat] >= 0 and table.status[seat] != EMPTY:
            notify_player(table.player[seat], table, seat, seated)


@kernel
def begin_session(tables: TableRecords, seated: Seated) -> None:
    """Clear all memories and notify all players."""
    if not any_has_memory(seated.batch):
        return
    seated.work.memory.fill(np.float32(0.0))
    event = seated.work.event[0]
    event.what = SESSION_BEGINS
    event.seat = NO_PLAYER
    event.hand_runs = 0
    for t in range(len(tables)):
        for seat in range(tables[t].seats):
            if tables[t].player[seat] >= 0:
                notify_player(tables[t].player[seat], tables[t], seat, seated)


@kernel
def begin_hand(table: TableRecord, seated: Seated) -> None:
    """Notify the players of the current hand, unless already done."""
    event = seated.work.event[0]
    if not event.hand_runs:
        event.hand_runs = 1
        event.seat = NO_PLAYER
        notify_table(HAND_BEGINS, table, seated)


@inlined_kernel
def advance_and_notify(arrays: GameArrays, seated: Seated, notifies: Truth) -> Int:
    """``tournament.advance``; notifies all players at the table if ``notifies``."""
    game, tables, players, levels = arrays
    event = tournament.advance(game[0], tables, players, levels)
    if notifies:
        if event == tournament.DECISION:
            begin_hand(tables[game[0].table], seated)
        elif event == tournament.HAND_OVER:
            end_hand(tables[game[0].table], seated)
    return event


@inlined_kernel
def describe_action(event: EventRecord, table: TableRecord, action: Int) -> None:
    """Describe the next action of the player to act in an event record."""
    event.seat = table.actor
    event.street = table.street
    event.action = action
    event.pot = table.pot
    event.to_call = betting.amount_to_call(table)


@inlined_kernel
def act_and_notify(
    game: GameRecord,
    tables: TableRecords,
    players: PlayerRecords,
    action: Int,
    seated: Seated,
    notifies: Truth,
) -> None:
    """``tournament.take_action``; notifies all players at the table if ``notifies``."""
    table = tables[game.table]
    event = seated.work.event[0]
    before = np.int64(0)
    if notifies:
        describe_action(event, table, action)
        before = table.stack[table.actor]
    tournament.take_action(game, tables, players, action)
    if notifies:
        event.chips = before - table.stack[event.seat]
        notify_table(ACTED, table, seated)


@kernel
def end_hand(table: TableRecord, seated: Seated) -> None:
    """Notify the players of the cards shown and of the paid pots."""
    begin_hand(table, seated)
    event = seated.work.event[0]
    event.hand_runs = 0
    for seat in range(table.seats):
        if table.shown[seat]:
            event.seat = seat
            notify_table(SHOWN, table, seated)
    event.seat = NO_PLAYER
    notify_table(HAND_ENDS, table, seated)


# --- hands and whole games -----------------------------------------------------------------------


@inlined_kernel
def play_on(arrays: GameArrays, seated: Seated, notifies: Truth, estimator: Estimator) -> Int:
    """Play all decisions up to the next other event; returns that event."""
    game, tables, players, _ = arrays
    while True:
        event = advance_and_notify(arrays, seated, notifies)
        if event != tournament.DECISION:
            return event
        _, action = decide(game[0], tables, players, seated)
        if estimator.decision_hook != NO_FUNCTION:
            notify_estimator(game[0], tables, players, action, seated, estimator)
        act_and_notify(game[0], tables, players, action, seated, notifies)


@kernel
def play_out(arrays: GameArrays, seated: Seated, chips: I64, estimator: Estimator) -> None:
    """Play a started game to its end, and add up the players' winnings.

    Args:
        arrays: The game.
        seated: The players, with the work arrays of this thread; the memory is cleared first.
        chips: ``(n_players,)`` totals to which the winnings are added.
        estimator: ``Estimator`` for variance reduction of the winnings.
    """
    notifies = any_has_memory(seated.batch)
    begin_session(arrays.tables, seated)
    while True:
        event = play_on(arrays, seated, notifies, estimator)
        if event == tournament.HAND_OVER:
            table = arrays.tables[arrays.game[0].table]
            add_winnings(table, chips)
            if estimator.kernel != NO_FUNCTION:
                estimate_hand(table, estimator)
        elif event == tournament.GAME_OVER:
            return


@inlined_kernel
def add_winnings(table: TableRecord, chips: I64) -> None:
    """Add the winnings of all players at a table in a paid hand."""
    for seat in range(table.seats):
        player = table.player[seat]
        if player >= 0:
            chips[player] += table.won[seat] - table.hand_bet[seat]
