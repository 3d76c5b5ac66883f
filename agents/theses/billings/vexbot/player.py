"""Vexbot: a player that models one opponent and searches for the best response to it.

D. Billings, A. Davidson, T. Schauenberg, N. Burch, M. Bowling, R. Holte, J. Schaeffer, D. Szafron,
"Game-Tree Search with Adaptation in Stochastic Imperfect-Information Games", CG 2004; D. Billings,
"Algorithms and Assessment in Computer Poker", PhD thesis (University of Alberta, 2006), chapter 4.

Its event handler counts the opponent's actions and shown hands. From these it estimates, for every
betting sequence, the opponent's action probabilities and hands, using similar sequences where data
is scarce. Its own hand is evaluated exactly up to the next card, and by its strength beyond.

It plays fixed-limit, as in the sources, and assumes deep stacks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import ACTED, HAND_BEGINS, SESSION_BEGINS, SHOWN, EventRecord
from agents.policy.explanations import DecisionContext, Explanation
from agents.policy.kinds import Kind, register_kind, row
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
    N_WEIGHTS,
    PRIOR,
    RAISES,
    WIDTH,
    MemoryRecord,
    add_to_points,
    seat_of,
)
from agents.theses.billings.vexbot.search import (
    IMPOSSIBLE,
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
from nlhe_env.arguments import number
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.equity.tables.lookup import StrengthTablesRecord, hand_equity
from nlhe_env.game.table import (
    CHECK_OR_CALL,
    FIXED_LIMIT,
    FLOP,
    FOLD,
    NO_PLAYER,
    PREFLOP,
    RIVER,
    TableRecord,
)
from nlhe_env.jit.array_types import F32, U8, Float, Int, Record, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer

_NAME = "vexbot"
SETTINGS = {"decay": 1.0, "mixing": 0.98, "defaults": 2.0, "width": 0.0}
"""Options and their defaults."""
COUNTER_SETTINGS = {**SETTINGS, "mixing": 0.9999, "defaults": 1e6}
"""Options of a player whose prior describes its opponent: it does not learn."""
SLOW_SETTINGS = {**SETTINGS, "mixing": 0.999, "defaults": 500.0}
"""Options of a player that starts from such a prior and learns slowly."""
_NAMES = ("fold", "check or call", "bet or raise")
_PATIENCE = np.float32(0.01)
"""Values are recomputed after the number of hands has grown by this share."""
_N_CARDS = 52
_MOST_BOARD = 5

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
        _strength_on_river(table, seat, view.strength_tables),
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
    _write_points(table, table.actor, prior, view.strength_tables, search)
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


@kernel
def _strength_on_river(table: TableRecord, seat: Int, tables: StrengthTablesRecord) -> Float:
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
def _write_points(
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
        add_to_points(points, _strength_on_river(table, seat, tables), 1.0)
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


class VexbotPlayer(CompiledPlayer):
    """A player that adapts to its opponent.

    Args:
        book: The prior: card transitions of hold'em, and statistics of a new opponent.
        decay: Factor, 0..1, of a context's old counts with every new observation; 1 forgets
            nothing, with 0.95 the last twenty observations make up 64%.
        mixing: A level of abstraction with n observations gets 1 - mixing^n of the weight left by
            finer levels, 0.01..0.9999: the higher, the more similar sequences count.
        defaults: Number of pseudo-observations from the prior in each context.
        width: Small bets below the best action at which an action is no longer played; closer
            actions are played more often (miximix). With 0 only the best is played (miximax).
        name: Name for tables and plots.
        origin: Origin.

    Raises:
        ValueError: A number is outside its range.
    """

    book: U8

    def __init__(
        self,
        book: U8,
        *,
        decay: float = SETTINGS["decay"],
        mixing: float = SETTINGS["mixing"],
        defaults: float = SETTINGS["defaults"],
        width: float = SETTINGS["width"],
        name: str = _NAME,
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        weights = row(
            number("decay", decay, least=0, most=1),
            math.log(number("mixing", mixing, least=0.01, most=0.9999)),
            number("defaults", defaults, least=0, most=1e6),
            number("width", width, least=0, most=100),
        )
        super().__init__(name, _NAME, weights, book=book, origin=origin)

    def expected_values(self, scratch: F32) -> F32:
        """``(3,)`` float32 values of folding, calling and raising in the last decision.

        They are in small bets; nan for impossible actions.

        Args:
            scratch: Scratch of the player's last decision.
        """
        options: F32 = scratch[:N_SCRATCH].view(SEARCH)[0]["options"]
        return np.where(options == IMPOSSIBLE, np.float32(np.nan), options)


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """See ``agents.policy.explanations``."""
    assert isinstance(player, VexbotPlayer)
    values = player.expected_values(context.work.scratch)
    choices = context.work.choices[0]
    n = int(choices["n"])
    # -1 for fold, 0 for call, positive for raises.
    which = np.clip(choices["action"][:n], -1, 1) + 1
    chances = np.bincount(which, choices["chance"][:n], len(values)) / choices["total"]
    return Explanation(_NAMES, chances, ~np.isnan(values), values)


def _check_tables(tables: Records) -> None:
    """Check that a Vexbot can play the game.

    Raises:
        ValueError: It cannot.
    """
    if (tables["seats"] != 2).any() or (tables["betting"] != FIXED_LIMIT).any():
        raise ValueError(
            "Vexbot plays heads-up fixed-limit only: seat two players in a game with "
            'betting="fixed-limit"'
        )


def _check_player(player: CompiledPlayer) -> None:
    size = PRIOR.itemsize
    if player.book is None or len(player.book) != size:
        given = "none" if player.book is None else str(len(player.book))
        raise ValueError(f"book must be {size} bytes; got {given}")


register_kind(
    Kind(
        _NAME,
        policy,
        wants="table",
        answers="amounts",
        on_event=on_event,
        memory=N_MEMORY,
        scratch=N_SCRATCH,
        n_weights=N_WEIGHTS,
        checks_player=_check_player,
        looks_up=True,
        checks=_check_tables,
        player_class=VexbotPlayer,
        explained_by="agents.theses.billings.vexbot.player",
    )
)
