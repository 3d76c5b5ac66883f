"""The published measure of progress: the best players of all generations as one field.

The best network of every generation of a run takes part in a series of multi-table tournaments, and
the mean place is plotted by generation (Nicolai, MSc thesis, University of Regina, 2008, section
5.3). Every sub-population is a separate field. No other players take part, so the mean of
all places is the middle of the field, and a trend to smaller numbers is progress.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np
from scipy.ndimage import gaussian_filter1d

import agents
import nlhe_env
from evolve import seeds
from evolve.evaluation.progress import spread_generations
from evolve.evaluation.statistics.samples import TTest
from evolve.files import safe as files
from evolve.files.safe import DamagedFileError
from evolve.workers import PlayTask, Workers
from evolve.workers.chunks import run_chunks
from nlhe_env.jit.array_types import F64, I64

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


@dataclass(frozen=True, eq=False)
class _Tournaments:
    """Tournaments of a field, as a task for workers.

    Attributes:
        play: Games to play.
        ends: Players of the first and of the last fifth.
    """

    play: PlayTask
    ends: tuple[I64, I64]

    def __call__(self, first: int, count: int) -> tuple[agents.Tally, agents.Tally]:
        """Results of all players, and of the first and the last fifth as one player each."""
        tally = self.play.part(first, count, rows=True)
        return tally.without_rows(), tally.of_groups(self.ends)


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
    generations = spread_generations(len(champions), most or len(champions))
    stream = seeds.stream_seed(seed, seeds.PROGRESS, 1 + sub_population)
    field = champions.take(generations - 1)
    numbers, fifth = np.arange(len(field)), max(1, len(field) // 5)
    task = _Tournaments(
        PlayTask(field, agents.Tournaments(tournaments), game, stream),
        ends=(numbers[:fifth], numbers[-fifth:]),
    )
    parts = run_chunks(task, tournaments, workers=workers, on_progress=on_progress)
    tally, fifths = (reduce(agents.Tally.__add__, column) for column in zip(*parts, strict=True))
    gain, gain_error = fifths.difference(1, 0)
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
        return [ProgressField(**values) for values in files.read_json(file)]
    except TypeError as error:
        raise DamagedFileError(f"{file} is damaged: {error}") from error
