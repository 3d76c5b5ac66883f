"""The training loop."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

import agents
from agents.network import N_WEIGHTS
from evolve import seeds
from evolve.chunks import Workers
from evolve.config import RunConfig
from evolve.fitness import Series, play_series
from evolve.population import breed, initial_population
from evolve.state import State
from evolve.store import RunFolder
from nlhe_env._types import F32
from nlhe_env.equity import StrengthTables


class Listener(Protocol):
    """Who wants to know how a run goes on."""

    def on_start(self, config: RunConfig, state: State) -> None:
        """The run starts, or goes on, after the generation of ``state``."""

    def on_tournaments(self, count: int) -> None:
        """Some tournaments of the present generation are finished."""

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """A generation is finished and on disk."""


def train(
    folder: RunFolder,
    config: RunConfig,
    state: State,
    *,
    tables: StrengthTables,
    workers: Workers,
    listener: Listener,
) -> State:
    """Runs the generations that are left; every one is on disk before the next begins.

    Args:
        folder: Where the run is stored.
        config: Its configuration.
        state: Where it stands.
        tables: Strength tables.
        workers: Who plays the tournaments.
        listener: Told about the progress.

    Returns:
        The state after the last generation.
    """
    listener.on_start(config, state)
    while state.generation < config.generations:
        start = time.perf_counter()
        state, metrics = next_generation(
            state, config, tables=tables, workers=workers, on_progress=listener.on_tournaments
        )
        seconds = time.perf_counter() - start
        timings = {
            "generation": state.generation,
            "seconds": round(seconds, 3),
            "hands_per_second": round(metrics["hands"] / seconds),
            "decisions_per_second": round(metrics["decisions"] / seconds),
        }
        folder.commit(config, state, metrics, timings)
        listener.on_generation(metrics, timings)
    return state


def next_generation(
    state: State,
    config: RunConfig,
    *,
    tables: StrengthTables,
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
) -> tuple[State, dict[str, Any]]:
    """Breeds, plays and ranks one generation.

    Returns:
        The state after it, and its metrics.
    """
    generation = state.generation + 1
    population = next_population(state, config)
    networks = np.concatenate([population, state.hall.weights])
    series = play_series(
        agents.pack_networks(networks, inputs=config.inputs),
        structure=config.structure(),
        seed=seeds.stream_seed(config.seed, seeds.TOURNAMENTS, generation),
        tournaments=config.tournaments,
        tables=tables,
        workers=workers,
        on_progress=on_progress,
    )
    places = series.places
    # Stable: networks with equal places keep their order.
    order = np.argsort(places[: config.population], kind="stable")
    hall = state.hall
    if config.hall_of_fame:
        elites = order[: config.elites]
        hall = hall.after_generation(
            generation,
            places=places[config.population :],
            elites=population[elites],
            elite_places=places[elites],
            capacity=config.hall_of_fame,
            replace=config.hof_replace,
            unique=config.hof_unique,
        )
    after = State(
        generation=generation,
        population=population[order],
        hall=hall,
        champions=np.concatenate([state.champions, population[order[:1]]]),
    )
    entered = int(np.count_nonzero(hall.entered == generation))
    return after, _metrics(generation, series, order[0], config, entered)


def next_population(state: State, config: RunConfig) -> F32:
    """The networks of the next generation: random ones at first, then elites and their children."""
    rng = seeds.generator(config.seed, seeds.NEWCOMERS, state.generation + 1)
    if state.generation == 0:
        return initial_population(
            config.population, N_WEIGHTS, initialisation=config.initialisation, rng=rng
        )
    elites = state.population[: config.elites]
    children = breed(
        elites,
        config.population - config.elites,
        parents_mean=config.parents_mean,
        mutation_likelihood=config.mutation_likelihood,
        mutation_deviation=config.mutation_deviation,
        rng=rng,
    )
    return np.concatenate([elites, children])


def _metrics(
    generation: int, series: Series, best: int, config: RunConfig, entered: int
) -> dict[str, Any]:
    """One line of ``metrics.jsonl``: a function of the configuration alone, so no times in it.

    Keys, places being means over the tournaments of the generation, 1 best:

    - ``generation``, ``players`` (hall of fame included), ``tournaments``, ``hands``, ``decisions``
    - ``best_place``, ``best_place_error``: of the best network and its standard error. The best of
      many has been lucky: its place among fresh cards is worse.
    - ``best_survived``: whether that network was an elite of the generation before
    - ``elite_place``, ``mean_place``, ``quartile_places``: of the elites and of the population
    - ``hall_size``, ``hall_best_place``, ``hall_mean_place``: of the hall that took part
    - ``hall_entered``: networks that entered the hall afterwards
    """
    places = series.places
    population, hall = places[: config.population], places[config.population :]
    quartiles = np.quantile(population, [0.25, 0.5, 0.75])
    return {
        "generation": generation,
        "players": len(places),
        "tournaments": series.tournaments,
        "best_place": float(places[best]),
        "best_place_error": _finite(series.errors[best]),
        "best_survived": bool(best < config.elites and generation > 1),
        "elite_place": float(np.sort(population)[: config.elites].mean()),
        "mean_place": float(population.mean()),
        "quartile_places": quartiles.tolist(),
        "hall_size": len(hall),
        "hall_best_place": float(hall.min()) if len(hall) else None,
        "hall_mean_place": float(hall.mean()) if len(hall) else None,
        "hall_entered": entered,
        "hands": series.hands,
        "decisions": series.decisions,
    }


def _finite(value: float) -> float | None:
    """A number for JSON, which has no nan."""
    return float(value) if np.isfinite(value) else None
