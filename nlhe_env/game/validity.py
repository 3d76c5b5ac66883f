"""Checks of table records at a decision: ranges, chips, cards, turn.

Kernels trust their records. External records (restored, unpickled or built by hand) are checked
here first: a number out of range would read foreign memory, and an extra chip in the pot would
cause an endless loop.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.game import betting
from nlhe_env.game.rake import MILLION
from nlhe_env.game.table import (
    ACTIVE,
    ALL_IN,
    BY_BIG_BLIND,
    EMPTY,
    FIXED_LIMIT,
    FLOP,
    FOLDED,
    MAX_SEATS,
    MIN_SEATS,
    NO_PLAYER,
    ON_BUTTON,
    PREFLOP,
    RIVER,
    TABLE,
    TableRecord,
    TableRecords,
)
from nlhe_env.jit.array_types import Int, Records, Truth
from nlhe_env.jit.compilation import kernel

_MOST_CHIPS = 2**48  # of one seat: ten of them can be summed
_MOST_HANDS = 2**48
_ALL_CARDS = 2**N_CARDS - 1
_FULL_COUNT = 127  # counts of raises stop here

_FAULTS = (
    "",
    "seats must be 2 to 10",
    "betting and max_bets must be a structure and a cap",
    "blinds and ante must be chips, the small blind at most the big one",
    "hand, hands_dealt and number must be counts",
    "players must be different, of the game, and as many as players says",
    "button must be the seat of a player",
    "street must be 0 to 3, with 0, 3, 4 or 5 cards of the board",
    "cards must be a deck",
    "status must be that of a seat with or without a player, chips and a hand",
    "chips must be what a seat began with, less what it has put in",
    "pot must be all that has been put in",
    "current_bet and full_raise must be those of the bets made",
    "bets, raises and calls must count the bets made",
    "unfolded and active must count the seats in the hand",
    "nothing can be shown or won before the hand is over",
    "actor must be the seat whose turn it is",
    "it must be of the table that plays, with the same players",
    "it must be of the same game: seats, betting, who antes and straddles, rake, boards, two_calls",
    "it must hold the chips of this table",
    "ante_by, straddling, rake, boards and two_calls must be valid options",
    "straddle and dead_ante must be what is put in by these options",
)
(
    _SOUND,
    _SEATS,
    _BETTING,
    _BLINDS,
    _HAND,
    _PLAYERS,
    _BUTTON,
    _STREET,
    _CARDS,
    _STATUS,
    _CHIPS,
    _POT,
    _CURRENT_BET,
    _BETS,
    _COUNTS,
    _PAID,
    _ACTOR,
    _OTHER_TABLE,
    _OTHER_GAME,
    _OTHER_CHIPS,
    _OPTIONS,
    _POSTED,
) = range(len(_FAULTS))

_ANY_NUMBER = 2**31


def check_table(record: np.void, *, n_players: int = _ANY_NUMBER) -> None:
    """Check that a record is valid and at a decision.

    Args:
        record: Record of dtype ``nlhe_env.game.table.TABLE``.
        n_players: Number of players in the game, above all player numbers at the table.

    Raises:
        ValueError: It is no such record; the message says what is wrong with it.
    """
    _refuse(_find_in_first(_one(record), n_players))


def check_pots(record: np.void) -> None:
    """Check that a record is of an unpaid hand with chips that can be divided into pots.

    As in hands from files, the betting may be over, cards may be unknown, and there may be chips in
    the pot that are not bets, such as a missed small blind.

    Raises:
        ValueError: It is no such record; the message says what is wrong with it.
    """
    _refuse(_find_in_chips(_of_a_table(record)))


def check_turn(record: np.void) -> None:
    """Check that a record is at a decision, after any kind of posts.

    Raises:
        ValueError: It is no such record; the message says what is wrong with it.
    """
    _refuse(_find_in_actor(_one(record)))


def check_replacement(record: np.void, game: Records, tables: Records, *, most_chips: int) -> None:
    """Check that a record may replace the current table.

    Args:
        record: Table record at a decision.
        game: ``(1,)`` of dtype ``nlhe_env.game.tournament.GAME``.
        tables: Its tables.
        most_chips: Maximum chips at a cash table; in a tournament the total must not change.

    Raises:
        ValueError: It is no such record; the message says what is wrong with it.
    """
    _refuse(_find_in_replacement(_one(record), game, tables, most_chips))


def _one(record: np.void) -> Records:
    tables = _of_a_table(record)
    if record["actor"] == NO_PLAYER:
        raise ValueError("record must be of a hand in which a player is to act")
    return tables


def _of_a_table(record: np.void) -> Records:
    if not isinstance(record, np.void) or record.dtype != TABLE:
        raise ValueError("record must be a copy of a table record, such as env.unwrapped.table")
    return np.atleast_1d(record)


def _refuse(fault: Int) -> None:
    if fault:
        raise ValueError(f"play cannot continue from record: {_FAULTS[fault]}")


@kernel
def _find_in_first(tables: TableRecords, n_players: Int) -> Int:
    return find_fault(tables[0], n_players)


@kernel
def _find_in_chips(tables: TableRecords) -> Int:
    table = tables[0]
    if not MIN_SEATS <= table.seats <= MAX_SEATS:
        return _SEATS
    if not 0 <= table.button < table.seats:
        return _BUTTON
    pot = np.int64(0)
    claimed = np.int64(0)  # largest contribution on earlier streets by a player with a claim
    given_up = np.int64(0)
    unfolded = 0
    for seat in range(table.seats):
        chips = table.hand_bet[seat]
        if not 0 <= table.street_bet[seat] <= chips <= _MOST_CHIPS:
            return _CHIPS
        if not 0 <= table.stack[seat] <= table.starting_stack[seat] <= _MOST_CHIPS:
            return _CHIPS
        put_in = table.starting_stack[seat] - table.stack[seat]
        if chips > put_in:
            return _CHIPS
        pot += put_in
        chips -= table.street_bet[seat]
        if table.dead_ante != 0 and seat == betting.big_blind_seat(table):
            if not 0 < table.dead_ante <= chips:
                return _POSTED
            chips -= table.dead_ante
        if table.status[seat] == ACTIVE or table.status[seat] == ALL_IN:
            unfolded += 1
            claimed = max(claimed, chips)
        else:
            given_up = max(given_up, chips)
    if pot != table.pot or given_up > claimed:
        return _POT
    if unfolded != table.unfolded:
        return _COUNTS
    return _SOUND if table.pots == 0 else _PAID


@kernel
def _find_in_actor(tables: TableRecords) -> Int:
    table = tables[0]
    if not MIN_SEATS <= table.seats <= MAX_SEATS:
        return _SEATS
    if not 0 <= table.actor < table.seats or table.status[table.actor] != ACTIVE:
        return _ACTOR
    return _SOUND


@kernel
def _find_in_replacement(
    records: TableRecords, game: Records, tables: TableRecords, most_chips: Int
) -> Int:
    record = records[0]
    current = tables[game[0].table]
    for seat in range(MAX_SEATS):
        if record.player[seat] != current.player[seat]:
            return _OTHER_TABLE
    if record.number != current.number:
        return _OTHER_TABLE
    if (
        record.seats != current.seats
        or record.betting != current.betting
        or record.max_bets != current.max_bets
        or record.ante_by != current.ante_by
        or record.straddling != current.straddling
        or record.boards != current.boards
        or record.two_calls != current.two_calls
        or record.rake_share != current.rake_share
        or record.rake_cap != current.rake_cap
        or record.rake_needs_flop != current.rake_needs_flop
    ):
        return _OTHER_GAME
    fault = find_fault(record, game[0].players)
    if fault != _SOUND:
        return fault
    chips = record.pot
    now = current.pot
    for seat in range(current.seats):
        chips += record.stack[seat]
        now += current.stack[seat]
    if chips > most_chips or (chips != now and not game[0].cash):
        return _OTHER_CHIPS
    return _SOUND


@kernel
def find_fault(table: TableRecord, n_players: Int) -> Int:
    """Error number of a record, 0 for none; ``check_table`` raises its message."""
    fault = _find_in_frame(table, n_players)
    if fault == _SOUND:
        fault = _find_in_seats(table)
    if fault == _SOUND:
        fault = _find_in_posts(table)
    if fault == _SOUND:
        fault = _find_in_bets(table)
    if fault == _SOUND:
        fault = _find_in_turn(table)
    return fault


@kernel
def _find_in_frame(table: TableRecord, n_players: Int) -> Int:
    """Check counts, limits and indices first: the later checks rely on them."""
    if not MIN_SEATS <= table.seats <= MAX_SEATS:
        return _SEATS
    if not (0 <= table.betting <= FIXED_LIMIT and 0 <= table.max_bets <= _MOST_CHIPS):
        return _BETTING
    if not (0 <= table.small_blind <= table.big_blind <= _MOST_CHIPS and table.big_blind > 0):
        return _BLINDS
    if not 0 <= table.ante <= _MOST_CHIPS:
        return _BLINDS
    if not (0 <= table.ante_by <= BY_BIG_BLIND and 0 <= table.straddling <= ON_BUTTON):
        return _OPTIONS
    if not (0 <= table.boards <= 2 and 0 <= table.rake_share <= MILLION and table.rake_cap >= 0):
        return _OPTIONS
    if not 0 <= table.two_calls <= np.int64(table.seats == 2 and table.betting == FIXED_LIMIT):
        return _OPTIONS
    if not (0 <= table.hand <= _MOST_HANDS and 0 < table.hands_dealt <= _MOST_HANDS):
        return _HAND
    if not 0 <= table.number <= _MOST_HANDS:
        return _HAND
    players = 0
    for seat in range(MAX_SEATS):
        player = table.player[seat]
        if player == NO_PLAYER:
            continue
        if seat >= table.seats or not 0 <= player < n_players:
            return _PLAYERS
        players += 1
        for other in range(seat):
            if table.player[other] == player:
                return _PLAYERS
    if players != table.players or players < MIN_SEATS:
        return _PLAYERS
    if not 0 <= table.button < table.seats or table.player[table.button] == NO_PLAYER:
        return _BUTTON
    if not PREFLOP <= table.street <= RIVER:
        return _STREET
    if table.board_cards != (0 if table.street == PREFLOP else table.street + 2):
        return _STREET
    dealt = np.int64(0)
    for i in range(N_CARDS):
        card = np.int64(table.cards[i])
        if not 0 <= card < N_CARDS:
            return _CARDS
        dealt |= np.int64(1) << card
    if dealt != _ALL_CARDS or table.preset_cards != 0 or table.shared_cards != 5:
        return _CARDS
    return _SOUND


@kernel
def _find_in_seats(table: TableRecord) -> Int:
    """Check each seat separately: status and chips."""
    for seat in range(MAX_SEATS):
        status, stack = table.status[seat], table.stack[seat]
        put_in, began_with = table.hand_bet[seat], table.starting_stack[seat]
        if table.player[seat] == NO_PLAYER:
            if status != EMPTY:
                return _STATUS
            if stack != 0 or put_in != 0 or began_with != 0 or table.street_bet[seat] != 0:
                return _CHIPS
            if table.won[seat] != 0 or table.shown[seat] != 0:
                return _PAID
            continue
        if status != ACTIVE and status != ALL_IN and status != FOLDED:
            return _STATUS
        if not (0 <= stack <= _MOST_CHIPS and 0 <= put_in <= _MOST_CHIPS):
            return _CHIPS
        if stack + put_in != began_with or began_with == 0:
            return _CHIPS
        if (status == ACTIVE and stack == 0) or (status == ALL_IN and stack > 0):
            return _STATUS
        on_streets = np.int64(0)
        for street in range(RIVER + 1):
            chips = table.street_chips[street, seat]
            if not 0 <= chips <= put_in or (street > table.street and chips != 0):
                return _CHIPS
            on_streets += chips
        if on_streets + betting.ante_of(table, seat) != put_in:
            return _CHIPS
        if table.street_bet[seat] != table.street_chips[table.street, seat]:
            return _CHIPS
        if not 0 <= table.decisions[seat] <= _MOST_HANDS:
            return _BETS
        if table.won[seat] != 0 or table.shown[seat] != 0:
            return _PAID
    if table.pots != 0 or table.showdown != 0 or table.rake != 0:
        return _PAID
    return _SOUND


@kernel
def _find_in_posts(table: TableRecord) -> Int:
    """Check ante and straddle by the options of the game."""
    dead_ante: Int = np.int64(0)
    if table.ante_by == BY_BIG_BLIND:
        dead_ante = betting.ante_of(table, betting.big_blind_seat(table))
    straddle = np.int64(0)
    if betting.straddler(table) != NO_PLAYER:
        straddle = betting.STRADDLE * table.big_blind
    if table.dead_ante != dead_ante or table.straddle != straddle:
        return _POSTED
    return _SOUND


@kernel
def _find_in_bets(table: TableRecord) -> Int:
    """Check the seats together: pot, current bet, and players in the hand."""
    pot = np.int64(0)
    began_with = np.int64(0)
    unfolded = 0
    active = 0
    largest = max(table.big_blind, table.straddle) if table.street == PREFLOP else np.int64(0)
    bets = np.int64(table.street == PREFLOP)
    full = False
    for seat in range(table.seats):
        if table.player[seat] == NO_PLAYER:
            continue
        pot += table.hand_bet[seat]
        began_with += table.starting_stack[seat]
        unfolded += table.status[seat] != FOLDED
        active += table.status[seat] == ACTIVE
        largest = max(largest, table.street_bet[seat])
        for street in range(RIVER + 1):
            raises, calls = table.raises[street, seat], table.calls[street, seat]
            if raises < 0 or calls < 0 or (street > table.street and raises + calls > 0):
                return _BETS
        full = full or table.raises[table.street, seat] == _FULL_COUNT
        bets += table.raises[table.street, seat]
    if pot != table.pot:
        return _POT
    if unfolded != table.unfolded or active != table.active or unfolded < 2:
        return _COUNTS
    if table.current_bet != largest:
        return _CURRENT_BET
    if not table.big_blind <= table.full_raise <= max(2 * table.big_blind, began_with):
        return _CURRENT_BET
    if table.bets != bets and not (full and bets < table.bets <= began_with):
        return _BETS
    return _SOUND


@kernel
def _owes(table: TableRecord, seat: Int) -> Truth:
    """Whether a seat must still decide on this street."""
    return table.status[seat] == ACTIVE and (
        table.bet_when_acted[seat] < 0 or table.street_bet[seat] < table.current_bet
    )


@kernel
def _find_in_turn(table: TableRecord) -> Int:
    """Check the turn: players who must still decide are consecutive, from the actor on."""
    actor = table.actor
    if not 0 <= actor < table.seats or not _owes(table, actor):
        return _ACTOR
    others_decided = False
    has_acted = False
    decisions = np.int64(0)
    for i in range(table.seats):
        seat = actor + i
        if seat >= table.seats:
            seat -= table.seats
        if table.player[seat] == NO_PLAYER:
            continue
        if not -1 <= table.bet_when_acted[seat] <= table.current_bet:
            return _ACTOR
        has_acted = has_acted or table.bet_when_acted[seat] >= 0
        decisions += table.decisions[seat]
        if table.status[seat] == ACTIVE:
            if _owes(table, seat) and others_decided:
                return _ACTOR
            others_decided = others_decided or not _owes(table, seat)
    first = actor
    if table.street >= FLOP and not has_acted:
        first = betting.next_to_decide(table, table.button)
    elif decisions == 0:
        first = betting.next_to_decide(table, betting.last_blind_seat(table))
    return _SOUND if first == actor else _ACTOR
