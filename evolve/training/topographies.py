"""Evolution of action topographies: how the players OldBest and OldScratch of ``agents`` were made.

    python -m evolve.training.topographies agents/data

makes both files again. The loop is that of the networks (Nicolai's thesis, 2008): everybody plays
in the same tournaments, the mean place is the fitness, the best survive unchanged. A child is a
copy of one elite, drawn at random, with 1 to 5 random hills more (see
``agents.compiled.topography``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import numpy as np
import tyro

import agents
import nlhe_env
from agents.compiled.topography import even, head_start, random_hill, with_hill
from evolve import seeds
from evolve.evaluation.series import play_series
from evolve.workers import Workers, WorkersError, parse_workers
from nlhe_env.machine.array_types import F32

Start = Literal["head-start", "scratch"]

PLAYERS: dict[Start, str] = {"head-start": "OldBest", "scratch": "OldScratch"}
"""The player that an evolution makes, by what it starts from."""
FILES: dict[Start, str] = {"head-start": "old-best.npz", "scratch": "old-scratch.npz"}
"""Its file."""


@dataclass(frozen=True, kw_only=True)
class TopographyConfig:
    """Everything that decides the result of an evolution of topographies.

    Raises:
        ValueError: A value is impossible; the message names it and what is allowed.
    """

    start: Start = "head-start"
    """The first generation: children of the expert's topography, or of one with all actions
    equally likely."""

    seed: int = 1
    """Seed of everything random."""

    generations: int = 100
    """Number of generations."""

    population: int = 100
    """Topographies in the population, the players of every tournament."""

    elites: int = 10
    """Best of a generation, which survive unchanged and are the parents of the next."""

    tournaments: int = 100
    """Tournaments of a generation."""

    most_hills: int = 5
    """A child has 1 to this many hills more than its parent."""

    def __post_init__(self) -> None:
        if self.start not in get_args(Start):
            allowed = " or ".join(map(repr, get_args(Start)))
            raise ValueError(f"start must be {allowed}; got {self.start!r}")
        least = {"seed": 0, "generations": 1, "population": 2, "elites": 1, "tournaments": 1}
        for key, bound in {**least, "most_hills": 1}.items():
            value = getattr(self, key)
            if value < bound:
                raise ValueError(f"{key} must be at least {bound}; got {value}")
        if self.elites > self.population:
            raise ValueError(
                f"elites must not exceed the population ({self.population}); got {self.elites}"
            )


def evolve_topography(
    config: TopographyConfig,
    *,
    workers: Workers,
    on_generation: Callable[[int, float], None] | None = None,
) -> agents.TopographyPlayer:
    """Runs an evolution and returns the best player of its last generation.

    Args:
        config: What to run.
        workers: Who plays; their number changes nothing but the time.
        on_generation: Called after every generation with its number and the mean place of its best.
    """
    start = head_start() if config.start == "head-start" else even()
    elites = start[np.newaxis]
    for generation in range(1, config.generations + 1):
        population = _next_population(elites, config, generation)
        series = play_series(
            agents.pack([agents.TopographyPlayer(topography) for topography in population]),
            game=nlhe_env.Game.tournament(),
            seed=seeds.stream_seed(config.seed, seeds.TOURNAMENTS, generation),
            tournaments=config.tournaments,
            workers=workers,
        )
        order = np.argsort(series.places, kind="stable")  # equal places keep their order
        elites = population[order[: config.elites]]
        if on_generation is not None:
            on_generation(generation, float(series.places[order[0]]))
    origin: dict[str, Any] = {
        "experiment": "evolve.training.topographies",
        "generation": config.generations,
        "config": asdict(config),
    }
    return agents.TopographyPlayer(elites[0], name=PLAYERS[config.start], origin=origin)


def _next_population(elites: F32, config: TopographyConfig, generation: int) -> F32:
    """The elites and as many children as fill the population."""
    rng = seeds.generator(config.seed, seeds.NEWCOMERS, generation)
    children = []
    for _ in range(config.population - len(elites)):
        child = elites[rng.integers(len(elites))].astype(np.float64)
        for _ in range(rng.integers(1, config.most_hills, endpoint=True)):
            child = with_hill(child, random_hill(rng))
        children.append(child.astype(np.float32))
    return np.stack([*elites, *children])


def make_players(
    out: Annotated[Path, tyro.conf.Positional],
    seed: int = TopographyConfig.seed,
    generations: int = TopographyConfig.generations,
    population: int = TopographyConfig.population,
    elites: int = TopographyConfig.elites,
    tournaments: int = TopographyConfig.tournaments,
    workers: Annotated[str | None, tyro.conf.arg(metavar="WORKERS")] = None,
) -> None:
    """Evolve OldBest and OldScratch and write them as player files.

    Args:
        out: Folder of ``old-best.npz`` and ``old-scratch.npz``.
        seed: Seed of everything random.
        generations: Number of generations.
        population: Topographies in the population.
        elites: Survivors of a generation and parents of the next.
        tournaments: Tournaments of a generation.
        workers: Who plays: N or threads://N, processes://N, or dask://HOST:PORT; default: a thread
            for each core. They do not change the result.
    """
    configs = [
        TopographyConfig(
            start=start,
            seed=seed,
            generations=generations,
            population=population,
            elites=elites,
            tournaments=tournaments,
        )
        for start in PLAYERS
    ]
    out.mkdir(parents=True, exist_ok=True)
    with parse_workers(workers) as players:
        for config in configs:
            player = evolve_topography(
                config,
                workers=players,
                on_generation=partial(_say, config),
            )
            file = out / FILES[config.start]
            agents.save_player(file, player)
            print(f"Written: {file}")


def _say(config: TopographyConfig, generation: int, place: float) -> None:
    print(
        f"{config.start}: generation {generation}/{config.generations}"
        f"  best {place:.2f} of {config.population}"
    )


def main() -> int:
    """Runs the command line and returns the exit code."""
    try:
        tyro.cli(make_players, prog="python -m evolve.training.topographies")
    except (ValueError, WorkersError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
