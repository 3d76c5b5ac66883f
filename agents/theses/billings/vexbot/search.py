"""Search over the betting of a hand, one street at a time, by miximax and miximix.

Values are the Vexbot's winnings over the whole hand in small bets. A street is searched with known
values of the later streets. In the model, the opponent's actions and shown hands depend on the
betting alone, so that later streets are evaluated once for every line and twenty-one strengths
(``look_ahead``) and reused for all hands until the model has changed enough.

In miximax, the value of an opponent node is the mean under the opponent model, that of a Vexbot
node the maximum. Miximix mixes actions, here those within a width of the best, weighted by how
close they come (Billings 2006, 4.4, equations 4.1 to 4.4). Values are ``(nodes, N_POINTS)``: a row
per node and a column per strength point, or only the first column for a known hand. ``child`` is
the row after a raise at a node.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from agents.theses.billings.pseudo_optimal.book import MOST_BETS
from agents.theses.billings.vexbot.betting_sequences import (
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
from agents.theses.billings.vexbot.opponent_model import (
    DecisionPoint,
    mix_coarse,
    write_chances,
    write_wins,
)
from agents.theses.billings.vexbot.records import (
    BUTTON,
    CALLS,
    FOLDS,
    N_ACTIONS,
    N_POINTS,
    RAISES,
    MemoryRecord,
    PriorRecord,
    n_numbers,
    raises_in_seat,
)
from nlhe_env.game.table import FLOP, PREFLOP, RIVER, TURN
from nlhe_env.jit.array_types import F32, Float, Int, Record
from nlhe_env.jit.compilation import inlined_kernel, kernel

IMPOSSIBLE = np.float32(-1.0e9)
"""Value of an impossible action."""
_NO_NODE = -1
"""Child of an impossible raise."""
SEARCH = np.dtype(
    [
        ("chances", np.float32, (N_CODES, N_ACTIONS)),  # of the opponent at its nodes
        ("after", np.float32, (N_CODES, N_POINTS)),  # values after the street, by its final code
        ("values", np.float32, (N_CODES, N_POINTS)),  # of nodes on the street
        ("mixture", np.float32, (2, N_POINTS)),  # of a single node
        ("options", np.float32, (N_ACTIONS,)),  # of a single node
        ("points", np.float32, (N_POINTS,)),
        ("cells", np.float32, (2 * N_POINTS,)),
        ("board", np.int32, (5,)),
    ]
)
"""Search record, in the scratch."""
SearchRecord: TypeAlias = Record
"""A record of dtype ``SEARCH``."""
N_SCRATCH = n_numbers(SEARCH)


@inlined_kernel
def similarity_weight(value: Float, best: Float, width: Float) -> Float:
    """Weight of an action: 1 for the best, falling to 0 at ``width`` below it."""
    if width > 0.0:
        return max(np.float32(0.0), np.float32(1.0) - (best - value) / width)
    return np.float32(value == best)


@inlined_kernel
def choose(
    fold: Float,
    called: F32,
    nodes: F32,
    child: Int,
    width: Float,
    mixture: F32,
    n: Int,
    values: F32,
) -> None:
    """Write the values of a Vexbot node.

    Args:
        fold: Value of folding, or ``IMPOSSIBLE``.
        called: ``(N_POINTS,)`` values of checking or calling.
        nodes: ``(nodes, N_POINTS)`` values of nodes.
        child: Node after a raise, or ``_NO_NODE``.
        width: Width of miximix; 0 for miximax.
        mixture: ``(2, N_POINTS)`` scratch for weights and weighted values.
        n: Number of strengths, in the first columns.
        values: ``(N_POINTS,)``, written.
    """
    for i in range(n):
        values[i] = max(fold, called[i])
    if child != _NO_NODE:
        for i in range(n):
            values[i] = max(values[i], nodes[child, i])
    if width <= 0.0:
        return
    # The inner loops run over strengths, so that the compiler vectorises them.
    weights, totals = mixture[0], mixture[1]
    for i in range(n):
        part_fold = similarity_weight(fold, values[i], width)
        part_call = similarity_weight(called[i], values[i], width)
        weights[i] = part_fold + part_call
        totals[i] = part_fold * fold + part_call * called[i]
    if child != _NO_NODE:
        for i in range(n):
            part = similarity_weight(nodes[child, i], values[i], width)
            weights[i] += part
            totals[i] += part * nodes[child, i]
    for i in range(n):
        values[i] = totals[i] / weights[i]


@inlined_kernel
def expect(
    won: Float,
    chances: F32,
    called: F32,
    nodes: F32,
    child: Int,
    n: Int,
    values: F32,
) -> None:
    """Write the values of an opponent node.

    Args:
        won: Expected win from folds: their probability times the pot.
        chances: ``(N_ACTIONS,)`` probabilities of the opponent's actions.
        called: ``(N_POINTS,)`` values after a check or call.
        nodes: ``(nodes, N_POINTS)`` values of nodes.
        child: Node after a raise, or ``_NO_NODE``.
        n: Number of strengths, in the first columns.
        values: ``(N_POINTS,)``, written.
    """
    for i in range(n):
        values[i] = won + chances[CALLS] * called[i]
    if child != _NO_NODE:
        for i in range(n):
            values[i] += chances[RAISES] * nodes[child, i]


@kernel
def carry(moves: F32, later: F32, now: F32) -> None:
    """Write the expectation, at every point, of the values after the next card.

    Args:
        moves: ``(N_POINTS, N_POINTS)`` transition probabilities between points.
        later: ``(N_POINTS,)`` values by strength after the next card.
        now: ``(N_POINTS,)``, written.
    """
    for i in range(N_POINTS):
        now[i] = weigh(moves[i], later)


@inlined_kernel
def weigh(points: F32, later: F32) -> Float:
    """Mean value of one hand under the distribution of its strength after the next card."""
    total = np.float32(0.0)
    for i in range(N_POINTS):
        total += points[i] * later[i]
    return total


@kernel
def search_street(
    search: SearchRecord, street: Int, seat: Int, stake: Float, blind: Float, width: Float, n: Int
) -> None:
    """Compute ``search.values`` of every node on a street.

    Args:
        search: A record of dtype ``SEARCH`` with the opponent's probabilities and the values after
            the street.
        street: 0 to 3.
        seat: Seat of the Vexbot, ``BLIND`` or ``BUTTON``.
        stake: Small bets that each player has put in before the street.
        blind: The small blind in small bets.
        width: Width of miximix, in small bets; 0 for miximax.
        n: Number of strengths, in the first columns.
    """
    for back in range(N_CODES):
        code = N_CODES - 1 - back  # checks, bets and raises lead to higher codes
        if is_code(street, code):
            _search_code(search, street, code, seat, stake, blind, width, n)


@kernel
def _search_code(
    search: SearchRecord,
    street: Int,
    code: Int,
    seat: Int,
    stake: Float,
    blind: Float,
    width: Float,
    n: Int,
) -> None:
    lost = np.float32(fold_cost(street, code, stake, blind))
    called = search.after[code] if has_begun(street, code) else search.values[code + CHECKED]
    values, child = search.values[code], code + 1 if code % CHECKED < MOST_BETS else _NO_NODE
    if button_acts(street, code) == (seat == BUTTON):
        fold = -lost if owes(street, code) else IMPOSSIBLE
        choose(fold, called, search.values, child, np.float32(width), search.mixture, n, values)
    else:
        chances = search.chances[code]
        expect(chances[FOLDS] * lost, chances, called, search.values, child, n, values)


@kernel
def fold_cost(street: Int, code: Int, stake: Float, blind: Float) -> Float:
    """Small bets put in by the player who folds at a node."""
    if street == PREFLOP and not has_begun(street, code):
        return blind
    return stake + bet_size(street) * (code % CHECKED - 1)


@kernel
def write_options(search: SearchRecord, street: Int, code: Int, stake: Float, blind: Float) -> None:
    """Write the values of folding, calling and raising at a node to ``search.options``.

    The values are those of the first column; folding when checking is free and raising a capped
    street are ``IMPOSSIBLE``.
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
def write_opponent(
    memory: MemoryRecord,
    search: SearchRecord,
    street: Int,
    beginning: Int,
    seat: Int,
    own: Int,
    opponent: Int,
    log_mixing: Float,
) -> None:
    """Write the opponent's action probabilities at all nodes of a street to ``search.chances``."""
    for code in range(N_CODES):
        if is_code(street, code) and button_acts(street, code) != (seat == BUTTON):
            chances = search.chances[code]
            point = DecisionPoint(street, beginning, code, seat, own, opponent)
            write_chances(memory, point, log_mixing, chances)


@kernel
def write_showdowns(
    memory: MemoryRecord,
    search: SearchRecord,
    beginning: Int,
    seat: Int,
    own: Int,
    opponent: Int,
    stake: Float,
    log_mixing: Float,
) -> None:
    """Write showdown values, by final river code, to ``search.after``."""
    for code in range(1, N_CODES):
        mine = raises_in_seat(RIVER, code, seat)
        theirs = raises_of(RIVER, code) - mine
        line = next_beginning(beginning, code)
        after = search.after[code]
        write_wins(
            memory, seat, line, own + mine, opponent + theirs, log_mixing, search.cells, after
        )
        at_stake = np.float32(stake + bet_size(RIVER) * (code % CHECKED))
        for i in range(N_POINTS):
            after[i] = at_stake * (np.float32(2.0) * after[i] - np.float32(1.0))


@kernel
def look_ahead(
    memory: MemoryRecord,
    prior: PriorRecord,
    search: SearchRecord,
    seat: Int,
    log_mixing: Float,
    width: Float,
) -> None:
    """Compute a seat's values of flops, turns and rivers after every betting sequence.

    Args:
        memory: A record of dtype ``MEMORY``.
        prior: A record of dtype ``PRIOR``.
        search: A record of dtype ``SEARCH``.
        seat: ``BLIND`` or ``BUTTON``.
        log_mixing: See ``opponent_model.trust``.
        width: See ``search_street``.
    """
    mix_coarse(memory, log_mixing, search.cells)
    for a in range(1, N_CODES):
        if not can_end(PREFLOP, a):
            continue
        for b in range(1, N_CODES):
            for c in range(1, N_CODES):
                _value_street(memory, prior, search, RIVER, (a, b, c), seat, log_mixing, width)
            _value_street(memory, prior, search, TURN, (a, b, 0), seat, log_mixing, width)
        _value_street(memory, prior, search, FLOP, (a, 0, 0), seat, log_mixing, width)


@kernel
def _value_street(
    memory: MemoryRecord,
    prior: PriorRecord,
    search: SearchRecord,
    street: Int,
    codes: tuple[Int, Int, Int],
    seat: Int,
    log_mixing: Float,
    width: Float,
) -> None:
    """Compute the values of a street, given the final codes of earlier streets (0 for none)."""
    beginning: Int = 0
    stake: Float = 0.0
    a, b, c = codes
    own, opponent = 0, 0
    for before in range(street):
        code = a if before == PREFLOP else (b if before == FLOP else c)
        beginning = next_beginning(beginning, code)
        mine = raises_in_seat(before, code, seat)
        own += mine
        opponent += raises_of(before, code) - mine
        stake += bet_size(before) * (code % CHECKED)
    write_opponent(memory, search, street, beginning, seat, own, opponent, log_mixing)
    if street == RIVER:
        write_showdowns(memory, search, beginning, seat, own, opponent, stake, log_mixing)
        street_values = memory.rivers[seat, beginning]
    elif street == TURN:
        _carry_back(prior.to_river, memory.rivers[seat], beginning, search)
        street_values = memory.turns[seat, beginning]
    else:
        _carry_back(prior.to_turn, memory.turns[seat], beginning, search)
        street_values = memory.flops[seat, beginning]
    search_street(search, street, seat, stake, 0.0, width, N_POINTS)
    values = search.values[first_code(street)]
    for i in range(N_POINTS):
        street_values[i] = values[i]


@kernel
def _carry_back(moves: F32, street_values: F32, beginning: Int, search: SearchRecord) -> None:
    """Write values after a street, averaged over the next card, to ``search.after``."""
    for code in range(1, N_CODES):
        carry(moves, street_values[next_beginning(beginning, code)], search.after[code])


@kernel
def weigh_ends(street_values: F32, beginning: Int, search: SearchRecord) -> None:
    """Write the values after the street for one hand, weighted by ``search.points``."""
    for code in range(1, N_CODES):
        next_values = street_values[next_beginning(beginning, code)]
        search.after[code, 0] = weigh(search.points, next_values)


@kernel
def weigh_showdowns(search: SearchRecord) -> None:
    """Write one hand's values on the river from the showdown values at all points."""
    for code in range(1, N_CODES):
        search.after[code, 0] = weigh(search.points, search.after[code])
