"""One hand of Texas Hold'em, as kernels on a table record.

``start_hand`` deals and posts blinds, ``act`` executes an action and moves on to the next decision,
street or the end, ``settle`` shows the cards and pays. A hand is over when ``table.actor`` is
``NO_PLAYER``. The environments check the arguments.

The button moves to the next live player; there is no dead button.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.evaluator import rank_from_suits
from nlhe_env.game import betting, pots
from nlhe_env.game.dealing import deal, hole_cards
from nlhe_env.game.table import (
    ACTIVE,
    ALL_IN,
    BY_BIG_BLIND,
    FIXED_LIMIT,
    FLOP,
    NO_PLAYER,
    NO_STRADDLE,
    RIVER,
    TURN,
    TableRecord,
)
from nlhe_env.jit.array_types import I8, I64, Int
from nlhe_env.jit.compilation import kernel


@kernel
def start_hand(
    table: TableRecord,
    hand: Int,
    small_blind: Int,
    big_blind: Int,
    ante: Int,
    seed: Int,
    tournament: Int,
) -> None:
    """Move the button, deal, post antes, blinds and straddle, and find the first player to act.

    Args:
        table: A record with at least two players, all with chips.
        hand: Number of the hand; with ``table.number`` it determines the cards.
        small_blind: Chips.
        big_blind: Chips.
        ante: Chips.
        seed: Seed of the random stream.
        tournament: Number of the tournament in the random stream.
    """
    if table.hands_dealt > 0:
        table.button = betting.next_player(table, table.button)
    table.hands_dealt += 1
    table.hand = hand
    table.small_blind = small_blind
    table.big_blind = big_blind
    table.ante = ante
    deal(table, seed, tournament)
    table.board_cards = 0
    table.shared_cards = 5
    table.showdown = 0
    table.pots = 0
    table.rake = 0
    for seat in range(table.seats):
        table.won[seat] = 0
        table.strength_key[seat] = 0
        table.shown[seat] = 0

    betting.begin(table, big_blind)
    if ante > 0 and table.ante_by != BY_BIG_BLIND:
        betting.post_antes(table)
    last = betting.post_blinds(table)
    if ante > 0 and table.ante_by == BY_BIG_BLIND:
        betting.post_big_blind_ante(table)
    if table.straddling != NO_STRADDLE:
        straddler = betting.straddler(table)
        if straddler != NO_PLAYER:
            betting.post_straddle(table, straddler)
            last = straddler
    _move_on(table, last)


@kernel
def post_explicit_blinds(table: TableRecord, blinds: I64, last: Int, full_raise: Int) -> None:
    """Post explicit blinds of each seat (as in replays) and open the betting.

    Args:
        table: A record without actions yet.
        blinds: ``(seats,)`` chips posted by each seat in place of the usual blinds: small and big
            blind, straddles, and blinds of returning players.
        last: Seat before the first to act.
        full_raise: Chips of a full raise before the flop.
    """
    for seat in range(table.seats):
        table.stack[seat] = table.starting_stack[seat]
    betting.begin(table, full_raise)
    table.board_cards = 0
    table.shared_cards = 5
    if table.ante > 0:
        betting.post_antes(table)
    betting.post_these(table, blinds)
    _move_on(table, last)


@kernel
def act(table: TableRecord, action: Int) -> None:
    """Execute a legal action of the actor and move on to the next decision or the end of the hand.

    Args:
        table: A record with an actor.
        action: ``FOLD``, ``CHECK_OR_CALL``, or n >= 1 to raise to n chips on this street.
    """
    seat = table.actor
    betting.take(table, action)
    if table.unfolded == 1:
        table.actor = NO_PLAYER
    else:
        _move_on(table, seat)


@kernel
def _move_on(table: TableRecord, seat: Int) -> None:
    """Find the next decision after ``seat``, on this street or a later one, or the end."""
    actor = betting.next_to_decide(table, seat)
    if actor == NO_PLAYER:
        if table.street == RIVER or table.active <= 1:
            run_out(table)  # no player can bet any more
        else:
            _open_street(table)
            actor = betting.next_to_decide(table, table.button)
    table.actor = actor


@kernel
def run_out(table: TableRecord) -> None:
    """Deal the rest of the board, twice if the game runs it twice."""
    if table.boards == 2:
        table.shared_cards = table.board_cards
    table.board_cards = 5


@kernel
def _open_street(table: TableRecord) -> None:
    """Deal the next street, on which at least two seats can bet."""
    full_raise = table.big_blind
    if table.betting == FIXED_LIMIT and table.street + 1 >= TURN:
        full_raise = 2 * table.big_blind  # the big bet
    betting.open_street(table, full_raise)
    table.board_cards = 3 if table.street == FLOP else table.board_cards + 1


@kernel
def settle(table: TableRecord, ranks: I64) -> None:
    """Pay a finished hand: uncalled bet, rake, main pot, side pots, odd chips.

    Fills ``won``, ``shown``, ``showdown``, ``rake`` and the ``pot_...`` fields, and with two boards
    ``second_winners``; the pot is empty afterwards.

    Args:
        table: A record whose betting is over.
        ranks: ``(10,)`` int64 scratch; afterwards the ranks of the shown hands on the last board.
    """
    payer: Int = NO_PLAYER
    if table.dead_ante > 0:  # an ante paid for the table is not a bet, so it need not be matched
        payer = betting.big_blind_seat(table)
        table.hand_bet[payer] -= table.dead_ante
    pots.return_uncalled(table)
    if table.unfolded == 1:
        pots.pay_last(table)
    else:
        pots.make_pots(table)
        boards = 1 if table.shared_cards == 5 else 2
        for board in range(boards):
            hand_ranks(table, ranks)
            pots.pay_board(table, ranks, board, boards)
            if boards == 2:
                _swap_boards(table)
    if payer != NO_PLAYER:
        table.hand_bet[payer] += table.dead_ante


@kernel
def _swap_boards(table: TableRecord) -> None:
    """Swap the unshared cards of the two boards."""
    first = 2 * table.seats
    for i in range(first + table.shared_cards, first + 5):
        card = table.cards[i]
        table.cards[i] = table.cards[i + 5]
        table.cards[i + 5] = card


@kernel
def hand_ranks(table: TableRecord, ranks: I64) -> None:
    """Write the 7-card rank of every unfolded seat into ``ranks``, 0 for the others."""
    first = 2 * table.seats
    clubs = _suit_mask(table.cards, first, 0)
    diamonds = _suit_mask(table.cards, first, 1)
    hearts = _suit_mask(table.cards, first, 2)
    spades = _suit_mask(table.cards, first, 3)
    for seat in range(table.seats):
        if table.status[seat] == ACTIVE or table.status[seat] == ALL_IN:
            a, b = hole_cards(table, seat)
            ranks[seat] = rank_from_suits(
                clubs | _bit_in_suit(a, 0) | _bit_in_suit(b, 0),
                diamonds | _bit_in_suit(a, 1) | _bit_in_suit(b, 1),
                hearts | _bit_in_suit(a, 2) | _bit_in_suit(b, 2),
                spades | _bit_in_suit(a, 3) | _bit_in_suit(b, 3),
            )
        else:
            ranks[seat] = 0


@kernel
def _bit_in_suit(card: Int, suit: Int) -> Int:
    """The rank bit of a card if it is of this suit, else 0."""
    return (np.int64(1) << (card >> 2)) * np.int64((card & 3) == suit)


@kernel
def _suit_mask(cards: I8, first: Int, suit: Int) -> Int:
    mask = np.int64(0)
    for i in range(first, first + 5):
        mask |= _bit_in_suit(np.int64(cards[i]), suit)
    return mask
