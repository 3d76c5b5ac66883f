"""Description of a game, shared by environments, batches, tournaments, leagues and training."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from inspect import Parameter, signature
from typing import (
    Any,
    Concatenate,
    Literal,
    NamedTuple,
    ParamSpec,
    TypedDict,
    Unpack,
    get_args,
    get_type_hints,
)

import numpy as np

from nlhe_env.arguments import check_names, one_of, reject_unknown_kwargs, shown, whole_number
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.blinds import ANTE_BY, AnteBy, BlindSchedule
from nlhe_env.game.player import PLAYER
from nlhe_env.game.rake import Rake
from nlhe_env.game.scoring import SCORES, Score
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS, empty_tables
from nlhe_env.game.tournament import GAME
from nlhe_env.jit.array_types import I64, Records

_P = ParamSpec("_P")

Mode = Literal["tournament", "cash"]
# In the order of the table's codes.
Betting = Literal["no-limit", "pot-limit", "fixed-limit"]
Straddle = Literal["none", "under the gun", "button"]

MODES: tuple[Mode, ...] = get_args(Mode)
BETTING: tuple[Betting, ...] = get_args(Betting)
STRADDLES: tuple[Straddle, ...] = get_args(Straddle)
_MOST_BOARDS = 2
USUAL_STACK = 1000
"""Chips at the start of a tournament, as published."""
USUAL_BIG_BLINDS = 100
"""Stack at the start of every hand of a cash game."""

_CASH_BLINDS = (10, 20)
"""Blinds of ``mode="cash"`` unless given: the first level of the published schedule."""
_USUAL_CASH: dict[str, Any] = {"blinds": (50, 100), "num_hands": 20}
_UNITS = {"chips": "chips", "big_blinds": "big blinds", "place": "place"}
_MOST_CHIPS = 2**40  # keeps every sum of chips far inside int64
_MOST_PLAYERS = 10**6


class GameArrays(NamedTuple):
    """Arrays of a game for the kernels of ``nlhe_env.game.tournament``."""

    game: Records
    """``(1,)`` of dtype ``GAME``."""
    tables: Records
    """``(n_tables,)`` of dtype ``TABLE``."""
    players: Records
    """``(n_players,)`` of dtype ``PLAYER``."""
    levels: I64
    """``(n_levels, 3)``: small blind, big blind and ante in chips."""


class TableRules(TypedDict, total=False):
    """Types of the fields of ``Game`` except mode and score, for keyword arguments."""

    table_size: int
    starting_stack: int | Sequence[int] | None
    blinds: BlindSchedule | Sequence[int] | None
    num_hands: int | None
    betting: Betting
    max_bets: int | None
    straddle: Straddle
    rake: Rake | None
    boards: int
    two_calls: bool


class GameRules(TableRules, total=False):
    """Types of the fields of ``Game`` except its score, for keyword arguments."""

    mode: Mode


def _on_pages(label: str, values: Iterable[Any], *texts: str) -> dict[str, Any]:
    """Metadata of a field that pages offer: its label, and texts by value."""
    values = tuple(values)
    return {"label": label, "choices": dict(zip(values, texts or map(str, values), strict=True))}


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """Fields of ``Game`` that are plain values, as in files, on pages and on command lines.

    A new field here is an option of every environment, league, run, page and command.
    """

    table_size: int = MAX_SEATS
    """Seats per table, 2 to 10."""

    betting: Betting = field(default="no-limit", metadata=_on_pages("Betting", BETTING))
    """Betting structure."""

    straddle: Straddle = field(
        default="none", metadata=_on_pages("Straddle (two big blinds)", STRADDLES)
    )
    """Player who posts a straddle of two big blinds before the deal."""

    boards: int = field(
        default=1,
        metadata=_on_pages("All-in before the river", (1, 2), "run it once", "run it twice"),
    )
    """2 to run it twice: two boards once no player can bet any more."""

    two_calls: bool = False
    """Heads-up fixed-limit only: a betting round ends after two consecutive calls or checks, so
    that a player whose raise is called acts again."""


@dataclass(frozen=True, kw_only=True)
class TextOptions(TableOptions):
    """Options of a game in files and on command lines; ``Game.read`` makes the game of them."""

    starting_stack: int = USUAL_STACK
    """Starting stack in chips."""

    blinds: str = ""
    """Fixed blinds SB/BB or SB/BB/ANTE; in tournaments also the published rising schedule
    ("pokerstars")."""

    ante_by: AnteBy = field(default="everyone", metadata=_on_pages("Ante paid by", ANTE_BY))
    """Payer of the ante: everyone, or the big blind for the whole table."""


@dataclass(frozen=True, kw_only=True)
class CashOptions(TextOptions):
    """Options of a cash game in files and on command lines."""

    num_hands: int = 20
    """Hands per session, within which players with memory can learn."""

    rake: str = ""
    """Rake of the pots, such as 5%, or 5%/300 for at most 300 chips per hand."""


@dataclass(frozen=True, kw_only=True)
class Game(TableOptions):
    """Rules and scoring of a game, for any number of players.

    ``Game.tournament()`` and ``Game.cash()`` have useful defaults. Environments, batches,
    tournaments, leagues and training all accept a ``Game``.

    Args:
        mode: ``"tournament"`` ends when one player has all chips; ``"cash"`` resets stacks before
            every hand.
        table_size: Seats per table, 2 to 10; more players than seats play at several tables.
        starting_stack: Initial chips, as one number or one per player; default: 1,000 in
            tournaments and 100 big blinds in cash games.
        blinds: A schedule, or ``(small, big)`` or ``(small, big, ante)`` for constant blinds;
            levels count rounds with several tables. Default: the published schedule in tournaments
            and constant 10/20 in cash games; 50/100 in ``Game.cash``.
        num_hands: Hands per cash session (None: 1), or hand limit of a tournament (None: no limit).
        betting: ``"no-limit"``, ``"pot-limit"`` or ``"fixed-limit"``.
        max_bets: Fixed-limit cap on bets and raises per street, including the big blind; None for
            no cap heads-up.
        straddle: Seat of a third blind of two big blinds in hands of at least three players:
            ``"none"``, ``"under the gun"`` or ``"button"``. Not in fixed-limit.
        rake: Rake on cash-game pots, or None.
        boards: 2 means run it twice: after the last bet, the rest of the board is dealt twice, and
            each board decides half of every pot.
        two_calls: End a street after two checks or calls in a row, so that a called player may
            raise again. A heads-up fixed-limit rule from the literature.
        score: Unit of results: ``"place"`` (the tournament default), ``"chips"`` or
            ``"big_blinds"``.

    Raises:
        ValueError: A value is out of range; the message gives its name and the allowed values.

    >>> game = Game.cash(blinds=(5, 10), num_hands=100)
    >>> game.big_blind, game.unit, game.lower_is_better, game.seats(6)
    (10, 'chips', False, 6)
    """

    mode: Mode = "tournament"
    starting_stack: int | tuple[int, ...] = None  # type: ignore[assignment]  # until it is made
    blinds: BlindSchedule = None  # type: ignore[assignment]  # likewise
    num_hands: int | None = None
    max_bets: int | None = USUAL_MAX_BETS
    rake: Rake | None = None
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
        blinds = self.blinds
        if blinds is None:
            blinds = BlindSchedule.of(_CASH_BLINDS) if self.is_cash else BlindSchedule.pokerstars()
        blinds = BlindSchedule.of(blinds)
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
            "boards": whole_number("boards", self.boards, least=1, most=_MOST_BOARDS),
            "score": score,
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @classmethod
    def tournament(cls, *, score: Score = "place", **rules: Unpack[TableRules]) -> Game:
        """Create a tournament; see the class for the arguments.

        The default blinds are the published schedule.

        Raises:
            ValueError: A value is out of range.
        """
        check_names("Game.tournament", rules, _TABLE_RULES)
        return cls(mode="tournament", score=score, **rules)  # type: ignore[arg-type]

    @classmethod
    def cash(cls, *, score: Score = "chips", **rules: Unpack[TableRules]) -> Game:
        """Create a cash game; see the class for the arguments.

        The button moves during a session, and players' memories last for one session.

        Raises:
            ValueError: A value is out of range, blinds change, or a stack does not exceed big blind
                plus ante, so that a hand could have no decision.
        """
        check_names("Game.cash", rules, _TABLE_RULES)
        game = cls(mode="cash", score=score, **{**_USUAL_CASH, **rules})
        if len(game.blinds.levels) > 1:
            raise ValueError(f"blinds of a cash game must not change; got {rules['blinds']!r}")
        _, big_blind, ante = game.blinds.levels[0]
        stack = game.starting_stack
        if (min(stack) if isinstance(stack, tuple) else stack) <= big_blind + ante:
            raise ValueError(
                f"starting_stack must be more than big blind and ante, {big_blind + ante} chips; "
                f"got {stack!r}"
            )
        return game

    @classmethod
    def read(
        cls,
        mode: Mode,
        *,
        blinds: str = "",
        ante_by: AnteBy = "everyone",
        rake: str = "",
        **options: Any,
    ) -> Game:
        """Create a game from command-line or configuration options.

        Args:
            mode: ``"tournament"`` or ``"cash"``.
            blinds: See ``BlindSchedule.read``; the usual ones if it is empty.
            ante_by: Payer of the ante.
            rake: See ``Rake.read``.
            **options: Other arguments of ``Game.tournament`` or ``Game.cash``.

        Raises:
            ValueError: A value is out of range.

        >>> Game.read("cash", blinds="5/10", rake="5%/30").starting_stack
        1000
        """
        is_cash = one_of("mode", mode, MODES) == "cash"
        usual = "50/100" if is_cash else "pokerstars"
        schedule = BlindSchedule.read(usual if blinds == "" else blinds)
        schedule = replace(schedule, ante_by=ante_by)
        if is_cash:
            return cls.cash(blinds=schedule, rake=Rake.read(rake), **options)
        if rake:
            raise ValueError(f"tournaments have no rake; got rake = {rake!r}")
        return cls.tournament(blinds=schedule, **options)

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
        """Maximum number of rounds, 0 for no limit."""
        return self.num_hands or (1 if self.is_cash else 0)

    @property
    def unit(self) -> str:
        """Unit of scores: ``"place"``, ``"chips"`` or ``"big blinds"``."""
        return _UNITS[self.score]

    @property
    def lower_is_better(self) -> bool:
        """Whether lower scores are better, as for places."""
        return self.score == "place"

    @property
    def sign(self) -> int:
        """Factor (1 or -1) that makes higher scores better."""
        return -1 if self.lower_is_better else 1

    def stacks(self, num_players: int) -> tuple[int, ...]:
        """Initial chips of every player.

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
        """Initial number of tables."""
        return math.ceil(num_players / self.table_size)

    def seats(self, num_players: int) -> int:
        """Seats per table: the table size, or the number of players if smaller."""
        return min(num_players, self.table_size)

    def arrays(self, num_players: int) -> GameArrays:
        """New arrays for a game of this many players, for ``tournament.start_game``.

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
        tables["boards"] = self.boards
        tables["two_calls"] = self.two_calls
        if self.rake is not None:
            tables["rake_share"] = self.rake.millionths
            tables["rake_cap"] = self.rake.most
            tables["rake_needs_flop"] = self.rake.no_flop_no_drop
        return GameArrays(game, tables, players, self.blinds.as_array())


_TYPES = get_type_hints(GameRules)

RULES = {
    name: one.replace(annotation=_TYPES[name])
    for name, one in signature(Game).parameters.items()
    if name != "score"
}
"""Fields of ``Game`` except its score, as keyword arguments, by name."""

_TABLE_RULES = {name: one for name, one in RULES.items() if name != "mode"}


def show_options(function: Any, options: Iterable[Parameter]) -> None:
    """Show the keyword arguments that a function takes as ``**`` in its signature, for ``help``."""
    shown = signature(function, eval_str=True)
    own = [one for one in shown.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    more = [one for one in options if one.name not in shown.parameters]
    function.__signature__ = shown.replace(parameters=[*own, *more])


show_options(Game.tournament.__func__, _TABLE_RULES.values())  # type: ignore[attr-defined]
show_options(
    Game.cash.__func__,  # type: ignore[attr-defined]
    (one.replace(default=_USUAL_CASH.get(one.name, one.default)) for one in _TABLE_RULES.values()),
)


PAGE_OPTIONS = {one.name: one for one in fields(TextOptions) if one.metadata}
"""Options with a choice of values, which pages offer; "label" and "choices" in the metadata."""


def takes_rules(
    constructor: Callable[Concatenate[Any, _P], None],
) -> Callable[Concatenate[Any, _P], None]:
    """Show the rules that a constructor takes in its signature, and reject unknown arguments."""
    checked = reject_unknown_kwargs(RULES)(constructor)
    show_options(checked, RULES.values())
    return checked


def read_game(game: Game | None, reward: Score | None, **rules: Unpack[GameRules]) -> Game:
    """Return the given game, or a game with these rules.

    Args:
        game: A game, in place of rules and reward.
        reward: Score of a game given by rules; None for ``"chips"``.
        **rules: Fields of ``Game``; with a game, only those that it has anyway.

    Raises:
        ValueError: The rules are impossible, or contradict the given game.
    """
    if reward is not None:
        one_of("reward", reward, SCORES)
    if game is None:
        if reward == "place" and rules.get("mode") == "cash":
            raise ValueError('reward="place" needs mode="tournament"; got mode="cash"')
        return Game(score=reward or "chips", **rules)  # type: ignore[arg-type]
    if not isinstance(game, Game):
        raise ValueError(f"game must be a Game, such as Game.cash(); got {shown(game)}")
    score = {} if reward is None else {"score": reward}
    with suppress(ValueError):  # from options that the rest of the game excludes
        if replace(game, **rules, **score) == game:  # type: ignore[arg-type]
            return game
    options = {**rules} if reward is None else {**rules, "reward": reward}
    given = ", ".join(f"{name}={shown(value)}" for name, value in options.items())
    raise ValueError(f"give either game or its options, not both; got game and {given}")


def read_stacks(name: str, value: Any) -> int | tuple[int, ...]:
    """Parse starting stacks: one number, or one number per player.

    Raises:
        ValueError: The values are not chip counts; the message begins with the name.
    """
    if isinstance(value, Iterable) and not isinstance(value, str):
        stacks = tuple(whole_number(name, chips, least=1) for chips in value)
        if not stacks:
            raise ValueError(f"{name} must name at least one player's chips; got {value!r}")
        return stacks
    return whole_number(name, value, least=1)


def _count_or_none(name: str, value: Any) -> int | None:
    return None if value is None else whole_number(name, value, least=1)
