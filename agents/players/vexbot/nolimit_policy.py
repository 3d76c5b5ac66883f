"""Vexbot in no-limit: event handler and decision rule."""

from __future__ import annotations

import numpy as np

from agents.players.poki.records import N_SIZES
from agents.players.vexbot.cards import strength_on_river, write_points
from agents.players.vexbot.miximax import IMPOSSIBLE, offer_fold_and_call, similarity_weight
from agents.players.vexbot.nolimit_model import observe_action, observe_hand
from agents.players.vexbot.nolimit_records import (
    MEMORY,
    N_ACTIONS,
    N_MEMORY,
    PRIOR,
    MemoryRecord,
)
from agents.players.vexbot.nolimit_search import (
    N_SCRATCH,
    SEARCH,
    Betting,
    SearchRecord,
    init_root,
    look_ahead,
    search_tree,
    weigh_hand,
    write_opponent,
    write_options,
)
from agents.players.vexbot.nolimit_sequences import (
    ALL_IN_SIZE,
    NO_BET,
    OPPONENT_BET,
    OWN_BET,
    SIZES,
    class_of,
    coarse,
    end_of,
    next_history_class,
    spot_of,
)
from agents.players.vexbot.opponent_model import add_defaults, begin_hand
from agents.players.vexbot.records import (
    CALLS,
    DECAY,
    DEFAULTS,
    FIRST_RAISE,
    FOLDS,
    LOG_MIXING,
    WIDTH,
    seat_of,
)
from agents.policy.events import ACTED, HAND_BEGINS, SESSION_BEGINS, SHOWN, EventRecord
from agents.policy.spots import raise_by
from agents.policy.view import Parameters, View, offer
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, NO_PLAYER
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer

_PATIENCE = np.float32(0.03)
"""Values of streets are recomputed after the number of hands has grown by this share."""

_prior_at = record_pointer(PRIOR)

# --- event handler -------------------------------------------------------------------------------


@kernel
def on_event(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> None:
    """Event handler: update the statistics of the opponent."""
    weights, table = parameters.weights, view.table
    model, prior = memory[:N_MEMORY].view(MEMORY)[0], _prior_at(parameters.traits.book)
    if event.what == SESSION_BEGINS:
        add_defaults(model, prior, weights[DEFAULTS])
    elif event.what == HAND_BEGINS:
        seat = seat_of(table, view.seat)
        if begin_hand(model, seat, _PATIENCE):
            search = view.scratch[:N_SCRATCH].view(SEARCH)[0]
            look_ahead(model, prior, search, seat, weights[LOG_MIXING], weights[WIDTH])
        model.history_class = 0
        _begin_street(model)
    elif event.what == ACTED:
        _learn_action(weights, model, view, event)
    elif event.what == SHOWN and event.seat != view.seat:
        observe_hand(
            model,
            seat_of(table, view.seat),
            table.street,
            np.int64(model.history_class),
            _end(model),
            strength_on_river(table, event.seat, view.strength_tables),
            weights[DECAY],
        )


@kernel
def _begin_street(memory: MemoryRecord) -> None:
    memory.bettor = NO_BET
    memory.size = 0
    memory.has_bet = 0
    memory.acts = 0


@kernel
def _end(memory: MemoryRecord) -> Int:
    """End of the street if there is no further bet."""
    return end_of(np.int64(memory.bettor), np.int64(memory.size))


@kernel
def _learn_action(weights: F32, memory: MemoryRecord, view: View, event: EventRecord) -> None:
    table, is_own = view.table, event.seat == view.seat
    bettor, size = np.int64(memory.bettor), np.int64(memory.size)
    action: Int = FOLDS if event.action == FOLD else CALLS
    if event.action != FOLD and event.action != CHECK_OR_CALL:
        seat, other = event.seat, 1 - event.seat
        more = table.street_bet[seat] - table.street_bet[other]
        is_all_in = table.stack[seat] == 0 or more >= table.stack[other]
        pots = (event.chips - event.to_call) / max(event.pot + event.to_call, 1)
        memory.bettor = OWN_BET if is_own else OPPONENT_BET
        memory.size = class_of(pots, is_all_in)
        action = FIRST_RAISE + np.int64(memory.size)
    if not is_own:
        spot = spot_of(bettor, size, np.int64(memory.has_bet), memory.acts > 0)
        seat, history_class = seat_of(table, view.seat), np.int64(memory.history_class)
        observe_action(memory, seat, event.street, history_class, spot, action, weights[DECAY])
        if action >= FIRST_RAISE:
            memory.has_bet = 1
    memory.acts += 1
    if table.actor != NO_PLAYER and table.street > event.street:
        memory.history_class = next_history_class(
            np.int64(memory.history_class), coarse(_end(memory))
        )
        _begin_street(memory)


# --- deciding ------------------------------------------------------------------------------------


@kernel
def nolimit_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the best action, or also those close to it (miximix)."""
    search = view.scratch[:N_SCRATCH].view(SEARCH)[0]
    _search(parameters, memory[:N_MEMORY].view(MEMORY)[0], search, view)
    _offer_best(parameters.weights[WIDTH] * view.table.pot / view.table.big_blind, search, view)


@kernel
def _search(parameters: Parameters, memory: MemoryRecord, search: SearchRecord, view: View) -> None:
    """Write every action's value for the whole hand, in big blinds, to ``search.options``."""
    weights, prior = parameters.weights, _prior_at(parameters.traits.book)
    table, me = view.table, view.table.actor
    street, seat, history_class = table.street, seat_of(table, me), np.int64(memory.history_class)
    own_bet, opponent_bet = table.street_bet[me], table.street_bet[1 - me]
    write_opponent(memory, search, seat, street, history_class, weights[LOG_MIXING])
    write_points(table, me, prior, view.strength_tables, search)
    weigh_hand(memory, prior, search, seat, street, history_class, weights[LOG_MIXING])
    search.pot = table.pot - own_bet - opponent_bet
    search.cap = min(own_bet + table.stack[me], opponent_bet + table.stack[1 - me])
    search.is_first = np.int32(memory.acts == 0)
    search.can_raise = np.int32(view.choices.most > 0)
    search.i_act = 1
    bettor, size = np.int64(memory.bettor), np.int64(memory.size)
    has_bet = np.int64(memory.has_bet)
    init_root(search, Betting(own_bet, opponent_bet, table.full_raise, bettor, size, has_bet))
    search_tree(search, weights[WIDTH] * table.pot, 1)
    write_options(search)
    before = np.float32(table.hand_bet[me] - own_bet)
    for i in range(N_ACTIONS):
        if search.options[i] != IMPOSSIBLE:
            search.options[i] = (search.options[i] - before) / np.float32(table.big_blind)


@kernel
def _offer_best(width: Float, search: SearchRecord, view: View) -> None:
    table, choices, width = view.table, view.choices, np.float32(width)
    best = offer_fold_and_call(search.options, width, view)
    for size in range(N_SIZES):
        chance = similarity_weight(search.options[FIRST_RAISE + size], best, width)
        amount = choices.most
        if size < ALL_IN_SIZE:
            amount = raise_by(table, SIZES[size], choices.least, choices.most)
        offer(view, amount, chance)
