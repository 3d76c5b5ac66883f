"""The betting tree of one street, and the values of its nodes: miximax and miximix.

The player to act folds, calls, or raises by one of five classes, three times at most; the third
raise is all-in. Chips are those that both put in on the street, and values what the Vexbot wins
from the beginning of the street on, in chips too. Nodes have numbers: the root, five raises of it,
five of each of these, an all-in after each of those; and the same again after a check at the root.
"""

from __future__ import annotations

import numpy as np

from agents.players.poki.records import N_SIZES
from agents.players.vexbot.memory import N_POINTS
from agents.players.vexbot.search import IMPOSSIBLE, similarity_weight
from agents.players.vexbot_nolimit.betting_sequences import (
    ALL_IN_SIZE,
    I_BET,
    N_COARSE,
    N_ENDS,
    N_SPOTS,
    NOBODY_BET,
    OTHER_BET,
    SIZES,
    class_of,
    coarse,
    end_of,
    spot_of,
)
from agents.players.vexbot_nolimit.memory import (
    CALLS,
    DEPTHS,
    FIRST_RAISE,
    FOLDS,
    N_ACTIONS,
    N_DEPTHS,
)
from nlhe_env.game.table import RIVER
from nlhe_env.jit.compilation import inlined_kernel, kernel

_SECOND = 1 + N_SIZES
_THIRD = _SECOND + N_SIZES**2
N_PLACES = _THIRD + N_SIZES**2
_PLACES = (2, N_PLACES)

SEARCH = np.dtype(
    [
        # Of the street.
        ("street", np.int32),
        ("pot", np.float32),  # when it began
        ("cap", np.float32),  # chips that both can put in on it
        ("is_first", np.int32),  # whether no player has acted before the root
        ("i_act", np.int32),  # whether the Vexbot is to act at the root
        ("can_raise", np.int32),  # at the root
        ("chances", np.float32, (N_SPOTS, N_ACTIONS)),  # of the opponent
        ("shown", np.float32, (N_ENDS, N_POINTS)),  # chance to win if no bets come after an end
        ("ahead", np.float32, (N_COARSE * N_DEPTHS, N_POINTS)),  # worth of the next street, in pots
        # Of nodes.
        ("exists", np.int32, _PLACES),
        ("bettor", np.int32, _PLACES),
        ("size", np.int32, _PLACES),
        ("has_bet", np.int32, _PLACES),  # the opponent, on the street
        ("mine", np.float32, _PLACES),
        ("others", np.float32, _PLACES),
        ("least", np.float32, _PLACES),  # chips of the least raise
        ("values", np.float32, (*_PLACES, N_POINTS)),
        ("called", np.float32, (N_POINTS,)),  # of one node
        ("options", np.float32, (N_ACTIONS,)),  # of the root
        ("points", np.float32, (N_POINTS,)),
        ("wins", np.float32, (N_POINTS,)),
        ("cells", np.float32, (2 * N_POINTS,)),
        ("board", np.int32, (5,)),
    ]
)
"""Scratch of a search; a caller writes the fields of the street and the root, see ``init_root``."""


@inlined_kernel
def bet_after(place, size):
    """The node after a raise; 0 for none, because so many raises are not searched."""
    if place == 0:
        return 1 + size
    if place < _SECOND:
        return _SECOND + N_SIZES * (place - 1) + size
    if place < _THIRD and size == ALL_IN_SIZE:
        return place + N_SIZES**2
    return 0


@kernel
def init_root(search, mine, others, least, bettor, size, has_bet):
    """Write the root; the fields of the street are there already.

    Args:
        search: A record of dtype ``SEARCH``.
        mine: Chips of the Vexbot on this street.
        others: Chips of the opponent.
        least: Chips of the least raise.
        bettor: The player that bet last.
        size: The class of that bet.
        has_bet: Whether the opponent has bet on this street.
    """
    search.exists[:] = 0
    _write_place(search, 0, 0, mine, others, least, bettor, size, has_bet)
    if search.is_first:
        most = max(mine, others)
        _write_place(search, 1, 0, most, most, least, NOBODY_BET, 0, 0)


@inlined_kernel
def _write_place(search, side, place, mine, others, least, bettor, size, has_bet):
    search.exists[side, place] = 1
    search.mine[side, place] = mine
    search.others[side, place] = others
    search.least[side, place] = least
    search.bettor[side, place] = bettor
    search.size[side, place] = size
    search.has_bet[side, place] = has_bet


@inlined_kernel
def _i_act(search, side, place):
    is_answer = 1 <= place < _SECOND or place >= _THIRD  # to an odd number of raises
    return (search.i_act + side + is_answer) % 2 == 1


@kernel
def search_tree(search, width, n):
    """Compute ``search.values`` of every node that there is.

    Args:
        search: A record of dtype ``SEARCH`` with its root.
        width: Width of miximix, in chips; 0 for miximax.
        n: Strengths, the first so many columns.
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
def _expand(search, side, place):
    """Write the nodes after every raise; one that is nearly all-in becomes all-in."""
    mine, others = search.mine[side, place], search.others[side, place]
    most, cap = max(mine, others), search.cap
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
        _write_place(
            search,
            side,
            child,
            to if i_act else mine,
            others if i_act else to,
            to - most,
            I_BET if i_act else OTHER_BET,
            which,
            has_bet,
        )


@kernel
def _value(search, side, place, width, n):
    mine, others = search.mine[side, place], search.others[side, place]
    called = search.called
    if side + place == 0 and search.is_first:
        for i in range(n):
            called[i] = search.values[1, 0, i]
    else:
        _write_called(search, side, place, n)
    if _i_act(search, side, place):
        _choose(search, side, place, -mine if others > mine else IMPOSSIBLE, width, n)
    else:
        _expect(search, side, place, mine > others, n)


@kernel
def _write_called(search, side, place, n):
    """Write the value of ending the street by a check or call here to ``search.called``."""
    cap, called = search.cap, search.called
    stake = min(max(search.mine[side, place], search.others[side, place]), cap)
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
def _choose(search, side, place, fold, width, n):
    """Value where the Vexbot acts: the best, or a mean of those close to it."""
    values, called = search.values[side, place], search.called
    for i in range(n):
        values[i] = max(np.float32(fold), called[i])
    for size in range(N_SIZES):
        child = bet_after(place, size)
        if child > 0 and search.exists[side, child]:
            rises = search.values[side, child]
            for i in range(n):
                values[i] = max(values[i], rises[i])
    if width <= 0.0:
        return
    for i in range(n):
        best = values[i]
        part = similarity_weight(np.float32(fold), best, width)
        total, whole = part * np.float32(fold), part
        part = similarity_weight(called[i], best, width)
        total, whole = total + part * called[i], whole + part
        for size in range(N_SIZES):
            child = bet_after(place, size)
            if child > 0 and search.exists[side, child]:
                rise = search.values[side, child, i]
                part = similarity_weight(rise, best, width)
                total, whole = total + part * rise, whole + part
        values[i] = total / whole


@kernel
def _expect(search, side, place, owes, n):
    """Value where the opponent acts: the mean by its action probabilities.

    It does not fold for nothing; a raise that is no longer there is all-in, or a call.
    """
    spot = spot_of(
        search.bettor[side, place], search.size[side, place], search.has_bet[side, place], side
    )
    chances, called = search.chances[spot], search.called
    folds = chances[FOLDS] if owes else np.float32(0.0)
    won = folds * (search.pot + search.others[side, place])
    calls = chances[CALLS] + chances[FOLDS] - folds
    all_in = bet_after(place, ALL_IN_SIZE)
    can_raise = all_in > 0 and search.exists[side, all_in]
    if not can_raise:
        calls = np.float32(1.0) - folds
    values = search.values[side, place]
    for i in range(n):
        values[i] = won + calls * called[i]
    if can_raise:
        for size in range(N_SIZES):
            child = bet_after(place, size)
            rises = search.values[side, all_in]
            if child > 0 and search.exists[side, child]:
                rises = search.values[side, child]
            chance = chances[FIRST_RAISE + size]
            for i in range(n):
                values[i] += chance * rises[i]


@kernel
def write_options(search):
    """Write the value of each action at the root, first column, to ``search.options``.

    For roots where the Vexbot acts; ``search.called`` is left from the root. The value of an
    impossible action is ``IMPOSSIBLE``.
    """
    mine, others, options = search.mine[0, 0], search.others[0, 0], search.options
    options[FOLDS] = -mine if others > mine else IMPOSSIBLE
    options[CALLS] = search.called[0]
    for size in range(N_SIZES):
        child = bet_after(0, size)
        worth = search.values[0, child, 0] if search.exists[0, child] else IMPOSSIBLE
        options[FIRST_RAISE + size] = worth
