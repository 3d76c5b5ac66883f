"""Betting by simulation, with selective sampling (Billings 2006, 2.5.3, figure 2.10).

After the flop the player deals hands to its opponents by their weight tables and plays each deal to
the end once for every action considered, always with the same cards to reduce the variance of the
differences. It takes the action with the largest mean winnings; folding has value 0. Before the
flop it plays by the pre-flop expert.

It stops when one action leads every other by two standard errors of the paired difference, or after
a maximum number of deals. In no-limit there are three raise sizes: half a pot, the pot, all-in. The
random numbers are derived from the player's information, so that its policy is a function of it.

A simulated player acts on its own hand and public information, never on the hands dealt to others.
Frequencies become thresholds: a player that raises a fifth of its holdings raises the best fifth of
its range. Within a street, percentiles stay those at its start, so that a hand that has bet seldom
folds and one that has checked often does. On the next street, they refer to the range that is left.
The percentile of a hand on a future street is estimated among reference holdings drawn from its
player's weight table.
"""

from __future__ import annotations

import numpy as np

from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import is_in_hand, raise_by
from agents.policy.view import Parameters, View, offer
from agents.theses.billings.poki.action_frequencies import context_of
from agents.theses.billings.poki.formula import offer_triple, write_own_triple, write_strength_now
from agents.theses.billings.poki.holdings import cell_of, quick_potential, write_shares
from agents.theses.billings.poki.opponent_tracking import on_event
from agents.theses.billings.poki.predictors import (
    NETWORK_MODEL,
    believed_model,
    predict,
    write_inputs,
)
from agents.theses.billings.poki.records import (
    MOST_ACTS,
    N_BINS,
    N_DRAWN,
    N_MEMORY,
    N_REFERENCES,
    N_SCRATCH,
    N_WEIGHTS,
    SIZE,
    TRIALS,
    MemoryRecord,
    WorkRecord,
    check_settings,
    memory_of,
    work_of,
)
from agents.theses.billings.poki.triples import draw_from, forbid, place_after, write_triple
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import card_bit, hole_number
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.evaluator import rank_set
from nlhe_env.game.betting import FOLDS, RAISES, action_kind_of, amount_to_call, legal_raise
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.holdem import act, settle
from nlhe_env.game.random_stream import SIMULATIONS, draw
from nlhe_env.game.table import (
    CHECK_OR_CALL,
    FIXED_LIMIT,
    FOLD,
    NO_PLAYER,
    PREFLOP,
    RIVER,
    TableRecord,
)
from nlhe_env.jit.array_types import F32, F64, I64, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_TO_UNIT = 2.0**-32
_MOST_TRIES = 50
_LEAST_TRIALS = 50
_EVERY = 25  # deals between checks of significance
_SURE = 2.0  # required lead in standard errors


@kernel
def _seed_of(table: TableRecord, work: WorkRecord) -> None:
    """Seed the random numbers of a decision from the information of its player."""
    seat = table.actor
    hole_0, hole_1 = hole_cards(table, seat)
    held = hole_number(hole_0, hole_1)
    work.key = table.pot << 12 | held
    work.hand = table.hand
    work.spot = table.decisions[seat] << 8 | table.street << 4 | seat
    work.block = 0
    work.left = 0


@kernel
def next_unit(work: WorkRecord) -> Float:
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
def write_running_sums(weights: F32, known: Int, holes: I64, sums: F64) -> None:
    """Write cumulative weights of holdings without known cards; uniform if all are 0.

    Args:
        weights: ``(1326,)`` weights of the holdings.
        known: A set of cards.
        holes: ``(1326,)`` holdings as sets of cards.
        sums: ``(1326,)`` float64, written.
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
def draw_holding(sums: F64, u: Float) -> Int:
    """Number of the holding selected by ``u`` in [0, 1)."""
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
def _draw_references(table: TableRecord, work: WorkRecord) -> None:
    """Draw reference holdings for all players in the hand, including the deciding one."""
    work.first_reference = 0
    for seat in range(table.seats):
        if is_in_hand(table, seat):
            for k in range(N_DRAWN):
                number = draw_holding(work.sums[seat], next_unit(work))
                work.references[seat, k] = work.holes[number]


@kernel
def deal_rest(table: TableRecord, work: WorkRecord) -> Truth:
    """Deal a holding to every other player in the hand, and complete the board.

    Returns:
        Whether a deal was found; it is in ``work.dealt``.
    """
    own = table.actor
    first = 2 * table.seats
    for i in range(first + table.board_cards):
        work.dealt[i] = table.cards[i]
    hole_0, hole_1 = hole_cards(table, own)
    taken = board_set(table.cards[first : first + 5], table.board_cards)
    taken |= card_bit(hole_0) | card_bit(hole_1)
    work.number[own] = hole_number(hole_0, hole_1)
    # The first player dealt to is the least constrained, so start at a random seat.
    seat: Int = np.int64(next_unit(work) * table.seats)
    for _ in range(table.seats):
        seat = seat + 1 if seat + 1 < table.seats else 0
        if seat == own or not is_in_hand(table, seat):
            continue
        number: Int = np.int64(-1)
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
        card = np.int64(N_CARDS * next_unit(work))
        while taken & card_bit(card):
            card = np.int64(N_CARDS * next_unit(work))
        taken |= card_bit(card)
        work.dealt[first + i] = card
    work.placed[:] = 0
    work.first_reference += N_REFERENCES
    if work.first_reference == N_DRAWN:
        work.first_reference = 0
    return True


@kernel
def play_out(
    weights: F32,
    memory: MemoryRecord,
    table: TableRecord,
    action: Int,
    work: WorkRecord,
    simulated: TableRecord,
) -> Float:
    """Winnings in chips, from now on, of the player to act, for an action in this deal.

    Args:
        weights: Weights of the player.
        memory: Memory record of the player.
        table: The current table.
        action: The player's first action; all later actions are sampled.
        work: Scratch record with the deal.
        simulated: A copy of ``table``, updated.
    """
    own, before = table.actor, table.stack[table.actor]
    for i in range(2 * table.seats + 5):
        simulated.cards[i] = work.dealt[i]
    work.n_acts[:] = 0
    frequencies, action_kind = work.own_habit, action_kind_of(action)
    _do(simulated, action, action_kind, frequencies, legal_raise(simulated)[1] > 0, work)
    while simulated.actor != NO_PLAYER:
        _act_by_frequencies(weights, memory, table, work, simulated, own)
    settle(simulated, work.ranks)
    return np.float64(simulated.stack[own] - before)


@kernel
def _do(
    simulated: TableRecord,
    action: Int,
    action_kind: Int,
    frequencies: F64,
    can_raise: Truth,
    work: WorkRecord,
) -> None:
    """Take an action and record it for the percentile of the hand."""
    seat, street = simulated.actor, simulated.street
    n = work.n_acts[seat]
    if n < MOST_ACTS:
        noted = work.acts[seat, n]
        noted.street, noted.action_kind = street, action_kind
        noted.folds, noted.raises = frequencies[FOLDS], frequencies[RAISES]
        noted.to_call, noted.can_raise = amount_to_call(simulated), can_raise
        work.n_acts[seat] = n + 1
    act(simulated, action)
    work.last = action_kind if simulated.street == street else -1


@kernel
def _act_by_frequencies(
    weights: F32,
    memory: MemoryRecord,
    table: TableRecord,
    work: WorkRecord,
    simulated: TableRecord,
    own: Int,
) -> None:
    """Sample and take an action of the player to act, by its hand."""
    seat = simulated.actor
    to_call = amount_to_call(simulated)
    frequencies, triple = work.frequencies, work.triple
    _write_frequencies(weights, memory, simulated, np.int64(work.last), own, work, frequencies)
    least, most = legal_raise(simulated)
    place = _place_now(table, work, simulated, seat)
    write_triple(place, frequencies[FOLDS], frequencies[RAISES], triple)
    forbid(triple, to_call, most > 0)
    action_kind = draw_from(triple, next_unit(work))
    action: Int = np.int64(CHECK_OR_CALL)
    if action_kind == FOLDS:
        action = np.int64(FOLD)
    elif action_kind == RAISES:
        action = raise_by(simulated, np.float64(weights[SIZE]), least, most)
    _do(simulated, action, action_kind, frequencies, most > 0, work)


@kernel
def _write_frequencies(
    weights: F32,
    memory: MemoryRecord,
    table: TableRecord,
    last: Int,
    own: Int,
    work: WorkRecord,
    frequencies: F64,
) -> None:
    """Write the action frequencies of the player to act, as predicted by seat ``own``."""
    seat = table.actor
    to_call = amount_to_call(table)
    context = context_of(table.betting, table.street, to_call, table.pot, table.big_blind)
    if believed_model(weights, memory, seat) == NETWORK_MODEL:
        write_inputs(weights, table, last, context, own, work.inputs)
    predict(weights, memory, seat, context, work.inputs, work, frequencies)


@kernel
def _place_now(table: TableRecord, work: WorkRecord, simulated: TableRecord, seat: Int) -> Float:
    """Percentile of a hand in its player's range at the start of the street.

    On a future street, this is the current range narrowed by the actions on earlier streets of the
    deal, as if hands kept their order from street to street, which most do.
    """
    street = simulated.street
    if street == table.street:
        place = work.shares[seat, cell_of(work.strength[work.number[seat]])]
    else:
        if not work.placed[street]:
            _write_places(table, work, simulated, street)
            work.placed[street] = 1
        place = work.place[street, seat]
    for k in range(work.n_acts[seat]):
        done = work.acts[seat, k]
        if done.street == street:
            break
        place = place_after(
            place, done.folds, done.raises, done.action_kind, done.to_call, done.can_raise
        )
    return place


@kernel
def _write_places(
    table: TableRecord, work: WorkRecord, simulated: TableRecord, street: Int
) -> None:
    """Write the percentiles of all hands among the references on a later street.

    Draws are included through ``quick_potential``.
    """
    n_board = 2 + street
    board = board_set(simulated.cards[2 * simulated.seats : 2 * simulated.seats + 5], n_board)
    for seat in range(table.seats):
        if not is_in_hand(table, seat):
            continue
        number = work.number[seat]
        rank = rank_set(board | work.holes[number])
        below, n = 0.5, 0
        for k in range(work.first_reference, work.first_reference + N_REFERENCES):
            reference = work.references[seat, k]
            if reference & board == 0:
                other = rank_set(board | reference)
                below += np.float64(other < rank) + 0.5 * np.float64(other == rank)
                n += 1
        place: Float = below / (n + 1)
        if street < RIVER:
            hole_0, hole_1 = np.int64(work.high[number]), np.int64(work.low[number])
            place += (1.0 - place) * quick_potential(hole_0, hole_1, board, n_board)
        work.place[street, seat] = place


@kernel
def write_options(table: TableRecord, least: Int, most: Int, work: WorkRecord) -> Int:
    """Write the actions to compare, in the order fold, call, raises; returns their number."""
    options = work.options
    options[0] = FOLD
    options[1] = CHECK_OR_CALL
    n = 2
    if most > 0:
        for k in range(3):
            size = 0.5 * 2.0**k
            action = most if k == 2 else raise_by(table, size, least, most)
            if action != options[n - 1]:
                options[n] = action
                n += 1
            if table.betting == FIXED_LIMIT:
                break
    return n


@kernel
def prepare(weights: F32, table: TableRecord, memory: MemoryRecord, work: WorkRecord) -> None:
    """Prepare the data shared by a decision's deals: strengths, cumulative weights, references."""
    _seed_of(table, work)
    write_strength_now(table, memory, work)
    number = 0
    for high in range(1, N_CARDS):
        for low in range(high):
            work.high[number] = high
            work.low[number] = low
            work.holes[number] = card_bit(high) | card_bit(low)
            number += 1
    own = table.actor
    hole_0, hole_1 = hole_cards(table, own)
    board = board_set(table.cards[2 * table.seats : 2 * table.seats + 5], table.board_cards)
    mine = card_bit(hole_0) | card_bit(hole_1)
    for seat in range(table.seats):
        if is_in_hand(table, seat):
            known = board if seat == own else board | mine
            write_running_sums(memory.weights[seat], known, work.holes, work.sums[seat])
            if memory.street == table.street + 1:
                for b in range(N_BINS):
                    work.shares[seat, b] = memory.shares[seat, b]
            else:
                write_shares(memory.weights[seat], work.strength, work.shares[seat])
    _draw_references(table, work)
    last = memory.last - 1 if memory.last_street == table.street else -1
    work.last = last
    _write_frequencies(weights, memory, table, last, own, work, work.own_habit)


@kernel
def simulate(
    weights: F32, table: TableRecord, memory: MemoryRecord, n: Int, work: WorkRecord
) -> Int:
    """Play the ``n`` options on the same deals; returns the number of deals.

    Afterwards ``work.values`` holds the total winnings of each option, 0 for folding.
    """
    trials = np.int64(weights[TRIALS])
    work.values[:] = 0.0
    work.squares[:] = 0.0
    done = 0
    for _ in range(trials):
        if not deal_rest(table, work):
            continue
        done += 1
        for k in range(n):
            value: Float = 0.0
            if k > 0:
                work.table = table
                value = play_out(weights, memory, table, work.options[k], work, work.table)
            work.value[k] = value
            work.values[k] += value
        for k in range(n):
            for other in range(n):
                difference = work.value[k] - work.value[other]
                work.squares[k, other] += difference * difference
        if done >= _LEAST_TRIALS and done % _EVERY == 0 and is_obvious(n, done, work):
            break
    return done


@kernel
def is_obvious(n: Int, done: Int, work: WorkRecord) -> Truth:
    """Whether one option is significantly ahead of every other."""
    best = best_option(work.values, n)
    for other in range(n):
        if other != best:
            total = work.values[best] - work.values[other]
            # Estimated variance of the sum of paired differences.
            spread = work.squares[best, other] - total * total / done
            if total * total <= _SURE * _SURE * spread:
                return False
    return True


@kernel
def best_option(values: F64, n: Int) -> Int:
    """Option with the largest value; ties go to the last: raise before call before fold."""
    best = 0
    for k in range(n):
        if values[k] >= values[best]:
            best = k
    return best


@kernel
def _decide(weights: F32, view: View, memory: MemoryRecord, work: WorkRecord) -> None:
    table = view.table
    work.n_options = 0
    if table.street == PREFLOP:
        triple = work.own_triple
        write_own_triple(weights, table, memory, work, triple)
        offer_triple(weights, view, triple)
        return
    n = write_options(table, view.choices.least, view.choices.most, work)
    prepare(weights, table, memory, work)
    work.n_deals = simulate(weights, table, memory, n, work)
    work.n_options = n
    action = work.options[best_option(work.values, n)]
    if action == FOLD and amount_to_call(table) == 0:
        action = CHECK_OR_CALL
    offer(view, action, 1.0)


@kernel
def simulation_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Simulate, and offer the action with the largest winnings."""
    _decide(parameters.weights, view, memory_of(memory), work_of(view.scratch))


LOKI_2 = register_kind(
    Kind(
        "loki-2",
        simulation_policy,
        wants="table",
        answers="amounts",
        on_event=on_event,
        memory=N_MEMORY,
        scratch=N_SCRATCH,
        n_weights=N_WEIGHTS,
        checks_player=check_settings,
        explained_by="agents.theses.billings.poki.explain",
    )
)
