"""The rules of one hand of Texas Hold'em, as kernels on a table record.

``start_hand`` posts and deals, ``legal_raise`` and ``amount_to_call`` say what the actor may do,
``act`` does it and moves on, ``settle`` pays the pots. A hand is over when ``table.actor`` is
``NOBODY``. Nothing here checks its caller: the doors do.

Rules that differ from book to book, as decided here: the button moves to the next live player
(no dead button); antes are posted before blinds and never count towards a bet; the amount to call
before the flop is measured against the full big blind even if its owner is short. In fixed-limit
every all-in raise counts as one of the bets of the street, and the next raise is a full one on top.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.evaluator import rank_from_suits
from nlhe_env.game.dealing import deal
from nlhe_env.game.table import (
    ACTIVE,
    ALL_IN,
    CHECK_OR_CALL,
    EMPTY,
    FIXED_LIMIT,
    FLOP,
    FOLD,
    FOLDED,
    NOBODY,
    POT_LIMIT,
    PREFLOP,
    RIVER,
    TURN,
)
from nlhe_env.machine.compilation import kernel

USUAL_MAX_BETS = 4  # of fixed-limit: a bet and three raises a street


@kernel
def next_player(table, seat):
    """The next seat clockwise that somebody sits in (``seat`` itself at the end)."""
    for _ in range(table.seats):
        seat += 1
        if seat == table.seats:
            seat = 0
        if table.player[seat] >= 0:
            break
    return seat


@kernel
def _put_in(table, seat, chips):
    """Move up to ``chips`` of a stack into the pot; returns what was moved."""
    paid = min(chips, table.stack[seat])
    table.stack[seat] -= paid
    table.hand_bet[seat] += paid
    table.pot += paid
    if paid > 0 and table.stack[seat] == 0:
        table.status[seat] = ALL_IN
        table.active -= 1
    return paid


@kernel
def _bet(table, seat, chips):
    """Put chips in that count towards the bet of this street; returns what was moved."""
    paid = _put_in(table, seat, chips)
    table.street_bet[seat] += paid
    table.street_chips[table.street, seat] += paid
    return paid


@kernel
def start_hand(table, hand, small_blind, big_blind, ante, seed, tournament):
    """Move the button, deal, post antes and blinds, and find the first to act.

    Args:
        table: A record with at least two players, every one with chips.
        hand: Number of the hand; with ``table.number`` it determines the cards.
        small_blind: Chips.
        big_blind: Chips.
        ante: Chips.
        seed: Of the random stream.
        tournament: Of the random stream.
    """
    if table.hands_dealt > 0:
        table.button = next_player(table, table.button)
    table.hands_dealt += 1
    table.hand = hand
    table.small_blind = small_blind
    table.big_blind = big_blind
    table.ante = ante
    deal(table, seed, tournament)

    table.street = PREFLOP
    table.board_cards = 0
    table.pot = 0
    table.showdown = 0
    table.pots = 0
    table.street_chips[:] = 0
    table.raises[:] = 0
    table.calls[:] = 0
    table.unfolded = 0
    for seat in range(table.seats):
        table.starting_stack[seat] = table.stack[seat]
        table.street_bet[seat] = 0
        table.hand_bet[seat] = 0
        table.bet_when_acted[seat] = -1
        table.decisions[seat] = 0
        table.won[seat] = 0
        table.strength_key[seat] = 0
        table.shown[seat] = 0
        if table.player[seat] >= 0:
            table.status[seat] = ACTIVE
            table.unfolded += 1
        else:
            table.status[seat] = EMPTY
    table.active = table.unfolded

    if ante > 0:
        for seat in range(table.seats):
            if table.status[seat] == ACTIVE:
                _put_in(table, seat, ante)
    small_blind_seat = table.button
    if table.unfolded > 2:  # heads-up the button itself posts the small blind
        small_blind_seat = next_player(table, table.button)
    big_blind_seat = next_player(table, small_blind_seat)
    _bet(table, small_blind_seat, small_blind)
    _bet(table, big_blind_seat, big_blind)
    table.current_bet = big_blind
    table.full_raise = big_blind
    table.bets = 1
    _move_on(table, big_blind_seat)


@kernel
def _move_on(table, seat):
    """Find the next decision after ``seat``'s turn, on this street or a later one, or the end."""
    actor = _next_to_decide(table, seat)
    if actor == NOBODY:
        if table.street == RIVER or table.active <= 1:
            table.board_cards = 5  # nobody can bet any more: the board runs out
        else:
            _open_street(table)
            actor = _next_to_decide(table, table.button)
    table.actor = actor


@kernel
def _next_to_decide(table, seat):
    """The next seat after ``seat`` that owes a decision on this street, or ``NOBODY``."""
    for _ in range(table.seats):
        seat += 1
        if seat == table.seats:
            seat = 0
        if table.status[seat] == ACTIVE and (
            table.bet_when_acted[seat] < 0 or table.street_bet[seat] < table.current_bet
        ):
            if table.active == 1 and _is_covered(table, seat):
                return NOBODY
            return seat
    return NOBODY


@kernel
def _is_covered(table, seat):
    """Whether a seat has matched everybody else's bets, who are all all-in or out.

    ``current_bet`` would not do: it is the full big blind also when its owner could not pay it.
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
def _open_street(table):
    """Deal the next street; at least two seats can bet on it."""
    table.street += 1
    table.board_cards = 3 if table.street == FLOP else table.board_cards + 1
    table.current_bet = 0
    table.bets = 0
    table.full_raise = table.big_blind
    if table.betting == FIXED_LIMIT and table.street >= TURN:
        table.full_raise = 2 * table.big_blind  # the big bet
    for seat in range(table.seats):
        table.street_bet[seat] = 0
        table.bet_when_acted[seat] = -1


@kernel
def amount_to_call(table):
    """Chips the actor must add to stay in, at most its stack."""
    seat = table.actor
    return min(table.current_bet - table.street_bet[seat], table.stack[seat])


@kernel
def is_unraised(table):
    """Whether nobody has bet on this street; before the flop, nobody more than the blinds."""
    return table.bets == np.int64(table.street == PREFLOP)


@kernel
def legal_raise(table):
    """The least and the most that the actor may raise to; (0, 0) when it may not raise.

    An all-in below the minimum raise is a legal raise, and then the least equals the most.
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
    # A raise that nobody left could match would only be returned.
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
        # At most the pot as it is after calling is added to the current bet.
        to_call = table.current_bet - table.street_bet[seat]
        most = min(most, max(least, table.current_bet + table.pot + to_call))
    return min(least, most), most


@kernel
def _is_capped(table):
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
def _count(counts, street, seat):
    """Add one to an int8 count, up to its limit."""
    if counts[street, seat] < 127:
        counts[street, seat] += 1


@kernel
def act(table, action):
    """Do a legal action of the actor and move on to the next decision or the end of the hand.

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
        if table.unfolded == 1:
            table.actor = NOBODY
            return
    elif action == CHECK_OR_CALL:
        _count(table.calls, table.street, seat)
        _bet(table, seat, table.current_bet - table.street_bet[seat])
        table.bet_when_acted[seat] = table.current_bet
    else:
        _count(table.raises, table.street, seat)
        _bet(table, seat, action - table.street_bet[seat])
        raised_by = action - table.current_bet
        table.full_raise = max(table.full_raise, raised_by)
        table.current_bet = action
        table.bets += 1
        table.bet_when_acted[seat] = action
    _move_on(table, seat)


@kernel
def hand_ranks(table, ranks):
    """Write the 7-card rank of every unfolded seat into ``ranks``, 0 for the others."""
    first = 2 * table.seats
    clubs = _suit_mask(table.cards, first, 0)
    diamonds = _suit_mask(table.cards, first, 1)
    hearts = _suit_mask(table.cards, first, 2)
    spades = _suit_mask(table.cards, first, 3)
    for seat in range(table.seats):
        if table.status[seat] == ACTIVE or table.status[seat] == ALL_IN:
            a = np.int64(table.cards[2 * seat])
            b = np.int64(table.cards[2 * seat + 1])
            ranks[seat] = rank_from_suits(
                clubs | _bit_in_suit(a, 0) | _bit_in_suit(b, 0),
                diamonds | _bit_in_suit(a, 1) | _bit_in_suit(b, 1),
                hearts | _bit_in_suit(a, 2) | _bit_in_suit(b, 2),
                spades | _bit_in_suit(a, 3) | _bit_in_suit(b, 3),
            )
        else:
            ranks[seat] = 0


@kernel
def _bit_in_suit(card, suit):
    """The rank bit of a card if it is of this suit, else 0."""
    return (np.int64(1) << (card >> 2)) * np.int64((card & 3) == suit)


@kernel
def _suit_mask(cards, first, suit):
    mask = np.int64(0)
    for i in range(first, first + 5):
        mask |= _bit_in_suit(np.int64(cards[i]), suit)
    return mask


@kernel
def return_uncalled(table):
    """Give back what nobody matched of the largest contribution."""
    largest = np.int64(0)
    second = np.int64(0)
    owner = 0
    for seat in range(table.seats):
        chips = table.hand_bet[seat]
        if chips > largest:
            second = largest
            largest = chips
            owner = seat
        elif chips > second:
            second = chips
    uncalled = largest - second
    table.hand_bet[owner] -= uncalled
    table.stack[owner] += uncalled
    table.pot -= uncalled


@kernel
def settle(table, ranks):
    """Pay a hand that is over: uncalled bet, main pot, side pots, odd chips.

    Fills ``won``, ``shown``, ``showdown`` and the ``pot_...`` fields; the pot is empty afterwards.

    Args:
        table: A record whose betting is over.
        ranks: ``(10,)`` int64 scratch; holds the ranks of the shown hands afterwards.
    """
    return_uncalled(table)
    if table.unfolded == 1:
        for seat in range(table.seats):
            if table.status[seat] == ACTIVE or table.status[seat] == ALL_IN:
                table.stack[seat] += table.pot
                table.won[seat] = table.pot
                table.pot_eligible[0] = 1 << seat
                table.pot_winners[0] = 1 << seat
        table.pot_size[0] = table.pot
        table.pots = 1
        table.pot = 0
        return

    table.showdown = 1
    hand_ranks(table, ranks)
    for seat in range(table.seats):
        table.shown[seat] = table.status[seat] == ACTIVE or table.status[seat] == ALL_IN

    below = np.int64(0)
    while table.pot > 0:
        # The next level at which somebody with a claim stopped contributing.
        level = np.int64(0)
        for seat in range(table.seats):
            chips = table.hand_bet[seat]
            if table.shown[seat] and chips > below and (level == 0 or chips < level):
                level = chips
        size = np.int64(0)
        for seat in range(table.seats):
            if table.hand_bet[seat] > below:
                size += min(table.hand_bet[seat], level) - below
        _pay_pot(table, ranks, size, level)
        table.pot -= size
        below = level


@kernel
def _pay_pot(table, ranks, size, level):
    """Split one pot among the best hands that contributed up to ``level``."""
    best = np.int64(-1)
    winners = 0
    eligible_bits = 0
    winner_bits = 0
    for seat in range(table.seats):
        if table.shown[seat] and table.hand_bet[seat] >= level:
            eligible_bits |= 1 << seat
            if ranks[seat] > best:
                best = ranks[seat]
                winners = 1
                winner_bits = 1 << seat
            elif ranks[seat] == best:
                winners += 1
                winner_bits |= 1 << seat
    share = size // winners
    odd = size - share * winners
    seat = table.button
    for _ in range(table.seats):
        seat += 1
        if seat == table.seats:
            seat = 0
        if (winner_bits >> seat) & 1:
            chips = share
            if odd > 0:  # odd chips, one each from the first winner left of the button
                chips += 1
                odd -= 1
            table.stack[seat] += chips
            table.won[seat] += chips
    table.pot_size[table.pots] = size
    table.pot_eligible[table.pots] = eligible_bits
    table.pot_winners[table.pots] = winner_bits
    table.pots += 1
