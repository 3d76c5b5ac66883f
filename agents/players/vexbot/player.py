"""Vexbot: a player that learns how one opponent plays, and searches for what pays most against it.

D. Billings, A. Davidson, T. Schauenberg, N. Burch, M. Bowling, R. Holte, J. Schaeffer, D. Szafron,
"Game-Tree Search with Adaptation in Stochastic Imperfect-Information Games", CG 2004; D. Billings,
"Algorithms and Assessment in Computer Poker", PhD thesis (University of Alberta, 2006), chapter 4.

Its event handler counts the opponent's actions and hands shown. After every betting sequence it
knows how often the opponent folds, calls and raises there, and what it held; where it has seen
little, similar sequences are used. Its own hand is evaluated exactly up to the next card, and by
its strength beyond. It assumes deep stacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.players.pseudo_optimal.book import MOST_BETS
from agents.players.pseudo_optimal.player import code_of_street
from agents.players.vexbot.betting_sequences import (
    AFTER_RIVER,
    beginning_of,
    raises_before,
    stake_before,
)
from agents.players.vexbot.cards import strength_on_river, write_points
from agents.players.vexbot.learning import add_defaults, observe_action, observe_hand
from agents.players.vexbot.memory import (
    BLIND,
    BUTTON,
    CALLS,
    FOLDS,
    MEMORY,
    N_MEMORY,
    PRIOR,
    RAISES,
)
from agents.players.vexbot.search import (
    IMPOSSIBLE,
    SEARCH,
    look_ahead,
    search_street,
    similarity_weight,
    weigh_ends,
    weigh_showdowns,
    write_opponent,
    write_options,
    write_showdowns,
)
from agents.players.vexbot.settings import DECAY, DEFAULTS, LOG_MIXING, N_WEIGHTS, WIDTH, weights_of
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import ACTED, HAND_BEGINS, SESSION_BEGINS, SHOWN
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import check_or_fold
from agents.policy.view import offer
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FLOP, FOLD, NO_PLAYER, PREFLOP, RIVER
from nlhe_env.jit.array_types import F32, U8, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer

N_SCRATCH = SEARCH.itemsize // np.dtype(np.float32).itemsize
SETTINGS = {"decay": 1.0, "mixing": 0.98, "defaults": 2.0, "width": 0.0}
"""The options and their defaults."""
COUNTER_SETTINGS = {**SETTINGS, "mixing": 0.9999, "defaults": 1e6}
"""Options of one whose prior is of the opponent that it is made against: it learns no more."""
SLOW_SETTINGS = {**SETTINGS, "mixing": 0.999, "defaults": 500.0}
"""Options of one that begins the same way, and learns slowly."""
_PATIENCE = np.float32(0.01)
"""Values are worked out anew when a hundredth has been added to the hands that they rest on."""

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
    table = view.table
    if event.what == SESSION_BEGINS:
        add_defaults(memory, book, weights[DEFAULTS])
    elif event.what == HAND_BEGINS:
        seat = BUTTON if table.button == view.seat else BLIND
        if memory.hands >= memory.next_look[seat]:
            look_ahead(memory, book, search, seat, weights[LOG_MIXING], weights[WIDTH])
            memory.next_look[seat] = memory.hands * (1 + _PATIENCE)
        memory.hands += np.float32(1.0)
        memory.code = np.float32(code_of_street(table, table.street, MOST_BETS))
    elif event.what == ACTED:
        if event.seat != view.seat:
            _learn_action(weights, memory, view, event)
        if table.actor != NO_PLAYER:
            memory.code = np.float32(code_of_street(table, table.street, MOST_BETS))
    elif event.what == SHOWN and event.seat != view.seat:
        _learn_hand(weights, memory, view, event.seat)


@kernel
def _learn_action(weights, memory, view, event):
    table, street = view.table, event.street
    on_button = table.button == view.seat
    action = RAISES
    if event.action == FOLD:
        action = FOLDS
    elif event.action == CHECK_OR_CALL:
        action = CALLS
    observe_action(
        memory,
        street,
        beginning_of(table, street),
        np.int64(memory.code),
        BUTTON if on_button else BLIND,
        raises_before(table, street, on_button),
        raises_before(table, street, not on_button),
        action,
        weights[DECAY],
    )


@kernel
def _learn_hand(weights, memory, view, seat):
    table = view.table
    on_button = table.button == view.seat
    observe_hand(
        memory,
        BUTTON if on_button else BLIND,
        beginning_of(table, AFTER_RIVER),
        raises_before(table, AFTER_RIVER, on_button),
        raises_before(table, AFTER_RIVER, not on_button),
        strength_on_river(table, seat, view.strength_tables),
        weights[DECAY],
    )


# --- deciding ------------------------------------------------------------------------------------


@kernel
def vexbot_policy(parameters, memory, view):
    """Offer the best action, or also those close to it."""
    search = view.scratch[:N_SCRATCH].view(SEARCH)[0]
    write_worth(parameters, memory, view)
    _offer_best(parameters.weights[WIDTH], search, view)


@kernel
def write_worth(parameters, memory, view):
    """Write the values of folding, calling and raising to the options of the scratch."""
    _search(
        parameters.weights,
        memory[:N_MEMORY].view(MEMORY)[0],
        _prior_at(parameters.traits.book),
        view.scratch[:N_SCRATCH].view(SEARCH)[0],
        view,
    )


@kernel
def _search(weights, memory, book, search, view):
    table = view.table
    street, on_button = table.street, table.button == table.actor
    seat = BUTTON if on_button else BLIND
    beginning = beginning_of(table, street)
    own = raises_before(table, street, on_button)
    others = raises_before(table, street, not on_button)
    stake = stake_before(table, street)
    blind = table.small_blind / table.big_blind
    log_mixing = weights[LOG_MIXING]
    write_opponent(memory, search, street, beginning, seat, own, others, log_mixing)
    write_points(table, table.actor, book, view.strength_tables, search)
    if street == PREFLOP:
        weigh_ends(memory.flops[seat], beginning, search)
    elif street == FLOP:
        weigh_ends(memory.turns[seat], beginning, search)
    elif street < RIVER:
        weigh_ends(memory.rivers[seat], beginning, search)
    else:
        write_showdowns(memory, search, beginning, seat, own, others, stake, log_mixing)
        weigh_showdowns(search)
    search_street(search, street, seat, stake, blind, weights[WIDTH], 1)
    write_options(search, street, code_of_street(table, street, MOST_BETS), stake, blind)


@kernel
def _offer_best(width, search, view):
    fold, call, rise = search.options[FOLDS], search.options[CALLS], search.options[RAISES]
    best = max(fold, max(call, rise))
    most = view.choices.most
    offer(view, check_or_fold(view.table), similarity_weight(fold, best, width))
    offer(view, np.int64(CHECK_OR_CALL), similarity_weight(call, best, width))
    offer(view, most if most > 0 else np.int64(CHECK_OR_CALL), similarity_weight(rise, best, width))


def _check_table(tables: Records) -> None:
    """Check that such players can play the game.

    Raises:
        ValueError: It is another one.
    """
    if tables[0]["seats"] != 2 or tables[0]["betting"] != FIXED_LIMIT:
        raise ValueError(
            "Vexbot plays heads-up fixed-limit only: seat two players in a game with "
            'betting="fixed-limit"'
        )


class VexbotPlayer(CompiledPlayer):
    """A player that adapts to its opponent.

    Args:
        book: Its prior: hold'em, and the statistics of a new opponent.
        decay: Share of the counts of a context that is left whenever something is added there,
            0..1; 1 forgets nothing, with 0.95 the last twenty make up 64 %.
        mixing: With n observations a level of abstraction gets 1 - mixing^n of what finer levels
            leave, 0.01..0.9999: the higher, the more it trusts similar sequences.
        defaults: Observations that the default data of each context count for; 0 for none.
        width: Small bets below the best action from which on an action is not played; those
            between are played the more, the closer they come (miximix). With 0 it plays the best
            one (miximax).
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
        name: str = "Vexbot",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        weights = weights_of(decay, mixing, defaults, width)
        super().__init__(name, VEXBOT, weights, book=book, origin=origin)


def _check_player(player: CompiledPlayer) -> None:
    if player.book is None or len(player.book) != PRIOR.itemsize:
        raise ValueError(
            f"book must be {PRIOR.itemsize} bytes; got "
            + ("none" if player.book is None else str(len(player.book)))
        )


def _restore(weights: F32, book: U8, name: str, origin: Any, **_: Any) -> VexbotPlayer:
    player = VexbotPlayer(book, name=name, origin=origin)
    player.weights = weights
    return player


def expected_values(scratch: F32) -> F32:
    """``(3,)`` values of folding, calling and raising in the last decision, in small bets.

    What could not be done is nan.

    Args:
        scratch: Scratch of the work arrays in which a Vexbot decided last.
    """
    values: F32 = scratch[:N_SCRATCH].view(SEARCH)[0]["options"].copy()
    values[values == IMPOSSIBLE] = np.nan
    return values


VEXBOT = register_kind(
    Kind(
        "vexbot",
        vexbot_policy,
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
        explained_by="agents.players.vexbot.explain",
    )
)
