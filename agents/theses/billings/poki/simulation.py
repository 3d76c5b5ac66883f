"""Betting by simulation, with selective sampling (Billings 2006, 2.5.3, figure 2.10).

After the flop the player deals hands to its opponents by their weight tables and plays each deal to
the end once for every action considered, always with the same cards to reduce the variance of the
differences. It takes the action with the largest mean winnings; folding has value 0. Before the
flop it plays by the pre-flop expert.

It stops when one action leads every other by two standard errors of the paired difference, or after
a maximum number of deals. In no-limit there are three raise sizes: half a pot, the pot, all-in. The
random numbers are derived from the player's information, so that its policy is a function of it.
"""

from __future__ import annotations

import numpy as np

from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import is_in_hand, raise_by
from agents.policy.view import Parameters, View, offer
from agents.theses.billings.poki.formula import offer_triple, write_own_triple, write_strength_now
from agents.theses.billings.poki.holdings import write_shares
from agents.theses.billings.poki.opponent_tracking import on_event
from agents.theses.billings.poki.play_out import (
    deal_rest,
    draw_references,
    play_out,
    seed_of,
    write_frequencies,
    write_running_sums,
)
from agents.theses.billings.poki.records import (
    N_BINS,
    N_MEMORY,
    N_SCRATCH,
    N_WEIGHTS,
    TRIALS,
    MemoryRecord,
    WorkRecord,
    check_settings,
    memory_of,
    work_of,
)
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD, PREFLOP, TableRecord
from nlhe_env.jit.array_types import F32, F64, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

_LEAST_TRIALS = 50
_EVERY = 25  # deals between checks of significance
_SURE = 2.0  # required lead in standard errors


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
    seed_of(table, work)
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
    draw_references(table, work)
    last = memory.last - 1 if memory.last_street == table.street else -1
    work.last = last
    write_frequencies(weights, memory, table, last, own, work, work.own_habit)


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
