"""Tournaments of all candidates and opponents together, as published.

All players play in every tournament and are ranked together. Metrics, with mean places over the
tournaments of the generation (1 is best), and fitness in the unit of its function:

- ``players`` (opponents included), ``tournaments``
- ``best_place``, ``best_place_error``: place of the champion and its standard error. The best of
  many has been lucky: its place with fresh cards is worse.
- ``best_fitness``, ``best_fitness_error``: its fitness; the error is null if unknown
- ``best_survived``: whether it was an elite of the previous generation
- ``elite_place``, ``mean_place``, ``quartile_places``: places of the elites and the population
- ``elite_overlap``: share of the elites on which the two halves of the tournaments agree; random
  elites would have ``elites / population``
- ``best_style``, ``mean_style``: style statistics of ``Style`` by name, of the champion and
  of the whole population; null if undefined
- ``hall_size``, ``hall_best_place``, ``hall_mean_place``: the participating halls

With several sub-populations, the list ``sub_populations`` has a dictionary for each, with the keys
from ``best_place`` on; the metrics themselves describe the whole population and its best champion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import agents
from agents.match.playing import PlayTask, play_all
from agents.match.style import Style, behaviour_descriptors
from agents.match.tally import Tally
from agents.statistics.estimates import Z95
from evolve import seeds
from evolve.optimizers.base import CandidateScores
from evolve.training.fitness import Fitness
from evolve.training.schedules import (
    Generation,
    GenerationResults,
    ScheduleSettings,
    best_group,
    finite,
)
from nlhe_env import Game
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F64, I64


@dataclass(frozen=True, eq=False)
class _Group:
    """Players of a field with common metrics.

    Attributes:
        population: Indices of the population's players.
        hall: Indices of the hall's players.
        champion: Index of the champion.
        elites: Indices of the elites.
        survivors: Indices of the previous elites in the population.
        overlap: See ``elite_overlap`` of the metrics.
    """

    population: I64
    hall: I64
    champion: int
    elites: I64
    survivors: I64
    overlap: float | None


@dataclass(frozen=True, kw_only=True)
class TournamentSchedule(ScheduleSettings):
    """Tournaments of all candidates and opponents."""

    whole_field = True

    tournaments: int = 500
    """Tournaments per generation; everyone plays all of them."""

    def __post_init__(self) -> None:
        whole_number("tournaments", self.tournaments, least=1)

    def check_partners(self, config: Any) -> None:
        """Check that the games are tournaments."""
        super().check_partners(config)
        if config.make_game().is_cash:
            raise ValueError('schedule "tournaments" needs game "tournament"')

    @property
    def n_games(self) -> int:
        """Tournaments of a generation."""
        return self.tournaments

    def evaluate(self, generation: Generation) -> GenerationResults:
        """Plays the tournaments of a generation and ranks every sub-population by itself."""
        optimizer, n = generation.optimizer, len(generation.candidates)
        batch = generation.candidates.pack()
        if generation.opponents is not None:
            batch = agents.concat(batch, generation.opponents.batch)
        seed = seeds.stream_seed(generation.seed, seeds.TOURNAMENTS, generation.number)
        function, middle = generation.fitness, self.tournaments // 2
        parts = agents.Tournaments(middle), agents.Tournaments(self.tournaments - middle, middle)
        # Both as one play, so that no worker idles at the end of the first half.
        played = play_all(
            generation.workers,
            [PlayTask(batch, part, generation.game, seed, generation.backend) for part in parts],
            rows=function.needs_rows or generation.counts_wins,
            on_progress=generation.on_progress,
        )
        tally = played[0] + played[1]
        fitness = function.measure(tally)
        halves = [function.measure(half) for half in played] if middle else []
        picks, chances = function.picks(tally), function.chances(tally)
        ends = n + np.cumsum([0, *generation.halls])
        halls = [np.arange(ends[i], ends[i + 1]) for i in range(len(generation.halls))]
        candidate_scores = CandidateScores(
            -fitness.costs[:n],
            behaviour_descriptors(tally.style_counts[:n]),
            picks=None if picks is None else picks[:n],
            chances=None if chances is None else chances[:n],
            halls=[-fitness.costs[hall] for hall in halls],
        )
        groups = []
        for i, rows in enumerate(optimizer.groups):
            kept = optimizer.n_elites
            population = np.arange(rows.start, rows.stop)
            groups.append(
                _Group(
                    population,
                    halls[i] if halls else population[:0],
                    candidate_scores.champion(rows),
                    candidate_scores.ranking(rows)[:kept],
                    population[: optimizer.n_survivors],
                    _overlap(halves, population, kept),
                )
            )
        best = best_group(candidate_scores, optimizer)
        if best is None:
            raise RuntimeError("lineages do not meet in tournaments")
        line = {
            "players": len(tally),
            "tournaments": tally.count,
            **_describe(_together(groups, best), tally, fitness),
        }
        wins, games = _counted(generation, tally)
        return GenerationResults(
            candidate_scores,
            wins,
            games,
            hands=tally.hands,
            decisions=tally.decisions,
            line=line,
            groups=tuple(_describe(one, tally, fitness) for one in groups if len(groups) > 1),
            best=best,
        )

    def describe(self, line: dict[str, Any], game: Game) -> str:
        """Summary of the places of champion and population."""
        error = line["best_place_error"]
        return (
            f"best {line['best_place']:.2f}{'' if error is None else f' ± {Z95 * error:.2f}'}"
            f"  mean {line['mean_place']:.2f} of {line['players']}"
        )


def _counted(generation: Generation, tally: Tally) -> tuple[F64, F64]:
    """Wins of candidates against each opponent, and games, if the policy needs them."""
    opponents = generation.opponents
    if opponents is None or not generation.counts_wins:
        return np.empty(0), np.empty(0)
    n, scores = len(generation.candidates), tally.row_scores * (-1 if tally.lower_is_better else 1)
    ahead = np.stack(
        [
            0.5 * (1.0 + np.sign(scores[:, :n] - scores[:, [j]])).mean(axis=1)
            for j in range(n, scores.shape[1])
        ],
        axis=1,
    )
    met = np.tile(np.arange(ahead.shape[1]), (len(ahead), 1))
    return opponents.results(met, ahead)


def _describe(group: _Group, tally: Tally, fitness: Fitness) -> dict[str, Any]:
    """Metrics of a sub-population, or of the whole population."""
    places, champion = tally.scores, group.champion
    hall, population = places[group.hall], places[group.population]
    return {
        "best_place": float(places[champion]),
        "best_place_error": finite(tally.errors[champion]),
        "best_fitness": float(fitness.values[champion]),
        "best_fitness_error": finite(fitness.errors[champion]),
        "best_survived": bool(np.isin(champion, group.survivors)),
        "elite_place": float(places[group.elites].mean()),
        "mean_place": float(population.mean()),
        "quartile_places": np.quantile(population, [0.25, 0.5, 0.75]).tolist(),
        "elite_overlap": group.overlap,
        "best_style": Style.of(tally.style_counts[champion]).as_dict(),
        "mean_style": Style.of(tally.style_counts[group.population]).as_dict(),
        "hall_size": len(hall),
        "hall_best_place": float(hall.min()) if len(hall) else None,
        "hall_mean_place": float(hall.mean()) if len(hall) else None,
    }


def _together(parts: list[_Group], best: int) -> _Group:
    """All sub-populations as one group."""
    overlaps = [part.overlap for part in parts if part.overlap is not None]
    return _Group(
        population=np.concatenate([part.population for part in parts]),
        hall=np.concatenate([part.hall for part in parts]),
        champion=parts[best].champion,
        elites=np.concatenate([part.elites for part in parts]),
        survivors=np.concatenate([part.survivors for part in parts]),
        overlap=float(np.mean(overlaps)) if overlaps else None,
    )


def _overlap(halves: list[Fitness], population: I64, kept: int) -> float | None:
    """Share of the elites of one half of the tournaments that are elites of the other."""
    if not halves:
        return None
    first, second = (half[population].ranking()[:kept] for half in halves)
    return len(np.intersect1d(first, second)) / kept
