"""One deal of a simulation: hands by weight, cards to come, and play to the end by triples.

What a simulated player does depends on its own hand and on what is public, never on the hands given
to others. Where a hand stands on a street still to come is found among some reference holdings,
drawn once a decision from the weight tables of all who are in.
"""

from __future__ import annotations

import numpy as np

from agents.compiled.poki.habits import context_of
from agents.compiled.poki.holdings import cell_of
from agents.compiled.poki.network import write_inputs
from agents.compiled.poki.outs import quick_potential
from agents.compiled.poki.predictors import NETWORK_MODEL, believed_model, predict
from agents.compiled.poki.records import CALLS, FOLDS, N_REFERENCES, RAISES, SIZE
from agents.compiled.poki.triples import draw_from, forbid, write_triple
from agents.compiled.rules.spots import is_in_hand, raise_by
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.assessment.weights import hole_number
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.evaluator import rank_set
from nlhe_env.game.betting import amount_to_call, legal_raise
from nlhe_env.game.holdem import act, settle
from nlhe_env.game.random_stream import SIMULATIONS, draw
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, NOBODY, RIVER
from nlhe_env.machine.compilation import kernel

_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_TO_UNIT = 2.0**-32
_MOST_TRIES = 50


@kernel
def seed_of(table, work):
    """Begin the random numbers of a decision: they follow from what its player sees."""
    seat = table.actor
    held = hole_number(np.int64(table.cards[2 * seat]), np.int64(table.cards[2 * seat + 1]))
    work.key = table.pot << 12 | held
    work.hand = table.hand
    work.spot = table.decisions[seat] << 8 | table.street << 4 | seat
    work.block = 0
    work.left = 0


@kernel
def next_unit(work):
    """The next random number in [0, 1)."""
    if work.left == 0:
        one, two = draw(work.key, SIMULATIONS, work.block, work.hand, work.spot, 0)
        work.block += 1
        work.units[0] = np.float64(one & _LOW) * _TO_UNIT
        work.units[1] = np.float64(one >> _32) * _TO_UNIT
        work.units[2] = np.float64(two & _LOW) * _TO_UNIT
        work.units[3] = np.float64(two >> _32) * _TO_UNIT
        work.left = 4
    work.left -= 1
    return work.units[work.left]


@kernel
def write_running_sums(weights, known, holes, sums):
    """Running sums of the weights of holdings without known cards; of ones if all are 0.

    Args:
        weights: ``(1326,)``.
        known: A set of cards.
        holes: ``(1326,)`` the holdings as sets of cards.
        sums: ``(1326,)`` float64, is written.
    """
    for ignore in range(2):
        total = 0.0
        for i in range(N_HOLES):
            if holes[i] & known == 0:
                total += 1.0 if ignore else weights[i]
            sums[i] = total
        if total > 0.0:
            return


@kernel
def draw_holding(sums, u):
    """The number of the holding that a number in [0, 1) picks."""
    wanted = u * sums[N_HOLES - 1]
    low, high = 0, N_HOLES - 1
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def draw_references(table, work):
    """Draw reference holdings from all who are in the hand, the own table of weights included."""
    n_in = 0
    for seat in range(table.seats):
        if is_in_hand(table, seat):
            work.order[n_in] = seat
            n_in += 1
    for k in range(N_REFERENCES):
        sums = work.sums[work.order[k % n_in]]
        work.references[k] = work.holes[draw_holding(sums, next_unit(work))]


@kernel
def deal_rest(table, work):
    """Give everybody else in the hand a holding, and deal the board to its end.

    Returns:
        Whether that worked out; what was dealt is in ``work.dealt``.
    """
    own = table.actor
    first = 2 * table.seats
    for i in range(first + table.board_cards):
        work.dealt[i] = table.cards[i]
    taken = board_set(table.cards[first : first + 5], table.board_cards)
    taken |= card_bit(table.cards[2 * own]) | card_bit(table.cards[2 * own + 1])
    work.number[own] = hole_number(
        np.int64(table.cards[2 * own]), np.int64(table.cards[2 * own + 1])
    )
    # Whoever comes first has the widest choice: begin somewhere else every time.
    seat = np.int64(next_unit(work) * table.seats)
    for _ in range(table.seats):
        seat = seat + 1 if seat + 1 < table.seats else 0
        if seat == own or not is_in_hand(table, seat):
            continue
        number = np.int64(-1)
        for _ in range(_MOST_TRIES):
            number = draw_holding(work.sums[seat], next_unit(work))
            if work.holes[number] & taken == 0:
                break
            number = np.int64(-1)
        if number < 0:
            return False
        taken |= work.holes[number]
        work.number[seat] = number
        work.dealt[2 * seat] = work.high[number]
        work.dealt[2 * seat + 1] = work.low[number]
    for i in range(table.board_cards, 5):
        card = np.int64(52 * next_unit(work))
        while taken & card_bit(card):
            card = np.int64(52 * next_unit(work))
        taken |= card_bit(card)
        work.dealt[first + i] = card
    work.placed[:] = 0
    return True


@kernel
def play_out(weights, memory, table, action, work, simulated):
    """What the player to act wins from here on, in chips, if it acts so in the deal at hand.

    Args:
        weights: Of the player.
        memory: What it remembers, a record.
        table: The table as it is.
        action: Its first action; later ones are drawn, as those of others.
        work: Scratch with the deal, a record.
        simulated: A copy of ``table``, is changed.
    """
    own, before = table.actor, table.stack[table.actor]
    for i in range(2 * table.seats + 5):
        simulated.cards[i] = work.dealt[i]
    act(simulated, action)
    while simulated.actor != NOBODY:
        act(simulated, _drawn_action(weights, memory, table, work, simulated, own))
    settle(simulated, work.ranks)
    return np.float64(simulated.stack[own] - before)


@kernel
def _drawn_action(weights, memory, table, work, simulated, own):
    """What the player to act in a simulation does with its hand."""
    seat, street = simulated.actor, simulated.street
    to_call = amount_to_call(simulated)
    context = context_of(simulated.betting, street, to_call, simulated.pot, simulated.big_blind)
    habit, triple = work.habit, work.triple
    if believed_model(weights, memory, seat) == NETWORK_MODEL:
        last = CALLS if simulated.bets == 0 else RAISES
        write_inputs(weights, simulated, last, context, own, work.inputs)
    predict(weights, memory, seat, context, work.inputs, work, habit)
    if street == table.street:
        place = work.shares[seat, cell_of(work.strength[work.number[seat]])]
    else:
        if not work.placed[street]:
            write_places(table, work, simulated, street)
            work.placed[street] = 1
        place = work.place[street, seat]
    least, most = legal_raise(simulated)
    write_triple(place, habit[FOLDS], habit[RAISES], triple)
    forbid(triple, to_call, most > 0)
    deed = draw_from(triple, next_unit(work))
    if deed == FOLDS:
        return FOLD
    if deed == CALLS:
        return CHECK_OR_CALL
    return raise_by(simulated, np.float64(weights[SIZE]), least, most)


@kernel
def write_places(table, work, simulated, street):
    """Where all hands stand among the reference holdings on a street to come, draws counted."""
    n_board = 2 + street
    first = 2 * table.seats
    board = board_set(simulated.cards[first : first + 5], n_board)
    n = 0
    for k in range(N_REFERENCES):
        if work.references[k] & board == 0:
            work.reference_ranks[n] = rank_set(board | work.references[k])
            n += 1
    for seat in range(table.seats):
        if not is_in_hand(table, seat):
            continue
        number = work.number[seat]
        rank = rank_set(board | work.holes[number])
        below = 0.5
        for k in range(n):
            below += np.float64(work.reference_ranks[k] < rank)
            below += 0.5 * np.float64(work.reference_ranks[k] == rank)
        place = below / (n + 1)
        if street < RIVER:
            hole_0, hole_1 = np.int64(work.high[number]), np.int64(work.low[number])
            place += (1.0 - place) * quick_potential(hole_0, hole_1, board, n_board)
        work.place[street, seat] = place
