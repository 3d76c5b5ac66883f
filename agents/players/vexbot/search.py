"""The search: miximax and miximix over the betting of heads-up limit.

Values are small bets that the Vexbot wins in the whole hand (Billings 2006, chapter 4, equations
4.1 to 4.4). Where the opponent decides a value is the mean by the chances of its model, where the
Vexbot decides the best one: miximax. Miximix plays more than one action, here those that come
within a width of the best, each by how close it comes.

A street is searched with the worth of the streets after it at hand. Actions of the opponent and
hands shown depend on the betting alone, so that later streets are worked out once for every line
and twenty-one strengths (``look_ahead``), and serve all hands until enough has been learnt.
"""

from __future__ import annotations

import numpy as np

from agents.players.pseudo_optimal.book import MOST_BETS
from agents.players.vexbot.betting_sequences import (
    CHECKED,
    N_CODES,
    bet_size,
    button_acts,
    can_end,
    first_code,
    has_begun,
    is_code,
    next_beginning,
    owes,
    raises_of,
)
from agents.players.vexbot.learning import mix_coarse, write_chances, write_wins
from agents.players.vexbot.memory import (
    BUTTON,
    CALLS,
    FOLDS,
    N_ACTIONS,
    N_POINTS,
    RAISES,
    raises_in_seat,
)
from nlhe_env.game.table import FLOP, PREFLOP, RIVER, TURN
from nlhe_env.jit.compilation import inlined_kernel, kernel

SEARCH = np.dtype(
    [
        ("chances", np.float32, (N_CODES, N_ACTIONS)),  # of the opponent, where it acts
        ("after", np.float32, (N_CODES, N_POINTS)),  # values after a street that ends so
        ("values", np.float32, (N_CODES, N_POINTS)),  # of nodes on the street
        ("options", np.float32, (N_ACTIONS,)),  # of one node
        ("points", np.float32, (N_POINTS,)),
        ("cells", np.float32, (2 * N_POINTS,)),
        ("board", np.int32, (5,)),
    ]
)
"""Scratch of a search."""

IMPOSSIBLE = np.float32(-1.0e9)
"""Value of an impossible action."""


@inlined_kernel
def similarity_weight(value, best, width):
    """The weight of an action: 1 for the best, 0 from a width below it on."""
    if width > 0.0:
        return max(np.float32(0.0), np.float32(1.0) - (best - value) / width)
    return np.float32(value == best)


@inlined_kernel
def own_value(fold, call, rise, width):
    """Value of a node where the Vexbot decides."""
    best = max(fold, max(call, rise))
    if width <= 0.0:
        return best
    a, b, c = (
        similarity_weight(fold, best, width),
        similarity_weight(call, best, width),
        similarity_weight(rise, best, width),
    )
    return (a * fold + b * call + c * rise) / (a + b + c)


@kernel
def search_street(search, street, seat, stake, blind, width, n):
    """Compute ``search.values`` of every node on a street.

    Args:
        search: A record of dtype ``SEARCH`` with the chances of the opponent, and what follows.
        street: 0 to 3.
        seat: ``BLIND`` or ``BUTTON``, where the Vexbot sits.
        stake: Small bets that each player has put in before the street.
        blind: The small blind in small bets.
        width: Width of miximix, in small bets; 0 for miximax.
        n: Strengths, the first so many columns.
    """
    for back in range(N_CODES):
        code = N_CODES - 1 - back  # a check, a bet or a raise leads to a higher one
        if is_code(street, code):
            _search_code(search, street, code, seat, stake, blind, width, n)


@kernel
def _search_code(search, street, code, seat, stake, blind, width, n):
    lost = fold_cost(street, code, stake, blind)
    calls = search.after[code] if has_begun(street, code) else search.values[code + CHECKED]
    is_capped = code % CHECKED == MOST_BETS
    rises = calls if is_capped else search.values[code + 1]
    values = search.values[code]
    if button_acts(street, code) == (seat == BUTTON):
        fold = np.float32(-lost) if owes(street, code) else IMPOSSIBLE
        for i in range(n):
            rise = IMPOSSIBLE if is_capped else rises[i]
            values[i] = own_value(fold, calls[i], rise, np.float32(width))
    else:
        chances = search.chances[code]
        folded = chances[FOLDS] * np.float32(lost)
        for i in range(n):
            values[i] = folded + chances[CALLS] * calls[i] + chances[RAISES] * rises[i]


@kernel
def fold_cost(street, code, stake, blind):
    """Small bets put in by the player that folds at a node."""
    if street == PREFLOP and not has_begun(street, code):
        return blind
    return stake + bet_size(street) * (code % CHECKED - 1)


@kernel
def write_options(search, street, code, stake, blind):
    """Write the values of folding, calling and raising at a node to ``search.options``.

    The values are of the first column; to fold for nothing, and to raise a capped street, is
    ``IMPOSSIBLE``.
    """
    options = search.options
    options[FOLDS] = IMPOSSIBLE
    if owes(street, code):
        options[FOLDS] = np.float32(-fold_cost(street, code, stake, blind))
    if has_begun(street, code):
        options[CALLS] = search.after[code, 0]
    else:
        options[CALLS] = search.values[code + CHECKED, 0]
    options[RAISES] = IMPOSSIBLE
    if code % CHECKED < MOST_BETS:
        options[RAISES] = search.values[code + 1, 0]


@kernel
def write_opponent(memory, search, street, beginning, seat, own, others, log_mixing):
    """Write the opponent's action probabilities at all nodes of a street to ``search.chances``."""
    for code in range(N_CODES):
        if is_code(street, code) and button_acts(street, code) != (seat == BUTTON):
            chances = search.chances[code]
            write_chances(memory, street, beginning, code, seat, own, others, log_mixing, chances)


@kernel
def write_showdowns(memory, search, beginning, seat, own, others, stake, log_mixing):
    """Write the values of showdowns by the end of the river to ``search.after``."""
    for code in range(1, N_CODES):
        mine = raises_in_seat(RIVER, code, seat)
        theirs = raises_of(RIVER, code) - mine
        line = next_beginning(beginning, code)
        after = search.after[code]
        write_wins(memory, seat, line, own + mine, others + theirs, log_mixing, search.cells, after)
        at_stake = np.float32(stake + bet_size(RIVER) * (code % CHECKED))
        for i in range(N_POINTS):
            after[i] = at_stake * (np.float32(2.0) * after[i] - np.float32(1.0))


@kernel
def look_ahead(memory, prior, search, seat, log_mixing, width):
    """Compute the values of flops, turns and rivers in a seat, after every betting sequence.

    Args:
        memory: A record of dtype ``MEMORY``.
        prior: A record of dtype ``PRIOR``.
        search: A record of dtype ``SEARCH``.
        seat: ``BLIND`` or ``BUTTON``.
        log_mixing: See ``learning.trust``.
        width: See ``search_street``.
    """
    mix_coarse(memory, log_mixing, search.cells)
    for a in range(1, N_CODES):
        if not can_end(PREFLOP, a):
            continue
        for b in range(1, N_CODES):
            for c in range(1, N_CODES):
                _value_street(memory, prior, search, RIVER, a, b, c, seat, log_mixing, width)
            _value_street(memory, prior, search, TURN, a, b, 0, seat, log_mixing, width)
        _value_street(memory, prior, search, FLOP, a, 0, 0, seat, log_mixing, width)


@kernel
def _value_street(memory, prior, search, street, a, b, c, seat, log_mixing, width):
    """Value of a street after the streets before it ended with these codes, 0 for none."""
    beginning, own, others, stake = 0, 0, 0, 0.0
    for before in range(street):
        code = a if before == PREFLOP else (b if before == FLOP else c)
        beginning = next_beginning(beginning, code)
        mine = raises_in_seat(before, code, seat)
        own += mine
        others += raises_of(before, code) - mine
        stake += bet_size(before) * (code % CHECKED)
    write_opponent(memory, search, street, beginning, seat, own, others, log_mixing)
    if street == RIVER:
        write_showdowns(memory, search, beginning, seat, own, others, stake, log_mixing)
        worth = memory.rivers[seat, beginning]
    elif street == TURN:
        _carry_back(prior.to_river, memory.rivers[seat], beginning, search)
        worth = memory.turns[seat, beginning]
    else:
        _carry_back(prior.to_turn, memory.turns[seat], beginning, search)
        worth = memory.flops[seat, beginning]
    search_street(search, street, seat, stake, 0.0, width, N_POINTS)
    values = search.values[first_code(street)]
    for i in range(N_POINTS):
        worth[i] = values[i]


@kernel
def _carry_back(moves, worth, beginning, search):
    """Write the values after a street to ``search.after``: means over the next card, by point."""
    for code in range(1, N_CODES):
        next_worth = worth[next_beginning(beginning, code)]
        after = search.after[code]
        for i in range(N_POINTS):
            total = np.float32(0.0)
            for j in range(N_POINTS):
                total += moves[i, j] * next_worth[j]
            after[i] = total


@kernel
def weigh_ends(worth, beginning, search):
    """Write the values after the street for one hand, by its ``search.points``."""
    for code in range(1, N_CODES):
        next_worth = worth[next_beginning(beginning, code)]
        total = np.float32(0.0)
        for i in range(N_POINTS):
            total += search.points[i] * next_worth[i]
        search.after[code, 0] = total


@kernel
def weigh_showdowns(search):
    """Write the values for one hand on the river, where showdowns are known at all points."""
    for code in range(1, N_CODES):
        total = np.float32(0.0)
        for i in range(N_POINTS):
            total += search.points[i] * search.after[code, i]
        search.after[code, 0] = total
