"""The arguments of an environment, checked, and the arrays of a game made from them."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.player import PLAYER
from nlhe_env.game.rules import USUAL_MAX_BETS
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS, empty_tables
from nlhe_env.game.tournament import GAME
from nlhe_env.machine.array_types import I64, Records

MODES = ("tournament", "cash")
OBSERVATIONS = ("cards", "features", "features_scaled", "features_opponents")
REWARDS = ("chips", "big_blinds", "place")
BETTING = ("no-limit", "pot-limit", "fixed-limit")  # in the order of the table's codes

_MOST_CHIPS = 2**40  # keeps every sum of chips far inside int64


class GameArrays(NamedTuple):
    """The arrays that the kernels of ``nlhe_env.game.tournament`` work on."""

    game: Records
    """``(1,)`` of dtype ``GAME``."""
    tables: Records
    """``(n_tables,)`` of dtype ``TABLE``."""
    players: Records
    """``(n_players,)`` of dtype ``PLAYER``."""
    levels: I64
    """``(n_levels, 3)``: small blind, big blind and ante in chips."""


@dataclass(frozen=True)
class GameConfig:
    """What kind of game is played; see ``nlhe_env.env`` for the meaning of the arguments.

    Raises:
        ValueError: An argument is out of range; the message names it, its value and what is
            allowed.
    """

    num_players: int = 6
    table_size: int = MAX_SEATS
    starting_stack: int | Sequence[int] = 1000
    blinds: BlindSchedule | Sequence[int] = field(default_factory=BlindSchedule.pokerstars)
    mode: str = "tournament"
    num_hands: int | None = None
    betting: str = "no-limit"
    max_bets: int | None = USUAL_MAX_BETS

    def __post_init__(self) -> None:
        players = _whole("num_players", self.num_players, least=MIN_SEATS)
        size = _whole("table_size", self.table_size, least=MIN_SEATS, most=MAX_SEATS)
        hands = self.num_hands
        if hands is not None:
            hands = _whole("num_hands", hands, least=1)
        max_bets = self.max_bets
        if max_bets is not None:
            max_bets = _whole("max_bets", max_bets, least=1)
        _set(
            self,
            betting=choice("betting", self.betting, BETTING),
            max_bets=max_bets,
            num_players=players,
            table_size=size,
            starting_stack=starting_stacks(self.starting_stack, players),
            blinds=BlindSchedule.of(self.blinds),
            mode=choice("mode", self.mode, MODES),
            num_hands=hands,
        )

    @property
    def cash(self) -> bool:
        """Whether stacks are put back before every hand."""
        return self.mode == "cash"

    @property
    def max_hands(self) -> int:
        """Rounds after which the game ends, 0 for no limit."""
        return self.num_hands or (1 if self.cash else 0)

    @property
    def tables(self) -> int:
        """Tables at the start."""
        return math.ceil(self.num_players / self.table_size)

    @property
    def seats(self) -> int:
        """Seats of a table: the table size, or fewer when all players fit at a smaller one."""
        return min(self.num_players, self.table_size)

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips of every player at the start."""
        return self.starting_stack  # type: ignore[return-value]  # made a tuple above

    @property
    def schedule(self) -> BlindSchedule:
        """The blind schedule."""
        return self.blinds  # type: ignore[return-value]  # made a schedule above

    def arrays(self) -> GameArrays:
        """New arrays for a game of this kind; ``tournament.start_game`` begins it."""
        game = np.zeros(1, GAME)
        game["players"] = self.num_players
        game["tables"] = self.tables
        game["table_size"] = self.table_size
        game["cash"] = self.cash
        game["max_hands"] = self.max_hands
        game["hands_per_level"] = self.schedule.hands_per_level
        players = np.zeros(self.num_players, PLAYER)
        players["entry_stack"] = self.stacks
        betting = BETTING.index(self.betting)
        tables = empty_tables(self.tables, self.seats, betting, self.max_bets or 0)
        return GameArrays(game, tables, players, self.schedule.as_array())


def starting_stacks(value: Any, num_players: int) -> tuple[int, ...]:
    """One stack a player from one number or a sequence of numbers.

    Raises:
        ValueError: Not whole positive chips, or not one for every player.
    """
    if isinstance(value, Iterable) and not isinstance(value, str):
        stacks = tuple(_whole("starting_stack", chips, least=1) for chips in value)
        if len(stacks) != num_players:
            raise ValueError(
                f"starting_stack must be one number or one for each of the {num_players} players; "
                f"got {len(stacks)} numbers"
            )
    else:
        stacks = (_whole("starting_stack", value, least=1),) * num_players
    if sum(stacks) > _MOST_CHIPS:
        raise ValueError(f"all chips together must be at most {_MOST_CHIPS}; got {sum(stacks)}")
    return stacks


def choice(name: str, value: Any, allowed: Sequence[str]) -> str:
    """``value`` if it is one of ``allowed``; else a ValueError that names the nearest."""
    if isinstance(value, str) and value in allowed:
        return value
    near = get_close_matches(str(value), allowed, n=1)
    hint = f' (did you mean "{near[0]}"?)' if near else ""
    listed = ", ".join(f'"{option}"' for option in allowed)
    raise ValueError(f"{name} must be one of {listed}; got {value!r}{hint}")


def _whole(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    allowed = f"at least {least}" if most is None else f"in {least} .. {most}"
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number {allowed}; got {value!r}") from None
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name} must be {allowed}; got {value!r}")
    return number


def _set(config: GameConfig, **values: Any) -> None:
    for name, value in values.items():
        object.__setattr__(config, name, value)
