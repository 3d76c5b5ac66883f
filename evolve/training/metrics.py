"""One line of ``metrics.jsonl``: a function of the configuration alone, so no times in it.

Places are means over the tournaments of the generation, 1 is best; fitness is in the unit of the
configuration's function. Keys:

- ``generation``, ``players`` (halls of fame included), ``tournaments``, ``hands``, ``decisions``
- ``best_place``, ``best_place_error``: place of the champion and its standard error. The best of
  many has been lucky: its place among fresh cards is worse.
- ``best_fitness``, ``best_fitness_error``: its fitness; the error is null where there is none
- ``best_survived``: whether that network was an elite of the generation before
- ``elite_place``, ``mean_place``, ``quartile_places``: of the elites and of the population
- ``elite_overlap``: share of the elites on which the two halves of the tournaments agree; chosen by
  chance they would share ``elites / population``
- ``best_style``, ``mean_style``: playing style of the champion and of all games of the population
  together: the measures of ``agents.play.style`` by name, null where there was no occasion
- ``hall_size``, ``hall_best_place``, ``hall_mean_place``: of the hall that took part
- ``hall_entered``: networks that entered the hall afterwards
- ``hidden_units``: mean number, in runs whose networks grow or shrink
- ``rolled_back_to``: generation that the sub-population goes back to, else null; in runs that do

With several sub-populations the list ``sub_populations`` has a dictionary for each, with the keys
from ``best_place`` on; the line itself is about all of them together, its best the best champion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import agents
from evolve.evaluation.series import Series
from evolve.training.fitness import Fitness
from nlhe_env.machine.array_types import I64


@dataclass(frozen=True, eq=False)
class Judged:
    """Players of a field and what their tournaments came to.

    Attributes:
        population: Players that belong to the population.
        hall: Players that belong to the hall.
        champion: One of the population.
        elites: The elites among the population.
        survivors: Those of the population that were elites before.
        overlap: Share of elites on which both halves of the tournaments agree.
        entered: Networks that entered the hall afterwards.
        extras: Further keys.
    """

    population: I64
    hall: I64
    champion: int
    elites: I64
    survivors: I64
    overlap: float | None
    entered: int
    extras: dict[str, Any]


def describe_generation(
    generation: int, series: Series, fitness: Fitness, reports: list[Judged], best: int
) -> dict[str, Any]:
    """The line of a generation.

    Args:
        generation: Its number.
        series: Its tournaments.
        fitness: Of every player.
        reports: One for each sub-population.
        best: Which of them has the best champion.
    """
    line = {
        "generation": generation,
        "players": len(series.places),
        "tournaments": series.tournaments,
        **_describe(_together(reports, best), series, fitness),
        "hands": series.hands,
        "decisions": series.decisions,
    }
    if len(reports) > 1:
        line["sub_populations"] = [_describe(report, series, fitness) for report in reports]
    return line


def _describe(judged: Judged, series: Series, fitness: Fitness) -> dict[str, Any]:
    """What is told of a sub-population, or of all together."""
    places = series.places
    champion, hall, population = judged.champion, places[judged.hall], places[judged.population]
    return {
        "best_place": float(places[champion]),
        "best_place_error": _finite(series.errors[champion]),
        "best_fitness": float(fitness.values[champion]),
        "best_fitness_error": _finite(fitness.errors[champion]),
        "best_survived": bool(np.isin(champion, judged.survivors)),
        "elite_place": float(places[judged.elites].mean()),
        "mean_place": float(population.mean()),
        "quartile_places": np.quantile(population, [0.25, 0.5, 0.75]).tolist(),
        "elite_overlap": judged.overlap,
        "best_style": agents.Style.of(series.style_counts[champion]).as_dict(),
        "mean_style": agents.Style.of(series.style_counts[judged.population]).as_dict(),
        "hall_size": len(hall),
        "hall_best_place": float(hall.min()) if len(hall) else None,
        "hall_mean_place": float(hall.mean()) if len(hall) else None,
        "hall_entered": judged.entered,
        **judged.extras,
    }


def _together(parts: list[Judged], best: int) -> Judged:
    """All sub-populations as one; what only parts have is left out."""
    overlaps = [part.overlap for part in parts if part.overlap is not None]
    return Judged(
        population=np.concatenate([part.population for part in parts]),
        hall=np.concatenate([part.hall for part in parts]),
        champion=parts[best].champion,
        elites=np.concatenate([part.elites for part in parts]),
        survivors=np.concatenate([part.survivors for part in parts]),
        overlap=float(np.mean(overlaps)) if overlaps else None,
        entered=sum(part.entered for part in parts),
        extras=parts[0].extras if len(parts) == 1 else {},
    )


def _finite(value: float) -> float | None:
    """A number for JSON, which has no nan."""
    return float(value) if np.isfinite(value) else None
