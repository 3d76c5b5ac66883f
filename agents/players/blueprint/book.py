"""A blueprint as bytes: betting trees and their strategies, read by kernels at their addresses.

A book has a section for each stack depth. Players with the same book share one copy in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from agents.players.blueprint.card_buckets import N_STREETS, CardBuckets, Steps
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.jit.array_types import F32, I32, U8, AnyArray, Record, Records
from nlhe_env.jit.record_pointers import record_pointer

BIG_BLIND_SEAT, BUTTON_SEAT = range(2)
"""Seats of the players in the trees of a book."""

NODE = np.dtype(
    [
        ("stake", np.float32),  # at the end of a hand: big blinds lost by the loser
        ("pot", np.float32),  # big blinds put in by both
        ("row", np.int32),  # of the first action, among the rows of its street
        ("first", np.int32),  # index of the first action among all actions
        ("actor", np.int8),  # player to act; at the end the player that folded, -1 at a showdown
        ("street", np.int8),
        ("count", np.int8),  # number of actions; 0 where the betting is over
        ("unused", np.int8),
    ]
)
"""A node of a betting tree; the node that ends a street's betting begins the next street."""
NodeRecord: TypeAlias = Record
"""A record of dtype ``NODE``."""

ACTION = np.dtype(
    [
        ("size", np.float32),  # FOLDS, CALLS, or the size of a raise in pots after calling
        ("child", np.int32),  # node after the action
        ("all_in", np.int32),  # 1 for a raise of all chips
    ]
)
ActionRecord: TypeAlias = Record
"""A record of dtype ``ACTION``."""
FOLDS, CALLS = -1.0, 0.0

SECTION = np.dtype(
    [
        ("betting", np.int64),  # NO_LIMIT or FIXED_LIMIT
        ("stack", np.float64),  # big blinds at the start of a hand, 0 in fixed-limit
        # Byte offsets in the book.
        ("nodes", np.int64),
        ("actions", np.int64),
        ("openings", np.int64),  # int32: opening nodes by street
        ("edges", np.int64, (N_STREETS,)),
        ("chances", np.int64, (N_STREETS,)),  # uint8 by bucket and row of the street
        ("n_nodes", np.int64),
        ("n_actions", np.int64),
        ("first_opening", np.int64, (N_STREETS + 1,)),
        ("rows", np.int64, (N_STREETS,)),
        ("main", np.int64, (N_STREETS,)),
        ("within", np.int64, (N_STREETS,)),
    ]
)
SectionRecord: TypeAlias = Record
"""A record of dtype ``SECTION``."""
HEADER = np.dtype([("sections", np.int64)])

MOST_BUCKETS = 65_535
"""Maximum number of buckets per street."""
LARGEST_PART = 2**31 - 1
"""Maximum number of rows of a street or of steps, since node numbers are int32."""

header_at = record_pointer(HEADER)
section_at = record_pointer(SECTION)
node_at = record_pointer(NODE)
action_at = record_pointer(ACTION)
byte_at = record_pointer(np.dtype([("value", np.uint8)]))
integer_at = record_pointer(np.dtype([("value", np.int32)]))
edges_at = record_pointer(np.dtype([("values", np.float32, (MOST_BUCKETS,))]))


class BettingTree(NamedTuple):
    """Betting tree of a two-player game, laid out for kernels."""

    nodes: Records
    """``(n,)`` of dtype ``NODE``, the root first."""
    actions: Records
    """``(n,)`` of dtype ``ACTION``, contiguous for each node."""

    @property
    def rows(self) -> tuple[int, ...]:
        """Number of actions on each street, over all decisions."""
        nodes = self.nodes
        streets = range(int(nodes["street"].max()) + 1)
        return tuple(int(nodes["count"][nodes["street"] == street].sum()) for street in streets)

    @property
    def openings(self) -> list[I32]:
        """First decision nodes of each street."""
        nodes, actions = self.nodes, self.actions
        parents = np.repeat(np.arange(len(nodes)), nodes["count"])
        child = actions["child"]
        begins = nodes["street"][child] != nodes["street"][parents]
        begins &= nodes["count"][child] > 0
        return [
            np.array([0], np.int32),
            *(
                np.unique(child[begins & (nodes["street"][child] == street)]).astype(np.int32)
                for street in range(1, N_STREETS)
            ),
        ]


class BookSection(NamedTuple):
    """Section of a book: the strategy for one stack depth."""

    betting: int
    stack: float
    """Big blinds, 0 in fixed-limit."""
    tree: BettingTree
    buckets: CardBuckets
    chances: tuple[U8, ...]
    """``(buckets, rows)`` action weights for each street."""


_ALIGNED = 16


def write_book(sections: Sequence[BookSection]) -> U8:
    """The bytes of a book."""
    blocks: list[bytes] = []
    start = HEADER.itemsize + len(sections) * SECTION.itemsize
    end = start + -start % _ALIGNED

    def add(array: Records | F32 | U8 | I32) -> int:
        nonlocal end
        place = end
        block = np.ascontiguousarray(array).tobytes()
        blocks.append(block + bytes(-len(block) % _ALIGNED))
        end += len(blocks[-1])
        return place

    records = np.zeros(len(sections), SECTION)
    for record, section in zip(records, sections, strict=True):
        openings = section.tree.openings
        record["betting"] = section.betting
        record["stack"] = section.stack
        record["nodes"] = add(section.tree.nodes)
        record["actions"] = add(section.tree.actions)
        record["openings"] = add(np.concatenate(openings))
        record["edges"][1:] = [add(edges) for edges in section.buckets.edges]
        record["chances"] = [add(chances) for chances in section.chances]
        record["n_nodes"] = len(section.tree.nodes)
        record["n_actions"] = len(section.tree.actions)
        record["first_opening"][1:] = np.cumsum([len(nodes) for nodes in openings])
        record["rows"] = section.tree.rows
        record["main"][1:] = [steps.main for steps in section.buckets.steps]
        record["within"][1:] = [steps.within for steps in section.buckets.steps]
    header = np.zeros(1, HEADER)
    header["sections"] = len(sections)
    head = header.tobytes() + records.tobytes()
    head += bytes(-len(head) % _ALIGNED)
    return np.frombuffer(head + b"".join(blocks), np.uint8).copy()


def check_book(book: U8 | None) -> None:
    """Check that all offsets and nodes of a book lie within it.

    Raises:
        ValueError: The bytes are not a book, or are damaged.
    """
    if book is None:
        raise ValueError("this kind of player needs a book")
    size = len(book)

    def check(is_right: bool, what: str) -> None:
        if not is_right:
            raise ValueError(f"book is not a blueprint, or is damaged: {what}")

    def check_part(place: int, count: int, each: int, what: str) -> None:
        check(place >= 0 and count >= 0 and place + count * each <= size, what)

    check(size >= HEADER.itemsize, "there is no header")
    count = int(book[: HEADER.itemsize].view(HEADER)[0]["sections"])
    check(count > 0, "there are no sections")
    check_part(HEADER.itemsize, count, SECTION.itemsize, "sections")
    end = HEADER.itemsize + count * SECTION.itemsize
    for record in book[HEADER.itemsize : end].view(SECTION):
        n_nodes, n_actions = int(record["n_nodes"]), int(record["n_actions"])
        check_part(int(record["nodes"]), n_nodes, NODE.itemsize, "nodes")
        check_part(int(record["actions"]), n_actions, ACTION.itemsize, "actions")
        firsts = record["first_opening"].astype(np.int64)
        check(firsts[0] == 0 and bool((firsts[:-1] <= firsts[1:]).all()), "openings")
        check_part(int(record["openings"]), int(firsts[-1]), 4, "openings")
        main, within, rows = record["main"], record["within"], record["rows"]
        for divided in (main[1:], within[1:], rows):
            check(bool(((divided >= 0) & (divided <= LARGEST_PART)).all()), "sizes of streets")
        buckets = [N_PREFLOP, *(main[1:] * within[1:]).tolist()]
        check(min(buckets) >= 1 and max(buckets) <= MOST_BUCKETS, "buckets")
        for street in range(N_STREETS):
            if street > 0:
                check_part(int(record["edges"][street]), buckets[street] - 1, 4, "edges")
            chances = buckets[street] * int(rows[street])
            check_part(int(record["chances"][street]), chances, 1, "chances")
        section = _section(book, record)
        nodes, child = section.tree.nodes, section.tree.actions["child"].astype(np.int64)
        streets, branches = nodes["street"].astype(np.int64), nodes["count"].astype(np.int64)
        check(n_nodes > 0 and bool(((streets >= 0) & (streets < N_STREETS)).all()), "streets")
        check(bool((np.abs(nodes["actor"]) <= 1).all()), "who decides")
        check(bool((branches >= 0).all()), "actions of nodes")
        for first, last in (("first", n_actions), ("row", rows[streets])):
            places = nodes[first].astype(np.int64)
            inside = (places >= 0) & (places + branches <= last)
            check(bool((inside | (branches == 0)).all()), "actions of nodes")
        parents = np.repeat(np.arange(n_nodes), branches)
        check(len(parents) == n_actions, "actions of nodes")
        check(bool(((child > 0) & (child < n_nodes)).all()), "what actions lead to")
        at = int(record["openings"])
        openings = book[at : at + 4 * int(firsts[-1])].view(np.int32)
        check(bool(((openings >= 0) & (openings < n_nodes)).all()), "openings")
        opened = np.repeat(np.arange(N_STREETS), np.diff(firsts))
        check(bool((streets[openings] == opened).all()), "streets of openings")


def read_book(book: U8) -> list[BookSection]:
    """The sections of a book, as views of its bytes."""
    count = int(book[: HEADER.itemsize].view(HEADER)[0]["sections"])
    end = HEADER.itemsize + count * SECTION.itemsize
    return [_section(book, record) for record in book[HEADER.itemsize : end].view(SECTION)]


def _section(book: U8, record: Records) -> BookSection:
    def part(place: int, count: int, dtype: np.dtype[Any]) -> AnyArray:
        return book[place : place + count * dtype.itemsize].view(dtype)

    steps = tuple(
        Steps(int(main), int(within))
        for main, within in zip(record["main"][1:], record["within"][1:], strict=True)
    )
    edges = tuple(
        part(int(place), each.main * each.within - 1, np.dtype(np.float32))
        for place, each in zip(record["edges"][1:], steps, strict=True)
    )
    buckets = CardBuckets(steps, edges)
    tree = BettingTree(
        part(int(record["nodes"]), int(record["n_nodes"]), NODE),
        part(int(record["actions"]), int(record["n_actions"]), ACTION),
    )
    chances = tuple(
        part(int(place), count * int(rows), np.dtype(np.uint8)).reshape(count, int(rows))
        for place, count, rows in zip(
            record["chances"], buckets.counts, record["rows"], strict=True
        )
    )
    return BookSection(int(record["betting"]), float(record["stack"]), tree, buckets, chances)
