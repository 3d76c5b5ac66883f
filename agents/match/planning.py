"""Plans: what a match can tell, before it is played.

The players of a plan stand for those to come: with opponents of the same spread, a match of other
players has the same half-widths. Their true means are taken from the simulation.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from agents.external.player_lifecycle import as_players
from agents.match.playing import play
from agents.match.schedules import Blocks, Tournaments
from agents.match.tally import Tally
from agents.match.workers.base import Workers
from agents.policy.compiled_player import Player
from agents.statistics.ranking import Ranking, covariance_at_tables, rank
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.methods import VarianceReduction
from nlhe_env.arguments import number, one_of, whole_number
from nlhe_env.game.description import Game
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS

ARENAS = Path(__file__).parents[1] / "data" / "arenas"
"""Folder of the formats of known arenas, each with its source."""
HANDS = 20_000
_HANDS_OF_TOURNAMENT = 100
_MORE_BLOCKS = 10
_LEAST_SESSIONS = 200
"""Simulated sessions, or duplicate blocks, from which covariances are estimated."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What a match can tell, before it is played.

    Attributes:
        sessions: Sessions of each player.
        rankings: What results of so many sessions would tell, by the way to play: ``"plain"``, with
            random seats; ``"duplicate"``, with the same number of hands; and the variance
            reduction. Intervals are those of a result with the true mean, ``first`` the chance that
            each player comes first, and ``sessions_needed`` counts hands in cash games and
            tournaments otherwise.
        simulated: The most precise results of the simulation, which gave the true means.
    """

    sessions: int
    rankings: Mapping[str, Ranking]
    simulated: Ranking


def plan(
    players: Sequence[Player | str] | Mapping[str, Player | str],
    game: Game,
    sessions: int,
    *,
    method: VarianceReduction | Aivat | None = None,
    hands: int = HANDS,
    seed: int = 1,
    workers: Workers | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Plan:
    """Simulate what a match of some players at one table will tell.

    Args:
        players: Two to ten players with realistic spread, also by name.
        game: The game; results are big blinds won in 100 hands, or places.
        sessions: Sessions to plan, each of ``game.num_hands`` hands, or tournaments.
        method: Variance reduction. Default: AIVAT without the players' probabilities, as for
            recorded hands; none in tournaments.
        hands: Approximate number of hands to simulate with variance reduction; of duplicate hands,
            which are faster, there are ten times as many.
        seed: Seed of the simulation.
        workers: Workers for the simulation.
        on_progress: Called now and then with the share of the simulation since, with ``workers``.

    Raises:
        ValueError: The players do not fit a table, or the method does not fit the game.

    >>> import agents, nlhe_env
    >>> game = nlhe_env.Game.cash(num_hands=10)
    >>> plan = agents.plan(["caller", "folder"], game, 100, hands=4000)
    >>> sorted(plan.rankings), plan.rankings["plain"].names
    (['aivat', 'duplicate', 'plain'], ('caller', 'folder'))
    """
    whole_number("sessions", sessions, least=1)
    named = players if isinstance(players, Mapping) else _named(players)
    seated, n = as_players(named.values()), len(named)
    if not MIN_SEATS <= n <= MAX_SEATS:
        raise ValueError(f"a plan is for one table of {MIN_SEATS} to {MAX_SEATS}; got {n} players")
    game = replace(game, table_size=MAX_SEATS, score="big_blinds" if game.is_cash else "place")
    if method is None:
        method = Aivat(known=()) if game.is_cash else "none"
    length = game.hands_limit if game.is_cash else 1
    in_session = length if game.is_cash else _HANDS_OF_TOURNAMENT
    count = max(_LEAST_SESSIONS, whole_number("hands", hands, least=1) // in_session)
    n_blocks = max(_LEAST_SESSIONS, -(-_MORE_BLOCKS * count // n))
    total = count + n_blocks * n

    def played(schedule: Tournaments | Blocks, method: Any) -> Tally:
        size = schedule.rotations(n)

        def advance(units: int) -> None:
            if on_progress is not None:
                on_progress(units * size / total)

        return play(
            seated,
            schedule,
            game,
            seed=seed,
            rows=True,
            variance_reduction=method,
            workers=workers,
            on_progress=advance,
        )

    single, blocks = played(Tournaments(count), method), played(Blocks(n_blocks), "none")

    def measured(tally: Tally, size: int) -> Ranking:
        """Ranking of a simulation, from units of ``size`` sessions of each player."""
        per_unit = 100.0 / (size * length) if game.is_cash else 1.0
        scores = tally.row_scores * per_unit
        return rank(scores, list(named), lower_is_better=game.lower_is_better)

    simulated = {"plain": measured(single.plain or single, 1), "duplicate": measured(blocks, n)}
    if single.plain is not None:
        simulated[method if isinstance(method, str) else "aivat"] = measured(single, 1)
    most_precise = min(simulated.values(), key=lambda one: float(one.errors.sum()))
    sizes = {"duplicate": n}
    rankings = {
        name: replace(
            one,
            means=most_precise.means,
            covariance=one.covariance * (one.counts[0] * sizes.get(name, 1) / sessions),
            counts=np.full(n, float(sessions * length)),
            degrees=np.full((n, n), math.inf),
        )
        for name, one in simulated.items()
    }
    return Plan(sessions, rankings, most_precise)


def plan_by_formula(
    difference: float, hands: int, *, sd: float, table_size: int = MIN_SEATS
) -> Ranking:
    """What a match of two players of a table will tell, by a formula instead of a simulation.

    A mean has the standard error 100 sd / sqrt(hands), a difference at a table of k seats
    sqrt(2 k / (k - 1)) times as much.

    Args:
        difference: True difference of the two players in big blinds per 100 hands.
        hands: Hands of each player.
        sd: Standard deviation of a hand in big blinds.
        table_size: Seats of the table.

    Raises:
        ValueError: A number is out of range.

    >>> ranking = plan_by_formula(10.0, 1000, sd=9.0, table_size=6)
    >>> round(ranking.pairs[0]["sessions_needed"])
    52596
    """
    number("difference", difference, least=0.0)
    whole_number("hands", hands, least=1)
    whole_number("table_size", table_size, least=MIN_SEATS, most=MAX_SEATS)
    counts = np.full(2, float(hands))
    errors = 100.0 * number("sd", sd, least=0.0) / np.sqrt(counts)
    covariance = covariance_at_tables(errors, counts, table_size)
    means = np.array([difference, 0.0])
    return Ranking(("better", "worse"), means, covariance, counts, np.full((2, 2), math.inf))


@dataclass(frozen=True, kw_only=True)
class Arena:
    """Format of a known arena, as published.

    Attributes:
        about: Name of the arena.
        source: Where its rules and results stand.
        players: Number of players.
        hands: Hands of each player, or tournaments.
        table_size: Seats of a table.
        mode: ``"cash"`` or ``"tournament"``.
        starting_stack: Chips.
        blinds: Small and big blind; empty for the rising ones of tournaments.
    """

    about: str
    source: str
    players: int
    hands: int
    table_size: int
    mode: str
    starting_stack: int
    blinds: str

    def settings(self) -> dict[str, Any]:
        """Options of its game, as of a league."""
        names = ("mode", "table_size", "starting_stack", "blinds")
        return {name: getattr(self, name) for name in names}


def arena_names() -> list[str]:
    """Names of the known arenas."""
    return sorted(path.stem for path in ARENAS.glob("*.toml"))


def load_arena(name: str) -> Arena:
    """The format of a known arena.

    Raises:
        ValueError: The name is unknown.

    >>> load_arena("pokerbattle").hands
    3799
    """
    file = ARENAS / f"{one_of('an arena', name, arena_names())}.toml"
    return Arena(**tomllib.loads(file.read_text("utf-8")))


def _named(players: Sequence[Player | str]) -> dict[str, Player | str]:
    """Players by different names."""
    texts = [str(getattr(one, "name", one)) for one in players]
    twice = {text for text in texts if texts.count(text) > 1}
    return {
        f"{text} {i}" if text in twice else text: one
        for i, (text, one) in enumerate(zip(texts, players, strict=True), 1)
    }
