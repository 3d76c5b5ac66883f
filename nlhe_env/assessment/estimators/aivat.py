"""AIVAT: hand results without the luck of cards and of known players' random choices.

At every step with known probabilities (cards always, actions if the player provides them), a
correction is subtracted: the value of the actual event minus its expected value. Corrections have
mean zero, so the estimate is unbiased for any value function; a better one removes more variance.

Imaginary observations: the estimate is averaged over a set of hole cards of one known player,
weighted by the probabilities of that player's actions. It remains unbiased.

Source: N. Burch, M. Schmid, M. Moravcik, D. Morrill, M. Bowling, "AIVAT: A New Variance Reduction
Technique for Agent Evaluation in Imperfect Information Games", AAAI 2018, arXiv:1612.06915. Here
the value of cards is linear in the exact all-in shares, and the set of imagined hands is sampled
instead of complete.

The cells of a table of values are fitted to rows from played hands. A row of an event has the chips
per unit of its cell's number, and the later result of the hand minus the prediction by equity.
Corrections of later events by the current table are subtracted from that result, so fitting again
improves the table.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.assessment.estimators.aivat_terms import AIVAT, N_CLASSES, AivatRecord, NoteRecord
from nlhe_env.assessment.estimators.aivat_values import (
    AFTER_ACTION,
    BEFORE_CARDS,
    BEFORE_HANDS,
    CHECKS_OR_CALLS,
    ENDS_STREET,
    VALUE_KERNEL,
    cell_of,
    raise_class,
)
from nlhe_env.assessment.estimators.all_in import is_all_in, pay_shares, take_question
from nlhe_env.assessment.estimators.estimator import PARTS, write_result
from nlhe_env.equity.all_in.shares import COUNTER, CounterRecord, find_shares
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import EMPTY, NO_PLAYER, PREFLOP, TableRecord
from nlhe_env.jit.array_types import F64, I64, Float, Int, Record, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer
from nlhe_env.numerics.bits import popcount

COUNTER_BYTES = COUNTER.itemsize
_counter_at = record_pointer(COUNTER)
aivat_at = record_pointer(AIVAT)
_call_value_function = VALUE_KERNEL.call

_FOLDS, _CALLS = 0, 1
_NO_SHARES = -1


@kernel
def add_row(
    spot: Record, seat: Int, is_action: Truth, moves: Float, expected: Float, aivat: Record
) -> None:
    """Add the row of an event, if a table is being fitted.

    Args:
        spot: Argument of the value function.
        seat: Seat whose chips are counted.
        is_action: Whether the event is an action.
        moves: Chips per unit of its cell's number.
        expected: Chips that the seat wins in the hand by equity alone, before cards without them.
        aivat: Record to which the row is added; its corrections include the event.
    """
    if aivat.fits and aivat.n_rows < len(aivat.rows):
        row = aivat.rows[aivat.n_rows]
        row.cell = cell_of(spot)
        row.seat = seat
        row.is_action = is_action
        row.moves = moves
        row.expected = expected
        row.after = aivat.corrections[seat]
        aivat.n_rows += 1


@kernel
def write_rows(aivat: Record) -> None:
    """Add the rows of a hand whose results are known to the sums of the cells."""
    for i in range(aivat.n_rows):
        row = aivat.rows[i]
        later = aivat.corrections[row.seat] - row.after
        missed = aivat.base[row.seat] / PARTS - later - row.expected
        cell, moves = row.cell, row.moves
        if row.is_action:
            aivat.products[cell] += missed / moves
            aivat.squares[cell] += 1.0
        else:
            # Fits a factor for the change of shares, which is 1 by equity.
            aivat.products[cell] += (missed - moves) * moves
            aivat.squares[cell] += moves * moves
        aivat.counts[cell] += 1


@kernel
def estimate_aivat(table: TableRecord, state: I64, adjusted: I64) -> None:
    """The signature ``ESTIMATOR``; ``state`` is a ``COUNTER`` and an ``AIVAT``."""
    address = state.ctypes.data
    counter, aivat = _counter_at(address), aivat_at(address + COUNTER_BYTES)
    imagined = _begin(table, aivat)
    _deal_hands(table, imagined, counter, aivat)
    for i in range(aivat.n_notes):
        note = aivat.notes[i]
        if i > 0 and note.street > aivat.notes[i - 1].street:
            _open_street(table, imagined, note, counter, aivat)
        if note.known or aivat.fits:
            _take_action(table, imagined, note, counter, aivat)
    _find_base(table, imagined, counter, adjusted, aivat)
    _pay(table, adjusted, aivat)
    if aivat.fits:
        write_rows(aivat)
    aivat.n_notes = 0


@kernel
def _begin(table: TableRecord, aivat: AivatRecord) -> Int:
    """Clear the last hand; returns the seat with imagined hole cards, or ``NO_PLAYER``."""
    for seat in range(table.seats):
        aivat.corrections[seat] = 0.0
    aivat.n_rows = 0
    aivat.shares_street = _NO_SHARES
    for j in range(aivat.n_hands):
        aivat.weights[j] = 0.0
    aivat.weights[0] = 1.0
    imagined = NO_PLAYER
    if aivat.n_notes > 0:
        for seat in range(table.seats):
            if table.status[seat] != EMPTY and table.player[seat] == aivat.imagined:
                imagined = seat
    if imagined == NO_PLAYER:
        return imagined
    taken = np.int64(0)
    for seat in range(table.seats):
        if table.status[seat] != EMPTY and seat != imagined:
            taken |= _hole_set(table, seat)
    for j in range(1, aivat.n_hands):
        if _bits(aivat.hands[j]) & taken == 0:
            aivat.weights[j] = 1.0
    return imagined


@kernel
def _hole_set(table: TableRecord, seat: Int) -> Int:
    hole_0, hole_1 = hole_cards(table, seat)
    return card_bit(hole_0) | card_bit(hole_1)


@kernel
def _bits(hand: I64) -> Int:
    return card_bit(hand[0]) | card_bit(hand[1])


@kernel
def _hold(table: TableRecord, imagined: Int, j: Int, aivat: AivatRecord) -> None:
    """Write one hand of the set into the imagined player's cards."""
    if imagined != NO_PLAYER:
        for i in range(2):
            table.cards[2 * imagined + i] = aivat.hands[j, i]


# --- shares of the pot ---------------------------------------------------------------------------


@kernel
def _find_shares(
    table: TableRecord,
    imagined: Int,
    street: Int,
    live: Int,
    counter: CounterRecord,
    aivat: AivatRecord,
) -> None:
    """Find the seats' all-in shares for the board of a street, for all imagined hands."""
    if aivat.shares_street == street and aivat.shares_live == live:
        return
    aivat.shares_street = street
    aivat.shares_live = live
    counter.board = 0
    for i in range(2 * table.seats, 2 * table.seats + (street + 2 if street > PREFLOP else 0)):
        counter.board |= card_bit(table.cards[i])
    for j in range(aivat.n_hands):
        if aivat.weights[j] == 0.0:
            continue
        _hold(table, imagined, j, aivat)
        counter.n = 0
        counter.dead = 0
        for seat in range(table.seats):
            if table.status[seat] == EMPTY:
                continue
            if live >> seat & 1:
                for i in range(2):
                    counter.cards[counter.n, i] = table.cards[2 * seat + i]
                counter.n += 1
            else:
                counter.dead |= _hole_set(table, seat)
        find_shares(counter)
        n = 0
        for seat in range(table.seats):
            aivat.shares[j, seat] = 0.0
            if live >> seat & 1:
                aivat.shares[j, seat] = counter.share[n]
                n += 1
    _hold(table, imagined, 0, aivat)


@kernel
def _guess_shares(table: TableRecord, imagined: Int, live: Int, aivat: AivatRecord) -> None:
    """Approximate preflop shares of more than two hands from each hand separately."""
    aivat.shares_street = _NO_SHARES
    for j in range(aivat.n_hands):
        if aivat.weights[j] == 0.0:
            continue
        _hold(table, imagined, j, aivat)
        total = 0.0
        for seat in range(table.seats):
            aivat.shares[j, seat] = 0.0
            if live >> seat & 1:
                aivat.shares[j, seat] = _strength(table, seat, aivat) ** 2
                total += aivat.shares[j, seat]
        for seat in range(table.seats):
            aivat.shares[j, seat] /= total
    _hold(table, imagined, 0, aivat)


@kernel
def _strength(table: TableRecord, seat: Int, aivat: AivatRecord) -> Float:
    a, b = hole_cards(table, seat)
    return aivat.strengths[preflop_class(max(a, b), min(a, b))]


@kernel
def _average_shares(table: TableRecord, aivat: AivatRecord, into: F64) -> None:
    """Mean shares of the seats over the imagined hands."""
    total = 0.0
    for seat in range(table.seats):
        into[seat] = 0.0
    for j in range(aivat.n_hands):
        weight = aivat.weights[j]
        if weight > 0.0:
            total += weight
            for seat in range(table.seats):
                into[seat] += weight * aivat.shares[j, seat]
    for seat in range(table.seats):
        into[seat] /= total


# --- cards ---------------------------------------------------------------------------------------


@kernel
def _deal_hands(
    table: TableRecord, imagined: Int, counter: CounterRecord, aivat: AivatRecord
) -> None:
    """Add the corrections of the hole cards."""
    spot = aivat.spot
    live = np.int64(0)
    n = np.int64(0)
    for seat in range(table.seats):
        if table.status[seat] != EMPTY:
            live |= np.int64(1) << seat
            n += 1
    spot.event = BEFORE_HANDS
    spot.live = n
    spot.big_blind = table.big_blind
    spot.pot = table.big_blind
    spot.share = 1.0 / n
    if n == 2:
        spot.position = 0
        _find_shares(table, imagined, PREFLOP, live, counter, aivat)
        _average_shares(table, aivat, aivat.before)
        scale = _call_value_function(aivat.value_function, spot, aivat.numbers[:]) * table.big_blind
        for seat in range(table.seats):
            if live >> seat & 1:
                change = aivat.before[seat] - 0.5
                aivat.corrections[seat] += scale * change
                add_row(spot, seat, False, change * table.big_blind, 0.0, aivat)
        return
    total = 0.0
    for seat in range(table.seats):
        if live >> seat & 1:
            spot.position = (seat - table.button) % table.seats
            change = _mean_strength(table, imagined, seat, aivat) - aivat.mean_strength
            aivat.before[seat] = change * table.big_blind
            scale = _call_value_function(aivat.value_function, spot, aivat.numbers[:])
            aivat.corrections[seat] = scale * aivat.before[seat]
            total += aivat.corrections[seat]
    for seat in range(table.seats):
        if live >> seat & 1:
            # Zero-sum: what one seat wins by its cards the others lose.
            shared = (total - aivat.corrections[seat]) / (n - 1)
            aivat.corrections[seat] -= shared
            spot.position = (seat - table.button) % table.seats
            add_row(spot, seat, False, aivat.before[seat], 0.0, aivat)


@kernel
def _mean_strength(table: TableRecord, imagined: Int, seat: Int, aivat: AivatRecord) -> Float:
    """Mean strength over the imagined hole cards."""
    if seat != imagined:
        return _strength(table, seat, aivat)
    total, found = 0.0, 0.0
    for j in range(aivat.n_hands):
        if aivat.weights[j] > 0.0:
            _hold(table, imagined, j, aivat)
            total += aivat.weights[j]
            found += aivat.weights[j] * _strength(table, seat, aivat)
    _hold(table, imagined, 0, aivat)
    return found / total


@kernel
def _open_street(
    table: TableRecord, imagined: Int, note: NoteRecord, counter: CounterRecord, aivat: AivatRecord
) -> None:
    """Add the corrections of a street's board cards; the note is that of its first decision."""
    live, street = note.live, note.street
    _find_shares(table, imagined, street - 1, live, counter, aivat)
    _average_shares(table, aivat, aivat.before)
    spot = aivat.spot
    spot.event = BEFORE_CARDS
    spot.street = street
    spot.live = popcount(live)
    spot.share = 0.0
    for seat in range(table.seats):
        spot.share = max(spot.share, aivat.before[seat])
    spot.pot = note.pot
    spot.room = _room(note, 0.0, note.pot)
    spot.big_blind = table.big_blind
    scale = _call_value_function(aivat.value_function, spot, aivat.numbers[:]) * note.pot
    if imagined != NO_PLAYER:
        first = 2 * table.seats
        for i in range(first + (0 if street == PREFLOP + 1 else street + 1), first + street + 2):
            card = card_bit(table.cards[i])
            for j in range(1, aivat.n_hands):
                if _bits(aivat.hands[j]) & card:
                    aivat.weights[j] = 0.0
    _find_shares(table, imagined, street, live, counter, aivat)
    after = counter.share
    _average_shares(table, aivat, after)
    for seat in range(table.seats):
        if live >> seat & 1:
            change = after[seat] - aivat.before[seat]
            aivat.corrections[seat] += scale * change
            expected = aivat.before[seat] * note.pot - note.hand_bets[seat]
            add_row(spot, seat, False, change * note.pot, expected, aivat)


@kernel
def _room(note: NoteRecord, chips: Float, pot: Int | Float) -> Float:
    """Chips that can still be bet after the actor's action, in pots."""
    room = max(0.0, note.behind - chips)
    if note.limit:
        room = min(room, np.float64(note.limit))
    return room / pot


# --- actions -------------------------------------------------------------------------------------


@kernel
def _take_action(
    table: TableRecord, imagined: Int, note: NoteRecord, counter: CounterRecord, aivat: AivatRecord
) -> None:
    """Add the corrections of the random choice of an action."""
    seat, live = note.seat, note.live
    if note.street > PREFLOP or popcount(live) == 2 == _dealt_in(table):
        _find_shares(table, imagined, note.street, live, counter, aivat)
    else:
        _guess_shares(table, imagined, live, aivat)
    if not note.known:
        _record_action(table, note, aivat)
        return
    own = seat == imagined
    total, expected, total_after, came = 0.0, 0.0, 0.0, 0.0
    for j in range(aivat.n_hands):
        weight = aivat.weights[j]
        if weight == 0.0:
            continue
        chances = note.chances[j if own else 0]
        total += weight
        for k in range(N_CLASSES):
            if chances[k] > 0.0:
                value = _value_of(table, note, k, aivat.shares[j, seat], aivat)
                expected += weight * chances[k] * value
                if k == note.taken:
                    after = weight * chances[k] if own else weight
                    total_after += after
                    came += after * value
    correction = came / total_after - expected / total
    n_opponents = popcount(live) - 1
    for other in range(table.seats):
        if live >> other & 1:
            aivat.corrections[other] += correction if other == seat else -correction / n_opponents
    if own:
        for j in range(aivat.n_hands):
            aivat.weights[j] *= note.chances[j, note.taken]
    _record_action(table, note, aivat)


@kernel
def _dealt_in(table: TableRecord) -> Int:
    n = 0
    for seat in range(table.seats):
        n += table.status[seat] != EMPTY
    return n


@kernel
def _value_of(
    table: TableRecord, note: NoteRecord, k: Int, share: Float, aivat: AivatRecord
) -> Float:
    """Future value of an action class for the actor, in chips."""
    if k == _FOLDS:
        return 0.0
    chips = np.float64(note.to_call) if k == _CALLS else note.chips[k]
    _set_spot(table, note, k, chips, share, aivat)
    spot = aivat.spot
    return _call_value_function(aivat.value_function, spot, aivat.numbers[:]) * spot.pot - chips


@kernel
def _set_spot(
    table: TableRecord, note: NoteRecord, k: Int, chips: Float, share: Float, aivat: AivatRecord
) -> None:
    spot = aivat.spot
    spot.event = AFTER_ACTION
    spot.street = note.street
    spot.live = popcount(note.live)
    spot.share = share
    spot.pot = note.pot + chips
    spot.room = _room(note, chips, spot.pot)
    spot.big_blind = table.big_blind
    spot.is_last = 0
    if k == _CALLS:
        spot.action_kind = ENDS_STREET if note.call_ends else CHECKS_OR_CALLS
        spot.is_last = note.call_is_last
    else:
        called = np.float64(note.pot + note.to_call)
        spot.action_kind = raise_class((chips - note.to_call) / called, note.street)


@kernel
def _record_action(table: TableRecord, note: NoteRecord, aivat: AivatRecord) -> None:
    """Add the taken action as a data row, for fitting a table."""
    if not aivat.fits or note.taken == _FOLDS:
        return
    seat = note.seat
    chips = np.float64(note.put_in)
    _set_spot(table, note, note.taken, chips, aivat.shares[0, seat], aivat)
    spot = aivat.spot
    if not spot.is_last:
        expected = spot.share * spot.pot - note.hand_bets[seat] - chips
        add_row(spot, seat, True, spot.pot, expected, aivat)


# --- the result ----------------------------------------------------------------------------------


@kernel
def _find_base(
    table: TableRecord, imagined: Int, counter: CounterRecord, adjusted: I64, aivat: AivatRecord
) -> None:
    """Find the seats' results, with expected values for pots after the end of betting."""
    for seat in range(table.seats):
        aivat.base[seat] = 0.0
    total = 0.0
    if table.showdown == 0 or (imagined == NO_PLAYER and not is_all_in(table)):
        write_result(table, adjusted)
        for seat in range(table.seats):
            aivat.base[seat] = adjusted[seat]
        return
    for j in range(aivat.n_hands):
        weight = aivat.weights[j]
        if weight == 0.0:
            continue
        _hold(table, imagined, j, aivat)
        take_question(table, counter)
        for seat in range(table.seats):
            adjusted[seat] = -table.hand_bet[seat] * PARTS
        for pot in range(table.pots):
            pay_shares(table, pot, counter, adjusted)
        total += weight
        for seat in range(table.seats):
            aivat.base[seat] += weight * adjusted[seat]
    _hold(table, imagined, 0, aivat)
    for seat in range(table.seats):
        aivat.base[seat] /= total


@kernel
def _pay(table: TableRecord, adjusted: I64, aivat: AivatRecord) -> None:
    """Write base minus corrections in integer parts, preserving the sum over the seats."""
    last = NO_PLAYER
    left = np.int64(0)
    for seat in range(table.seats):
        if table.status[seat] != EMPTY:
            left += (table.won[seat] - table.hand_bet[seat]) * PARTS
            last = seat
    for seat in range(table.seats):
        if table.status[seat] != EMPTY and seat != last:
            parts = np.floor(aivat.base[seat] - aivat.corrections[seat] * PARTS + 0.5)
            adjusted[seat] = np.int64(parts)
            left -= adjusted[seat]
    adjusted[last] = left
