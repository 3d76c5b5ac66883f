"""Betting, independent of the cards: antes, blinds, legal raises, actions, the player to act.

The kernels work on a table record without cards, so they suit any poker game; ``holdem`` opens the
streets and deals. The environments check the arguments.

Decisions where rule books differ: antes are posted before blinds and never count towards a bet; the
amount to call before the flop is measured against the full big blind even if its owner is short. A
big blind who pays the ante for the table posts the blind first, then as much of the ante as
possible (TDA 2024, "big blind first"). In fixed-limit every all-in raise counts as one of the bets
of the street, and the next raise is a full bet above it. With ``two_calls`` a street ends after two
checks or calls in a row: the called player has another turn with nothing to call, and may raise
again (J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker*, MCS thesis, Dalhousie
University, 2016, section 4.2.1).

Dead chips are not bets: no player has to match them, and the winner of the main pot gets all of
them. An ante that the big blind pays for the table is the ``dead_ante`` of the table record, which
the ``hand_bet`` of the big blind includes. Other dead chips, such as missed blinds in a recorded
hand, are in the pot alone.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.game.table import (
    ACTIVE,
    ALL_IN,
    BY_BIG_BLIND,
    CHECK_OR_CALL,
    EMPTY,
    FIXED_LIMIT,
    FOLD,
    FOLDED,
    NO_PLAYER,
    NO_STRADDLE,
    ON_BUTTON,
    POT_LIMIT,
    PREFLOP,
    TableRecord,
)
from nlhe_env.jit.array_types import I8, I64, Int, Truth
from nlhe_env.jit.compilation import kernel

USUAL_MAX_BETS = 4  # of fixed-limit: a bet and three raises a street
STRADDLE = 2  # big blinds

FOLDS, CALLS, RAISES = range(3)
"""Kinds of actions: a check is a call, a bet a raise."""


@kernel
def next_player(table: TableRecord, seat: Int) -> Int:
    """The next occupied seat clockwise (``seat`` itself at the end)."""
    for _ in range(table.seats):
        seat += 1
        if seat == table.seats:
            seat = 0
        if table.player[seat] >= 0:
            break
    return seat


@kernel
def _put_in(table: TableRecord, seat: Int, chips: Int) -> Int:
    """Move up to ``chips`` of a stack into the pot; returns the chips moved."""
    paid = min(chips, table.stack[seat])
    table.stack[seat] -= paid
    table.hand_bet[seat] += paid
    table.pot += paid
    if paid > 0 and table.stack[seat] == 0:
        table.status[seat] = ALL_IN
        table.active -= 1
    return paid


@kernel
def _bet(table: TableRecord, seat: Int, chips: Int) -> Int:
    """Move chips into the pot as part of this street's bet; returns the chips moved."""
    paid = _put_in(table, seat, chips)
    table.street_bet[seat] += paid
    table.street_chips[table.street, seat] += paid
    return paid


@kernel
def begin(table: TableRecord, full_raise: Int) -> None:
    """Clear the betting of the last hand; every player at the table is in the new one.

    Args:
        table: A record with at least two players, all with chips.
        full_raise: Chips of a full bet on the first street.
    """
    table.street = PREFLOP
    table.pot = 0
    table.straddle = 0
    table.dead_ante = 0
    table.current_bet = 0
    table.bets = 0
    table.full_raise = full_raise
    table.street_chips.fill(0)
    table.raises.fill(0)
    table.calls.fill(0)
    table.unfolded = 0
    for seat in range(table.seats):
        table.starting_stack[seat] = table.stack[seat]
        table.street_bet[seat] = 0
        table.hand_bet[seat] = 0
        table.bet_when_acted[seat] = -1
        table.decisions[seat] = 0
        if table.player[seat] >= 0:
            table.status[seat] = ACTIVE
            table.unfolded += 1
        else:
            table.status[seat] = EMPTY
    table.active = table.unfolded


@kernel
def post_antes(table: TableRecord) -> None:
    """Post every player's ante, or the rest of a shorter stack."""
    for seat in range(table.seats):
        if table.status[seat] == ACTIVE:
            _put_in(table, seat, table.ante)


@kernel
def small_blind_seat(table: TableRecord) -> Int:
    """Seat of the small blind: heads-up the button itself."""
    return next_player(table, table.button) if table.players > 2 else table.button


@kernel
def big_blind_seat(table: TableRecord) -> Int:
    """Seat of the big blind."""
    return next_player(table, small_blind_seat(table))


@kernel
def post_blinds(table: TableRecord) -> Int:
    """Post small and big blind; returns the seat of the big blind."""
    small, big = small_blind_seat(table), big_blind_seat(table)
    _bet(table, small, table.small_blind)
    _bet(table, big, table.big_blind)
    table.current_bet = table.big_blind
    table.bets = 1
    return big


@kernel
def post_big_blind_ante(table: TableRecord) -> None:
    """Post the big blind's ante for the table after the blind, or the rest of a shorter stack."""
    table.dead_ante = _put_in(table, big_blind_seat(table), table.ante)


@kernel
def straddler(table: TableRecord) -> Int:
    """Seat that straddles in a started hand, or ``NO_PLAYER``.

    There is no straddle with two players, or with less than a full straddle left after the ante.
    """
    if table.straddling == NO_STRADDLE or table.players == 2:
        return NO_PLAYER
    seat = table.button
    if table.straddling != ON_BUTTON:
        seat = next_player(table, big_blind_seat(table))
    chips = table.starting_stack[seat] - ante_of(table, seat)
    return seat if chips >= STRADDLE * table.big_blind else NO_PLAYER


@kernel
def last_blind_seat(table: TableRecord) -> Int:
    """Seat of the last blind or straddle; betting begins to its left."""
    seat = straddler(table)
    return seat if seat != NO_PLAYER else big_blind_seat(table)


@kernel
def post_straddle(table: TableRecord, seat: Int) -> None:
    """Post a straddle: a blind that all must match, which is also the size of a full raise."""
    table.straddle = STRADDLE * table.big_blind
    _bet(table, seat, table.straddle)
    table.current_bet = table.straddle
    table.full_raise = table.straddle


@kernel
def ante_of(table: TableRecord, seat: Int) -> Int:
    """Ante of a seat in chips, paid or due, limited by its stack at the start of the hand."""
    chips = table.starting_stack[seat]
    if table.ante_by == BY_BIG_BLIND:
        if table.ante == 0 or seat != big_blind_seat(table):
            return np.int64(0)
        chips = max(np.int64(0), chips - table.big_blind)
    return min(table.ante, chips)


@kernel
def post_these(table: TableRecord, blinds: I64) -> None:
    """Post a blind for each seat, ``(seats,)`` chips; the largest must be matched."""
    for seat in range(table.seats):
        _bet(table, seat, blinds[seat])
        table.current_bet = max(table.current_bet, blinds[seat])
    table.bets = 1


@kernel
def open_street(table: TableRecord, full_raise: Int) -> None:
    """Begin the next street, with the size of a full bet in chips."""
    table.street += 1
    table.current_bet = 0
    table.bets = 0
    table.full_raise = full_raise
    for seat in range(table.seats):
        table.street_bet[seat] = 0
        table.bet_when_acted[seat] = -1


@kernel
def next_to_decide(table: TableRecord, seat: Int) -> Int:
    """The next seat after ``seat`` that must decide on this street, or ``NO_PLAYER``."""
    for _ in range(table.seats):
        seat += 1
        if seat == table.seats:
            seat = 0
        if table.status[seat] == ACTIVE and (
            table.bet_when_acted[seat] < 0 or table.street_bet[seat] < table.current_bet
        ):
            if table.active == 1 and _is_covered(table, seat):
                return NO_PLAYER
            return seat
    return NO_PLAYER


@kernel
def _is_covered(table: TableRecord, seat: Int) -> Truth:
    """Whether a seat has matched all other bets, with all other players all-in or out.

    ``current_bet`` does not suffice: it is the full big blind even if its owner could not pay it.
    """
    for other in range(table.seats):
        if (
            other != seat
            and table.status[other] == ALL_IN
            and table.street_bet[other] > table.street_bet[seat]
        ):
            return False
    return True


@kernel
def amount_to_call(table: TableRecord) -> Int:
    """Chips the actor must add to stay in, at most its stack."""
    return amount_owed(table, table.actor)


@kernel
def amount_owed(table: TableRecord, seat: Int) -> Int:
    """Chips that a seat would have to add to call, at most its stack; 0 for an empty seat too."""
    return max(np.int64(0), min(table.current_bet - table.street_bet[seat], table.stack[seat]))


@kernel
def is_unraised(table: TableRecord) -> Truth:
    """Whether there is no bet on this street; before the flop, no bet besides the blinds."""
    return table.bets == np.int64(table.street == PREFLOP)


@kernel
def legal_raise(table: TableRecord) -> tuple[Int, Int]:
    """Minimum and maximum raise of the actor, as raise-to chips; (0, 0) if it may not raise.

    An all-in below the minimum raise is legal; then both are equal.
    """
    seat = table.actor
    most = table.street_bet[seat] + table.stack[seat]
    if most <= table.current_bet or table.active <= 1 or _is_capped(table):
        return 0, 0
    # A short all-in does not reopen the betting for those who have acted, unless what they face
    # adds up to a full raise; in fixed-limit to half of one (TDA rule "Re-Opening the Bet").
    acted = table.bet_when_acted[seat]
    if acted >= 0:
        faced = table.current_bet - acted
        if table.betting == FIXED_LIMIT:
            faced *= 2
        if faced < table.full_raise:
            return 0, 0
    # A raise that no other player can match would only be returned.
    useless = True
    for other in range(table.seats):
        if (
            other != seat
            and table.status[other] == ACTIVE
            and table.street_bet[other] + table.stack[other] > table.current_bet
        ):
            useless = False
            break
    if useless:
        return 0, 0
    least = table.current_bet + table.full_raise
    if table.betting == FIXED_LIMIT:
        most = min(most, least)
    elif table.betting == POT_LIMIT:
        # The maximum is the current bet plus the pot after calling.
        to_call = table.current_bet - table.street_bet[seat]
        most = min(most, max(least, table.current_bet + table.pot + to_call))
    return min(least, most), most


@kernel
def _is_capped(table: TableRecord) -> Truth:
    """Whether fixed-limit allows no more raises on this street."""
    if table.betting != FIXED_LIMIT:
        return False
    if table.max_bets > 0:
        return table.bets >= table.max_bets
    dealt_in = 0
    for seat in range(table.seats):
        dealt_in += table.status[seat] != EMPTY
    return dealt_in > 2 and table.bets >= USUAL_MAX_BETS


@kernel
def _count(counts: I8, street: Int, seat: Int) -> None:
    """Add one to an int8 count, up to its limit."""
    if counts[street, seat] < 127:
        counts[street, seat] += 1


@kernel
def take(table: TableRecord, action: Int) -> None:
    """Execute a legal action of the actor; ``next_to_decide`` then finds the next player to act.

    Args:
        table: A record with an actor.
        action: ``FOLD``, ``CHECK_OR_CALL``, or n >= 1 to raise to n chips on this street.
    """
    seat = table.actor
    table.decisions[seat] += 1
    if action == FOLD:
        table.status[seat] = FOLDED
        table.unfolded -= 1
        table.active -= 1
    elif action == CHECK_OR_CALL:
        _count(table.calls, table.street, seat)
        if _bet(table, seat, table.current_bet - table.street_bet[seat]) > 0 and table.two_calls:
            table.bet_when_acted[1 - seat] = -1  # heads-up: the call was the first in a row
        table.bet_when_acted[seat] = table.current_bet
    else:
        _count(table.raises, table.street, seat)
        _bet(table, seat, action - table.street_bet[seat])
        raised_by = action - table.current_bet
        table.full_raise = max(table.full_raise, raised_by)
        table.current_bet = action
        table.bets += 1
        table.bet_when_acted[seat] = action


@kernel
def live_bet(table: TableRecord, seat: Int) -> Int:
    """Chips that a seat has put in during the hand, without dead chips."""
    if table.dead_ante > 0 and seat == big_blind_seat(table):
        return table.hand_bet[seat] - table.dead_ante
    return table.hand_bet[seat]


@kernel
def winnable_pot(table: TableRecord, seat: Int) -> Int:
    """Chips that a player would collect by winning now, after calling.

    The dead chips, and the sum over all players of the smaller of their and the player's own total
    bets: the pot less what exceeds the player's own.
    """
    owed = amount_owed(table, seat)
    pot = table.pot
    if pot == 0:  # the hand is paid
        for other in range(table.seats):
            pot += table.hand_bet[other]
    if table.dead_ante > 0:
        own = live_bet(table, seat) + owed
        for other in range(table.seats):
            pot -= max(np.int64(0), live_bet(table, other) - own)
        return pot
    own = table.hand_bet[seat] + owed
    for other in range(table.seats):
        pot -= max(np.int64(0), table.hand_bet[other] - own)
    return pot


@kernel
def action_kind_of(action: Int) -> Int:
    """Kind of an action of the game: ``FOLDS``, ``CALLS`` or ``RAISES``."""
    return FOLDS if action == FOLD else CALLS if action == CHECK_OR_CALL else RAISES
