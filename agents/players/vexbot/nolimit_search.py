"""Search in no-limit: the betting tree of one street, and the values of later streets.

The player to act folds, calls, or raises by one of five size classes, at most three times; the
third raise is all-in. Chips count from the start of the street, and values are the Vexbot's
winnings in chips from then on. Nodes are numbered: the root, its five raises, five re-raises of
each, an all-in after each of those; and the same again after a check at the root.

In the model, the opponent's actions and shown hands depend on the betting alone. Later streets are
therefore evaluated once for every history class, ten stack depths and twenty-one strengths
(``look_ahead``) and reused for all hands until the model has changed enough. A street is searched
with known values of the next one.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from agents.players.poki.records import N_SIZES
from agents.players.vexbot.miximax import IMPOSSIBLE, NO_NODE, carry, choose, expect, weigh
from agents.players.vexbot.nolimit_model import write_chances, write_wins
from agents.players.vexbot.nolimit_records import (
    DEPTHS,
    N_ACTIONS,
    N_DEPTHS,
    MemoryRecord,
    PriorRecord,
    value_key,
)
from agents.players.vexbot.nolimit_sequences import (
    ALL_IN_SIZE,
    N_COARSE,
    N_ENDS,
    N_HISTORY_CLASSES,
    N_SPOTS,
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
from agents.players.vexbot.records import BLIND, CALLS, FIRST_RAISE, FOLDS, N_POINTS, n_numbers
from nlhe_env.game.table import FLOP, PREFLOP, RIVER, TURN
from nlhe_env.jit.array_types import Float, Int, Record, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel

# --- one street ----------------------------------------------------------------------------------

_SECOND = 1 + N_SIZES
_THIRD = _SECOND + N_SIZES**2
N_PLACES = _THIRD + N_SIZES**2
_PLACES = (2, N_PLACES)

SEARCH = np.dtype(
    [
        # Street.
        ("street", np.int32),
        ("pot", np.float32),  # at the start of the street
        ("cap", np.float32),  # effective stack in chips at the start of the street
        ("is_first", np.int32),  # whether no player has acted before the root
        ("i_act", np.int32),  # whether the Vexbot is to act at the root
        ("can_raise", np.int32),  # at the root
        ("chances", np.float32, (N_SPOTS, N_ACTIONS)),  # action probabilities of the opponent
        ("shown", np.float32, (N_ENDS, N_POINTS)),  # win probabilities without further bets
        ("ahead", np.float32, (N_COARSE * N_DEPTHS, N_POINTS)),  # next street's values, in pots
        # Nodes.
        ("exists", np.int32, _PLACES),
        ("bettor", np.int32, _PLACES),
        ("size", np.int32, _PLACES),
        ("has_bet", np.int32, _PLACES),  # whether the opponent has bet on the street
        ("own_bet", np.float32, _PLACES),
        ("opponent_bet", np.float32, _PLACES),
        ("children", np.int32, (*_PLACES, N_SIZES)),  # node after each raise, or NO_NODE
        ("least", np.float32, _PLACES),  # minimum raise in chips
        ("values", np.float32, (*_PLACES, N_POINTS)),
        ("called", np.float32, (N_POINTS,)),  # of a single node
        ("mixture", np.float32, (2, N_POINTS)),  # of a single node
        ("options", np.float32, (N_ACTIONS,)),  # of the root
        ("points", np.float32, (N_POINTS,)),
        ("wins", np.float32, (N_POINTS,)),
        ("cells", np.float32, (2 * N_POINTS,)),
        ("board", np.int32, (5,)),
    ]
)
"""Search record; callers write the fields of the street and then the root, see ``init_root``."""
SearchRecord: TypeAlias = Record
"""A record of dtype ``SEARCH``."""
N_SCRATCH = n_numbers(SEARCH)


class Betting(NamedTuple):
    """The betting at a node."""

    own_bet: Int | Float
    """Chips put in by the Vexbot on this street."""
    opponent_bet: Int | Float
    """Chips put in by the opponent on this street."""
    least: Int | Float
    """Minimum raise in chips."""
    bettor: Int
    """Last bettor."""
    size: Int
    """Size class of the last bet."""
    has_bet: Int
    """Whether the opponent has bet on this street."""


@inlined_kernel
def bet_after(place: Int, size: Int) -> Int:
    """Node after a raise; 0 if further raises are not searched."""
    if place == 0:
        return 1 + size
    if place < _SECOND:
        return _SECOND + N_SIZES * (place - 1) + size
    if place < _THIRD and size == ALL_IN_SIZE:
        return place + N_SIZES**2
    return 0


@kernel
def init_root(search: SearchRecord, betting: Betting) -> None:
    """Write the root; the fields of the street must be set.

    Args:
        search: A record of dtype ``SEARCH``.
        betting: The betting at the root.
    """
    search.exists[:] = 0
    _write_place(search, 0, 0, betting)
    if search.is_first:
        most = max(betting.own_bet, betting.opponent_bet)
        _write_place(search, 1, 0, Betting(most, most, betting.least, NO_BET, 0, 0))


@inlined_kernel
def _write_place(search: SearchRecord, side: Int, place: Int, betting: Betting) -> None:
    search.exists[side, place] = 1
    for size in range(N_SIZES):
        search.children[side, place, size] = NO_NODE
    search.own_bet[side, place] = betting.own_bet
    search.opponent_bet[side, place] = betting.opponent_bet
    search.least[side, place] = betting.least
    search.bettor[side, place] = betting.bettor
    search.size[side, place] = betting.size
    search.has_bet[side, place] = betting.has_bet


@inlined_kernel
def _i_act(search: SearchRecord, side: Int, place: Int) -> Truth:
    is_answer = 1 <= place < _SECOND or place >= _THIRD  # after an odd number of raises
    return (search.i_act + side + is_answer) % 2 == 1


@kernel
def search_tree(search: SearchRecord, width: Float, n: Int) -> None:
    """Compute ``search.values`` of every existing node.

    Args:
        search: A record of dtype ``SEARCH`` with its root.
        width: Width of miximix, in chips; 0 for miximax.
        n: Number of strengths, in the first columns.
    """
    for side in range(1 + search.is_first):
        for place in range(_THIRD):
            if search.exists[side, place]:
                _expand(search, side, place)
    for back in range(1 + search.is_first):
        side = search.is_first - back
        for backward in range(N_PLACES):
            place = N_PLACES - 1 - backward
            if search.exists[side, place]:
                _value(search, side, place, np.float32(width), n)


@kernel
def _expand(search: SearchRecord, side: Int, place: Int) -> None:
    """Write the node after every raise; a nearly all-in raise becomes all-in."""
    own_bet, opponent_bet = search.own_bet[side, place], search.opponent_bet[side, place]
    most, cap = max(own_bet, opponent_bet), search.cap
    if most >= cap or (side + place == 0 and not search.can_raise):
        return
    i_act = _i_act(search, side, place)
    pot = search.pot + np.float32(2.0) * most
    has_bet = 1 if search.has_bet[side, place] or not i_act else 0
    for size in range(N_SIZES):
        child = bet_after(place, size)
        if child == 0:
            continue
        to = cap
        if size < ALL_IN_SIZE:
            to = most + max(np.float32(SIZES[size]) * pot, search.least[side, place])
            if to >= np.float32(0.95) * cap:
                continue
        which = class_of((to - most) / pot, size == ALL_IN_SIZE)
        raised = Betting(
            to if i_act else own_bet,
            opponent_bet if i_act else to,
            to - most,
            OWN_BET if i_act else OPPONENT_BET,
            which,
            has_bet,
        )
        _write_place(search, side, child, raised)
        search.children[side, place, size] = child


@kernel
def _value(search: SearchRecord, side: Int, place: Int, width: Float, n: Int) -> None:
    own_bet, opponent_bet = search.own_bet[side, place], search.opponent_bet[side, place]
    called, children = search.called, search.children[side, place]
    if side + place == 0 and search.is_first:
        for i in range(n):
            called[i] = search.values[1, 0, i]
    else:
        _write_called(search, side, place, n)
    nodes = search.values[side]
    if _i_act(search, side, place):
        fold = -own_bet if opponent_bet > own_bet else IMPOSSIBLE
        choose(np.float32(fold), called, nodes, children, width, search.mixture, n, nodes[place])
    else:
        _expect(search, side, place, own_bet > opponent_bet, n)


@kernel
def _write_called(search: SearchRecord, side: Int, place: Int, n: Int) -> None:
    """Write the value of ending the street here by a check or call to ``search.called``."""
    cap, called = search.cap, search.called
    stake = min(max(search.own_bet[side, place], search.opponent_bet[side, place]), cap)
    pot = search.pot + np.float32(2.0) * stake
    end = end_of(search.bettor[side, place], search.size[side, place])
    if stake >= cap or search.street == RIVER:
        for i in range(n):
            called[i] = pot * search.shown[end, i] - stake
        return
    depth = (cap - stake) / pot
    below = 0
    while below < N_DEPTHS - 2 and DEPTHS[below + 1] <= depth:
        below += 1
    part = np.float32((depth - DEPTHS[below]) / (DEPTHS[below + 1] - DEPTHS[below]))
    part = min(max(part, np.float32(0.0)), np.float32(1.0))
    first = coarse(end) * N_DEPTHS + below
    low, high = search.ahead[first], search.ahead[first + 1]
    for i in range(n):
        called[i] = pot * (low[i] + part * (high[i] - low[i])) - stake


@kernel
def _expect(search: SearchRecord, side: Int, place: Int, owes: Truth, n: Int) -> None:
    """Write the values of an opponent node: the means under its action probabilities.

    Folds count as checks when checking is free; a raise without a node counts as all-in, or as a
    call.
    """
    spot = spot_of(
        search.bettor[side, place], search.size[side, place], search.has_bet[side, place], side
    )
    chances, children = search.chances[spot], search.children[side, place]
    nodes = search.values[side]
    folds = chances[FOLDS] if owes else np.float32(0.0)
    won = folds * (search.pot + search.opponent_bet[side, place])
    calls = chances[CALLS] + chances[FOLDS] - folds
    if children[ALL_IN_SIZE] == NO_NODE:
        calls = np.float32(1.0) - folds
    raises = chances[FIRST_RAISE:]
    expect(won, calls, search.called, raises, nodes, children, n, nodes[place])


@kernel
def write_options(search: SearchRecord) -> None:
    """Write the value of each action at the root, first column, to ``search.options``.

    The Vexbot must be to act at the root, and ``search.called`` must still hold the root's values.
    The value of an impossible action is ``IMPOSSIBLE``.
    """
    own_bet, opponent_bet, options = search.own_bet[0, 0], search.opponent_bet[0, 0], search.options
    options[FOLDS] = -own_bet if opponent_bet > own_bet else IMPOSSIBLE
    options[CALLS] = search.called[0]
    for size in range(N_SIZES):
        child = search.children[0, 0, size]
        options[FIRST_RAISE + size] = IMPOSSIBLE
        if child != NO_NODE:
            options[FIRST_RAISE + size] = search.values[0, child, 0]


# --- streets to come -----------------------------------------------------------------------------


@kernel
def look_ahead(
    memory: MemoryRecord,
    prior: PriorRecord,
    search: SearchRecord,
    seat: Int,
    log_mixing: Float,
    width: Float,
) -> None:
    """Compute a seat's values of flops, turns and rivers.

    Args:
        memory: A record of dtype ``MEMORY``.
        prior: A record of dtype ``PRIOR``.
        search: A record of dtype ``SEARCH``.
        seat: ``BLIND`` or ``BUTTON``.
        log_mixing: See ``opponent_model.trust``.
        width: Width of miximix, in pots.
    """
    for back in range(RIVER):
        street = RIVER - back
        for history_class in range(N_HISTORY_CLASSES):
            if street == FLOP and history_class % 4 > 0:
                continue  # the flop has only one earlier street
            write_opponent(memory, search, seat, street, history_class, log_mixing)
            _write_shown(memory, prior, search, seat, street, history_class, log_mixing)
            if street < RIVER:
                _write_ahead(memory, prior, search, seat, street, history_class)
            for depth in range(N_DEPTHS):
                search.pot = np.float32(1.0)
                search.cap = np.float32(DEPTHS[depth])
                search.is_first = search.can_raise = 1
                search.i_act = np.int32(seat == BLIND)  # the big blind acts first after the flop
                init_root(search, Betting(0.0, 0.0, 0.0, NO_BET, 0, 0))
                search_tree(search, width, N_POINTS)
                street_values = memory.street_values[value_key(seat, street, history_class, depth)]
                for i in range(N_POINTS):
                    street_values[i] = search.values[0, 0, i]


@kernel
def write_opponent(
    memory: MemoryRecord,
    search: SearchRecord,
    seat: Int,
    street: Int,
    history_class: Int,
    log_mixing: Float,
) -> None:
    """Write the opponent's action probabilities on a street to ``search.chances``."""
    search.street = street
    plain = search.cells[:N_ACTIONS]
    write_chances(memory, seat, street, history_class, log_mixing, plain, search.chances)


@kernel
def _write_shown(
    memory: MemoryRecord,
    prior: PriorRecord,
    search: SearchRecord,
    seat: Int,
    street: Int,
    history_class: Int,
    log_mixing: Float,
) -> None:
    """Write win probabilities by strength after every end without more bets to ``search.shown``."""
    cells = search.cells
    for end in range(N_ENDS):
        write_wins(memory, seat, street, history_class, end, log_mixing, cells, search.shown[end])
        if street < RIVER:
            for i in range(N_POINTS):
                search.wins[i] = search.shown[end, i]
            moves = prior.flop_to_river if street == FLOP else prior.to_river
            carry(moves, search.wins, search.shown[end])


@kernel
def _write_ahead(
    memory: MemoryRecord,
    prior: PriorRecord,
    search: SearchRecord,
    seat: Int,
    street: Int,
    history_class: Int,
) -> None:
    """Write the next street's values, by current strength and in pots, to ``search.ahead``."""
    moves = prior.to_turn if street == FLOP else prior.to_river
    for end in range(N_COARSE):
        after = next_history_class(history_class, end)
        for depth in range(N_DEPTHS):
            later = memory.street_values[value_key(seat, street + 1, after, depth)]
            carry(moves, later, search.ahead[end * N_DEPTHS + depth])


@kernel
def weigh_hand(
    memory: MemoryRecord,
    prior: PriorRecord,
    search: SearchRecord,
    seat: Int,
    street: Int,
    history_class: Int,
    log_mixing: Float,
) -> None:
    """Write the first column of ``shown`` and ``ahead`` for one hand, by its ``search.points``."""
    points, far = search.points, search.called
    for j in range(N_POINTS):
        far[j] = points[j]
    if street < TURN:
        moves = prior.flop_to_river if street == PREFLOP else prior.to_river
        for j in range(N_POINTS):
            far[j] = np.float32(0.0)
            for i in range(N_POINTS):
                far[j] += points[i] * moves[i, j]
    for end in range(N_ENDS):
        write_wins(memory, seat, street, history_class, end, log_mixing, search.cells, search.wins)
        search.shown[end, 0] = weigh(far, search.wins)
    if street < RIVER:
        for end in range(N_COARSE):
            after = next_history_class(history_class, end)
            for depth in range(N_DEPTHS):
                later = memory.street_values[value_key(seat, street + 1, after, depth)]
                search.ahead[end * N_DEPTHS + depth, 0] = weigh(points, later)
