"""Vexbot of no-limit: learns how one opponent plays, and searches for what pays most against it.

Billings, "Algorithms and Assessment in Computer Poker" (PhD thesis, University of Alberta, 2006),
chapter 4, builds Vexbot for fixed-limit. This is its search where bets have any size: it branches
on classes of sizes, and goes by groups of lines instead of exact ones. It evaluates its own hand as
the other Vexbot does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.players.poki.records import N_SIZES
from agents.players.vexbot.cards import strength_on_river, write_points
from agents.players.vexbot.learning import add_defaults
from agents.players.vexbot.memory import BLIND, BUTTON
from agents.players.vexbot.search import IMPOSSIBLE, similarity_weight
from agents.players.vexbot.settings import DECAY, DEFAULTS, LOG_MIXING, N_WEIGHTS, WIDTH, weights_of
from agents.players.vexbot_nolimit.betting_sequences import (
    ALL_IN_SIZE,
    I_BET,
    NOBODY_BET,
    OTHER_BET,
    SIZES,
    class_of,
    coarse,
    end_of,
    next_history_class,
    spot_of,
)
from agents.players.vexbot_nolimit.learning import observe_action, observe_hand
from agents.players.vexbot_nolimit.memory import (
    CALLS,
    FIRST_RAISE,
    FOLDS,
    MEMORY,
    N_ACTIONS,
    N_MEMORY,
    PRIOR,
)
from agents.players.vexbot_nolimit.planning import look_ahead, weigh_hand, write_opponent
from agents.players.vexbot_nolimit.tree import SEARCH, init_root, search_tree, write_options
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import ACTED, HAND_BEGINS, SESSION_BEGINS, SHOWN
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import check_or_fold, raise_by
from agents.policy.view import offer
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, NO_LIMIT, NO_PLAYER
from nlhe_env.jit.array_types import F32, U8, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer

N_SCRATCH = SEARCH.itemsize // np.dtype(np.float32).itemsize
SETTINGS = {"decay": 1.0, "mixing": 0.98, "defaults": 5.0, "width": 0.0}
"""The options and their defaults."""
_PATIENCE = np.float32(0.03)
"""Streets are worked out anew when this share has been added to the hands that they rest on."""

_prior_at = record_pointer(PRIOR)

# --- event handler -------------------------------------------------------------------------------


@kernel
def on_event(parameters, memory, view, event):
    """Event handler: update the statistics of the opponent."""
    _on_event(
        parameters.weights,
        memory[:N_MEMORY].view(MEMORY)[0],
        _prior_at(parameters.traits.book),
        view.scratch[:N_SCRATCH].view(SEARCH)[0],
        view,
        event,
    )


@kernel
def _on_event(weights, memory, book, search, view, event):
    if event.what == SESSION_BEGINS:
        add_defaults(memory, book, weights[DEFAULTS])
    elif event.what == HAND_BEGINS:
        seat = _seat(view.table, view.seat)
        if memory.hands >= memory.next_look[seat]:
            look_ahead(memory, book, search, seat, weights[LOG_MIXING], weights[WIDTH])
            memory.next_look[seat] = memory.hands * (1 + _PATIENCE)
        memory.hands += np.float32(1.0)
        memory.history_class = 0
        _begin_street(memory)
    elif event.what == ACTED:
        _learn_action(weights, memory, view, event)
    elif event.what == SHOWN and event.seat != view.seat:
        table = view.table
        observe_hand(
            memory,
            _seat(table, view.seat),
            table.street,
            np.int64(memory.history_class),
            _end(memory),
            strength_on_river(table, event.seat, view.strength_tables),
            weights[DECAY],
        )


@kernel
def _seat(table, own):
    return BUTTON if table.button == own else BLIND


@kernel
def _begin_street(memory):
    memory.bettor = NOBODY_BET
    memory.size = 0
    memory.has_bet = 0
    memory.acts = 0


@kernel
def _end(memory):
    """End of the street if no more is bet on it."""
    return end_of(np.int64(memory.bettor), np.int64(memory.size))


@kernel
def _learn_action(weights, memory, view, event):
    table, is_own = view.table, event.seat == view.seat
    bettor, size = np.int64(memory.bettor), np.int64(memory.size)
    action = FOLDS if event.action == FOLD else CALLS
    if event.action != FOLD and event.action != CHECK_OR_CALL:
        seat, other = event.seat, 1 - event.seat
        more = table.street_bet[seat] - table.street_bet[other]
        is_all_in = table.stack[seat] == 0 or more >= table.stack[other]
        pots = (event.chips - event.to_call) / max(event.pot + event.to_call, 1)
        memory.bettor = I_BET if is_own else OTHER_BET
        memory.size = class_of(pots, is_all_in)
        action = FIRST_RAISE + np.int64(memory.size)
    if not is_own:
        spot = spot_of(bettor, size, np.int64(memory.has_bet), memory.acts > 0)
        seat, history_class = _seat(table, view.seat), np.int64(memory.history_class)
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
def vexbot_nolimit_policy(parameters, memory, view):
    """Offer the best action, or also those close to it."""
    search = view.scratch[:N_SCRATCH].view(SEARCH)[0]
    _search(
        parameters.weights,
        memory[:N_MEMORY].view(MEMORY)[0],
        _prior_at(parameters.traits.book),
        search,
        view,
    )
    _offer_best(parameters.weights[WIDTH] * view.table.pot / view.table.big_blind, search, view)


@kernel
def _search(weights, memory, book, search, view):
    """Write the value of every action in the whole hand, in big blinds, to ``search.options``."""
    table, me = view.table, view.table.actor
    street, seat, history_class = table.street, _seat(table, me), np.int64(memory.history_class)
    mine, others = table.street_bet[me], table.street_bet[1 - me]
    write_opponent(memory, search, seat, street, history_class, weights[LOG_MIXING])
    write_points(table, me, book, view.strength_tables, search)
    weigh_hand(memory, book, search, seat, street, history_class, weights[LOG_MIXING])
    search.pot = table.pot - mine - others
    search.cap = min(mine + table.stack[me], others + table.stack[1 - me])
    search.is_first = np.int32(memory.acts == 0)
    search.can_raise = np.int32(view.choices.most > 0)
    search.i_act = 1
    bettor, size = np.int64(memory.bettor), np.int64(memory.size)
    init_root(search, mine, others, table.full_raise, bettor, size, np.int64(memory.has_bet))
    search_tree(search, weights[WIDTH] * table.pot, 1)
    write_options(search)
    before = np.float32(table.hand_bet[me] - mine)
    for i in range(N_ACTIONS):
        if search.options[i] != IMPOSSIBLE:
            search.options[i] = (search.options[i] - before) / np.float32(table.big_blind)


@kernel
def _offer_best(width, search, view):
    table, choices, options = view.table, view.choices, search.options
    best = options[0]
    for i in range(1, N_ACTIONS):
        best = max(best, options[i])
    width = np.float32(width)
    offer(view, check_or_fold(table), similarity_weight(options[FOLDS], best, width))
    offer(view, np.int64(CHECK_OR_CALL), similarity_weight(options[CALLS], best, width))
    for size in range(N_SIZES):
        chance = similarity_weight(options[FIRST_RAISE + size], best, width)
        amount = choices.most
        if size < ALL_IN_SIZE:
            amount = raise_by(table, SIZES[size], choices.least, choices.most)
        offer(view, amount, chance)


def _check_table(tables: Records) -> None:
    """Check that such players can play the game.

    Raises:
        ValueError: It is another one.
    """
    if tables[0]["seats"] != 2 or tables[0]["betting"] != NO_LIMIT:
        raise ValueError(
            "this Vexbot plays heads-up no-limit only: seat two players in a game with "
            'betting="no-limit", or take "vexbot" for fixed-limit'
        )


class NoLimitVexbotPlayer(CompiledPlayer):
    """A player of heads-up no-limit that adapts to its opponent.

    Args:
        book: Its prior: hold'em, and the statistics of a new opponent.
        decay: Share of the counts of a context that is left whenever something is added there,
            0..1; 1 forgets nothing, with 0.95 the last twenty make up 64 %.
        mixing: With n observations a level of abstraction gets 1 - mixing^n of what finer levels
            leave, 0.01..0.9999: the higher, the more it trusts similar sequences.
        defaults: Observations that the default data of each context count for; 0 for none.
        width: Pots below the best action from which on an action is not played; those between are
            played the more, the closer they come (miximix). With 0 it plays the best one (miximax).
        name: For tables and plots.
        origin: Where it comes from.

    Raises:
        ValueError: A number is outside its range.
    """

    book: U8

    def __init__(
        self,
        book: U8,
        decay: float = SETTINGS["decay"],
        mixing: float = SETTINGS["mixing"],
        defaults: float = SETTINGS["defaults"],
        width: float = SETTINGS["width"],
        name: str = "VexbotNoLimit",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        weights = weights_of(decay, mixing, defaults, width)
        super().__init__(name, VEXBOT_NOLIMIT, weights, book=book, origin=origin)


def _check_player(player: CompiledPlayer) -> None:
    if player.book is None or len(player.book) != PRIOR.itemsize:
        raise ValueError(
            f"book must be {PRIOR.itemsize} bytes; got "
            + ("none" if player.book is None else str(len(player.book)))
        )


def _restore(weights: F32, book: U8, name: str, origin: Any, **_: Any) -> NoLimitVexbotPlayer:
    player = NoLimitVexbotPlayer(book, name=name, origin=origin)
    player.weights = weights
    return player


def expected_values(scratch: F32) -> F32:
    """``(3,)`` values of folding, calling and the best raise in the last decision, in big blinds.

    What could not be done is nan.

    Args:
        scratch: Scratch of the work arrays in which such a player decided last.
    """
    options = scratch[:N_SCRATCH].view(SEARCH)[0]["options"]
    values: F32 = np.array([*options[:FIRST_RAISE], options[FIRST_RAISE:].max()], np.float32)
    values[values == IMPOSSIBLE] = np.nan
    return values


VEXBOT_NOLIMIT = register_kind(
    Kind(
        "vexbot-nolimit",
        vexbot_nolimit_policy,
        wants="table",
        answers="amounts",
        on_event=on_event,
        memory=N_MEMORY,
        scratch=N_SCRATCH,
        n_weights=N_WEIGHTS,
        checks_player=_check_player,
        looks_up=True,
        checks=_check_table,
        restore=_restore,
        explained_by="agents.players.vexbot_nolimit.explain",
    )
)
