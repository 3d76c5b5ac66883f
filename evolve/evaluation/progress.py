"""Evolutionary progress: tournaments between the champions of a run.

The mean place within a population is constant, so it cannot show whether a run learns. The
published measure can: the best networks of all generations play a series of multi-table tournaments
together, and their mean place is plotted by generation (Nicolai, MSc thesis, University of Regina,
2008, section 5.3).

In a ``ProgressField``, as published, every sub-population is a separate field. No other players
take part, so the mean of all places is the middle of the field, and a trend to smaller numbers is
progress. In the closing tournaments of a run, ``Progress``, the static players take part too, as a
reference.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from scipy.ndimage import gaussian_filter1d

import agents
import nlhe_env
from agents.match.workers.base import Workers
from agents.statistics.estimates import TTest
from evolve import seeds
from evolve.files import safe as files
from evolve.files.safe import DamagedFileError
from nlhe_env.jit.array_types import F64, I64

STATIC_PLAYERS = ("random", "raiser", "folder", "caller", "call-or-raise")
"""Names of players that ignore their cards."""


SMOOTHING = 0.02
"""Standard deviation of the smoothing kernel, as a share of the generations."""


@dataclass(frozen=True)
class ProgressField:
    """Results of one field's tournaments.

    Attributes:
        sub_population: Index of the sub-population.
        tournaments: Number of tournaments played.
        generations: Generations whose best players took part, in order.
        places: Mean place of each player; 1 is best.
        errors: Standard error of those places.
        gain: Mean place of the last fifth minus that of the first fifth; negative is progress.
        gain_error: Standard error of ``gain`` over the tournaments. It covers only these players;
            variance between runs needs several seeds.
    """

    sub_population: int
    tournaments: int
    generations: list[int]
    places: list[float]
    errors: list[float]
    gain: float
    gain_error: float

    @property
    def players(self) -> int:
        """Number of players in every tournament."""
        return len(self.generations)

    @property
    def trend(self) -> TTest:
        """Paired t-test over the tournaments: the last fifth against the first fifth."""
        return TTest(self.gain, self.gain_error, self.tournaments - 1, lower_is_better=True)

    @property
    def relative_gain(self) -> float:
        """``gain`` as a share of the field, to compare fields of different sizes."""
        return self.gain / self.players

    @property
    def smoothed(self) -> F64:
        """``(players,)`` places smoothed over neighbouring generations by a Gaussian kernel."""
        width = max(1.0, SMOOTHING * self.players)
        return np.asarray(gaussian_filter1d(np.asarray(self.places), width, mode="nearest"))


def play_field(
    champions: agents.PlayerBatch,
    game: nlhe_env.Game,
    *,
    seed: int,
    tournaments: int,
    workers: Workers,
    sub_population: int | None = None,
    most: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> tuple[I64, agents.Tally]:
    """Tournaments of champions with each other; for the arguments see ``measure_field``.

    Without a sub-population they are the closing tournaments, with the static players after the
    champions.

    Returns:
        The champions' generations, and the tally, of a sub-population with its rows.
    """
    generations = spread_generations(len(champions), most or len(champions))
    players, number = champions.take(generations - 1), 0
    if sub_population is None:
        static = [agents.make_compiled(name) for name in STATIC_PLAYERS]
        players = agents.concat(players, agents.pack_players(static))
    else:
        number = 1 + sub_population
    tally = agents.play(
        players,
        agents.Tournaments(tournaments),
        game,
        seed=seeds.stream_seed(seed, seeds.PROGRESS, number),
        rows=sub_population is not None,
        workers=workers,
        on_progress=on_progress,
    )
    return generations, tally


def measure_field(
    champions: agents.PlayerBatch,
    game: nlhe_env.Game,
    *,
    seed: int,
    tournaments: int,
    workers: Workers,
    sub_population: int = 0,
    most: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> ProgressField:
    """Plays the tournaments of one field.

    Args:
        champions: Champion of every generation.
        game: The tournaments of the run.
        seed: Seed of the run.
        tournaments: Number of tournaments.
        workers: Workers for the games; their number does not change the result.
        sub_population: Index of the sub-population of the champions.
        most: Maximum number of champions, evenly spread over the generations; default: all.
        on_progress: Called with the number of tournaments of each finished chunk.

    Raises:
        ValueError: There are fewer than two generations, or no tournaments.
    """
    if len(champions) < 2:
        raise ValueError(f"progress needs at least 2 generations; the run has {len(champions)}")
    if tournaments < 2:
        raise ValueError(f"tournaments must be at least 2; got {tournaments}")
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
    numbers, fifth = np.arange(len(generations)), max(1, len(generations) // 5)
    gain, gain_error = tally.of_groups((numbers[:fifth], numbers[-fifth:])).difference(1, 0)
    return ProgressField(
        sub_population=sub_population,
        tournaments=tally.count,
        generations=generations.tolist(),
        places=tally.scores.tolist(),
        errors=tally.errors.tolist(),
        gain=gain,
        gain_error=gain_error,
    )


def save_fields(fields: list[ProgressField], folder: Path) -> list[Path]:
    """Writes ``progress-field.json`` and ``progress-field.csv`` and returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    json_file, csv_file = folder / "progress-field.json", folder / "progress-field.csv"
    rows = [
        {
            "sub_population": field.sub_population + 1,
            "generation": generation,
            "mean_place": place,
            "standard_error": error,
            "smoothed": float(smoothed),
        }
        for field in fields
        for generation, place, error, smoothed in zip(
            field.generations, field.places, field.errors, field.smoothed, strict=True
        )
    ]
    files.write_csv(csv_file, rows)
    files.write_json(json_file, [dataclasses.asdict(field) for field in fields])
    return [json_file, csv_file]


def load_fields(folder: Path) -> list[ProgressField]:
    """Fields written by ``save_fields``; empty if there is no file.

    Raises:
        DamagedFileError: The file does not hold fields.
    """
    file = folder / "progress-field.json"
    if not file.exists():
        return []
    try:
        return [files.read_record(ProgressField, values) for values in files.read_json(file)]
    except (TypeError, ValueError) as error:
        raise DamagedFileError(f"{file} is damaged: {error}") from error


@dataclass(frozen=True)
class Progress:
    """Result of the closing tournaments.

    Attributes:
        tournaments: Number of tournaments played.
        generations: Generations whose champions took part, in order.
        places: Mean place of each champion; 1 is best.
        errors: Standard error of those places.
        static_players: Mean place of each static player.
        static_errors: Standard error of those places.
    """

    tournaments: int
    generations: list[int]
    places: list[float]
    errors: list[float]
    static_players: dict[str, float]
    static_errors: dict[str, float]

    @property
    def players(self) -> int:
        """Number of players in every tournament."""
        return len(self.generations) + len(self.static_players)


def spread_generations(n_generations: int, most: int) -> I64:
    """At most ``most`` generations, evenly spread, the first and the last among them.

    >>> spread_generations(10, 4)
    array([ 1,  4,  7, 10])
    """
    if n_generations <= most:
        return np.arange(1, n_generations + 1)
    return np.rint(np.linspace(1, n_generations, most)).astype(np.int64)


def measure_progress(
    champions: agents.PlayerBatch,
    game: nlhe_env.Game,
    *,
    seed: int,
    tournaments: int,
    most: int,
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
) -> Progress:
    """Plays the closing tournaments.

    Args:
        champions: Champion of every generation.
        game: The tournaments of the run.
        seed: Seed of the run.
        tournaments: Number of tournaments.
        most: Maximum number of champions, evenly spread over the generations.
        workers: Workers for the games.
        on_progress: Called with the number of tournaments of each finished chunk.
    """
    generations, tally = play_field(
        champions,
        game,
        seed=seed,
        tournaments=tournaments,
        workers=workers,
        most=most,
        on_progress=on_progress,
    )
    places, errors = tally.scores.tolist(), np.nan_to_num(tally.errors).tolist()
    n = len(generations)
    return Progress(
        tournaments=tally.count,
        generations=generations.tolist(),
        places=places[:n],
        errors=errors[:n],
        static_players=dict(zip(STATIC_PLAYERS, places[n:], strict=True)),
        static_errors=dict(zip(STATIC_PLAYERS, errors[n:], strict=True)),
    )


def save_progress(progress: Progress, file: Path) -> None:
    """Writes a JSON file."""
    files.write_json(file, asdict(progress))


def load_progress(file: Path) -> Progress | None:
    """Progress written by ``save_progress``; None if there is no file.

    Raises:
        DamagedFileError: The file does not hold a ``Progress``.
    """
    return files.load_record(Progress, file)
