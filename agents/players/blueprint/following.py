"""Position of a hand in the tree of a book, kept in the memory of its player.

Every action moves the player on in the tree. Where that fails, because the tree knows no such
raise or calls a bet all-in that was not, the player is lost until the next street; then it goes to
the opening of this street whose pot is most like the one on the table.
"""

from __future__ import annotations

import numpy as np

from agents.players.blueprint.book import (
    ACTION,
    BIG_BLIND_SEAT,
    BUTTON_SEAT,
    HEADER,
    NODE,
    SECTION,
    action_at,
    header_at,
    integer_at,
    node_at,
    section_at,
)
from agents.players.blueprint.translation import nearest, public_coin, translated
from agents.policy.events import ACTED, HAND_BEGINS
from nlhe_env.game.table import CHECK_OR_CALL, EMPTY, FIXED_LIMIT, FOLD, NO_LIMIT, PREFLOP
from nlhe_env.jit.compilation import kernel

PLACE, WHICH = range(2)
"""Memory of a player: the number of its node plus 1, 0 if it is lost; the number of the
section plus 1, 0 if the book has none for this game."""
N_MEMORY = 2

_HEADER_BYTES, _SECTION_BYTES = HEADER.itemsize, SECTION.itemsize
_NODE_BYTES, _ACTION_BYTES, _INTEGER_BYTES = NODE.itemsize, ACTION.itemsize, 4
LOST = -1


@kernel
def follow_hand(parameters, memory, view, event):
    """Event handler: move on in the tree with every action at the table."""
    book = parameters.traits.book
    table = view.table
    if event.what == HAND_BEGINS:
        which = _find_section(book, table)
        memory[WHICH] = np.float32(which + 1)
        memory[PLACE] = np.float32(which >= 0)
    elif event.what == ACTED and memory[WHICH] > 0 and event.action != FOLD:
        section = remembered_section(book, memory)
        place = _place_before(book, section, memory, table, event)
        memory[PLACE] = np.float32(_moved(book, section, place, table, event, view.seat) + 1)


@kernel
def remembered_section(book, memory):
    """The section in use in this hand, for a player that has one."""
    return section_at(book + _HEADER_BYTES + (np.int64(memory[WHICH]) - 1) * _SECTION_BYTES)


@kernel
def place_to_decide(book, memory, table):
    """The node at which the player to act decides, or ``LOST``."""
    if memory[WHICH] == 0:
        return np.int64(LOST)
    section = remembered_section(book, memory)
    seat = _seat_in_tree(table, table.actor)
    place = np.int64(memory[PLACE]) - 1
    if _fits(book, section, place, table.street, seat):
        return place
    if table.street > PREFLOP and seat == BIG_BLIND_SEAT and _actions_of_street(table) == 0:
        return _likest_opening(book, section, table, table.street, table.pot)
    return np.int64(LOST)


@kernel
def _find_section(book, table):
    """The section for a hand of two players whose stacks are the nearest, -1 if there is none."""
    dealt_in, stack = _players_and_stack(table)
    if dealt_in != 2 or table.big_blind == 0:
        return np.int64(-1)
    betting = FIXED_LIMIT if table.betting == FIXED_LIMIT else NO_LIMIT
    depth = max(np.float64(stack) / np.float64(table.big_blind), 1e-3)
    found, least = np.int64(-1), np.inf
    for i in range(header_at(book).sections):
        section = section_at(book + _HEADER_BYTES + i * _SECTION_BYTES)
        if section.betting == betting:
            gap = 1.0 if section.stack == 0.0 else _ratio(section.stack, depth)
            if gap < least:
                found, least = np.int64(i), gap
    return found


@kernel
def _players_and_stack(table):
    """Number of players dealt in, and the chips that the shortest of them began with."""
    dealt_in, stack = 0, np.int64(0)
    for seat in range(table.seats):
        if table.status[seat] != EMPTY:
            chips = table.starting_stack[seat]
            stack = chips if dealt_in == 0 else min(stack, chips)
            dealt_in += 1
    return dealt_in, stack


@kernel
def _ratio(a, b):
    """Ratio of the larger to the smaller of two positive numbers."""
    return a / b if a > b else b / a


@kernel
def _seat_in_tree(table, seat):
    return BUTTON_SEAT if seat == table.button else BIG_BLIND_SEAT


@kernel
def _actions_of_street(table):
    """Checks, calls, bets and raises on this street."""
    count = 0
    for seat in range(table.seats):
        count += table.calls[table.street, seat] + table.raises[table.street, seat]
    return count


@kernel
def _fits(book, section, place, street, seat):
    """Whether a node is a decision of this seat on this street."""
    if place < 0:
        return False
    node = node_at(book + section.nodes + place * _NODE_BYTES)
    return node.count > 0 and node.street == street and node.actor == seat


@kernel
def _place_before(book, section, memory, table, event):
    """The node at which the last action was decided, or ``LOST``."""
    place = np.int64(memory[PLACE]) - 1
    seat = _seat_in_tree(table, event.seat)
    if _fits(book, section, place, event.street, seat):
        return place
    # The table is the one after the action, but the street may have closed by now: whose first
    # action on a street comes from the big blind has found the pot as it was dealt.
    calls = table.calls[event.street, event.seat]
    first = calls + table.raises[event.street, event.seat] == 1
    if event.street > PREFLOP and seat == BIG_BLIND_SEAT and first:
        return _likest_opening(book, section, table, event.street, event.pot)
    return np.int64(LOST)


@kernel
def _likest_opening(book, section, table, street, pot):
    """The decision that the street begins with at the pot most like this one."""
    unit = np.float64(table.big_blind)
    if section.stack > 0.0:
        _, stack = _players_and_stack(table)
        unit = np.float64(stack) / section.stack
    wanted = np.float64(pot) / unit
    found, smallest = np.int64(LOST), np.inf
    for i in range(section.first_opening[street], section.first_opening[street + 1]):
        place = np.int64(integer_at(book + section.openings + i * _INTEGER_BYTES).value)
        node = node_at(book + section.nodes + place * _NODE_BYTES)
        gap = _ratio(np.float64(node.pot), wanted)
        if gap < smallest:
            found, smallest = place, gap
    return found


@kernel
def _moved(book, section, place, table, event, own_seat):
    """The node after an action, or ``LOST``."""
    if place < 0:
        return np.int64(LOST)
    node = node_at(book + section.nodes + place * _NODE_BYTES)
    actions = book + section.actions
    taken = np.int64(-1)
    if event.action == CHECK_OR_CALL:
        for i in range(node.count):
            if action_at(actions + (node.first + i) * _ACTION_BYTES).size == 0.0:
                taken = np.int64(i)
    else:
        # Chips and pots of the sum are those of the table, whatever they would be in the tree.
        size = (event.chips - event.to_call) / (event.pot + event.to_call)
        all_in = _leaves_nothing(table, event.seat)
        if event.seat == own_seat:
            taken = nearest(actions, node, size, all_in)
        else:
            coin = public_coin(table.hand, event.street, event.chips, event.pot)
            taken = translated(actions, node, size, all_in, coin)
    if taken < 0:
        return np.int64(LOST)
    return np.int64(action_at(actions + (node.first + taken) * _ACTION_BYTES).child)


@kernel
def _leaves_nothing(table, raiser):
    """Whether no player can bet any more after a raise and a call."""
    if table.stack[raiser] == 0:
        return True
    for seat in range(table.seats):
        if seat != raiser and table.status[seat] != EMPTY:
            return table.stack[seat] + table.street_bet[seat] <= table.street_bet[raiser]
    return False
