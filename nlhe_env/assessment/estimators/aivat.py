"""AIVAT: results of hands less the effect of cards and of known players' random choices.

At every step whose probabilities are known (cards always, actions where the player gives them) a
correction is subtracted: the value function of what happened less its expectation. The mean of a
correction is zero, so that the estimate is unbiased with any value function; a good one removes
more variance.

Imaginary observations: the hole cards of one known player are one of a set of hands, each as likely
as the player's own actions make it. Everything is averaged over the set, which keeps the estimate
unbiased.

Source: N. Burch, M. Schmid, M. Moravcik, D. Morrill, M. Bowling, "AIVAT: A New Variance Reduction
Technique for Agent Evaluation in Imperfect Information Games", AAAI 2018, arXiv:1612.06915. Here
the value of cards is linear in the exact all-in shares, and the set of imagined hands is drawn
instead of complete.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.assessment.estimators.aivat_rows import add_row, write_rows
from nlhe_env.assessment.estimators.aivat_terms import AIVAT, N_CLASSES
from nlhe_env.assessment.estimators.aivat_values import (
    AFTER_ACTION,
    BEFORE_CARDS,
    BEFORE_HANDS,
    CHECKS_OR_CALLS,
    ENDS_STREET,
    VALUE_KERNEL,
    raise_class,
)
from nlhe_env.assessment.estimators.all_in import is_all_in, pay_shares, take_question
from nlhe_env.assessment.estimators.estimator import PARTS, write_result
from nlhe_env.equity.all_in.shares import COUNTER, find_shares
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.game.table import EMPTY, NO_PLAYER, PREFLOP
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
def estimate_aivat(table, state, adjusted):
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
def _begin(table, aivat):
    """Clear the last hand; returns the seat whose hole cards are imagined, or ``NO_PLAYER``."""
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
            taken |= _hole_cards(table, seat)
    for j in range(1, aivat.n_hands):
        if _bits(aivat.hands[j]) & taken == 0:
            aivat.weights[j] = 1.0
    return imagined


@kernel
def _hole_cards(table, seat):
    return card_bit(table.cards[2 * seat]) | card_bit(table.cards[2 * seat + 1])


@kernel
def _bits(hand):
    return card_bit(hand[0]) | card_bit(hand[1])


@kernel
def _hold(table, imagined, j, aivat):
    """Write one of the considered hands into the imagined player's cards."""
    if imagined != NO_PLAYER:
        for i in range(2):
            table.cards[2 * imagined + i] = aivat.hands[j, i]


# --- shares of the pot ---------------------------------------------------------------------------


@kernel
def _find_shares(table, imagined, street, live, counter, aivat):
    """Find the all-in shares of the seats given the board of a street, for all imagined hands."""
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
                counter.dead |= _hole_cards(table, seat)
        find_shares(counter)
        n = 0
        for seat in range(table.seats):
            aivat.shares[j, seat] = 0.0
            if live >> seat & 1:
                aivat.shares[j, seat] = counter.share[n]
                n += 1
    _hold(table, imagined, 0, aivat)


@kernel
def _guess_shares(table, imagined, live, aivat):
    """Approximate the shares of more than two hands before the flop, from each hand by itself."""
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
def _strength(table, seat, aivat):
    a, b = np.int64(table.cards[2 * seat]), np.int64(table.cards[2 * seat + 1])
    return aivat.strengths[preflop_class(max(a, b), min(a, b))]


@kernel
def _average_shares(table, aivat, into):
    """Shares of the seats on average over the imagined hands."""
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
def _deal_hands(table, imagined, counter, aivat):
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
        scale = _call_value_function(aivat.worth, spot, aivat.numbers[:]) * table.big_blind
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
            scale = _call_value_function(aivat.worth, spot, aivat.numbers[:])
            aivat.corrections[seat] = scale * aivat.before[seat]
            total += aivat.corrections[seat]
    for seat in range(table.seats):
        if live >> seat & 1:
            # Zero-sum: what one seat wins by its cards the others lose.
            others = (total - aivat.corrections[seat]) / (n - 1)
            aivat.corrections[seat] -= others
            spot.position = (seat - table.button) % table.seats
            add_row(spot, seat, False, aivat.before[seat], 0.0, aivat)


@kernel
def _mean_strength(table, imagined, seat, aivat):
    """Strength of hole cards by themselves, on average over those that are considered."""
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
def _open_street(table, imagined, note, counter, aivat):
    """Add the corrections of a street's board cards; the note is of its first decision."""
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
    scale = _call_value_function(aivat.worth, spot, aivat.numbers[:]) * note.pot
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
def _room(note, chips, pot):
    """Chips that may still be bet after the actor has put some in, in pots."""
    room = max(0.0, note.behind - chips)
    if note.limit:
        room = min(room, np.float64(note.limit))
    return room / pot


# --- actions -------------------------------------------------------------------------------------


@kernel
def _take_action(table, imagined, note, counter, aivat):
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
    others = popcount(live) - 1
    for other in range(table.seats):
        if live >> other & 1:
            aivat.corrections[other] += correction if other == seat else -correction / others
    if own:
        for j in range(aivat.n_hands):
            aivat.weights[j] *= note.chances[j, note.taken]
    _record_action(table, note, aivat)


@kernel
def _dealt_in(table):
    n = 0
    for seat in range(table.seats):
        n += table.status[seat] != EMPTY
    return n


@kernel
def _value_of(table, note, k, share, aivat):
    """Value in chips, from here on, of an action of a class for the actor."""
    if k == _FOLDS:
        return 0.0
    chips = np.float64(note.to_call) if k == _CALLS else note.chips[k]
    _set_spot(table, note, k, chips, share, aivat)
    spot = aivat.spot
    return _call_value_function(aivat.worth, spot, aivat.numbers[:]) * spot.pot - chips


@kernel
def _set_spot(table, note, k, chips, share, aivat):
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
        spot.deed = ENDS_STREET if note.call_ends else CHECKS_OR_CALLS
        spot.is_last = note.call_is_last
    else:
        called = np.float64(note.pot + note.to_call)
        spot.deed = raise_class((chips - note.to_call) / called, note.street)


@kernel
def _record_action(table, note, aivat):
    """Add the action that was taken as a row of data, if a table is fitted."""
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
def _find_base(table, imagined, counter, adjusted, aivat):
    """Find the results of the seats, with pots whose betting is over at their expectation."""
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
def _pay(table, adjusted, aivat):
    """Write base less corrections in whole parts; the sum over the seats stays as it was."""
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
