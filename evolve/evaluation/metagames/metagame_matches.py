"""Matches of a meta-game: the champions of a run play in pairs or all together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import agents
import nlhe_env
from agents.match.playing import play_all
from agents.match.workers.base import Workers
from evolve.evaluation.leagues.league_matches import LeagueSettings, Match
from evolve.evaluation.metagames.metagame import MetaGame
from evolve.evaluation.progress import play_field, spread_generations


def measure_heads_up(
    champions: agents.PlayerBatch,
    settings: LeagueSettings,
    *,
    rounds: int,
    workers: Workers,
    most: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> MetaGame:
    """Plays all pairs of the champions of a run.

    The games of a pair depend only on the two generation numbers, their champions and the settings,
    not on the other participants.

    Args:
        champions: Champion of every generation.
        settings: Settings of the game, heads-up.
        rounds: Duplicate tables of each pair: in each the same cards are played twice, with the
            seats exchanged.
        workers: Workers for the games; their number does not change the result.
        most: Maximum number of champions, evenly spread over the generations; default: all.
        on_progress: Called with the number of tables of each finished chunk.

    Returns:
        The meta-game. Payoffs are big blinds won in 100 hands, or the share of tournaments won
        minus the share lost. The names are the generations.

    Raises:
        ValueError: There are fewer than two generations or rounds, or the game is not heads-up.
    """
    _check(champions, rounds)
    if settings.format != "heads-up":
        raise ValueError(f"a meta-game is played heads-up; got format = {settings.format!r}")
    generations = spread_generations(len(champions), most or len(champions))
    n = len(generations)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    matches, plays = [], []
    for i, j in pairs:
        matches.append(Match(_names(int(generations[i]), int(generations[j])), settings))
        members = (int(generations[i]) - 1, int(generations[j]) - 1)
        plays.append(matches[-1].play_task(champions, agents.Blocks(rounds, players=members)))
    payoffs = np.zeros((n, n))
    errors = np.zeros_like(payoffs)
    # Chips: a player wins half the difference of the two. Places: smaller is better.
    sign = 0.5 if settings.cash else -1.0
    tallies = play_all(workers, plays, on_progress=on_progress)
    for (i, j), match, tally in zip(pairs, matches, tallies, strict=True):
        difference, error = tally.scored_in(match.unit).difference(0, 1)
        payoffs[i, j], payoffs[j, i] = sign * difference, -sign * difference
        errors[i, j] = errors[j, i] = abs(sign) * error
    names = tuple(str(generation) for generation in generations)
    return MetaGame(names, payoffs, errors, rounds)


def measure_in_field(
    champions: agents.PlayerBatch,
    game: nlhe_env.Game,
    *,
    seed: int,
    tournaments: int,
    workers: Workers,
    sub_population: int = 0,
    most: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> MetaGame:
    """Plays tournaments of all champions together, as in ``measure_field``.

    The payoff of a pair then depends on the other participants.

    Args:
        champions: Champion of every generation.
        game: Form of the tournaments.
        seed: Seed of all cards, seats and decisions.
        tournaments: Number of tournaments.
        workers: Workers for the games; their number does not change the result.
        sub_population: Index of the champions' sub-population.
        most: Maximum number of champions, evenly spread over the generations; default: all.
        on_progress: Called with the number of tournaments of each finished chunk.

    Returns:
        The meta-game. Payoffs are the share of tournaments in which the player of the row finished
        ahead of that of the column, minus the share behind. The names are the generations.

    Raises:
        ValueError: There are fewer than two generations or tournaments.
    """
    _check(champions, tournaments)
    generations, tally = play_field(
        champions,
        game,
        seed=seed,
        tournaments=tournaments,
        workers=workers,
        sub_population=sub_population,
        most=most,
        on_progress=on_progress,
    )
    # For all pairs, tournaments ahead minus behind, and tournaments without a tie.
    leads = np.zeros((len(generations), len(generations)), np.int64)
    decided = np.zeros_like(leads)
    for scores in tally.row_scores:
        ahead = np.sign(scores - scores[:, np.newaxis]).astype(np.int64)
        leads += ahead
        decided += np.abs(ahead)
    payoffs = leads / tournaments
    # Every tournament counts -1, 0 or 1, so its square is 1 if it was decided.
    variances = (decided / tournaments - payoffs**2) / (tournaments - 1)
    errors = np.sqrt(np.maximum(variances, 0.0))
    names = tuple(str(generation) for generation in generations)
    return MetaGame(names, payoffs, errors, tournaments)


def _check(champions: agents.PlayerBatch, rounds: int) -> None:
    if len(champions) < 2:
        raise ValueError(f"a meta-game needs at least 2 generations; the run has {len(champions)}")
    if rounds < 2:
        raise ValueError(f"rounds must be at least 2; got {rounds}")


def _names(first: int, second: int) -> tuple[str, str]:
    """Names that sort in the order of the generations."""
    return f"generation-{first:06d}", f"generation-{second:06d}"
