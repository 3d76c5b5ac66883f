"""Evolutionary progress: closing tournaments between the champions of a run.

The mean place within a population is constant, so it cannot show whether a run learns. The
published measure (Nicolai's thesis, 2008) can: the best networks of all generations play a series
of tournaments together, and their mean place is plotted by generation. Here the static players take
part too, as a reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import agents
import nlhe_env
from evolve import seeds
from evolve.files import safe as files
from evolve.files.safe import DamagedFileError
from evolve.workers import Workers, play
from nlhe_env.jit.array_types import I64

STATIC_PLAYERS = ("random", "raiser", "folder", "caller", "call-or-raise")
"""Names of players that ignore their cards."""


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
    generations = spread_generations(len(champions), most)
    static = agents.pack_players([agents.make_compiled(name) for name in STATIC_PLAYERS])
    tally = play(
        workers,
        agents.concat(champions.take(generations - 1), static),
        agents.Tournaments(tournaments),
        game,
        seed=seeds.stream_seed(seed, seeds.PROGRESS),
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
    if not file.exists():
        return None
    try:
        return Progress(**files.read_json(file))
    except TypeError as error:
        raise DamagedFileError(f"{file} is damaged: {error}") from error
