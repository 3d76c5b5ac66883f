"""Plans: what a match can tell, before it is played.

The players of a plan stand for those to come: results of other players with as much spread have the
same half-widths. Their true means are taken from the simulation.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
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
from agents.statistics.ranking import Ranking, rank
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.methods import VarianceReduction
from nlhe_env.arguments import one_of, whole_number
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
) -> Plan:
    """Simulate what a match of some players at one table will tell.

    Args:
        players: Two to ten players whose results have a realistic spread, also by name.
        game: The game; results are big blinds won in 100 hands, or places.
        sessions: Sessions to plan, each of ``game.num_hands`` hands, or tournaments.
        method: Variance reduction. Default: AIVAT without the players' probabilities, as for
            recorded hands; none in tournaments.
        hands: Approximate number of hands to simulate with variance reduction; of duplicate hands,
            which are faster, there are ten times as many.
        seed: Seed of the simulation.
        workers: Workers for the simulation.

    Raises:
        ValueError: The players do not fit a table, two have one name, or the method does not fit
            the game.

    >>> import agents, nlhe_env
    >>> game = nlhe_env.Game.cash(num_hands=10)
    >>> plan = agents.plan(["caller", "folder"], game, 100, hands=4000)
    >>> sorted(plan.rankings), plan.rankings["plain"].names
    (['aivat', 'duplicate', 'plain'], ('caller', 'folder'))
    """
    whole_number("sessions", sessions, least=1)
    names = [one if isinstance(one, str) else getattr(one, "name", repr(one)) for one in players]
    seated = as_players(players.values() if isinstance(players, Mapping) else players)
    n = len(seated)
    if not MIN_SEATS <= n <= MAX_SEATS:
        raise ValueError(f"a plan is for one table of {MIN_SEATS} to {MAX_SEATS}; got {n} players")
    game = replace(game, table_size=MAX_SEATS, score="big_blinds" if game.is_cash else "place")
    if method is None:
        method = Aivat(known=()) if game.is_cash else "none"
    length = game.hands_limit if game.is_cash else 1
    in_session = length if game.is_cash else _HANDS_OF_TOURNAMENT
    count = max(_LEAST_SESSIONS, whole_number("hands", hands, least=1) // in_session)
    n_blocks = max(_LEAST_SESSIONS, -(-_MORE_BLOCKS * count // n))
    options: Any = {"seed": seed, "rows": True, "workers": workers}
    single = play(seated, Tournaments(count), game, variance_reduction=method, **options)
    blocks = play(seated, Blocks(n_blocks), game, **options)

    def measured(tally: Tally, size: int) -> Ranking:
        """Ranking of a simulation, from units of ``size`` sessions of each player."""
        per_unit = 100.0 / (size * length) if game.is_cash else 1.0
        found = rank(tally.row_scores * per_unit, names, lower_is_better=game.lower_is_better)
        return replace(found, counts=found.counts * size * length)

    simulated = {"plain": measured(single.plain or single, 1), "duplicate": measured(blocks, n)}
    if single.plain is not None:
        simulated[method if isinstance(method, str) else "aivat"] = measured(single, 1)
    most_precise = min(simulated.values(), key=lambda one: float(one.errors.sum()))
    rankings = {
        name: replace(
            one,
            means=most_precise.means,
            covariance=one.covariance * (one.counts[0] / (sessions * length)),
            counts=np.full(n, float(sessions * length)),
            degrees=np.full(n, math.inf),
        )
        for name, one in simulated.items()
    }
    return Plan(sessions, rankings, most_precise)


def load_arena(name: str) -> dict[str, Any]:
    """The published format of a known arena.

    Returns:
        ``about``, ``source``, ``players``, ``hands`` of each player (or tournaments), and ``game``
        with the options of a league.

    Raises:
        ValueError: The name is unknown.

    >>> load_arena("pokerbattle")["hands"]
    3799
    """
    files = {path.stem: path for path in sorted(ARENAS.glob("*.toml"))}
    return tomllib.loads(files[one_of("an arena", name, files)].read_text("utf-8"))
