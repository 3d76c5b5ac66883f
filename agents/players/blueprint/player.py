"""Players that follow a blueprint: the precomputed strategy of a smaller game.

A rule on equity and pot odds decides at tables that the book does not cover (such as three-handed
ones), while the player is lost, and facing a raise, for the share with which it is read as a call.

The position of a hand in the tree is kept in the player's memory. Every action leads to the next
node. A bet that the tree does not contain has two readings, and the player remembers both nodes and
the share of the second. They depend on public information only, so that they are the same for all
hands. If no reading applies, because the tree has no such raise or treats a bet as all-in that was
not, the player is lost until the next street; it then continues at the opening of that street with
the most similar pot.

Translation of arbitrary bet sizes into those of the tree.

A size x between two sizes of the tree is read as the smaller one, A, with the share

    f(x) = (B - x) (1 + A) / ((B - A) (1 + x))

and otherwise as the larger one, B, all in pots. This is the pseudo-harmonic mapping (S. Ganzfried,
T. Sandholm, "Action Translation in Extensive-Form Games with Large Action Spaces: Axioms,
Paradoxes, and the Pseudo-Harmonic Mapping", IJCAI 2013). Below the smallest size of the tree, A is
the check or call; sizes above the largest are read as the largest.

A random choice between the two, drawn from public data, could be exploited: an opponent who can
query the policy would bet strong hands in sizes read as small and weak ones in sizes read as large.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from agents.players.blueprint.book import (
    ACTION,
    BIG_BLIND_SEAT,
    BUTTON_SEAT,
    CALLS,
    FOLDS,
    HEADER,
    NODE,
    SECTION,
    ActionRecord,
    BookSection,
    NodeRecord,
    SectionRecord,
    action_at,
    byte_at,
    check_book,
    edges_at,
    header_at,
    integer_at,
    node_at,
    read_book,
    section_at,
)
from agents.players.blueprint.card_buckets import card_bucket
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import ACTED, HAND_BEGINS, EventRecord
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import check_or_fold, equity_against_one, opponents, raise_by
from agents.policy.view import Parameters, View, offer
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import (
    CHECK_OR_CALL,
    EMPTY,
    FIXED_LIMIT,
    FOLD,
    NO_LIMIT,
    PREFLOP,
    TableRecord,
)
from nlhe_env.jit.array_types import F32, U8, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

_DOUBT = 0.1
"""Margin of equity over pot odds, because opponents do not play all hands."""


PLACE, WHICH, OTHER_PLACE, OTHER_SHARE = range(4)
"""Memory of a player: node number plus 1, 0 if lost; section number plus 1, 0 if the book does not
cover the game; node number plus 1 of the second reading; share of the second reading."""
N_MEMORY = 4

_HEADER_BYTES, _SECTION_BYTES = HEADER.itemsize, SECTION.itemsize
_NODE_BYTES = NODE.itemsize
_INTEGER_BYTES = 4
LOST = -1


_ACTION_BYTES = ACTION.itemsize


@kernel
def share_of_smaller(size: Float, smaller: Float, larger: Float) -> Float:
    """Share with which a size is read as the smaller one; all sizes in pots."""
    return (larger - size) * (1.0 + smaller) / ((larger - smaller) * (1.0 + size))


@kernel
def neighbours(
    actions: Int, node: NodeRecord, size: Float, all_in: Truth
) -> tuple[Int, Int, Float]:
    """The two actions of a node that a raise is read as, and the share of the first.

    Args:
        actions: Address of the actions of the tree.
        node: A record of dtype ``NODE``.
        size: Size of the raise in pots after calling.
        all_in: Whether the raise puts either player all-in.

    Returns:
        The smaller and the larger action with the share of the smaller; a single candidate twice
        with share 1; -1 if the node has no raise.
    """
    smaller, larger = np.int64(-1), np.int64(-1)
    low, high = 0.0, 0.0
    for i in range(node.count):
        action = action_at(actions + (node.first + i) * _ACTION_BYTES)
        if action.size < CALLS:
            continue
        if action.all_in and (all_in or action.size <= size):
            return np.int64(i), np.int64(i), 1.0
        if action.size <= size:
            smaller, low = np.int64(i), np.float64(action.size)
        elif larger < 0:
            larger, high = np.int64(i), np.float64(action.size)
    if larger < 0:
        found = smaller if low > CALLS else np.int64(-1)
        return found, found, 1.0
    return smaller, larger, share_of_smaller(size, low, high)


@kernel
def nearest(actions: Int, node: NodeRecord, size: Float, all_in: Truth) -> Int:
    """Action of a node nearest to the player's own raise; -1 if the tree has no raise there."""
    found, gap = np.int64(-1), np.inf
    for i in range(node.count):
        action = action_at(actions + (node.first + i) * _ACTION_BYTES)
        if action.size <= 0.0:
            continue
        if all_in and action.all_in:
            return np.int64(i)
        if abs(action.size - size) < gap:
            found, gap = np.int64(i), np.float64(abs(action.size - size))
    return found


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


@kernel
def blueprint_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the book's strategy for the hand's bucket.

    If the betting has two readings, the actions of both nodes are offered, weighted by their
    shares.
    """
    book, table = parameters.traits.book, view.table
    readings = readings_to_decide(book, memory, table)
    if readings.first == LOST:
        _go_by_equity(view, 1.0)
        return
    section = remembered_section(book, memory)
    street = table.street
    hole_0, hole_1 = hole_cards(table, table.actor)
    bucket = card_bucket(
        hole_0,
        hole_1,
        table.cards[2 * table.seats : 2 * table.seats + 5],
        street,
        section.main[street],
        section.within[street],
        edges_at(book + section.edges[street]).values,
        view.strength_tables,
    )
    _offer_node(book, section, readings.first, bucket, 1.0 - readings.share, view)
    if readings.second != LOST:
        _offer_node(book, section, readings.second, bucket, readings.share, view)


@kernel
def _offer_node(
    book: Int, section: SectionRecord, place: Int, bucket: Int, share: Float, view: View
) -> None:
    """Offer the actions of a node, scaled by a share."""
    node = node_at(book + section.nodes + place * _NODE_BYTES)
    street = view.table.street
    if betting_is_over(node, street):
        # The book has no answer to a raise that it reads as a call.
        _go_by_equity(view, share)
        return
    chances = book + section.chances[street] + bucket * section.rows[street] + node.row
    total = 0.0
    for i in range(node.count):
        total += np.float64(byte_at(chances + i).value)
    if total == 0.0:
        return
    for i in range(node.count):
        action = action_at(book + section.actions + (node.first + i) * _ACTION_BYTES)
        chance = np.float64(byte_at(chances + i).value)
        offer(view, _at_table(view, action), share * chance / total)


@kernel
def _at_table(view: View, action: ActionRecord) -> Int:
    """Game action for a tree action; pot and stacks may differ from the tree's."""
    table, choices = view.table, view.choices
    if action.size == FOLDS:
        return check_or_fold(table)
    if action.size > 0.0 and choices.most > 0:
        if action.all_in:
            return choices.most
        return raise_by(table, np.float64(action.size), choices.least, choices.most)
    return np.int64(CHECK_OR_CALL)


@kernel
def _go_by_equity(view: View, share: Float) -> None:
    """Bet half the pot above the fair share, call by pot odds, else check or fold.

    The action is offered with weight ``share``.
    """
    table, choices = view.table, view.choices
    rivals = opponents(table)
    equity = equity_against_one(table, view.strength_tables) ** rivals
    fair = 1.0 / (rivals + 1.0)
    to_call = amount_to_call(table)
    price = to_call / (table.pot + to_call) if to_call > 0 else 0.0
    if equity > max(fair, price) + 2.0 * _DOUBT:
        offer(view, raise_by(table, 0.5, choices.least, choices.most), share)
    elif equity >= price + _DOUBT:
        offer(view, np.int64(CHECK_OR_CALL), share)
    else:
        offer(view, check_or_fold(table), share)


class BlueprintPlayer(CompiledPlayer):
    """A player that follows the strategy of a book.

    Args:
        book: Bytes of ``write_book``.
        name: Name for tables and plots.
        origin: Origin of the book.

    Raises:
        ValueError: The bytes are not a book, or are damaged.
    """

    book: U8

    def __init__(
        self, book: U8, name: str = "blueprint", origin: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(name, BLUEPRINT, book=book, origin=origin)

    @property
    def sections(self) -> list[BookSection]:
        """Sections of the book, one for each stack depth."""
        return read_book(self.book)


def _check_player(player: CompiledPlayer) -> None:
    check_book(player.book)


BLUEPRINT = register_kind(
    Kind(
        "blueprint",
        blueprint_policy,
        wants="table",
        answers="amounts",
        on_event=follow_hand,
        memory=N_MEMORY,
        looks_up=True,
        checks_player=_check_player,
        player_class=BlueprintPlayer,
    )
)
