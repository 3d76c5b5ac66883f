"""Schedules: which players meet, in which numbered tournaments or blocks.

A schedule is a sequence of units, each of them independent of the others. The result of a unit
depends on the seed, its number, the game and its players alone, so that the parts of a schedule can
be played in any order, on any threads and machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from nlhe_env.arguments import LARGEST_NUMBER, array, one_of, whole_number
from nlhe_env.game.description import Game
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.jit.array_types import I64

SeatingOrder = Literal["random", "fixed"]
"""Order of the players around a table: drawn anew for every block, or that of the field in all."""


@dataclass(frozen=True)
class Tournaments:
    """The whole field in numbered games, maybe at many tables; seats are drawn for each.

    Args:
        count: Number of games.
        first: Number of the first.
    """

    count: int
    first: int = 0

    def __post_init__(self) -> None:
        _check_numbers(self.first, self.count)

    def __len__(self) -> int:
        return self.count

    def rotations(self, n: int) -> int:
        """Games in a unit of n players."""
        return 1

    def part(self, first: int, count: int) -> Tournaments:
        """``count`` of these tournaments, from the one at ``first`` in this schedule."""
        return Tournaments(count, self.first + first)


@dataclass(frozen=True)
class Blocks:
    """The same 2 to 10 players in numbered blocks: duplicate tables.

    In a block a game is played once for every player: the same hand numbers bring the same cards to
    the same seats with the same buttons, while the players move on by one seat from game to game.
    So each player holds every seat's cards once, and players who decide alike end exactly equal.
    The players' own randomness differs from game to game. The games of a block share their cards,
    blocks are independent of each other.

    Neighbours matter: a player acts differently behind a raiser than in front of one.
    So the order around the table is drawn anew for every block, unless ``seating_order`` says
    otherwise.

    Source: Nicolai, MSc thesis (University of Regina, 2008), section 4.3.

    Args:
        count: Number of blocks.
        first: Number of the first.
        seating_order: The order around the table: ``"random"``, drawn for every block, or
            ``"fixed"``, that of the field in all of them, as published.
        players: Numbers in the field of those who play, in the order of the tally; default: all.
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
        """Games in a unit of n players."""
        return n

    def part(self, first: int, count: int) -> Blocks:
        """``count`` of these blocks, from the one at ``first`` in this schedule."""
        return replace(self, count=count, first=self.first + first)


@dataclass(frozen=True, eq=False)
class LineupBlocks:
    """Many line-ups, each in a block of its own choice, with the order around the table drawn.

    A line-up has the result of ``Blocks`` of its players in the block of that number. So two
    line-ups that differ in one player, in the same block, differ in that player's decisions only.

    Args:
        line_ups: ``(n, seats)`` who sits at the table, as numbers in the field; the same player may
            sit there more than once.
        blocks: ``(n,)`` number of the block that each line-up plays.

    Raises:
        ValueError: An array is not of such whole numbers.
    """

    line_ups: I64
    blocks: I64

    def __post_init__(self) -> None:
        line_ups = array("line_ups", self.line_ups, (None, None), dtype=np.int64)
        shape = (len(line_ups),)  # a block for each
        blocks = array("blocks", self.blocks, shape, dtype=np.int64, least=0, most=LARGEST_NUMBER)
        object.__setattr__(self, "line_ups", line_ups)
        object.__setattr__(self, "blocks", blocks)

    def __len__(self) -> int:
        return len(self.line_ups)

    def rotations(self, n: int) -> int:
        """Games in a unit of n players."""
        return n

    def part(self, first: int, count: int) -> LineupBlocks:
        """``count`` of these line-ups, from the one at ``first``."""
        chosen = slice(first, first + count)
        return LineupBlocks(self.line_ups[chosen], self.blocks[chosen])


Schedule: TypeAlias = Tournaments | Blocks | LineupBlocks


def one_table(game: Game, schedule: Schedule) -> Game:
    """The game as a schedule plays it: blocks are played at one table of any size."""
    return game if isinstance(schedule, Tournaments) else replace(game, table_size=MAX_SEATS)


def count_seats(schedule: Schedule, n_players: int) -> int:
    """Players in a unit of a schedule.

    Args:
        schedule: The schedule that is played.
        n_players: Players in the field.

    Raises:
        ValueError: The schedule does not fit the field or a table.
    """
    if isinstance(schedule, Tournaments):
        return n_players
    if isinstance(schedule, Blocks):
        if schedule.players is not None:
            _check_members("players", np.array(schedule.players), n_players)
            n_players = len(schedule.players)
        if n_players > MAX_SEATS:
            raise ValueError(
                f"duplicate tables seat 2 to {MAX_SEATS} players at one table; got {n_players}"
            )
        return n_players
    line_ups = schedule.line_ups
    if not 2 <= line_ups.shape[1] <= MAX_SEATS:
        raise ValueError(
            f"line_ups must be (n, seats) with 2 to {MAX_SEATS} seats; got shape {line_ups.shape}"
        )
    _check_members("line_ups", line_ups, n_players)
    return int(line_ups.shape[1])


def _check_members(name: str, members: I64, n_players: int) -> None:
    if members.size and (members.min() < 0 or members.max() >= n_players):
        raise ValueError(
            f"{name} must hold numbers of players, 0..{n_players - 1}; got "
            f"{members.min()}..{members.max()}"
        )


def _check_numbers(first: int, count: int) -> None:
    whole_number("first", first, least=0)
    whole_number("count", count, least=0)
