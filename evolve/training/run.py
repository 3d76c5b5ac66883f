"""The training loop, and one generation of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

import agents
from evolve import seeds
from evolve.evaluation.series import Play, Series, play_halves, play_results
from evolve.genomes.breeding import breed, first_networks
from evolve.genomes.networks import Networks
from evolve.training.brood import select_children
from evolve.training.config import RunConfig
from evolve.training.judging import Verdict, judge, takes_sums
from evolve.training.metrics import describe_generation
from evolve.training.state import State
from evolve.training.store import RunFolder
from evolve.workers import Workers
from nlhe_env.machine.array_types import I64


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
    workers: Workers,
    listener: Listener,
    play: Play = agents.play_tournaments,
) -> State:
    """Runs the generations that are left; every one is on disk before the next begins.

    Args:
        folder: Where the run is stored.
        config: Its configuration.
        state: Where it stands.
        workers: Who plays the tournaments.
        listener: Told about the progress.
        play: Plays some tournaments; another way to the same results changes only the time.

    Returns:
        The state after the last generation.
    """
    listener.on_start(config, state)
    while state.generation < config.generations:
        start = time.perf_counter()
        state, metrics = next_generation(
            state,
            config,
            workers=workers,
            on_progress=listener.on_tournaments,
            play=play,
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
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
    play: Play = agents.play_tournaments,
) -> tuple[State, dict[str, Any]]:
    """Breeds, plays and ranks one generation.

    All sub-populations and all their halls of fame play in the same tournaments; each is ranked by
    itself.

    Returns:
        The state after it, and its line of metrics.
    """
    generation = state.generation + 1
    populations = next_populations(state, config, workers=workers)
    halls = [sub.hall.networks for sub in state.sub_populations]
    field = Networks.join(*populations, *halls).pack()
    games: dict[str, Any] = {
        "game": config.make_game(),
        "seed": seeds.stream_seed(config.seed, seeds.TOURNAMENTS, generation),
        "tournaments": config.tournaments,
        "workers": workers,
        "on_progress": on_progress,
        "play": play,
    }
    if takes_sums(config):
        first, second = play_halves(field, **games)
        series, verdict = first + second, Verdict.of_halves(first, second)
    else:
        results = play_results(field, **games)
        series, verdict = Series.of(results), Verdict.of(results, config)
    numbers = _number([*populations, *halls])
    subs, reports = [], []
    for i, sub in enumerate(state.sub_populations):
        after, report = judge(
            sub,
            populations[i],
            generation,
            verdict=verdict,
            population=numbers[i],
            hall=numbers[len(populations) + i],
            config=config,
        )
        subs.append(after)
        reports.append(report)
    best = int(np.argmin(verdict.fitness.costs[[report.champion for report in reports]]))
    metrics = describe_generation(generation, series, verdict.fitness, reports, best)
    return State(generation, tuple(subs), best), metrics


def next_populations(state: State, config: RunConfig, *, workers: Workers) -> list[Networks]:
    """The networks of every sub-population in the next generation, elites first.

    Random ones at first, then elites and children; children of a brood compete for their places.
    """
    generation = state.generation + 1
    rng = seeds.generator(config.seed, seeds.NEWCOMERS, generation)
    if state.generation == 0:
        return [first_networks(config, rng=rng) for _ in state.sub_populations]
    places = config.population_each - config.elites_each
    populations = []
    for i, sub in enumerate(state.sub_populations):
        children = breed(
            sub.networks,
            sub.hall.networks,
            config.brood * places,
            chances=sub.chances if config.phantom else None,
            config=config,
            rng=rng,
        )
        if config.brood > 1 and places:
            children = select_children(
                children,
                places,
                config=config,
                seed=seeds.stream_seed(config.seed, seeds.BROOD, generation, i),
                rng=rng,
                workers=workers,
            )
        populations.append(Networks.join(sub.networks[: config.elites_each], children))
    return populations


def _number(groups: list[Networks]) -> list[I64]:
    """The numbers of the players of each group in a field of all groups, in order."""
    ends = np.cumsum([len(group) for group in groups])
    return [np.arange(end - len(group), end) for group, end in zip(groups, ends, strict=True)]
