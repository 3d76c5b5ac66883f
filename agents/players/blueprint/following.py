"""Position of a hand in the tree of a book, kept in the player's memory.

Every action leads to the next node. A bet that the tree does not contain has two readings (see
``translation``), and the player remembers both nodes and the share of the second. They depend on
public information only, so that they are the same for all hands. If no reading applies, because the
tree has no such raise or treats a bet as all-in that was not, the player is lost until the next
street; it then continues at the opening of that street with the most similar pot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.players.blueprint.book import (
    ACTION,
    BIG_BLIND_SEAT,
    BUTTON_SEAT,
    CALLS,
    HEADER,
    NODE,
    SECTION,
    NodeRecord,
    SectionRecord,
    action_at,
    header_at,
    integer_at,
    node_at,
    section_at,
)
from agents.players.blueprint.translation import nearest, neighbours
from agents.policy.events import ACTED, HAND_BEGINS, EventRecord
from agents.policy.view import Parameters, View
from nlhe_env.game.table import (
    CHECK_OR_CALL,
    EMPTY,
    FIXED_LIMIT,
    FOLD,
    NO_LIMIT,
    PREFLOP,
    TableRecord,
)
from nlhe_env.jit.array_types import F32, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

PLACE, WHICH, OTHER_PLACE, OTHER_SHARE = range(4)
"""Memory of a player: node number plus 1, 0 if lost; section number plus 1, 0 if the book does not
cover the game; node number plus 1 of the second reading; share of the second reading."""
N_MEMORY = 4

_HEADER_BYTES, _SECTION_BYTES = HEADER.itemsize, SECTION.itemsize
_NODE_BYTES, _ACTION_BYTES, _INTEGER_BYTES = NODE.itemsize, ACTION.itemsize, 4
LOST = -1


class Readings(NamedTuple):
    """Nodes for the betting so far; both ``LOST`` if there is none."""

    first: Int
    second: Int
    """``LOST`` if there is only one reading."""
    share: Float
    """Share of the second, in [0, 1]."""


@kernel
def follow_hand(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> None:
    """Event handler: follow every action in the tree."""
    book = parameters.traits.book
    table = view.table
    if event.what == HAND_BEGINS:
        which = _find_section(book, table)
        memory[WHICH] = np.float32(which + 1)
        memory[PLACE] = np.float32(which >= 0)
        memory[OTHER_PLACE] = 0
        memory[OTHER_SHARE] = 0
    elif event.what == ACTED and memory[WHICH] > 0 and event.action != FOLD:
        section = remembered_section(book, memory)
        before = _readings_before(book, section, memory, table, event)
        first = _moved(book, section, before.first, table, event, view.seat)
        second = _moved(book, section, before.second, table, event, view.seat)
        _remember(memory, _likeliest(first, second, before.share))


@kernel
def _remember(memory: F32, readings: Readings) -> None:
    memory[PLACE] = np.float32(readings.first + 1)
    memory[OTHER_PLACE] = np.float32(readings.second + 1)
    memory[OTHER_SHARE] = np.float32(readings.share)


@kernel
def _likeliest(after_first: Readings, after_second: Readings, share: Float) -> Readings:
    """The two most likely of the readings that follow from two."""
    best: Int = np.int64(LOST)
    second: Int = np.int64(LOST)
    most: Float = 0.0
    next_most: Float = 0.0
    for i in range(4):
        of = after_first if i < 2 else after_second
        weight = 1.0 - share if i < 2 else share
        weight *= of.share if i % 2 else 1.0 - of.share
        place = of.second if i % 2 else of.first
        if place == LOST or weight <= next_most:
            continue
        if weight > most:
            second, next_most = best, most
            best, most = place, weight
        else:
            second, next_most = place, weight
    if best == LOST:
        return Readings(np.int64(LOST), np.int64(LOST), 0.0)
    return Readings(best, second, next_most / (most + next_most))


@kernel
def remembered_section(book: Int, memory: F32) -> SectionRecord:
    """The section used in this hand; there must be one."""
    return section_at(book + _HEADER_BYTES + (np.int64(memory[WHICH]) - 1) * _SECTION_BYTES)


@kernel
def readings_to_decide(book: Int, memory: F32, table: TableRecord) -> Readings:
    """Nodes of the current decision.

    If ``betting_is_over`` holds for a node, a raise was read as a call there.
    """
    if memory[WHICH] == 0:
        return Readings(np.int64(LOST), np.int64(LOST), 0.0)
    section = remembered_section(book, memory)
    street, seat = table.street, _seat_in_tree(table, table.actor)
    found = _fitting(book, section, memory, street, seat)
    opens = street > PREFLOP and seat == BIG_BLIND_SEAT and _actions_of_street(table) == 0
    if found.first == LOST and opens:
        place = _likest_opening(book, section, table, street, table.pot)
        return Readings(place, np.int64(LOST), 0.0)
    return found


@kernel
def betting_is_over(node: NodeRecord, street: Int) -> Truth:
    """Whether a node has no more decisions on a street."""
    return node.street > street or (node.street == street and node.count == 0)


@kernel
def _find_section(book: Int, table: TableRecord) -> Int:
    """Section with the nearest stack depth for a heads-up hand, -1 if there is none."""
    dealt_in, stack = _players_and_stack(table)
    if dealt_in != 2 or table.big_blind == 0:
        return np.int64(-1)
    betting = FIXED_LIMIT if table.betting == FIXED_LIMIT else NO_LIMIT
    depth = max(np.float64(stack) / np.float64(table.big_blind), 1e-3)
    found: Int = np.int64(-1)
    least: Float = np.inf
    for i in range(header_at(book).sections):
        section = section_at(book + _HEADER_BYTES + i * _SECTION_BYTES)
        if section.betting == betting:
            gap = 1.0 if section.stack == 0.0 else _ratio(section.stack, depth)
            if gap < least:
                found, least = np.int64(i), gap
    return found


@kernel
def _players_and_stack(table: TableRecord) -> tuple[Int, Int]:
    """Number of players dealt in, and the shortest starting stack in chips."""
    dealt_in, stack = 0, np.int64(0)
    for seat in range(table.seats):
        if table.status[seat] != EMPTY:
            chips = table.starting_stack[seat]
            stack = chips if dealt_in == 0 else min(stack, chips)
            dealt_in += 1
    return dealt_in, stack


@kernel
def _ratio(a: Float, b: Float) -> Float:
    """Ratio of the larger to the smaller of two positive numbers."""
    return a / b if a > b else b / a


@kernel
def _seat_in_tree(table: TableRecord, seat: Int) -> Int:
    return BUTTON_SEAT if seat == table.button else BIG_BLIND_SEAT


@kernel
def _actions_of_street(table: TableRecord) -> Int:
    """Number of checks, calls, bets and raises on this street."""
    count = 0
    for seat in range(table.seats):
        count += table.calls[table.street, seat] + table.raises[table.street, seat]
    return count


@kernel
def _fitting(book: Int, section: SectionRecord, memory: F32, street: Int, seat: Int) -> Readings:
    """The remembered readings that allow a decision of this seat on this street."""
    first, second = np.int64(memory[PLACE]) - 1, np.int64(memory[OTHER_PLACE]) - 1
    if not _fits(book, section, second, street, seat):
        second = np.int64(LOST)
    if not _fits(book, section, first, street, seat):
        return Readings(second, np.int64(LOST), 0.0)
    share = np.float64(memory[OTHER_SHARE]) if second != LOST else 0.0
    return Readings(first, second, share)


@kernel
def _fits(book: Int, section: SectionRecord, place: Int, street: Int, seat: Int) -> Truth:
    """Whether a node is a decision of this seat on this street, or after the street."""
    if place < 0:
        return False
    node = node_at(book + section.nodes + place * _NODE_BYTES)
    if betting_is_over(node, street):
        return True
    return node.count > 0 and node.street == street and node.actor == seat


@kernel
def _readings_before(
    book: Int, section: SectionRecord, memory: F32, table: TableRecord, event: EventRecord
) -> Readings:
    """Nodes of the decision before the last action."""
    seat = _seat_in_tree(table, event.seat)
    found = _fitting(book, section, memory, event.street, seat)
    # The table already includes the action, and the street may be closed. The big blind's first
    # action on a street was taken with the pot of the street's beginning.
    calls = table.calls[event.street, event.seat]
    first = calls + table.raises[event.street, event.seat] == 1
    if found.first == LOST and event.street > PREFLOP and seat == BIG_BLIND_SEAT and first:
        place = _likest_opening(book, section, table, event.street, event.pot)
        return Readings(place, np.int64(LOST), 0.0)
    return found


@kernel
def _likest_opening(
    book: Int, section: SectionRecord, table: TableRecord, street: Int, pot: Int
) -> Int:
    """First decision of the street with the most similar pot."""
    unit = np.float64(table.big_blind)
    if section.stack > 0.0:
        _, stack = _players_and_stack(table)
        unit = np.float64(stack) / section.stack
    wanted = np.float64(pot) / unit
    found: Int = np.int64(LOST)
    smallest: Float = np.inf
    for i in range(section.first_opening[street], section.first_opening[street + 1]):
        place = np.int64(integer_at(book + section.openings + i * _INTEGER_BYTES).value)
        node = node_at(book + section.nodes + place * _NODE_BYTES)
        gap = _ratio(np.float64(node.pot), wanted)
        if gap < smallest:
            found, smallest = place, gap
    return found


@kernel
def _moved(
    book: Int,
    section: SectionRecord,
    place: Int,
    table: TableRecord,
    event: EventRecord,
    own_seat: Int,
) -> Readings:
    """Nodes after an action at a node."""
    lost = np.int64(LOST)
    if place < 0:
        return Readings(lost, lost, 0.0)
    node = node_at(book + section.nodes + place * _NODE_BYTES)
    actions = book + section.actions
    calls = event.action == CHECK_OR_CALL
    share: Float = 1.0
    if betting_is_over(node, event.street):
        return Readings(place if calls else lost, lost, 0.0)
    smaller: Int = np.int64(-1)
    if calls:
        for i in range(node.count):
            if action_at(actions + (node.first + i) * _ACTION_BYTES).size == CALLS:
                smaller = np.int64(i)
        larger = smaller
    else:
        # The size is computed from the chips and the pot at the table, not from those of the tree.
        size = (event.chips - event.to_call) / (event.pot + event.to_call)
        all_in = _leaves_nothing(table, event.seat)
        # Fixed-limit raises have one size, and the player's own raise was taken from the tree.
        if event.seat == own_seat or section.betting == FIXED_LIMIT:
            smaller = nearest(actions, node, size, all_in)
            larger = smaller
        else:
            smaller, larger, share = neighbours(actions, node, size, all_in)
    if smaller < 0:
        return Readings(lost, lost, 0.0)
    first = np.int64(action_at(actions + (node.first + smaller) * _ACTION_BYTES).child)
    if share == 1.0:
        return Readings(first, lost, 0.0)
    second = np.int64(action_at(actions + (node.first + larger) * _ACTION_BYTES).child)
    return Readings(first, second, 1.0 - share)


@kernel
def _leaves_nothing(table: TableRecord, raiser: Int) -> Truth:
    """Whether no player can bet after the raise is called."""
    if table.stack[raiser] == 0:
        return True
    for seat in range(table.seats):
        if seat != raiser and table.status[seat] != EMPTY:
            return table.stack[seat] + table.street_bet[seat] <= table.street_bet[raiser]
    return False
