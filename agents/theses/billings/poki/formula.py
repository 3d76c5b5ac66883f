"""Loki's formula: bets, calls and bluffs by effective hand strength (Billings 2006, 2.5.2).

HS and PPot are computed by enumeration against every opponent's weight table. The thesis does not
publish the rules that turn them into a triple; these are ours. Every number is a parameter.

Before the flop an expert compares income rates with thresholds (2.5.1). An income rate is the mean
profit of a holding per hand, in thousandths of a bet, if all remaining players see five board cards
for one bet. The thesis does not publish its thresholds; ours rise with the number of players and of
bets, and shift up for a tight player and down for a loose one.
"""

from __future__ import annotations

import numpy as np

from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import hole_class, is_in_hand, opponents, raise_by
from agents.policy.view import Parameters, View, offer
from agents.theses.billings.poki.action_frequencies import context_of, generic_frequencies
from agents.theses.billings.poki.holdings import cell_of, write_shares, write_strength
from agents.theses.billings.poki.opponent_tracking import on_event
from agents.theses.billings.poki.predictors import predict_unseen
from agents.theses.billings.poki.records import (
    BET,
    BLUFF,
    CAUTION,
    INCOME,
    N_BINS,
    N_MEMORY,
    N_SCRATCH,
    N_WEIGHTS,
    PREFLOP_RULE,
    RAISE,
    RAMP,
    RERAISE,
    SIZE,
    STYLE,
    TRAP,
    MemoryRecord,
    WorkRecord,
    check_settings,
    memory_of,
    work_of,
)
from agents.theses.billings.poki.triples import forbid, write_triple
from nlhe_env.assessment.potential_kernels import count, measures, transitions
from nlhe_env.equity.tables.suits import MAX_OPPONENTS, N_HOLES
from nlhe_env.game.betting import CALLS, FOLDS, RAISES, amount_to_call, winnable_pot
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import (
    ALL_IN,
    CHECK_OR_CALL,
    FIXED_LIMIT,
    FOLD,
    PREFLOP,
    RIVER,
    TableRecord,
)
from nlhe_env.jit.array_types import F32, F64, AnyArray, Float, Int
from nlhe_env.jit.compilation import kernel

# Thresholds with two players and with ten: to play, to raise, to re-raise, to continue.
_PLAY = (-220.0, 150.0)
_RAISE = (40.0, 420.0)
_RERAISE = (330.0, 950.0)
_CAP = (480.0, 1500.0)
_STYLE_STEP = 100.0
_HALF_RAMP = 60.0
_TRAPS_FROM = 0.8
"""Minimum effective strength for a trap, against the hands that would continue."""


@kernel
def _income_rate(table: TableRecord, weights: F32) -> Float:
    """Income rate of the actor's holding against the remaining players."""
    return np.float64(weights[INCOME + hole_class(table) * MAX_OPPONENTS + opponents(table) - 1])


@kernel
def write_preflop_triple(
    weights: F32, table: TableRecord, memory: MemoryRecord, work: WorkRecord, triple: F64
) -> None:
    """Write the triple of the player to act, by its own cards."""
    opponent_share = (opponents(table) - 1.0) / (MAX_OPPONENTS - 1.0)
    shift = _STYLE_STEP * (0.5 + 0.5 * opponent_share) * weights[STYLE]
    play = _between(_PLAY, opponent_share) + shift
    rise = _between(_RAISE, opponent_share) + shift
    reraise = _between(_RERAISE, opponent_share) + shift
    cap = _between(_CAP, opponent_share) + shift
    doubt: Float = 1.0
    if table.bets > 1:
        # The raise of a player that raises any hand carries little information.
        doubt = _meaning(weights, table, memory, work)
        reraise = rise + doubt * (reraise - rise)
        cap = rise + doubt * (cap - rise)
    rate = _income_rate(table, weights)

    raises = table.bets - 1
    to_call = amount_to_call(table)
    # Better pot odds lower the threshold of a call.
    price = min(to_call / max(table.big_blind, 1), 2.0)
    if raises == 0:
        call_from, raise_from = play, rise
    elif raises == 1:
        # Players in the blinds call for less.
        call_from = play + doubt * (rise - play) * (0.35 if price <= 1.0 else 0.9)
        raise_from = reraise
    else:
        call_from = play + doubt * (rise - play) * 0.5
        if price > 1.0:
            call_from = rise + 0.4 * (reraise - rise)
        raise_from = reraise if raises == 2 and price <= 1.0 else cap
    triple[RAISES] = _above(rate - raise_from)
    triple[FOLDS] = (1.0 - triple[RAISES]) * (1.0 - _above(rate - call_from))
    triple[CALLS] = 1.0 - triple[RAISES] - triple[FOLDS]


@kernel
def _meaning(weights: F32, table: TableRecord, memory: MemoryRecord, work: WorkRecord) -> Float:
    """Information in a raise, relative to an average player's; 0 if the player always raises."""
    seat = 0
    for other in range(table.seats):
        if other != table.actor and table.street_bet[other] == table.current_bet:
            seat = other
    usual: Float
    frequencies, raises, usual = work.frequencies, 0.0, 0.0
    for context in range(3):  # pre-flop contexts
        predict_unseen(weights, memory, seat, context, frequencies)
        raises += frequencies[RAISES]
        usual += generic_frequencies(weights, context, RAISES)
    return min((3.0 - raises) / (3.0 - usual), 1.5)


@kernel
def _between(ends: tuple[Float, Float], opponent_share: Float) -> Float:
    return ends[0] + opponent_share * (ends[1] - ends[0])


@kernel
def _above(x: Float) -> Float:
    return min(max(0.5 + 0.5 * x / _HALF_RAMP, 0.0), 1.0)


@kernel
def write_strength_now(table: TableRecord, memory: MemoryRecord, work: WorkRecord) -> None:
    """Write the strength of all holdings on the current board to ``work.strength``."""
    if memory.street == table.street + 1:
        for i in range(N_HOLES):
            work.strength[i] = memory.strength[i]
    else:  # no action on this street yet: no event has updated the strengths
        board = table.cards[2 * table.seats : 2 * table.seats + 5]
        write_strength(board, table.board_cards, work.keys, work.strength)


@kernel
def assess(
    weights: F32, table: TableRecord, memory: MemoryRecord, work: WorkRecord
) -> tuple[Float, Float, Float, Float, Float]:
    """Strength against the weight tables of all opponents, now and after a bet.

    Returns:
        HS against all opponents; the mean PPot with the next card; the same two against the
        holdings that would continue after a bet; and the probability that all opponents fold to the
        bet.
    """
    seat = table.actor
    hole_0, hole_1 = hole_cards(table, seat)
    count(
        hole_0,
        hole_1,
        table.cards[2 * table.seats : 2 * table.seats + 5],
        table.board_cards,
        0 if table.street == RIVER else 1,
        work.potential,
    )
    write_strength_now(table, memory, work)
    bet = bet_of(weights, table)
    pot = table.pot + amount_to_call(table) + bet
    context = context_of(table.betting, table.street, bet, pot, table.big_blind)
    called: Float
    gain: Float
    positive: Float
    strength: Float
    strength, positive, called, gain, folds, n = 1.0, 0.0, 1.0, 0.0, 1.0, 0
    for other in range(table.seats):
        if other != seat and is_in_hand(table, other):
            held = memory.weights[other]
            hs, ppot = _against(held, work)
            strength *= hs
            positive += ppot
            if table.status[other] == ALL_IN:
                hs_called, ppot_called = hs, ppot
                folds = 0.0
            else:
                frequencies = work.guess
                predict_unseen(weights, memory, other, context, frequencies)
                write_going_on(held, frequencies, work)
                hs_called, ppot_called = _against(work.chances, work)
                folds *= frequencies[FOLDS]
            called *= hs_called
            gain += ppot_called
            n += 1
    n = max(n, 1)
    return strength, positive / n, called, gain / n, folds


@kernel
def _against(held: AnyArray, work: WorkRecord) -> tuple[Float, Float]:
    """HS and PPot of the last enumerated hand against one weight table."""
    strength, positive, _ = measures(transitions(held, work.potential))
    return strength, positive


@kernel
def write_going_on(held: F32, frequencies: F64, work: WorkRecord) -> None:
    """Write the weights of the holdings that do not fold to ``work.chances``."""
    triple, cells = work.triple, work.cells
    write_shares(held, work.strength, cells)
    for b in range(N_BINS):
        write_triple(cells[b], frequencies[FOLDS], frequencies[RAISES], triple)
        cells[b] = 1.0 - triple[FOLDS]
    for i in range(N_HOLES):
        work.chances[i] = held[i] * cells[cell_of(work.strength[i])]


@kernel
def write_formula_triple(
    weights: F32, table: TableRecord, memory: MemoryRecord, work: WorkRecord, triple: F64
) -> None:
    """Write the triple of the player to act, after the flop."""
    strength, positive, called, gain, folds = assess(weights, table, memory, work)
    effective = strength + (1.0 - strength) * positive
    effective_called = called + (1.0 - called) * gain
    to_call = amount_to_call(table)
    pot = winnable_pot(table, table.actor)
    # With more players, a smaller share of the pot is worth a bet.
    fair = 1.0 / table.unfolded
    asked = weights[BET] if table.bets == 0 else weights[RAISE]
    if table.bets > 1:
        asked = weights[RERAISE]
    threshold = fair + (1.0 - fair) * asked
    rise = _ramp(effective_called - threshold, np.float64(weights[RAMP]))
    if table.street != RIVER:
        rise *= 1.0 - _trap(weights, effective_called, table.unfolded - 1)
    triple[RAISES] = rise
    if to_call > 0:
        # Future bets add to the cost of a call, except on the river.
        needed = to_call / (pot + to_call)
        if table.street != RIVER:
            needed *= 1.0 + weights[CAUTION]
        pays = effective >= needed or positive >= to_call / (pot + to_call)
        triple[CALLS] = 1.0 - rise if pays else 0.0
        triple[FOLDS] = 0.0 if pays else 1.0 - rise
        return
    bluff = 0.0
    # Hands with showdown value are not turned into bluffs.
    if table.bets == 0 and strength < 0.5 * fair:
        bet = bet_of(weights, table)
        # A called bluff may still improve and win a pot with both bets.
        won = folds * pot + (1.0 - folds) * (gain * (pot + 2.0 * bet) - bet)
        bluff = weights[BLUFF] * min(max((won - effective * pot) / bet, 0.0), 1.0)
    triple[RAISES] += (1.0 - rise) * bluff
    triple[CALLS] = 1.0 - triple[RAISES]
    triple[FOLDS] = 0.0


@kernel
def _trap(weights: F32, effective: Float, n_opponents: Int) -> Float:
    """Probability of slow-playing: checking or calling with a hand that would bet or raise.

    The thesis names slow-playing among Poki's deceptive plays and gives no rule. Ours rises with
    strength and falls with the number of opponents who might draw out.
    """
    return weights[TRAP] * max(effective - _TRAPS_FROM, 0.0) / ((1.0 - _TRAPS_FROM) * n_opponents)


@kernel
def bet_of(weights: F32, table: TableRecord) -> Int:
    """Chips of a bet or raise, on top of the call."""
    if table.betting == FIXED_LIMIT:
        return table.full_raise
    pot = table.pot + amount_to_call(table)
    return max(np.int64(weights[SIZE] * pot), table.full_raise)


@kernel
def _ramp(x: Float, width: Float) -> Float:
    """Linear ramp from 0 to 1 over ``width`` around 0."""
    if width <= 0.0:
        return 1.0 if x >= 0.0 else 0.0
    return min(max(x / width + 0.5, 0.0), 1.0)


@kernel
def write_own_triple(
    weights: F32, table: TableRecord, memory: MemoryRecord, work: WorkRecord, triple: F64
) -> None:
    """Write the triple of the player to act, on any street."""
    triple[FOLDS] = 0.0
    triple[CALLS] = 0.0
    triple[RAISES] = 0.0
    if table.street != PREFLOP:
        write_formula_triple(weights, table, memory, work, triple)
    elif weights[PREFLOP_RULE] == 0:
        write_preflop_triple(weights, table, memory, work, triple)
    else:
        triple[CALLS] = 1.0


@kernel
def offer_triple(weights: F32, view: View, triple: F64) -> None:
    """Offer the three actions of a triple, with raises of the player's configured size."""
    table, choices = view.table, view.choices
    forbid(triple, amount_to_call(table), choices.most > 0)
    offer(view, FOLD, triple[FOLDS])
    offer(view, CHECK_OR_CALL, triple[CALLS])
    size = np.float64(weights[SIZE])
    offer(view, raise_by(table, size, choices.least, choices.most), triple[RAISES])


@kernel
def _play(weights: F32, view: View, memory: MemoryRecord, work: WorkRecord) -> None:
    triple = work.own_triple
    write_own_triple(weights, view.table, memory, work, triple)
    offer_triple(weights, view, triple)


@kernel
def loki_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the actions of the player's triple."""
    _play(parameters.weights, view, memory_of(memory), work_of(view.scratch))


LOKI = register_kind(
    Kind(
        "loki",
        loki_policy,
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
