"""The matches of a league: their players, rounds and tallies.

A match is a set of players at tables of a given size. Its rounds are the independent units: random
tables at which all players play equally often. Each duplicate table is played once per seat, with
all players moved by one seat each time. If all players fit at one table, a round has one table; two
players play heads-up.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from agents.match.playing import PlayTask, play
from agents.match.schedules import Blocks, LineupBlocks
from agents.match.tally import Tally
from agents.policy.compiled_player import Player
from agents.policy.player_batch import PlayerBatch
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.methods import VarianceReduction, check_variance_reduction
from agents.variance_reduction.value_functions import load_value_function
from nlhe_env.arguments import LARGEST_SEED, one_of, shown, whole_number
from nlhe_env.assessment.estimators.estimator import PARTS
from nlhe_env.game.description import MODES, CashOptions, Game, Mode
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.jit.array_types import I64
from nlhe_env.system.part_names import allow_in_files, is_given

Format = Literal["heads-up", "table"]

_STREAM = 5
"""Purpose of random streams: matches of a league."""

_USUAL: dict[str, dict[str, Any]] = {
    "cash": {"format": "heads-up", "blinds": "50/100"},
    "tournament": {"format": "table", "blinds": ""},
}


@dataclass(frozen=True, kw_only=True)
class LeagueSettings(CashOptions):
    """Settings of a league; ``LeagueSettings.of`` fills in defaults.

    Attributes:
        mode: ``"cash"``, with stacks reset before every hand, or ``"tournament"``.
        format: ``"heads-up"``, every pair separately, or ``"table"``, all players together.
        table_size: Seats per table; more players than seats play at random tables.
        blinds: Small and big blind of cash games, optionally ante, such as ``"50/100"``; empty for
            tournaments, which follow the published schedule.
        seed: Seed of all cards, seats and decisions.
        variance_reduction: Method for cash games, see ``agents.play``.
        value: Value function of ``variance_reduction="aivat"``: ``"equity"`` or a file.
        value_hash: Hash of the value function in that file, constant for the whole league.
    """

    mode: Mode
    format: Format
    seed: int = 1
    variance_reduction: VarianceReduction = "none"
    value: str = "equity"
    value_hash: str = ""

    def __post_init__(self) -> None:
        one_of("mode", self.mode, MODES)
        one_of("format", self.format, get_args(Format))
        for name, least, most in (
            ("table_size", MIN_SEATS, MAX_SEATS),
            ("starting_stack", 1, None),
            ("num_hands", 1, None),
            ("seed", 0, LARGEST_SEED),
        ):  # as plain integers, which a store can write
            value = whole_number(name, getattr(self, name), least=least, most=most)
            object.__setattr__(self, name, value)
        if self.format == "heads-up" and self.table_size != MIN_SEATS:
            raise ValueError(f"heads-up tables have 2 seats; got table_size = {self.table_size}")
        game = self.make_game()  # also checks the other values
        game.stacks(self.table_size)
        if self.mode == "tournament":
            if self.blinds:
                raise ValueError(
                    "tournaments follow the published blind schedule, since they might not end "
                    f"with fixed blinds; got blinds = {self.blinds}"
                )
            if self.starting_stack < 2 * game.big_blind:
                raise ValueError(
                    f"starting_stack must be at least 2 big blinds, {2 * game.big_blind} chips; "
                    f"got {self.starting_stack}"
                )
        check_variance_reduction(self.variance_reduction, game, self.table_size)
        if self.value != "equity" and self.variance_reduction != "aivat":
            raise ValueError(
                'value needs variance_reduction="aivat"; got '
                f"variance_reduction={self.variance_reduction!r}"
            )

    @classmethod
    def of(cls, stored: LeagueSettings | None = None, **given: Any) -> LeagueSettings:
        """Settings with these values, completed by stored values or the defaults of the game.

        Args:
            stored: Settings of the continued league.
            **given: Values of attributes; None for values not given.

        Raises:
            ValueError: A value is impossible or differs from the stored one.

        >>> LeagueSettings.of(mode="tournament").format
        'table'
        """
        wanted = {key: value for key, value in given.items() if value is not None}
        if wanted.get("value", "equity") != "equity":
            allow_in_files(wanted["value"])
            wanted["value_hash"] = load_value_function(wanted["value"]).digest
            if stored is not None and stored.value_hash == wanted["value_hash"]:
                stored = replace(stored, value=wanted["value"])  # the file may have moved
        if stored is not None:
            for key, value in wanted.items():
                if getattr(stored, key) != value:
                    raise ValueError(
                        f"this league is played with {key} = {getattr(stored, key)!r}, not "
                        f"{value!r}: use another store"
                    )
            return stored
        values = {"mode": "cash"} | wanted
        values = _USUAL[one_of("mode", values["mode"], MODES)] | values
        table_size = MIN_SEATS if values["format"] == "heads-up" else MAX_SEATS
        stack = Game.read(values["mode"], blinds=values["blinds"]).starting_stack
        return cls(**{"table_size": table_size, "starting_stack": stack} | values)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for ``from_dict``, without disabled game options."""
        values = asdict(self)
        return {key: value for key, value in values.items() if value != _OFF.get(key)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> LeagueSettings:
        """Settings from the values of ``as_dict``, also read from JSON.

        Raises:
            ValueError: A key or value is invalid.
        """
        if {*_OFF, *values} != {field.name for field in fields(cls)}:
            raise ValueError(f"these are not league settings: {sorted(values)}")
        for name, value in values.items():
            if type(value) is not _TYPES[name]:
                raise ValueError(f"{name} is of another type; got {shown(value)}")
        return cls(**values)

    def load_variance_reduction(self) -> VarianceReduction | Aivat:
        """Load the variance reduction for ``agents.play``.

        Raises:
            ValueError: The file of the value function is missing, has another hash, or is named
                only by a store.
        """
        if self.value == "equity":
            return self.variance_reduction
        if not is_given(self.value):
            raise ValueError(
                f"this league needs its value function {self.value_hash}, which was in "
                f"{shown(self.value)}: give the file again: --variance-reduction "
                "aivat:value=FILE"
            )
        value = load_value_function(self.value)
        if value.digest != self.value_hash:
            raise ValueError(
                f"{self.value} contains the value function {value}, but this league uses one with "
                f"hash {self.value_hash}"
            )
        return Aivat(value=value)

    @property
    def cash(self) -> bool:
        """Whether the game is a cash game."""
        return self.mode == "cash"

    def make_game(self) -> Game:
        """The game of the league."""
        options = {name: getattr(self, name) for name in _OPTIONS}
        if not self.cash:
            del options["num_hands"]
        return Game.read(self.mode, **options)


# Stored settings omit other options that are off, such as those that the game gets later.
_OPTIONS = tuple(one.name for one in fields(CashOptions))
_STORED = (
    "mode",
    "format",
    "table_size",
    "starting_stack",
    "blinds",
    "num_hands",
    "betting",
    "seed",
)
_OFF = {one.name: one.default for one in fields(LeagueSettings) if one.name not in _STORED}
_TYPES = {
    one.name: str if one.default is MISSING else type(one.default) for one in fields(LeagueSettings)
}


@dataclass(frozen=True)
class Match:
    """A match: a set of players and the settings of their games.

    Attributes:
        names: Names of the players, sorted.
        settings: Settings of the league.
    """

    names: tuple[str, ...]
    settings: LeagueSettings

    @property
    def seats(self) -> int:
        """Seats of a table."""
        return min(len(self.names), self.settings.table_size)

    @property
    def tables(self) -> int:
        """Tables of a round: the minimum at which all players play equally often."""
        return math.lcm(len(self.names), self.seats) // self.seats

    @property
    def games(self) -> int:
        """Hands of a round in a cash game, tournaments otherwise."""
        return self.tables * self.seats * (self.settings.num_hands if self.settings.cash else 1)

    @property
    def games_of_player(self) -> int:
        """Games of a round in which each player takes part."""
        return self.games * self.seats // len(self.names)

    @property
    def unit(self) -> Fraction:
        """Score of one point of a round.

        Scores are big blinds won per 100 hands, or mean places; points are chips or half places.
        """
        if self.settings.cash:
            return Fraction(100, self.settings.make_game().big_blind * self.games_of_player)
        return Fraction(1, 2 * self.games_of_player)

    @property
    def seed(self) -> int:
        """Seed of the games; it depends only on the names and the seed of the league."""
        digest = hashlib.sha256(json.dumps(self.names).encode()).digest()
        words = np.frombuffer(digest, "<u4", count=4).tolist()
        return int(_stream(self.settings.seed, *words).generate_state(1, np.uint64)[0])

    def nothing(self) -> Tally:
        """An empty tally."""
        empty = np.zeros((0, len(self.names)), np.int64)
        lower_is_better = not self.settings.cash
        plain = Tally.of_points(empty, unit=self.unit, lower_is_better=lower_is_better)
        if self.settings.variance_reduction == "none":
            return plain
        return replace(plain, unit=self.unit / PARTS, plain=plain)

    def seating(self, number: int) -> I64:
        """``(tables, seats)`` players at the tables of a round, drawn and sorted within a table."""
        rng = np.random.default_rng(_stream(self.seed, number))
        order = rng.permutation(len(self.names))
        places = np.arange(self.tables * self.seats) % len(self.names)
        return np.sort(order[places].reshape(self.tables, self.seats), axis=1)

    def play_task(
        self,
        players: PlayerBatch | Sequence[Player],
        schedule: Blocks,
        variance_reduction: VarianceReduction | Aivat = "none",
    ) -> PlayTask:
        """Rounds of the match, to play; ``Tally.scored_in`` with ``unit`` gives their scores."""
        how = play if self.tables == 1 else partial(play_rounds, self)
        game = self.settings.make_game()
        return PlayTask(players, schedule, game, self.seed, how, variance_reduction)


def _stream(seed: int, *numbers: int) -> np.random.SeedSequence:
    """Random stream for these numbers, apart from those of the runs of ``evolve``."""
    return np.random.SeedSequence(seed, spawn_key=(_STREAM, *numbers))


def matches_of(names: Sequence[str], settings: LeagueSettings) -> list[Match]:
    """Matches of a league: one per pair, or one of all players."""
    ordered = sorted(names)
    if settings.format == "table":
        return [Match(tuple(ordered), settings)]
    pairs = [(first, second) for i, first in enumerate(ordered) for second in ordered[i + 1 :]]
    return [Match(pair, settings) for pair in pairs]


def play_rounds(
    match: Match,
    players: PlayerBatch | Sequence[Player],
    schedule: Blocks,
    game: Game,
    *,
    seed: int,
    rows: bool = False,
    variance_reduction: VarianceReduction | Aivat = "none",
) -> Tally:
    """Plays the rounds of a match as ``agents.play`` plays the units of a schedule.

    Returns:
        Tally of the rounds, with scores in ``Match.unit``; ``ahead`` counts the duplicate tables at
        which one player did better than another.
    """
    if match.tables == 1:
        tally = play(
            players, schedule, game, seed=seed, rows=rows, variance_reduction=variance_reduction
        )
    else:
        first, count = schedule.first, len(schedule)
        drawn = [match.seating(number) for number in range(first, first + count)]
        lineups = np.concatenate([np.empty((0, match.seats), np.int64), *drawn])
        numbers = first * match.tables + np.arange(len(lineups))
        met = LineupBlocks(lineups, numbers)
        tables = play(
            players, met, game, seed=seed, rows=True, variance_reduction=variance_reduction
        )
        tally = _rounds_of(tables, lineups, match)
    return tally.scored_in(match.unit)


def _rounds_of(tables: Tally, lineups: I64, match: Match) -> Tally:
    """Tally of rounds, from the tally of their tables."""
    assert tables.rows is not None
    n, points = len(match.names), tables.rows.points
    numbers = np.arange(len(lineups)) // match.tables
    of_rounds = np.zeros((len(lineups) // match.tables, n), np.int64)
    np.add.at(of_rounds, (numbers[:, None], lineups), points)
    scores = -points if tables.lower_is_better else points
    better = 1 + np.sign(scores[:, :, None] - scores[:, None, :])
    ahead = np.zeros((n, n), np.int64)
    np.add.at(ahead, (lineups[:, :, None], lineups[:, None, :]), better)
    np.fill_diagonal(ahead, 0)
    tally = Tally.of_points(
        of_rounds,
        unit=tables.unit,
        lower_is_better=tables.lower_is_better,
        hands=tables.hands,
        decisions=tables.decisions,
        style_counts=tables.style_counts,
    )
    plain = None if tables.plain is None else _rounds_of(tables.plain, lineups, match)
    return replace(tally, ahead=ahead, plain=plain)
