"""Vexbot: event handler and decision rule."""

from __future__ import annotations

import numpy as np

from agents.policy.events import ACTED, HAND_BEGINS, SESSION_BEGINS, SHOWN, EventRecord
from agents.policy.spots import check_or_fold
from agents.policy.view import Parameters, View, offer
from agents.theses.billings.pseudo_optimal.book import MOST_BETS
from agents.theses.billings.pseudo_optimal.player import code_of_street
from agents.theses.billings.vexbot.betting_sequences import (
    AFTER_RIVER,
    beginning_of,
    raises_before,
    stake_before,
)
from agents.theses.billings.vexbot.opponent_model import (
    DecisionPoint,
    add_defaults,
    begin_hand,
    observe_action,
    observe_hand,
)
from agents.theses.billings.vexbot.records import (
    BUTTON,
    CALLS,
    DECAY,
    DEFAULTS,
    FOLDS,
    LOG_MIXING,
    MEMORY,
    N_MEMORY,
    N_POINTS,
    PRIOR,
    RAISES,
    WIDTH,
    MemoryRecord,
    add_to_points,
    seat_of,
)
from agents.theses.billings.vexbot.search import (
    N_SCRATCH,
    SEARCH,
    SearchRecord,
    look_ahead,
    search_street,
    similarity_weight,
    weigh_ends,
    weigh_showdowns,
    write_opponent,
    write_options,
    write_showdowns,
)
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.equity.tables.lookup import StrengthTablesRecord, hand_equity
from nlhe_env.game.table import CHECK_OR_CALL, FLOP, FOLD, NO_PLAYER, PREFLOP, RIVER, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int, Record
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer

_PATIENCE = np.float32(0.01)
"""Values are recomputed after the number of hands has grown by this share."""

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
        model.code = np.float32(code_of_street(table, table.street, MOST_BETS))
    elif event.what == ACTED:
        if event.seat != view.seat:
            _learn_action(weights, model, view, event)
        if table.actor != NO_PLAYER:
            model.code = np.float32(code_of_street(table, table.street, MOST_BETS))
    elif event.what == SHOWN and event.seat != view.seat:
        _learn_hand(weights, model, view, event.seat)


@kernel
def _learn_action(weights: F32, memory: MemoryRecord, view: View, event: EventRecord) -> None:
    table, street = view.table, event.street
    on_button = table.button == view.seat
    action = RAISES
    if event.action == FOLD:
        action = FOLDS
    elif event.action == CHECK_OR_CALL:
        action = CALLS
    point = DecisionPoint(
        street,
        beginning_of(table, street),
        np.int64(memory.code),
        seat_of(table, view.seat),
        raises_before(table, street, on_button),
        raises_before(table, street, not on_button),
    )
    observe_action(memory, point, action, weights[DECAY])


@kernel
def _learn_hand(weights: F32, memory: MemoryRecord, view: View, seat: Int) -> None:
    table = view.table
    on_button = table.button == view.seat
    observe_hand(
        memory,
        seat_of(table, view.seat),
        beginning_of(table, AFTER_RIVER),
        raises_before(table, AFTER_RIVER, on_button),
        raises_before(table, AFTER_RIVER, not on_button),
        strength_on_river(table, seat, view.strength_tables),
        weights[DECAY],
    )


# --- deciding ------------------------------------------------------------------------------------


@kernel
def policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the best action, or also those close to it (miximix)."""
    search = view.scratch[:N_SCRATCH].view(SEARCH)[0]
    _search(parameters, memory[:N_MEMORY].view(MEMORY)[0], search, view)
    options, width = search.options, parameters.weights[WIDTH]
    best = max(options[FOLDS], options[CALLS], options[RAISES])
    offer(view, check_or_fold(view.table), similarity_weight(options[FOLDS], best, width))
    offer(view, np.int64(CHECK_OR_CALL), similarity_weight(options[CALLS], best, width))
    most = view.choices.most
    raise_to = most if most > 0 else np.int64(CHECK_OR_CALL)
    offer(view, raise_to, similarity_weight(options[RAISES], best, width))


@kernel
def _search(parameters: Parameters, memory: MemoryRecord, search: SearchRecord, view: View) -> None:
    """Write every action's value for the whole hand, in small bets, to ``search.options``."""
    weights, prior = parameters.weights, _prior_at(parameters.traits.book)
    table = view.table
    street, seat = table.street, seat_of(table, table.actor)
    on_button = seat == BUTTON
    beginning = beginning_of(table, street)
    own = raises_before(table, street, on_button)
    opponent = raises_before(table, street, not on_button)
    stake = stake_before(table, street)
    blind = table.small_blind / table.big_blind
    log_mixing = weights[LOG_MIXING]
    write_opponent(memory, search, street, beginning, seat, own, opponent, log_mixing)
    write_points(table, table.actor, prior, view.strength_tables, search)
    if street == PREFLOP:
        weigh_ends(memory.flops[seat], beginning, search)
    elif street == FLOP:
        weigh_ends(memory.turns[seat], beginning, search)
    elif street < RIVER:
        weigh_ends(memory.rivers[seat], beginning, search)
    else:
        write_showdowns(memory, search, beginning, seat, own, opponent, stake, log_mixing)
        weigh_showdowns(search)
    search_street(search, street, seat, stake, blind, weights[WIDTH], 1)
    write_options(search, street, code_of_street(table, street, MOST_BETS), stake, blind)


_N_CARDS = 52
_MOST_BOARD = 5


@kernel
def strength_on_river(table: TableRecord, seat: Int, tables: StrengthTablesRecord) -> Float:
    """Hand rank on a full board: the share of hands beaten, counting ties as one half."""
    return hand_equity(
        np.int64(table.cards[2 * seat]),
        np.int64(table.cards[2 * seat + 1]),
        table.cards[2 * table.seats : 2 * table.seats + _MOST_BOARD],
        _MOST_BOARD,
        1,
        tables,
    )


@kernel
def write_points(
    table: TableRecord,
    seat: Int,
    prior: Record,
    tables: StrengthTablesRecord,
    search: Record,
) -> None:
    """Write the distribution of strengths after the next card to ``search.points``.

    Before the flop it comes from the prior, later from enumeration of the next card; on the river
    it is the strength itself.

    Args:
        table: A table record.
        seat: Seat of the hand.
        prior: A record of dtype ``PRIOR``.
        tables: ``StrengthTables``.
        search: A record of dtype ``SEARCH``.
    """
    points = search.points
    hole_0, hole_1 = np.int64(table.cards[2 * seat]), np.int64(table.cards[2 * seat + 1])
    if table.street == PREFLOP:
        row = prior.to_flop[preflop_class(hole_0, hole_1)]
        for i in range(N_POINTS):
            points[i] = row[i]
        return
    for i in range(N_POINTS):
        points[i] = np.float32(0.0)
    if table.street == RIVER:
        add_to_points(points, strength_on_river(table, seat, tables), 1.0)
        return
    board, n_board = search.board, table.board_cards
    for i in range(n_board):
        board[i] = table.cards[2 * table.seats + i]
    seen = board_set(board, n_board) | card_bit(hole_0) | card_bit(hole_1)
    weight = 1.0 / (_N_CARDS - 2 - n_board)
    for card in range(_N_CARDS):
        if not seen & card_bit(card):
            board[n_board] = card
            add_to_points(
                points, hand_equity(hole_0, hole_1, board, n_board + 1, 1, tables), weight
            )
