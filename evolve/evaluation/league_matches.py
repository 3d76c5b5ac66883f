"""The matches of a league: who meets whom, in which rounds, and the exact sums of their results.

A match is a set of players that meet at tables of so many seats. A round of it is the unit of
independence: tables drawn so that everybody plays equally often, each of them duplicate, that is
played once for every seat with everybody one seat further. Players that all fit at one table have
one table in a round; two of them play heads-up.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

import agents
import nlhe_env
from evolve import seeds
from evolve.evaluation.statistics import PairedSums
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.machine.array_types import I64, AnyArray

GameMode = Literal["cash", "tournament"]
Format = Literal["heads-up", "table"]

_USUAL: dict[str, dict[str, Any]] = {
    "cash": {"format": "heads-up", "stack": 100, "blinds": (50, 100)},
    "tournament": {"format": "table", "stack": 50, "blinds": ()},
}
_EXACT_IN_INT64 = 2**62


@dataclass(frozen=True, kw_only=True)
class LeagueSettings:
    """What is played; all results of a league share it. ``LeagueSettings.of`` fills in the rest.

    Attributes:
        game: ``"cash"``, where stacks are put back before every hand, or ``"tournament"``.
        format: ``"heads-up"``, every pair for itself, or ``"table"``, all together.
        seats: Seats of a table, 2 to 10; more players than seats sit at drawn tables.
        stack: Big blinds of every player at the start.
        blinds: Small and big blind of cash games, maybe ante, in chips; empty for tournaments,
            which follow the published schedule.
        session: Hands that players of a cash game stay together; then they know nothing of each
            other again.
        betting: ``"no-limit"``, ``"pot-limit"`` or ``"fixed-limit"``.
        seed: Of all cards, seats and decisions.
    """

    game: GameMode
    format: Format
    seats: int
    stack: int
    blinds: tuple[int, ...]
    session: int = 20
    betting: str = "no-limit"
    seed: int = 1

    def __post_init__(self) -> None:
        one_of("game", self.game, get_args(GameMode))
        one_of("format", self.format, get_args(Format))
        if self.format == "heads-up" and self.seats != MIN_SEATS:
            raise ValueError(f"heads-up tables have 2 seats; got seats = {self.seats}")
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise ValueError(f"seats must be in {MIN_SEATS}..{MAX_SEATS}; got {self.seats}")
        whole_number("session", self.session, least=1)
        if self.seed < 0:
            raise ValueError(f"seed must not be negative; got {self.seed}")
        if self.game == "tournament":
            if self.blinds:
                raise ValueError(
                    "tournaments follow the published blind schedule, since they might not end "
                    f"with fixed blinds; got blinds = {self.blinds}"
                )
            if self.stack < 2:
                raise ValueError(f"stack must be at least 2 big blinds; got {self.stack}")
        self.make_game()  # checks the rest

    @classmethod
    def of(cls, stored: LeagueSettings | None = None, **given: Any) -> LeagueSettings:
        """The settings with these values, the others as usual for the game, or as stored.

        Args:
            stored: Those of an earlier league that is to go on.
            **given: Values of attributes; None stands for one that is not given.

        Raises:
            ValueError: A value is impossible, or not the stored one.

        >>> LeagueSettings.of(game="tournament").format
        'table'
        """
        wanted = {key: value for key, value in given.items() if value is not None}
        if stored is not None:
            for key, value in wanted.items():
                if getattr(stored, key) != value:
                    raise ValueError(
                        f"this league is played with {key} = {getattr(stored, key)!r}, not "
                        f"{value!r}: use another store"
                    )
            return stored
        values = {"game": "cash"} | wanted
        usual = _USUAL[one_of("game", values["game"], get_args(GameMode))]
        values = usual | values
        heads_up = values["format"] == "heads-up"
        return cls(**{"seats": MIN_SEATS if heads_up else MAX_SEATS} | values)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for ``from_dict``."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> LeagueSettings:
        """Settings from what ``as_dict`` gave, also by way of JSON.

        Raises:
            ValueError: They are no such values.
        """
        if set(values) != {field.name for field in fields(cls)}:
            raise ValueError(f"these are not the settings of a league: {sorted(values)}")
        return cls(**{**values, "blinds": tuple(values["blinds"])})

    @property
    def cash(self) -> bool:
        """Whether it is a cash game."""
        return self.game == "cash"

    def make_game(self) -> nlhe_env.Game:
        """The game."""
        schedule = BlindSchedule.of(self.blinds) if self.cash else BlindSchedule.pokerstars()
        stack = self.stack * schedule.levels[0][1]
        if self.cash:
            return nlhe_env.Game.cash(
                starting_stack=stack,
                blinds=schedule,
                num_hands=self.session,
                betting=self.betting,
            )
        return nlhe_env.Game.tournament(starting_stack=stack, blinds=schedule, betting=self.betting)


@dataclass(frozen=True)
class Match:
    """Players that meet, and how.

    Attributes:
        names: Their names, sorted.
        settings: What is played.
    """

    names: tuple[str, ...]
    settings: LeagueSettings

    @property
    def seats(self) -> int:
        """Seats of a table."""
        return min(len(self.names), self.settings.seats)

    @property
    def tables(self) -> int:
        """Tables of a round: the fewest at which everybody plays equally often."""
        return math.lcm(len(self.names), self.seats) // self.seats

    @property
    def games(self) -> int:
        """Hands of a round in a cash game, tournaments otherwise."""
        return self.tables * self.seats * (self.settings.session if self.settings.cash else 1)

    @property
    def games_of_player(self) -> int:
        """How many of these everybody takes part in."""
        return self.games * self.seats // len(self.names)

    @property
    def unit(self) -> float:
        """What one point in the total of a round is worth in the mean score of a player.

        The score is in big blinds won in 100 hands, or the mean place; points are chips, or halves
        of places.
        """
        if self.settings.cash:
            return 100.0 / (self.settings.make_game().big_blind * self.games_of_player)
        return 0.5 / self.games_of_player

    @property
    def seed(self) -> int:
        """Seed of its games: it depends on the names and the seed of the league alone."""
        digest = hashlib.sha256(json.dumps(self.names).encode()).digest()
        words = np.frombuffer(digest, "<u4", count=4).tolist()
        return seeds.stream_seed(self.settings.seed, seeds.LEAGUE, *words)

    def seating(self, number: int) -> I64:
        """``(tables, seats)`` players at the tables of a round, drawn and sorted."""
        order = seeds.generator(self.seed, seeds.LEAGUE, number).permutation(len(self.names))
        places = np.arange(self.tables * self.seats) % len(self.names)
        return np.sort(order[places].reshape(self.tables, self.seats), axis=1)


def matches_of(names: Sequence[str], settings: LeagueSettings) -> list[Match]:
    """The matches of a league of these players: all pairs, or all together."""
    ordered = sorted(names)
    if settings.format == "table":
        return [Match(tuple(ordered), settings)]
    pairs = [(first, second) for i, first in enumerate(ordered) for second in ordered[i + 1 :]]
    return [Match(pair, settings) for pair in pairs]


@dataclass(frozen=True, eq=False)
class MatchSums:
    """Exact sums over some rounds of a match; those of other rounds can be added.

    Attributes:
        rounds: Number of rounds.
        hands: Hands dealt.
        decisions: Decisions taken.
        totals: ``(n,)`` points of every player, Python's integers.
        products: ``(n, n)`` sums over rounds of products of the points of two players.
        ahead: ``(n, n)`` duplicate tables at which one player did better than another; twice the
            number, since a tie counts half for both.
    """

    rounds: int
    hands: int
    decisions: int
    totals: AnyArray
    products: AnyArray
    ahead: AnyArray

    @classmethod
    def nothing(cls, n_players: int) -> MatchSums:
        """Of no rounds at all."""
        square = np.full((n_players, n_players), 0, object)
        return cls(0, 0, 0, square[:1].reshape(-1).copy(), square, square)

    def __add__(self, other: MatchSums) -> MatchSums:
        return MatchSums(
            self.rounds + other.rounds,
            self.hands + other.hands,
            self.decisions + other.decisions,
            self.totals + other.totals,
            self.products + other.products,
            self.ahead + other.ahead,
        )

    def scores(self, unit: float) -> PairedSums:
        """The same as sums of scores, see ``Match.unit``."""
        return PairedSums(self.rounds, unit, self.totals, self.products)


class TableResults(NamedTuple):
    """What duplicate tables came to."""

    points: I64
    """``(count, seats)`` chips won, or doubled places, of all games at a table."""
    hands: int
    decisions: int


PlayTables = Callable[[I64, int, int], TableResults]
"""Plays duplicate tables: called with who plays, the number of the first table and how many."""


@dataclass(frozen=True, eq=False)
class CompiledTables:
    """Duplicate tables of compiled players.

    Attributes:
        field: All players of the match, in the order of its names.
        match: The match.
    """

    field: agents.Field
    match: Match

    def __call__(self, members: I64, first: int, count: int) -> TableResults:
        """Plays tables with these players."""
        settings, seed = self.match.settings, self.match.seed
        whole = len(members) == len(self.field)
        seated = self.field if whole else _part(self.field, members)
        if settings.cash:
            game = settings.make_game()
            won = agents.play_cash(seated, game=game, seed=seed, first=first, count=count)
            return TableResults(won.chips, won.hands, won.decisions)
        game = settings.make_game()
        played = agents.play_revolutions(seated, game=game, seed=seed, first=first, count=count)
        # The mean of as many places as there are players, each a multiple of one half.
        points = np.rint(played.places * (2 * len(members))).astype(np.int64)
        return TableResults(points, played.hands, played.decisions)


def _part(field: agents.Field, members: I64) -> agents.Field:
    """A field of some players of another."""
    return field.take(members)


def play_rounds(match: Match, play: PlayTables, first: int, count: int) -> MatchSums:
    """Plays the rounds ``first`` to ``first + count - 1`` of a match."""
    n = len(match.names)
    if match.tables == 1:
        points, hands, decisions = play(np.arange(n), first, count)
        return MatchSums(count, hands, decisions, *_sums(points), _ahead(points, match))
    points = np.zeros((count, n), np.int64)
    ahead = np.full((n, n), 0, object)
    hands = decisions = 0
    for i in range(count):
        for t, members in enumerate(match.seating(first + i)):
            result = play(members, (first + i) * match.tables + t, 1)
            points[i, members] += result.points[0]
            ahead[np.ix_(members, members)] += _ahead(result.points, match)
            hands += result.hands
            decisions += result.decisions
    return MatchSums(count, hands, decisions, *_sums(points), ahead)


def _sums(points: I64) -> tuple[AnyArray, AnyArray]:
    """Sums of points and of their products, exact however large."""
    largest = int(np.abs(points).max(initial=0))
    wide = points if largest**2 * len(points) < _EXACT_IN_INT64 else points.astype(object)
    return wide.sum(axis=0).astype(object), (wide.T @ wide).astype(object)


def _ahead(points: I64, match: Match) -> AnyArray:
    """How often each player did better than each other, doubled; ties count 1 for both."""
    scores = points if match.settings.cash else -points
    better = np.sign(scores[:, :, None] - scores[:, None, :]).sum(axis=0) + len(points)
    np.fill_diagonal(better, 0)
    return np.asarray(better, object)
