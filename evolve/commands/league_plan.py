"""``nlhe league --plan``: what a league can tell, before it is played."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import agents
from agents.match.planning import load_arena, plan_by_formula
from agents.match.workers.base import Workers
from agents.policy.compiled_player import Player
from evolve.commands.common import read_variance_reduction
from evolve.commands.report import Reporter
from evolve.evaluation.leagues.league_matches import LeagueSettings
from nlhe_env.game.table import MIN_SEATS

HANDS = 1_000
"""Hands of each player in a plan, or tournaments."""
DIFFERENCES = (5.0, 10.0, 20.0, 50.0)
"""Differences of two players in big blinds per 100 hands."""
AIVAT_SHARE = 0.5
"""Share of the hands that AIVAT needs, from recorded hands of language models: 40% to 56%."""


def plan_leagues(
    players: Mapping[str, Player],
    arenas: Sequence[str],
    given: Mapping[str, Any],
    games: int | None,
    sd: float | None,
    variance_reduction: str | None,
    workers: Workers,
    reporter: Reporter,
) -> None:
    """Prints the plan of the given game, or of the formats of some arenas.

    Args:
        players: Players to simulate; not used with ``sd``.
        arenas: Names of arenas, or none.
        given: Settings of the league, before those of an arena.
        games: Hands or tournaments; default: those of the arena, or 1,000.
        sd: Standard deviation of a hand in big blinds, for the formula.
        variance_reduction: Option of the league.
        workers: Workers for the simulation.
        reporter: Reporter for the tables.

    Raises:
        ValueError: There are neither players nor ``sd``, or a setting is invalid.
    """
    if not players and sd is None:
        raise ValueError("a plan needs players to simulate, or --sd for a formula")
    method: Any = None
    if variance_reduction is not None:
        name, value = read_variance_reduction(variance_reduction)
        method = agents.Aivat(value=value, known=()) if value else name
    usual = {"format": "table", "table_size": max(len(players), MIN_SEATS)}
    for arena in [load_arena(name) for name in arenas] or [None]:
        published = arena.settings() if arena else {}
        settings = LeagueSettings.of(**{**usual, **published, **given})
        count = games or (arena.hands if arena else HANDS)
        if arena:
            reporter.say(f"{arena.about} ({arena.source})")
        if sd is None:
            show_plan(players, settings, count, method, workers, reporter)
        else:
            show_formula(count, sd, settings.table_size, reporter)


def show_plan(
    players: Mapping[str, Player],
    settings: LeagueSettings,
    games: int,
    method: agents.VarianceReduction | agents.Aivat | None,
    workers: Workers,
    reporter: Reporter,
) -> None:
    """Simulates a match of the players at one table, and prints what its results can tell."""
    game = settings.make_game()
    length = settings.num_hands if settings.cash else 1
    with reporter.bar("simulation in 1/1000", 1000):
        found = agents.plan(
            players,
            game,
            max(1, games // length),
            method=method,
            seed=settings.seed,
            workers=workers,
            on_progress=lambda share: reporter.advance(round(1000 * share)),
        )
    plain = found.rankings["plain"]
    hands = found.sessions * length
    unit, noun = ("bb/100", "hands") if settings.cash else ("place", "tournaments")
    scale = math.sqrt(hands) / (100.0 if settings.cash else 1.0)
    reporter.show_table(
        ("player", f"true {unit}", "s.d.", *(f"± {name}" for name in found.rankings)),
        [
            [
                plain.names[i],
                f"{plain.means[i]:.2f} ± {_reach(found.simulated, i):.2f}",
                f"{plain.errors[i] * scale:.1f}",
                *(f"{_reach(one, i):.2f}" for one in found.rankings.values()),
            ]
            for i in plain.order
        ],
    )
    reporter.show_table(
        (f"{hands:,} {noun} each", "best comes first", "whole order right", f"{noun} for 95%"),
        [
            [name, *_chances(one.first[one.order[0]], one.whole_order, one.sessions_needed)]
            for name, one in found.rankings.items()
        ],
    )
    reporter.say(
        f"true {unit}: as simulated, ± its 95% interval; s.d.: standard deviation of one of the "
        f"{noun}{' in big blinds' if settings.cash else ''}; ±: half-width of the 95% interval "
        f"after {hands:,} {noun}; {noun} for 95%: of each player, until the best comes first with "
        "95%"
    )


def show_formula(hands: int, sd: float, table_size: int, reporter: Reporter) -> None:
    """Prints what results of two players of a table can tell, by formula."""
    rows = []
    for difference in DIFFERENCES:
        cells = []
        for deviation in (sd, sd * math.sqrt(AIVAT_SHARE)):
            one = plan_by_formula(difference, hands, sd=deviation, table_size=table_size)
            needed = one.pairs[0]["sessions_needed"]
            cells += _chances(one.first[0], math.nan, needed)[::2]
        rows.append([f"{difference:g} bb/100", *cells])
    one = plan_by_formula(0.0, hands, sd=sd, table_size=table_size)
    difference_reach = one.compare(0, 1).interval()[1]
    reporter.say(
        f"{hands:,} hands at a table of {table_size}, s.d. {sd:g} bb a hand: a mean is known to ± "
        f"{_reach(one, 0):.1f} bb/100, a difference to ± {difference_reach:.1f}"
    )
    headings = ("better comes first", "hands for 95%", "first, AIVAT", "hands, AIVAT")
    reporter.show_table(("true difference", *headings), rows)
    reporter.say(
        f"hands for 95%: of each player, until the better comes first with 95%; AIVAT: with "
        f"{AIVAT_SHARE:.0%} of the hands needed, as measured for language models"
    )


def _reach(ranking: agents.Ranking, player: int) -> float:
    low, high = ranking.interval(player)
    return (high - low) / 2.0


def _chances(first: float, whole_order: float, needed: float) -> list[str]:
    order = "" if math.isnan(whole_order) else f"{whole_order:.1%}"
    hands = f"{math.ceil(needed):,}" if np.isfinite(needed) else "never"
    return [f"{first:.0%}", order, hands]
