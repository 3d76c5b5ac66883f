"""Kernels that apply the rules of the game to a recorded hand, on one table record.

A hand is an array with one row per action: position of the player, kind, raise-to chips, number of
open board cards. Positions are seats; the last has the button. ``dead`` chips (a missed blind, an
ante paid by the big blind) are in the pot but are not bets; the winner of the main pot wins them.
Those of the big blind are the ``dead_ante`` of the table, as in a game with a big-blind ante.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.game import betting, holdem
from nlhe_env.game.betting import CALLS, FOLDS, RAISES
from nlhe_env.game.table import (
    ALL_IN,
    BY_BIG_BLIND,
    BY_EVERYONE,
    CHECK_OR_CALL,
    FIXED_LIMIT,
    FOLD,
    FOLDED,
    NO_PLAYER,
    TableRecord,
    TableRecords,
)
from nlhe_env.jit.array_types import I8, I64, Int, Truth
from nlhe_env.jit.compilation import kernel

POSITION, KIND, TO, OPEN_CARDS = range(4)

IN_TURN = -1  # position of an action without an acting player
MOST = -1  # a raise of it to as much as possible

# Errors of an action.
FINE, OVER, TURN, BOARD, RAISE = range(5)

# Indices into the setup of a hand; `LAST` is `NO_PLAYER` for the usual blinds.
SMALL, BIG, ANTE, LAST, FULL_RAISE = range(5)

MOST_DRAWS = 2000  # attempts to draw matching unknown cards
MOST_RAKE = 5  # a fifth of the pots, where the rake is not written

# Sources of the result of a hand.
BY_THE_RULES, BY_STACKS, BY_WINNERS, ANY_RESULT = range(4)


class Opening(NamedTuple):
    """The beginning of a hand of n players."""

    setup: I64
    """``(5,)`` or longer: blinds, ante, and the start of the betting."""
    stacks: I64
    """``(n,)`` chips."""
    cards: I8
    """``(52,)`` deck as in the table record, -1 for unknown cards."""
    blinds: I64
    """``(n,)`` blind of each player, if unusual."""
    dead: I64
    """``(n,)`` posted chips that are not bets; less than the stack."""


class Ending(NamedTuple):
    """Known result of a hand of n players."""

    cards: I8
    """``(52,)`` deck, see ``Opening``."""
    kind: Int
    """``BY_THE_RULES``: players without shown cards win nothing. ``BY_STACKS``: ``chips`` are the
    final stacks. ``BY_WINNERS``: ``chips`` are the winnings from the pots. ``ANY_RESULT``: any
    result is valid."""
    chips: I64
    """``(n,)``, see ``kind``."""
    rake: Int
    """Maximum rake in chips; -1 if unknown."""


@kernel
def open_hand(tables: TableRecords, opening: Opening, attempt: Int) -> None:
    """Deal the cards and post antes and blinds.

    Args:
        tables: ``(1,)`` record with its seats, betting and limit of bets.
        opening: The beginning of the hand.
        attempt: Number of the draw of the unknown cards.
    """
    setup, stacks, cards, blinds, dead = opening
    table = tables[0]
    n = table.seats
    table.players = n
    table.hands_dealt = 0
    table.button = n - 1
    table.number = 0
    table.preset_cards = 1
    table.ante_by = BY_EVERYONE
    for i in range(N_CARDS):
        table.cards[i] = cards[i]
    for seat in range(n):
        table.player[seat] = seat
        table.stack[seat] = stacks[seat] - dead[seat]
    holdem.start_hand(table, 0, setup[SMALL], setup[BIG], setup[ANTE], attempt, 0)
    if setup[LAST] != NO_PLAYER:
        holdem.post_explicit_blinds(table, blinds, setup[LAST], setup[FULL_RAISE])
    n_dead = np.int64(0)
    for seat in range(n):
        table.starting_stack[seat] = stacks[seat]
        n_dead += dead[seat]
    table.pot += n_dead
    payer = betting.big_blind_seat(table)
    if dead[payer] > 0:
        _lay_dead(table, payer, dead[payer])
        if dead[payer] == n_dead and table.ante == 0:
            table.ante_by = BY_BIG_BLIND
            table.ante = n_dead


@kernel
def _lay_dead(table: TableRecord, big_blind: Int, chips: Int) -> None:
    """Put dead chips where the game looks for them: with the big blind."""
    table.dead_ante += chips
    table.hand_bet[big_blind] += chips


@kernel
def act(tables: TableRecords, action: I64) -> Int:
    """Execute a recorded action, or return its error."""
    table = tables[0]
    seat = table.actor
    if action[KIND] == FOLDS and _is_absent(table, action[POSITION]):
        _fold_absent(table, action)
        return FINE
    if seat == NO_PLAYER:
        return OVER
    if action[POSITION] == IN_TURN:
        _name_actor(table, action)
    if seat != action[POSITION]:
        return TURN
    if table.board_cards != action[OPEN_CARDS]:
        return BOARD
    if action[KIND] == FOLDS:
        holdem.act(table, FOLD)  # also where a check would have been free
    elif action[KIND] == CALLS:
        holdem.act(table, CHECK_OR_CALL)
    else:
        least, most = raise_range(tables, True)
        if most == 0 or not least <= action[TO] <= most:
            return RAISE
        holdem.act(table, action[TO])
    return FINE


@kernel
def _is_absent(table: TableRecord, seat: Int) -> Truth:
    """Whether a seat is all-in by a forced bet, so that a fold is that of an absent player.

    Rooms fold the hand of such a player at any time; the game has no such fold.
    """
    return seat >= 0 and table.status[seat] == ALL_IN and table.decisions[seat] == 0


@kernel
def _fold_absent(table: TableRecord, action: I64) -> None:
    """Fold the hand of an absent player, whose chips stay in the pot."""
    table.status[action[POSITION]] = FOLDED
    table.unfolded -= 1
    if table.unfolded == 1:
        table.actor = NO_PLAYER
        table.board_cards = action[OPEN_CARDS]
        table.shared_cards = 5


@kernel
def raise_range(tables: TableRecords, for_nobody: Truth) -> tuple[Int, Int]:
    """Minimum and maximum raise of the actor, as raise-to chips; (0, 0) if it may not raise.

    Args:
        tables: ``(1,)`` record.
        for_nobody: Whether to include raises that no player can match. The game has none, because
            they would only be returned; poker rooms accept them.
    """
    table = tables[0]
    least, most = betting.legal_raise(table)
    if most == 0 and for_nobody:
        return _raise_for_nobody(table)
    return least, most


@kernel
def _name_actor(table: TableRecord, action: I64) -> None:
    """Fill in the acting player, and convert raises from chips of the hand to the street."""
    seat = table.actor
    action[POSITION] = seat
    if action[KIND] == RAISES:
        if action[TO] == MOST:
            action[TO] = betting.legal_raise(table)[1]
        else:
            action[TO] -= table.hand_bet[seat] - table.street_bet[seat]


@kernel
def act_in_turn(tables: TableRecords, action: Int) -> None:
    """Execute a legal action of the player to act."""
    holdem.act(tables[0], action)


@kernel
def pay(tables: TableRecords, ranks: I64) -> None:
    """Pay a finished hand; ``ranks`` is scratch, ``(10,)`` int64."""
    holdem.settle(tables[0], ranks)


@kernel
def _raise_for_nobody(table: TableRecord) -> tuple[Int, Int]:
    """Minimum and maximum of a raise that no player can match; (0, 0) if impossible."""
    seat = table.actor
    most = table.street_bet[seat] + table.stack[seat]
    least = min(most, table.current_bet + table.full_raise)
    acted = table.bet_when_acted[seat]
    is_closed = acted >= 0 and table.current_bet - acted < table.full_raise
    if table.active < 2 or most <= table.current_bet or is_closed or table.betting == FIXED_LIMIT:
        return 0, 0
    return least, most


@kernel
def finish(tables: TableRecords, dead: I64, ending: Ending, returned: I64, ranks: I64) -> None:
    """Pay a finished hand as recorded: by the rules, less the rake of the file.

    Args:
        tables: ``(1,)`` record.
        dead: See ``Opening``.
        ending: Known result of the hand, which must be possible.
        returned: ``(n,)`` is filled with the uncalled chips.
        ranks: ``(10,)`` int64 scratch.
    """
    _settle(tables[0], dead, returned, ranks)
    _take_rake(tables[0], ending, returned)


@kernel
def _settle(table: TableRecord, dead: I64, returned: I64, ranks: I64) -> None:
    """Pay a finished hand by the rules, without a rake."""
    payer = betting.big_blind_seat(table)
    for seat in range(table.seats):
        returned[seat] = -table.stack[seat]
        if seat != payer:
            _lay_dead(table, payer, dead[seat])
    holdem.settle(table, ranks)
    table.hand_bet[payer] -= table.dead_ante
    for seat in range(table.seats):
        returned[seat] += table.stack[seat] - table.won[seat]
        table.hand_bet[seat] += dead[seat]


@kernel
def _take_rake(table: TableRecord, ending: Ending, returned: I64) -> None:
    """Deduct what each player has won by the rules and not received: rake, other odd chips.

    Where only the rake is known, winners share it in proportion to their winnings. A player's part
    comes from the pots that it has won, in proportion to their sizes.
    """
    odd = odd_chips(table)
    pots = np.int64(0)
    largest = 0
    for seat in range(table.seats):
        pots += table.won[seat]
        if table.won[seat] > table.won[largest]:
            largest = seat
    rake = max(np.int64(0), min(ending.rake, pots))
    by_result = ending.kind == BY_STACKS or ending.kind == BY_WINNERS
    left = rake
    for seat in range(table.seats):
        if by_result:
            missing = _missing(table, ending, odd, returned, seat)
        else:
            missing = _part(rake, table.won[seat], max(pots, np.int64(1)))
            left -= missing
        _deduct(table, seat, missing)
    if not by_result:
        _deduct(table, largest, left)  # remainder of the division


@kernel
def _missing(table: TableRecord, ending: Ending, odd: Int, returned: I64, seat: Int) -> Int:
    """Chips that a seat has won by the rules, but not received in the recorded result."""
    if ending.kind == BY_STACKS:
        return table.stack[seat] - ending.chips[seat]
    missing = table.won[seat] - ending.chips[seat]
    if missing < -odd:  # some texts count the uncalled bet as won
        missing += returned[seat]
    return missing


@kernel
def _deduct(table: TableRecord, seat: Int, chips: Int) -> None:
    """Take chips from a winner, and from the pots that it has won."""
    if chips == 0:
        return
    table.stack[seat] -= chips
    table.won[seat] -= chips
    table.rake += chips
    base = np.int64(0)
    for pot in range(table.pots):
        base += _share_of_pot(table, pot, seat)
    left: Int = chips
    for pot in range(table.pots):
        share = _share_of_pot(table, pot, seat)
        if share > 0:
            taken = _part(left, share, base)
            table.pot_size[pot] -= taken
            left -= taken
            base -= share


@kernel
def _part(chips: Int, share: Int, whole: Int) -> Int:
    """Chips of a share of the whole, rounded down; the product could exceed int64."""
    return chips if share == whole else np.int64(np.floor(np.float64(chips) * share / whole))


@kernel
def _share_of_pot(table: TableRecord, pot: Int, seat: Int) -> Int:
    """Approximate chips that a seat has won from a pot; at least 1 from a pot that it has won."""
    bits = table.pot_winners[pot]
    if table.shared_cards < 5:
        bits |= table.second_winners[pot]
    if not bits >> seat & 1:
        return np.int64(0)
    winners = np.int64(0)
    for other in range(table.seats):
        winners += bits >> other & 1
    return max(np.int64(1), table.pot_size[pot] // winners)


@kernel
def play_out(
    tables: TableRecords, opening: Opening, actions: I64, ending: Ending, returned: I64, ranks: I64
) -> tuple[Int, Int, Int]:
    """Play a whole hand, drawing unknown cards until it ends as recorded.

    Args:
        tables: See ``open_hand``.
        opening: The beginning of the hand.
        actions: ``(n_actions, 4)`` int64.
        ending: Known result of the hand.
        returned: See ``finish``.
        ranks: See ``finish``.

    Returns:
        Index of the invalid action or -1, its error, and the number of the matching draw or -1.
    """
    table = tables[0]
    for attempt in range(MOST_DRAWS):
        open_hand(tables, opening, attempt)
        for i in range(len(actions)):
            problem = act(tables, actions[i])
            if problem != FINE:
                return i, problem, -1
        if table.actor != NO_PLAYER:
            return -1, FINE, attempt  # incomplete
        _settle(table, opening.dead, returned, ranks)
        if _fits(table, ending, returned):
            _take_rake(table, ending, returned)
            return -1, FINE, attempt
        if not _is_drawn(table, ending.cards):
            break
    return -1, FINE, -1


@kernel
def _is_drawn(table: TableRecord, cards: I8) -> Truth:
    """Whether drawn cards have decided the winners of the pots."""
    n_drawn = np.int64(0)
    for seat in range(table.seats):
        n_drawn += table.showdown and table.shown[seat] and cards[2 * seat] < 0
    return n_drawn > 0


@kernel
def _fits(table: TableRecord, ending: Ending, returned: I64) -> Truth:
    """Whether the hand has ended as recorded."""
    cards, end, _, rake = ending
    if end == ANY_RESULT:
        return True
    pots = np.int64(0)
    for seat in range(table.seats):
        pots += table.won[seat]
        is_drawn = table.showdown and table.shown[seat] and cards[2 * seat] < 0
        if end == BY_THE_RULES and is_drawn and table.won[seat] > 0:
            return False
    if rake > pots:
        return False
    if end == BY_THE_RULES:
        return True
    odd = odd_chips(table)
    most = pots // MOST_RAKE if rake < 0 else rake
    taken = np.int64(0)
    for seat in range(table.seats):
        missing = _missing(table, ending, odd, returned, seat)
        if table.won[seat] == 0:
            if missing != 0:
                return False
        elif not -odd <= missing <= most + odd:
            return False
        taken += missing
    if end == BY_STACKS and rake >= 0:
        return taken == rake
    # Rooms that add to a pot take less than the recorded rake.
    return 0 <= taken <= (pots if rake < 0 else rake)


@kernel
def odd_chips(table: TableRecord) -> Int:
    """Largest difference between a player's winnings here and in other programs, in chips.

    In other programs, odd chips of a split pot may go to any winner.
    """
    odd = np.int64(0)
    for pot in range(table.pots):
        winners = np.int64(0)
        for seat in range(table.seats):
            winners += (table.pot_winners[pot] >> seat) & 1
        odd += winners - 1
        if table.shared_cards < 5:
            odd += 10  # each board has its own winners
    return odd
