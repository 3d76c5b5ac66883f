"""Boards on which two ranges meet: drawn as they are dealt, or listed, with their weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from math import comb
from typing import NamedTuple

import numpy as np

from nlhe_env.arguments import one_of, whole_number
from nlhe_env.cards import N_CARDS, format_cards, parse_cards
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.equity.tables.suits import hole_numbers
from nlhe_env.jit.array_types import F64, I64, Bool

STREETS = {"flop": 3, "turn": 4, "river": 5}
"""Streets and the number of cards on the board."""

_ROUNDING = 1e-12
"""Share of all hands that may be left in a sum of hands that cancel out."""
_DECK = np.arange(N_CARDS)
_DEALS, _DEALS_OF_BOARD = 20_000, 50
"""Deals to try, and more for each board, before it is clear that there are no other boards."""


class BoardSample(NamedTuple):
    """Boards and how much each counts in an average over all boards."""

    boards: tuple[str, ...]
    """Cards of each board as text, the highest first if they were drawn."""
    weights: F64
    """``(boards,)`` weights, which sum to 1."""
    drawn: bool
    """Whether the boards are a random sample, so that averages have standard errors."""


def draw_boards(
    count: int, street: str, ranges: tuple[str | Range, str | Range], *, seed: int | None = None
) -> BoardSample:
    """Draw different boards as they are dealt, given that both players have their ranges.

    Two hands and a board are dealt until there are enough different boards. Boards that differ only
    by a change of suits which leaves both ranges as they are count as one. A board has the weight
    p / (1 - (1 - p)^d) where p is its probability in one deal and d the number of deals, so that a
    weighted mean estimates the mean over all deals (D. G. Horvitz, D. J. Thompson, 1952): weights
    are almost equal if few of all boards are drawn, and p if all are.

    Args:
        count: Number of boards.
        street: ``"flop"``, ``"turn"`` or ``"river"``.
        ranges: Ranges of both players.
        seed: Seed of the random draws; None draws other boards in each call.

    Raises:
        ValueError: An argument is out of range, the ranges can never meet, or they meet on fewer
            different boards.

    >>> draw_boards(2, "river", ("AA", "KK"), seed=1).boards
    ('KsJh4d3c2h', 'AsQhJh2s2d')
    """
    whole_number("count", count, least=1)
    n_cards = STREETS[one_of("street", street, STREETS)]
    rng = np.random.default_rng(None if seed is None else whole_number("seed", seed, least=0))
    first, second = _tables(ranges)
    met = first * _met(second)
    if not met.any():
        raise ValueError(_never_meet(ranges))
    first_sums = np.cumsum(met)
    changes = _symmetries(first, second)
    found: dict[tuple[int, ...], int] = {}  # boards and how many are the same up to suits
    deals = 0
    while len(found) < count:
        deals += 1
        if deals > _DEALS + _DEALS_OF_BOARD * count:
            raise ValueError(
                f"count must be at most the number of different {street}s on which these ranges "
                f"meet; got {count}, and {deals - 1:,} deals have only {len(found)}"
            )
        own = HOLES[_draw(first_sums, rng)]
        other = HOLES[_draw(np.cumsum(second * _without(own)), rng)]
        deck = np.delete(_DECK, [*own, *other])
        dealt = deck[rng.choice(len(deck), n_cards, replace=False)]
        same = {tuple(sorted(change[dealt].tolist(), reverse=True)) for change in changes}
        found[max(same)] = len(same)
    all_deals = met.sum() * comb(N_CARDS - 4, n_cards)
    chances = np.array([n * _weight(cards, first, second) for cards, n in found.items()])
    chances /= all_deals
    weights = chances / -np.expm1(deals * np.log1p(-chances))
    boards = tuple(format_cards(cards) for cards in found)
    return BoardSample(boards, weights / weights.sum(), drawn=True)


def weigh_boards(boards: Sequence[str], ranges: tuple[str | Range, str | Range]) -> BoardSample:
    """Weigh given boards by how often each is dealt while both players have their ranges.

    Args:
        boards: Different boards of one street, such as ``["KsTh7s", "8d8c2h"]``.
        ranges: Ranges of both players.

    Raises:
        ValueError: A board is impossible, given twice or of another street, or the ranges can never
            meet on it.

    >>> weigh_boards(["KsTh7s", "KcKdKh"], ("KK", "AA")).weights
    Traceback (most recent call last):
    ValueError: boards[1] is impossible: the ranges KK and AA can never meet on KcKdKh
    """
    if isinstance(boards, str) or not len(boards):
        raise ValueError(f"boards must be a list of at least one board; got {boards!r}")
    first, second = _tables(ranges)
    cards = [parse_cards(board) for board in boards]
    weights = np.zeros(len(cards))
    for i, board in enumerate(cards):
        if len(board) not in STREETS.values():
            raise ValueError(f"boards[{i}] must be 3, 4 or 5 cards; got {boards[i]!r}")
        if len(board) != len(cards[0]):
            raise ValueError(
                f"boards must all be of the same street: boards[0] has {len(cards[0])} cards, "
                f"boards[{i}] has {len(board)}"
            )
        if set(board) in map(set, cards[:i]):
            raise ValueError(f"boards[{i}] is given twice: {boards[i]}")
        weights[i] = _weight(board, first, second)
        if weights[i] == 0:
            raise ValueError(
                f"boards[{i}] is impossible: the ranges {ranges[0]} and {ranges[1]} can never meet "
                f"on {boards[i]}"
            )
    return BoardSample(tuple(map(format_cards, cards)), weights / weights.sum(), drawn=False)


def _tables(ranges: tuple[str | Range, str | Range]) -> list[F64]:
    """``(1326,)`` weights of all holdings for each player."""
    if not isinstance(ranges, (tuple, list)) or len(ranges) != 2:
        raise ValueError(f"ranges must be two, one for each player; got {ranges!r}")
    return [(held if isinstance(held, Range) else Range.parse(held)).table for held in ranges]


def _never_meet(ranges: tuple[str | Range, str | Range]) -> str:
    return (
        "ranges can never meet: every holding of one shares a card with every holding of the "
        f"other; got {ranges[0]} and {ranges[1]}"
    )


def _draw(sums: F64, rng: np.random.Generator) -> int:
    """Draw an index, given the cumulative sums of the weights."""
    return int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))


def _without(cards: Iterable[int]) -> Bool:
    """``(1326,)`` whether a holding has none of some cards."""
    there = np.zeros(N_CARDS, np.bool_)
    there[list(cards)] = True
    without: Bool = ~(there[HOLES[:, 0]] | there[HOLES[:, 1]])
    return without


def _met(table: F64) -> F64:
    """``(1326,)`` weight of the holdings in a table that each holding can meet."""
    of_card = np.zeros(N_CARDS)
    for column in HOLES.T:
        np.add.at(of_card, column, table)
    # Its twin, the same two cards, has been subtracted twice.
    met = table.sum() - of_card[HOLES].sum(axis=1) + table
    return np.where(met > _ROUNDING * table.sum(), met, 0.0)


def _weight(board: tuple[int, ...], first: F64, second: F64) -> float:
    """Weight of all pairs of hands that can meet on a board."""
    possible = _without(board)
    return float((first * possible) @ _met(second * possible))


def _symmetries(first: F64, second: F64) -> list[I64]:
    """``(52,)`` card that each card becomes, by each change of suits that keeps both ranges."""
    found = []
    for suits in permutations(range(4)):
        change = _DECK // 4 * 4 + np.array(suits)[_DECK % 4]
        low, high = np.sort(change[HOLES], axis=1).T
        numbers = hole_numbers(high, low)
        if all(np.array_equal(table[numbers], table) for table in (first, second)):
            found.append(change)
    return found
