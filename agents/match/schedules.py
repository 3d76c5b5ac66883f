"""Schedules: assignment of players to numbered tournaments or blocks.

A schedule is a sequence of independent units. The result of a unit depends only on the seed, its
number, the game and its players, so the parts of a schedule can be played in any order, on any
threads and machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

import numpy as np

from nlhe_env.arguments import LARGEST_NUMBER, array, one_of, whole_number
from nlhe_env.game.description import Game
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.jit.array_types import I64

SeatingOrder = Literal["random", "fixed"]
"""Seating order: random for every block, or always that of the players."""


@dataclass(frozen=True)
class Tournaments:
    """All players in numbered games, at one or more tables with random seats.

    Args:
        count: Number of games.
        first: Number of the first game.
    """

    count: int
    first: int = 0

    def __post_init__(self) -> None:
        _check_numbers(self.first, self.count)

    def __len__(self) -> int:
        return self.count

    def rotations(self, n: int) -> int:
        """Number of games in a unit of n players."""
        return 1

    def part(self, first: int, count: int) -> Tournaments:
        """Part of the schedule: ``count`` tournaments from index ``first`` on."""
        return Tournaments(count, self.first + first)


@dataclass(frozen=True)
class Blocks:
    """The same 2 to 10 players in numbered blocks: duplicate tables.

    A block plays a game once per player, with the same cards and buttons for each seat, while the
    players move by one seat each time. Each player therefore gets every seat's cards once, and
    identical players without random decisions have exactly equal results: the players' random
    numbers differ between games.
    The games of a block share their cards; blocks are independent.

    Position relative to other players matters, for example behind a raiser. The default seating
    order is therefore random for every block.

    Source: Nicolai, MSc thesis (University of Regina, 2008), section 4.3.

    Args:
        count: Number of blocks.
        first: Number of the first block.
        seating_order: ``"random"``, new for every block, or ``"fixed"``, the order of the players,
            as published.
        players: Numbers of the participating players, in the order of the tally; default: all.
    """

    count: int
    first: int = 0
    seating_order: SeatingOrder = "random"
    players: Sequence[int] | None = None

    def __post_init__(self) -> None:
        _check_numbers(self.first, self.count)
        if self.players is not None:
            array("players", self.players, (None,), dtype=np.int64)
        one_of("seating_order", self.seating_order, get_args(SeatingOrder))

    def __len__(self) -> int:
        return self.count

    def rotations(self, n: int) -> int:
        """Number of games in a unit of n players."""
        return n

    def part(self, first: int, count: int) -> Blocks:
        """Part of the schedule: ``count`` blocks from index ``first`` on."""
        return replace(self, count=count, first=self.first + first)


@dataclass(frozen=True, eq=False)
class LineupBlocks:
    """Many lineups, each in a given block, with random seating orders.

    The result of a lineup equals that of ``Blocks`` with its players in the same block. Two lineups
    that differ in one player therefore differ only by that player's decisions in the same block.

    Args:
        lineups: ``(n, seats)`` player numbers at the table; a player may occupy several seats.
        blocks: ``(n,)`` number of the block that each lineup plays.

    Raises:
        ValueError: An array has the wrong shape, type or values.
    """

    lineups: I64
    blocks: I64

    def __post_init__(self) -> None:
        lineups = array("lineups", self.lineups, (None, None), dtype=np.int64)
        shape = (len(lineups),)  # one block each
        blocks = array("blocks", self.blocks, shape, dtype=np.int64, least=0, most=LARGEST_NUMBER)
        object.__setattr__(self, "lineups", lineups)
        object.__setattr__(self, "blocks", blocks)

    def __len__(self) -> int:
        return len(self.lineups)

    def rotations(self, n: int) -> int:
        """Number of games in a unit of n players."""
        return n

    def part(self, first: int, count: int) -> LineupBlocks:
        """Part of the schedule: ``count`` lineups from index ``first`` on."""
        chosen = slice(first, first + count)
        return LineupBlocks(self.lineups[chosen], self.blocks[chosen])


Schedule: TypeAlias = Tournaments | Blocks | LineupBlocks


def one_table(game: Game, schedule: Schedule) -> Game:
    """Game as played by a schedule: blocks use one table of any size.

    Raises:
        ValueError: Results in big blinds would be of several sizes.
    """
    if game.score == "big_blinds" and len(game.blinds.levels) > 1:
        raise ValueError(
            'score="big_blinds" needs constant blinds in matches, whose results are sums over '
            f'hands; got {len(game.blinds.levels)} levels: use "chips"'
        )
    return game if isinstance(schedule, Tournaments) else _at_one_table(game)


@lru_cache(maxsize=64)
def _at_one_table(game: Game) -> Game:
    return replace(game, table_size=MAX_SEATS)


def count_seats(schedule: Schedule, n_players: int) -> int:
    """Number of players in a unit of a schedule.

    Args:
        schedule: The schedule.
        n_players: Number of players in the batch.

    Raises:
        ValueError: The schedule does not fit the players or a table.
    """
    if isinstance(schedule, Tournaments):
        return n_players
    if isinstance(schedule, Blocks):
        if schedule.players is not None:
            _check_members("players", np.array(schedule.players), n_players)
            n_players = len(schedule.players)
        if n_players > MAX_SEATS:
            raise ValueError(f"duplicate tables need 2 to {MAX_SEATS} players; got {n_players}")
        return n_players
    lineups = schedule.lineups
    if not 2 <= lineups.shape[1] <= MAX_SEATS:
        raise ValueError(
            f"lineups must be (n, seats) with 2 to {MAX_SEATS} seats; got shape {lineups.shape}"
        )
    _check_members("lineups", lineups, n_players)
    return int(lineups.shape[1])


def _check_members(name: str, members: I64, n_players: int) -> None:
    if members.size and (members.min() < 0 or members.max() >= n_players):
        raise ValueError(
            f"{name} must hold numbers of players, 0..{n_players - 1}; got "
            f"{members.min()}..{members.max()}"
        )


def _check_numbers(first: int, count: int) -> None:
    whole_number("first", first, least=0)
    whole_number("count", count, least=0)
