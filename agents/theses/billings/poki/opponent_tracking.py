"""Memory of the Alberta players: weight table, frequencies and predictors for every seat.

The player's own seat has them too: its weight table estimates the opponents' beliefs. Weight tables
are updated while the player is in the hand, frequencies always. A new player in a seat starts from
the defaults.
"""

from __future__ import annotations

import numpy as np

from agents.policy.events import ACTED, HAND_BEGINS, EventRecord
from agents.policy.spots import is_in_hand
from agents.policy.view import Parameters, View
from agents.theses.billings.poki.action_frequencies import (
    context_of,
    count_action,
    share_of_size,
    size_class,
)
from agents.theses.billings.poki.holdings import (
    cell_of,
    write_preflop_strength,
    write_shares,
    write_strength,
)
from agents.theses.billings.poki.predictors import (
    begin_network,
    learn_action,
    predict,
    write_inputs,
)
from agents.theses.billings.poki.records import N_BINS, MemoryRecord, WorkRecord, memory_of, work_of
from agents.theses.billings.poki.triples import forbid, write_triple
from nlhe_env.assessment.potential_kernels import remove_card, rescale, reweight
from nlhe_env.equity.tables.suits import MAX_OPPONENTS, N_HOLES
from nlhe_env.game.betting import FOLDS, RAISES, action_kind_of, amount_to_call, legal_raise
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import ALL_IN, EMPTY, FIXED_LIMIT, NO_PLAYER, PREFLOP, TableRecord
from nlhe_env.jit.array_types import F32, I8, Int
from nlhe_env.jit.compilation import kernel

FLOOR = 0.01
"""Lower bound on the weight of a holding, relative to the largest."""


@kernel
def on_event(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> None:
    """Event handler: update the memory."""
    if event.what == HAND_BEGINS:
        _begin_hand(parameters.weights, memory_of(memory), view.table, view.seat)
    elif event.what == ACTED:
        _learn_action(
            parameters.weights,
            memory_of(memory),
            view.table,
            view.seat,
            event,
            work_of(view.scratch),
        )


@kernel
def _begin_hand(weights: F32, memory: MemoryRecord, table: TableRecord, own: Int) -> None:
    """Reset the weight tables: equal weights, except for holdings with the player's cards."""
    dealt_in = 0
    for seat in range(table.seats):
        player = table.player[seat] + 1
        if memory.player[seat] != player:
            memory.player[seat] = player
            memory.counts[seat] = 0.0
            memory.sizes[seat] = 0.0
            memory.surprise[seat] = 0.0
            begin_network(memory.network[seat])
        if table.status[seat] != EMPTY:
            dealt_in += 1
            memory.weights[seat] = 1.0
            if seat != own:
                for card in hole_cards(table, own):
                    remove_card(memory.weights[seat], card)
    opponents = min(max(dealt_in - 1, 1), MAX_OPPONENTS)
    write_preflop_strength(weights, opponents, memory.strength)
    memory.street = PREFLOP + 1
    memory.last = 0
    memory.last_street = PREFLOP
    _look_ahead(weights, memory, table, own)


@kernel
def _look_ahead(weights: F32, memory: MemoryRecord, table: TableRecord, own: Int) -> None:
    """Record the inputs of the next decision."""
    if table.actor != NO_PLAYER:
        memory.context = context_of(
            table.betting, table.street, amount_to_call(table), table.pot, table.big_blind
        )
        memory.can_raise = legal_raise(table)[1] > 0
        last = memory.last - 1 if memory.last_street == table.street else -1
        write_inputs(weights, table, last, memory.context, own, memory.inputs)


@kernel
def _learn_action(
    weights: F32,
    memory: MemoryRecord,
    table: TableRecord,
    own: Int,
    event: EventRecord,
    work: WorkRecord,
) -> None:
    seat, context, action_kind = event.seat, np.int64(memory.context), action_kind_of(event.action)
    if action_kind != FOLDS and table.unfolded > 1 and is_in_hand(table, own):
        _learn_holding(weights, memory, table, event, action_kind, work)
    if memory.can_raise:  # a call with no raise left is not informative
        learn_action(weights, memory, seat, context, memory.inputs, action_kind, work)
        if action_kind == RAISES and table.betting != FIXED_LIMIT:
            count_action(memory.sizes[seat], _size_of(table, event))
    memory.last = action_kind + 1
    memory.last_street = event.street
    _look_ahead(weights, memory, table, own)


@kernel
def _learn_holding(
    weights: F32,
    memory: MemoryRecord,
    table: TableRecord,
    event: EventRecord,
    action_kind: Int,
    work: WorkRecord,
) -> None:
    """Multiply the actor's weights by the likelihood of its action."""
    board = table.cards[2 * table.seats : 2 * table.seats + 5]
    if memory.street != event.street + 1:
        see_board(board, event.street + 2, table.seats, memory, work)
        memory.street = event.street + 1
    held = memory.weights[event.seat]
    frequencies, triple, shares = work.frequencies, work.triple, work.cells
    predict(weights, memory, event.seat, np.int64(memory.context), memory.inputs, work, frequencies)
    raises = frequencies[RAISES]
    if action_kind == RAISES and table.betting != FIXED_LIMIT:
        raises *= share_of_size(memory.sizes[event.seat], _size_of(table, event))
    write_shares(held, memory.strength, shares)
    for b in range(N_BINS):
        write_triple(shares[b], frequencies[FOLDS], raises, triple)
        forbid(triple, event.to_call, memory.can_raise)
        shares[b] = triple[action_kind]
    for i in range(N_HOLES):
        work.chances[i] = shares[cell_of(memory.strength[i])]
    reweight(held, work.chances, FLOOR)
    rescale(held)


@kernel
def _size_of(table: TableRecord, event: EventRecord) -> Int:
    is_all_in = table.status[event.seat] == ALL_IN
    return size_class(event.chips, event.to_call, event.pot, is_all_in)


@kernel
def see_board(board: I8, n_board: Int, seats: Int, memory: MemoryRecord, work: WorkRecord) -> None:
    """Compute the strengths on a new board, remove blocked holdings, and update percentiles."""
    write_strength(board, n_board, work.keys, memory.strength)
    for seat in range(seats):
        for i in range(n_board):
            remove_card(memory.weights[seat], np.int64(board[i]))
        write_shares(memory.weights[seat], memory.strength, memory.shares[seat])
