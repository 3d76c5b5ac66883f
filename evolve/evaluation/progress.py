"""Evolutionary progress: tournaments between the champions of a run.

The mean place within a population is constant, so it cannot show whether a run learns. The
published measure can: the best networks of all generations play a series of multi-table tournaments
together, and their mean place is plotted by generation (Nicolai, MSc thesis, University of Regina,
2008, section 5.3).

As published, every sub-population is a separate field. No other players take part, so the mean of
all places is the middle of the field, and a trend to smaller numbers is progress. In the closing
tournaments of a run, the champions of its best sub-population meet the static players as well, as a
reference.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter1d

import agents
import nlhe_env
from agents.match.workers.base import Workers
from agents.measure.figures import (
    BLUE,
    GREY,
    ORANGE,
    SKY,
    line_look,
    new_figure,
    save_figure,
    without_frame,
)
from agents.statistics.estimates import Z95, TTest, half_width
from evolve import seeds
from evolve.files import safe as files
from evolve.files.safe import DamagedFileError
from nlhe_env.jit.array_types import F64, I64

STATIC_PLAYERS = ("random", "raiser", "folder", "caller", "call-or-raise")
"""Names of players that ignore their cards."""
SMOOTHING = 0.02
"""Standard deviation of the smoothing kernel, as a share of the generations."""
_OF_ALL = ("tournaments", "generations", "places", "errors")
_OF_FIELDS = ("sub_population", *_OF_ALL, "gain", "gain_error")
_OF_CLOSING_TOURNAMENTS = (*_OF_ALL, "static_players", "static_errors")


@dataclass(frozen=True, kw_only=True)
class Progress:
    """Results of the tournaments of a field, or of the closing tournaments.

    Attributes:
        tournaments: Number of tournaments played.
        generations: Generations whose champions took part, in order.
        places: Mean place of each champion; 1 is best.
        errors: Standard error of those places.
        sub_population: Index of the sub-population.
        gain: Mean place of the last fifth minus that of the first fifth; negative is progress. It
            is nan for closing tournaments, as is its error.
        gain_error: Standard error of ``gain`` over the tournaments. It covers only these players;
            variance between runs needs several seeds.
        static_players: Mean place of each static player of closing tournaments.
        static_errors: Standard error of those places.
    """

    tournaments: int
    generations: list[int]
    places: list[float]
    errors: list[float]
    sub_population: int = 0
    gain: float = math.nan
    gain_error: float = math.nan
    static_players: dict[str, float] = dataclasses.field(default_factory=dict)
    static_errors: dict[str, float] = dataclasses.field(default_factory=dict)

    @property
    def players(self) -> int:
        """Number of players in every tournament."""
        return len(self.generations) + len(self.static_players)

    @property
    def trend(self) -> TTest:
        """Paired t-test over the tournaments: the last fifth against the first fifth."""
        return TTest(self.gain, self.gain_error, self.tournaments - 1, lower_is_better=True)

    @property
    def gain_half_width(self) -> float:
        """Half of the 95% interval of ``gain`` over the tournaments; nan for a single one."""
        return half_width(self.gain_error, self.tournaments - 1)

    @property
    def relative_gain(self) -> float:
        """``gain`` as a share of the field, to compare fields of different sizes."""
        return self.gain / self.players

    @property
    def smoothed(self) -> F64:
        """``(champions,)`` places smoothed over neighbouring generations by a Gaussian kernel."""
        width = max(1.0, SMOOTHING * len(self.places))
        return np.asarray(gaussian_filter1d(np.asarray(self.places), width, mode="nearest"))


def spread_generations(n_generations: int, most: int) -> I64:
    """At most ``most`` generations, evenly spread, the first and the last among them.

    >>> spread_generations(10, 4)
    array([ 1,  4,  7, 10])
    """
    if n_generations <= most:
        return np.arange(1, n_generations + 1)
    return np.rint(np.linspace(1, n_generations, most)).astype(np.int64)


def play_tournaments(
    champions: agents.PlayerBatch,
    game: nlhe_env.Game,
    *,
    seed: int,
    tournaments: int,
    workers: Workers,
    sub_population: int | None = None,
    generations: Sequence[int] | None = None,
    most: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> tuple[I64, agents.Tally]:
    """Plays the tournaments of ``measure_progress``, which explains the arguments.

    Returns:
        The champions' generations, and the tally, of a field with its rows.
    """
    if generations is None:
        generations = range(1, len(champions) + 1)
    elif len(generations) != len(champions):
        raise ValueError(
            f"generations must have a number for each of the {len(champions)} champions; "
            f"got {len(generations)}"
        )
    rows = spread_generations(len(champions), most or len(champions)) - 1
    players, number = champions.take(rows), 0
    if sub_population is None:
        static = [agents.make_compiled(name) for name in STATIC_PLAYERS]
        players = agents.concat(players, agents.pack_players(static))
    else:
        if len(champions) < 2:
            raise ValueError(f"a field needs at least 2 generations; the run has {len(champions)}")
        if tournaments < 2:
            raise ValueError(f"tournaments must be at least 2; got {tournaments}")
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
    return np.asarray(generations, np.int64)[rows], tally


def measure_progress(
    champions: agents.PlayerBatch,
    game: nlhe_env.Game,
    *,
    seed: int,
    tournaments: int,
    workers: Workers,
    sub_population: int | None = None,
    generations: Sequence[int] | None = None,
    most: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Progress:
    """Plays the tournaments of one field, or the closing tournaments.

    Args:
        champions: Champions in the order of their generations, of at least two in a field.
        game: The tournaments of the run.
        seed: Seed of the run.
        tournaments: Number of tournaments, at least two of a field.
        workers: Workers for the games; their number does not change the result.
        sub_population: Index of the sub-population of a field; default: closing tournaments, with
            the static players.
        generations: Generation of each champion; default: 1, 2, 3 and so on.
        most: Maximum number of champions, evenly spread over these; default: all.
        on_progress: Called with the number of tournaments of each finished chunk.
    """
    played, tally = play_tournaments(
        champions,
        game,
        seed=seed,
        tournaments=tournaments,
        workers=workers,
        sub_population=sub_population,
        generations=generations,
        most=most,
        on_progress=on_progress,
    )
    n, fifth = len(played), max(1, len(played) // 5)
    gain = gain_error = math.nan
    static: tuple[str, ...] = STATIC_PLAYERS
    if sub_population is not None:
        fifths = tally.of_groups((range(fifth), range(n - fifth, n)))
        (gain, gain_error), static = fifths.difference(1, 0), ()
    places, errors = tally.scores.tolist(), np.nan_to_num(tally.errors).tolist()
    return Progress(
        tournaments=tally.count,
        generations=played.tolist(),
        places=places[:n],
        errors=errors[:n],
        sub_population=sub_population or 0,
        gain=gain,
        gain_error=gain_error,
        static_players=dict(zip(static, places[n:], strict=True)),
        static_errors=dict(zip(static, errors[n:], strict=True)),
    )


def save_fields(fields: Sequence[Progress], folder: Path) -> list[Path]:
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
    files.write_json(json_file, [_values(field, _OF_FIELDS) for field in fields])
    return [json_file, csv_file]


def load_fields(folder: Path) -> list[Progress]:
    """Fields written by ``save_fields``; empty if there is no file.

    Raises:
        DamagedFileError: The file does not hold fields.
    """
    file = folder / "progress-field.json"
    if not file.exists():
        return []
    try:
        return [files.read_record(Progress, values) for values in files.read_json(file)]
    except (TypeError, ValueError) as error:
        raise DamagedFileError(f"{file} is damaged: {error}") from error


def save_progress(progress: Progress, file: Path) -> None:
    """Writes the closing tournaments as JSON."""
    files.write_json(file, _values(progress, _OF_CLOSING_TOURNAMENTS))


def load_progress(file: Path) -> Progress | None:
    """Progress written by ``save_progress``; None if there is no file.

    Raises:
        DamagedFileError: The file does not hold a ``Progress``.
    """
    return files.load_record(Progress, file)


def _values(progress: Progress, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(progress, name) for name in names}


def draw_fields(fields: Sequence[Progress], path: Path, *, title: str) -> Path:
    """Draws mean places with 95% intervals by generation, one panel per field.

    Args:
        fields: Progress field of each sub-population.
        path: The PNG to write.
        title: Name of the run.
    """
    figure = new_figure(7.5, 0.6 + 3.2 * len(fields))
    panels = figure.subplots(len(fields), 1, squeeze=False)[:, 0]
    for axes, field in zip(panels, fields, strict=True):
        places, errors = np.array(field.places), np.array(field.errors)
        low, high = places - Z95 * errors, places + Z95 * errors
        axes.fill_between(
            field.generations, low, high, color=SKY, alpha=0.4, linewidth=0, label="95% interval"
        )
        axes.plot(field.generations, places, color=BLUE, linewidth=0.8, label="mean place")
        axes.plot(
            field.generations, field.smoothed, color=ORANGE, linewidth=1.8, linestyle="--",
            label="smoothed",
        )  # fmt: skip
        axes.axhline((field.players + 1) / 2, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_xlabel("generation")
        axes.locator_params(axis="x", integer=True)
        axes.set_ylabel(f"mean place of {field.players}\n(up is better)")
        axes.invert_yaxis()
        name = f"sub-population {field.sub_population + 1}, " if len(fields) > 1 else ""
        axes.set_title(
            f"{name}{field.tournaments:,} tournaments; last fifth against first fifth "
            f"{field.gain:+z.2f} ± {field.gain_half_width:.2f} places",
            fontsize=9,
        )
        without_frame(axes)
    panels[0].legend(fontsize=8, loc="best")
    figure.suptitle(title, fontsize=10)
    return save_figure(figure, path)


def draw_runs(panels: Sequence[Sequence[tuple[str, Progress]]], path: Path, *, title: str) -> Path:
    """Draws the smoothed progress of several runs of one experiment, over places with intervals.

    Args:
        panels: For each panel (sub-population), label and field of every run.
        path: The PNG to write.
        title: Title of the figure.
    """
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure = new_figure(6.0 if columns == 1 else 9.0, 0.3 + 2.9 * rows)
    grid = figure.subplots(rows, columns, squeeze=False, sharey=True)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    for number, (axes, runs) in enumerate(zip(grid.flat, panels, strict=False), 1):
        for i, (label, field) in enumerate(runs):
            look = line_look(i, len(field.generations))
            colour = look["color"]
            places, errors = np.array(field.places), np.array(field.errors)
            low, high = places - Z95 * errors, places + Z95 * errors
            axes.fill_between(field.generations, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.plot(field.generations, places, color=colour, linewidth=0.5, alpha=0.5)
            axes.plot(field.generations, field.smoothed, linewidth=1.6, label=label, **look)
        players = max(field.players for _, field in runs)
        axes.axhline((players + 1) / 2, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_xlabel("generation")
        axes.locator_params(axis="x", integer=True)
        if (number - 1) % columns == 0:
            axes.set_ylabel(f"mean place of {players}\n(up is better)")
        if len(panels) > 1:
            axes.set_title(f"sub-population {number}", fontsize=9)
        without_frame(axes)
    grid[0, 0].invert_yaxis()  # one for all panels
    grid[0, 0].legend(fontsize=7, loc="best")
    figure.suptitle(f"{title}, smoothed; thin: each generation, 95% interval", fontsize=10)
    return save_figure(figure, path)
