"""Description of a game, shared by environments, batches, tournaments, leagues and training."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from nlhe_env.arguments import one_of, whole_number
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.blinds import ANTE_BY, BlindSchedule
from nlhe_env.game.player import PLAYER
from nlhe_env.game.rake import Rake
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS, empty_tables
from nlhe_env.game.tournament import GAME
from nlhe_env.jit.array_types import I64, Records

Mode = Literal["tournament", "cash"]
Score = Literal["chips", "big_blinds", "place"]
# In the order of the table's codes.
Betting = Literal["no-limit", "pot-limit", "fixed-limit"]
Straddle = Literal["none", "under the gun", "button"]

MODES: tuple[Mode, ...] = get_args(Mode)
SCORES: tuple[Score, ...] = get_args(Score)
BETTING: tuple[Betting, ...] = get_args(Betting)
STRADDLES: tuple[Straddle, ...] = get_args(Straddle)
MOST_RUNS = 2
USUAL_STACK = 1000
"""Chips at the start of a tournament, as published."""
USUAL_BIG_BLINDS = 100
"""Stack at the start of every hand of a cash game."""

_UNITS = {"chips": "chips", "big_blinds": "big blinds", "place": "place"}
_MOST_CHIPS = 2**40  # keeps every sum of chips far inside int64
_MOST_PLAYERS = 10**6


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


@dataclass(frozen=True, kw_only=True)
class Game:
    """Rules and scoring of a game, for any number of players.

    ``Game.tournament()`` and ``Game.cash()`` start from the usual values; environments, batches,
    tournaments, leagues and training all take such a description.

    Args:
        mode: ``"tournament"``: until one player has all chips; ``"cash"``: stacks are reset before
            every hand.
        table_size: Seats a table, 2 to 10; more players than seats play at several tables.
        starting_stack: Chips at the start, one number for all or one for every player; if not
            given, 1,000 in tournaments and 100 big blinds in cash games.
        blinds: A schedule, or ``(small, big)`` or ``(small, big, ante)`` for constant blinds; by
            rounds when there are several tables.
        num_hands: Hands of a cash session, 1 if None; of a tournament the limit at which it is cut
            short, None for no limit.
        betting: ``"no-limit"``, ``"pot-limit"`` or ``"fixed-limit"``.
        max_bets: Bets and raises on a street of fixed-limit, the big blind included; None for no
            cap in hands dealt to two players.
        straddle: Seat that straddles in every hand of at least three players, ``"none"``,
            ``"under the gun"`` or ``"button"``: a third blind of two big blinds. Not in
            fixed-limit.
        rake: Rake of the pots of a cash game, None for none.
        runs: 2: run it twice. When no player can bet any more, what is left of the board is dealt
            twice, and each board decides about half of every pot.
        two_calls: A street ends after two checks or calls in a row, so that the player called may
            raise again. Heads-up in fixed-limit only; a rule of the literature.
        score: Unit of a player's result: ``"place"`` (tournaments only, their usual one),
            ``"chips"`` or ``"big_blinds"`` won.

    Raises:
        ValueError: A value is out of range; the message names it and what is allowed.

    >>> game = Game.cash(blinds=(5, 10), num_hands=100)
    >>> game.big_blind, game.unit, game.lower_is_better, game.seats(6)
    (10, 'chips', False, 6)
    """

    mode: Mode = "tournament"
    table_size: int = MAX_SEATS
    starting_stack: int | tuple[int, ...] = None  # type: ignore[assignment]  # until it is made
    blinds: BlindSchedule = field(default_factory=BlindSchedule.pokerstars)
    num_hands: int | None = None
    betting: Betting = "no-limit"
    max_bets: int | None = USUAL_MAX_BETS
    straddle: Straddle = "none"
    rake: Rake | None = None
    runs: int = 1
    two_calls: bool = False
    score: Score | Literal[""] = ""

    def __post_init__(self) -> None:
        one_of("mode", self.mode, MODES)
        one_of("betting", self.betting, BETTING)
        if one_of("straddle", self.straddle, STRADDLES) != "none" and self.betting == "fixed-limit":
            raise ValueError(f'straddle must be "none" in fixed-limit; got {self.straddle!r}')
        if self.two_calls and self.betting != "fixed-limit":
            raise ValueError(f'two_calls needs betting="fixed-limit"; got {self.betting!r}')
        if self.rake is not None and not isinstance(self.rake, Rake):
            raise ValueError(f"rake must be a Rake, or None for no rake; got {self.rake!r}")
        if self.rake is not None and not self.is_cash:
            raise ValueError(f'rake needs mode="cash"; got mode={self.mode!r}')
        usual_score = "chips" if self.is_cash else "place"
        score = one_of("score", self.score, SCORES) if self.score else usual_score
        if score == "place" and self.is_cash:
            raise ValueError(f'score="place" needs mode="tournament"; got mode={self.mode!r}')
        blinds = BlindSchedule.of(self.blinds)
        stacks = self.starting_stack
        if stacks is None:
            usual = USUAL_BIG_BLINDS * blinds.levels[0][1] if self.is_cash else USUAL_STACK
            stacks = usual
        checked = {
            "table_size": whole_number(
                "table_size", self.table_size, least=MIN_SEATS, most=MAX_SEATS
            ),
            "starting_stack": read_stacks("starting_stack", stacks),
            "blinds": blinds,
            "num_hands": _count_or_none("num_hands", self.num_hands),
            "max_bets": _count_or_none("max_bets", self.max_bets),
            "runs": whole_number("runs", self.runs, least=1, most=MOST_RUNS),
            "score": score,
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @classmethod
    def tournament(
        cls,
        *,
        table_size: int = MAX_SEATS,
        starting_stack: int | Sequence[int] = USUAL_STACK,
        blinds: BlindSchedule | Sequence[int] | None = None,
        num_hands: int | None = None,
        betting: Betting = "no-limit",
        max_bets: int | None = USUAL_MAX_BETS,
        straddle: Straddle = "none",
        runs: int = 1,
        score: Score = "place",
    ) -> Game:
        """A tournament; see the class for the arguments. The usual blinds are the published ones.

        Raises:
            ValueError: A value is out of range.
        """
        return cls(
            mode="tournament",
            table_size=table_size,
            starting_stack=read_stacks("starting_stack", starting_stack),
            blinds=BlindSchedule.pokerstars() if blinds is None else BlindSchedule.of(blinds),
            num_hands=num_hands,
            betting=betting,
            max_bets=max_bets,
            straddle=straddle,
            runs=runs,
            score=score,
        )

    @classmethod
    def cash(
        cls,
        *,
        starting_stack: int | Sequence[int] | None = None,
        blinds: BlindSchedule | Sequence[int] = (50, 100),
        num_hands: int = 20,
        betting: Betting = "no-limit",
        max_bets: int | None = USUAL_MAX_BETS,
        straddle: Straddle = "none",
        rake: Rake | None = None,
        runs: int = 1,
        two_calls: bool = False,
        score: Score = "chips",
    ) -> Game:
        """Sessions of a cash game at one table; see the class for the arguments.

        The button moves on through a session, and what the players know of each other lasts as
        long.

        Raises:
            ValueError: A value is out of range, blinds change, or a stack does not exceed big blind
                and ante, so that there might be nothing to decide.
        """
        game = cls(
            mode="cash",
            starting_stack=starting_stack,  # type: ignore[arg-type]  # made one by the game
            blinds=BlindSchedule.of(blinds),
            num_hands=num_hands,
            betting=betting,
            max_bets=max_bets,
            straddle=straddle,
            rake=rake,
            runs=runs,
            two_calls=two_calls,
            score=score,
        )
        if len(game.blinds.levels) > 1:
            raise ValueError(f"blinds of a cash game do not change; got {blinds!r}")
        _, big_blind, ante = game.blinds.levels[0]
        stack = game.starting_stack
        if (min(stack) if isinstance(stack, tuple) else stack) <= big_blind + ante:
            raise ValueError(
                f"starting_stack must be more than big blind and ante, {big_blind + ante} chips; "
                f"got {stack!r}"
            )
        return game

    @property
    def is_cash(self) -> bool:
        """Whether stacks are reset before every hand."""
        return self.mode == "cash"

    @property
    def big_blind(self) -> int:
        """Chips of the big blind, at the start."""
        return self.blinds.levels[0][1]

    @property
    def hands_limit(self) -> int:
        """Rounds after which the game ends, 0 for no limit."""
        return self.num_hands or (1 if self.is_cash else 0)

    @property
    def unit(self) -> str:
        """Unit of scores: ``"place"``, ``"chips"`` or ``"big blinds"``."""
        return _UNITS[self.score]

    @property
    def is_zero_sum(self) -> bool:
        """Whether gains and losses cancel out; not with a rake."""
        return self.rake is None or self.rake.share == 0 or self.rake.cap == 0

    @property
    def lower_is_better(self) -> bool:
        """Whether the better of two scores is the lower one, as the first place is."""
        return self.score == "place"

    @property
    def sign(self) -> int:
        """Factor of scores that makes higher better: 1 or -1."""
        return -1 if self.lower_is_better else 1

    def stacks(self, num_players: int) -> tuple[int, ...]:
        """Chips of every player at the start.

        Raises:
            ValueError: So many players cannot play this game.
        """
        if whole_number("num_players", num_players, least=MIN_SEATS) > _MOST_PLAYERS:
            raise ValueError(f"num_players must be at most {_MOST_PLAYERS}; got {num_players}")
        if self.two_calls and num_players != 2:
            raise ValueError(f"num_players must be 2 with two_calls; got {num_players}")
        if self.is_cash and num_players < MIN_SEATS * self.tables(num_players):
            raise ValueError(
                "num_players must be even at the tables of two of a cash game, or one player has "
                f"no opponent; got {num_players}"
            )
        stacks = self.starting_stack
        if not isinstance(stacks, tuple):
            stacks = (stacks,) * num_players
        elif len(stacks) != num_players:
            raise ValueError(
                f"starting_stack must be one number or one for each of the {num_players} players; "
                f"got {len(stacks)} numbers"
            )
        if sum(stacks) > _MOST_CHIPS:
            raise ValueError(f"all chips together must be at most {_MOST_CHIPS}; got {sum(stacks)}")
        return stacks

    def tables(self, num_players: int) -> int:
        """Tables at the start."""
        return math.ceil(num_players / self.table_size)

    def seats(self, num_players: int) -> int:
        """Seats of a table: the table size, or fewer when all players fit at a smaller one."""
        return min(num_players, self.table_size)

    def arrays(self, num_players: int) -> GameArrays:
        """New arrays for a game of so many players; ``tournament.start_game`` begins it.

        Raises:
            ValueError: So many players cannot play this game.
        """
        stacks = self.stacks(num_players)
        n_tables = self.tables(num_players)
        game = np.zeros(1, GAME)
        game["players"] = num_players
        game["tables"] = n_tables
        game["table_size"] = self.table_size
        game["cash"] = self.is_cash
        game["max_hands"] = self.hands_limit
        game["hands_per_level"] = self.blinds.hands_per_level
        players = np.zeros(num_players, PLAYER)
        players["entry_stack"] = stacks
        betting = BETTING.index(self.betting)
        tables = empty_tables(n_tables, self.seats(num_players), betting, self.max_bets or 0)
        tables["ante_by"] = ANTE_BY.index(self.blinds.ante_by)
        tables["straddling"] = STRADDLES.index(self.straddle)
        tables["runs"] = self.runs
        tables["two_calls"] = self.two_calls
        if self.rake is not None:
            tables["rake_share"] = self.rake.millionths
            tables["rake_cap"] = self.rake.most
            tables["rake_needs_flop"] = self.rake.no_flop_no_drop
        return GameArrays(game, tables, players, self.blinds.as_array())


def read_stacks(name: str, value: Any) -> int | tuple[int, ...]:
    """Starting stacks: chips of each player in turn, or one number for all.

    Raises:
        ValueError: They are no numbers of chips; the message begins with the name.
    """
    if isinstance(value, Iterable) and not isinstance(value, str):
        stacks = tuple(whole_number(name, chips, least=1) for chips in value)
        if not stacks:
            raise ValueError(f"{name} must name at least one player's chips; got {value!r}")
        return stacks
    return whole_number(name, value, least=1)


def _count_or_none(name: str, value: Any) -> int | None:
    return None if value is None else whole_number(name, value, least=1)
